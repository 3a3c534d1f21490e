"""The HTTP server. It passes a request to its episode's process, or answers `unknown_episode` if there is none."""

import json
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .settings import SetupError
from .zygote import Zygote

MAX_REQUEST_BYTES = 64 * 1024 * 1024

#: Time from an episode's last request to the end of its process, in seconds. No request marks an episode's end.
IDLE_S = 300


class Sessions:
    """The episodes' processes. If one fails or is ended, Tauflow replays its episode."""

    def __init__(self, zygote, most, idle_s=IDLE_S):
        self._zygote = zygote
        self._most = most
        self._idle_s = idle_s
        self._lock = threading.Lock()
        #: Least recently used first.
        self._sessions = OrderedDict()

    def take(self, request):
        """Returns the session for the request, or None if the server does not have the episode up to that request."""
        episode, number = request["episode"], request["request"]
        with self._lock:
            session = self._sessions.get(episode)
            if session is not None and session.accepts(request):
                self._sessions.move_to_end(episode)
                return session
            if session is not None:
                del self._sessions[episode]
                session.end()
            if number != 1:
                return None
            session = self._sessions[episode] = Session(self._zygote.fork())
            surplus = len(self._sessions) - self._most
            for name, other in list(self._sessions.items()):
                if other.is_busy or other is session or (surplus <= 0 and other.idle_s() <= self._idle_s):
                    continue
                self._sessions.pop(name).end()
                surplus -= 1
            session.accepts(request)
            return session

    def drop(self, request, session):
        with self._lock:
            if self._sessions.get(request["episode"]) is session:
                del self._sessions[request["episode"]]
        session.end()

    def end(self):
        with self._lock:
            for session in self._sessions.values():
                session.end()
            self._sessions.clear()


class Session:
    """One episode's process, and its last answer."""

    def __init__(self, connection):
        self._connection = connection
        self._reader = connection.makefile("r", encoding="utf-8")
        self._last = None
        self._used = time.monotonic()
        self.is_busy = False

    def idle_s(self):
        return time.monotonic() - self._used

    def accepts(self, request):
        """True for the next request, and for the last one again if it has been answered."""
        if self.is_busy:
            return False
        number = self._last[0] if self._last else 0
        if request["request"] == number:
            return True
        self.is_busy = request["request"] == number + 1
        return self.is_busy

    def answer(self, request):
        """Returns (status, body). Raises OSError or EOFError if the process has ended."""
        if self._last and self._last[0] == request["request"]:
            return self._last[1], self._last[2]
        self._connection.sendall((json.dumps(request) + "\n").encode())
        line = self._reader.readline()
        if not line:
            raise EOFError("the episode's process has ended")
        reply = json.loads(line)
        if reply["status"] == 200:
            self._last = (request["request"], 200, reply["body"])
        self._used = time.monotonic()
        self.is_busy = False
        return reply["status"], reply["body"]

    def end(self):
        try:
            self._connection.shutdown(2)
        except OSError:
            pass
        self._connection.close()


def is_request(body):
    """Returns True for a body with all fields that an episode's process reads."""
    if not isinstance(body, dict) or type(body.get("request")) is not int:
        return False
    if not all(isinstance(body.get(key), str) for key in ("episode", "tools_url", "model_url", "anthropic_url")):
        return False
    messages = body.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else None
    return isinstance(last, dict) and isinstance(last.get("content"), str)


def handler(sessions, zygote):
    class Handler(BaseHTTPRequestHandler):
        def handle(self):
            try:
                super().handle()
            except ConnectionError:  # the connection was closed, as after a call that ends the episode
                pass

        def do_GET(self):
            self.reply(200, zygote.identity)

        def do_POST(self):
            length = self.headers.get("Content-Length", "")
            if not (length.isascii() and length.isdigit()):
                return self.reply(411, {"error": "the request has no Content-Length"})
            if int(length) > MAX_REQUEST_BYTES:
                return self.reply(413, {"error": "the request is too large"})
            try:
                request = json.loads(self.rfile.read(int(length)))
            except (ValueError, RecursionError):
                request = None
            if not is_request(request):
                return self.reply(400, {"error": "the body is not a request of the turn protocol"})
            try:
                session = sessions.take(request)
            except (SetupError, OSError) as error:  # fork failed, and so did the restart of FastWorkflow
                return self.reply(503, {"error": str(error)})
            if session is None:
                return self.reply(404, {"error": "unknown_episode"})
            try:
                status, body = session.answer(request)
            except (OSError, EOFError, ValueError):
                sessions.drop(request, session)
                return self.reply(503, {"error": "the episode's process has ended"})
            if status != 200 or body.get("end"):
                sessions.drop(request, session)
            self.reply(status, body)

        def reply(self, status, body):
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    return Handler


class Server(ThreadingHTTPServer):
    request_queue_size = 1000
    daemon_threads = True


def bind(port, handles):
    """Creates a server that does not listen yet. Raises SetupError."""
    server = Server(("127.0.0.1", port), handles, bind_and_activate=False)
    try:
        server.server_bind()
    except OSError as error:
        raise SetupError(f"port {port} cannot be used ({error.strerror}); name another with --port.") from error
    return server


def end_with_input():
    """Ends this process when its standard input ends, because the process that started it has died."""

    def wait():
        while os.read(0, 4096):  # sys.stdin would be locked at the end of the interpreter
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()


def serve(settings, port, most, with_input=False):
    """Serves until SIGTERM or SIGINT; returns the exit code."""
    folder = tempfile.mkdtemp(prefix="tauflow-fastworkflow-")
    zygote = Zygote(settings, folder)
    sessions = Sessions(zygote, most)

    def stop(*_):
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    server = None
    try:
        if with_input:
            end_with_input()
        server = bind(port, handler(sessions, zygote))
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
        sessions.end()
        zygote.stop()
        shutil.rmtree(folder, ignore_errors=True)
