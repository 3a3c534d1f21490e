"""The adapter with tau2 itself: python -m unittest discover -s adapters/tau2/tests, with a Python that has tau2."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import unittest
from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request

from conformance import Json, Player, Service, opener

from tauflow_tau2 import hashes

HERE = Path(__file__).parent
BM25 = {"retrieval_variant": "bm25"}
TASK = "update_task_with_user_tools"
GRADED = "create_task_1_with_env_assertions"


class Adapter:
    """The adapter's process."""

    def __init__(self, *words: str, **env: str) -> None:
        command = [sys.executable, "-m", "tauflow_tau2", "--port", "0", "--end-with-input", *words]
        kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
        env = {**kept, "PYTHONPATH": f"{HERE.parent}:{HERE}", **env}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, env=env, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.url = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"http:\S+", line):
                self.url = found[0]
                break

    def domain(self, name: str, **options: Any) -> Service:
        return Service(self.url, name, options)

    def below(self) -> list[int]:
        """Numbers of the zygote's process and of its workers'."""
        [zygote] = children_of(self.process.pid)
        return [zygote, *children_of(zygote)]

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate()


def children_of(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(word) for word in listed.split()]


def call(name: str, requestor: str = "assistant", **arguments: Any) -> Json:
    return {"requestor": requestor, "name": name, "arguments": arguments}


def as_request(given: Json) -> Json:
    return {**given, "arguments": json.dumps(given["arguments"])}


def conversation(calls: list[Json], answers: list[Json]) -> list[Json]:
    messages: list[Json] = []
    for at, (made, answer) in enumerate(zip(calls, answers, strict=True)):
        function = {"name": made["name"], "arguments": json.dumps(made["arguments"])}
        tool_calls = [{"id": f"c{at}", "type": "function", "function": function}]
        messages.append({"role": made["requestor"], "content": None, "tool_calls": tool_calls})
        observed = {"content": answer["observation"], "requestor": made["requestor"]}
        messages.append({"role": "tool", "tool_call_id": f"c{at}", **observed})
    return messages


def graded(service: Service, task: str, messages: list[Json], ended_by: str = "user_stop", **more: Any) -> Json:
    return service.ask("grade", episode="e", task=task, calls=[], messages=messages, ended_by=ended_by, **more)


def truth(service: Service, task: str) -> list[Json]:
    """The calls of a task's ground truth."""
    [actions] = [found["actions"] for found in service.ask("tasks", split=None)["tasks"] if found["id"] == task]
    return [{**action, "arguments": json.loads(action["arguments"])} for action in actions]


adapter: Adapter


def setUpModule() -> None:
    global adapter
    adapter = Adapter("--workers", "2", "--call-seconds", "3")


def tearDownModule() -> None:
    adapter.stop()


class WithAdapter(unittest.TestCase):
    def refusal(self, service: Service, request: str, **fields: Any) -> tuple[int, str, str]:
        with self.assertRaises(HTTPError) as raised:
            service.ask(request, **fields)
        error = json.load(raised.exception)["error"]
        return raised.exception.code, error["type"], error["message"]


