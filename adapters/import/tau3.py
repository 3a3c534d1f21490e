"""
A τ³-bench domain's tools in OpenAI's form, from signatures, Google-style docstrings and argument models. Keys are in
pydantic's order.
"""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from literals import Reader, dotted, parse
from modules import assignments, parameters

#: A JSON schema.
Schema = dict[str, Any]

PLAIN: dict[str, Schema] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "dict": {"additionalProperties": True, "type": "object"},
    "Dict": {"additionalProperties": True, "type": "object"},
    "None": {"type": "null"},
}
#: Deepest nesting of annotations; tools have no deeper ones.
MAX_DEPTH = 8


def read_tools(request: dict[str, Any]) -> dict[str, Any]:
    """Returns each file with tools: those of the first source, whose models the other source has."""
    files = {}
    for name, paths in request["toolkits"].items():
        tools = Toolkit({path: request["sources"][path] for path in paths}).tools()
        files[name] = json.dumps(tools, indent=1) + "\n"
    return {"files": files}


class NameReader(Reader):
    """Takes names that a default refers to for their values."""

    def visit_Name(self, node: ast.Name) -> str:
        return node.id

    def visit_Attribute(self, node: ast.Attribute) -> str:
        return node.attr if dotted(node) else self.refuse(node)


class Toolkit:
    def __init__(self, sources: dict[str, str]) -> None:
        self.trees = [(NameReader(path), parse(path, text)) for path, text in sources.items()]
        self.classes: dict[str, tuple[Reader, ast.ClassDef]] = {}
        self.aliases: dict[str, ast.expr] = {}
        for reader, tree in self.trees:
            for node in tree.body:
                if isinstance(node, ast.ClassDef):
                    self.classes[node.name] = reader, node
                self.aliases.update({dotted(target): value for target, value in assignments(node)})
        #: Models that the schema of the current tool refers to.
        self.definitions: Schema = {}

    def tools(self) -> list[Schema]:
        for reader, tree in self.trees[:1]:
            members = [part for node in tree.body if isinstance(node, ast.ClassDef) for part in node.body]
            return [self.tool(reader, part) for part in members if isinstance(part, ast.FunctionDef) and is_tool(part)]
        return []

    def tool(self, reader: Reader, definition: ast.FunctionDef) -> Schema:
        self.definitions = {}
        description, described = read_docstring(ast.get_docstring(definition) or "")
        properties: Schema = {}
        required = []
        for name, annotation, default in parameters(definition):
            if name == "self":
                continue
            schema = titled(name, self.schema(annotation))
            if name in described:
                schema["description"] = described[name]
            if default is None:
                required.append(name)
            else:
                schema["default"] = reader.value(default)
            properties[name] = in_order(schema)
        schema = object_schema("parameters", properties, required)
        if self.definitions:
            schema["$defs"] = in_order(self.definitions)
        function = {"name": definition.name, "description": description or definition.name}
        return {"type": "function", "function": {**function, "parameters": in_order(schema)}}

    def schema(self, node: ast.expr | None, depth: int = 0) -> Schema:
        """Describes an annotation."""
        head, arguments = dotted(node), []
        if isinstance(node, ast.Subscript):
            head = dotted(node.value)
            arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        elif isinstance(node, ast.BinOp):
            head, arguments = "Union", alternatives(node)
        elif isinstance(node, ast.Constant):
            head = str(node.value)
        if depth > MAX_DEPTH:
            return {}
        if head in ("Union", "Optional"):
            options = [in_order(self.schema(argument, depth + 1)) for argument in arguments]
            return {"anyOf": [*options, {"type": "null"}] if head == "Optional" else options}
        if head in ("List", "list"):
            return {"items": in_order(self.schema(next(iter(arguments), None), depth + 1)), "type": "array"}
        if head == "Literal":
            return {"enum": [str(getattr(argument, "value", "")) for argument in arguments], "type": "string"}
        if head in self.aliases:
            return self.schema(self.aliases[head], depth + 1)
        if head not in self.classes:
            return dict(PLAIN.get(head, {}))
        if head not in self.definitions:
            self.definitions[head] = None
            self.definitions[head] = in_order(self.model(*self.classes[head], depth))
        return {"$ref": f"#/$defs/{head}"}

    def model(self, reader: Reader, definition: ast.ClassDef, depth: int) -> Schema:
        name, bases = definition.name, [dotted(base) for base in definition.bases]
        description = ast.get_docstring(definition, clean=False)
        schema: Schema = {} if description is None else {"description": description.strip()}
        if "Enum" in bases:
            values = [reader.value(value) for part in definition.body for _, value in assignments(part)]
            return {**schema, "enum": values, "title": name, "type": "string"}
        if "BaseModelNoExtra" in bases:
            schema["additionalProperties"] = False
        properties: Schema = {}
        for field in definition.body:
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                key = field.target.id
                settings = self.settings(reader, field.value)
                properties[key] = in_order({**titled(key, self.schema(field.annotation, depth + 1)), **settings})
        required = [key for key, field in properties.items() if "default" not in field]
        return {**schema, **object_schema(name, properties, required)}

    def settings(self, reader: Reader, value: ast.expr | None) -> Schema:
        """Default and description of a model's field: `= value` or `= Field(default, description=…)`."""
        if value is None:
            return {}
        if not isinstance(value, ast.Call):
            return {"default": self.default(reader, value)}
        defaults = [*value.args, *(keyword.value for keyword in value.keywords if keyword.arg == "default")]
        given = [default for default in defaults if getattr(default, "value", None) is not Ellipsis]
        settings = {"default": self.default(reader, default) for default in given}
        described = [keyword.value for keyword in value.keywords if keyword.arg == "description"]
        return {**settings, **{"description": reader.value(description) for description in described}}

    def default(self, reader: Reader, node: ast.expr) -> Any:
        """Uses an enumeration member's value."""
        name, _, member = dotted(node).partition(".")
        if not member or name not in self.classes:
            return reader.value(node)
        owner, definition = self.classes[name]
        values = [value for part in definition.body for target, value in assignments(part) if dotted(target) == member]
        return owner.value(values[0]) if values else None


