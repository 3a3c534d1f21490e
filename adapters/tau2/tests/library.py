"""A domain of a person's own, registered as tau2's users do it, with what tau2 2.x has and 1.x has not."""

from typing import Any

from tau2.data_model import simulation
from tau2.data_model.message import AssistantMessage
from tau2.data_model.tasks import Task
from tau2.environment.db import DB
from tau2.environment.environment import Environment
from tau2.environment.toolkit import ToolKitBase, ToolType, is_tool
from tau2.evaluator import evaluator_communicate
from tau2.registry import registry
from tau2.runner import build


class Books(DB):
    readers: dict[str, str]


class Tools(ToolKitBase):
    db: Books

    @is_tool(ToolType.WRITE)
    def lend(self, book: str, reader: str) -> str:
        """Lends a book.

        Args:
            book: its title
            reader: name of the reader
        """
        self.db.readers[book] = reader
        return f"{reader} has {book}"


def get_environment(solo_mode: bool = False, rule: str = "Be quiet.") -> Environment:
    return Environment(domain_name="library", policy=rule, tools=Tools(Books(readers={"Emma": "nobody"})))


def lend_emma(task_id: str) -> Task:
    instructions = {"domain": "library", "reason_for_call": "Borrow Emma.", "task_instructions": "You are Ana."}
    action = {"action_id": "a", "name": "lend", "arguments": {"book": "Emma", "reader": "Ana"}}
    criteria = {"actions": [action], "communicate_info": ["Ana has Emma"], "reward_basis": ["DB", "COMMUNICATE"]}
    return Task.model_validate(
        {"id": task_id, "user_scenario": {"instructions": instructions}, "evaluation_criteria": criteria}
    )


registry.register_domain(get_environment, "library")
registry.register_tasks(lambda split=None: [lend_emma("emma")], "library")
registry.register_tasks(lambda split=None: [lend_emma("emma_fi")], "library_fi")


class TextRunConfig(simulation.TextRunConfig):
    user_persona_id: str | None = None


def build_text_orchestrator(config: TextRunConfig, task: Task) -> Any:
    run = build_of_1(config, task)
    if config.user_persona_id is not None:
        run.user.instructions = f"Your language: {config.user_persona_id}"
        initialize = run.initialize

        def greet() -> None:
            initialize()
            run.trajectory[0] = AssistantMessage(role="assistant", content="Hei!")

        run.initialize = greet
    return run


build_of_1 = build.build_text_orchestrator
build.build_text_orchestrator = build_text_orchestrator
simulation.TextRunConfig = TextRunConfig


def generate(**_: Any) -> Any:
    raise AssertionError("a model is asked")


def evaluate_communicate_info(*_: Any, **__: Any) -> Any:
    return evaluator_communicate.generate(model="judge", messages=[])


evaluator_communicate.generate = generate
evaluator_communicate.CommunicateEvaluator.evaluate_communicate_info = evaluate_communicate_info
