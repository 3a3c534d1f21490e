"""The process that imports FastWorkflow once and forks a child for each episode.

It is apart from the HTTP server because a process with threads cannot be forked safely, and because Python's hash seed,
which FastWorkflow's choices between equal command names depend on, is set before a process starts.
"""

import contextlib
import gc
import importlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading

from .settings import Settings, SetupError

#: Defaults of the process's variables.
ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # otherwise the import downloads prices
    "OMP_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
    "LOG_LEVEL": "ERROR",
}

STOP_SECONDS = 5

#: Modules that the first model call imports. Imported before the fork, they cost a child neither time nor memory.
SHARED = ("openai.resources", "httpcore", "jiter")


class Zygote:
    """The server's handle on the process. It restarts a dead process, whose children keep running."""

    def __init__(self, settings, folder):
        self._settings = settings
        self._folder = folder
        self._lock = threading.Lock()
        self._process = None
        self._control = None
        self.identity = {}

    def start(self):
        """Starts the process. Raises SetupError with the error that it reports."""
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tauflow_fastworkflow.zygote", str(theirs.fileno()), self._folder],
                stdin=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                env={**ENVIRONMENT, **os.environ, "PYTHONHASHSEED": "0"},
            )
        with contextlib.suppress(BrokenPipeError), self._process.stdin as pipe:
            pipe.write(self._settings.dump().encode())
        self._control = ours
        with ours.makefile("r", encoding="utf-8") as lines:
            line = lines.readline()
        ready = json.loads(line) if line else {"error": "FastWorkflow's process ended while it started."}
        if "error" in ready:
            raise SetupError(ready["error"])
        self.identity = ready

    def fork(self):
        """Forks a child and returns the server's end of its connection."""
        ours, theirs = socket.socketpair()
        with self._lock, theirs:
            try:
                socket.send_fds(self._control, [b"f"], [theirs.fileno()])
            except OSError:
                self.stop()
                self.start()
                socket.send_fds(self._control, [b"f"], [theirs.fileno()])
        return ours

    def stop(self):
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:  # the process is in native code, such as an import of torch
                self._process.kill()
                self._process.wait()


def main():
    control = socket.socket(fileno=int(sys.argv[1]))
    folder, server = sys.argv[2], os.getppid()
    settings = Settings.load(sys.stdin.read())
    from . import package

    try:
        package.load(settings)
        identity = package.identity(settings)
    except SetupError as error:
        control.sendall((json.dumps({"error": str(error)}) + "\n").encode())
        return
    for name in SHARED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()  # otherwise garbage collection in a child would copy the pages of all objects
    control.sendall((json.dumps(identity) + "\n").encode())
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system reaps children
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles it
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            if os.getppid() != server:  # the server was killed and cannot remove the folder
                shutil.rmtree(folder, ignore_errors=True)
            return
        with socket.socket(fileno=descriptors[0]) as connection:
            if os.fork() == 0:
                control.close()
                status = 1
                try:
                    from .episode import run

                    run(connection, settings, folder)
                    status = 0
                finally:
                    sys.stdout.flush()
                    sys.stderr.flush()
                    os._exit(status)


if __name__ == "__main__":
    main()
