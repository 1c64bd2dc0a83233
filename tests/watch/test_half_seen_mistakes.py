"""Mistakes at tables that see only a part: what is found of them is so, and nothing follows from what nobody saw."""

from typing import Any

import pytest

from domain.facts.words import Book
from domain.simulation.edits import Edit, broken, change, drop, insert_after, insert_before, said, where
from domain.simulation.plans import RoundPlan
from domain.simulation.scripted import day, round_, seat, wrong
from tests.watch.harness import verified
from tests.watch.settled_how import taken

ONE_PLAYER = round_(*(seat(number, acts="play5", player="one") for number in (1, 2, 3)))
SELECTS = round_(seat(1, "Kc 9c 3c Qh Qd", "play5", selected="Kc 9c 3c", bonus3=500), seat(2))
ROYAL = round_(seat(2, "As Ks 2c", "bet", ante=80_000, bet=80_000), seat(3), community="Qs Js Ts", unlawful=True)
BLIND = round_(
    seat(2, "As Ks", "play", ante=60_000), seat(3), dealer="7c 2d", community="Qs Js Ts 3d 9h", unlawful=True
)
CUT_WITH_THE_ANTE = round_(
    seat(2, "9s 8s", "check check play", ante=97_500),
    seat(3),
    dealer="Kc Kd",
    community="Qs Js Ts 3d 9h",
    unlawful=True,
)
TRIPS_TOO = round_(
    seat(2, "As Ks", "play", ante=60_000, trips=500),
    seat(3),
    dealer="7c 2d",
    community="Qs Js Ts 3d 9h",
    unlawful=True,
)
KICKER = round_(seat(2, "Kc 8d", "play"), dealer="Ks 7d", community="Kd 4h 3s 2c 2d")
DECLARES = round_(seat(2, "5c 6c 7c", "declare"), seat(3))
SHORT = round_(seat(1), seat(2), irregularity=wrong("stub-count", finding="not whole"))
PLAYED = round_(seat(1), seat(2))
CAP = {"version": "permissible", "payout_cap": 5_000_000}
IN_FULL = {"cents": 80_000 * 500}  # what a royal flush pays where there is no limit
BET_TOO = (
    insert_before(where("natural-confirmed", seat=2), said("wager-placed", 2, "bet", 1_000, area="bet")),
    insert_after(where("natural-confirmed", seat=2), said("wager-returned", 2, "bet", 1_000)),
)
NINES = round_(
    seat(1, "Ac 2d", "play", cover_all=500), seat(2, "Jc 3d", "play"), dealer="Qc 4d", community="9c 9d 9h 9s Kd"
)
OFFERS_COVER_ALL = {"cover_all": True, "shuffler": "cover-all"}
TWO_HANDS_ODDS = change("wager-paid", seat=1, wager="cover_all", to={"cents": 35_000})  # by the column of two hands
TURNED_UP_UNREAD = (
    change("hand-revealed", to={"cards": ()}),
    *(change("hands-collected", of=place, to={"cards": ()}) for place in ("seat", "dealer")),
)
LEFT_LYING = (drop("wager-paid", seat=1), drop("wager-returned", seat=1))

