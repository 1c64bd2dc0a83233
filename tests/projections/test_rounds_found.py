"""A round by any handle a user has of it."""

from datetime import date

import pytest

from projections.questions.asking import AskedWronglyError, NothingFitsError
from projections.questions.rounds import Handle, find_rounds
from projections.questions.story import round_story
from tests.projections.hand_made import HandMade, at

EVENING = date(2026, 11, 18)
FINDING = "0123456789abcdef0123"
STRETCH = "3210fedcba9876543210"


def _floor() -> HandMade:
    """Two tables in Maryland, five hours behind UTC; the evening's rounds begin after midnight UTC."""
    made = HandMade()
    for table, day in (("T7", "2026-11-17"), ("T7", "2026-11-18"), ("T8", "2026-11-18")):
        made.put("tables", table=table, gaming_day=date.fromisoformat(day), zone="America/New_York", book="UTH-MD")
    clock = {1: "14:09", 2: "14:12", 3: "02:08", 4: "02:11", 5: "02:45"}  # 9:09 and 9:12 am, 9:08, 9:11, 9:45 pm
    for number, began in clock.items():
        day = EVENING if number < 3 else date(2026, 11, 19)
        times = {"began_at": at(began, day), "ended_at": at(began + ":50", day)}
        for table in ("T7", "T8"):
            made.put("rounds", table=table, round=number, hands=2, dealer_hand="Kd Qs", **times)
            for seat, player, cards in ((1, "p-1", "Ah Kh"), (2, "p-2", f"{number + 1}c {number + 2}d")):
                person = player if table == "T7" else f"{player}-elsewhere"
                made.put("hands", table=table, round=number, seat=seat, player=person, cards=cards)
            made.put("hands", table=table, round=number, seat=0, player="", cards="Kd Qs")
    made.put("rounds", table="T7", gaming_day=date(2026, 11, 17), round=3, hands=1)
    made.put("hands", table="T7", gaming_day=date(2026, 11, 17), round=3, seat=1, player="p-1", cards="2c 2d")
    made.put("findings", finding=FINDING, round=4, seat=2, code="wager-overpaid", table="T8")
    made.put("findings", finding="f" * 20, code="opener-differs")
    made.put("findings", finding=STRETCH, round=2, to_round=4, code="shuffle-missing", table="T8")
    return made


# handle, the rounds it finds, nearest or newest first
FOUND = [
    ({"named": "T7/2026-11-18:4"}, "T7/2026-11-18:4"),
    ({"table": "T7", "round": 4}, "T7/2026-11-18:4"),
    ({"named": "T7", "round": 4}, "T7/2026-11-18:4"),
    ({"table": "T7", "round": 3, "day": date(2026, 11, 17)}, "T7/2026-11-17:3"),
    ({"table": "T7", "about": "about ten past nine pm"}, "T7/2026-11-18:4 T7/2026-11-18:3"),
    ({"table": "T7", "about": "ten past nine"}, "T7/2026-11-18:1 T7/2026-11-18:4 T7/2026-11-18:3 T7/2026-11-18:2"),
    ({"table": "T7", "about": "21:40"}, "T7/2026-11-18:5"),
    ({"player": "p-1", "about": "21:46"}, "T7/2026-11-18:5"),
    (
        {"player": "p-1"},
        "T7/2026-11-18:5 T7/2026-11-18:4 T7/2026-11-18:3 T7/2026-11-18:2 T7/2026-11-18:1 T7/2026-11-17:3",
    ),
    ({"player": "p-1", "day": date(2026, 11, 17)}, "T7/2026-11-17:3"),
    ({"player": "p-2", "card": "5c"}, "T7/2026-11-18:4"),
    ({"table": "T8", "card": "5C"}, "T8/2026-11-18:4"),
    ({"table": "T8", "card": "5d", "seat": 2}, "T8/2026-11-18:3"),
    ({"finding": FINDING}, "T8/2026-11-18:4"),
    ({"named": FINDING}, "T8/2026-11-18:4"),
    ({"named": STRETCH}, "T8/2026-11-18:2 T8/2026-11-18:3 T8/2026-11-18:4"),
]


