"""A domain of tau2 with its options: its tasks, its splits and its environments."""

import functools
import hashlib
import inspect
import json
import re
from typing import Any

from . import package
from .protocol import Json, Refused, bad_request

#: Arguments of a domain's constructor that are no options: data, and what follows from the task or the domain's name.
NO_OPTIONS = {"db", "user_db", "task", "solo_mode", "read_log_allowlist", "policy_type"}

#: Options that every domain has.
SOLO, TASK_SET = "solo", "task_set"
#: Fields of a run of tau2 that change the user's prompt or the agent's; 1.x has none of them.
RUN_OPTIONS = ("user_persona_id", "text_input_style")

#: Bytes of descriptions of tasks in an answer, which may have 2 MB.
MOST_BYTES = 1_200_000

#: The split that `tau2 run` takes by default.
DEFAULT_SPLIT = "base"


def names() -> list[str]:
    """Names of the registered domains that have tasks."""
    from tau2.registry import registry

    return [name for name in registry.get_domains() if name in registry.get_task_sets()]


def options_schema() -> Json:
    """JSON Schema of all domains' options."""
    properties: Json = {
        SOLO: {"type": "boolean", "description": "tau2's solo mode: no user, the agent has all tools"},
        TASK_SET: {"type": "string", "description": "a task set other than the domain's own"},
    }
    for name in names():
        for option in option_names(name):
            properties.setdefault(option, {})
    list_variants = package.find("tau2.domains.banking_knowledge.retrieval", "get_all_variant_names")
    if list_variants is not None and "retrieval_variant" in properties:
        properties["retrieval_variant"] = {"type": "string", "enum": list_variants()}
    if "retrieval_kwargs" in properties:
        properties["retrieval_kwargs"] = {"type": "object"}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def constructor(domain: str) -> Any:
    from tau2.registry import registry

    return registry.get_env_constructor(domain)


def option_names(domain: str) -> list[str]:
    of_environment = [name for name in inspect.signature(constructor(domain)).parameters if name not in NO_OPTIONS]
    return [SOLO, TASK_SET, *run_option_names(), *of_environment]


def run_option_names() -> list[str]:
    config = package.find("tau2.data_model.simulation", "TextRunConfig")
    return [name for name in RUN_OPTIONS if config is not None and name in config.model_fields]


class Domain:
    """A domain with its options. Raises Refused where the domain or an option is unknown, or lacks what it needs."""

    def __init__(self, name: str, options: Json) -> None:
        if name not in names():
            raise bad_request(f"tau2 {package.version()} has no domain {name!r}; it has {', '.join(names())}")
        known = option_names(name)
        for option in options:
            if option not in known:
                raise bad_request(f"{name} has no option {option!r}; it has {', '.join(known)}")
        if not isinstance(options.get(SOLO, False), bool):
            raise bad_request("option solo is neither true nor false")
        self.name = name
        self.is_solo: bool = options.get(SOLO, False)
        self.task_set = options.get(TASK_SET, name)
        check_task_set(name, self.task_set)
        #: Values of the run's fields, by name.
        self.run_options = {option: value for option, value in options.items() if option in RUN_OPTIONS}
        others = {SOLO, TASK_SET, *RUN_OPTIONS}
        self._options = {option: value for option, value in options.items() if option not in others}
        self._parameters = inspect.signature(constructor(name)).parameters
        self.splits = self._load_splits()
        self.tasks = {task.id: task for task in self._load_tasks()}
        self.splits = {split: [id for id in ids if id in self.tasks] for split, ids in self.splits.items()}
        self.digest = self._digest()

    def _load_splits(self) -> dict[str, list[str]]:
        from tau2.registry import registry

        load = registry.get_task_splits_loader(self.task_set)
        splits = load() if load is not None else None
        if splits:
            # Where tasks of several splits have the same text, the scripted model plays the first.
            ordered = sorted(splits.items(), key=lambda split: split[0] != DEFAULT_SPLIT)
            return {split: list(map(str, ids)) for split, ids in ordered}
        return {DEFAULT_SPLIT: [task.id for task in registry.get_tasks_loader(self.task_set)(None)]}

    def _load_tasks(self) -> list[Any]:
        from tau2.registry import registry

        tasks = registry.get_tasks_loader(self.task_set)(None)
        return [task for task in tasks if not self.is_solo or is_for_solo(task)]

    def _digest(self) -> str:
        """Digest of the tasks and of the environment that they are done in. Building it shows what a variant lacks."""
        first = next(iter(self.tasks.values()), None)
        if first is None:
            raise Refused(422, "unavailable", f"{self.name} has no task{' for solo mode' if self.is_solo else ''}")
        environment = self.build(first)
        data = environment.tools and environment.tools.db
        #: Characters of the data as JSON, of which an episode's environment has a copy.
        self.data_size = 0 if data is None else len(data.model_dump_json())
        tools = [tool.openai_schema for tool in environment.get_tools()]
        content = [
            [task.model_dump(mode="json") for task in self.tasks.values()],
            self.splits,
            None if "task" in self._parameters else environment.get_policy(),
            tools,
            environment.get_db_hash(),
            environment.get_user_db_hash(),
        ]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def task(self, id: str) -> Any:
        task = self.tasks.get(id)
        if task is None:
            raise Refused(404, "unknown_task", f"{self.name} has no task {id!r}")
        return task

    def arguments(self, task: Any) -> Json:
        """Arguments of the environment's constructor for a task, without `solo_mode`."""
        arguments = dict(self._options)
        if "task" in self._parameters:
            arguments["task"] = task
        derive = package.find("tau2.runner.build", "_derive_read_log_allowlist")
        if derive is not None and "read_log_allowlist" in self._parameters:
            arguments["read_log_allowlist"] = derive(task)
        return arguments

    def build(self, task: Any) -> Any:
        """Builds the environment of a task, before its initial state. Raises Refused where something is missing."""
        solo = {"solo_mode": True} if self.is_solo else {}
        try:
            return constructor(self.name)(**self.arguments(task), **solo)
        except Exception as error:  # whatever a variant raises without its key, its program or its network
            raise Refused(422, "unavailable", self._lacks(error)) from error

    def _lacks(self, error: Exception) -> str:
        said = " ".join(str(error).split())
        reason = said.split(". ")[0].rstrip(".") or type(error).__name__
        key = re.search(r"[A-Z_]+_KEY", said)
        named = f" ({key[0]})" if key and key[0] not in reason else ""
        chosen = f"with {json.dumps(self._options)}" if self._options else "by default"
        offline = offline_variants() if "retrieval_variant" in self._parameters else ""
        return f"{self.name} cannot run {chosen}: {reason}{named}{offline}"

    def answer_tasks(self, split: str | None, *, judges_outputs: bool) -> Json:
        if split is not None and split not in self.splits:
            raise bad_request(f"{self.name} has no split {split!r}; it has {', '.join(self.splits)}")
        ids = list(self.tasks) if split is None else self.splits[split]
        rules = "solo" if self.is_solo else "tau2"
        tasks = self._describe(ids, judges_outputs)
        return {"digest": self.digest, "rules": rules, "splits": self.splits, "tasks": tasks}

    def _describe(self, ids: list[str], judges_outputs: bool) -> list[Json]:
        """Describes tasks, those of small splits first; those for which there is no room have their id only."""
        by_size = sorted(self.splits.values(), key=len)
        bytes_left = MOST_BYTES
        described = {}
        for id in dict.fromkeys(id for split in [*by_size, ids] for id in split):
            task = describe(self.tasks[id], is_solo=self.is_solo, judges_outputs=judges_outputs)
            bytes_left -= len(json.dumps(task, ensure_ascii=False).encode())
            described[id] = task if bytes_left > 0 else {"id": id}
        return [described[id] for id in ids]


