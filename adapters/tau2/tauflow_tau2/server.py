"""The HTTP server: reads requests of the environment protocol and passes them to a worker."""

import contextlib
import json
import os
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .package import SetupError
from .pool import Pool, Zygote
from .protocol import Refused, bad_request, read_request

MAX_REQUEST_BYTES = 64 * 1024 * 1024


def handler(pool: Pool, zygote: Zygote) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        #: Otherwise an answer's head waits until its body is sent.
        wbufsize = -1

        def handle(self) -> None:
            with contextlib.suppress(ConnectionError):  # closed by the client
                super().handle()

        def do_GET(self) -> None:
            self.reply(200, zygote.identity)

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if not (length.isascii() and length.isdigit() and int(length) <= MAX_REQUEST_BYTES):
                self.close_connection = True
                return self.reply(*bad_request("the request has no Content-Length, or is too large").answer())
            body = self.rfile.read(int(length))
            try:
                content = json.loads(body)
                request = read_request(content)
            except (ValueError, RecursionError):
                return self.reply(*bad_request("the body is not JSON").answer())
            except Refused as refused:
                return self.reply(*refused.answer())
            self.reply(*pool.ask(request, json.dumps(content).encode()))

        def reply(self, status: int, body: Any) -> None:
            data = json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
            self.wfile.flush()

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


class Server(ThreadingHTTPServer):
    request_queue_size = 1000
    daemon_threads = True


def bind(port: int, handles: type[BaseHTTPRequestHandler]) -> Server:
    """Creates a server that does not listen yet. Raises SetupError."""
    server = Server(("127.0.0.1", port), handles, bind_and_activate=False)
    try:
        server.server_bind()
    except OSError as error:
        raise SetupError(f"port {port} cannot be used ({error.strerror}); name another with --port.") from error
    return server


def end_with_input() -> None:
    """Ends this process when its standard input ends, because the process that started it has died."""

    def wait() -> None:
        while os.read(0, 4096):  # sys.stdin would be locked at the end of the interpreter
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()


def interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def serve(port: int, workers: int, call_s: int, with_input: bool) -> int:
    """Serves until SIGTERM or SIGINT; returns the exit code."""
    zygote = Zygote()
    server: Server | None = None
    try:
        signal.signal(signal.SIGTERM, interrupt)
        if with_input:
            end_with_input()
        server = bind(port, handler(Pool(zygote, workers, call_s), zygote))
        # Listens before the start, so that requests wait. Tauflow would count refused connections as an outage.
        server.server_activate()
        zygote.start()
        print(f"{zygote.identity['name']} {zygote.identity['version']}", flush=True)
        print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()
    except KeyboardInterrupt:
        return 0
    except (SetupError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    finally:
        if server is not None:
            server.server_close()
        zygote.stop()
    return 0
