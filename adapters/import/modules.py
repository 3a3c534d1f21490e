"""The definitions of Python files, and the values of names across files."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from literals import Reader, dotted, parse, refuse


class Import(NamedTuple):
    """`from <module> import <name>`; the module's leading dots are counted."""

    dots: int
    module: str
    name: str
    line: int

    def full_module(self) -> str:
        return "." * self.dots + self.module

    def paths(self, importing: str) -> list[str]:
        """Paths that the module's file can have."""
        folders = importing.split("/")[: -self.dots] if self.dots > 0 else []
        path = "/".join([*folders, *filter(None, self.module.split("."))])
        return [f"{path}.py", f"{path}/__init__.py"]


class Module:
    """A file. Of several definitions of a name at its top level the last one counts."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.tree = parse(path, text)
        self.assigned: dict[str, ast.expr] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        self.functions: dict[str, ast.FunctionDef] = {}
        self.imports: dict[str, Import] = {}
        #: Lines of later statements that may change an assigned name.
        self.changes: dict[str, int] = {}
        for statement in self.tree.body:
            if isinstance(statement, ast.ClassDef):
                self.classes[statement.name] = statement
            elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.functions[statement.name] = statement
            elif isinstance(statement, ast.ImportFrom):
                self.imports.update(imports_in(statement))
            elif not is_harmless(statement):
                self.note(statement)

    def note(self, statement: ast.stmt) -> None:
        pairs = assignments(statement)
        for target, value in pairs:
            # A new value makes earlier changes irrelevant.
            self.assigned[dotted(target)] = value
            self.changes.pop(dotted(target), None)
        for inside in [target for target, _ in pairs if not dotted(target)] if pairs else [statement]:
            for node in ast.walk(inside):
                name = getattr(node, "id", None) or getattr(node, "name", None)
                if isinstance(name, str):
                    self.changes[name] = statement.lineno

    def value(self, name: str) -> ast.expr | None:
        """The last value assigned to a name, or to an attribute: `look.__info__ = …`."""
        if name in self.assigned and name in self.changes:
            refuse(self.path, self.changes[name], f"{name} may be changed here after it was assigned")
        return self.assigned.get(name)

    def class_value(self, name: str, attribute: str) -> ast.expr | None:
        body = self.classes[name].body if name in self.classes else []
        values = [value for part in body for target, value in assignments(part) if dotted(target) == attribute]
        return values[-1] if values else None

    def method(self, class_name: str, method: str) -> ast.FunctionDef | None:
        """Finds a method in the class or in its first bases of the same file."""
        seen: set[str] = set()
        while class_name in self.classes and class_name not in seen:
            seen.add(class_name)
            definition = self.classes[class_name]
            for part in definition.body:
                if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)) and part.name == method:
                    return part
            class_name = next((base.id for base in definition.bases if isinstance(base, ast.Name)), "")
        return None

    def refuse(self, node: ast.AST, what: str) -> NoReturn:
        refuse(self.path, getattr(node, "lineno", 1), what)


def is_harmless(statement: ast.stmt) -> bool:
    """Assertions, also in a loop, change nothing."""
    if isinstance(statement, ast.For):
        return all(isinstance(part, ast.Assert) for part in statement.body)
    return isinstance(statement, (ast.Assert, ast.Pass, ast.Import))


def assignments(statement: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """Targets of an assignment, each with the value; empty for a statement that assigns nothing."""
    if isinstance(statement, ast.Assign):
        return [(target, statement.value) for target in statement.targets]
    is_assignment = isinstance(statement, ast.AnnAssign) and statement.value is not None
    return [(statement.target, statement.value)] if is_assignment else []


def nodes_in(inside: ast.AST, *kinds: type) -> list[Any]:
    """The nodes of these kinds in the order of the text."""
    found = [node for node in ast.walk(inside) if isinstance(node, kinds)]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def assigned_in(inside: ast.AST | None, target: str) -> list[ast.expr]:
    """Values assigned to a target such as `prompt` or `self.prompt` inside the node, in the order of the text."""
    statements = [] if inside is None else nodes_in(inside, ast.Assign, ast.AnnAssign)
    return [value for statement in statements for name, value in assignments(statement) if dotted(name) == target]


def imports_in(statement: ast.ImportFrom) -> dict[str, Import]:
    """Imports by their local names."""
    return {
        alias.asname or alias.name: Import(statement.level, statement.module or "", alias.name, statement.lineno)
        for alias in statement.names
    }


def parameters(definition: ast.FunctionDef) -> list[tuple[str, ast.expr | None, ast.expr | None]]:
    """Name, annotation and default of each parameter but `*args` and `**kwargs`."""
    args = definition.args
    positional = [*args.posonlyargs, *args.args]
    defaults = [*[None] * (len(positional) - len(args.defaults)), *args.defaults, *args.kw_defaults]
    pairs = zip([*positional, *args.kwonlyargs], defaults)
    return [(parameter.arg, parameter.annotation, default) for parameter, default in pairs]


class Sources:
    """A checkout's files. Follows imports between them, and records the files that it used."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts
        self.used: set[str] = set()
        self.modules: dict[str, Module] = {}

    def has(self, path: str) -> bool:
        if path in self.texts:
            self.used.add(path)
        return path in self.texts

    def module(self, path: str) -> Module:
        if path not in self.modules:
            self.modules[path] = Module(path, self.texts[path] if self.has(path) else "")
        return self.modules[path]

    def find(self, module: Module, imported: Import) -> str | None:
        return next(filter(self.has, imported.paths(module.path)), None)

    def origin(self, module: Module, imported: Import) -> tuple[Module, str]:
        """Follows an import to the file that defines the name."""
        path = self.find(module, imported)
        if path is None:
            where = f"{imported.full_module()}, which is not in the checkout"
            refuse(module.path, imported.line, f"{imported.name} comes from {where}")
        return self.definition(self.module(path), imported.name)

    def definition(self, module: Module, name: str) -> tuple[Module, str]:
        imported = module.imports.get(name)
        return (module, name) if imported is None else self.origin(module, imported)

    def value(self, module: Module, node: ast.AST | None, given: dict[str, Any] | None = None) -> Any:
        """Evaluates a node of the file; returns None for no node."""
        return node and SourceReader(self, module, given).value(node)

    def named(self, module: Module, name: str, records: frozenset[str] = frozenset()) -> Any:
        reader = SourceReader(self, module)
        reader.records = records
        return reader.value(ast.Name(name, lineno=1))

    def returned(self, module: Module, definition: ast.FunctionDef, given: dict[str, Any] | None = None) -> Any:
        """The return value of a function that only assigns local names and branches with `if`."""
        for value in SourceReader(self, module, given).run(definition.body):
            return value
        module.refuse(definition, "this function returns nothing")


