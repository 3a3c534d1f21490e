"""Imports tau2 and prepares it to serve many episodes from one process."""

import functools
import importlib
import importlib.metadata
import json
import os
import threading
import tomllib
import types
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from .hashes import hash_by_record

#: Defaults of the process's variables.
ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # otherwise the import downloads prices
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


#: Names of modules, between spaces, that register domains of a person's own.
MODULES = "TAUFLOW_TAU2_MODULES"


class SetupError(Exception):
    """An error that the user can fix, as one sentence."""


def load() -> None:
    """Imports tau2. Raises SetupError."""
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        import loguru

        loguru.logger.remove()
        importlib.import_module("tau2.registry")
    except ImportError as error:
        raise SetupError(f"this Python has no tau2 that can be imported ({error}); install it there.") from error
    from tau2.utils.utils import DATA_DIR

    if not (DATA_DIR / "tau2" / "domains").is_dir():
        raise SetupError(f"tau2 has no data in {DATA_DIR}; set TAU2_DATA_DIR to the folder data of its checkout.")
    import_modules()
    hash_by_record()
    build_indexes_once()
    describe_tools_once()
    stop_clocks()
    repeat_random_ids()


def import_modules() -> None:
    """Imports the modules that register more domains. Raises SetupError."""
    for name in os.environ.get(MODULES, "").split():
        try:
            importlib.import_module(name)
        except Exception as error:
            said = " ".join(f"{type(error).__name__}: {error}".split())
            raise SetupError(f"the module {name} of {MODULES} cannot be imported ({said}).") from error


@functools.cache
def version() -> str:
    """tau2's version: that of the installed package, or of the checkout that it is imported from."""
    import tau2

    checkout = Path(tau2.__file__).parents[2] / "pyproject.toml"
    try:
        return str(tomllib.loads(checkout.read_text())["project"]["version"])
    except (OSError, ValueError, KeyError):
        return importlib.metadata.version("tau2")


def find(module: str, name: str) -> Any:
    """Returns an attribute of a module that not every version of tau2 has, or None."""
    try:
        return getattr(importlib.import_module(module), name, None)
    except ImportError:
        return None


def build_indexes_once() -> None:
    """Keeps documents and their index, which an environment only reads; each environment would build them again."""
    pipeline = find("tau2.knowledge.pipeline", "RetrievalPipeline")
    if pipeline is not None:
        built: dict[str, tuple[Any, dict[str, Any]]] = {}
        index = pipeline.index_documents

        @functools.wraps(index)
        def index_once(self: Any, documents: Any) -> None:
            key = json.dumps([self.config.get("document_preprocessors"), id(documents)], sort_keys=True, default=str)
            if key not in built:
                index(self, documents)
                built[key] = (documents, dict(self.state))
            self.state = dict(built[key][1])

        pipeline.index_documents = index_once
    base = find("tau2.domains.banking_knowledge.data_model", "KnowledgeBase")
    if base is not None:
        base.load = functools.cache(base.load)


def describe_tools_once() -> None:
    """Keeps the descriptions of tools. Environments call the tools themselves, not what describes them."""
    toolkit = importlib.import_module("tau2.environment.toolkit")
    describe = toolkit.as_tool
    described: dict[Any, Any] = {}

    def describe_once(function: Any) -> Any:
        key = getattr(function, "__func__", function)
        if key not in described:
            described[key] = describe(function)
        return described[key]

    toolkit.as_tool = describe_once


def stop_clocks() -> None:
    """Makes a search's answer, which contains its duration, the same for the same request."""
    pipeline = find("tau2.knowledge.pipeline", "time")
    if pipeline is not None:
        ticks = iter(range(1, 2**62))
        clock = types.SimpleNamespace(perf_counter=lambda: next(ticks) / 1e6)
        importlib.import_module("tau2.knowledge.pipeline").time = clock


class Ids(threading.local):
    """The source of random ids; None outside of a call."""

    random: Random | None = None


ids = Ids()


def repeat_random_ids() -> None:
    uuid4 = uuid.uuid4

    def repeatable() -> uuid.UUID:
        return uuid4() if ids.random is None else uuid.UUID(int=ids.random.getrandbits(128), version=4)

    uuid.uuid4 = repeatable


@contextmanager
def repeatable_ids(seed: str) -> Iterator[None]:
    """Within it, random ids that a tool makes follow from the seed: a call that is made again makes the same."""
    ids.random = Random(seed)
    try:
        yield
    finally:
        ids.random = None


def accepted(function: Callable[..., Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments that a function of this version of tau2 has."""
    import inspect

    names = inspect.signature(function).parameters
    return {name: value for name, value in arguments.items() if name in names}
