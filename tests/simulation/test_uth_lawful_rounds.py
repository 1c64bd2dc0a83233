"""Lawful rounds of Ultimate Texas Hold'em: what the dealer moved is what settlement owes, by every dealing method."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from domain.facts import deal, payments
from domain.facts.codec import decode, encode, name_of
from domain.facts.wagers import WagerPlaced
from domain.rulebooks import house, newest
from domain.settlement import settle
from domain.simulation.plans import RoundPlan
from domain.simulation.scripted import day, round_, seat
from tests.simulation.told import closer_owed, recorded, rounds_of

# book | method | options | how the table is set up besides
TABLES: dict[str, tuple[str, str, dict[str, Any], dict[str, Any]]] = {
    "ma shoe": ("UTH-MA", "manual-shoe", {}, {}),
    "ma shoe, coupons kept by the player": ("UTH-MA", "manual-shoe", {"match_play": {"returned_on_win": True}}, {}),
    "ma shoe, preinspected": ("UTH-MA", "manual-shoe", {"trips_table": "D"}, {"preinspected": True}),
    "ma hand, two decks": ("UTH-MA", "hand", {"decks": 2, "shuffler": "automated", "trips_table": "B"}, {}),
    "ma automated": ("UTH-MA", "automated-shoe", {"shuffler": "automated"}, {}),
    "ma automated, shuffled by hand": ("UTH-MA", "automated-shoe", {"trips_table": "C"}, {}),
    "ma cover all": ("UTH-MA", "hand", {"shuffler": "cover-all", "cover_all": True}, {}),
    "ma progressive": (
        "UTH-MA",
        "manual-shoe",
        {"progressive": {"house_awards": {"three_of_a_kind": 2500, "straight": 5000, "flush": 7500}}},
        {},
    ),
    "ma progressive without awards": ("UTH-MA", "manual-shoe", {"progressive": {}}, {}),
    "md shoe": ("UTH-MD", "manual-shoe", {"blind_table": "B", "trips_table": "E"}, {}),
    "md shoe, preshuffled": ("UTH-MD", "manual-shoe", {}, {"preshuffled": True}),
    "md shoe, counting shuffler loads it": (
        "UTH-MD",
        "manual-shoe",
        {"shuffler": "counting"},
        {"shuffler_loads_shoe": True},
    ),
    "md hand, two decks": ("UTH-MD", "hand", {"decks": 2, "shuffler": "automated"}, {}),
    "md hand, side wagers": (
        "UTH-MD",
        "hand",
        {
            "shuffler": "counting",
            "ultimate_pairs_table": "B",
            "bad_beat_table": "A",
            "play_board_table": "C",
            "progressive": {"table": "B"},
        },
        {"contribution_percent": {"major": 20, "minor": 10}},
    ),
    "md automated, dealer first": (
        "UTH-MD",
        "automated-shoe",
        {"six_card_table": "A", "shuffler": "counting", "progressive": {"table": "A"}},
        {"dealer_stack": "at-deal", "contribution_percent": {"main": 25}},
    ),
    "md automated, dealer last": (
        "UTH-MD",
        "automated-shoe",
        {"six_card_table": "B", "ultimate_pairs_table": "B", "progressive": {"table": "D"}},
        {"dealer_stack": "after-decisions"},
    ),
    "md automated, shoe reshuffles and counts": ("UTH-MD", "automated-shoe", {}, {"shoe_reshuffles": True}),
    "md automated, no box": ("UTH-MD", "automated-shoe", {"payout_cap": 5_000_000}, {}),
}
SIDE = {
    "cover_all": "cover_all",
    "six_card": "six_card_table",
    "ultimate_pairs": "ultimate_pairs_table",
    "bad_beat": "bad_beat_table",
    "play_the_board": "play_board_table",
}


def any_round(book: str, options: dict[str, Any], chance: Random) -> RoundPlan:
    """A random lawful round: who sits where, which of the wagers on offer they make, how the cards lie."""
    seats = []
    for number in sorted(chance.sample(range(1, 7), chance.randint(1, 6))):
        ante = chance.choice((500, 1_000, 1_500, 2_500))
        placed = {"ante": ante, "blind": ante}
        if chance.random() < 0.6:
            placed["trips"] = chance.choice((500, 1_000))
        for wager, option in SIDE.items():
            if options.get(option) and chance.random() < 0.5 and (wager != "six_card" or "trips" in placed):
                placed[wager] = 500
        if "progressive" in options and (book == "UTH-MD" or "trips" in placed) and chance.random() < 0.6:
            placed["progressive"] = 500 if book == "UTH-MA" else chance.choice((100, 500))
        coupons = {"ante": ante} if book == "UTH-MA" and chance.random() < 0.3 else {}
        seats.append(seat(number, coupons=coupons, **placed))
    order = list(range(52))
    chance.shuffle(order)
    return RoundPlan(tuple(seats), order=tuple(order))


@pytest.mark.parametrize("name", TABLES)
def test_what_moved_is_what_settlement_owes(name: str) -> None:
    """Every wager of a day of random rounds gets what the rule book says, and the tray ends where it must."""
    book, method, options, setup = TABLES[name]
    chance = Random(name)  # noqa: S311 - the same cards every time
    plans = [any_round(book, options, chance) for _ in range(24)]
    facts = day(book, options, method=method, rounds=plans, **setup)  # type: ignore[arg-type]
    here = house(newest(book), options, method)
    meters = dict(facts[0].meters_cents)  # type: ignore[attr-defined]
    told = rounds_of(facts)
    assert len(told) == len(plans)
    for one in told:
        for fact in one.facts:
            if type(fact).__name__ == "MeterIncremented":
                meters[fact.meter] += fact.by_cents  # type: ignore[attr-defined]
        owed = settle(here, one.played(book, meters=meters or None))
        for number, outcomes in owed.seats.items():
            for wager, outcome in outcomes.items():
                want = outcome.returned if outcome.returned is not None else one.staked[number, wager]
                assert one.got[number, wager] == want, (name, number, wager, one.facts[0].round)
        meters = dict(owed.meters_after or meters)
    assert facts[-1].meters_cents == meters  # type: ignore[attr-defined]
    closed = next(fact for fact in facts if type(fact).__name__ == "InventoryCounted")
    assert closed.cents == closer_owed(facts)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", TABLES)
def test_a_day_goes_through_the_writer(name: str) -> None:
    """Each fact decodes to itself, is said after the one before it by a key of its own, and gets its place."""
    book, method, options, setup = TABLES[name]
    facts = day(book, options, method=method, rounds=6, **setup)  # type: ignore[arg-type]
    assert all(decode(encode(fact)) == fact for fact in facts)
    assert all(one.at <= other.at for one, other in pairwise(facts))
    assert len({(fact.source, fact.source_key) for fact in facts}) == len(facts)
    assert len(recorded(facts)) == len(facts)


@pytest.mark.parametrize("name", TABLES)
def test_every_card_is_somewhere(name: str) -> None:
    """The cards dealt, burned and left over are a whole deck; a count of the stub counts the cards left."""
    book, method, options, setup = TABLES[name]
    chance = Random(name)  # noqa: S311 - the same cards every time
    plans = [any_round(book, options, chance) for _ in range(6)]
    facts = day(book, options, method=method, rounds=plans, **setup)  # type: ignore[arg-type]
    for one in rounds_of(facts):
        dealt = [card for held in one.cards.values() for card in held]
        dealt += [fact.card for fact in one.of(deal.CardBurned)]  # type: ignore[attr-defined]
        assert len(set(dealt)) == len(dealt)
        for fact in one.of(payments.StubCounted):
            assert fact.cards == 52 - len(dealt)  # type: ignore[attr-defined]


def test_a_round_left_to_itself_is_always_the_same() -> None:
    assert day("UTH-MD", rounds=3) == day("UTH-MD", rounds=3)


def test_cards_lie_where_the_plan_puts_them() -> None:
    """Hands by place come out of the deck at their places, whatever the dealing method."""
    plan = round_(seat(2, "Ah Kd", "check check play"), dealer="7c 2d", community="Kc 9d 4h 2s 7s", box="3c 3d 3h 3s")
    for method, options in (
        ("manual-shoe", {}),
        ("hand", {"shuffler": "automated"}),
        ("automated-shoe", {"six_card_table": "A"}),
    ):
        (one,) = rounds_of(day("UTH-MD", options, method=method, rounds=[plan]))  # type: ignore[arg-type]
        assert one.cards["seat", 2] == ["Ah", "Kd"]
        assert one.cards["dealer", None] == ["7c", "2d"]
        assert one.cards["community", None] == ["Kc", "9d", "4h", "2s", "7s"]
        assert one.cards["box", None] == (["3c", "3d", "3h", "3s"] if method == "automated-shoe" else [])


def test_the_usual_round_has_a_winner_a_fold_a_trips_and_a_loser() -> None:
    (one,) = rounds_of(day("UTH-MD"))
    assert {place: one.got[place] - cents for place, cents in one.staked.items()} == {
        (1, "ante"): 1_000, (1, "blind"): 0, (1, "play"): 4_000,
        (3, "ante"): -1_000, (3, "blind"): -1_000,
        (4, "ante"): 1_000, (4, "blind"): 0, (4, "play"): 2_000, (4, "trips"): 1_500,
        (5, "ante"): -1_000, (5, "blind"): -1_000, (5, "play"): -1_000,
    }  # fmt: skip


def test_a_day_of_another_pay_table_begins_with_meters_of_its_own() -> None:
    """The meters that this table does not have stay with the day before."""
    played = round_(seat(1, progressive=500))
    before = {"major": 240_000, "minor": 31_000}
    facts = day("UTH-MD", {"progressive": {"table": "A"}}, rounds=[played], meters_cents=before)
    assert facts[0].meters_cents == {"main": 1_000_000}  # type: ignore[attr-defined]


def test_two_royals_take_one_meter_after_the_other() -> None:
    """UTH-MD 12.D(4): the first to be settled takes it all, the next what it fell back to; envy for both."""
    board = round_(
        seat(1, "2c 2d", "check check play", progressive=500),
        seat(5, "6c 6d", "check check play", progressive=100),
        community="As Ks Qs Js Ts",
        dealer="9h 9d",
    )
    facts = day("UTH-MD", {"progressive": {"table": "A"}}, rounds=[board], meters_cents={"main": 2_500_000})
    (one,) = rounds_of(facts)
    told = [
        (type(f).__name__, f.seat if hasattr(f, "seat") else 0, f.cents) for f in one.facts if name_of(f) in METERED
    ]  # type: ignore[attr-defined]
    assert told == [
        ("WagerPaid", 5, 2_500_000),
        ("MeterReset", 0, 1_000_000),
        ("WagerPaid", 1, 1_000_000),
        ("MeterReset", 0, 1_000_000),
        ("WagerPaid", 5, 100_000),
        ("WagerPaid", 1, 500_000),
    ]
    assert [(f.seat, f.what, f.by) for f in one.of(payments.AwardVerified)][:3] == [  # type: ignore[attr-defined]
        (5, "hand", "dealer"),
        (5, "light", "dealer"),
        (5, "payout", "floorperson"),
    ]


METERED = ("wager-paid.1", "meter-reset.1", "meter-read.1")


def test_a_player_who_leaves_is_settled_as_the_house_has_it() -> None:
    """UTH-MD 7.C(2): a permission; where the operator did not choose it the cards decide."""
    plan = round_(seat(2, "Ah Ad", "check leave"), seat(3, "2c 7d", "check check fold"), community="Kc 9d 4h 2s 7s")
    for lose, returned in ((True, 0), (False, 2_000)):
        (one,) = rounds_of(day("UTH-MD", {"abandoned_wagers_lose": lose}, rounds=[plan]))
        owed = settle(house(newest("UTH-MD"), {"abandoned_wagers_lose": lose}), one.played("UTH-MD"))
        assert one.got[2, "ante"] == (owed.seats[2]["ante"].returned or 0) == returned
        assert ("abandoned" in {f.reason for f in one.of(payments.WagerCollected)}) == lose  # type: ignore[attr-defined]


def test_the_highest_hand_stays_open_for_cover_all() -> None:
    """UTH-MA 13(h)a, 13(i), 13(j): a straight and above, until a higher one is found, until Cover All is reconciled."""
    plan = round_(
        seat(1, "6h 5h", "play", cover_all=500),
        seat(2, "Ac Ad", "play"),
        seat(3, "Jh Td", "play"),
        seat(4, "6d 5d", "play"),
        community="9c 8d 7h 2s Kc",
        dealer="Kd Qs",
    )
    facts = day("UTH-MA", {"shuffler": "cover-all", "cover_all": True}, method="hand", rounds=[plan])
    (one,) = rounds_of(facts)
    told = [
        f
        for f in one.facts
        if name_of(f) in ("hands-collected.1", "hand-revealed.1") or getattr(f, "wager", "") == "cover_all"
    ]
    assert [(type(f).__name__, getattr(f, "seat", None)) for f in told if not isinstance(f, WagerPlaced)] == [
        ("HandRevealed", None),
        ("HandRevealed", 4),
        ("HandRevealed", 3),
        ("HandsCollected", 4),
        ("HandRevealed", 2),
        ("HandsCollected", 2),
        ("HandRevealed", 1),
        ("HandsCollected", 1),
        ("RulingGiven", 1),
        ("WagerCollected", 1),
        ("HandsCollected", 3),
        ("HandsCollected", None),
        ("HandsCollected", None),
    ]


def test_an_unlawful_plan_is_dealt_when_it_says_so() -> None:
    """For those who want to see what a wager no dealer should have let stand leads to."""
    (one,) = rounds_of(day("UTH-MD", rounds=[round_(seat(1, ante=500, blind=1_000), unlawful=True)]))
    assert one.staked[1, "blind"] == 1_000
