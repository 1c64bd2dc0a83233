"""One payment made wrongly: one finding has the money, and is certain. What the dealer may have meant is a reading."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import pytest

from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted, WagerCollected, WagerPaid, WagerReturned
from domain.facts.wagers import WagerChanged, WagerPlaced
from domain.facts.words import Book
from domain.simulation.edits import broken, change, insert_before, repeat, said, where
from domain.simulation.scripted import day, round_, seat
from domain.watch.finding import Finding
from domain.watch.money.situations import CODES
from tests.watch.harness import Day, verified
from tests.watch.lawful import day as lawful

ROUNDS = 6
MA_ALL = {"shuffler": "cover-all", "cover_all": True, "progressive": {"house_awards": {"straight": 10_000}}}
MD_ALL = {
    "shuffler": "automated",
    "six_card_table": "A",
    "ultimate_pairs_table": "A",
    "bad_beat_table": "A",
    "play_board_table": "A",
}
MD_SIDES = {"trips": 500, "six_card": 500, "ultimate_pairs": 500, "bad_beat": 500, "play_the_board": 500}
DAYS: list[tuple[Book, str, dict[str, Any], dict[str, int]]] = [
    ("UTH-MA", "manual-shoe", {}, {"trips": 500}),
    ("UTH-MA", "automated-shoe", MA_ALL, {"trips": 500, "cover_all": 500, "progressive": 500}),
    ("UTH-MD", "manual-shoe", {}, {"trips": 500}),
    ("UTH-MD", "automated-shoe", MD_ALL, MD_SIDES),
    ("PIK", "manual-shoe", {}, {"bonus3": 500}),
    ("FAH", "manual-shoe", {}, {}),
    ("COL", "manual-shoe", {}, {"bonus": 100}),
    ("COL", "manual-shoe", {"version": "permissible"}, {"bonus": 100}),
]
WRONG = (WagerPaid, WagerCollected, WagerReturned)
EXPLAINS = {*CODES, "hand-misranked", "winner-misjudged", "settlement-basis-wrong", "dealer-qualification-misjudged"}


class Planted(NamedTuple):
    """A day with one movement of chips made otherwise, and whether its player got another amount for it."""

    says: str
    facts: list[Fact]
    moved: bool


def _wrongly(facts: Sequence[Fact]) -> Iterator[Planted]:
    """The day with each movement of chips in turn doubled, halved, left out, a chip off, or made another one."""
    for at, fact in enumerate(facts):
        if not isinstance(fact, WRONG) or not fact.cents:
            continue
        others = [kind for kind in WRONG if kind is not type(fact)]
        same = {name: getattr(fact, name) for name in ("at", "source", "source_key", "stream", "round")}
        made: list[Any] = [kind(fact.seat, fact.wager, fact.cents, **same) for kind in others]
        made += [msgspec.structs.replace(fact, cents=cents) for cents in _amounts(fact.cents)]
        for wrong in (*made, None):
            edited = [*facts[:at], *([wrong] if wrong is not None else []), *facts[at + 1 :]]
            says = (
                f"round {fact.round}: {fact.wager} of seat {fact.seat}: {type(fact).__name__} {fact.cents} as {wrong}"
            )
            yield Planted(says, edited, _back(edited, fact) != _back(facts, fact))


def _amounts(cents: int) -> list[int]:
    return [each for each in (2 * cents, cents // 2, cents + 500, cents - 500) if each > 0 and each != cents]


def _back(facts: Sequence[Fact], about: Any) -> tuple[int, int]:
    """Return the amount that a wager's player got, and the amount neither collected nor handed back."""
    where, lying, back, paid = (about.round, about.seat, about.wager), 0, 0, False
    for fact in facts:
        if (fact.round, getattr(fact, "seat", 0), getattr(fact, "wager", "")) != where:
            continue
        if isinstance(fact, WagerPlaced | WagerChanged):
            lying = fact.cents or 0
        elif isinstance(fact, WagerPaid):
            back, paid = back + (fact.cents or 0), True
        elif isinstance(fact, WagerCollected | WagerReturned):
            cents = fact.cents or 0
            of_it = min(cents, lying)
            lying -= of_it
            back += cents if isinstance(fact, WagerReturned) else of_it - cents
    return (back + lying, 0) if paid else (back, lying)


