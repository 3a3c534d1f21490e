"""The server's handle on the zygote and on its workers."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
import zlib

from .package import SetupError
from .protocol import Json, Refused, Request

#: Seconds that a request other than a call may take.
MOST_S = 300
#: Seconds after which a worker without requests is ended.
IDLE_S = 900
STOP_S = 5

Answer = tuple[int, Json]


class Ended(Exception):
    """A process has ended before it has answered."""


def exchange(connection: socket.socket, line: bytes) -> Answer:
    """Sends a line and returns the answer. Raises Ended."""
    parts: list[bytes] = []
    try:
        connection.sendall(line + b"\n")
        while not parts or not parts[-1].endswith(b"\n"):
            part = connection.recv(1 << 20)
            if not part:
                raise Ended
            parts.append(part)
    except OSError as error:
        raise Ended from error
    status, body = json.loads(b"".join(parts))
    return status, body


class Zygote:
    """The process that imports tau2. It is started again when it has died; its workers live on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._loaded: set[tuple[str, str]] = set()
        self.identity: Json = {}

    def start(self) -> None:
        """Starts the process. Raises SetupError with the error that it reports."""
        self.stop()
        self._loaded.clear()
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tauflow_tau2.worker", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONHASHSEED": "0"},
            )
        self._control = ours
        with ours.makefile("r", encoding="utf-8") as lines:
            line = lines.readline()
        ready = json.loads(line) if line else {"error": "tau2's process ended while it started."}
        if "error" in ready:
            raise SetupError(ready["error"])
        self.identity = ready

    def ask(self, line: bytes) -> Answer:
        """Asks for tasks, or loads a request's domain, so that workers that are forked later have it."""
        with self._lock:
            try:
                return exchange(self._connected(), line)
            except Ended:
                self.start()
                return exchange(self._connected(), line)

    def fork(self, domain: tuple[str, str], line: bytes) -> socket.socket:
        """Forks a worker that has a domain, and returns the server's end of its connection. Raises Refused."""
        if domain not in self._loaded:
            status, body = self.ask(line)
            if status != 200:
                raise Refused(status, body["error"]["type"], body["error"]["message"])
            self._loaded.add(domain)
        ours, theirs = socket.socketpair()
        with self._lock, theirs:
            try:
                socket.send_fds(self._connected(), [b"f"], [theirs.fileno()])
            except OSError:
                self.start()
                socket.send_fds(self._connected(), [b"f"], [theirs.fileno()])
        return ours

    def _connected(self) -> socket.socket:
        if self._control is None:
            raise Ended
        return self._control

    def stop(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


class Worker:
    """A worker process: forked at its first request, and again after it has died."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connection: socket.socket | None = None
        self._used = time.monotonic()

    def ask(self, request: Request, line: bytes, zygote: Zygote, most_s: int) -> Answer:
        with self._lock:
            try:
                return self._ask(request, line, zygote, most_s)
            except Ended:  # a new one has the same state, because a request carries the calls before it
                return self._ask(request, line, zygote, most_s)
            finally:
                self._used = time.monotonic()

    def _ask(self, request: Request, line: bytes, zygote: Zygote, most_s: int) -> Answer:
        """Raises Ended if the process has died of anything but the time limit."""
        if self._connection is None:
            self._connection = zygote.fork(domain_of(request), line)
        since = time.monotonic()
        try:
            return exchange(self._connection, b"%d %s" % (most_s, line))
        except Ended:
            self._end()
            if time.monotonic() - since < most_s - 1:
                raise
            return unending(request, most_s)

    def end_idle(self) -> None:
        if self._lock.acquire(blocking=False):
            if time.monotonic() - self._used > IDLE_S:
                self._end()
            self._lock.release()

    def _end(self) -> None:
        """A worker that is asked nothing ends with its connection; the alarm ends another one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def unending(request: Request, most_s: int) -> Answer:
    """The answer to a request that did not end. A call's is an observation: the arguments are the agent's doing."""
    if request.kind == "call":
        observation = f"Error: the call did not end within {most_s} s"
        return 200, {"observation": observation, "error": True, "changed": False, "done": False}
    return Refused(503, "slow", f"{request.kind} did not end within {most_s} s").answer()


def domain_of(request: Request) -> tuple[str, str]:
    return request.domain, json.dumps(request.options, sort_keys=True)


class Pool:
    """The workers of each domain with its options. One of them answers all requests of an episode."""

    def __init__(self, zygote: Zygote, size: int, call_s: int) -> None:
        self._zygote = zygote
        self._size = size
        self._call_s = call_s
        self._lock = threading.Lock()
        self._workers: dict[tuple[str, str], list[Worker]] = {}

    def ask(self, request: Request, line: bytes) -> Answer:
        try:
            if request.kind == "tasks":
                return self._zygote.ask(line)
            worker = self._choose(request)
            return worker.ask(request, line, self._zygote, self._call_s if request.kind == "call" else MOST_S)
        except Refused as refused:
            return refused.answer()
        except (SetupError, Ended, OSError) as error:  # the zygote died, and could not be started again
            return Refused(503, "restarted", str(error) or "tau2's process has ended").answer()

    def _choose(self, request: Request) -> Worker:
        with self._lock:
            workers = self._workers.setdefault(domain_of(request), [Worker() for _ in range(self._size)])
            chosen = workers[zlib.crc32(request.episode.encode("utf-8", "replace")) % self._size]
            for worker in (worker for others in self._workers.values() for worker in others):
                if worker is not chosen:
                    worker.end_idle()
            return chosen
