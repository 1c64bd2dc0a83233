"""Mutants of a module's functions, made without a second import.

One condition is negated or dropped, one comparison says the other of two that are equal, one finding is left out. A
mutant is the compiled code of one function; putting it in the function's place and back is all it takes to try it.
"""

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

Where = tuple[str, str, int]  # module, function, the number of a place in it


class Mutant(NamedTuple):
    """One function with one thing changed."""

    module: str
    function: Any  # a FunctionType; said so, a type checker would take it for a method
    number: int  # of its place in the function
    change: str
    code: CodeType

    @property
    def name(self) -> str:
        """The mutant's place and change, whatever its line number is today."""
        return f"{self.module}.{self.function.__qualname__}: {self.change}"

    @property
    def place(self) -> Where:
        """The mutant's place."""
        return self.module, self.function.__qualname__, self.number


Change = Callable[[Any], str]  # changes a node in place and says how
ALWAYS, IF_TRUE, IF_OTHER = "always", "if true", "if other"


class Place(NamedTuple):
    """An expression that can be changed, the one that contains it, and when the change makes a difference."""

    node: Any
    hangs_on: ast.expr
    change: Change
    matters: str


def functions(module: ModuleType) -> Iterator[tuple[FunctionType, ast.FunctionDef]]:
    """The functions and methods a module defines, as they are and as they are written."""
    for node in ast.parse(inspect.getsource(module)).body:
        held = vars(module).get(getattr(node, "name", ""))
        if isinstance(node, ast.FunctionDef) and isinstance(held, FunctionType):
            yield held, node
        elif isinstance(node, ast.ClassDef):
            yield from _methods(vars(held), node)


def _methods(held: Mapping[str, object], written: ast.ClassDef) -> Iterator[tuple[FunctionType, ast.FunctionDef]]:
    for node in written.body:
        if isinstance(node, ast.FunctionDef):
            method = held[node.name]
            function = method.fget if isinstance(method, property) else method
            if isinstance(function, FunctionType):
                yield function, node


def mutants(module: ModuleType) -> Iterator[Mutant]:
    """Every mutant of the functions a module defines."""
    for function, written in functions(module):
        for number in range(len(list(places(written)))):
            changed = deepcopy(written)
            place = list(places(changed))[number]
            said = place.change(place.node)
            yield Mutant(short(module), function, number, said, compiled(changed, module))


def short(module: ModuleType) -> str:
    """A module's own name."""
    return module.__name__.rpartition(".")[2]


def silenced(module: ModuleType, function: FunctionType) -> CodeType:
    """The function with every finding of its own left out."""
    written = next(written for each, written in functions(module) if each is function)
    _Silence().visit(written)
    return compiled(written, module)


@contextmanager
def in_place(function: FunctionType, code: CodeType) -> Iterator[None]:
    """Another code in a function's place for a while."""
    own = function.__code__
    function.__code__ = code
    try:
        yield
    finally:
        function.__code__ = own


def compiled(function: ast.FunctionDef, module: ModuleType) -> CodeType:
    """The code of one function alone; what it names it finds in its module when it is run."""
    function.decorator_list = []
    tree = ast.fix_missing_locations(ast.Module([function], []))
    compiled = compile(tree, module.__file__ or "", "exec")
    return next(each for each in compiled.co_consts if isinstance(each, CodeType) and each.co_name == function.name)


def places(function: ast.FunctionDef) -> Iterator[Place]:
    """Each thing in a function that can be changed, always in the same order."""
    for node in ast.walk(function):
        if isinstance(node, ast.If | ast.IfExp | ast.While):
            yield Place(node, node.test, _negate, ALWAYS)
            if isinstance(node, ast.If):
                yield Place(node, node.test, _never, IF_TRUE)
        elif isinstance(node, ast.comprehension):
            for number, test in enumerate(node.ifs):
                yield Place(node, test, _negate_filter(number), ALWAYS)
        elif isinstance(node, ast.BoolOp):
            for number, part in enumerate(node.values):
                if not (isinstance(part, ast.Constant) and not part.value):  # `seat or 0`: no condition
                    yield Place(node, node, _drop_part(number), IF_OTHER)
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Compare | ast.BoolOp | ast.UnaryOp):
            yield Place(node, node.value, _negate_return, ALWAYS)
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in _EDGES and not _in_the_stream(node):
            yield Place(node, node, _edge, IF_OTHER)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield | ast.YieldFrom) and node.value.value:
            yield Place(node, node.value.value, _leave_out, ALWAYS)


# What a comparison says of two that are equal, turned round.
_EDGES: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}


def _in_the_stream(node: ast.Compare) -> bool:
    """Whether places in a stream are compared: no two facts have the same."""
    return any(isinstance(each, ast.Attribute) and each.attr == "sequence" for each in ast.walk(node))


def _edge(node: Any) -> str:
    said = f"edge of ({ast.unparse(node)})"
    node.ops[0] = _EDGES[type(node.ops[0])]()
    return said


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
    # The yielded value is still computed; a generator stays one.
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
