"""Runs FastWorkflow without torch and similar packages. An episode ends if an intent model would decide."""

import importlib
import importlib.abc
import importlib.machinery
import sys
import types

HEAVY = ("torch", "transformers", "sklearn", "datasets")


class IntentModelNeeded(BaseException):
    """An intent model is needed. No `except Exception` in the package catches it."""


class _Anything(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Nothing


class _Nothing(metaclass=_Anything):
    """Stands in for a base class, decorator or annotation that a module needs at its import."""

    def __new__(cls, *_, **__):
        return object.__new__(cls)

    def __class_getitem__(cls, _):
        return cls

    def __call__(self, *args, **_):
        return args[0] if len(args) == 1 and callable(args[0]) else self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Nothing()


class _Module(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Nothing


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in HEAVY:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return _Module(spec.name)

    def exec_module(self, module):
        pass


def stand_in():
    sys.meta_path.insert(0, _Finder())


class _Refusing:
    """Replaces `CommandRouter`, which is created for every command and used only if no name is found."""

    def __init__(self, folder):
        self._folder = folder

    def __getattr__(self, name):
        if name == "modelpipeline":
            return self
        raise IntentModelNeeded(
            "the command's text names no command, and an intent model would decide; train the workflow and leave "
            "--without-intent-models out"
        )


def refuse():
    training = importlib.import_module("fastworkflow.model_pipeline_training")
    original = training.CommandRouter
    for module in list(sys.modules.values()):
        if module is not None and getattr(module, "CommandRouter", None) is original:
            module.CommandRouter = _Refusing
