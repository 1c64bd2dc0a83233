"""A fact that belongs to another game makes no watch stumble: a stub counted at Fast Action, a split at Colorado."""

from collections.abc import Iterator
from functools import cache

import msgspec
import pytest

from domain.clauses import BOOKS
from domain.facts.codec import name_of
from domain.facts.decisions import HandRevealed
from domain.facts.envelope import Fact
from domain.facts.wagers import BetsClosed
from domain.ledger.writer import InputRefusal, Writer, located, place
from domain.simulation.edits import NothingToEditError, where
from domain.watch.verifier import Verifier
from tests.watch.variations import days

NOT_TOLD_TWICE = {"table-opened.1", "table-closed.1"}
PLACES = (where(BetsClosed), where("card-dealt", 3), where(HandRevealed, -1), where("round-completed"))


@cache
def of_every_kind() -> list[Fact]:
    """One fact of each kind, with each decision, place or irregularity it can name."""
    found: dict[tuple[object, ...], Fact] = {}
    for told in (told for name, told in days().items() if name.startswith(("side bets", "irregular"))):
        for fact in told():
            said = (
                getattr(fact, name, None) for name in ("wager", "decision", "to", "of", "exposed", "used_as", "kind")
            )
            if name_of(fact) not in NOT_TOLD_TWICE:
                found.setdefault((name_of(fact), *said), fact)
    return list(found.values())


def with_a_stranger(facts: list[Fact]) -> Iterator[list[Fact]]:
    """The day with one of these facts in it, at one place and another."""
    for spot in PLACES:
        try:
            at = spot.one_in(facts)
        except NothingToEditError:
            continue
        for stranger in of_every_kind():
            here = facts[at]
            told = {"at": here.at, "stream": here.stream, "source_key": f"{here.source_key}*", "round": here.round}
            yield [*facts[: at + 1], msgspec.structs.replace(stranger, **told), *facts[at + 1 :]]


@pytest.mark.parametrize("book", BOOKS)
def test_a_fact_of_another_game_makes_nothing_stumble(book: str) -> None:
    facts = list(next(told for name, told in days().items() if name.startswith(f"side bets {book}"))())
    verified = 0
    for told in with_a_stranger(facts):
        writer, verifier = Writer(epoch=1), None
        for fact in told:
            whole = located(writer, fact)
            if isinstance(whole, InputRefusal):
                continue
            numbered = place(writer, whole).fact
            verifier = verifier or Verifier(numbered.stream)
            verifier.take(numbered)
        verified += 1
    assert verified > len(of_every_kind())
