"""`catwalk settle`: read rounds in the case format and compute what every wager must return."""

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

_EXAMPLES = """\b
Examples:
  catwalk settle rounds.jsonl
  catwalk settle --table disputed.jsonl
  catwalk settle --check worked.jsonl
  generate-rounds | catwalk settle -

Each line is one round: its wagers, cards and decisions, with money in whole cents, cards as Ah, and an unseen card as
??. The answer is a line of JSON: what every wager returns with its stake (0 means collected, null means that a ruling
decides), the clause, the undecided wagers with the missing cards, and whether the round is void.

\b
Exit status: 0 every line settled (and, with --check, as expected); 1 a line could not be read or settled, or
disagreed.
"""
_OURS = "Catwalk failed on this round by a fault of its own. Report the line to its maintainer"


@click.command("settle", epilog=_EXAMPLES)
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--table", "as_table", is_flag=True, help="A table for people instead of JSON Lines.")
@click.option("--check", is_flag=True, help="Compare with each line's `expected` and list the disagreements.")
def settle_command(file: BinaryIO, as_table: bool, check: bool) -> None:
    """Compute to the cent what every wager of a round must return, and by which clause.

    FILE has one round per line (JSON Lines); `-`, the default, is standard input.
    """
    bad, settled = 0, []
    for number, line in enumerate(file, start=1):
        if not line.strip():
            continue
        try:
            one = _settled(read(line), check=check, as_table=as_table)
        except BadCaseError as error:
            _say(number, str(error))
            bad += 1
            continue
        except Exception as error:  # our mistake, whatever it is: it ends this line and no other
            _say(number, f"{_OURS} ({type(error).__name__}: {error})")
            bad += 1
            continue
        for field in one.case.unread:
            _say(number, f"{field!r} is not a field of a round and was ignored")
        for each in one.differs:
            click.echo(f"line {number} {one.case.id}: {each}")
        if one.shown:
            click.echo(one.shown)
        settled.append((bool(one.differs), expects_anything(one.case)))
    differing = sum(differs for differs, _ in settled)
    if check:
        unanswered = sum(not expects for _, expects in settled)
        agreed = len(settled) - differing - unanswered
        nothing = f", {unanswered} without expected answers" if unanswered else ""
        click.echo(f"{len(settled)} rounds, {agreed} as expected, {differing} not{nothing}", err=True)
    if bad or differing:
        raise SystemExit(1)


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


def _say(number: int, says: str) -> None:
    click.echo(f"catwalk settle: line {number}: {says}", err=True)


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
