"""Lawful rounds of Pik-it, Fast Action and Colorado: what the dealer moved is what settlement owes, by every method."""

from random import Random
from typing import Any

import pytest

from domain.facts import deal, decisions, payments
from domain.facts.codec import decode, encode
from domain.facts.envelope import Fact
from domain.facts.words import Book, Dealing
from domain.rulebooks import House, house, newest
from domain.settlement import settle
from domain.simulation.plans import RoundPlan, SeatPlan
from domain.simulation.scripted import day, round_, seat
from tests.simulation.cases import plan_of, undealable, written
from tests.simulation.told import Told, closer_owed, recorded, rounds_of
from tests.simulation.told_of_three import ToldOfThree

THREE: tuple[Book, ...] = ("PIK", "FAH", "COL")
MACHINE = {"shuffler": "automated"}
TWO_DECKS = {"shuffler": "automated", "decks": 2}
COUNTING = {"shuffler": "counting"}

# book | method | options | how the table is set up besides
TABLES: dict[str, tuple[Book, Dealing, dict[str, Any], dict[str, Any]]] = {
    "pik shoe": ("PIK", "manual-shoe", {}, {}),
    "pik shoe, procedure 2, tables 2": (
        "PIK",
        "manual-shoe",
        {"settlement_procedure": 2, "bonus5_table": 2, "bonus3_table": 2},
        {"preinspected": True},
    ),
    "pik shoe, the dealer qualifies, preshuffled": (
        "PIK",
        "manual-shoe",
        {"dealer_qualifies": True, "bonus3_table": 3},
        {"preshuffled": True},
    ),
    "pik shoe, play 3 doubled, coupons go back": (
        "PIK",
        "manual-shoe",
        {"play3_multiple": 2, "match_play": {"returned_on_win": True}, **COUNTING},
        {"shuffler_loads_shoe": True},
    ),
    "pik hand, play 5 doubled, two decks": (
        "PIK",
        "hand",
        {"dealer_qualifies": True, "play5_multiple": 2, **TWO_DECKS},
        {},
    ),
    "pik automated, stack at the deal": (
        "PIK",
        "automated-shoe",
        {"dealer_stack_delivery": "at-deal", "max_positions": 3, **MACHINE},
        {},
    ),
    "pik automated, stack after decisions": (
        "PIK",
        "automated-shoe",
        {"dealer_stack_delivery": "after-decisions", "settlement_procedure": 2, "dealer_qualifies": True},
        {},
    ),
    "fah six decks": ("FAH", "manual-shoe", {}, {}),
    "fah eight decks, copies push": (
        "FAH",
        "manual-shoe",
        {"decks": 8, "copy_hand_rule": "push", "marker_skips_empty": True},
        {},
    ),
    "fah batches": (
        "FAH",
        "manual-shoe",
        {"shuffler": "batch", "house_way": {"viii": "high-only"}, "surrender_rounding": "player"},
        {"shuffler_loads_shoe": True},
    ),
    "fah continuous": (
        "FAH",
        "continuous-shoe",
        {"shuffler": "continuous", "house_way": {"ix": "high-only"}, "surrender_rounding": "house"},
        {},
    ),
    "col shoe, required": ("COL", "manual-shoe", {}, {}),
    "col shoe, permissible": ("COL", "manual-shoe", {"version": "permissible"}, {"preinspected": True}),
    "col hand, permissible, tens pay, two decks": (
        "COL",
        "hand",
        {"version": "permissible", "v2_pair_of_tens": "pay", "max_positions": 2, **TWO_DECKS},
        {},
    ),
    "col hand, no bonus": ("COL", "hand", {"bonus_offered": False, **COUNTING}, {}),
    "col automated, capped, ace low": (
        "COL",
        "automated-shoe",
        {"payout_cap": 5_000_000, "instant_winner_ace_low": True, "fold_bonus": "return"},
        {"preshuffled": True},
    ),
    "col automated, wrong declarations collect": (
        "COL",
        "automated-shoe",
        {"erroneous_declaration_bonus": "collect", **MACHINE},
        {},
    ),
}
ACTS = {
    "PIK": ("play3", "play5", "play5", "fold", "leave"),
    "FAH": ("set", "set", "split", "surrender", "leave"),
    "COL": ("play", "bet", "fold", "declare", "leave"),
}


def any_round(law: House, chance: Random) -> RoundPlan:
    """A random lawful round: who sits where, which wagers they make, what they do."""
    book, seats = law.book.book, []
    for number in sorted(chance.sample(range(1, 7), chance.randint(1, 6))):
        stake = chance.choice((500, 1_000, 1_525, 2_500))
        placed = {"original" if book == "FAH" else "ante": stake}
        if book == "PIK" and chance.random() < 0.6:
            placed["bonus3"] = chance.choice((100, 500))
        if book == "COL" and law["bonus_offered"] and chance.random() < 0.6:
            placed["bonus"] = 100
        coupons = {next(iter(placed)): 500} if book != "FAH" and chance.random() < 0.2 else {}
        act = chance.choice(ACTS[book]) if chance.random() < 0.6 else ""
        if act == "fold" and book == "COL" and law["version"] == "permissible":
            act = "bet"
        seats.append(SeatPlan(number, placed, acts=(act,) if act else (), player=f"player-{number}", coupons=coupons))
    order = chance.sample(range(52), 52) if book != "FAH" else []
    return round_(*seats, order=_texts(order), ruled=chance.choice(("returned", "stands")))


def _texts(order: list[int]) -> str:
    return " ".join(f"{'23456789TJQKA'[card >> 2]}{'cdhs'[card & 3]}" for card in order)


