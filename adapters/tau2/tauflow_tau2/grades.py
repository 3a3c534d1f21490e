"""Grades a conversation by tau2's evaluators."""

from contextlib import contextmanager
from collections.abc import Iterator
from typing import Any

from . import package
from .domains import Domain
from .episodes import SOLO_STOP, SOLO_STOPPED, read_arguments
from .protocol import Json, Refused, Request, bad_request

#: Ends of Tauflow that have another name in tau2.
ENDS = {"transferred": "user_stop"}
#: Ends of an episode in solo mode, where there is no user.
SOLO_ENDS = {"user_stop": "agent_stop", "done": "agent_stop"}


def grade(domain: Domain, task: Any, request: Request) -> Json:
    """Returns the answer to `grade`. Without verdicts, sentences that a judge decides on do not lower the reward."""
    from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation

    arguments = {
        "simulation": simulation_of(domain, task, request),
        "task": task,
        "evaluation_type": EvaluationType.ALL_WITH_NL_ASSERTIONS if wants_judge(task) else EvaluationType.ALL,
        "solo_mode": domain.is_solo,
        "domain": domain.name,
        "env_kwargs": domain.arguments(task),
        # Texts that Tauflow or another version of tau2 recorded may differ where the state does not.
        "strict_replay": False,
    }
    try:
        with judged_by(request.verdicts):
            info = evaluate_simulation(**package.accepted(evaluate_simulation, arguments))
    except ValueError as error:  # the evaluators raise it for a conversation that they cannot play again
        raise Refused(422, "not_gradable", " ".join(str(error).split())) from error
    return {"reward": info.reward, "parts": parts_of(info, request.verdicts)}


def wants_judge(task: Any) -> bool:
    criteria = task.evaluation_criteria
    return criteria is not None and any(basis.value == "NL_ASSERTION" for basis in criteria.reward_basis)


@contextmanager
def judged_by(verdicts: dict[str, tuple[bool, str]] | None) -> Iterator[None]:
    """Within it, tau2 takes the judge's verdicts instead of asking a model; a sentence without one counts as met."""
    from tau2.data_model.simulation import NLAssertionCheck
    from tau2.evaluator.evaluator_nl_assertions import NLAssertionsEvaluator

    def decide(trajectory: Any, nl_assertions: list[str]) -> list[Any]:
        checks = []
        for sentence in nl_assertions:
            met, reason = (True, "") if verdicts is None else verdicts.get(sentence, (False, "no verdict"))
            checks.append(NLAssertionCheck(nl_assertion=sentence, met=met, justification=reason))
        return checks

    own = NLAssertionsEvaluator.__dict__["evaluate_nl_assertions"]
    NLAssertionsEvaluator.evaluate_nl_assertions = staticmethod(decide)
    try:
        yield
    finally:
        NLAssertionsEvaluator.evaluate_nl_assertions = own


def simulation_of(domain: Domain, task: Any, request: Request) -> Any:
    from tau2.data_model.simulation import SimulationRun, TerminationReason

    ended_by = ENDS.get(request.ended_by, request.ended_by)
    if domain.is_solo:
        ended_by = SOLO_ENDS.get(ended_by, ended_by)
    if ended_by not in {reason.value for reason in TerminationReason}:
        ended_by = TerminationReason.INFRASTRUCTURE_ERROR.value
    history = (task.initial_state and task.initial_state.message_history) or []
    # The conversation opens with the last message of the history.
    messages = read_messages(request.messages[1:] if history else request.messages)
    if domain.is_solo:
        messages = without_user(messages)
    return SimulationRun(
        id=request.episode,
        task_id=task.id,
        start_time="",
        end_time="",
        duration=0.0,
        termination_reason=ended_by,
        messages=[*history, *messages],
    )


def read_messages(messages: list[Any]) -> list[Any]:
    """Reads OpenAI's messages, in which those of the user's calls have a requestor. Raises Refused."""
    from tau2.data_model.message import AssistantMessage, ToolCall, ToolMessage, UserMessage

    read: list[Any] = []
    for at, message in enumerate(messages):
        try:
            role = message["role"]
            if role == "tool":
                read.append(
                    ToolMessage(
                        id=message.get("tool_call_id") or message.get("id") or "",
                        role=role,
                        content=message.get("content"),
                        requestor=message.get("requestor", "assistant"),
                        error=bool(message.get("error", False)),
                    )
                )
                continue
            calls = [
                ToolCall(
                    id=call.get("id") or "",
                    name=call["function"]["name"],
                    arguments=read_arguments(call["function"]["arguments"]) or {},
                    requestor=role,
                )
                for call in message.get("tool_calls") or []
            ]
            kind = {"assistant": AssistantMessage, "user": UserMessage}[role]
            read.append(kind(role=role, content=message.get("content"), tool_calls=calls or None))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise bad_request(f"message {at} is none of OpenAI's chat messages") from error
    return read


def without_user(messages: list[Any]) -> list[Any]:
    """The conversation of solo mode, in which the agent's call that ends it is a message."""
    from tau2.data_model.message import AssistantMessage

    kept: list[Any] = []
    for message in messages:
        if message.role == "user":
            continue
        if message.role == "assistant" and any(call.name == SOLO_STOP for call in message.tool_calls or []):
            return [*kept, AssistantMessage(role="assistant", content=SOLO_STOPPED)]
        kept.append(message)
    return kept


def parts_of(info: Any, verdicts: dict[str, tuple[bool, str]] | None) -> list[Json]:
    """The parts of a grade; those that count come first."""
    counted = {basis.value for basis in info.reward_basis or []}
    parts: list[Json] = []

    def add(kind: str, basis: str, checks: list[Json]) -> None:
        if checks:
            parts.append({"kind": kind, "counts": basis in counted, "checks": checks})

    if info.db_check is not None:
        add("data", "DB", [{"wanted": None, "met": info.db_check.db_match}])
    add(
        "assertions",
        "ENV_ASSERTION",
        [{"wanted": check.env_assertion.func_name, "met": check.met} for check in info.env_assertions or []],
    )
    add("calls", "ACTION", [call_check(check) for check in info.action_checks or []])
    add("outputs", "COMMUNICATE", [{"wanted": check.info, "met": check.met} for check in info.communicate_checks or []])
    add(
        "sentences",
        "NL_ASSERTION",
        [
            {"wanted": check.nl_assertion, "met": None}
            if verdicts is None
            else {"wanted": check.nl_assertion, "met": check.met, "reason": check.justification}
            for check in info.nl_assertions or []
        ],
    )
    return sorted(parts, key=lambda part: not part["counts"])


def call_check(check: Any) -> Json:
    return {"wanted": check.action.name, "met": check.action_match}