class SourceReader(Reader):
    """Looks names up in a function's local names, in the file, and in the files that it imports from."""

    def __init__(self, sources: Sources, module: Module, given: dict[str, Any] | None = None) -> None:
        super().__init__(module.path, given)
        self.sources = sources
        self.module = module
        self.local: dict[str, Any] = {}

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id in self.local:
            return self.local[node.id]
        found, name = self.sources.definition(self.module, node.id)
        value = found.value(name)
        if value is None:
            self.refuse(node, f"{node.id} is given no value at the top level of a file")
        return self.read_in(found, value)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if not isinstance(node.value, ast.Name):
            self.refuse(node)
        found, name = self.sources.definition(self.module, node.value.id)
        value = found.class_value(name, node.attr)
        if value is None:
            self.refuse(node, f"{node.value.id} is not a class with a value for {node.attr}")
        return self.read_in(found, value)

    def read_in(self, module: Module, node: ast.expr) -> Any:
        reader = SourceReader(self.sources, module)
        reader.records = self.records
        return reader.value(node)

    def run(self, body: list[ast.stmt]) -> Iterator[Any]:
        """Yields what the body returns."""
        for statement in body:
            pairs = assignments(statement)
            if isinstance(statement, ast.Return):
                yield None if statement.value is None else self.value(statement.value)
            elif isinstance(statement, ast.If):
                yield from self.run(statement.body if self.value(statement.test) else statement.orelse)
            elif pairs and all(isinstance(target, ast.Name) for target, _ in pairs):
                self.local.update({target.id: self.value(value) for target, value in pairs})
            elif not isinstance(statement, ast.Pass) and not is_text(statement):
                self.refuse(statement, "this statement cannot be followed")


def is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(getattr(statement.value, "value", None), str)
