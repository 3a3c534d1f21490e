"""Answers the differential tests from a checkout of tau-bench: JSON requests on stdin, one a line, answers on stdout.

The checkout is named by TAU_BENCH_DIR. What its environment does not need here is replaced: litellm always, pydantic
where it is not installed (then nothing is validated, so what the environment returns is checked below instead).
"""

import io
import json
import os
import sys
import types
import warnings
from contextlib import redirect_stderr

# What a model writes in an expression is no concern of ours.
warnings.simplefilter("ignore")
sys.path.insert(0, os.environ["TAU_BENCH_DIR"])


def no_model(*_args, **_kwargs):
    raise RuntimeError("the differential tests call no model")


litellm = types.ModuleType("litellm")
litellm.completion = no_model
litellm.provider_list = []
sys.modules["litellm"] = litellm

try:
    import pydantic

    VALIDATES = pydantic.VERSION
except ImportError:
    VALIDATES = None

    class BaseModel:
        def __init__(self, **fields):
            for base in reversed(type(self).__mro__):
                for name in getattr(base, "__annotations__", {}):
                    setattr(self, name, fields.get(name, getattr(type(self), name, None)))

    pydantic = types.ModuleType("pydantic")
    pydantic.BaseModel = BaseModel
    sys.modules["pydantic"] = pydantic

from tau_bench.envs.airline import MockAirlineDomainEnv  # noqa: E402
from tau_bench.envs.base import consistent_hash, to_hashable  # noqa: E402
from tau_bench.envs.retail import MockRetailDomainEnv  # noqa: E402
from tau_bench.types import Action  # noqa: E402

ENVIRONMENTS = {"retail": MockRetailDomainEnv, "airline": MockAirlineDomainEnv}


def raised(error):
    return {"raised": type(error).__name__, "message": str(error)}


class Sequences:
    """Runs sequences of actions, each from the same tables."""

    def __init__(self):
        self.env = None
        self.tables = "{}"

    def open(self, domain, tables):
        self.env = ENVIRONMENTS[domain](user_strategy="human", task_index=0)
        # Sequences go on after a transfer, and nothing is graded.
        self.env.terminate_tools = []
        self.tables = tables if tables is not None else json.dumps(self.env.data)
        return {"validates": VALIDATES, "python": sys.version.split()[0]}

    def run(self, actions):
        self.env.data = json.loads(self.tables)
        self.env.actions = []
        steps = [self.step(action) for action in actions]
        return {"steps": steps, "hash": self.env.get_data_hash()}

    def step(self, action):
        try:
            call = Action(name=action["name"], kwargs=json.loads(action["kwargs"]))
            observation = self.env.step(call).observation
        except Exception as error:
            return raised(error)
        # Without pydantic nobody else notices a tool that returned nothing.
        return {"observation": observation} if isinstance(observation, str) else {"raised": "ValidationError"}


def read_json(text):
    value = json.loads(text)
    hashable = to_hashable(value)
    return {
        "json": json.dumps(value),
        "str": str(value),
        "repr": repr(value),
        "hashable": str(hashable),
        "indented": json.dumps(value, indent=2),
    }


FUNCTIONS = {
    "json": read_json,
    "lower": str.lower,
    "strip": str.strip,
    "int": lambda text: str(int(text)),
    "float": lambda text: repr(float(text)),
    "round2": lambda text: repr(round(float(text), 2)),
    "printable": lambda text: [char.isprintable() for char in text],
}


def call(function, text):
    try:
        return {"result": FUNCTIONS[function](text)}
    except Exception as error:
        return raised(error)


def main():
    sequences = Sequences()
    requests = {
        "open": lambda request: sequences.open(request["domain"], request["tables"]),
        "run": lambda request: sequences.run(request["actions"]),
        "call": lambda request: [call(request["function"], text) for text in request["texts"]],
    }
    for line in sys.stdin:
        request = json.loads(line)
        with redirect_stderr(io.StringIO()):
            answer = requests[request["request"]](request)
        print(json.dumps(answer), flush=True)


main()
