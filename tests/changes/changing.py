"""A change as data: files to add and edits to make, on a copy of the project; which files it touched.

A change is a TOML file of this folder. `section` names its part of CONTRIBUTING.md, `made` the commands that write
generated files, `tests` what shows it at work. Each `[[add]]` is a new file. Each `[[edit]]` puts `text` in place of, or
behind, or before a text that stands in its file once.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import msgspec

from tests.citations import ROOT

FOLDER = Path(__file__).parent


class Edit(msgspec.Struct, forbid_unknown_fields=True):
    """A text put where an anchor stands."""

    file: str
    text: str
    replace: str = ""
    after: str = ""
    before: str = ""

    @property
    def anchor(self) -> str:
        """The text that stands in the file once."""
        [anchor] = filter(None, (self.replace, self.after, self.before))
        return anchor

    def made(self, stored: str) -> str:
        """The file's text with this edit in it."""
        anchor = self.anchor
        if stored.count(anchor) != 1:
            count = stored.count(anchor)
            raise AssertionError(f"{self.file} has {count} times, not once: {anchor!r}. Give the edit another anchor.")
        return stored.replace(anchor, self.after + self.text + self.before)


class Added(msgspec.Struct, forbid_unknown_fields=True):
    """A new file; `like` names one that it is a copy of, before its edits."""

    file: str
    text: str = ""
    like: str = ""


class Change(msgspec.Struct, forbid_unknown_fields=True):
    """One small change."""

    section: str
    tests: tuple[str, ...]
    made: tuple[tuple[str, ...], ...] = ()
    add: tuple[Added, ...] = ()
    edit: tuple[Edit, ...] = ()

    def apply(self, tree: "Tree") -> set[str]:
        """Make the change in a tree; returns the files it touched."""
        before = tree.digests()
        for new in self.add:
            path = tree.folder / new.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text((tree.folder / new.like).read_text("utf-8") if new.like else new.text, "utf-8")
        for edit in self.edit:
            path = tree.folder / edit.file
            if not path.is_file():
                raise AssertionError(f"{edit.file} is no file any more. Name the one that has {edit.anchor!r} now.")
            path.write_text(edit.made(path.read_text("utf-8")), "utf-8")
        for command in self.made:
            tree.python(*command)
        after = tree.digests()
        return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def changes() -> dict[str, Change]:
    """Every change of this folder, by its file's name."""
    return {
        path.stem: msgspec.convert(tomllib.loads(path.read_text("utf-8")), Change)
        for path in sorted(FOLDER.glob("*.toml"))
    }


class Tree:
    """A copy of the project, with what is compiled of it, so that nothing is compiled twice."""

    def __init__(self, folder: Path) -> None:
        """Copy what git knows of, as it stands now."""
        self.folder = folder
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
        for name in filter(None, listed.stdout.split("\0")):
            source, target = ROOT / name, folder / name
            if source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
        for compiled in {(ROOT / name).parent / "__pycache__" for name in listed.stdout.split("\0") if name}:
            if compiled.is_dir():
                shutil.copytree(compiled, folder / compiled.relative_to(ROOT), dirs_exist_ok=True)

    def digests(self) -> Mapping[str, str]:
        """The digest of each file's content, by its path."""
        return dict(self._digests())

    def _digests(self) -> Iterator[tuple[str, str]]:
        for root, folders, names in os.walk(self.folder):
            folders[:] = [each for each in folders if each not in ("__pycache__", ".hypothesis", ".pytest_cache")]
            for name in names:
                path = Path(root, name)
                yield str(path.relative_to(self.folder)), sha256(path.read_bytes()).hexdigest()

    def python(self, *words: str) -> str:
        """Run a Python command in the copy; returns what it printed, or raises with it."""
        ran = subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode:
            raise AssertionError(f"{' '.join(words)}\n{ran.stdout[-6000:]}{ran.stderr[-2000:]}")
        return ran.stdout


_PATH = re.compile(r"`([\w./<>*-]+(?:/|\.(?:py|toml|md|css|csv|txt|json|cfg)))`")


def listed(section: str, contributing: str) -> tuple[set[str], set[str]]:
    """The files that a section names, and among them those of steps that begin with *If*, which some changes skip."""
    [text] = re.findall(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", contributing, re.DOTALL | re.MULTILINE)
    named, optional = set[str](), set[str]()
    for step in re.findall(r"^\d+\. (.*?)(?=^\d+\. |^$|\Z)", text, flags=re.MULTILINE | re.DOTALL):
        found = set(_PATH.findall(step))
        named |= found
        optional |= found if step.startswith("If ") else set()
    return named, optional


def fits(path: str, pattern: str) -> bool:
    """Whether a file is one that a list names: `<book>` and `*` stand for any name, a folder for all in it."""
    exact = re.sub(r"<[\w ]+>|\\\*", "[^/]+", re.escape(pattern).replace(r"\<", "<").replace(r"\>", ">"))
    return re.fullmatch(exact + (".+" if pattern.endswith("/") else ""), path) is not None