def is_tool(definition: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Call) and dotted(mark.func) == "is_tool" for mark in definition.decorator_list)


def alternatives(node: ast.expr) -> list[ast.expr]:
    """The alternatives of `a | b | c`."""
    return [*alternatives(node.left), *alternatives(node.right)] if isinstance(node, ast.BinOp) else [node]


def in_order(schema: Schema) -> Schema:
    return dict(sorted(schema.items()))


def object_schema(title: str, properties: Schema, required: list[str]) -> Schema:
    return {"properties": properties, **({"required": required} if required else {}), "title": title, "type": "object"}


def titled(name: str, schema: Schema) -> Schema:
    """Adds a title, the field's name in words, unless the schema only refers to another one."""
    title = " ".join(word[:1].upper() + word[1:] for word in name.split("_"))
    return schema if "$ref" in schema else {**schema, "title": title}


SECTION = re.compile(
    r"(Arguments|Args|Parameters|Params|Raises|Exceptions|Except|Attributes|Examples?|Returns|Yields):\s*$"
)


def read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """Description, in the form shown to the model, and the descriptions of parameters."""
    lines = [line.rstrip() for line in text.split("\n")]
    start = next((at for at, line in enumerate(lines) if SECTION.match(line)), len(lines))
    short, _, long = "\n".join(lines[:start]).strip().partition("\n")
    described: dict[str, str] = {}
    is_parameters, last = False, ""
    for line in filter(None, lines[start:]):
        section = SECTION.match(line)
        if section is not None:
            is_parameters = section[1] in ("Arguments", "Args", "Parameters", "Params")
        elif is_parameters:
            found = re.match(r"\s{1,8}(\w+)(?: ?\([^)]*\))?:(.*)$", line, re.ASCII)
            if found is not None and not (last and line.startswith(" " * 8)):
                last = found[1]
                described[last] = found[2].strip()
            elif last:
                described[last] = f"{described[last]}\n{line.strip()}".strip()
    return (f"{short}\n\n{long.strip()}" if long.strip() else short), described
