"""Find every citation of a clause in the project's files and look it up in the register."""

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from domain.clauses import BOOKS, HOUSE, all_clauses

ROOT = Path(__file__).resolve().parents[1]
SUFFIXES = frozenset({".py", ".toml", ".txt", ".csv", ".jsonl", ".md"})
NOT_OURS = frozenset(
    {
        "node_modules",
        ".git",
        ".venv",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".hypothesis",
        ".benchmarks",
        "__pycache__",
    }
)

FOLDERS = (*map(str.lower, BOOKS), "house-rules")
REGISTER = frozenset(ROOT / f"domain/rulebooks/{folder}/clauses.csv" for folder in FOLDERS)

# The numbered rounds with an irregularity, as the variations of the watch name them, are no clauses.
_BEGINS = re.compile(rf"(?<!^irregular )(?<![\w-])(?:{'|'.join((*BOOKS, HOUSE))}) (?=[\d(])")
# What would make the text after a reference a part of it: a further level, a sentence, a column.
_GOES_ON = re.compile(
    r"\w|\((?:\d+|[A-Za-z]|[ivx]+)\)|\.\w|#\d|/(?:[a-z]|Pay|Bonus)|-[a-z]"
    r"| s\d| proviso\b| column \d| Paytable [A-Z]\b"
)
_NAME = re.compile(r' "\w| \([A-Z]')  # a definition, where the section has them


class Citation(NamedTuple):
    """A reference's place and what it names: a clause's full id, a group of clauses, or nothing known."""

    line: int
    text: str
    clause: str
    group: str

    @property
    def known(self) -> bool:
        """Whether the reference is in some book."""
        return bool(self.clause or self.group)


@cache
def groups() -> frozenset[str]:
    """Every reference above a clause: `UTH-MD 12.C` above `UTH-MD 12.C(1)`, never `PIK 39.1` above `PIK 39.10(a)`."""
    return frozenset(
        name[:end]
        for name in all_clauses()
        for end in range(name.index(" ") + 2, len(name))
        if " " not in name[name.index(" ") + 1 : end]
        and (name[end - 1].isalnum() or name[end - 1] == ")")
        and not _inside_a_word(name[end - 1], name[end])
        and name[:end].count("(") == name[:end].count(")")
        and not ("/" in name[:end] and name[end] == " ")
    )


def _inside_a_word(before: str, after: str) -> bool:
    """`39.1|0` and `1.13|Y` are cut inside a word; in `39.10(e)1|iv` a new level begins."""
    return before.isalnum() and after.isalnum() and not (before.isdigit() and after.islower())


@cache
def _longest() -> int:
    return max(map(len, all_clauses()))


def citations(text: str, suffix: str = ".py") -> Iterator[Citation]:
    """Each citation in a text; quotes inside ids are read through the escapes of their file's format."""
    for number, line in enumerate(text.splitlines(), 1):
        plain = line.replace('\\"', '"')
        if suffix == ".csv":
            plain = plain.replace('""', '"')
        for found in _BEGINS.finditer(plain):
            yield _read(number, plain[found.start() :])


def _read(line: int, text: str) -> Citation:
    shown = text[:60]
    ends = range(min(len(text), _longest()), 0, -1)
    name = next((text[:end] for end in ends if text[:end] in all_clauses()), "")
    group = "" if name else next((text[:end] for end in ends if text[:end] in groups()), "")
    after = text[len(name or group) :]
    if _GOES_ON.match(after) or (_NAME.match(after) and _has_names(name or group, after[:2])):
        return Citation(line, shown, "", "")
    return Citation(line, shown, name, group)


def _has_names(reference: str, opening: str) -> bool:
    return any(known.startswith(reference + opening) for known in all_clauses())


def project_files(under: Path = ROOT) -> Iterator[Path]:
    """The files that may cite clauses; the register's own tables do not cite, they define."""
    for folder, below, names in os.walk(under):
        below[:] = sorted(set(below) - NOT_OURS)
        for name in sorted(names):
            path = Path(folder, name)
            if path.suffix in SUFFIXES and path not in REGISTER:
                yield path


def cited_in(path: Path) -> Iterator[Citation]:
    """The citations of one file."""
    return citations(path.read_text("utf-8"), path.suffix)