class Episodes(WithAdapter):
    def test_describes_itself(self) -> None:
        with opener.open(adapter.url) as response:
            said = json.load(response)
        self.assertEqual((said["name"], said["protocol"], said["rules"]), ("tau2", "1", "tau2"))
        self.assertLessEqual({"mock", "retail", "airline", "telecom", "telecom-workflow"}, set(said["domains"]))
        self.assertIn("solo", said["options"]["properties"])
        self.assertEqual(said["defaults"], {"split": "base", "max_steps": 200})

    def test_starts_with_the_prompts_of_tau2(self) -> None:
        start = adapter.domain("mock").ask("start", episode="e", task=TASK)
        self.assertIn(f"<policy>\n{start['policy']}\n</policy>", start["agent_prompt"])
        self.assertIn("<scenario>", start["user_prompt"])
        self.assertEqual(start["first_message"], "Hi! How can I help you today?")
        self.assertIn("create_task", [tool["function"]["name"] for tool in start["tools"]])
        self.assertIn("check_notifications", [tool["function"]["name"] for tool in start["user_tools"]])
        self.assertEqual(json.loads(start["content"])["id"], TASK)

    def test_grades_the_ground_truth_with_1_and_nothing_with_0(self) -> None:
        mock = adapter.domain("mock")
        calls = truth(mock, GRADED)
        player = Player(mock, "truth", GRADED)
        messages = conversation(calls, [player.make(each) for each in calls])
        grade = graded(mock, GRADED, messages)
        self.assertEqual(grade["reward"], 1)
        self.assertEqual({part["kind"] for part in grade["parts"] if part["counts"]}, {"data", "assertions"})
        self.assertEqual(graded(mock, "impossible_task_1", [])["reward"], 0)
        self.assertEqual(graded(mock, GRADED, messages, ended_by="max_steps"), {"reward": 0, "parts": []})

    def test_asks_for_verdicts_on_sentences(self) -> None:
        retail = adapter.domain("retail")
        task = next((found for found in retail.ask("tasks", split="base")["tasks"] if found["sentences"]), None)
        if task is None:
            self.skipTest("no sentence counts in this version of tau2")
        name = task["id"]
        calls = truth(retail, name)
        player = Player(retail, "sentences", name)
        messages = conversation(calls, [player.make(each) for each in calls])
        asked = graded(retail, name, messages)
        [part] = [part for part in asked["parts"] if part["kind"] == "sentences"]
        self.assertEqual([check["met"] for check in part["checks"]], [None] * len(task["sentences"]))
        self.assertEqual(asked["reward"], 1)
        for met in (True, False):
            verdicts = [{"sentence": sentence, "met": met, "reason": "so"} for sentence in task["sentences"]]
            self.assertEqual(graded(retail, name, messages, verdicts=verdicts)["reward"], float(met))

    def test_plays_solo(self) -> None:
        mock = adapter.domain("mock", solo=True)
        self.assertEqual(mock.ask("tasks", split=None)["rules"], "solo")
        start = mock.ask("start", episode="solo", task=GRADED)
        self.assertIn("<ticket>", start["agent_prompt"])
        self.assertNotIn("user_prompt", start)
        player = Player(mock, "solo", GRADED)
        calls = [*truth(mock, GRADED), call("done")]
        answers = [player.make(each) for each in calls]
        self.assertEqual([answer["done"] for answer in answers], [False] * (len(calls) - 1) + [True])
        opening = {"role": "user", "content": start["first_message"]}
        messages = [opening, *conversation(calls, answers)]
        grade = graded(mock, GRADED, messages, ended_by="agent_stop")
        self.assertEqual(grade["reward"], 1)

    def test_continues_a_conversation(self) -> None:
        mock = adapter.domain("mock")
        start = mock.ask("start", episode="e", task="update_task_with_history_and_env_assertions")
        self.assertIn("Project Review", start["agent_prompt"])
        self.assertIn("task_2", start["first_message"])
        calls = [call("update_task_status", task_id="task_2", status="completed")]
        player = Player(mock, "history", "update_task_with_history_and_env_assertions")
        played = conversation(calls, [player.make(each) for each in calls])
        messages = [{"role": "assistant", "content": start["first_message"]}, *played]
        self.assertEqual(graded(mock, "update_task_with_history_and_env_assertions", messages)["reward"], 1)

    def test_says_what_is_wrong_with_a_request(self) -> None:
        mock = adapter.domain("mock")
        self.assertEqual(self.refusal(mock, "start", episode="e", task="none")[:2], (404, "unknown_task"))
        self.assertEqual(self.refusal(mock, "tasks", split="none")[:2], (400, "bad_request"))
        for wrong in (mock.ask, adapter.domain("mock", none=1).ask, adapter.domain("none").ask):
            service: Service = wrong.__self__
            fields = {"task": 1, "episode": "e"} if service is mock else {"task": "create_task_1", "episode": "e"}
            self.assertEqual(self.refusal(service, "start", **fields)[:2], (400, "bad_request"))
        for body in (b"[", b"[]", b"[" * 100_000, b'{"protocol": "2"}'):
            with self.assertRaises(HTTPError) as raised:
                opener.open(Request(adapter.url, body))
            self.assertEqual(raised.exception.code, 400)

    def test_answers_hostile_arguments(self) -> None:
        mock = adapter.domain("mock")
        for arguments in ("", "[]", "{", "[" * 100_000, '{"user_id": {"a": 1}}', '{"tool_name": 1}', '{"self": 1}'):
            made = {"requestor": "assistant", "name": "create_task", "arguments": arguments}
            answer = mock.ask(
                "call", episode="h", task="create_task_1", calls=[], call=made, idempotency_key=arguments[:9]
            )
            self.assertTrue(answer["error"])


