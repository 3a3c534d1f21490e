from . import SEAM
from .command_executor import CommandExecutor

if SEAM in ("2", "3", "tool"):

    def _execute_workflow_query(command, chat_session_obj):
        """Executes a command."""
        return CommandExecutor.invoke_command(chat_session_obj, command)._first.response
