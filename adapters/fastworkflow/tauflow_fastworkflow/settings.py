"""Settings of the served workflow; the same for every episode."""

import json
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Settings:
    """The command line's options."""

    #: A folder with `_commands`, or "retail": FastWorkflow's own example.
    workflow: str
    env_files: list = field(default_factory=list)
    #: Commands whose tool in the benchmark has another name.
    tools: dict = field(default_factory=dict)
    #: The day that prompts name as today's, ISO.
    today: str = "2024-05-15"
    decision_only: bool = False
    without_models: bool = False

    def dump(self):
        return json.dumps(asdict(self))

    @staticmethod
    def load(text):
        return Settings(**json.loads(text))


class SetupError(Exception):
    """An error that the person who starts the adapter can fix; one sentence."""