def check_task_set(domain: str, task_set: Any) -> None:
    from tau2.registry import registry

    if task_set not in registry.get_task_sets():
        of_domain = [name for name in registry.get_task_sets() if name.startswith(domain)]
        raise bad_request(f"tau2 {package.version()} has no task set {task_set!r}; {domain} has {', '.join(of_domain)}")


def is_for_solo(task: Any) -> bool:
    from tau2.agent.llm_agent import LLMSoloAgent

    return bool(task.ticket) and bool(LLMSoloAgent.check_valid_task(task))


def offline_variants() -> str:
    """Names the variants that need no key and no program, as the end of a sentence."""
    variants = package.find("tau2.domains.banking_knowledge.retrieval", "RETRIEVAL_VARIANTS") or {}
    names = [name for name, variant in variants.items() if is_offline(variant)]
    return "" if not names else f"; these retrieval_variants need nothing: {', '.join(names)}"


def is_offline(variant: Any) -> bool:
    searches = [getattr(variant, name, None) for name in ("kb_search", "kb_search_bm25", "kb_search_dense")]
    return getattr(variant, "shell", None) is None and all(
        search is None or (search.type == "bm25" and not search.reranker) for search in searches
    )


def describe(task: Any, *, is_solo: bool, judges_outputs: bool) -> Json:
    """A task's ground truth. Agents never see it. In solo mode the agent makes the user's calls."""
    described: Json = {"id": task.id, "instruction": task.ticket if is_solo else str(task.user_scenario)}
    criteria = task.evaluation_criteria
    if criteria is None:
        return described
    described["actions"] = [
        {
            "requestor": "assistant" if is_solo else action.requestor,
            "name": action.name,
            "arguments": json.dumps(action.arguments, ensure_ascii=False),
        }
        for action in criteria.actions or []
    ]
    outputs = outputs_of(task)
    assertions = criteria.nl_assertions or [] if counts(task, "NL_ASSERTION") else []
    described["outputs"] = outputs
    described["sentences"] = [*assertions, *(map(sentence_of, outputs) if judges_outputs else [])]
    return described


def outputs_of(task: Any) -> list[str]:
    """Texts that the agent must say."""
    return list(task.evaluation_criteria.communicate_info or []) if counts(task, "COMMUNICATE") else []


def sentence_of(text: str) -> str:
    """The sentence on which a judge decides in the place of a text that the agent must say."""
    return f"The agent told the user this, in any words and language: {text}"


def counts(task: Any, basis: str) -> bool:
    """Returns whether a kind of check is part of a task's reward."""
    criteria = task.evaluation_criteria
    return criteria is not None and any(each.value == basis for each in criteria.reward_basis)


@functools.lru_cache(maxsize=16)
def open_domain(name: str, options: str) -> Domain:
    """Returns a domain, which is loaded once. `options` is JSON text."""
    return Domain(name, json.loads(options))


def key_of(name: str, options: Json) -> tuple[str, str]:
    return name, json.dumps(options, sort_keys=True)
