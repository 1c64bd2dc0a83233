"""Wagers settled in another order, by another procedure or at another time than prescribed."""

from functools import partial

from domain.facts.decisions import HandAnnounced, HandRevealed
from domain.facts.envelope import Fact
from domain.facts.payments import HandsCollected, WagerCollected, WagerPaid, WagerReturned
from domain.simulation.edits import move_after, move_before, swap, where
from domain.simulation.scripted import day, round_, seat
from tests.watch.harness import Case, Edit
from tests.watch.settled_how import after, edits

ORDER, PROCEDURE, TIME = "settlement-out-of-order", "settlement-procedure-wrong", "settlement-mistimed"

PAIR = {"dealer": "7c 7d", "community": "Kd 9c 4h 2s Js"}
NO_PAIR = {"dealer": "Qc 3d", "community": "Kd 9c 4h 2s Js"}
MA_SEATS = (
    seat(1, "Kc 4d", "play", trips=500, cover_all=500),
    seat(3, "Ac Qs", "play", trips=500),
)
COVER = {"cover_all": True, "shuffler": "cover-all"}
MA = partial(day, "UTH-MA", COVER, rounds=[round_(*MA_SEATS, **PAIR)])
MA_BELOW = partial(day, "UTH-MA", COVER, rounds=[round_(*MA_SEATS, **NO_PAIR)])
HANDS = {"pair": 500, "two_pair": 500, "three_of_a_kind": 1000, "straight": 1000, "flush": 1500}
AWARDS = {"progressive": {"amount": 500, "house_awards": HANDS}}
MA_PROGRESSIVE = partial(
    day, "UTH-MA", AWARDS, rounds=[round_(seat(2, "Kc 4d", "play", trips=500, progressive=500), **PAIR)]
)
MD_SEATS = (seat(1, "Kc 4d", "play", trips=500, six_card=500), seat(3, "Ac Qs", "play", trips=500))
MD = partial(day, "UTH-MD", {"six_card_table": "A"}, method="automated-shoe", rounds=[round_(*MD_SEATS, **PAIR)])
MD_BELOW = partial(day, "UTH-MD", {"six_card_table": "A"}, method="automated-shoe", rounds=[round_(*MD_SEATS, **NO_PAIR)])  # fmt: skip
MD_PROGRESSIVE = partial(
    day,
    "UTH-MD",
    {"progressive": {"table": "B"}},
    rounds=[round_(seat(2, "Kc Ks", "play", trips=500, progressive=500), dealer="7c 7d", community="Kd 9c 4h 2s Js")],
)
PIKIT = [
    round_(
        seat(2, "9h 9s 4c 4d Js", "play5", bonus3=500, selected="9h 9s Js"),
        seat(4, "As Ah 9d 8c 4h", "play3", bonus3=500, selected="As Ah 9d"),
        seat(6, "Jd Th 6c 3c 2d", "play5", bonus3=500, selected="Jd Th 6c"),
        dealer="Qs Qc 8d 5h 2s",
    )
]
PIK_1 = partial(day, "PIK", rounds=PIKIT)
PIK_2 = partial(day, "PIK", {"settlement_procedure": 2}, rounds=PIKIT)
FAH_NATURALS = partial(
    day,
    "FAH",
    rounds=[
        round_(
            seat(1, "7s 7d 7h 7c", "natural"),
            seat(2, "Kc Qd 6c 8s", "set", kept="Kc Qd"),
            seat(4, "Ah Jd 3c 5s", "set", kept="Ah Jd"),
            dealer="Qs Qc Qd Qh",
        )
    ],
)
COL = [
    round_(
        seat(1, "5c 6c 7c", "declare"), seat(2, "Ks 8d 2h", "play"), seat(4, "Qs 9d 2c", "play"), community="Td 9h 3s"
    )
]
REQUIRED = partial(day, "COL", rounds=COL)
PERMISSIBLE = partial(day, "COL", {"version": "permissible"}, rounds=COL)
TURN = (HandRevealed, HandAnnounced, WagerCollected, WagerPaid, WagerReturned, HandsCollected)


def of_the_showdown(fact: Fact, seat_: int) -> bool:
    """Whether this is part of a seat's turn when hands are compared."""
    return isinstance(fact, TURN) and fact.seat == seat_


def turn_after(first: int, then: int) -> Edit:
    """A seat's whole turn comes after another's."""
    return after(lambda fact: of_the_showdown(fact, first), lambda fact: of_the_showdown(fact, then))


def settled_after(seat_: int, wager: str, other: str) -> Edit:
    """One wager of a seat is settled after another of it."""
    return after(
        lambda fact: isinstance(fact, TURN[2:5]) and (fact.seat, fact.wager) == (seat_, wager),
        lambda fact: isinstance(fact, TURN[2:5]) and (fact.seat, fact.wager) == (seat_, other),
    )


