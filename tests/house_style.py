"""Read the project's modules and name, a sentence each, every departure from the house's style."""

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

from tests.citations import ROOT, project_files

MOST_LINES, MOST_LINES_OF_A_FUNCTION = 400, 60

# Who may import whom. Dashboards act through one module of consumers besides, see `facades`.
MAY_IMPORT: Mapping[str, frozenset[str]] = {
    "domain": frozenset({"domain"}),
    "projections": frozenset({"projections", "domain"}),
    "consumers": frozenset({"consumers", "projections", "domain"}),
    "dashboards": frozenset({"dashboards", "projections", "consumers"}),
    "tests": frozenset({"tests", "dashboards", "consumers", "projections", "domain"}),
}
OURS = frozenset(MAY_IMPORT)

MAKERS = "domain/odds/make/"  # computes the stored odds; nothing else needs what it needs
MAKERS_COMMAND = "domain/odds/make/__main__.py"  # a command: it prints, times itself and writes what it made
OTHERS_IN_DOMAIN = frozenset({"msgspec"})
OTHERS_IN_MAKERS = frozenset({"msgspec", "numba", "numpy"})

# What asks the world for something: a file, a clock, chance, the environment, another process.
WORLDLY_MODULES = frozenset(
    {"asyncio", "glob", "http", "locale", "logging", "multiprocessing", "os", "pathlib", "secrets", "shutil", "signal"}
    | {"socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "urllib"}
)
WORLDLY_CALLS = frozenset({"open", "print", "input", "breakpoint", "eval", "exec", "__import__"})
WORLDLY_ATTRIBUTES = frozenset(
    {"datetime.now", "datetime.utcnow", "datetime.today", "date.today", "uuid.uuid1", "uuid.uuid4"}
    | {"importlib.import_module", "io.open", "sys.stdout", "sys.stderr", "sys.stdin", "sys.argv"}
)

_UNFINISHED = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")

# Who asks: the follower, the chain of an audit, which goes on behind damage, and the verifier, which needs only Python.
FOLLOWERS = ("domain/following/", "domain/ledger/chain.py", "projections/export/verifier/")

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Module(NamedTuple):
    """A module by its path in the project, its text, and the tree of it."""

    path: str
    text: str
    tree: ast.Module

    @property
    def folder(self) -> str:
        """The top folder it stands in."""
        return self.path.partition("/")[0]

    def at(self, line: int, sentence: str) -> str:
        """A sentence with the place it speaks of."""
        return f"{self.path}:{line}: {sentence}"


Rule = Callable[[Module], Iterator[str]]


def module(path: str, text: str) -> Module:
    """A module read from its text."""
    return Module(path, text, ast.parse(text))


def modules() -> list[Module]:
    """Every module under the five folders."""
    paths = (path.relative_to(ROOT) for path in project_files() if path.suffix == ".py")
    return [module(path.as_posix(), (ROOT / path).read_text("utf-8")) for path in paths if path.parts[0] in OURS]


def imported(here: Module) -> Iterator[tuple[int, str]]:
    """(line, full name) of everything a module imports, wherever in it the import stands."""
    package = here.path.removesuffix(".py").split("/")
    for node in ast.walk(here.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: -node.level] if node.level else []
            yield from ((node.lineno, ".".join([*above, *filter(None, [node.module]), a.name])) for a in node.names)


def arrows(here: Module) -> Iterator[str]:
    """Imports go one way, and the domain knows nobody."""
    makers = here.path.startswith(MAKERS)
    for line, name in imported(here):
        top = name.partition(".")[0]
        if top in OURS and top not in MAY_IMPORT[here.folder]:
            yield here.at(line, f"{here.folder} may not import {top}")
        if name.startswith("domain.odds.make") and not makers and here.folder != "tests":
            yield here.at(line, "the makers of the odds need numba, so nothing may need the makers")
        if here.folder == "domain" and name.startswith("domain.watch") and not here.path.startswith("domain/watch/"):
            yield here.at(line, "only the watch knows detectors and judges: what simulates a floor must not judge it")
        simulation = name.startswith("domain.simulation") and not here.path.startswith("domain/simulation/")
        if simulation and here.folder in {"domain", "projections"}:
            yield here.at(line, "what judges a floor may not know how one is simulated")
        others = OURS | sys.stdlib_module_names | (OTHERS_IN_MAKERS if makers else OTHERS_IN_DOMAIN)
        if here.folder == "domain" and top not in others:
            yield here.at(line, f"domain may not import {top}: the standard library and msgspec are all it needs")


def circles(all_modules: Iterable[Module]) -> Iterator[str]:
    """Packages of consumers that need each other in a circle; a module of consumers itself counts as a package."""
    needs: dict[str, set[str]] = {}
    for here in all_modules:
        package = _package(here.path.removesuffix(".py").replace("/", "."))
        if package.startswith("consumers."):
            needed = {_package(name) for _, name in imported(here) if name.startswith("consumers.")}
            needs.setdefault(package, set()).update(needed - {package})
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as circle:
        yield "packages import each other in a circle: " + ", ".join(circle.args[1])


def _package(name: str) -> str:
    return ".".join(name.split(".")[:2])


def private(all_modules: Iterable[Module]) -> Iterator[str]:
    """Modules that another package imports although their package's `__all__` does not name them, and the opposite."""
    read = [here for here in all_modules if here.folder != "tests"]
    public = {_dotted_path(here).removesuffix(".__init__"): _all_of(here) for here in read if _is_package(here)}
    mine = {_dotted_path(here) for here in read if not _is_package(here)}
    used: set[str] = set()
    for here in read:
        for line, name in imported(here):
            asked = name if name in mine else name.rpartition(".")[0]
            package, _, last = asked.rpartition(".")
            if asked not in mine or "." not in package or _dotted_path(here).startswith(f"{package}."):
                continue
            used.add(asked)
            if last not in public[package]:
                yield here.at(line, f"{last} is private to {package}: its __all__ does not name it")
    bound = {
        f"{_dotted_path(here).removesuffix('__init__')}{name.rpartition('.')[2]}"
        for here in read
        if _is_package(here)
        for _, name in imported(here)
    }
    named = {f"{package}.{name}" for package, names in public.items() for name in names} & mine - bound
    yield from (f"{name} is in the __all__ of its package and nobody imports it" for name in sorted(named - used))


def _is_package(here: Module) -> bool:
    return here.path.endswith("/__init__.py")


def _dotted_path(here: Module) -> str:
    return here.path.removesuffix(".py").replace("/", ".")


def _all_of(here: Module) -> frozenset[str]:
    for node in here.tree.body:
        if isinstance(node, ast.Assign) and dotted(node.targets[0]) == "__all__":
            return frozenset(ast.literal_eval(node.value))
    return frozenset()


def facades(all_modules: Iterable[Module]) -> Iterator[str]:
    """Dashboards act through one module of consumers and no other."""
    used: dict[str, str] = {}
    for here in all_modules:
        for line, name in imported(here):
            if here.folder == "dashboards" and name.startswith("consumers"):
                facade = ".".join(name.split(".")[:2])
                used.setdefault(facade, here.at(line, f"dashboards reach consumers through {facade} as well"))
    yield from list(used.values())[1:]


def one_meaning(all_modules: Iterable[Module]) -> Iterator[str]:
    """Each class has a name of its own, a private one too; the export's verifier is one program apart."""
    first: dict[str, str] = {}
    for here in all_modules:
        if here.folder == "tests" or here.path.startswith("projections/export/verifier/"):
            continue
        for node in here.tree.body:
            if isinstance(node, ast.ClassDef):
                other = first.setdefault(node.name, here.path)
                if other != here.path:
                    yield here.at(node.lineno, f"{other} has a {node.name} too: give one of them another name")


def dotted(node: ast.expr) -> str:
    """`datetime.datetime.now` of the expression that says so, or nothing."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (before := dotted(node.value)):
        return f"{before}.{node.attr}"
    return ""


def worldly(here: Module) -> Iterator[str]:
    """The domain asks the world for nothing; its chance is a generator with a seed."""
    if here.folder != "domain" or here.path == MAKERS_COMMAND:
        return
    for line, name in imported(here):
        if name.partition(".")[0] in WORLDLY_MODULES:
            yield here.at(line, f"domain may not use {name.partition('.')[0]}: it is pure")
        if name.startswith("random.") and name != "random.Random":
            yield here.at(line, f"{name} has no seed of its own")
    seeded = {id(node.func) for node in ast.walk(here.tree) if isinstance(node, ast.Call) and node.args}
    for node in ast.walk(here.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in WORLDLY_CALLS:
                yield here.at(node.lineno, f"domain may not call {node.func.id}: it is pure")
            elif node.func.id == "Random" and id(node.func) not in seeded:
                yield here.at(node.lineno, "a random generator needs a seed")
        elif isinstance(node, ast.Attribute):
            name = dotted(node)
            if ".".join(name.split(".")[-2:]) in WORLDLY_ATTRIBUTES:
                yield here.at(node.lineno, f"domain may not use {name}: it is pure")
            elif name.startswith("random.") and not (name == "random.Random" and id(node) in seeded):
                yield here.at(node.lineno, f"{name} without a seed is chance nobody can repeat")


def floats(here: Module) -> Iterator[str]:
    """No float comes near money: no literal, no division that makes one, no conversion."""
    if not here.path.startswith(("domain/settlement/", "domain/money.py")):
        return
    for node in ast.walk(here.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield here.at(node.lineno, f"{node.value} is a float, and money is whole cents")
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            yield here.at(node.lineno, "a division with / makes a float: divide cents with //")
        elif isinstance(node, ast.Name) and node.id == "float":
            yield here.at(node.lineno, "float has no place beside money")


def asserts(here: Module) -> Iterator[str]:
    """A check that is evidence is a raise."""
    if here.folder == "tests":
        return
    for node in ast.walk(here.tree):
        if isinstance(node, ast.Assert):
            yield here.at(node.lineno, "an assert can be switched off: raise")


def followers(here: Module) -> Iterator[str]:
    """Modules that follow a chain themselves: one place compares a record with the one before it."""
    if here.path.startswith(FOLLOWERS) or here.folder == "tests":
        return
    for node in ast.walk(here.tree):
        if not isinstance(node, ast.Compare) or not any(isinstance(each, ast.Eq | ast.NotEq) for each in node.ops):
            continue
        if any(_is_previous(part) for each in (node.left, *node.comparators) for part in _parts(each)):
            yield here.at(node.lineno, "subscribe to domain.following instead of comparing `previous` with a head")


def lazy(here: Module) -> Iterator[str]:
    """A class has no field or method with the name of a type that it annotates: Python 3.14 would find the field."""
    for held in ast.walk(here.tree):
        if not isinstance(held, ast.ClassDef):
            continue
        annotated = [each for each in held.body if isinstance(each, ast.AnnAssign)]
        named = {each.target.id for each in annotated if isinstance(each.target, ast.Name)}
        named |= {each.name for each in held.body if isinstance(each, ast.FunctionDef)}
        for each in annotated:
            used = {node.id for node in ast.walk(each.annotation) if isinstance(node, ast.Name)}
            if both := sorted(used & named):
                yield here.at(each.lineno, f"{held.name}.{both[0]} hides the type {both[0]} on Python 3.14: rename one")


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """The compared expressions, one by one where several are compared at once."""
    if isinstance(node, ast.Tuple | ast.List):
        for each in node.elts:
            yield from _parts(each)
    else:
        yield node.value if isinstance(node, ast.NamedExpr) else node


def _is_previous(node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return node.slice.value == "previous"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
        return isinstance(node.args[0], ast.Constant) and node.args[0].value == "previous"
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name == "previous"


def _without_docstring(body: list[ast.stmt], inside: str = "") -> Iterator[tuple[int, str]]:
    """Public functions and classes without a sentence, methods of public classes among them."""
    for node in body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            if not ast.get_docstring(node):
                yield node.lineno, f"{inside}{node.name}"
            if isinstance(node, ast.ClassDef):
                yield from _without_docstring(node.body, f"{node.name}.")


def docstrings(here: Module) -> Iterator[str]:
    """A module has a sentence; outside the tests a public function or class has one too."""
    if not ast.get_docstring(here.tree):
        yield here.at(1, "the module has no docstring")
    if here.folder != "tests":
        for line, name in _without_docstring(here.tree.body):
            yield here.at(line, f"{name} is public and has no docstring")


def sizes(here: Module) -> Iterator[tuple[str, int, int, int]]:
    """(name, line, lines, the most there may be) of a module and of each function in it."""
    yield here.path, 1, len(here.text.splitlines()), MOST_LINES
    for node in ast.walk(here.tree):
        if isinstance(node, Function):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            yield f"{here.path} {node.name}", node.lineno, lines, MOST_LINES_OF_A_FUNCTION


def too_long(all_modules: Iterable[Module], longer: Mapping[str, int]) -> Iterator[str]:
    """Modules and functions over their size; an exception keeps its size or shrinks, and goes when short enough."""
    excused = dict(longer)
    for here in all_modules:
        for name, line, lines, most in sizes(here):
            excuse = excused.pop(name, most) if lines > most or name in excused else most
            if lines > excuse:
                yield here.at(line, f"{name} has {lines} lines and may have {excuse}")
            elif excuse > most >= lines:
                yield here.at(line, f"{name} is short enough now: take it off the list of exceptions")
            elif lines < excuse and excuse != most:
                yield here.at(line, f"{name} has shrunk to {lines} lines: write that into the list of exceptions")
    yield from (f"{name} is an exception and is not there" for name in excused)


def unfinished(path: Path, text: str) -> Iterator[str]:
    """Marks of unfinished work: no file has any."""
    for number, line in enumerate(text.splitlines(), 1):
        if found := _UNFINISHED.search(line):
            yield f"{path.as_posix()}:{number}: {found[0]} says that something is not finished"
