"""Loads the installed FastWorkflow, pins settings that would make trials differ, and identifies its version."""

import datetime
import hashlib
import importlib
import logging
import os
import re
import shutil
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from . import models, seams, without_models
from .settings import SetupError
from .stand_in_models import MARK

#: Variables with the models of FastWorkflow's roles. @default that of LLM_AGENT
MODEL_VARIABLES = (
    "LLM_AGENT",
    "LLM_PLANNER",
    "LLM_PARAM_EXTRACTION",
    "LLM_RESPONSE_GEN",
    "LLM_CONVERSATION_STORE",
    "LLM_OBSERVATION_SEARCH",
)

#: Variables of the package that make trials repeatable.
PINNED = {"FW_LM_CACHE": "0", "FW_UTTERANCE_CACHE_SCOPE": "workflow"}


class Loaded:
    """The package and the workflow that `load` has loaded; child processes share them."""

    folder = None
    env = {}
    version = None
    seam = None


def load(settings):
    """Imports the package and reads the workflow. Raises SetupError."""
    if settings.without_models:
        without_models.stand_in()
    try:
        Loaded.version = version("fastworkflow")
    except PackageNotFoundError as error:
        raise SetupError(
            f"{sys.executable} has no fastworkflow; install it there, or name another interpreter."
        ) from error
    try:
        fastworkflow = importlib.import_module("fastworkflow")
        Loaded.folder = _folder(settings, fastworkflow)
        Loaded.env = _environment(settings, fastworkflow)
        fastworkflow.init(Loaded.env)
        models.route()
        Loaded.seam = seams.find(Loaded.version)
        importlib.import_module("fastworkflow.workflow_agent")
        if settings.without_models:
            without_models.refuse()
        else:
            _load_intent_models()
        _pin_date(datetime.date.fromisoformat(settings.today))
        # Its warnings contain whole observations, which would fill the agent's log.
        logging.getLogger("dspy").setLevel(logging.ERROR)
        # Loads the commands once for all children.
        fastworkflow.RoutingRegistry.get_definition(Loaded.folder)
        fastworkflow.RoutingRegistry.get_definition(
            fastworkflow.get_internal_workflow_path("command_metadata_extraction")
        )
    except ImportError as error:
        missing = not_installed(requires("fastworkflow") or [], settings.without_models)
        words = " ".join(missing) or (error.name or "fastworkflow").partition(".")[0]
        instead = "" if settings.without_models else ", or do without the largest by --without-intent-models"
        raise SetupError(
            f"fastworkflow {Loaded.version} cannot be imported ({error}); run: pip install {words}{instead}"
        ) from error


def _load_intent_models():
    """Loads the intent models, so that all children share them."""
    training = importlib.import_module("fastworkflow.model_pipeline_training")
    for model in Path(Loaded.folder, "___command_info").glob("*/tinymodel.pth"):
        try:
            training.CommandRouter(str(model.parent))
        except Exception as error:
            said = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            raise SetupError(
                f"the intent models in {model.parent} cannot be loaded ({said}); train them again."
            ) from error


def not_installed(requirements, without_models):
    """Returns the missing ones of the requirements, such as `litellm (>=1.95,<2)`, as arguments for pip."""
    missing = []
    for line in requirements:
        requirement, _, marker = line.partition(";")
        name = re.match(r"[\w.-]+", requirement)[0]
        is_heavy = name in ("torch", "transformers", "scikit-learn")
        if "extra" in marker or (without_models and is_heavy):
            continue
        try:
            version(name)
        except PackageNotFoundError:
            words = re.sub(r"[\s()]", "", requirement)
            missing.append(f"'{words}'")
    return missing