# what is wrong | book | options | the round | what is not seen | the mistake | codes with a clause, of all that is found
Row = tuple[str, Book, dict[str, Any], RoundPlan, dict[str, Any], tuple[Edit, ...], dict[str, str]]
# fmt: off
ROWS: list[Row] = [
    ("another player's play in the middle of three positions", "PIK", {"max_positions": 3}, ONE_PLAYER, {},
     (change("wager-placed", seat=2, wager="play5", to={"player": "passer-by"}),), {"wager-unseated": "PIK 39.3(d)/s1"}),
    ("a hand left lying before a dealer whose cards nobody read", "FAH", {}, PLAYED, {"reading": "none"},
     (drop("hands-collected", seat=1),), {"cards-not-collected": "FAH (h)(12)/s2"}),
    ("three cards selected and five others shown", "PIK", {"bonus3_table": 1}, SELECTS, {},
     (change("cards-selected", seat=1, to={"cards": ("Kc", "9c", "4s")}),),
     {"selection-invalid": "PIK 39.10(b)/s2", "deck-composition-wrong": "PIK 39.2(a)/s1"}),
    ("the same, the deal unread", "PIK", {"bonus3_table": 1}, SELECTS, {"reading": "shown"},
     (change("cards-selected", seat=1, to={"cards": ("Kc", "9c", "4s")}),), {}),
    ("a limit passed by the ante, the bet unseen", "COL", CAP, ROYAL, {"unseen_wagers": ("bet",)},
     (change("wager-paid", seat=2, wager="ante", to=IN_FULL),), {}),
    ("a limit passed by the blind, the ante unseen", "UTH-MA", {}, BLIND, {"unseen_wagers": ("ante",)},
     (change("wager-paid", seat=2, wager="blind", to={"cents": 60_000 * 500}),), {}),
    ("a play that is cut because of an ante nobody saw, lawfully", "UTH-MA", {}, CUT_WITH_THE_ANTE,
     {"unseen_wagers": ("ante",)}, (), {}),
    ("trips that win nothing because of the ante, blind and play nobody saw", "UTH-MD", {"payout_cap": 7_500_000}, TRIPS_TOO,
     {"unseen_wagers": ("ante", "blind", "play")}, (), {}),
    ("a play paid more than it can be owed", "UTH-MA", {}, CUT_WITH_THE_ANTE, {"unseen_wagers": ("ante",)},
     (change("wager-paid", seat=2, wager="play", to={"cents": 97_600}),), {"wager-overpaid": "UTH-MA 11(b)"}),
    ("Cover All paid by another column", "UTH-MA", OFFERS_COVER_ALL, NINES, {},
     (TWO_HANDS_ODDS,), {"wager-overpaid": "UTH-MA 13(k) column 3", "settlement-basis-wrong": "UTH-MA 13(c)"}),
    ("the same, no hand read", "UTH-MA", OFFERS_COVER_ALL, NINES, {"reading": "shown"},
     (TWO_HANDS_ODDS, *TURNED_UP_UNREAD), {"wager-overpaid": "UTH-MA 13(k) column 3"}),
    ("a better kicker's ante and play collected, the blind unseen", "UTH-MA", {}, KICKER, {"unseen_wagers": ("blind",)},
     (taken(2, "ante", 1000), taken(2, "play", 4000)), {"winner-collected": "UTH-MA 10(h)(2)"}),
    ("a bet on a hand declared", "COL", {"version": "required"}, DECLARES, {},
     BET_TOO, {"decision-conflicting": "COL 10(b)(3)(i)/s2"}),
    ("the same, decisions not recorded", "COL", {"version": "required"}, DECLARES, {"unrecorded": ("decision-made",)},
     BET_TOO, {}),
    ("a stub counted short, and nobody says why", "UTH-MA", {}, SHORT, {},
     (drop("misdeal-determined"),), {"stub-count-mismatch": "UTH-MA 1 (Stub)", "stub-discrepancy-unresolved": "UTH-MA 7(f)(2) s1"}),
    ("the same, burns not recorded", "UTH-MA", {}, SHORT, {"unrecorded": ("card-burned",)},
     (drop("misdeal-determined"),), {}),
]
# fmt: on


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_mistake_half_seen_is_found_as_what_it_is_or_not_at_all(row: Row) -> None:
    """With a clause of each finding."""
    _, book, options, plan, sight, edits, found = row
    raised = verified(broken(day(book, options, rounds=[plan], **sight), *edits))
    assert {one.code for one in raised} == set(found), [one.says for one in raised]
    assert all(found[one.code] in one.clauses for one in raised), [one.clauses for one in raised]


def test_a_wager_left_lying_without_a_card_seen_is_not_said_to_be_decided_by_the_cards() -> None:
    """The settlement of the wager is missing all the same."""
    facts = broken(day("FAH", rounds=[PLAYED], reading="none"), *LEFT_LYING)
    (raised,) = verified(facts)
    assert (raised.code, raised.expected_cents) == ("wager-unsettled", None)
    assert raised.says == "Seat 1's original wager was left on the layout; it had to be settled before the round ended."
