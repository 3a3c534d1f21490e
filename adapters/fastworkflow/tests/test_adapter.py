"""The adapter with a stub of FastWorkflow: python3 -m unittest discover -s adapters/fastworkflow/tests"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from concurrent import futures
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request

from gateway import Gateway, opener, post

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from tauflow_fastworkflow.episode import arguments  # noqa: E402
from tauflow_fastworkflow.package import not_installed  # noqa: E402
from tauflow_fastworkflow.server import Sessions  # noqa: E402
from tauflow_fastworkflow.settings import Settings, SetupError  # noqa: E402
from tauflow_fastworkflow.zygote import Zygote  # noqa: E402


class Adapter:
    def __init__(self, *words, seam="3", workflow="workflow"):
        env = {**os.environ, "PYTHONPATH": f"{HERE.parent}:{HERE / 'stub'}", "STUB_SEAM": seam}
        named = workflow if workflow == "retail" else str(HERE / "stub" / workflow)
        command = [sys.executable, "-m", "tauflow_fastworkflow", named, "--port", "0", *words]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, env=env, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.url = None
        for line in self.process.stdout:
            if found := re.search(r"http:\S+", line):
                self.url = found[0]
                break

    def children(self):
        """Process numbers of the episodes."""
        [zygote] = children_of(self.process.pid)
        return children_of(zygote)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate()


def children_of(pid):
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(word) for word in listed.split()]


def request(number, said="cancel it", **changed):
    """A request that needs no gateway."""
    urls = {name: "http://127.0.0.1:9" for name in ("tools_url", "model_url", "anthropic_url")}
    return {"episode": "e1", "request": number, "messages": [{"role": "user", "content": said}], **urls, **changed}


WITHOUT = "--without-intent-models"
SAID = ["cancel it", "and the other"]


def model(messages):
    """Looks, writes, answers: by what the conversation has."""
    text = messages[0]["content"]
    if text.startswith("plan"):
        return "1. look"
    turn = text.rpartition("1. look")[2]
    lines = [line for line in turn.split("\n") if line]
    commands = ["/help", "/look", "/look id=1", "/write id=2"]
    return commands[len(lines) // 2] if len(lines) // 2 < 4 else f"done {text.count('1. look')}"


def tools(name, given):
    return f"{name} {given}"


class Episode(unittest.TestCase):
    def play(self, adapter, said=SAID, **options):
        gateway = Gateway(options.pop("model", model), options.pop("tools", tools), options.pop("before_call", None))
        self.addCleanup(gateway.close)
        return gateway.play(adapter.url, said, **options), gateway

    def test_every_seam(self):
        for seam in ("3", "2", "tool"):
            with self.subTest(seam=seam), Adapter(WITHOUT, seam=seam) as adapter:
                answers, gateway = self.play(adapter)
                self.assertEqual(answers, [{"message": "done 1"}, {"message": "done 2"}])
                # Handled and failed commands are FastWorkflow's own affair; the others are steps.
                self.assertEqual(gateway.steps, [("look", {"id": "1"}), ("write", {"id": "2"})] * 2)
                self.assertEqual(gateway.roles[:2], ["planner", "agent"])
                self.assertEqual(len(gateway.paid), 12)

    def test_identity(self):
        with Adapter(WITHOUT) as adapter, opener.open(adapter.url) as response:
            self.assertRegex(
                response.read().decode(),
                r'"name": "fastworkflow-python workflow", '
                r'"version": "9.9.9 dspy 1.0 litellm 2.0 intent none set \w{8}"',
            )

    def test_tool_map_and_decision_only(self):
        with Adapter(WITHOUT, "--tool-map", "look=get") as adapter:
            self.assertEqual(self.play(adapter, ["go"])[1].steps[0], ("get", {"id": "1"}))
        with Adapter(WITHOUT, "--decision-only") as adapter:
            answers, gateway = self.play(adapter, ["go"])
            self.assertEqual((answers, gateway.steps), ([{"message": "done 1"}], []))

    def test_end_of_the_episode(self):
        with Adapter(WITHOUT) as adapter:
            answers, gateway = self.play(adapter, tools=lambda *_: "done")
            self.assertEqual((answers, len(gateway.steps)), ([{"end": True}], 1))

    def test_child_killed_at_every_call(self):
        with Adapter(WITHOUT) as adapter:
            calm, counted = self.play(adapter)
            for at in range(1, counted.asked + 1):
                with self.subTest(at=at):

                    def kill(number, at=at):
                        if number == at:
                            os.kill(adapter.children()[-1], signal.SIGKILL)

                    answers, gateway = self.play(adapter, before_call=kill, episode=f"kill{at}")
                    self.assertEqual(answers, calm)
                    self.assertEqual((gateway.paid, gateway.steps), (counted.paid, counted.steps))

    def test_forking_process_killed(self):
        for workflow in ("workflow", "retail"):
            with self.subTest(workflow=workflow), Adapter(WITHOUT, workflow=workflow) as adapter:
                [zygote] = children_of(adapter.process.pid)
                os.kill(zygote, signal.SIGKILL)
                self.assertEqual(len(self.play(adapter)[0]), 2)

    def test_forking_process_that_does_not_start_again(self):
        with tempfile.TemporaryDirectory() as folder:
            workflow = shutil.copytree(HERE / "stub" / "workflow", f"{folder}/workflow")
            with Adapter(WITHOUT, workflow=workflow) as adapter:
                [zygote] = children_of(adapter.process.pid)
                os.rename(workflow, f"{folder}/away")
                os.kill(zygote, signal.SIGKILL)
                # Until the process has gone, a child is asked of it in vain.
                for _ in range(1000):
                    status, body = post(adapter.url, request(1))
                    self.assertEqual(status, 503)
                    if workflow in body["error"]:
                        break
                self.assertIn(workflow, body["error"])
                os.rename(f"{folder}/away", workflow)
                self.assertEqual(len(self.play(adapter)[0]), 2)

    def test_forking_process_that_ends_before_it_reads(self):
        long = Settings(workflow="x" * 1_000_000)  # more than a pipe takes
        with unittest.mock.patch.object(sys, "executable", shutil.which("true")):
            with self.assertRaisesRegex(SetupError, "^FastWorkflow's process ended while it started.$"):
                Zygote(long, "").start()

    def test_forking_process_that_does_not_stop(self):
        with Adapter(WITHOUT) as adapter:
            [zygote] = children_of(adapter.process.pid)
            os.kill(zygote, signal.SIGSTOP)
            adapter.process.terminate()
            self.assertEqual(adapter.process.wait(60), 0)
            self.assertFalse(os.path.exists(f"/proc/{zygote}"))

    def test_end_with_input(self):
        with Adapter(WITHOUT, "--end-with-input") as adapter:
            [zygote] = children_of(adapter.process.pid)
            adapter.process.stdin.close()
            self.assertEqual(adapter.process.wait(60), 0)
            self.assertFalse(os.path.exists(f"/proc/{zygote}"))
            adapter.process.stdin = None

    def test_more_episodes_than_sessions(self):
        with Adapter(WITHOUT, "--sessions", "1") as adapter:
            first, gateway = self.play(adapter, SAID[:1])
            self.play(adapter, SAID[:1], episode="e2")
            self.assertEqual(gateway.play(adapter.url, SAID)[0], first[0])
            self.assertEqual(len(gateway.paid), 12)

    def test_episodes_that_are_over(self):
        class Zygote:
            def fork(self):
                ours, theirs = socket.socketpair()
                children.append(theirs)
                return ours

        children = []
        for idle_s, left in ((300, 3), (-1, 1)):
            sessions = Sessions(Zygote(), 256, idle_s)
            for name in ("e1", "e2", "e3"):
                sessions.take(request(1, episode=name)).is_busy = False
            ended = [child.recv(1, socket.MSG_DONTWAIT) == b"" for child in children[-3:-left]]
            self.assertEqual(ended, [True] * (3 - left))
            self.assertEqual(len(sessions._sessions), left)
            sessions.end()
        for child in children:
            child.close()

    def test_unknown_episode_and_repeated_answer(self):
        with Adapter(WITHOUT) as adapter:
            self.assertEqual(post(adapter.url, request(2))[0], 404)
            _, gateway = self.play(adapter, SAID[:1])
            self.assertEqual(post(adapter.url, request(1)), (200, {"message": "done 1"}))

    def test_bodies_that_are_no_requests(self):
        with Adapter(WITHOUT) as adapter:
            wrong = [[], {}, 1, request("1"), request(True), request(1, messages=[]), request(1, episode=["e"])]
            wrong += [request(1, messages=[{"content": None}]), request(1, tools_url=None)]
            for body in wrong:
                self.assertEqual(post(adapter.url, body)[0], 400, body)
            with self.assertRaises(HTTPError) as deep:
                opener.open(Request(adapter.url, b"[" * 1_000_000), timeout=60)
            self.assertEqual(deep.exception.code, 400)

    def test_same_request_while_it_is_answered(self):
        with Adapter(WITHOUT) as adapter:
            statuses = []

            def twice(number):
                if number == 2:
                    # The attempt that is under way is given up, and the episode begins anew.
                    statuses.append(post(adapter.url, request(1))[0])

            answers, gateway = self.play(adapter, before_call=twice)
            self.assertEqual(answers, [{"message": "done 1"}, {"message": "done 2"}])
            self.assertEqual((statuses, len(gateway.paid), len(gateway.steps)), ([503], 12, 4))

    def test_failing_tools(self):
        with Adapter(WITHOUT) as adapter:
            # A gateway that goes down is not the end of the episode; one that says so is.
            for status, length in ((500, 2), (404, 2), (410, 1)):
                left = [status]
                answers, gateway = self.play(
                    adapter, tools=lambda *call: left.pop() if left else tools(*call), episode=f"status{status}"
                )
                self.assertEqual((len(answers), "end" in answers[0]), (length, length == 1), status)

    def test_failing_model(self):
        with Adapter(WITHOUT) as adapter:
            # What Tauflow is to repeat never reaches the agent as an observation.
            self.assertEqual(self.play(adapter, model=lambda _: 401)[0][0][0], 401)


class Refused(unittest.TestCase):
    def refused(self, *words, **options):
        with Adapter(*words, **options) as adapter:
            self.assertIsNone(adapter.url)
            _, said = adapter.process.communicate(timeout=30)
            self.assertEqual(adapter.process.returncode, 2)
            return said

    def test_version_without_a_seam(self):
        self.assertRegex(self.refused(WITHOUT, seam="none"), "^fastworkflow 9.9.9 is not supported")

    def test_intent_models(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(HERE / "stub" / "workflow", folder, dirs_exist_ok=True)
            context = Path(folder, "___command_info", "global")
            context.mkdir(parents=True)
            (context / "tinymodel.pth").touch()
            with Adapter(workflow=folder) as adapter:
                self.assertEqual([int((context / "loaded").read_text())], children_of(adapter.process.pid))
            said = r"global cannot be loaded \(FileExistsError: .*train them again"
            self.assertRegex(self.refused(workflow=folder), said)

    def test_missing_packages(self):
        lines = ["none-such[a] (>=1.2,<2)", 'no-server (>=1) ; extra == "server"', "pip (>=1)", "torch (>=2,<3)"]
        self.assertEqual(not_installed(lines, True), ["'none-such[a]>=1.2,<2'"])
        self.assertEqual(not_installed(lines[1:3], False), [])
        with unittest.mock.patch.dict(os.environ, STUB_WITHOUT="dotenv"):
            self.assertRegex(self.refused(WITHOUT), r"\(No module named 'dotenv'\); run: pip install dotenv\n$")

    def test_folders(self):
        self.assertRegex(self.refused(WITHOUT, workflow="nothing"), "has no folder _commands")
        self.assertRegex(self.refused(), "has no intent models; run `fastworkflow train`")


    def test_port(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.assertRegex(self.refused(WITHOUT, "--port", str(port)), rf"^port {port} cannot be used \(.*--port.\n$")
            # A thread that waits for the end of the input does not add to it.
            self.assertRegex(self.refused(WITHOUT, "--end-with-input", "--port", str(port)), r"\A[^\n]*--port\.\n\Z")
        self.assertIn("'70000' is not a port", self.refused(WITHOUT, "--port", "70000"))

    def test_requests_before_it_has_started(self):
        with socket.create_server(("127.0.0.1", 0)) as free, tempfile.TemporaryDirectory() as folder:
            port = free.getsockname()[1]
            free.close()
            os.mkfifo(gate := os.path.join(folder, "gate"))
            with unittest.mock.patch.dict(os.environ, STUB_GATE=gate), futures.ThreadPoolExecutor() as threads:
                started = threads.submit(Adapter, WITHOUT, "--port", str(port))
                try:
                    early = self.connect(port)
                    early.sendall(b"GET / HTTP/1.0\r\n\r\n")
                finally:
                    Path(gate).write_text("")
                    adapter = started.result()
                with adapter, early, early.makefile("rb") as answer:
                    self.assertIn(b" 200 ", answer.readline())

    def connect(self, port):
        end = time.monotonic() + 30
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port))
            except ConnectionRefusedError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)


class Arguments(unittest.TestCase):
    def test_kinds(self):
        @dataclass
        class Data:
            a: int

        class Model:
            def model_dump(self, mode):
                return {"a": 1, "mode": mode}

        self.assertEqual(arguments(None), {})
        self.assertEqual(arguments({"a": 1}), {"a": 1})
        self.assertEqual(arguments(Data(1)), {"a": 1})
        self.assertEqual(arguments(Model()), {"a": 1, "mode": "json"})


if __name__ == "__main__":
    unittest.main()
