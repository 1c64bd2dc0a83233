"""The verifier as it is delivered: its rooms laid down behind each other, one file that needs nothing beside it.

A room imports the standard library and rooms before it in this list, and nothing else. In the one file the former
stands once, at the top, and the latter not at all. A room's docstring becomes the heading of its part, the last one's
that of the file. What would mean something else there than it does apart is refused.
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
    """A room that cannot be laid down with the others: our mistake."""


class Room(NamedTuple):
    """A room: its heading, what it takes from the standard library, from which rooms, what it names, and its text."""

    heading: str
    library: frozenset[tuple[str, str]]  # of which module, which name; a module as a whole is of none
    rooms: frozenset[str]
    names: frozenset[str]
    text: str


def room_of(name: str, stored: str) -> Room:
    """A room taken apart."""
    tree = ast.parse(stored)
    heading, imports = ast.get_docstring(tree), [node for node in tree.body[1:] if isinstance(node, _IMPORT)]
    behind = tree.body[1 + len(imports) :]
    if not heading or not behind:
        raise UnfitError(f"{name} has no docstring, or nothing behind it")
    if sum(isinstance(node, _IMPORT) for node in ast.walk(tree)) > len(imports) or any(map(_is_import, behind)):
        raise UnfitError(f"{name} imports elsewhere than at its top")
    if any(alias.asname for node in imports for alias in node.names):
        raise UnfitError(f"{name} imports something under another name")
    taken = {(_source(node), alias.name) for node in imports for alias in node.names}
    rooms = {of.rpartition(".")[2] for of, _ in taken if of.rpartition(".")[0] == PACKAGE}
    library = frozenset((of, what) for of, what in taken - {_FUTURE} if not of.startswith(PACKAGE))
    if strange := {(of or what).partition(".")[0] for of, what in library} - sys.stdlib_module_names:
        raise UnfitError(f"{name} imports {min(strange)}, which a bare Python does not have")
    if _FUTURE not in taken:
        raise UnfitError(f"{name} does not put off its annotations, and the one file does")
    text = "\n".join(stored.split("\n")[imports[-1].end_lineno or 0 :]).strip("\n")
    return Room(heading, library, frozenset(rooms), _named(text), text)


_IMPORT = ast.Import | ast.ImportFrom


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, _IMPORT)


def _source(node: ast.Import | ast.ImportFrom) -> str:
    return (node.module or ".") if isinstance(node, ast.ImportFrom) else ""


def _named(text: str) -> frozenset[str]:
    """What a room gives names to at its top, for the others or for itself."""
    return frozenset(each.get_name() for each in symtable(text, "a room", "exec").get_symbols() if each.is_assigned())


def joined(stored: Mapping[str, str]) -> str:
    """Rooms as one file, in the order they have here."""
    rooms = {name: room_of(name, text) for name, text in stored.items()}
    library = frozenset[tuple[str, str]]().union(*(each.library for each in rooms.values()))
    owners = {**dict.fromkeys(dir(builtins), "Python"), **dict.fromkeys((what for _, what in library), "its library")}
    before = set[str]()
    for name, here in rooms.items():
        if later := here.rooms - before:
            raise UnfitError(f"{name} imports {min(later)}, which does not come before it")
        if twice := here.names & owners.keys():
            raise UnfitError(f"{min(twice)} of {name} is a name of {owners[min(twice)]} as well")
        owners.update(dict.fromkeys(here.names, name))
        before.add(name)
    *parts, last = rooms.values()
    head = f'#!/usr/bin/env python3\n"""{last.heading}\n"""\n\nfrom __future__ import annotations\n\n'
    body = [*(f"{_comment(each.heading)}\n\n\n{each.text}" for each in parts), last.text]
    return f"{head}{_imports(library)}\n\n" + "\n\n\n".join(body) + "\n"


def _imports(library: frozenset[tuple[str, str]]) -> str:
    """What the rooms take from the standard library, each thing once, in the order imports have everywhere here."""
    lines = [f"import {what}" for what in sorted(what for of, what in library if not of)]
    for source in sorted({of for of, _ in library if of}):
        names = sorted((what for of, what in library if of == source), key=lambda name: (name.islower(), name))
        lines.append(f"from {source} import {', '.join(names)}")
    return "\n".join(lines)


def _comment(heading: str) -> str:
    return "\n".join(f"# {line}".rstrip() for line in heading.split("\n"))


@cache
def program() -> bytes:
    """The one file, as every export has it."""
    folder = files(PACKAGE)
    return joined({name: folder.joinpath(f"{name}.py").read_text("utf-8") for name in ROOMS}).encode()


def digest() -> str:
    """Its SHA-256."""
    return sha256(program()).hexdigest()
