"""The environment protocol's requests, and the errors that answer a request."""

from dataclasses import dataclass, field
from typing import Any

PROTOCOL = "1"
REQUESTORS = ("assistant", "user")

Json = dict[str, Any]


class Refused(Exception):
    """An answer other than 200: one sentence that says what is wrong."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind

    def answer(self) -> tuple[int, Json]:
        return self.status, {"error": {"type": self.kind, "message": str(self)}}


def bad_request(message: str) -> Refused:
    return Refused(400, "bad_request", message)


@dataclass(frozen=True)
class Call:
    """A tool call. The arguments are JSON text, so that a number stays as it was written."""

    requestor: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Request:
    """A request about a domain; the fields of an episode are empty for `tasks`."""

    kind: str
    domain: str
    options: Json
    split: str | None = None
    episode: str = ""
    task: str = ""
    calls: tuple[Call, ...] = ()
    call: Call | None = None
    key: str = ""
    messages: list[Json] = field(default_factory=list)
    ended_by: str = ""
    #: The judge's verdicts by sentence, as (met, reason).
    verdicts: dict[str, tuple[bool, str]] | None = None


def read_request(body: Any) -> Request:
    """Reads a request's body. Raises Refused with the field that is wrong."""
    if not isinstance(body, dict):
        raise bad_request("the body is not a JSON object")
    if body.get("protocol") != PROTOCOL:
        raise bad_request(f"protocol {body.get('protocol')!r} is not {PROTOCOL!r}")
    kind, options = body.get("request"), body.get("options", {})
    if kind not in ("tasks", "start", "call", "grade"):
        raise bad_request(f"request {kind!r} is none of tasks, start, call, grade")
    if not isinstance(options, dict):
        raise bad_request("options is not an object")
    domain = text(body, "domain")
    if kind == "tasks":
        split = body.get("split")
        if not (split is None or isinstance(split, str)):
            raise bad_request("split is not a text")
        return Request(kind, domain, options, split=split)
    episode, task = text(body, "episode"), text(body, "task")
    if kind == "start":
        return Request(kind, domain, options, episode=episode, task=task)
    calls = tuple(read_call(call) for call in items(body, "calls"))
    if kind == "call":
        call = read_call(body.get("call"))
        key = text(body, "idempotency_key")
        return Request(kind, domain, options, episode=episode, task=task, calls=calls, call=call, key=key)
    verdicts = None if body.get("verdicts") is None else dict(map(read_verdict, items(body, "verdicts")))
    return Request(
        kind,
        domain,
        options,
        episode=episode,
        task=task,
        calls=calls,
        messages=items(body, "messages"),
        ended_by=text(body, "ended_by"),
        verdicts=verdicts,
    )


def text(body: Json, name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str):
        raise bad_request(f"{name} is not a text")
    return value


def items(body: Json, name: str) -> list[Any]:
    value = body.get(name)
    if not isinstance(value, list):
        raise bad_request(f"{name} is not an array")
    return value


def read_call(value: Any) -> Call:
    if not isinstance(value, dict):
        raise bad_request("a call is not an object")
    requestor = text(value, "requestor")
    if requestor not in REQUESTORS:
        raise bad_request(f"requestor {requestor!r} is neither assistant nor user")
    return Call(requestor, text(value, "name"), text(value, "arguments"))


def read_verdict(value: Any) -> tuple[str, tuple[bool, str]]:
    if not (isinstance(value, dict) and isinstance(value.get("met"), bool)):
        raise bad_request("a verdict has no met that is true or false")
    return text(value, "sentence"), (value["met"], str(value.get("reason", "")))
