"""Processes that answer requests.

The zygote imports tau2, loads domains and forks workers, which share its memory. It is apart from the HTTP server because
a process with threads cannot be forked safely. A worker answers one request at a time, so that a tool that does not end
holds up no other worker, and can be ended with it.
"""

import gc
import json
import os
import signal
import socket
import sys
from typing import Any

from . import package
from .domains import DEFAULT_SPLIT, key_of, names, open_domain, options_schema
from .episodes import Episodes
from .grades import grade, judges_outputs
from .protocol import Json, Refused, Request, read_request
from .starts import describe_start


def identity() -> Json:
    return {
        "name": "tau2",
        "version": package.version(),
        "protocol": "1",
        "replays": True,
        "rules": "tau2",
        "domains": names(),
        "options": options_schema(),
        "defaults": {"split": DEFAULT_SPLIT, "max_steps": package.find("tau2.config", "DEFAULT_MAX_STEPS")},
    }


def answer(request: Request, episodes: Episodes) -> Json:
    """Answers a request about an episode. Raises Refused."""
    if request.kind == "call":
        return episodes.call(request)
    domain = open_domain(*key_of(request.domain, request.options))
    task = domain.task(request.task)
    if request.kind == "start":
        return describe_start(domain, task, episodes.start(request))
    return grade(domain, task, request)


def answered(line: str, episodes: Episodes | None) -> tuple[int, Json]:
    """Returns status and body. Without episodes only `tasks` is answered, or that a domain is loaded."""
    try:
        request = read_request(json.loads(line))
        if episodes is not None:
            return 200, answer(request, episodes)
        domain = open_domain(*key_of(request.domain, request.options))
        if request.kind != "tasks":
            return 200, {}
        return 200, domain.answer_tasks(request.split, judges_outputs=judges_outputs(domain))
    except Refused as refused:
        return refused.answer()
    except Exception as error:  # tau2's own, which no caller may be left without an answer by
        said = " ".join(f"{type(error).__name__}: {error}".split())[:500]
        print(f"tauflow_tau2: {said}", file=sys.stderr, flush=True)
        return Refused(422, "failed", said).answer()


def send(connection: socket.socket, content: Any) -> None:
    connection.sendall((json.dumps(content) + "\n").encode())


def work(connection: socket.socket) -> None:
    """Answers requests, one a line, until the connection is closed. The alarm ends the process, also in native code."""
    episodes = Episodes()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    for line in connection.makefile("r", encoding="utf-8"):
        seconds, _, request = line.partition(" ")
        signal.alarm(int(seconds))
        send(connection, answered(request, episodes))
        signal.alarm(0)


def main() -> None:
    """The zygote: answers lines as a worker without episodes; a descriptor that it is sent is a new worker's."""
    control = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system reaps children
    try:
        package.load()
        send(control, identity())
    except package.SetupError as error:
        send(control, {"error": str(error)})
        return
    while True:
        text, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 1)
        if not text:
            return
        if not descriptors:
            while not text.endswith(b"\n"):
                text += control.recv(1 << 16)
            send(control, answered(text.decode(), None))
            continue
        gc.collect()
        gc.freeze()  # otherwise garbage collection in a worker would copy the pages of all objects
        with socket.socket(fileno=descriptors[0]) as connection:
            if os.fork() == 0:
                control.close()
                status = 1
                try:
                    work(connection)
                    status = 0
                finally:
                    sys.stdout.flush()
                    sys.stderr.flush()
                    os._exit(status)


if __name__ == "__main__":
    main()
