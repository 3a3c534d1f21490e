"""Compares a running service with recordings of tau2 itself: python3 conformance.py URL FOLDER DOMAIN [OPTIONS]

FOLDER has `PREFIX-tasks.jsonl` and `PREFIX-fuzz.jsonl`, and `PREFIX-results.json` or `PREFIX-rewards.jsonl`, where PREFIX is
the domain's name up to its first `_`. Prints one line a file, and one for each difference.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

Json = dict[str, Any]

opener = build_opener(ProxyHandler({}))

#: A search's duration, which is part of its answer.
DURATION = re.compile(r"\[Timing: [^\]]*\]$")


class Service:
    def __init__(self, url: str, domain: str, options: Json) -> None:
        self._url = url
        self._common = {"protocol": "1", "domain": domain, "options": options}
        self.requests = 0

    def ask(self, request: str, **fields: Any) -> Json:
        self.requests += 1
        body = json.dumps({**self._common, "request": request, **fields}).encode()
        with opener.open(Request(self._url, body, {"Content-Type": "application/json"})) as response:
            return json.load(response)


class Player:
    """Plays the calls of an episode."""

    def __init__(self, service: Service, episode: str, task: str) -> None:
        self._service = service
        self._about = {"episode": episode, "task": task}
        self.state = service.ask("start", **self._about)["state"]
        self.calls: list[Json] = []
        self._made = 0

    def make(self, recorded: Json) -> Json:
        call = {key: recorded[key] for key in ("requestor", "name")}
        call["arguments"] = json.dumps(recorded["arguments"])
        self._made += 1
        key = f"{self._about['episode']}/{self._made}"
        answer = self._service.ask("call", **self._about, calls=self.calls, call=call, idempotency_key=key)
        if answer["changed"]:
            self.calls = [*self.calls, call]
        return answer


def lines(path: Path) -> Iterator[Json]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def compare_calls(service: Service, path: Path) -> tuple[int, list[str]]:
    """Plays sequences of calls and compares observations, errors and states."""
    count, differences = 0, []
    first = next(iter(service.ask("tasks", split="base")["tasks"]))["id"]
    for number, line in enumerate(lines(path)):
        task = line["task_id"] or first
        player = Player(service, f"{path.stem}-{number}", task)
        where = f"{path.name}:{number + 1}"
        if "start" in line:
            differences += differing(where, line["start"], player.state)
        for at, recorded in enumerate(line["calls"]):
            count += 1
            answer = player.make(recorded)
            here = f"{where} call {at} {recorded['name']}"
            said, wanted = (DURATION.sub("", text) for text in (answer["observation"], recorded["observation"]))
            if said != wanted:
                differences.append(f"{here}: {said!r} is not {wanted!r}")
            if answer["error"] != recorded["error"]:
                differences.append(f"{here}: error {answer['error']}")
            differences += differing(here, recorded, answer["state"])
    return count, differences


def differing(where: str, recorded: Json, state: Json) -> list[str]:
    pairs = (("db", "agent"), ("user_db", "user"))
    return [f"{where}: {ours} differs" for theirs, ours in pairs if theirs in recorded and recorded[theirs] != state[ours]]


def compare_results(service: Service, path: Path) -> tuple[int, list[str]]:
    """Grades the trajectories of a results file again and compares rewards and parts."""
    simulations = json.loads(path.read_text(encoding="utf-8"))["simulations"]
    differences = []
    for simulation in simulations:
        info = simulation["reward_info"]
        judged = info.get("nl_assertions")
        fields: Json = {
            "episode": simulation["id"],
            "task": simulation["task_id"],
            "messages": [openai_message(message) for message in simulation["messages"]],
            "calls": [],
            "ended_by": simulation["termination_reason"],
        }
        if judged:
            fields["verdicts"] = [
                {"sentence": check["nl_assertion"], "met": check["met"], "reason": ""} for check in judged
            ]
        graded = service.ask("grade", **fields)
        wanted = (
            info["reward"],
            [info["db_check"]["db_match"]] if info["db_check"] else [],
            [check["action_match"] for check in info["action_checks"] or []],
        )
        found = (graded["reward"], met(graded, "data"), met(graded, "calls"))
        if found != wanted:
            differences.append(f"{path.name} {simulation['id']}: {found} is not {wanted}")
    return len(simulations), differences


def met(graded: Json, kind: str) -> list[bool]:
    return [check["met"] for part in graded["parts"] if part["kind"] == kind for check in part["checks"]]


def openai_message(message: Json) -> Json:
    if message["role"] == "tool":
        fields = ("role", "content", "requestor", "error")
        return {**{name: message[name] for name in fields}, "tool_call_id": message["id"]}
    calls = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])},
        }
        for call in message["tool_calls"] or []
    ]
    return {"role": message["role"], "content": message["content"], **({"tool_calls": calls} if calls else {})}


def compare_rewards(service: Service, path: Path) -> tuple[int, list[str]]:
    """Plays the calls of trajectories, grades the conversation and compares each part."""
    count, differences = 0, []
    for number, line in enumerate(lines(path)):
        count += 1
        episode = f"{path.stem}-{number}"
        player = Player(service, episode, line["task_id"])
        messages: list[Json] = []
        for at, call in enumerate(line["calls"]):
            answer = player.make(call)
            function = {"name": call["name"], "arguments": json.dumps(call["arguments"])}
            made = [{"id": f"t{at}", "type": "function", "function": function}]
            messages.append({"role": call["requestor"], "content": None, "tool_calls": made})
            observed = {"content": answer["observation"], "requestor": call["requestor"], "error": answer["error"]}
            messages.append({"role": "tool", "tool_call_id": f"t{at}", **observed})
        messages += [{"role": "assistant", "content": said} for said in line["said"]]
        graded = service.ask(
            "grade",
            episode=episode,
            task=line["task_id"],
            messages=messages,
            calls=player.calls,
            ended_by="user_stop",
        )
        wanted = (line["reward_without_nl"], [line["db"]], line["actions"], line["communicate"], line["env_assertions"])
        found = (graded["reward"], *(met(graded, kind) for kind in ("data", "calls", "outputs", "assertions")))
        if found != wanted:
            differences.append(f"{path.name}:{number + 1}: {found} is not {wanted}")
    return count, differences


COMPARISONS = (
    ("tasks.jsonl", compare_calls),
    ("fuzz.jsonl", compare_calls),
    ("results.json", compare_results),
    ("rewards.jsonl", compare_rewards),
)


def main(url: str, folder: str, domain: str, options: str = "{}") -> int:
    prefix = domain.split("_")[0]
    failed = False
    for suffix, compare in COMPARISONS:
        path = Path(folder) / f"{prefix}-{suffix}"
        if not path.exists():
            continue
        count, differences = compare(Service(url, domain, json.loads(options)), path)
        print(f"{path.name}: {count} compared, {len(differences)} differ")
        for difference in differences[:20]:
            print(f"  {difference[:2000]}")
        failed = failed or bool(differences)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
