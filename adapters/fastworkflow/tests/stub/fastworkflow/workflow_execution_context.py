from types import SimpleNamespace

from . import Workflow, workflow_agent
from .utils.dspy_utils import get_lm


class WorkflowExecutionContext:
    """An agent that asks its model for the next line until that is no command."""

    def __init__(self, run_as_agent, session_key):
        self.cme_workflow = Workflow("cme")
        self.history = []

    def bind_app_workflow(self, workflow):
        self.workflow = workflow

    def get_active_workflow(self):
        return self.workflow

    def process_turn(self, message):
        plan = get_lm("LLM_PLANNER")([{"role": "user", "content": f"plan {message}"}])
        self.history.append(f"{message} {plan}")
        while True:
            said = get_lm("LLM_AGENT")([{"role": "user", "content": "\n".join(self.history)}])
            self.history.append(said)
            if not said.startswith("/"):
                return SimpleNamespace(answer=said)
            try:
                self.history.append(workflow_agent._execute_workflow_query(said[1:], self))
            except Exception as error:
                self.history.append(f"Terminate immediately! {error}")
