"""Editions of rule books that do not come with Catwalk: a folder that `CATWALK_EDITIONS` names.

The folder has the layout of `domain/rulebooks`. Its file `DIGESTS` lists the digest and path of each edition, in the
format of `sha256sum`. The person who adds a file confirms its content with that line; a file that changes later stops
every command, so that no day is judged by other values.
"""

import os
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import click

from domain.rulebooks import BOOKS, BadRuleBookError, RuleBook, editions, install, not_shipped

EDITIONS: Final = "CATWALK_EDITIONS"
DIGESTS: Final = "DIGESTS"
_LEAST_LETTERS: Final = 7  # of a digest


class EditionsError(click.ClickException):
    """A folder of editions with an error; the message says where and what to do."""

    exit_code = 2


class RuleBookName(click.ParamType[str]):
    """The name of a rule book, in capitals or not."""

    name = "rulebook"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name in capitals, or raise an error with the books that it may stand for."""
        if (book := value.upper()) in BOOKS:
            return book
        like = [each for each in BOOKS if each.startswith(book)] or get_close_matches(book, BOOKS, 1, 0.5)
        meant = f" (did you mean {' or '.join(like)}?)" if like else ""
        raise click.UsageError(f"there is no rule book {value!r}{meant}: name one of {', '.join(BOOKS)}.", ctx)


def install_editions(environment: Mapping[str, str] = os.environ) -> None:
    """Make the editions of that folder known to this process; do nothing if no folder is named."""
    named = environment.get(EDITIONS, "")
    install(_read(Path(named)) if named else ())


def _read(folder: Path) -> list[RuleBook]:
    try:
        listed = _listed((folder / DIGESTS).read_text("utf-8"))
        files = {file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.glob("*/*.toml"))}
    except (OSError, UnicodeDecodeError) as error:
        says = f"{EDITIONS} names {folder}, which cannot be read: {error}"
        raise EditionsError(f"{says}. It needs <book>/<day>.toml and {DIGESTS}; see docs/rule-books.md") from error
    if missing := sorted(listed.keys() - files.keys()):
        raise EditionsError(f"{folder / missing[0]} is missing, but {folder / DIGESTS} lists it: restore it")
    found = [_edition(folder / path, text, listed.get(path, "")) for path, text in files.items()]
    return [each for each in found if each is not None]


def _listed(text: str) -> dict[str, str]:
    """The digest of each path."""
    rows = (line.split(maxsplit=1) for line in text.splitlines() if line.strip())
    return {path[0].strip() if path else "": digest for digest, *path in rows}


def _edition(file: Path, text: bytes, digest: str) -> RuleBook | None:
    path = f"{file.parent.name}/{file.name}"
    try:
        found = not_shipped(file.parent.name, file.name.removesuffix(".toml"), text)
    except BadRuleBookError as error:
        raise EditionsError(f"{file} cannot be used as an edition: {error}") from error
    if found is None:
        return None
    listed = file.parent.parent / DIGESTS
    if not digest:
        says = f"{file} is not listed in {listed}, so nobody has confirmed it"
        raise EditionsError(f"{says}. If it is right, add the line: {found.digest}  {path}")
    if found.digest != digest:
        says = f"{file} has changed: its digest is {found.digest}, but {listed} has {digest}"
        raise EditionsError(f"{says}. Restore the file; a changed edition needs another day and another line")
    return found


def named_edition(book: str, name: str) -> RuleBook:
    """The edition that a command names: by its day, by a current or former digest, or by the first letters of one."""
    held = editions(book)
    if exact := [each for each in held if each.name == name]:
        return exact[0]
    if len(name) >= _LEAST_LETTERS:
        fits = [each for each in held if any(digest.startswith(name) for digest in (each.digest, *each.former))]
        if len(fits) == 1:
            return fits[0]
    there = ", ".join(f"{each.name} ({each.digest[:12]})" for each in held)
    raise click.UsageError(f"{book} has no edition {name!r}: its editions are {there}.")