class Durability(WithAdapter):
    CALLS = (
        call("create_task", user_id="user_1", title="a"),
        call("check_notifications", "user"),
        call("create_task", user_id="user_1", title="b"),
        call("no_such_tool"),
    )

    def play(self, service: Service, episode: str, between: Any = lambda at: None) -> list[Json]:
        player = Player(service, episode, "create_task_1")
        answers = []
        for at, each in enumerate(self.CALLS):
            between(at)
            answers.append(player.make(each))
        return answers

    def test_answers_a_request_again(self) -> None:
        mock = adapter.domain("mock")
        once = self.play(mock, "again")
        self.assertEqual([answer["changed"] for answer in once], [True, False, True, False])
        self.assertEqual(self.play(mock, "again"), once)
        made = [as_request(each) for each in self.CALLS]
        about: Json = {"episode": "again", "task": "create_task_1"}
        for at, calls in ((2, made[:1]), (0, []), (3, [made[0], made[2]]), (2, made[:1])):
            for _ in range(2):
                answer = mock.ask("call", **about, calls=calls, call=made[at], idempotency_key=str(at))
                self.assertEqual(answer, once[at])

    def test_survives_the_death_of_its_processes(self) -> None:
        mock = adapter.domain("mock")
        once = self.play(mock, "calm")

        def kill(at: int) -> None:
            zygote, *workers = adapter.below()
            for pid in [zygote] if at == 2 else workers:
                with contextlib.suppress(ProcessLookupError):  # it has ended by itself
                    os.kill(pid, signal.SIGKILL)

        player = Player(mock, "killed", "create_task_1")
        for at, each in enumerate(self.CALLS):
            kill(at)
            self.assertEqual(player.make(each), once[at])

    def test_plays_many_episodes_at_once(self) -> None:
        mock = adapter.domain("mock")
        once = self.play(mock, "one")
        with futures.ThreadPoolExecutor(20) as threads:
            played = list(threads.map(lambda at: self.play(mock, f"many-{at}"), range(60)))
        self.assertEqual(played, [once] * 60)

    def test_ends_a_call_that_does_not_end(self) -> None:
        retail = adapter.domain("retail")
        player = Player(retail, "endless", "0")
        answer = player.make(call("calculate", expression="9**9**9**9"))
        self.assertEqual(answer["observation"], "Error: the call did not end within 3 s")
        self.assertTrue(answer["error"])
        self.assertEqual(player.make(call("calculate", expression="1 + 1"))["observation"], "2.0")

    def test_ends_with_its_input(self) -> None:
        another = Adapter()
        another.process.communicate()
        self.assertEqual(another.process.returncode, 0)


class Hashes(unittest.TestCase):
    def test_are_those_of_tau2_whatever_a_call_does(self) -> None:
        from pydantic import BaseModel
        from tau2.environment.db import DB
        from tau2.utils import get_dict_hash

        class Order(BaseModel):
            items: list[dict[str, Any]]

        class Shop(DB):
            orders: dict[str, Order]
            names: dict[str, str]
            open: bool = True

        def load() -> Shop:
            orders = {f"#{at}": Order(items=[{"price": at / 4, "ö": None}]) for at in range(20)}
            return Shop(orders=orders, names={})

        def items(shop: Shop) -> None:
            for _, order in shop.orders.items():
                order.items.clear()

        changes: list[Callable[[Shop], Any]] = [
            lambda shop: shop.orders["#3"].items[0].update(price=131),
            lambda shop: shop.orders["#3"].items[0].update(price=131.0),
            lambda shop: shop.orders.get("#4").items.append({}),
            lambda shop: shop.orders.pop("#5"),
            lambda shop: shop.orders.update({"#100": Order(items=[])}),
            lambda shop: shop.orders.setdefault("#0", Order(items=[])).items.clear(),
            lambda shop: dict(shop.orders)["#6"].items.clear(),
            lambda shop: (shop.orders | {})["#7"].items.clear(),
            lambda shop: shop.names.__setitem__("a", "b"),
            lambda shop: setattr(shop, "open", False),
            items,
            lambda shop: setattr(shop, "orders", {}),
        ]
        loader = hashes.Loader(load)
        shop = loader.make()
        for at, change in enumerate(changes):
            change(shop)
            self.assertEqual(hashes.hash_database(shop), get_dict_hash(shop.model_dump()), f"change {at}")
        self.assertEqual(hashes.hash_database(loader.make()), get_dict_hash(load().model_dump()))


