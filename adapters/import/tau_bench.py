"""The files of a tau-bench pack that come from Python sources: tasks, tools, rules and prompts."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from typing import Any

from literals import Refusal
from modules import Module, Sources, assigned_in, imports_in, nodes_in, parameters

BASE_FILE = "tau_bench/envs/base.py"
USER_FILE = "tau_bench/envs/user.py"
#: User strategy → the class that has its prompt. `llm` is the original class, which has had two names.
CLASSES = {
    "llm": ("LLMUserSimulationEnv", "NaiveUserSimulationEnv"),
    "react": ("ReactUserSimulationEnv",),
    "verify": ("VerifyUserSimulationEnv",),
    "reflection": ("ReflectionUserSimulationEnv",),
}
TOOLS_MARK = "{tools_info as one line of JSON, Python's default separators and ASCII escapes}"
RECORDS = frozenset(("Task", "Action"))
#: The order of a task's fields in a pack; other fields follow.
FIELDS = ("user_id", "instruction", "actions", "outputs", "annotator")

#: Python 3.9 does not know `match` and `case`, but `while` and `with` can stand in their places.
CASES = re.compile(r"^([ \t]+)(match|case)(?= [^=\n]*:)", re.MULTILINE)
STAND_INS = {"match": "while", "case": "with"}


def read_domains(request: dict[str, Any]) -> dict[str, Any]:
    """
    Returns the files of each domain's pack, the name of its environment's class, and the sources used; or the files
    that are missing.
    """
    sources = Sources(request["sources"])
    for domain, known in request["domains"].items():
        missing = set(known["missing"]).union(missing_files(sources, domain))
        if missing:
            return {"missing": sorted(missing)}
    domains = {domain: read_domain(sources, domain, known, request) for domain, known in request["domains"].items()}
    return {"domains": domains, "used": sorted(sources.used)}


def environment_file(sources: Sources, domain: str) -> str:
    """The file of the environment's class, which is a file of its own since September 2024."""
    own = f"tau_bench/envs/{domain}/env.py"
    return own if sources.has(own) else f"tau_bench/envs/{domain}/__init__.py"


def missing_files(sources: Sources, domain: str) -> list[str]:
    path = environment_file(sources, domain)
    if not sources.has(path):
        return [path]
    sources.texts[path] = CASES.sub(lambda found: found[1] + STAND_INS[found[2]], sources.texts[path])
    missing = missing_imports(sources, path, f"tau_bench.envs.{domain}.")
    tools = f"tau_bench/envs/{domain}/tools/__init__.py"
    return [*missing, *(missing_imports(sources, tools, "") if sources.has(tools) else [])]


def missing_imports(sources: Sources, path: str, start: str) -> list[str]:
    module = sources.module(path)
    statements = nodes_in(module.tree, ast.ImportFrom)
    imports = [imported for statement in statements for imported in imports_in(statement).values()]
    own = [imported for imported in imports if imported.full_module().startswith(start)]
    return [imported.paths(path)[0] for imported in own if sources.find(module, imported) is None]


def read_domain(sources: Sources, domain: str, known: dict[str, Any], notes: dict[str, Any]) -> dict[str, Any]:
    env = sources.module(environment_file(sources, domain))
    cases = {name: cases_in(definition) for name, definition in env.classes.items()}
    class_name = next((name for name in cases if cases[name]), None)
    if class_name is None:
        env.refuse(env.tree, "no class here chooses tasks by match")
    definition = env.classes[class_name]
    termination = assigned_in(definition, "self.terminate_tools")
    if not termination:
        env.refuse(definition, "self.terminate_tools is given no value here")
    splits = {f"tasks-{split}.json": read_tasks(sources, env, case) for split, case in cases[class_name].items()}
    tools = read_tools(sources, env, imported_from(env, definition, ".tools"))
    files = {
        "rules.json": (sources.named(env, imported_from(env, definition, ".rules")), 2),
        "tools.json": (tools, 2),
        "terminate_tools.json": (sources.value(env, termination[-1]), 1),
        "user-prompts.json": (user_prompts(sources, notes["userNotes"]), 1),
        "agent-prompts.json": (agent_prompts(sources, tools, known["wiki"], notes["agentNotes"]), 1),
        **{name: (tasks, 1) for name, tasks in splits.items()},
    }
    texts = {name: json.dumps(value, indent=indent) + "\n" for name, (value, indent) in files.items()}
    return {"className": class_name, "files": texts}


