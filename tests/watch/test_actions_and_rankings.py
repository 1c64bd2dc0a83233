"""The judges of decisions, hands and settling: what they leave alone, and what their findings say."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from domain.facts.deal import CardBurned, CardDealt
from domain.facts.decisions import HandRevealed
from domain.facts.devices import DeviceFailed
from domain.facts.envelope import Fact
from domain.facts.payments import HandsCollected
from domain.facts.words import Book
from domain.simulation.edits import change, drop, insert_after, said, swap, where
from domain.simulation.scripted import day, round_, seat, wrong
from domain.watch.finding import Finding
from tests.watch.harness import Edit, verified
from tests.watch.settled_how import edits, left, paid, taken

UTH = [
    round_(
        seat(1, "9h 8h", "check check fold", trips=500),
        seat(3, "Kc 4d", "check check play", trips=500),
        seat(5, "Qd Qc", "play"),
        dealer="7c 3d",
        community="Kd 9c 4h 2s Jh",
    )
]
PIKIT = [
    round_(
        seat(2, "9h 9s 4c 4d Js", "play5", bonus3=500, selected="9h 9s Js"),
        seat(4, "As Ah 9d 8c 4h", "play3"),
        seat(6, "Jd Th 6c 3c 2d", "fold"),
        dealer="Qs Qc 8d 5h 2s",
    )
]
FAST_ACTION = [
    round_(
        seat(1, "7s 7d 7h 7c", "natural"),
        seat(2, "Kc Qd 6c 8s", "set", kept="Kc Qd"),
        seat(3, "Kh 9d Ad Qs", "split", kept="Ad Kh", second="Qs 9d"),
        seat(4, "2c 4d 9s Th", "surrender"),
        dealer="9c 9h 4c 3h",
        community="Kd 8d 8s 2d 5d",
    )
]
COLORADO = [
    round_(
        seat(1, "5c 6c 7c", "declare"), seat(2, "Ks 8d 2h", "play", bonus=100), seat(4, "Qs 9d 2c", "fold"), community="Td 9h 3s"
    )
]  # fmt: skip
ROUNDS: dict[Book, Any] = {"UTH-MA": UTH, "UTH-MD": UTH, "PIK": PIKIT, "FAH": FAST_ACTION, "COL": COLORADO}
KINDS = (
    *("card-dealt", "community-revealed", "decision-asked", "decision-made", "cards-selected", "hand-set"),
    *("card-discarded", "discards-collected", "hand-revealed", "hand-announced", "three-designated"),
    *("natural-confirmed", "wager-placed", "wager-collected", "wager-paid", "wager-returned", "hands-collected"),
    *("round-completed", "ruling-given"),
)
ABOUT = {
    *("check-treated-as-fold", "decision-conflicting", "decision-missing", "decision-out-of-order"),
    *("river-check-accepted", "fold-not-allowed", "discard-count-wrong", "selection-invalid", "surrender-late"),
    *("natural-undeclared", "declared-hand-misjudged", "hand-misranked", "dealer-qualification-misjudged"),
    *("winner-misjudged", "hand-unannounced", "hand-not-revealed", "house-way-wrong", "house-way-alternative"),
    *("dealer-revealed-early", "hand-collected-early", "cards-not-collected", "collection-out-of-order"),
    *("settlement-out-of-order", "settlement-procedure-wrong", "settlement-mistimed", "settlement-basis-wrong"),
}


def raised(facts: Sequence[Fact]) -> list[Finding]:
    """The findings these judges raise on a day."""
    return [finding for finding in verified(facts) if finding.code in ABOUT]


def codes(facts: Sequence[Fact]) -> list[str]:
    """Their codes."""
    return [finding.code for finding in raised(facts)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("book", ROUNDS)
def test_what_nobody_records_is_held_against_nobody(book: Book, kind: str) -> None:
    """A lawful day in which one kind of fact is not written down raises nothing."""
    assert raised(day(book, rounds=ROUNDS[book], unrecorded=(kind,))) == []


@pytest.mark.parametrize("reading", ["none", "shown"])
@pytest.mark.parametrize("book", ROUNDS)
def test_cards_nobody_saw_decide_nothing(book: Book, reading: str) -> None:
    """A lawful day whose cards are not read, or only where they lie open, raises nothing."""
    assert raised(day(book, rounds=ROUNDS[book], reading=reading)) == []


@pytest.mark.parametrize("book", ROUNDS)
def test_wagers_no_sensor_covers_are_held_against_nobody(book: Book) -> None:
    """Trips, bonuses and Cover All unseen: what depends on them is not decidable."""
    wagers = ("trips", "six_card", "bonus3", "bonus", "cover_all")
    assert raised(day(book, rounds=ROUNDS[book], unseen_wagers=wagers)) == []


def test_what_a_failed_reader_would_have_told_is_held_against_nobody() -> None:
    """The cards' reader fails in mid-round: from there on hands are neither turned up nor picked up on record."""
    lawful = day("UTH-MA", rounds=UTH)
    failed = insert_after(where("decision-made"), said("device-failed", "T7-cards", "table-reader", "stopped"))(lawful)
    at = next(place for place, fact in enumerate(failed) if isinstance(fact, DeviceFailed))
    blind = [
        fact for fact in failed[at:] if not isinstance(fact, CardDealt | CardBurned | HandRevealed | HandsCollected)
    ]
    assert raised([*failed[:at], *blind]) == []


