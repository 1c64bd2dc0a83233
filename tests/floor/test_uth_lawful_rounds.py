"""Lawful rounds of Ultimate Texas Hold'em: what the dealer moved is what settlement owes, by every dealing method."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from domain.facts import deal, payments
from domain.facts.codec import decode, encode
from domain.floor.plans import RoundPlan
from domain.floor.scripted import day, round_, seat
from domain.rulebooks import house
from domain.settlement import settle
from tests.floor.told import closer_owed, recorded, rounds_of

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
    here = house(book, options, method)
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
    """What was dealt, burned and left over is a whole deck; whoever counts a stub counts what is left."""
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
