"""Settings of the served workflow, the same for all episodes."""

import json
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Settings:
    """The command line's options."""

    #: A folder with `_commands`, or "retail" for FastWorkflow's example.
    workflow: str
    env_files: list = field(default_factory=list)
    #: Commands whose tool in the benchmark has another name.
    tools: dict = field(default_factory=dict)
    #: Today's date in prompts, ISO.
    today: str = "2024-05-15"
    decision_only: bool = False
    without_models: bool = False

    def dump(self):
        return json.dumps(asdict(self))

    @staticmethod
    def load(text):
        return Settings(**json.loads(text))


class SetupError(Exception):
    """An error that the user can fix, as one sentence."""
