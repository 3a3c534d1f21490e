"""The part of FastWorkflow that the adapter touches. STUB_SEAM is the version's: 3, 2, tool, or none.

STUB_GATE is a pipe: the import lasts until something is written to it.
"""

import os

SEAM = os.environ.get("STUB_SEAM", "3")
if gate := os.environ.get("STUB_GATE"):
    with open(gate) as pipe:
        pipe.read()


class CommandResponse:
    def __init__(self, response, success=True, artifacts=None):
        self.response, self.success, self.artifacts = response, success, artifacts or {}


class CommandOutput:
    model_fields = {"command_response": None} if SEAM == "3" else {"command_responses": None}

    def __init__(self, **responses):
        vars(self).update(responses)
        self._first = responses.get("command_response") or responses["command_responses"][0]

    @property
    def success(self):
        return self._first.success

    @property
    def command_handled(self):
        return self._first.artifacts.get("command_handled") is True


class Action:
    def __init__(self, command_name, command):
        self.command_name, self.command = command_name, command


class Workflow:
    current_command_context_displayname = "*"

    def __init__(self, folderpath):
        self.folderpath, self._context = folderpath, {}

    @classmethod
    def create(cls, folder, workflow_id_str=None):
        return cls(folder)


class NoOpTraceSink:
    pass


class RoutingRegistry:
    @staticmethod
    def get_definition(folder):
        return folder


def init(env):
    pass


def get_internal_workflow_path(name):
    return name
