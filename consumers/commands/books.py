"""`catwalk books`: rule books, their editions and options, and the changes between two editions."""

from collections.abc import Sequence
from typing import Any

import click
import msgspec

from consumers.asking.forms import AnswerLayout, shown
from consumers.editions import named_edition
from domain.rulebooks import BOOKS, RuleBook, differences, editions

_EXAMPLES = """\b
Examples:
  catwalk books
  catwalk books UTH-MD --json
  catwalk books UTH-MD --options
  catwalk books UTH-MD --options --edition 2026-11-18 --json
  catwalk books UTH-MD --diff 2026-11-18 2027-01-01

An edition is named by the gaming day from which it is in force, by its digest or by the first letters of it. A table's
opening names the digest of its edition, or a former one, and the day is judged by that edition. CATWALK_EDITIONS
names a folder of editions that did not come with Catwalk; docs/rule-books.md says how to add one.

\b
Exit status: 0 listed, or two editions have the same values; 1 with --diff, a value differs; 2 usage, or an edition
that cannot be read.
"""


class EditionLine(msgspec.Struct, frozen=True):
    """One edition of a book."""

    book: str
    edition: str
    since: str
    digest: str
    shipped: bool
    former: tuple[str, ...]
    title: str


class OptionLine(msgspec.Struct, frozen=True):
    """An option of a house under an edition."""

    option: str
    may_be: str
    default: Any
    clause: str
    says: str
    reading: str


class DifferenceLine(msgspec.Struct, frozen=True):
    """A value that differs between two editions."""

    where: str
    before: Any
    after: Any
    wording: bool


_OPTIONS = AnswerLayout({"": "option may_be default clause says"}, OptionLine)
_DIFFERENCES = AnswerLayout({"": "where before after wording"}, DifferenceLine)


@click.command("books", epilog=_EXAMPLES)
@click.argument("book", metavar="[RULEBOOK]", required=False, type=click.Choice(BOOKS, case_sensitive=False))
@click.option("--options", "of_options", is_flag=True, help="List the options that a house may choose.")
@click.option("--edition", "named", metavar="EDITION", help="With --options: of this edition; default: the newest.")
@click.option("--diff", nargs=2, metavar="OLD NEW", help="List the changes from one edition to another.")
@click.option("--json", "as_json", is_flag=True, help="JSON, one line for each edition, option or difference.")
def books_command(
    *, book: str | None, of_options: bool, named: str | None, diff: tuple[str, str] | None, as_json: bool
) -> None:
    """List rule books, their editions, their options, or the changes between editions.

    RULEBOOK is one of UTH-MA, UTH-MD, PIK, FAH, COL; without it all of them are listed.
    """
    if (of_options or named or diff) and book is None:
        raise click.UsageError(f"RULEBOOK is missing: name one of {', '.join(BOOKS)}.")
    if named and not of_options:
        raise click.UsageError("--edition needs --options.")
    if of_options and diff:
        raise click.UsageError("--options and --diff exclude each other: give one of them.")
    if book is None or not (of_options or diff):
        _list([each for name in ([book] if book else BOOKS) for each in editions(name)], as_json=as_json)
        return
    if of_options:
        lines = _options(named_edition(book, named) if named else editions(book)[-1])
        click.echo(shown(lines, "json" if as_json else "table", _OPTIONS), nl=False)
        return
    if diff:
        _tell_differences(book, *diff, as_json=as_json)


def _list(held: Sequence[RuleBook], *, as_json: bool) -> None:
    if as_json:
        click.echo(shown([_line(each) for each in held], "json", AnswerLayout()), nl=False)
        return
    for name in dict.fromkeys(each.book for each in held):
        mine = [each for each in held if each.book == name]
        click.echo(f"{name}  {mine[-1].title}")
        for each in mine:
            click.echo(f"  {each.name:<13} {each.digest}{'' if each.shipped else '  not shipped with Catwalk'}")
            for former in each.former:
                click.echo(f"  {'formerly':<13} {former}")


def _line(each: RuleBook) -> EditionLine:
    return EditionLine(each.book, each.name, each.since, each.digest, each.shipped, each.former, each.title)


def _options(book: RuleBook) -> list[OptionLine]:
    return [
        OptionLine(
            name,
            ", ".join(map(str, option.allowed)) or option.kind,
            option.default,
            option.clause,
            option.says,
            option.reading,
        )
        for name, option in book.options.items()
    ]


def _tell_differences(book: str, old: str, new: str, *, as_json: bool) -> None:
    found = differences(named_edition(book, old), named_edition(book, new))
    lines = [DifferenceLine(each.where, each.before, each.after, each.wording) for each in found]
    if lines or as_json:
        click.echo(shown(lines, "json" if as_json else "table", _DIFFERENCES), nl=False)
    else:
        click.echo("no difference")
    if any(not each.wording for each in found):
        raise SystemExit(1)
