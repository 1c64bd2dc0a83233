"""The verifier as delivered: its modules joined into one file that needs nothing else.

A module imports only the standard library and modules before it in this list. In the one file, the library imports
appear once, at the top, and the imports of modules disappear. A module's docstring becomes the heading of its part,
and the last one's becomes the heading of the file. A name that would change its meaning in the one file is refused.
"""

import ast
import builtins
import sys
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from symtable import symtable
from typing import Final, NamedTuple

PACKAGE: Final = "projections.export.verifier"
ROOMS: Final = (
    *("trouble", "texts", "signatures", "trees", "notes"),
    *("places", "container", "files", "keys", "statement", "question"),
    *("stretches", "verdict", "columns", "tables", "faults", "records", "device_keys", "seals", "sources"),
    *("clock", "paid", "money", "found", "played", "days", "hands", "derived", "lists", "workbook"),
    *("heads", "signed", "checked", "answered", "reading", "completeness", "verification", "command"),
)
_FUTURE: Final = ("__future__", "annotations")


class UnfitError(Exception):
    """A module that cannot be joined with the others: a mistake in Catwalk."""


class ProgramPart(NamedTuple):
    """A module: its heading, its imports from the library, the modules it uses, the names it defines, and its text."""

    heading: str
    library: frozenset[tuple[str, str]]  # module and name; the module is empty if it is imported whole
    rooms: frozenset[str]
    names: frozenset[str]
    text: str


def room_of(name: str, stored: str) -> ProgramPart:
    """Return a module split into its parts."""
    tree = ast.parse(stored)
    heading, imports = ast.get_docstring(tree), [node for node in tree.body[1:] if isinstance(node, _IMPORT)]
    behind = tree.body[1 + len(imports) :]
    if not heading or not behind:
        raise UnfitError(f"{name} has no docstring, or nothing after it")
    if sum(isinstance(node, _IMPORT) for node in ast.walk(tree)) > len(imports) or any(map(_is_import, behind)):
        raise UnfitError(f"{name} has an import that is not at its top")
    if any(alias.asname for node in imports for alias in node.names):
        raise UnfitError(f"{name} imports something under another name")
    taken = {(_source(node), alias.name) for node in imports for alias in node.names}
    rooms = {of.rpartition(".")[2] for of, _ in taken if of.rpartition(".")[0] == PACKAGE}
    library = frozenset((of, what) for of, what in taken - {_FUTURE} if not of.startswith(PACKAGE))
    if strange := {(of or what).partition(".")[0] for of, what in library} - sys.stdlib_module_names:
        raise UnfitError(f"{name} imports {min(strange)}, which is not in Python's standard library")
    if _FUTURE not in taken:
        raise UnfitError(f"{name} lacks `from __future__ import annotations`, which the one file has")
    text = "\n".join(stored.split("\n")[imports[-1].end_lineno or 0 :]).strip("\n")
    return ProgramPart(heading, library, frozenset(rooms), _named(text), text)


_IMPORT = ast.Import | ast.ImportFrom


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, _IMPORT)


def _source(node: ast.Import | ast.ImportFrom) -> str:
    return (node.module or ".") if isinstance(node, ast.ImportFrom) else ""


def _named(text: str) -> frozenset[str]:
    """Return the names that a module defines at its top level."""
    return frozenset(each.get_name() for each in symtable(text, "a room", "exec").get_symbols() if each.is_assigned())


def joined(stored: Mapping[str, str]) -> str:
    """Return the modules as one file, in the order of this list."""
    rooms = {name: room_of(name, text) for name, text in stored.items()}
    library = frozenset[tuple[str, str]]().union(*(each.library for each in rooms.values()))
    owners = {**dict.fromkeys(dir(builtins), "Python"), **dict.fromkeys((what for _, what in library), "its library")}
    before = set[str]()
    for name, here in rooms.items():
        if later := here.rooms - before:
            raise UnfitError(f"{name} imports {min(later)}, which does not come before it")
        if twice := here.names & owners.keys():
            raise UnfitError(f"{min(twice)} of {name} is also a name of {owners[min(twice)]}")
        owners.update(dict.fromkeys(here.names, name))
        before.add(name)
    *parts, last = rooms.values()
    head = f'#!/usr/bin/env python3\n"""{last.heading}\n"""\n\nfrom __future__ import annotations\n\n'
    body = [*(f"{_comment(each.heading)}\n\n\n{each.text}" for each in parts), last.text]
    return f"{head}{_imports(library)}\n\n" + "\n\n\n".join(body) + "\n"


def _imports(library: frozenset[tuple[str, str]]) -> str:
    """Return the library imports of all modules, each once, in the project's usual order."""
    lines = [f"import {what}" for what in sorted(what for of, what in library if not of)]
    for source in sorted({of for of, _ in library if of}):
        names = sorted((what for of, what in library if of == source), key=lambda name: (name.islower(), name))
        lines.append(f"from {source} import {', '.join(names)}")
    return "\n".join(lines)


def _comment(heading: str) -> str:
    return "\n".join(f"# {line}".rstrip() for line in heading.split("\n"))


@cache
def program() -> bytes:
    """Return the one file, as every export holds it."""
    folder = files(PACKAGE)
    return joined({name: folder.joinpath(f"{name}.py").read_text("utf-8") for name in ROOMS}).encode()


def digest() -> str:
    """Return its SHA-256."""
    return sha256(program()).hexdigest()
