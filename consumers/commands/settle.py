"""`catwalk settle`: read rounds in the case format and compute what every wager must return."""

from collections import Counter
from typing import Any, BinaryIO, NamedTuple

import click
import msgspec

from consumers.settling.check import disagreements, expects_anything
from consumers.settling.hands import hands
from consumers.settling.table import table
from domain.cards import show
from domain.settlement import Settlement, settle
from domain.settlement.case_format import BadCaseError, WorkedCase, read
from domain.settlement.outcome import RULING, UNDECIDABLE
from domain.spoken import number_of

_EXAMPLES = """\b
Examples:
  catwalk settle rounds.jsonl
  catwalk settle --table disputed.jsonl
  catwalk settle --check worked.jsonl
  generate-rounds | catwalk settle -

Each line is one round: its wagers, cards and decisions, with money in whole cents, cards as Ah, and an unseen card as
??. The answer is a line of JSON: what every wager returns with its stake (0 means collected, null means that a ruling
decides), the clause, the undecided wagers with the missing cards, and whether the round is void. What is wrong with
more than five lines alike is said five times, and then once with their number.

\b
Exit status: 0 every line settled (and, with --check, as expected); 1 a line could not be read or settled, or
disagreed; 2 usage error, or a file of something else than rounds.
"""
_ALIKE = 5  # lines with the same trouble that are reported one by one
_MOST_KINDS = 1_000  # of trouble; more are not counted
_LONGEST_NAME = 60
_EXPECTED = (
    "catwalk settle takes one round on each line, with rulebook and seats (docs/case-format.md). For a file of facts, "
    "use catwalk feed check FILE or catwalk verify-log FILE."
)
_OURS = "Catwalk failed on this round by a fault of its own. Report the line to its maintainer"


@click.command("settle", epilog=_EXAMPLES)
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--table", "as_table", is_flag=True, help="A table for people instead of JSON Lines.")
@click.option("--check", is_flag=True, help="Compare with each line's `expected` and list the disagreements.")
def settle_command(file: BinaryIO, as_table: bool, check: bool) -> None:
    """Compute to the cent what every wager of a round must return, and by which clause.

    FILE has one round per line (JSON Lines); `-`, the default, is standard input.
    """
    troubles, settled, read_any = _LineTroubles(), [], False
    said = getattr(file, "name", "-")
    name = "standard input" if said in ("-", "<stdin>") else said
    for number, line in enumerate(file, start=1):
        if not line.strip():
            continue
        if not read_any and not troubles.bad and (what := _something_else(line)):
            raise click.UsageError(f"line {number} of {name} is {what}. {_EXPECTED}")
        try:
            case = read(line)
            read_any = True
            one = _settled(case, check=check, as_table=as_table)
        except BadCaseError as error:
            troubles.bad += 1
            troubles.say(number, str(error))
            continue
        except Exception as error:  # our mistake, whatever it is: it ends this line and no other
            troubles.bad += 1
            troubles.say(number, f"{_OURS} ({type(error).__name__}: {error})")
            continue
        for field in one.case.unread:
            troubles.say(number, f"{field!r} is not a field of a round and was ignored")
        for each in one.differs:
            click.echo(f"line {number} {one.case.id}: {each}")
        if one.shown:
            click.echo(one.shown)
        settled.append((bool(one.differs), expects_anything(one.case)))
    troubles.say_how_many_more()
    if troubles.bad > _ALIKE and not read_any:
        raise click.UsageError(f"no line of {name} is a round. {_EXPECTED}")
    differing = sum(differs for differs, _ in settled)
    if check:
        unanswered = sum(not expects for _, expects in settled)
        agreed = len(settled) - differing - unanswered
        nothing = f", {unanswered} without expected answers" if unanswered else ""
        click.echo(f"{len(settled)} rounds, {agreed} as expected, {differing} not{nothing}", err=True)
    if troubles.bad or differing:
        raise SystemExit(1)


class _LineTroubles:
    """The troubles of lines, reported line by line; of many lines alike, only the first few and their number."""

    def __init__(self) -> None:
        self.bad = 0
        self._alike: Counter[str] = Counter()

    def say(self, number: int, says: str) -> None:
        """Report what is wrong with one line, unless the same was reported several times."""
        if says in self._alike or len(self._alike) < _MOST_KINDS:
            self._alike[says] += 1
        if self._alike[says] <= _ALIKE:
            click.echo(f"catwalk settle: line {number}: {says}", err=True)

    def say_how_many_more(self) -> None:
        """Report how many more lines have the same trouble."""
        for says, many in self._alike.items():
            if many > _ALIKE:
                click.echo(f"catwalk settle: {number_of(many - _ALIKE, 'more line')}: {says}", err=True)


class _Members(msgspec.Struct):
    """The members that tell a fact or an event from a round."""

    type: str = ""
    specversion: str = ""
    seats: Any = None
    rulebook: Any = None


_MEMBERS = msgspec.json.Decoder(_Members)


def _something_else(line: bytes) -> str:
    """Return what a line is if it is a fact or a CloudEvent, or else an empty string."""
    try:
        found = _MEMBERS.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    if found.seats is not None or found.rulebook is not None or not found.type:
        return ""
    return f"{'a CloudEvent' if found.specversion else 'a fact'}, {found.type[:_LONGEST_NAME]}"


class SettledLine(NamedTuple):
    """One line that was settled: its disagreements, if they are asked for, and what is printed."""

    case: WorkedCase
    differs: list[str]
    shown: str | bytes


def _settled(case: WorkedCase, *, check: bool, as_table: bool) -> SettledLine:
    settlement = settle(case.house, case.played)
    differs = list(disagreements(case, settlement)) if check else []
    if as_table:
        return SettledLine(case, differs, table(case, settlement))
    return SettledLine(case, differs, b"" if check else msgspec.json.encode(answer(case, settlement)))


def answer(case: WorkedCase, settlement: Settlement) -> dict[str, Any]:
    """The settlement as an object: the documented fields first, then everything else that is known."""
    by_seat = settlement.seats
    found: dict[str, Any] = {
        "id": case.id,
        "returns": {str(n): {wager: one.returned for wager, one in held.items()} for n, held in by_seat.items()},
        "clauses": {str(n): {wager: one.clause for wager, one in held.items()} for n, held in by_seat.items()},
        "undecided": _where(settlement, lambda one: list(one.needs) if one.basis == UNDECIDABLE else None),
        "round_void": settlement.round_void,
        "meters_after": settlement.meters_after,
        "basis": {str(n): {wager: one.basis for wager, one in held.items()} for n, held in by_seat.items()},
        "hands": {whose: {"cards": show(hand.cards), "name": hand.name} for whose, hand in hands(case).items()},
    }
    if alternatives := _where(settlement, lambda one: one.alternatives if one.basis == RULING else None):
        named = {
            seat: {wager: dict(zip(("stands", "reversed"), both, strict=True)) for wager, both in held.items()}
            for seat, held in alternatives.items()
        }
        found["alternatives"] = named
    if case.house.findings:
        found["house_findings"] = case.house.findings
    return found


def _where(settlement: Settlement, pick: Any) -> dict[str, dict[str, Any]]:
    """The values that `pick` returns, by seat and wager, without empty seats."""
    found = {
        str(number): {wager: picked for wager, one in held.items() if (picked := pick(one))}
        for number, held in settlement.seats.items()
    }
    return {seat: held for seat, held in found.items() if held}