def cases_in(definition: ast.ClassDef) -> dict[str, ast.ImportFrom]:
    """Split → the import in `case "<split>":`, which is `with "<split>":` by now."""
    cases = {}
    for case in nodes_in(definition, ast.With):
        pattern = case.items[0].context_expr
        statement = next((part for part in case.body if isinstance(part, ast.ImportFrom)), None)
        if statement is not None and isinstance(getattr(pattern, "value", None), str):
            cases[pattern.value] = statement
    return cases


def imported_from(env: Module, definition: ast.ClassDef, ending: str) -> str:
    """The local name of an import from a module whose name has the ending."""
    for name, imported in env.imports.items():
        if imported.full_module().endswith(ending):
            return name
    env.refuse(definition, f"nothing is imported from a module {ending}")


def read_tools(sources: Sources, env: Module, name: str) -> list[Any]:
    """The tools' descriptions in the order of the list."""
    module, name = sources.definition(env, name)
    tools = module.value(name)
    if not isinstance(tools, ast.List):
        module.refuse(tools or module.tree, f"{name} is not a list of tools")
    return [describe_tool(sources, module, item) for item in tools.elts]


def describe_tool(sources: Sources, module: Module, item: ast.expr) -> Any:
    if not isinstance(item, ast.Name):
        module.refuse(item, "a tool must be given by its name")
    found, name = sources.definition(module, item.id)
    method = found.method(name, "get_info")
    if method is not None:
        return sources.returned(found, method)
    # Before September 2024 a tool was a function with an attribute.
    info = found.value(f"{name}.__info__")
    if info is None:
        module.refuse(item, f"{name} has neither get_info nor __info__")
    return sources.value(found, info)


def read_tasks(sources: Sources, env: Module, statement: ast.ImportFrom) -> list[Any]:
    module, name = sources.origin(env, next(iter(imports_in(statement).values())))
    where = f"{module.path}: {name}"
    tasks = sources.named(module, name, RECORDS)
    if not isinstance(tasks, list):
        raise Refusal(f"{where} is not a list of tasks.")
    return [to_task(f"{where}[{at}]", task) for at, task in enumerate(tasks)]


def to_task(where: str, task: Any) -> dict[str, Any]:
    if not isinstance(task, dict):
        raise Refusal(f"{where} is not a task.")
    if not isinstance(task.get("actions"), list):
        raise Refusal(f"{where} has no list of actions.")
    actions = [to_action(f"{where}.actions[{at}]", action) for at, action in enumerate(task["actions"])]
    # Tasks that are dicts have no field for outputs if they ask for none.
    fields = {"outputs": [], **task, "actions": actions}
    return {**{name: fields[name] for name in FIELDS if name in fields}, **fields}


def to_action(where: str, action: Any) -> dict[str, Any]:
    name, arguments = None, None
    if isinstance(action, dict):
        name, arguments = action.get("name"), action.get("kwargs", action.get("arguments"))
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise Refusal(f"{where} has no name with arguments.")
    return {"name": name, "kwargs": arguments}


def user_prompts(sources: Sources, notes: dict[str, Any] | None) -> dict[str, Any]:
    user = sources.module(USER_FILE)
    verify = user.functions.get("verify")
    line, joiner = joined_in(verify, "transcript")
    shown = {"map_role_label(message['role'])": "{label}", "message['content']": "{content}"}
    attempts = {
        strategy: AgentClass(sources, USER_FILE, CLASSES[strategy][0]).default("__init__", "max_attempts")
        for strategy in ("verify", "reflection")
    }
    return present(
        note=notes and notes["note"],
        first_user_message=greeting(user),
        stop_marker=stop_marker(sources),
        strategies=strategies(sources, user),
        verify_prompt=supervisor_prompt(sources, user, "verify"),
        reflect_prompt=supervisor_prompt(sources, user, "reflect"),
        transcript_line=sources.value(user, line, shown),
        transcript_joiner=sources.value(user, joiner),
        role_labels=role_labels(sources, user, notes),
        default_max_attempts=present(**attempts) or None,
        rules=notes and notes["rules"],
    )