PROGRESSIVE = {"shuffler": "automated", "progressive": {"table": "A"}}
# a day | a wager of seat 1 | its wrong amount | the code
REPEATED: list[tuple[Day, str, int, str]] = [
    (lawful("UTH-MD", rounds=[round_(seat(1, acts="play"))]), "play", 700, "wager-amount-invalid"),
    (lawful("PIK", rounds=[round_(seat(1, acts="play5"))]), "play5", 700, "wager-amount-invalid"),
    (lawful("FAH", rounds=[round_(seat(1, acts="split"))]), "split", 700, "wager-amount-invalid"),
    (lawful("COL", rounds=[round_(seat(1, acts="play"))]), "bet", 700, "wager-amount-invalid"),
    (lawful("COL", rounds=[round_(seat(1, bonus=100))]), "bonus", 700, "wager-amount-invalid"),
    (
        lawful("UTH-MD", "automated-shoe", PROGRESSIVE, [round_(seat(1, progressive=100))]),
        "progressive",
        300,
        "progressive-amount-invalid",
    ),
]


@pytest.mark.parametrize(("told", "wager", "cents", "code"), REPEATED, ids=[row[1] for row in REPEATED])
def test_a_wrong_amount_that_a_reader_sends_twice_is_told_once(told: Day, wager: str, cents: int, code: str) -> None:
    once = broken(told(), change("wager-placed", to={"cents": cents}, wager=wager))
    twice = broken(once, repeat(where("wager-placed", wager=wager)))
    (expected,) = [one.says for one in verified(once) if one.code == code]
    assert [one.says for one in verified(twice) if one.code == code] == [expected]


def test_a_wager_the_house_does_not_offer_is_told_once() -> None:
    """The reader sends it twice."""
    six_card = said("wager-placed", 1, "six_card", 500)
    facts = day("UTH-MD", rounds=[round_(seat(1), seat(3))])
    told = broken(facts, insert_before(where("bets-closed"), six_card, six_card))
    assert [one.seat for one in verified(told) if one.code == "wager-not-offered"] == [1]


def _with_money(findings: Sequence[Finding]) -> list[Finding]:
    return [one for one in findings if one.expected_cents is not None or one.observed_cents is not None]


def _certain(findings: Sequence[Finding]) -> list[Finding]:
    """The certain findings that explain a payment."""
    return [one for one in findings if one.basis == "certain" and one.code in EXPLAINS]


@pytest.mark.parametrize(("book", "method", "options", "wagers"), DAYS, ids=lambda part: str(part)[:24])
def test_a_wrong_payment_is_explained_once(
    book: Book, method: Any, options: dict[str, Any], wagers: dict[str, int]
) -> None:
    players = [seat(number, **wagers) for number in (1, 3)]
    facts = list(day(book, options, method=method, rounds=[round_(*players) for _ in range(ROUNDS)]))
    assert verified(facts) == []
    wrong, planted = [], 0
    for says, edited, moved in _wrongly(facts):
        found = verified(edited)
        money, certain = _with_money(found), _certain(found)
        planted += moved
        if len(money) != moved or len(certain) > 1:
            wrong.append(
                (
                    says,
                    [(one.code, one.basis, one.says) for one in {one.id: one for one in (*money, *certain)}.values()],
                )
            )
    assert wrong == []
    assert planted > ROUNDS


@pytest.mark.parametrize(("book", "wager", "codes"), [
    ("UTH-MD", "ante", ["wager-after-close"]),
    ("UTH-MD", "blind", ["wager-after-close"]),
    ("UTH-MD", "play", ["wager-outside-window"]),
    ("UTH-MA", "ante", ["wager-after-close"]),
    ("COL", "ante", ["wager-after-close"]),
    ("PIK", "ante", ["wager-after-close"]),
    ("FAH", "original", ["wager-after-close"]),
])  # fmt: skip
def test_chips_that_come_after_the_rounds_end_change_no_payment(book: Book, wager: str, codes: list[str]) -> None:
    """Seat 1 puts $7 on a wager that was paid: the finding is about the late chips, and not about the payment."""
    facts = list(lawful(book, rounds=[round_(seat(1), seat(3))])())
    placed = next(fact for fact in facts if isinstance(fact, WagerPlaced) and fact.wager == wager and fact.seat == 1)
    end = next(number for number, fact in enumerate(facts) if isinstance(fact, RoundCompleted))
    late = msgspec.structs.replace(placed, cents=700, at=facts[end].at + 1, source_key="late")
    found = verified([*facts[: end + 1], late, *facts[end + 1 :]])
    assert [one.code for one in found] == codes
    assert [one.expected_cents for one in found] == [None]