def owed(law: House, told: Told, plan: RoundPlan) -> dict[tuple[int, str], int | None]:
    """Settlement of the round from its facts; None if only a ruling decides."""
    played = ToldOfThree(told).played(law.book.book, plan.irregularity)
    settlement = settle(law, played)
    return {(at, wager): out.returned for at, held in settlement.seats.items() for wager, out in held.items()}


def whole_day(name: str, plans: list[RoundPlan]) -> list[Fact]:
    book, method, options, setup = TABLES[name]
    return day(book, options, method=method, rounds=plans, **setup)


@pytest.mark.parametrize("name", TABLES)
def test_a_lawful_day_pays_what_settlement_owes_and_goes_through_the_writer(name: str) -> None:
    """Thirty random rounds: each fact decodes, none is refused, each wager gets its due, the tray comes out right."""
    book, method, options, _ = TABLES[name]
    law = house(newest(book), options, method)
    chance = Random(name)  # noqa: S311 - a seed, so that a failure repeats
    plans = [any_round(law, chance) for _ in range(30)]
    facts = whole_day(name, plans)
    assert all(decode(encode(fact)) == fact for fact in facts)
    recorded(facts)
    told = rounds_of(facts)
    assert len(told) == len(plans)
    for number, (round_told, plan) in enumerate(zip(told, plans, strict=True), 1):
        due = owed(law, round_told, plan)
        assert set(round_told.moved) == set(round_told.staked), f"round {number}: a wager is left"
        for key, cents in due.items():
            if cents is not None:
                assert round_told.got[key] == cents, f"round {number}, {key}"
    assert getattr(facts[-1], "closer_cents") == closer_owed(facts)  # noqa: B009 - any fact may be last


@pytest.mark.parametrize("name", TABLES)
def test_every_card_that_was_dealt_leaves_the_table(name: str) -> None:
    """Hands, discards, burns, community cards and the dealer's are collected in each round, none twice."""
    book, method, options, _ = TABLES[name]
    law, chance = house(newest(book), options, method), Random(f"cards {name}")  # noqa: S311
    for told in rounds_of(whole_day(name, [any_round(law, chance) for _ in range(8)])):
        dealt = sum(len(held) for held in told.cards.values())
        taken = [*told.of(payments.HandsCollected), *told.of(decisions.DiscardsCollected)]
        assert sum(getattr(fact, "count", 0) for fact in taken) == dealt


@pytest.mark.parametrize("book", THREE)
def test_every_written_round_is_dealt_and_gets_what_its_writer_expects(book: Book) -> None:
    """The worked rounds of the case files, irregular ones among them, as whole days."""
    dealt = 0
    for case in written(book):
        if undealable(case):
            continue
        facts = day(
            book,
            case.raw.config or {},
            method=case.house["dealing_method"],
            rounds=[plan_of(case)],
            positions=8,
        )
        recorded(facts)
        (told,) = rounds_of(facts)
        for number, wagers in (case.raw.expected or {}).items():
            for wager, cents in wagers.items():
                assert cents is None or told.got[int(number), wager] == cents, f"{case.id}, seat {number}, {wager}"
        dealt += 1
    assert dealt >= {"PIK": 26, "FAH": 44, "COL": 36}[book]


def test_nothing_is_left_to_chance() -> None:
    """The same day twice is the same facts."""
    for book in THREE:
        assert day(book, rounds=6) == day(book, rounds=6)


def test_a_round_of_each_game_needs_one_line() -> None:
    """A test author names what matters; required wagers, cards and decisions have sensible defaults."""
    for book in THREE:
        (told,) = rounds_of(day(book, rounds=1))
        assert told.of(deal.CardDealt)
        assert set(told.staked) == told.moved


@pytest.mark.parametrize("reading", ["all", "shown", "none"])
@pytest.mark.parametrize("book", THREE)
def test_a_table_that_reads_few_cards_tells_the_same_money(book: Book, reading: str) -> None:
    """A card the reader does not see is left out of the facts and changes nothing else."""
    whole, seen = day(book, rounds=6), day(book, rounds=6, reading=reading)
    recorded(seen)
    assert [type(fact) for fact in seen] == [type(fact) for fact in whole]
    for one, other in zip(rounds_of(whole), rounds_of(seen), strict=True):
        assert one.got == other.got
        dealt = [fact for fact in other.of(deal.CardDealt) if not getattr(fact, "face_up", False)]
        assert reading == "all" or {getattr(fact, "card", "") for fact in dealt} == {"??"}


def test_one_player_may_have_as_many_adjacent_positions_as_the_house_permits() -> None:
    """PIK 39.3(e), COL 6(e): each with its own wagers, cards and decisions."""
    rows: list[tuple[Book, dict[str, Any], int]] = [("PIK", {"max_positions": 3}, 3), ("COL", {"max_positions": 2}, 2)]
    for book, options, many in rows:
        plan = round_(*(seat(at, player="p") for at in range(2, 2 + many)))
        (told,) = rounds_of(day(book, options, rounds=[plan]))
        assert {at for at, _ in told.staked} == set(range(2, 2 + many))
        assert len(told.choice) == many


@pytest.mark.parametrize(("book", "act"), [("PIK", "play3"), ("COL", "fold"), ("FAH", "surrender")])
def test_a_strategy_decides_where_nothing_is_scripted(book: Book, act: str) -> None:
    """The strategy receives the house and the cards, and answers with an act."""
    asked: list[int] = []

    def strategy(_: House, held: tuple[int, ...]) -> str:
        asked.append(len(held))
        return act

    plan = round_(seat(1, strategy=strategy), seat(2, strategy=strategy))
    (told,) = rounds_of(day(book, rounds=[plan]))
    assert told.choice == {1: act, 2: act}
    assert asked == [{"PIK": 5, "COL": 3, "FAH": 4}[book]] * 2
