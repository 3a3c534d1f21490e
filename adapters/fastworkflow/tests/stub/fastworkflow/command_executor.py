from . import SEAM, CommandOutput, CommandResponse


class CommandExecutor:
    if SEAM != "none":

        @classmethod
        def perform_action(cls, workflow, action):
            name, _, rest = action.command.partition(" ")
            if name == "help":
                return output("commands: look, write", command_handled=True)
            if name == "look" and not rest:
                return output("PARAMETER EXTRACTION ERROR", success=False)
            parameters = dict(pair.split("=") for pair in rest.split()) if rest else None
            return output("", command_name=f"context/{name}", cmd_parameters=parameters)

    if SEAM in ("2", "3"):

        @classmethod
        def invoke_command(cls, chat_session, command):
            if SEAM == "3":
                return cls._invoke_command_impl(chat_session, command)
            raise AssertionError("the bridge is not in place")

    if SEAM == "3":

        @classmethod
        def _invoke_command_impl(cls, chat_session, command):
            raise AssertionError("the bridge is not in place")


def output(text, success=True, **artifacts):
    response = CommandResponse(text, success, artifacts)
    return CommandOutput(**({"command_response": response} if SEAM == "3" else {"command_responses": [response]}))