@pytest.mark.parametrize(("handle", "found"), FOUND, ids=[str(row[0]) for row in FOUND])
def test_a_handle_finds_its_rounds(handle: dict[str, object], found: str) -> None:
    with _floor() as made:
        told = find_rounds(made, Handle(**handle))
    assert " ".join(f"{each.stream}:{each.round}" for each in told) == found


def test_a_round_left_open_is_found_by_the_time_it_began() -> None:
    with _floor() as made:
        made.put("rounds", table="T7", round=6, hands=1, began_at=at("03:30", date(2026, 11, 19)), ended_at=None)
        told = find_rounds(made, Handle(table="T7", about="22:32"))
    assert [(each.round, each.seconds_away) for each in told] == [(6, 120)]


# handle, what is said
WRONG = [
    ({"named": "T7 round 4"}, AskedWronglyError, "write a round like T7/2026-11-18:212"),
    ({"named": "T7/2026-13-18:4"}, AskedWronglyError, "write it like 2026-11-18"),
    ({"card": "Ah"}, AskedWronglyError, "name a table"),
    ({"table": "T7", "card": "11h"}, AskedWronglyError, "is not a card"),
    ({"table": "T7", "about": "later"}, AskedWronglyError, "write 21:10"),
    ({"table": "T9"}, NothingFitsError, "there are T7, T8"),
    ({"table": "T7", "round": 40}, NothingFitsError, "has rounds 1 to 5"),
    ({"table": "T7", "day": date(2026, 11, 19)}, NothingFitsError, "its last ones are 2026-11-17, 2026-11-18"),
    ({"table": "T7", "about": "23:59"}, NothingFitsError, "no round within ten minutes"),
    ({"player": "p-9"}, NothingFitsError, "no hand of player p-9"),
    ({"finding": "0" * 20}, NothingFitsError, "there is no finding"),
    ({"finding": "f" * 20}, NothingFitsError, "not about a round"),
]


@pytest.mark.parametrize(("handle", "error", "says"), WRONG, ids=[str(row[0]) for row in WRONG])
def test_what_fits_nothing_says_what_there_is(handle: dict[str, object], error: type[Exception], says: str) -> None:
    with _floor() as made, pytest.raises(error, match=says):
        find_rounds(made, Handle(**handle))


def test_a_round_is_told_whole() -> None:
    with _floor() as made:
        made.rows(
            "wagers",
            """
            seat wager staked_cents back_cents owed_cents difference_cents clause
            2    trips 500          3000       2500       500              UTH-MD-12.C
            2    ante  500          1000       1000       0                UTH-MD-12.A
            """,
            table="T8",
            round=4,
        )
        made.rows(
            "cards",
            """
            place  seat number card sequence
            seat   2    1      5c   41
            dealer 0    1      Kd   43
            seat   2    2      6d   42
            """,
            table="T8",
            round=4,
        )
        made.put("handling", table="T8", round=4, sequence=30, what="shuffle-completed", device="shuffler-8")
        made.put("handling", table="T8", round=3, sequence=20, what="shuffle-completed", device="shuffler-8")
        told = round_story(made, "T8/2026-11-18", 4)
    assert told.round.dealer_hand == "Kd Qs"
    assert [(hand.seat, hand.cards) for hand in told.hands] == [(0, "Kd Qs"), (1, "Ah Kh"), (2, "5c 6d")]
    assert [(wager.wager, wager.difference_cents) for wager in told.wagers] == [("ante", 0), ("trips", 500)]
    assert [card.card for card in told.cards] == ["5c", "6d", "Kd"]
    assert [each.sequence for each in told.handling] == [30]
    assert {each.finding for each in told.findings} == {FINDING, STRETCH}


@pytest.mark.parametrize(("number", "found"), [(1, []), (2, [STRETCH]), (3, [STRETCH]), (5, [])])
def test_each_round_of_a_stretch_shows_its_finding(number: int, found: list[str]) -> None:
    with _floor() as made:
        told = round_story(made, "T8/2026-11-18", number)
    assert [each.finding for each in told.findings] == found
    assert {(each.round, each.to_round) for each in told.findings} <= {(2, 4)}
