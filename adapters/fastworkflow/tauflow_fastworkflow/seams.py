"""Installs the bridge in each version: after the plan of a command, before the response generator.

The plan, and everything that leads to one (ambiguity, misunderstanding, parameter errors, abort), stays FastWorkflow's.
The place is found by what the package has, never by its version number.
"""

import importlib
from dataclasses import dataclass
from typing import Callable

from .settings import SetupError


@dataclass(frozen=True)
class Seam:
    """A place for the bridge, and the function that installs it there."""

    name: str
    install: Callable


def find(version):
    """Returns the installed package's seam. Raises SetupError for a package without one."""
    try:
        executor = importlib.import_module("fastworkflow.command_executor").CommandExecutor
        context = importlib.import_module("fastworkflow.workflow_execution_context").WorkflowExecutionContext
        agent = importlib.import_module("fastworkflow.workflow_agent")
    except (ModuleNotFoundError, AttributeError) as error:
        if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("fastworkflow"):
            raise
        executor = context = agent = None
    if hasattr(context, "process_turn") and hasattr(executor, "perform_action"):
        if hasattr(executor, "_invoke_command_impl"):
            return Seam("_invoke_command_impl", lambda step: _replace(executor, "_invoke_command_impl", step))
        if hasattr(executor, "invoke_command"):
            return Seam("invoke_command", lambda step: _replace(executor, "invoke_command", step))
        if hasattr(agent, "_execute_workflow_query"):
            return Seam("_execute_workflow_query", lambda step: _replace_tool(executor, agent, step))
    raise SetupError(
        f"fastworkflow {version} is not supported: none of the functions that this adapter replaces is there. "
        "Install 2.24.1, 2.30.1 or 3.6.0."
    )


def plan(executor, session, command):
    """Returns the output, and None if FastWorkflow has handled or refused the command, else (name, parameters)."""
    import fastworkflow

    action = fastworkflow.Action(command_name="wildcard", command=command)
    output = executor.perform_action(session.cme_workflow, action)
    if output.command_handled:
        _leave_assistant_mode(session)
        return output, None
    if not output.success:
        return output, None
    artifacts = _response(output).artifacts
    return output, (artifacts["command_name"], artifacts["cmd_parameters"])


def _replace(executor, name, step):
    original = getattr(executor, name)

    def bridged(cls, chat_session, command):
        if not command:
            return original(chat_session, command)
        output, planned = plan(cls, chat_session, command)
        if planned is None:
            return output
        command_name, parameters = planned
        workflow = chat_session.get_active_workflow()
        context = workflow.current_command_context_displayname
        carried_out = output_of(step(command_name, parameters))
        carried_out.workflow_name = workflow.folderpath.split("/")[-1]
        carried_out.context = context
        carried_out.command_name = command_name
        carried_out.command_parameters = parameters or None
        _leave_assistant_mode(chat_session)
        return carried_out

    setattr(executor, name, classmethod(bridged))


def _replace_tool(executor, agent, step):
    """Replaces the agent's whole tool. Clarification and replanning then differ from the original."""

    def bridged(command, chat_session_obj):
        output, planned = plan(executor, chat_session_obj, command)
        return _response(output).response if planned is None else step(*planned)

    bridged.__doc__ = agent._execute_workflow_query.__doc__
    agent._execute_workflow_query = bridged


def output_of(text):
    """Creates a command's output, with one response (3.x) or a list of responses (2.x)."""
    import fastworkflow

    response = fastworkflow.CommandResponse(response=text)
    if "command_response" in fastworkflow.CommandOutput.model_fields:
        return fastworkflow.CommandOutput(command_response=response)
    return fastworkflow.CommandOutput(command_responses=[response])


def _response(output):
    responses = getattr(output, "command_responses", None)
    return responses[0] if responses else output.command_response


def _leave_assistant_mode(session):
    session.cme_workflow._context.pop("is_assistant_mode_command", None)