class Banking(WithAdapter):
    def test_refuses_a_variant_that_lacks_what_it_needs(self) -> None:
        for options in ({}, {"retrieval_variant": "openai_embeddings"}):
            banking = adapter.domain("banking_knowledge", **options)
            status, kind, message = self.refusal(banking, "tasks", split=None)
            self.assertEqual((status, kind), (422, "unavailable"))
            self.assertRegex(message, r"^banking_knowledge cannot run .*_KEY.* need nothing: .*bm25")
            self.assertNotIn("\n", message)

    def test_searches_the_same_again(self) -> None:
        banking = adapter.domain("banking_knowledge", **BM25)
        search = call("KB_search", query="credit card limit")
        found = [Player(banking, f"search-{at}", "task_001").make(search) for at in range(2)]
        self.assertEqual(found[0], found[1])
        self.assertIn("ID: doc", found[0]["observation"])

    def test_shows_golden_documents_by_task(self) -> None:
        banking = adapter.domain("banking_knowledge", retrieval_variant="golden_retrieval")
        starts = [banking.ask("start", episode="e", task=task) for task in ("task_001", "task_010")]
        self.assertNotEqual(starts[0]["policy"], starts[1]["policy"])


class OwnDomain(unittest.TestCase):
    """A domain that a person has registered, with what 2.x has and 1.x has not."""

    adapter: Adapter

    @classmethod
    def setUpClass(cls) -> None:
        cls.adapter = Adapter("--workers", "1", TAUFLOW_TAU2_MODULES="library")
        cls.addClassCleanup(cls.adapter.stop)

    def test_runs_with_its_own_option_and_task_set(self) -> None:
        library = self.adapter.domain("library", rule="Whisper.", task_set="library_fi")
        [task] = library.ask("tasks", split=None)["tasks"]
        self.assertEqual(task["id"], "emma_fi")
        start = library.ask("start", episode="e", task="emma_fi")
        self.assertEqual((start["policy"], start["first_message"]), ("Whisper.", "Hi! How can I help you today?"))

    def test_has_the_language_of_the_user(self) -> None:
        library = self.adapter.domain("library", user_persona_id="fi")
        start = library.ask("start", episode="e", task="emma")
        self.assertIn("Your language: fi", start["user_prompt"])
        self.assertEqual(start["first_message"], "Hei!")

    def test_judges_outputs(self) -> None:
        library = self.adapter.domain("library")
        [task] = library.ask("tasks", split=None)["tasks"]
        [sentence] = task["sentences"]
        self.assertIn("Ana has Emma", sentence)
        calls = truth(library, "emma")
        player = Player(library, "judged", "emma")
        messages = conversation(calls, [player.make(each) for each in calls])
        self.assertEqual(graded(library, "emma", messages)["reward"], 1)
        for met in (True, False):
            verdicts = [{"sentence": sentence, "met": met, "reason": "so"}]
            grade = graded(library, "emma", messages, verdicts=verdicts)
            self.assertEqual(grade["reward"], float(met))
            [check] = [check for part in grade["parts"] if part["kind"] == "sentences" for check in part["checks"]]
            self.assertEqual(check, {"wanted": sentence, "met": met, "reason": "so"})


class Setup(unittest.TestCase):
    def test_names_a_module_that_cannot_be_imported(self) -> None:
        without = Adapter(TAUFLOW_TAU2_MODULES="no_such_module")
        _, said = without.process.communicate(timeout=60)
        self.assertEqual((without.process.returncode, said.count("\n")), (2, 1), said)
        self.assertIn("no_such_module of TAUFLOW_TAU2_MODULES", said)

    def test_names_what_is_missing(self) -> None:
        without = Adapter(TAU2_DATA_DIR="/nowhere")
        _, said = without.process.communicate(timeout=60)
        self.assertEqual((without.process.returncode, said.count("\n")), (2, 1), said)
        self.assertIn("TAU2_DATA_DIR", said)


if __name__ == "__main__":
    unittest.main()
