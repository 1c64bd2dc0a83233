"""Functions with a probe wherever a mutant changes something: a day is run once to know which mutants matter to it.

A mutant whose probe never says so has changed nothing there, and need not be tried.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from types import ModuleType
from typing import Any

from tests.mutants.making import ALWAYS, IF_OTHER, Place, Where, compiled, functions, in_place, places, short

PROBE = "__probe"
Watched = tuple[Where, str, Callable[[], object] | None]


class Probe:
    """A recorder of the changes that would have mattered."""

    def __init__(self) -> None:
        self.touched: set[Where] = set()

    def __call__(self, value: object, watched: Iterable[Watched]) -> object:
        """The value as it is."""
        for where, matters, other in watched:
            if where not in self.touched and (matters == ALWAYS or _matters(value, other)):
                self.touched.add(where)
        return value


def _matters(value: Any, other: Callable[[], object] | None) -> bool:
    """Whether a value is true where it might be left out, or another than it would be."""
    if other is None:
        return bool(value)
    try:
        changed: Any = other()
        return changed is not value and (bool(changed) != bool(value) or changed != value)
    except Exception:  # left out, a condition no longer guards what comes after it
        return True


@contextmanager
def probed(modules: Iterable[ModuleType], probe: Probe) -> Iterator[None]:
    """All functions of these modules with the probe in them for a while."""
    with ExitStack() as stack:
        for module in modules:
            vars(module)[PROBE] = probe
            stack.callback(vars(module).pop, PROBE)
            for function, written in functions(module):
                with_probes = _probed(written, (short(module), function.__qualname__))
                stack.enter_context(in_place(function, compiled(with_probes, module)))
        yield


def _probed(written: ast.FunctionDef, name: tuple[str, str]) -> ast.FunctionDef:
    probed = deepcopy(written)
    calls: dict[int, list[ast.expr]] = {}
    for number, place in enumerate(places(probed)):
        where = ast.Tuple([ast.Constant(part) for part in (*name, number)], ast.Load())
        row = ast.Tuple([where, ast.Constant(place.matters), _otherwise(written, place, number)], ast.Load())
        calls.setdefault(id(place.hangs_on), []).append(row)
    return _Wrap(calls).visit(probed)  # type: ignore[no-any-return]


def _otherwise(written: ast.FunctionDef, place: Place, number: int) -> ast.expr:
    """The changed expression, to be computed in place."""
    if place.matters != IF_OTHER:
        return ast.Constant(None)
    other = list(places(deepcopy(written)))[number]
    other.change(other.node)
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), other.node)


class _Wrap(ast.NodeTransformer):
    """Put the probe around the expressions named by their identity."""

    def __init__(self, calls: dict[int, list[ast.expr]]) -> None:
        self.calls = calls

    def visit(self, node: ast.AST) -> Any:
        watched = self.calls.get(id(node))
        inner = super().visit(node)
        if watched is None:
            return inner
        return ast.Call(ast.Name(PROBE, ast.Load()), [inner, ast.Tuple(watched, ast.Load())], [])
