"""The clocks of a table and of the card room, compared by the decks that go between them."""

import pytest

from domain.facts.decks import DeckReceived, DeckRemoved
from domain.facts.envelope import Fact
from domain.facts.property_day import DeckIssued, DeckReturned
from domain.feed.decks import DeckTimes

NOON = 1_795_021_200_000_000
MINUTE = 60_000_000


def day(off: int, decks: int = 2, late: int = 0) -> list[Fact]:
    """Decks that go to a table and come back; the table's clock is off by so many minutes."""
    told: list[Fact] = []
    for number in range(decks):
        out, back, name = NOON + number * 40 * MINUTE, NOON + (480 + number) * MINUTE, f"deck-{number}"
        vault = {"source": "vault", "stream": "property/2026-11-18"}
        table = {"source": "T7-pit", "stream": "T7/2026-11-18"}
        told += [
            DeckIssued(name, "T7", at=out + late * MINUTE, source_key=f"i{number}", **vault),
            DeckReceived(name, at=out + (3 + off) * MINUTE, source_key=f"r{number}", **table),
            DeckRemoved(name, "vault", at=back + off * MINUTE, source_key=f"m{number}", **table),
            DeckReturned(name, "T7", at=back + 4 * MINUTE, source_key=f"b{number}", **vault),
        ]
    return told


def doubts(facts: list[Fact]) -> list[tuple[str, str]]:
    """The doubts about these facts, which come in the order of their times."""
    times = DeckTimes()
    for fact in sorted(facts, key=lambda fact: fact.at):
        times.take(fact)
    return [(doubt.severity, doubt.says) for doubt in times.doubts()]


@pytest.mark.parametrize("off", [0, 2, -2, 15, -15])
def test_clocks_of_one_zone_raise_no_doubt(off: int) -> None:
    assert doubts(day(off)) == []


@pytest.mark.parametrize(
    ("off", "says"),
    [
        (-300, "T7: deck-0 was received 5 h 00 min before the card room issued it, and so in 2 moves of decks."),
        (
            300,
            "T7: deck-0 came back to the card room 5 h 00 min before the table gave it up, and so in 2 moves of decks.",
        ),
        (-30, "T7: deck-0 was received 0 h 30 min before"),
    ],
)
def test_a_clock_of_another_zone_is_doubted_in_either_direction(off: int, says: str) -> None:
    ((severity, told),) = doubts(day(off))
    assert (severity, told[: len(says)]) == ("doubtful", says)


def test_an_issue_that_somebody_entered_late_by_any_span_is_no_other_zone() -> None:
    assert doubts(day(0, late=70)) == []


def test_one_deck_is_no_proof() -> None:
    assert doubts(day(-300, decks=1)) == []
