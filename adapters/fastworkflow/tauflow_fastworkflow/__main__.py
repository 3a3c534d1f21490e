"""python -m tauflow_fastworkflow WORKFLOW_FOLDER --port N"""

import argparse
import datetime
import os
import sys

if sys.version_info < (3, 11):
    version = sys.version.split()[0]
    print(f"this is Python {version}; use 3.11 or newer, and 3.13 or newer for FastWorkflow 3.", file=sys.stderr)
    sys.exit(2)

from .server import serve  # noqa: E402
from .settings import Settings  # noqa: E402


def pair(text):
    command, separator, tool = text.partition("=")
    if not (command and separator and tool):
        raise argparse.ArgumentTypeError(f"{text!r} is not COMMAND=TOOL")
    return command, tool


def port(text):
    if not (text.isascii() and text.isdigit() and int(text) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; give a number from 0 to 65535")
    return int(text)


def main():
    parser = argparse.ArgumentParser(
        prog="tauflow_fastworkflow", description="Serves FastWorkflow as an agent for tauflow run --agent-url."
    )
    parser.add_argument("workflow", metavar="WORKFLOW_FOLDER", help="a folder with _commands; 'retail': the example")
    parser.add_argument("--port", type=port, default=8000, help="on 127.0.0.1; 0: any (default: %(default)s)")
    parser.add_argument("--env", action="append", default=[], metavar="FILE", help="variables for FastWorkflow")
    parser.add_argument("--tool-map", action="append", default=[], type=pair, metavar="COMMAND=TOOL")
    parser.add_argument("--today", default="2024-05-15", help="the date that prompts name (default: %(default)s)")
    parser.add_argument("--sessions", type=int, default=256, help="most episodes in memory (default: %(default)s)")
    parser.add_argument("--decision-only", action="store_true", help="plan commands, execute none")
    parser.add_argument(
        "--without-intent-models",
        action="store_true",
        help="no torch, no training: an episode ends where an intent model would decide",
    )
    parser.add_argument("--end-with-input", action="store_true", help="end when standard input does")
    given = parser.parse_args()
    try:
        datetime.date.fromisoformat(given.today)
    except ValueError:
        parser.error(f"--today is {given.today}; give a date such as 2024-05-15")
    settings = Settings(
        workflow=given.workflow if given.workflow == "retail" else os.path.abspath(given.workflow),
        env_files=[os.path.abspath(file) for file in given.env],
        tools=dict(given.tool_map),
        today=given.today,
        decision_only=given.decision_only,
        without_models=given.without_intent_models,
    )
    return serve(settings, given.port, given.sessions, given.end_with_input)


if __name__ == "__main__":
    sys.exit(main())