LATE_TRIPS = after(
    lambda fact: isinstance(fact, TURN[2:5]) and (fact.seat, fact.wager) == (3, "trips"),
    lambda fact: isinstance(fact, TURN[2:5]) and (fact.seat, fact.wager) == (1, "ante"),
)
COVER_ALL_FIRST = move_before(where("wager-collected", seat=1, wager="cover_all"), where("hand-revealed", seat=1))
SECOND_HAND_FIRST = after(
    lambda fact: (
        isinstance(fact, HandRevealed | WagerCollected | WagerPaid | WagerReturned)
        and fact.seat == 4
        and getattr(fact, "wager", "") in ("", "bonus5")
    ),
    lambda fact: isinstance(fact, WagerPaid | WagerReturned) and (fact.seat, fact.wager) == (2, "bonus5"),
)

CASES = [
    Case("UTH-MA 10(h) s1", ORDER, MA, turn_after(3, 1)),
    Case("UTH-MD 11.H(2)", ORDER, MD, turn_after(3, 1)),
    Case("UTH-MA 10(g)", ORDER, MA_BELOW, turn_after(3, 1)),
    Case("UTH-MD 11.H(1)", ORDER, MD_BELOW, turn_after(3, 1)),
    Case("UTH-MA 10(h)(4) s1", ORDER, MA, settled_after(3, "play", "trips")),
    Case("UTH-MD 11.I(1)", ORDER, MD, settled_after(3, "play", "trips")),
    Case("UTH-MD 11.I(3)", ORDER, MD, settled_after(1, "trips", "six_card")),
    Case("UTH-MA 14(c)", ORDER, MA_PROGRESSIVE, settled_after(2, "trips", "progressive")),
    Case("UTH-MD 11.J", ORDER, MD_PROGRESSIVE, settled_after(2, "trips", "progressive")),
    Case("UTH-MA 10(h) s2", PROCEDURE, MA, LATE_TRIPS),
    Case("UTH-MD 11.H(2)(d)", PROCEDURE, MD, LATE_TRIPS),
    Case("UTH-MA 13(j)", TIME, MA, COVER_ALL_FIRST),
    Case("PIK 39.10(b)/s1", ORDER, PIK_1, swap(where("cards-selected", seat=6), where("cards-selected", seat=2))),
    Case("PIK 39.10(c)", ORDER, PIK_1, SECOND_HAND_FIRST),
    Case("PIK 39.10(b)/s3", TIME, PIK_1, move_after(where("wager-collected", seat=6, wager="bonus3"), where("hand-revealed", seat=6))),
    Case("PIK 39.10(c)2", TIME, PIK_1, move_after(where("wager-collected", seat=6, wager="bonus5"), where("decision-made", seat=6))),
    Case("PIK 39.10(e); PIK 39.10(e)1", PROCEDURE, PIK_1, swap(where("hand-announced", seat=6), where("hand-announced", seat=2))),
    Case("PIK 39.10(e); PIK 39.10(e)1", PROCEDURE, PIK_1, move_after(where("wager-collected", seat=6, wager="ante"), where("wager-paid", seat=4, wager="ante"))),
    Case("PIK 39.10(e)1", PROCEDURE, PIK_1, move_after(where("hand-announced", seat=2), where("wager-collected", seat=6, wager="ante"))),
    Case("PIK 39.10(e); PIK 39.10(e)2", PROCEDURE, PIK_2, turn_after(6, 2)),
    Case("PIK 39.10(e)2", PROCEDURE, PIK_2, move_after(where("wager-collected", seat=6, wager="ante"), where("hand-announced", seat=4))),
    Case("FAH (h)(8)/s1", ORDER, FAH_NATURALS, swap(where("wager-collected", seat=4), where("wager-collected", seat=2))),
    Case("FAH (h)(2)/s2", TIME, FAH_NATURALS, edits(
        move_after(where("wager-paid", seat=1), where("hand-revealed", seat=None)),
        move_after(where("wager-returned", seat=1), where("wager-paid", seat=1)),
    )),
    Case("COL 10(d)", ORDER, REQUIRED, turn_after(4, 2)),
    Case("COL 10(d)(2)", ORDER, REQUIRED, turn_after(4, 2)),
    Case("COL 11(d)", ORDER, PERMISSIBLE, turn_after(4, 2)),
    Case("COL 11(d)(2)", ORDER, PERMISSIBLE, turn_after(4, 2)),
    Case("COL 10(b)(3)(i)/s4", TIME, REQUIRED, edits(
        move_after(where("wager-paid", seat=1), where("community-revealed")),
        move_after(where("wager-returned", seat=1), where("wager-paid", seat=1)),
    )),
    Case("COL 11(b)(2)(i)/s4", TIME, PERMISSIBLE, edits(
        move_after(where("wager-paid", seat=1), where("community-revealed")),
        move_after(where("wager-returned", seat=1), where("wager-paid", seat=1)),
    )),
]  # fmt: skip
