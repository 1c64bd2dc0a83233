"""The single writer: what gets which place, what is a repeat, what is refused and why."""

from collections.abc import Callable

import msgspec
import pytest

from domain.facts.codec import decode
from domain.facts.envelope import Fact
from domain.facts.seals import ChainSealed
from domain.ledger.chain import ChainReader, digest
from domain.ledger.writer import InputRefusal, PlacedFact, Writer, content, located, place
from tests.gateway.floor import day, opening


def written(writer: Writer, facts: list[Fact]) -> list[PlacedFact]:
    placed = []
    for fact in facts:
        whole = located(writer, fact)
        assert isinstance(whole, Fact), whole
        placed.append(place(writer, whole))
    return placed


def test_a_day_is_numbered_from_one_and_chained_to_its_head() -> None:
    placed = written(Writer(1), list(day()))
    chain = ChainReader("T7/2026-11-18")
    assert {chain.follow(p.fact.sequence, p.fact.previous, digest(p.stored)).kind for p in placed} == {"next"}
    assert [p.fact.sequence for p in placed] == list(range(1, len(placed) + 1))
    assert all(decode(p.stored) == p.fact for p in placed)


def test_the_next_day_is_linked_to_the_head_of_the_last() -> None:
    writer = Writer(1)
    first = written(writer, list(day()))
    second = written(writer, list(day(date="2026-11-19")))
    opened = second[0].fact
    assert (opened.previous_stream, opened.previous_head) == ("T7/2026-11-18", first[-1].own)  # type: ignore[attr-defined]
    assert opened.sequence == 1


def test_tables_are_numbered_apart() -> None:
    writer = Writer(1)
    both = [fact for pair in zip(day("T7"), day("T8"), strict=True) for fact in pair]
    placed = written(writer, both)
    assert [p.fact.sequence for p in placed if p.fact.stream.startswith("T8/")] == list(range(1, len(both) // 2 + 1))


def test_a_seal_is_due_after_a_round_and_after_a_second_of_facts() -> None:
    writer = Writer(1)
    due = []
    for fact in day(rounds=1, close=False):
        whole = located(writer, fact)
        assert isinstance(whole, Fact)
        place(writer, whole)
        due.append(writer.days["T7"].seal_due)
    assert due == [False] * (len(due) - 1) + [True]
    writer.days["T7"].seal_due = False
    late = msgspec.structs.replace(list(day(close=False))[1], at=writer.days["T7"].unsealed_since + 1_000_000)
    place(writer, located(writer, late))  # type: ignore[arg-type]
    assert writer.days["T7"].seal_due


DAY = list(day(close=False))
NUMBERED = msgspec.structs.replace(DAY[1], sequence=4)
SEAL = ChainSealed("k", 1, "ff", at=1, source="x", source_key="x:1", stream="T7")


def opened_and_closed() -> Writer:
    writer = Writer(1)
    written(writer, list(day()))
    return writer


def opened() -> Writer:
    writer = Writer(1)
    written(writer, [opening()])
    return writer


REFUSED: list[tuple[str, Callable[[], Writer], Fact, str]] = [
    ("an input with a number", opened, NUMBERED, "already numbered"),
    ("an input that names no stream", opened, msgspec.structs.replace(DAY[1], stream=""), "stream unnamed"),
    ("a table whose day is not open", lambda: Writer(1), DAY[1], "day not open"),
    (
        "a day that is not the open one",
        opened,
        msgspec.structs.replace(DAY[1], stream="T7/2026-11-17"),
        "another day open",
    ),
    ("a fact after the close", opened_and_closed, DAY[1], "day closed"),
    ("the same day opened again", opened, msgspec.structs.replace(opening(), source_key="other"), "day already opened"),
    ("an earlier day opened", opened, opening(day="2026-11-17"), "day already opened"),
    ("a day that is no date", opened, opening(day="tomorrow"), "stream unnamed"),
    ("a day no month has", opened, opening(day="2026-11-31"), "stream unnamed"),
    ("a day with a line end", opened, opening(day="2026-11-19\n"), "stream unnamed"),
    ("a day in other digits", opened, opening(day="٢٠٢٦-١١-١٩"), "stream unnamed"),
    ("a seal from a source", opened, SEAL, "seals are the writer's"),
]


@pytest.mark.parametrize(("_what", "writer", "fact", "reason"), REFUSED, ids=[row[0] for row in REFUSED])
def test_an_input_without_a_place_is_refused_with_its_reason(
    _what: str, writer: Callable[[], Writer], fact: Fact, reason: str
) -> None:
    refused = located(writer(), fact)
    assert isinstance(refused, InputRefusal)
    assert refused.reason == reason
    assert refused.says


def test_what_a_source_said_is_the_same_whatever_its_place() -> None:
    placed = written(Writer(3), list(day()))
    assert [content(p.fact) for p in placed] == [content(fact) for fact in day()]
    assert content(DAY[1]) != content(msgspec.structs.replace(DAY[1], at=5))