def _folder(settings, fastworkflow):
    if settings.workflow == "retail":
        if not settings.without_models:
            raise SetupError(
                "the installed example is not trained; copy it with `fastworkflow examples fetch "
                "retail_workflow`, train it and name its folder, or add --without-intent-models."
            )
        source = Path(fastworkflow.__file__).parent / "examples" / "retail_workflow"
        target = Path(sys.argv[2]) / "retail_workflow"
        if not target.exists():  # another process may have created it
            part = target.with_name("part")
            shutil.rmtree(part, ignore_errors=True)
            shutil.copytree(source, part).rename(target)
        return str(target)
    if not os.path.isdir(os.path.join(settings.workflow, "_commands")):
        raise SetupError(f"{settings.workflow} has no folder _commands; name a FastWorkflow workflow's folder.")
    if not settings.without_models and not _model_files(settings.workflow):
        raise SetupError(
            f"{settings.workflow} has no intent models; run `fastworkflow train` on it, or add --without-intent-models."
        )
    return settings.workflow.rstrip("/")


def _environment(settings, fastworkflow):
    from dotenv import dotenv_values

    example = Path(fastworkflow.__file__).parent / "examples" / "fastworkflow.env"
    env = {name: value for name, value in dotenv_values(example).items() if not name.startswith("LLM_")}
    default_model = dotenv_values(example).get("LLM_AGENT")
    for file in settings.env_files:
        if not os.path.isfile(file):
            raise SetupError(f"--env names {file}, which does not exist; correct the path.")
        env |= {name: value for name, value in dotenv_values(file).items() if value is not None}
    for name in MODEL_VARIABLES:
        env[name] = os.environ.get(name) or env.get(name) or env.get("LLM_AGENT") or default_model
    for name in [name for name in os.environ if name.startswith("FW_") or name == "LOG_LEVEL"]:
        env[name] = os.environ[name]
    return {**env, **PINNED}


def _pin_date(day):
    """Sets the date that FastWorkflow's extraction prompt has as today's."""
    signatures = importlib.import_module("fastworkflow.utils.signatures")

    class Date(datetime.date):
        @classmethod
        def today(cls):
            return day

    signatures.date = Date


def pin_child(folder):
    """Sets the episode's folder as the place of FastWorkflow's state files."""
    os.makedirs(folder, exist_ok=True)
    Loaded.env |= {"SPEEDDICT_FOLDERNAME": folder, "FASTWORKFLOW_STATE_ROOT": folder}
    for module in list(sys.modules.values()):
        prediction = getattr(module, "CommandNamePrediction", None)
        if isinstance(prediction, type) and hasattr(prediction, "_get_cache_path"):
            prediction._get_cache_path = staticmethod(lambda *_: os.path.join(folder, "suggested.db"))
            prediction._get_cache_path_cache = staticmethod(lambda *_, **__: os.path.join(folder, "utterances.db"))


def identity(settings):
    """Returns the answer to `GET /`, with name and version of at most 80 characters each."""
    parts = {package: version(package) for package in ("dspy", "litellm")}
    roles = {name: Loaded.env[name] for name in MODEL_VARIABLES}
    fixed = {
        "models": roles,
        "today": settings.today,
        "tools": settings.tools,
        "decision_only": settings.decision_only,
        "switches": {name: value for name, value in sorted(Loaded.env.items()) if name.startswith("FW_")},
        "commands": _digest(sorted(Path(Loaded.folder).rglob("*.py"))),
    }
    intent = "none" if settings.without_models else _digest(_model_files(Loaded.folder))[:8]
    if not settings.without_models and Path(Loaded.folder, MARK).exists():
        intent = f"stand-in {intent}"
    return {
        "name": f"fastworkflow-python {os.path.basename(Loaded.folder)}"[:80],
        "version": (
            f"{Loaded.version} dspy {parts['dspy']} litellm {parts['litellm']} intent {intent} "
            f"set {hashlib.sha256(repr(fixed).encode()).hexdigest()[:8]}"
        )[:80],
        "protocol": "1",
        "python": sys.version.split()[0],
        "seam": Loaded.seam.name,
        **fixed,
    }


def _model_files(folder):
    """Returns the files of the trained intent models. Follows links."""
    found = Path(folder, "___command_info").rglob("*")
    return sorted(path for path in found if path.is_file() and path.suffix in (".pth", ".safetensors", ".pkl", ".bin"))


def _digest(paths):
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
