"""Sends FastWorkflow's model calls to the episode's model URL, by the models' real names.

DSPy asks for a response schema by a model's name, so the name is kept where DSPy reads it; only
the request is redirected.
"""

import functools
import importlib
import sys

#: Statuses of errors in the agent's own request, which the agent sees. Tauflow retries the others.
AGENTS_OWN = (400, 413, 422)

#: Longer than any outage timeout, because Tauflow retries and holds calls itself.
TIMEOUT_S = 86_400


class Unanswered(BaseException):
    """A model call failed, and not because of the agent's request. No `except Exception` in the package catches it."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Address:
    """The URLs of the current request."""

    openai = None
    anthropic = None


def route():
    """Redirects model calls and adds their roles. Call it before importing modules that use models."""
    import litellm  # before dspy, as fastworkflow does

    dspy = importlib.import_module("dspy")
    dspy.configure_cache(enable_disk_cache=False, enable_memory_cache=False)
    _name_roles(importlib.import_module("fastworkflow.utils.dspy_utils"))
    litellm.completion = _redirected(litellm.completion, litellm)


def _name_roles(dspy_utils):
    """Adds a header with the role to each model call. It also makes DSPy 3.4 use LiteLLM."""
    original = dspy_utils.get_lm

    @functools.wraps(original)
    def get_lm(model_env_var, api_key_env_var=None, **kwargs):
        role = model_env_var.removeprefix("LLM_").lower().replace("_", "-")
        kwargs |= {"cache": False, "num_retries": 0, "extra_headers": {"X-Tauflow-Role": role}}
        return original(model_env_var, api_key_env_var, **kwargs)

    for module in list(sys.modules.values()):
        if module is not None and getattr(module, "get_lm", None) is original:
            module.get_lm = get_lm


def _redirected(completion, litellm):
    providers = {str(getattr(provider, "value", provider)) for provider in litellm.provider_list}

    @functools.wraps(completion)
    def redirected(*args, model, **kwargs):
        provider, slash, name = model.partition("/")
        name = name if slash and provider in providers else model
        kind = "anthropic" if provider == "anthropic" else "openai"
        kwargs |= {
            "model": f"{kind}/{name}",
            "api_base": Address.anthropic if kind == "anthropic" else Address.openai,
            "api_key": "tauflow",
            "timeout": TIMEOUT_S,
            "num_retries": 0,
            "max_retries": 0,
        }
        kwargs.pop("base_url", None)
        try:
            return completion(*args, **kwargs)
        except Exception as error:
            status = getattr(error, "status_code", None)
            if status in AGENTS_OWN:
                raise
            raise Unanswered(status if isinstance(status, int) else 503, f"{type(error).__name__}: {error}") from error

    return redirected
