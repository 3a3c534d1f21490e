"""python -m tauflow_tau2 --port N"""

import argparse
import sys

if sys.version_info < (3, 12):
    print(f"this is Python {sys.version.split()[0]}; tau2 needs 3.12 or newer.", file=sys.stderr)
    sys.exit(2)

from .server import serve  # noqa: E402


def port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; give a number from 0 to 65535")
    return int(text)


def count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= 1000):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 1000")
    return int(text)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="tauflow_tau2", description="Serves tau2's domains for tauflow run --env-url."
    )
    parser.add_argument("--port", type=port, default=8000, help="on 127.0.0.1; 0: any (default: %(default)s)")
    parser.add_argument("--workers", type=count, default=4, help="processes for a domain (default: %(default)s)")
    parser.add_argument(
        "--call-seconds", type=count, default=60, help="longest time of a tool call (default: %(default)s)"
    )
    parser.add_argument("--end-with-input", action="store_true", help="end when standard input does")
    given = parser.parse_args()
    return serve(given.port, given.workers, given.call_seconds, given.end_with_input)


if __name__ == "__main__":
    sys.exit(main())