MD = partial(day, "UTH-MD", rounds=UTH)
# words for the dealer's king-high
TRUE_WORDS = ["no pair", "king high", "King-high!", "nothing", "dealer does not qualify", "jibber jabber"]


@pytest.mark.parametrize("words", TRUE_WORDS)
def test_other_words_for_the_same_hand_raise_nothing(words: str) -> None:
    """A dealer without a pair may say so in many ways; what nobody can place is undecided."""
    assert codes(change("hand-announced", seat=None, to={"hand": words})(MD())) == []


def test_a_missing_rank_is_not_held_against_the_dealer() -> None:
    """Two pair announced without its ranks is true of any two pair."""
    assert codes(change("hand-announced", seat=3, to={"hand": "two pair"})(MD())) == []
    assert codes(change("hand-announced", seat=3, to={"hand": "two pair, kings and nines"})(MD())) == ["hand-misranked"]


def test_a_finding_names_seat_dealer_evidence_and_the_fact_that_shows_it() -> None:
    """The second of two players asked in the wrong order, with the first beside."""
    facts = edits(
        swap(where("decision-asked", seat=1, street="preflop"), where("decision-asked", seat=3, street="preflop")),
        swap(where("decision-made", seat=1, street="preflop"), where("decision-made", seat=3, street="preflop")),
    )(MD())
    (finding,) = raised(facts)
    assert (finding.code, finding.seat, finding.round, finding.dealer) == ("decision-out-of-order", 1, 1, "dealer-1")
    assert finding.trigger == max(finding.evidence)
    assert len(finding.evidence) == 2
    assert finding.says == (
        "Seat 1 was asked later than seat 3 before the flop, but the order is clockwise from the far left."
    )


# what is done to seat 3's two pair, kings over the dealer's king-high: ante, blind, play | what that says
HANDLINGS: list[tuple[Edit, list[str]]] = [
    (taken(3, "blind", 1000), []),
    (edits(taken(3, "blind", 1000), taken(3, "play", 1000)), ["winner-misjudged"]),
    (left(3, "play", 1000), ["winner-misjudged"]),
    (paid(3, "play", 3000, 1000), []),
    (paid(3, "ante", 1000, 1000), []),
]


@pytest.mark.parametrize(("edit", "says"), HANDLINGS)
def test_only_all_main_wagers_together_show_a_hand_misjudged(edit: Edit, says: list[str]) -> None:
    """One wager handled wrongly is a matter of money; all of them tell for what the hand was taken.

    The dealer has no pair, so that the ante goes back whichever hand wins, and a blind below a straight does too.
    """
    assert codes(edit(MD())) == says


def test_a_wager_nobody_saw_settled_shows_nothing() -> None:
    """The play taken and the blind not seen: no hand is said to be misjudged."""
    facts = edits(taken(3, "play", 1000), drop("wager-returned", seat=3, wager="blind"))(MD())
    assert codes(facts) == []


@pytest.mark.parametrize(
    ("words", "says"), [("ace-high flush", []), ("king-high flush", []), ("pair of kings", ["hand-misranked"])]
)
def test_a_split_hand_is_announced_as_either_of_its_two_hands(words: str, says: list[str]) -> None:
    """The words may be about one half or the other."""
    say = insert_after(where("hand-revealed", seat=3), said("hand-announced", words, 3))
    assert codes(say(day("FAH", rounds=FAST_ACTION))) == says


def test_a_dealer_set_right_before_the_burn_kept_the_house_way() -> None:
    """A wrong setting that a ruling put right is no finding."""
    plan = round_(seat(2), dealer="As Qs Ks 2d", irregularity=wrong("dealer-misset"))
    assert codes(day("FAH", rounds=[plan])) == []


@pytest.mark.parametrize(("house_way", "basis"), [({}, "reading"), ({"ix": "high-only"}, "")])
def test_a_pair_only_another_reading_keeps_is_wrong_by_our_reading(house_way: dict[str, str], basis: str) -> None:
    """King and four of three suits: row (ix) binds both cards as we read it, the higher alone as others may."""
    plan = round_(seat(2), dealer="Kc 9d 8h 3s")
    facts = day("FAH", {"house_way": house_way}, rounds=[plan])
    kept = change("hand-set", seat=None, to={"kept": ("Kc", "9d")})(facts)
    assert [finding.basis for finding in raised(kept)] == ([basis] if basis else [])


def test_what_moves_back_by_a_ruling_is_no_settlement() -> None:
    """A settled round that is reversed is not settled in a wrong order."""
    what = wrong("stub-count", finding="not-misdealt", stage="after-settlement", ruling="reversed", has_ruling=True)
    plan = round_(seat(1, acts="play"), seat(3, acts="play"), irregularity=what)
    assert codes(day("UTH-MD", rounds=[plan])) == []


def test_a_folded_hand_without_trips_may_stay_where_trips_are_not_seen() -> None:
    """Trips that no sensor covers leave it open whether the hand should have gone."""
    edit = drop("hands-collected", seat=1)
    rounds = [round_(seat(1, "9h 8h", "check check fold"), seat(3, "Kc 4d", "play"))]
    assert codes(edit(day("UTH-MA", rounds=rounds))) == ["cards-not-collected"]
    assert codes(edit(day("UTH-MA", rounds=rounds, unseen_wagers=("trips",)))) == []
