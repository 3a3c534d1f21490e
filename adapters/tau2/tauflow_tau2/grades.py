"""Grades a conversation by tau2's evaluators."""

import functools
import importlib
from collections.abc import Callable
from typing import Any

from . import package
from .domains import Domain, counts, outputs_of, sentence_of
from .episodes import SOLO_STOP, SOLO_STOPPED, read_arguments
from .protocol import Json, Refused, Request, bad_request
from .starts import build_run

#: Ends of Tauflow that have another name in tau2.
ENDS = {"transferred": "user_stop"}
#: Ends of an episode in solo mode, where there is no user.
SOLO_ENDS = {"user_stop": "agent_stop", "done": "agent_stop"}


def grade(domain: Domain, task: Any, request: Request) -> Json:
    """Returns the answer to `grade`. Without verdicts, sentences that a judge decides on do not lower the reward."""
    judged = Judged(request.verdicts)
    info = evaluate(domain, task, request, judged, "ALL_WITH_NL_ASSERTIONS" if counts(task, "NL_ASSERTION") else "ALL")
    return {"reward": info.reward, "parts": parts_of(info, judged)}


@functools.cache
def judges_outputs(domain: Domain) -> bool:
    """Returns whether a model decides if the agent has said what it must; versions before 2 look for the text."""
    for task in domain.tasks.values():
        if outputs_of(task):
            judged = Judged(None)
            nothing = Request("grade", domain.name, {}, task=task.id, ended_by="agent_stop")
            evaluate(domain, task, nothing, judged, "COMMUNICATE")
            return bool(judged.sentences)
    return False


def evaluate(domain: Domain, task: Any, request: Request, judged: "Judged", kind: str) -> Any:
    from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation

    simulation = simulation_of(domain, task, request)
    if (run := build_run(domain, task)) and getattr(run.user, "speech_environment", None):
        simulation.speech_environment = run.user.speech_environment  # has the user's language
    arguments = {
        "simulation": simulation,
        "task": task,
        "evaluation_type": EvaluationType[kind],
        "solo_mode": domain.is_solo,
        "domain": domain.name,
        "env_kwargs": domain.arguments(task),
        # Texts that Tauflow or another version of tau2 recorded may differ where the state does not.
        "strict_replay": False,
    }
    try:
        with judged:
            return evaluate_simulation(**package.accepted(evaluate_simulation, arguments))
    except ValueError as error:  # the evaluators raise it for a conversation that they cannot play again
        raise Refused(422, "not_gradable", " ".join(str(error).split())) from error


class WantsModel(BaseException):
    """An evaluator asks a model. No `except Exception` of the package may catch it."""


class Judged:
    """Within it, evaluators that would ask a model take Tauflow's verdicts; a sentence without one counts as met."""

    def __init__(self, verdicts: dict[str, tuple[bool, str]] | None) -> None:
        self._verdicts = verdicts
        self._undo: list[Callable[[], None]] = []
        #: Sentences that a model decides on, by the evaluated text.
        self.sentences: dict[str, str] = {}

    def __enter__(self) -> None:
        from tau2.data_model.simulation import CommunicateCheck, NLAssertionCheck
        from tau2.data_model.tasks import RewardType

        def assertion(text: str) -> Any:
            met, reason = self._decide(text, text)
            return NLAssertionCheck(nl_assertion=text, met=met, justification=reason)

        def information(text: str) -> Any:
            met, reason = self._decide(text, sentence_of(text))
            return CommunicateCheck(info=text, met=met, justification=reason)

        fields = ("nl_assertions", "nl_assertions")
        self._replace("nl_assertions", "NLAssertionsEvaluator", RewardType.NL_ASSERTION, fields, assertion)
        fields = ("communicate_info", "communicate_checks")
        self._replace("communicate", "CommunicateEvaluator", RewardType.COMMUNICATE, fields, information)

    def __exit__(self, *_: object) -> None:
        while self._undo:
            self._undo.pop()()

    def _decide(self, text: str, sentence: str) -> tuple[bool, str]:
        self.sentences[text] = sentence
        return (True, "") if self._verdicts is None else self._verdicts.get(sentence, (False, "no verdict"))

    def check(self, text: str, check: Any) -> Json:
        """A check of the grade's part `sentences`, which the judge decides on."""
        decided = {"met": None} if self._verdicts is None else {"met": check.met, "reason": check.justification}
        return {"wanted": self.sentences[text], **decided}

    def _replace(
        self, module: str, name: str, basis: Any, fields: tuple[str, str], check: Callable[[str], Any]
    ) -> None:
        """Makes an evaluator take verdicts. `fields` names the texts in a task's criteria and the checks in a grade."""
        from tau2.data_model.simulation import RewardInfo

        criterion, result = fields
        evaluators = importlib.import_module(f"tau2.evaluator.evaluator_{module}")
        evaluator = getattr(evaluators, name)
        own, ask = evaluator.__dict__["calculate_reward"], getattr(evaluators, "generate", None)
        calculate = evaluator.calculate_reward

        def wants_model(*_: Any, **__: Any) -> None:
            raise WantsModel

        def calculate_reward(task: Any, *given: Any, **options: Any) -> Any:
            try:
                return calculate(task, *given, **options)
            except WantsModel:
                checks = [check(text) for text in getattr(task.evaluation_criteria, criterion)]
                reward = float(all(each.met for each in checks))
                return RewardInfo(reward=reward, reward_breakdown={basis: reward}, **{result: checks})

        if ask is not None:
            evaluators.generate = wants_model
            evaluator.calculate_reward = staticmethod(calculate_reward)
            self._undo.append(lambda: setattr(evaluators, "generate", ask))
            self._undo.append(lambda: setattr(evaluator, "calculate_reward", own))


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


def parts_of(info: Any, judged: Judged) -> list[Json]:
    """The parts of a grade; those that count come first."""
    counted = {basis.value for basis in info.reward_basis or []}
    parts: list[Json] = []

    def add(kind: str, basis: str, checks: list[Json]) -> None:
        if checks:
            parts.append({"kind": kind, "counts": basis in counted, "checks": checks})

    def add_text(kind: str, basis: str, checks: list[tuple[str, Any]]) -> None:
        add(kind, basis, [{"wanted": text, "met": check.met} for text, check in checks if text not in judged.sentences])
        add("sentences", basis, [judged.check(text, check) for text, check in checks if text in judged.sentences])

    if info.db_check is not None:
        add("data", "DB", [{"wanted": None, "met": info.db_check.db_match}])
    assertions = info.env_assertions or []
    add(
        "assertions",
        "ENV_ASSERTION",
        [{"wanted": check.env_assertion.func_name, "met": check.met} for check in assertions],
    )
    actions = info.action_checks or []
    add("calls", "ACTION", [{"wanted": check.action.name, "met": check.action_match} for check in actions])
    add_text("outputs", "COMMUNICATE", [(check.info, check) for check in info.communicate_checks or []])
    add_text("sentences", "NL_ASSERTION", [(check.nl_assertion, check) for check in info.nl_assertions or []])
    return sorted(parts, key=lambda part: not part["counts"])
