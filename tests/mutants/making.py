"""Mutants of a module's functions: one condition negated or dropped, one finding left out, made without a second import.

A mutant is the compiled code of one function; putting it in the function's place and back is all it takes to try it.
"""

import ast
import inspect
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple


class Mutant(NamedTuple):
    """One function with one thing changed."""

    module: str
    function: FunctionType
    line: int
    change: str
    code: CodeType

    @property
    def name(self) -> str:
        """Where it is and what was changed: the same as long as the line's text is."""
        return f"{self.module}.{self.function.__name__} line {self.line}: {self.change}"


Change = Callable[[ast.AST], str]  # changes a node in place and says how


def mutants(module: ModuleType) -> Iterator[Mutant]:
    """Every mutant of the functions a module defines."""
    source = inspect.getsource(module)
    for name, function in vars(module).items():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            for number in range(len(list(_places(_function(ast.parse(source), name))))):
                tree = ast.parse(source)
                node, change = list(_places(_function(tree, name)))[number]
                said = change(node)
                ast.fix_missing_locations(tree)
                compiled = compile(tree, module.__file__ or "", "exec")
                line = getattr(node, "lineno", 0)
                yield Mutant(module.__name__.rpartition(".")[2], function, line, said, _code(compiled, name))


def silenced(module: ModuleType, function: FunctionType) -> CodeType:
    """The function with every finding of its own left out."""
    tree = ast.parse(inspect.getsource(module))
    _Silence().visit(_function(tree, function.__name__))
    ast.fix_missing_locations(tree)
    return _code(compile(tree, module.__file__ or "", "exec"), function.__name__)


def _function(tree: ast.Module, name: str) -> ast.FunctionDef:
    return next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)


def _code(compiled: CodeType, name: str) -> CodeType:
    return next(each for each in compiled.co_consts if isinstance(each, CodeType) and each.co_name == name)


def _places(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, Change]]:
    """Each thing in a function that can be changed, always in the same order."""
    for node in ast.walk(function):
        if isinstance(node, ast.If | ast.IfExp | ast.While):
            yield node, _negate
            if isinstance(node, ast.If):
                yield node, _never
        elif isinstance(node, ast.comprehension):
            yield from ((node, _negate_filter(place)) for place in range(len(node.ifs)))
        elif isinstance(node, ast.BoolOp):
            yield from ((node, _drop_part(place)) for place in range(len(node.values)))
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Compare | ast.BoolOp | ast.UnaryOp):
            yield node, _negate_return
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield | ast.YieldFrom):
            yield node, _leave_out


def _not(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _negate(node: Any) -> str:
    said = f"not ({ast.unparse(node.test)})"
    node.test = _not(node.test)
    return said


def _never(node: Any) -> str:
    said = f"never: if {ast.unparse(node.test)}"
    node.test = ast.Constant(value=False)
    return said


def _negate_filter(place: int) -> Change:
    def change(node: Any) -> str:
        said = f"filter not ({ast.unparse(node.ifs[place])})"
        node.ifs[place] = _not(node.ifs[place])
        return said

    return change


def _drop_part(place: int) -> Change:
    def change(node: Any) -> str:
        said = f"without ({ast.unparse(node.values[place])}) in ({ast.unparse(node)})"
        node.values[place] = ast.Constant(value=isinstance(node.op, ast.And))
        return said

    return change


def _negate_return(node: Any) -> str:
    said = f"return not ({ast.unparse(node.value)})"
    node.value = _not(node.value)
    return said


def _leave_out(node: Any) -> str:
    said = f"left out: {ast.unparse(node)[:60]}"
    yielded = node.value
    # What is yielded is still worked out; a generator stays one.
    node.value = ast.YieldFrom(ast.Tuple([], ast.Load())) if isinstance(yielded, ast.Yield) else yielded
    if isinstance(yielded, ast.YieldFrom):
        yielded.value = ast.Tuple([], ast.Load())
    return said


class _Silence(ast.NodeTransformer):
    """Leaves out every finding a function raises."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Yield | ast.YieldFrom):
            node.value = ast.YieldFrom(ast.Tuple([], ast.Load()))
        return node
