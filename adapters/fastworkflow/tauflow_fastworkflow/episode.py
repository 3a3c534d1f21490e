"""Runs one episode in its own process: passes the user's messages to a FastWorkflow session."""

import dataclasses
import inspect
import json
import os
import random
import shutil
import sys
import traceback
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from . import package
from .models import Address, Unanswered
from .without_models import IntentModelNeeded

#: Exceptions that a model's completion causes. They count as the agent's error, with reward 0.
AGENTS_FAILURES = ("AdapterParseError", "BadRequestError", "ContextWindowExceededError", "LMRequestError")

opener = build_opener(ProxyHandler({}))


class EpisodeOver(BaseException):
    """The environment has ended the episode, or another attempt has begun. Nobody reads the answer."""


class Environment:
    """The benchmark's tools, at the request's `tools_url`."""

    def __init__(self, settings):
        self._settings = settings
        self.tools_url = None
        #: Called as step_callback(action=…, observation=…, done=…, info=…) after each step.
        self.step_callback = None

    def step(self, command_name, parameters):
        """Executes a planned command; returns the observation."""
        short = command_name.split("/")[-1]
        action = {"name": self._settings.tools.get(short, short), "arguments": arguments(parameters)}
        if self._settings.decision_only:
            return f"Nothing was executed, because only decisions are wanted. Decided: {json.dumps(action)}"
        body = json.dumps(action).encode()
        request = Request(self.tools_url, body, {"Content-Type": "application/json"})
        try:
            with opener.open(request) as response:
                result = json.load(response)
        except HTTPError as error:
            text = error.read().decode(errors="replace")
            if error.code in (400, 413):
                return text  # shows the model why the call is refused
            if error.code in (409, 410):
                raise EpisodeOver(text) from error
            raise Unanswered(503, text) from error
        except (OSError, HTTPException, ValueError) as error:
            # The gateway has died. Tauflow sends the request again.
            raise Unanswered(503, f"{type(error).__name__}: {error}") from error
        if self.step_callback is not None:
            self.step_callback(action=action, reward=None, done=result["done"], info={})
        if result["done"]:
            raise EpisodeOver("the episode is over")
        return result["observation"]


def arguments(parameters):
    """Converts a command's parameters to a tool's arguments."""
    if parameters is None:
        return {}
    if hasattr(parameters, "model_dump"):
        return parameters.model_dump(mode="json")
    if dataclasses.is_dataclass(parameters):
        return dataclasses.asdict(parameters)
    return dict(parameters)


def open_session(environment, folder):
    import fastworkflow
    from fastworkflow.workflow_execution_context import WorkflowExecutionContext

    package.pin_child(folder)
    package.Loaded.seam.install(environment.step)
    options = {}
    if "trace_sink" in inspect.signature(WorkflowExecutionContext).parameters:
        options["trace_sink"] = fastworkflow.NoOpTraceSink()
    session = WorkflowExecutionContext(run_as_agent=True, session_key="tauflow", **options)
    session.bind_app_workflow(fastworkflow.Workflow.create(package.Loaded.folder, workflow_id_str="tauflow"))
    return session


def run(connection, settings, folder):
    """Answers requests, one per line, until the server closes the connection."""
    random.seed(0)
    folder = os.path.join(folder, str(os.getpid()))
    environment = Environment(settings)
    lines = connection.makefile("r", encoding="utf-8")
    session = None
    try:
        for line in lines:
            request = json.loads(line)
            environment.tools_url = request["tools_url"]
            Address.openai, Address.anthropic = request["model_url"], request["anthropic_url"]
            try:
                session = session or open_session(environment, folder)
                status, body = 200, {"message": turn(session, request["messages"][-1]["content"])}
            except EpisodeOver:
                status, body = 200, {"end": True}
            except Unanswered as error:
                status, body = error.status, {"error": str(error)}
            except IntentModelNeeded as error:
                status, body = 422, {"error": str(error)}
            except Exception as error:
                # The text may contain the model's whole completion, so the log gets its beginning only.
                said = f"{type(error).__name__}: {error}"[:500]
                print("".join(traceback.format_tb(error.__traceback__)[-10:]), said, sep="", file=sys.stderr)
                is_agents = any(kind.__name__ in AGENTS_FAILURES for kind in type(error).__mro__)
                status, body = 200 if is_agents else 422, {"error": said}
            connection.sendall((json.dumps({"status": status, "body": body}) + "\n").encode())
            if status != 200 or "message" not in body:
                return
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def turn(session, message):
    """Returns FastWorkflow's question or answer."""
    output = session.process_turn(message)
    answer = output.answer
    return answer if isinstance(answer, str) else str(getattr(answer, "response", answer))
