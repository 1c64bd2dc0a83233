"""Editions of rule books that did not come with Catwalk: a folder that `CATWALK_EDITIONS` names.

The folder is laid out as `domain/rulebooks` is, and its file `DIGESTS` lists the digest of each edition beside its
path, as `sha256sum` writes such lists. Whoever puts a file there says with that line which edition it is; a file that
was changed since stops every command instead of judging by other values.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from domain.rulebooks import BadRuleBookError, RuleBook, editions, install, not_shipped

EDITIONS: Final = "CATWALK_EDITIONS"
DIGESTS: Final = "DIGESTS"
_LEAST_LETTERS: Final = 7  # of a digest


class EditionsError(click.ClickException):
    """The folder of editions is not as it should be: where, and what to do."""

    exit_code = 2


def install_editions(environment: Mapping[str, str] = os.environ) -> None:
    """Make the editions of that folder known to this process; none where no folder is named."""
    named = environment.get(EDITIONS, "")
    install(_read(Path(named)) if named else ())


def _read(folder: Path) -> list[RuleBook]:
    try:
        listed = _listed((folder / DIGESTS).read_text("utf-8"))
        files = {file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.glob("*/*.toml"))}
    except (OSError, UnicodeDecodeError) as error:
        says = f"{EDITIONS} names {folder}, which cannot be read: {error}"
        raise EditionsError(f"{says}. It holds <book>/<day>.toml and a file {DIGESTS}; docs/rule-books.md") from error
    if missing := sorted(listed.keys() - files.keys()):
        raise EditionsError(f"{folder / missing[0]} is not there, and {folder / DIGESTS} lists it: put it back")
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
        says = f"{file} is not listed in {listed}, so nobody has said that it is right"
        raise EditionsError(f"{says}. If it is, add the line: {found.digest}  {path}")
    if found.digest != digest:
        says = f"{file} has other values than {listed} says: its digest is {found.digest}, and {digest} is listed"
        raise EditionsError(
            f"{says}. Put the file back as it was; a changed edition needs another day and another line"
        )
    return found


def named_edition(book: str, name: str) -> RuleBook:
    """The edition a command names: by its day, its digest or a former one, or the first letters of either."""
    held = editions(book)
    if exact := [each for each in held if each.name == name]:
        return exact[0]
    if len(name) >= _LEAST_LETTERS:
        fits = [each for each in held if any(digest.startswith(name) for digest in (each.digest, *each.former))]
        if len(fits) == 1:
            return fits[0]
    there = ", ".join(f"{each.name} ({each.digest[:12]})" for each in held)
    raise click.UsageError(f"{book} has no edition {name!r}: it has {there}.")
