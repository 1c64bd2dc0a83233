"""`catwalk books`: rule books, their editions, options and pay tables, and the changes between two editions."""

from collections.abc import Sequence
from typing import Any

import click
import msgspec

from consumers.asking.forms import AnswerLayout, shown
from consumers.editions import RuleBookName, named_edition
from consumers.settling.option_text import read_option
from domain.rulebooks import BOOKS, BadHouseError, House, RuleBook, differences, editions, house
from domain.rulebooks.overlay import lay

_EXAMPLES = """\b
Examples:
  catwalk books
  catwalk books UTH-MD --json
  catwalk books UTH-MD --options
  catwalk books UTH-MD --options --edition 2026-11-18 --json
  catwalk books UTH-MD --tables
  catwalk books UTH-MD --tables --set trips_table=B --json
  catwalk books UTH-MD --diff 2026-11-18 2026-11-18

With --tables, each line is one hand of one pay table, with the option that chooses the table. With --set, only the
tables in force at a house with these options are listed, with the odds that it posted.

An edition is named by the gaming day from which it is in force, by its digest or by the first letters of it. A table's
opening names the digest of its edition, or a former one, and the day is judged by that edition. CATWALK_EDITIONS
names a folder of editions that did not come with Catwalk; docs/rule-books.md says how to add one, such as 2027-01-01,
and `catwalk books UTH-MD --diff 2026-11-18 2027-01-01` then lists what changed.

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


class PayLine(msgspec.Struct, frozen=True):
    """The odds of one hand in one pay table of a wager."""

    wager: str
    table: str  # its letter, or `only`
    hand: str
    pays: str
    rule: str  # exact, or no less than
    clause: str
    option: str  # the option that chooses the table, such as trips_table=B; empty if the wager has one table
    default: bool  # whether the table is in force unless the house chooses another


class DifferenceLine(msgspec.Struct, frozen=True):
    """A value that differs between two editions."""

    where: str
    before: Any
    after: Any
    wording: bool


_OPTIONS = AnswerLayout({"": "option may_be default clause says"}, OptionLine)
_TABLES = AnswerLayout({"": "wager table hand pays rule clause option default"}, PayLine)
_DIFFERENCES = AnswerLayout({"": "where before after wording"}, DifferenceLine)


@click.command("books", epilog=_EXAMPLES)
@click.argument("book", metavar="[RULEBOOK]", required=False, type=RuleBookName())
@click.option("--options", "of_options", is_flag=True, help="List the options that a house may choose.")
@click.option("--tables", "of_tables", is_flag=True, help="List the pay tables, hand by hand.")
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="With --tables: an option of the house.")
@click.option(
    "--edition", "named", metavar="EDITION", help="With --options or --tables: of this edition; default: the newest."
)
@click.option("--diff", nargs=2, metavar="OLD NEW", help="List the changes from one edition to another.")
@click.option("--json", "as_json", is_flag=True, help="JSON, one line for each edition, option, hand or difference.")
def books_command(
    *,
    book: str | None,
    of_options: bool,
    of_tables: bool,
    settings: tuple[str, ...],
    named: str | None,
    diff: tuple[str, str] | None,
    as_json: bool,
) -> None:
    """List rule books, their editions, options or pay tables, or the changes between editions.

    RULEBOOK is one of UTH-MA, UTH-MD, PIK, FAH, COL; without it all of them are listed.
    """
    asked = [name for name, given in (("options", of_options), ("tables", of_tables), ("diff", diff)) if given]
    if (asked or named or settings) and book is None:
        raise click.UsageError(f"RULEBOOK is missing: name one of {', '.join(BOOKS)}.")
    if len(asked) > 1:
        raise click.UsageError(f"--{asked[0]} and --{asked[1]} exclude each other: give one of them.")
    if named and not (of_options or of_tables):
        raise click.UsageError("--edition needs --options or --tables.")
    if settings and not of_tables:
        raise click.UsageError("--set needs --tables.")
    if book is None or not asked:
        _list([each for name in ([book] if book else BOOKS) for each in editions(name)], as_json=as_json)
    elif diff:
        _tell_differences(book, *diff, as_json=as_json)
    else:
        edition = named_edition(book, named) if named else editions(book)[-1]
        lines, layout = (_options(edition), _OPTIONS) if of_options else (_tables(edition, settings), _TABLES)
        click.echo(shown(lines, "json" if as_json else "table", layout), nl=False)


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


def _tables(book: RuleBook, settings: Sequence[str]) -> list[PayLine]:
    """Return every pay table of an edition, or, with settings, those in force at the house they make."""
    config: dict[str, Any] = {}
    for setting in settings:
        lay(config, *read_option(setting, "--set"))
    try:
        default, chosen = house(book), house(book, config)
    except BadHouseError as error:
        raise click.UsageError(f"{error}. catwalk books {book.book} --options lists the options.") from error
    posted = config.get("posted_odds") or {}
    return [
        PayLine(
            wager,
            letter,
            hand,
            posted.get(wager, {}).get(hand, table.printed.get(hand, "")),
            "exact" if group.exact else "no less than",
            table.clause,
            f"{group.option}={letter}" if group.option else "",
            _in_force(default, wager, letter),
        )
        for wager, group in book.tables.items()
        for letter, table in group.tables.items()
        if not settings or _in_force(chosen, wager, letter)
        for hand in (*table.lines, *(hand for hand in posted.get(wager, ()) if hand not in table.lines))
    ]


def _in_force(here: House, wager: str, letter: str) -> bool:
    """Whether a house has this table for the wager; where the round decides the table, it has all or none."""
    group = here.book.tables[wager]
    if not group.option and "only" not in group.tables:
        return here.takes(wager)
    return here.offers(wager) and (not group.option or str(here.options[group.option]) == letter)


def _tell_differences(book: str, old: str, new: str, *, as_json: bool) -> None:
    found = differences(named_edition(book, old), named_edition(book, new))
    lines = [DifferenceLine(each.where, each.before, each.after, each.wording) for each in found]
    if lines or as_json:
        click.echo(shown(lines, "json" if as_json else "table", _DIFFERENCES), nl=False)
    else:
        click.echo("no difference")
    if any(not each.wording for each in found):
        raise SystemExit(1)
