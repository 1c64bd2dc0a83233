"""Mishaps that are put right as the book wants it are no finding, however little of them was seen."""

from typing import Any

import pytest

from domain.facts import deal
from domain.facts.words import Book, Dealing
from domain.simulation import fast_action_idle, opening
from domain.simulation.edits import broken, change, drop
from domain.simulation.scripted import Step, day, round_, seat, wrong
from domain.simulation.table import TableInPlay
from tests.watch.harness import verified

PIKS_MAIN = ("ante", "bonus5", "play3", "play5")
UTHS_MAIN = ("ante", "blind", "play")
COVER_ALL = {"shuffler": "cover-all", "cover_all": True}
AWARDS = {"progressive": {"house_awards": {"straight": 1_500}}}
BOX = {"six_card_table": "A"}
SEEN = {"card": "2c", "exposed": True, "used_as": "dealer"}

# what is special about it | book | method | options | how the table is set up | what goes wrong | who plays
Row = tuple[str, Book, Dealing, dict[str, Any], dict[str, Any], Any, tuple[Any, ...]]
ROWS: list[Row] = [
    ("the only hand's last card is missing", "COL", "manual-shoe", {}, {}, wrong("wrong-count", of="seat:1", dealt=2), (seat(1),)),
    ("the last community card is missing", "COL", "manual-shoe", {}, {}, wrong("wrong-count", of="community", dealt=2), (seat(1), seat(2))),
    ("the same where nobody records the stub", "COL", "manual-shoe", {}, {"unrecorded": ("stub-discarded", "stub-removed")}, wrong("wrong-count", of="community", dealt=2), (seat(1), seat(2))),
    ("a short stack behind wagers nobody sees", "PIK", "automated-shoe", {}, {"unseen_wagers": PIKS_MAIN}, wrong("wrong-count", of="seat:1", dealt=4), (seat(1), seat(2))),
    ("a short hand behind a wager nobody sees", "FAH", "manual-shoe", {}, {"unseen_wagers": ("original", "split")}, wrong("short-hand", seat=1, dealt=3, election="void"), (seat(1),)),
    ("the dealer's card, seen and not read", "UTH-MD", "manual-shoe", {}, {"reading": "none"}, wrong("card-drawn-in-error", **SEEN), (seat(1),)),
    ("the dealer's card, before wagers nobody sees", "UTH-MD", "manual-shoe", {}, {"unseen_wagers": UTHS_MAIN}, wrong("card-drawn-in-error", **SEEN), (seat(1),)),
    ("the dealer's card, before a hand is dealt", "UTH-MD", "automated-shoe", BOX, {"dealer_stack": "at-deal"}, wrong("card-drawn-in-error", card="2c", exposed=True, used_as="dealer", at_dealt=9), (seat(1),)),
    ("a burn nobody records before the card drawn unseen", "UTH-MA", "manual-shoe", {}, {"unrecorded": ("card-burned",)}, wrong("card-drawn-in-error", card="2c"), (seat(1),)),
    ("a stub counted while the dealer's stack waits", "UTH-MD", "automated-shoe", {}, {"dealer_stack": "after-decisions"}, wrong("wrong-count", of="seat:1", dealt=3), (seat(1),)),
    ("Cover All of a void hand goes back at once", "UTH-MA", "hand", COVER_ALL, {}, wrong("wrong-count", of="seat:2", dealt=3), (seat(1, acts="check check play", trips=500), seat(2, cover_all=500))),
    ("a progressive lies in a round that was ruled on", "UTH-MA", "manual-shoe", AWARDS, {}, wrong("card-exposed", of="seat:1"), (seat(1, "8d 2c", "play", trips=500, progressive=500),)),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_mishap_put_right_is_silent(row: Row) -> None:
    _, book, method, options, setup, what, seats = row
    dealt = (
        {"dealer": "9h 9d", "community": "8h 8s Kc 4d 3h"} if book == "UTH-MA" and what.kind == "card-exposed" else {}
    )
    facts = day(
        book, options, method=method, rounds=[round_(*seats, irregularity=what, count_stub=True, **dealt)], **setup
    )
    assert [(one.code, one.says) for one in verified(facts)] == []


NO_SHUFFLER = {"shuffler": "automated", "decks": 2}
GOES = wrong("device-not-removed", device="shuffler")
# what nobody records | book | dealing method | options | what goes wrong
UNSAID: list[tuple[str, Book, Dealing, dict[str, Any], Any]] = [
    ("card-dealt", "FAH", "manual-shoe", {}, wrong("long-hand", seat=1, dealt=5)),
    ("hand-set", "FAH", "manual-shoe", {}, wrong("long-hand", seat=1, dealt=5)),
    ("decision-made", "FAH", "manual-shoe", {}, wrong("short-hand", seat=1, dealt=3, election="void")),
    ("decision-made", "FAH", "manual-shoe", {}, wrong("short-hand", seat=1, dealt=3, election="complete")),
    ("hand-set", "FAH", "manual-shoe", {}, wrong("wrong-count", of="dealer", dealt=5, stage="reveal")),
    ("hand-set", "FAH", "manual-shoe", {}, wrong("insufficient-cards", stage="community", at_dealt=3)),
    ("card-dealt", "UTH-MA", "automated-shoe", {}, wrong("wrong-count", of="dealer", dealt=1)),
    ("shuffle-completed", "UTH-MD", "hand", NO_SHUFFLER, GOES),
    ("deck-removed", "UTH-MA", "hand", NO_SHUFFLER, GOES),
    ("method-changed", "UTH-MD", "hand", NO_SHUFFLER, GOES),
]


@pytest.mark.parametrize("row", UNSAID, ids=lambda row: f"{row[0]} {row[1]} {row[4].kind}")
def test_what_was_put_right_in_facts_nobody_records_is_no_finding(row: tuple[Any, ...]) -> None:
    """The device that failed and went, the hand released or completed, the discards of a long one."""
    untold, book, method, options, what = row
    rounds = [round_(seat(1), seat(2), irregularity=each) for each in (None, what, None)]
    facts = day(book, options, method=method, rounds=rounds, unrecorded=(untold,))
    assert [(one.code, one.says) for one in verified(facts)] == []


def test_a_hand_declared_void_in_error_may_have_been_declared_where_nobody_records_that() -> None:
    """Colorado's erroneous declaration voids the hand; that it was declared is a decision."""
    declared = seat(1, "2c 7d 9h", "declare")
    what = wrong("erroneous-declaration", seat=1)
    facts = day("COL", rounds=[round_(declared, seat(2), irregularity=what)], unrecorded=("decision-made",))
    assert [(one.code, one.says) for one in verified(facts)] == []


def test_of_six_decks_the_next_card_may_be_another_like_the_one_put_aside() -> None:
    facts = day("FAH", rounds=[round_(seat(1), irregularity=wrong("card-face-up", ("2c", 3)))])
    place = next(at for at, fact in enumerate(facts) if isinstance(fact, deal.CardFoundFaceUp))
    after = facts[place + 1]
    assert isinstance(after, deal.CardDealt)
    told = broken(facts, change("card-found-face-up", to={"card": after.card}))
    assert [(one.code, one.says) for one in verified(told)] == []


def test_the_marker_goes_to_the_dealer_when_the_game_commences_again_after_a_void_round() -> None:
    def pause(table: TableInPlay) -> None:
        opening.leave(table, 1)
        fast_action_idle.idle(table)
        fast_action_idle.resume(table, 3, "player-3")

    void = round_(seat(1), irregularity=wrong("wrong-count", of="dealer", dealt=3))
    rounds: list[Step] = [round_(seat(1)), round_(seat(1)), void, pause, round_(seat(3))]
    assert [(one.code, one.says) for one in verified(day("FAH", rounds=rounds))] == []


def test_cover_all_counts_the_hands_whose_wagers_nobody_sees() -> None:
    """Three hands were dealt, and the best of them has no wager on record."""
    seats = seat(1, "4c 4d", "play"), seat(2, "Ah Kd", "play", cover_all=500)
    rounds = [round_(*seats, dealer="9c 7d", community="4h 8s 8d Qc 2s")]
    facts = day("UTH-MA", COVER_ALL, method="hand", rounds=rounds, unseen_wagers=UTHS_MAIN)
    assert [(one.code, one.says) for one in verified(facts)] == []


# what nobody records | book | options | how the table is set up | who plays
UNTOLD: list[tuple[str, Book, dict[str, Any], dict[str, Any], Any]] = [
    ("shoe-loaded", "UTH-MA", {"shuffler": "automated"}, {"shuffler_loads_shoe": True}, seat(1)),
    ("decision-made", "COL", {}, {}, seat(1, "8c 8d 8h", "declare", bonus=100)),
]


@pytest.mark.parametrize(("untold", "book", "options", "setup", "plays"), UNTOLD)
def test_what_only_an_unrecorded_fact_would_say_is_not_missed(
    untold: str, book: Book, options: dict[str, Any], setup: dict[str, Any], plays: Any
) -> None:
    """The device loads the shoe itself; an instant winner is declared."""
    facts = day(book, options, rounds=[round_(plays)], unrecorded=(untold,), **setup)
    assert [(one.code, one.says) for one in verified(facts)] == []


# how many cards the stub is counted to have, 35 being left of which the dealer's two wait | what is found
COUNTED = [
    (33, []),
    (35, []),
    (34, ["stub-count-mismatch", "stub-discrepancy-unresolved"]),
    (32, ["stub-count-mismatch", "stub-discrepancy-unresolved"]),
]


@pytest.mark.parametrize(("cards", "codes"), COUNTED)
def test_a_stub_counted_beside_a_waiting_stack_is_wrong_where_it_fits_neither_way(cards: int, codes: list[str]) -> None:
    """The round was called off for the count before the dealer's stack left the device; nobody said who misdealt."""
    seats = seat(1), seat(2), seat(3), seat(4)
    off = round_(*seats, irregularity=wrong("stub-count", finding="deck"))
    facts = day("UTH-MD", BOX, method="automated-shoe", rounds=[round_(*seats), off], dealer_stack="after-decisions")
    told = broken(facts, change("stub-counted", round=2, to={"cards": cards}), drop("misdeal-determined"))
    found = {one.code for one in verified(told)} - {"round-voided-without-cause"}
    assert sorted(found) == codes


def test_the_marker_skips_what_nobody_records_as_empty() -> None:
    rounds = [round_(seat(1), seat(3)) for _ in range(4)]
    facts = day("FAH", {"marker_skips_empty": True}, rounds=rounds, unrecorded=("player-seated",))
    assert [(one.code, one.says) for one in verified(facts)] == []


def test_a_shuffler_may_have_been_put_right_where_nobody_records_that() -> None:
    two = {"shuffler": "automated", "decks": 2}
    rounds = [round_(), round_(irregularity=wrong("jam", device="shuffler", deck="idle")), round_(), round_()]
    facts = day("COL", two, method="hand", rounds=rounds, unrecorded=("device-restored",))
    assert [(one.code, one.says) for one in verified(facts)] == []
