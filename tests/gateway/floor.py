"""Inputs as devices send them: a table's day of a few rounds, not yet numbered."""

from collections.abc import Iterator

from domain.facts.codec import encode
from domain.facts.deal import CardDealt, RoundOpened
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.table_day import TableClosed, TableOpened
from domain.facts.wagers import BetsClosed, WagerPlaced

START = 1_795_000_000_000_000
DIGEST = "d" * 64


def opening(table: str = "T7", day: str = "2026-11-18", at: int = START) -> TableOpened:
    return TableOpened(
        table, day, 0, "UTH-MD", DIGEST, {}, "manual-shoe", 6, at=at, source=f"{table}-pit", source_key=f"{table}:{day}"
    )


def day(
    table: str = "T7", rounds: int = 3, date: str = "2026-11-18", *, close: bool = True, at: int = START
) -> Iterator[Fact]:
    """One table's day, each fact half a tenth of a second after the other."""
    yield opening(table, date, at)
    count = 0

    def said(kind: type[Fact], *parts: object, number: int | None = None) -> Fact:
        nonlocal at, count
        at, count = at + 50_000, count + 1
        source = f"{table}-reader"
        return kind(*parts, at=at, source=source, source_key=f"{source}:{date}:{count}", stream=table, round=number)

    for number in range(1, rounds + 1):
        yield said(RoundOpened, "deck-1", number=number)
        for seat in (1, 2, 3):
            yield said(WagerPlaced, seat, "ante", 1000, number=number)
        yield said(BetsClosed, number=number)
        for card in ("Ah", "Kd", "9c", "??"):
            yield said(CardDealt, "seat", 1, 1, card, number=number)
        yield said(RoundCompleted, number=number)
    if close:
        yield said(TableClosed, 500_000)


def lines(facts: Iterator[Fact]) -> list[bytes]:
    return [encode(fact) for fact in facts]
