"""Values of Python expressions, read from their syntax trees. Nothing is imported or executed."""

from __future__ import annotations

import ast
import sys
from typing import Any, NoReturn

#: Bits of the largest int; Python writes no more than 4300 digits.
MAX_INT_BITS = 14_000


class Refusal(Exception):
    """A sentence for the person who imports."""


def refuse(path: str, line: int, what: str) -> NoReturn:
    raise Refusal(f"{path}:{line}: {what}; only literals are read from it.")


def parse(path: str, text: str) -> ast.Module:
    # The importer reads this line if the text crashes the parser.
    print(path, file=sys.stderr, flush=True)
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        refuse(path, getattr(error, "lineno", None) or 1, f"this cannot be read as Python {version}")


class Reader(ast.NodeVisitor):
    """
    Evaluates literals, and what texts use besides: `+`, comparisons, conditions, f-strings, and names, whose values
    subclasses know. Tuples become lists, as in JSON; calls of the records become dicts of their arguments.
    """

    records: frozenset[str] = frozenset()

    def __init__(self, path: str, given: dict[str, Any] | None = None) -> None:
        self.path = path
        #: Values of expressions such as `instruction` and `self.wiki`, by their syntax.
        self.given = {ast.dump(ast.parse(text, mode="eval").body): value for text, value in (given or {}).items()}

    def value(self, node: ast.AST) -> Any:
        try:
            return self.visit(node)
        except RecursionError:
            self.refuse(node, "this is nested too deeply, or defined by itself")

    def refuse(self, node: ast.AST, what: str = "this expression cannot be read") -> NoReturn:
        refuse(self.path, node.lineno, what)

    def visit(self, node: ast.AST) -> Any:
        if self.given:
            key = ast.dump(node)
            if key in self.given:
                return self.given[key]
        return super().visit(node)

    def generic_visit(self, node: ast.AST) -> NoReturn:
        self.refuse(node)

    def visit_Constant(self, node: ast.Constant) -> Any:
        value = node.value
        is_int = isinstance(value, int) and value.bit_length() < MAX_INT_BITS
        return value if value is None or is_int or isinstance(value, (str, float)) else self.refuse(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> str:
        return "".join(str(self.visit(part)) for part in node.values)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> Any:
        is_plain = node.conversion == -1 and node.format_spec is None
        return self.visit(node.value) if is_plain else self.refuse(node)

    def visit_List(self, node: ast.List) -> list[Any]:
        return [self.visit(element) for element in node.elts]

    visit_Tuple = visit_List

    def visit_Dict(self, node: ast.Dict) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key_node, value_node in zip(node.keys, node.values):
            value = self.visit(value_node)
            if key_node is None:
                values.update(value if isinstance(value, dict) else self.refuse(value_node))
                continue
            key = self.visit(key_node)
            if not isinstance(key, str):
                self.refuse(key_node, "a key that is not a string cannot be written as JSON")
            values[key] = value
        return values

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        value = self.visit(node.operand)
        if not is_number(value) or not isinstance(node.op, (ast.USub, ast.UAdd)):
            self.refuse(node)
        return -value if isinstance(node.op, ast.USub) else value

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        left, right = self.visit(node.left), self.visit(node.right)
        are_alike = any(isinstance(left, kind) and isinstance(right, kind) for kind in (str, list))
        if not isinstance(node.op, ast.Add) or not (are_alike or is_number(left) and is_number(right)):
            self.refuse(node, "only two strings, two lists or two numbers can be added")
        return left + right

    def visit_Compare(self, node: ast.Compare) -> bool:
        operator = node.ops[0]
        if len(node.ops) > 1 or not isinstance(operator, (ast.Eq, ast.Is, ast.NotEq, ast.IsNot)):
            self.refuse(node)
        are_equal = self.visit(node.left) == self.visit(node.comparators[0])
        return are_equal == isinstance(operator, (ast.Eq, ast.Is))

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        return self.visit(node.body if self.visit(node.test) else node.orelse)

    def visit_Call(self, node: ast.Call) -> dict[str, Any]:
        name = dotted(node.func)
        if name not in self.records:
            self.refuse(node, f"a call of {name or 'this'} cannot be read")
        names = [keyword.arg for keyword in node.keywords]
        if node.args or None in names or len(set(names)) < len(names):
            self.refuse(node, f"{name} must be called with named arguments (field=value), each of them once")
        return {keyword.arg: self.visit(keyword.value) for keyword in node.keywords}


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def dotted(node: ast.AST) -> str:
    """`a.b.c`; empty for anything but a name and its attributes."""
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return base and f"{base}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""