def present(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def greeting(user: Module) -> str:
    """The first literal message with the role `user`: the agent's greeting."""
    for message in [*nodes_in(user.tree, ast.Dict), *nodes_in(user.tree, ast.Call)]:
        role, content = (getattr(field_of(message, name), "value", None) for name in ("role", "content"))
        if role == "user" and isinstance(content, str):
            return content
    user.refuse(user.tree, "no first message with the role user is written out here")


def field_of(node: ast.AST, name: str) -> ast.expr | None:
    """The value of a key of a dict, or of a named argument of a call."""
    if isinstance(node, ast.Call):
        return next((keyword.value for keyword in node.keywords if keyword.arg == name), None)
    return next((value for key, value in zip(node.keys, node.values) if getattr(key, "value", None) == name), None)


def stop_marker(sources: Sources) -> str | None:
    """The text by which the environment recognizes the end of the conversation: `"…" in observation`."""
    tests = nodes_in(sources.module(BASE_FILE).tree, ast.Compare)
    markers = [getattr(test.left, "value", None) for test in tests if isinstance(test.ops[0], (ast.In, ast.NotIn))]
    return next((marker for marker in markers if isinstance(marker, str)), None)


def strategies(sources: Sources, user: Module) -> dict[str, Any]:
    found = {}
    for strategy, names in CLASSES.items():
        name = next((name for name in names if name in user.classes), None)
        if name is not None:
            found[strategy] = system_prompts(sources, user, name)
        elif strategy == "llm":
            user.refuse(user.tree, f"there is no class {' or '.join(names)}")
    return found


def system_prompts(sources: Sources, user: Module, class_name: str) -> dict[str, Any]:
    build = user.method(class_name, "build_system_prompt") or user.functions.get("build_system_prompt")
    if build is not None:
        prompt, without = (sources.returned(user, build, {"instruction": text}) for text in ("{instruction}", None))
    else:
        # Before September 2024 the prompt was a template for str.format, which writes None if there is no instruction.
        prompt = sources.named(user, "SYSTEM_PROMPT")
        if not isinstance(prompt, str) or re.search("[{}]", prompt.replace("{instruction}", "")):
            user.refuse(user.tree, "SYSTEM_PROMPT is not a text with {instruction} in it")
        without = prompt.replace("{instruction}", "None")
    return {"system_prompt": prompt, "system_prompt_without_instruction": without}


def supervisor_prompt(sources: Sources, user: Module, name: str) -> Any:
    definition = user.functions.get(name)
    if definition is None:
        return None
    prompts = assigned_in(definition, "prompt")
    if not prompts:
        user.refuse(definition, f"{name} gives prompt no value")
    return sources.value(user, prompts[0], {"transcript": "{transcript}", "response": "{response}"})


def joined_in(definition: ast.AST | None, target: str) -> tuple[ast.expr | None, ast.expr | None]:
    """Line and joiner of `<target> = "<joiner>".join([f"<line>" for … in …])`."""
    for value in assigned_in(definition, target)[:1]:
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.args:
            line, joiner = getattr(value.args[0], "elt", None), value.func.value
            if isinstance(line, ast.JoinedStr) and isinstance(joiner, ast.Constant):
                return line, joiner
    return None, None


def role_labels(sources: Sources, user: Module, notes: dict[str, Any] | None) -> dict[str, Any] | None:
    definition = user.functions.get("map_role_label")
    if definition is None:
        return None
    labels = {role: sources.returned(user, definition, {"role": role}) for role in ("user", "assistant")}
    return {**labels, **({"*": notes["otherRoles"]} if notes else {})}


def agent_prompts(sources: Sources, tools: Any, wiki: str, notes: dict[str, Any] | None) -> dict[str, Any]:
    react = AgentClass(sources, "tau_bench/agents/chat_react_agent.py", "ChatReActAgent")
    calling = AgentClass(sources, "tau_bench/agents/tool_calling_agent.py", "ToolCallingAgent")
    few_shot = AgentClass(sources, "tau_bench/agents/few_shot_agent.py", "FewShotToolCallingAgent")
    act_text, react_text = (instruction(sources, react.module, name) for name in ("ACT", "REACT"))
    tools_json = json.dumps(tools)
    prompts = {
        "react": chat_prompt(react, wiki, tools_json, react_text),
        "act": chat_prompt(react, wiki, tools_json, act_text),
    }
    observations = [value for method in ("solve", "act") for value in assigned_in(react.method(method), "obs")]
    prefixed = [value for value in observations if isinstance(getattr(value, "left", None), ast.Constant)]
    line, joiner = joined_in(few_shot.method("solve"), "few_shots")
    types = sources.module("tau_bench/types.py")
    names = {"name": "RESPOND_ACTION_NAME", "field": "RESPOND_ACTION_FIELD_NAME"}
    return present(
        note=notes and notes["note"],
        act_instruction=act_text,
        react_instruction=react_text,
        chat_system_prompt=chat_prompt(react, "{wiki}", TOOLS_MARK, "{instruction}"),
        chat_system_prompt_sha256={name: sha256(prompt) for name, prompt in prompts.items()},
        chat_system_prompt_length={name: len(prompt) for name, prompt in prompts.items()},
        tools_info_json_sha256=sha256(tools_json),
        tool_observation_prefix=react.value(prefixed[0], {"obs": ""}) if prefixed else None,
        tool_calling_system_prompt=system_prompt(calling),
        few_shot_system_prompt=system_prompt(few_shot),
        few_shot_block=few_shot.value(line, {"i + 1": "{number starting at 1}", "display": "{messages_display}"}),
        few_shot_joiner=few_shot.value(joiner),
        num_few_shots=few_shot.default("__init__", "num_few_shots"),
        max_num_steps=(calling if calling.exists else react).default("solve", "max_num_steps"),
        respond_action={key: sources.named(types, name) for key, name in names.items()} if types.assigned else None,
        rules=notes and notes["rules"],
    )


class AgentClass:
    """A class and its file; either may be absent."""

    def __init__(self, sources: Sources, path: str, name: str) -> None:
        self.sources = sources
        self.module = sources.module(path)
        self.name = name
        self.exists = name in self.module.classes

    def method(self, name: str) -> ast.FunctionDef | None:
        return self.module.method(self.name, name)

    def value(self, node: ast.expr | None, given: dict[str, Any] | None = None) -> Any:
        return self.sources.value(self.module, node, given)

    def default(self, method: str, parameter: str) -> Any:
        definition = self.method(method)
        found = {name: default for name, _, default in parameters(definition)} if definition else {}
        return self.value(found.get(parameter))


def instruction(sources: Sources, module: Module, kind: str) -> Any:
    """The instruction of act or react; its name is in capitals since September 2024."""
    name = f"{kind}_INSTRUCTION"
    return sources.named(module, name if name in module.assigned else name.lower())


def chat_prompt(react: AgentClass, wiki: str, tools: str, text: Any) -> str:
    """The system prompt of act and react, built from the given parts."""
    values = assigned_in(react.method("__init__"), "self.prompt")
    if not values:
        react.module.refuse(react.module.tree, f"{react.name} gives self.prompt no value")
    parts = {"wiki": wiki, "json.dumps(tools_info)": tools, "json.dumps(tools)": tools, "instruction": text}
    prompt = react.value(values[0], parts)
    return prompt if isinstance(prompt, str) else react.module.refuse(values[0], "this prompt is not a text")


def system_prompt(agent: AgentClass) -> Any:
    """The content of the first message, with placeholders for its parts."""
    for messages in assigned_in(agent.method("solve"), "messages")[:1]:
        first = next(iter(getattr(messages, "elts", [])), None)
        if isinstance(first, (ast.Dict, ast.Call)):
            content = field_of(first, "content")
            return agent.value(content, {"self.wiki": "{wiki}", "few_shots": "{few_shots}"})
    return None


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
