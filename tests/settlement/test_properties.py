"""Properties of every round of every book, drawn at random."""

import random
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.cards import UNKNOWN
from domain.rulebooks import BOOKS, House
from domain.settlement import PlayedRound, Seat, Settlement, settle
from domain.settlement.outcome import UNDECIDABLE
from domain.settlement.played import Cards, with_parts
from tests.settlement.any_round import any_round

seeds = st.integers(min_value=0, max_value=2**48)
SUIT_ORDERS = tuple(permutations(range(4)))
pytestmark = pytest.mark.parametrize("book", BOOKS)


def drawn(book: str, seed: int) -> tuple[House, PlayedRound, random.Random]:
    chance = random.Random(seed)  # noqa: S311 - a repeatable round
    house, played = any_round(book, chance)
    return house, played, chance


def amounts(settlement: Settlement) -> dict[int, dict[str, int | None]]:
    return {number: {wager: one.returned for wager, one in held.items()} for number, held in settlement.seats.items()}


def with_all_cards(played: PlayedRound, change: Any) -> PlayedRound:
    """The round with every list of cards changed."""
    seats = tuple(
        with_parts(seat, **{field: change(getattr(seat, field)) for field in ("cards", "kept", "second", "selected")})
        for seat in played.seats
    )
    table = {field: change(getattr(played, field)) for field in ("dealer", "community", "six_card_box", "dealer_kept")}
    return with_parts(played, seats=seats, **table)


@given(seed=seeds, order=st.sampled_from(SUIT_ORDERS))
@settings(max_examples=60, deadline=None)
def test_renaming_the_suits_changes_no_amount(book: str, seed: int, order: tuple[int, ...]) -> None:
    house, played, _ = drawn(book, seed)
    renamed = with_all_cards(played, lambda cards: tuple(card & ~3 | order[card & 3] for card in cards))
    assert amounts(settle(house, renamed)) == amounts(settle(house, played))


@given(seed=seeds, gap=st.integers(min_value=1, max_value=9))
@settings(max_examples=60, deadline=None)
def test_renumbering_the_seats_in_order_changes_no_amount(book: str, seed: int, gap: int) -> None:
    house, played, _ = drawn(book, seed)
    renumbered = with_parts(played, seats=tuple(with_parts(seat, seat=seat.seat * gap + 3) for seat in played.seats))
    before, after = amounts(settle(house, played)), amounts(settle(house, renumbered))
    assert after == {number * gap + 3: held for number, held in before.items()}


@given(seed=seeds)
@settings(max_examples=60, deadline=None)
def test_the_order_in_which_a_hand_was_dealt_changes_no_amount(book: str, seed: int) -> None:
    house, played, chance = drawn(book, seed)

    def shuffled(cards: Cards) -> Cards:
        return tuple(chance.sample(cards, len(cards)))

    assert amounts(settle(house, with_all_cards(played, shuffled))) == amounts(settle(house, played))


@given(seed=seeds)
@settings(max_examples=60, deadline=None)
def test_a_side_wager_has_no_bearing_on_any_other(book: str, seed: int) -> None:
    """Taking one side wager off the layout leaves every other wager as it was, meters and limits apart."""
    house, played, chance = drawn(book, seed)
    side = sorted(
        {w for seat in played.seats for w in seat.wagers} & {"trips", "cover_all", "bonus3", "bonus", "bad_beat"}
    )
    if not side:
        return
    gone = chance.choice(side)

    def without(seat: Seat) -> Seat:
        return with_parts(seat, wagers={wager: cents for wager, cents in seat.wagers.items() if wager != gone})

    before = amounts(settle(house, played))
    after = amounts(settle(house, with_parts(played, seats=tuple(map(without, played.seats)))))
    # A folded hand kept for its trips may hold an envy hand: the one tie between the two.
    linked = {gone, "envy"} if gone == "trips" else {gone}
    for number, held in before.items():
        kept = {wager: cents for wager, cents in held.items() if wager not in linked}
        assert {wager: after[number][wager] for wager in kept} == kept


TABLE_OF = {"COL": {"ante": "main", "bet": "main"}, "FAH": {"original": "natural"}}


def most(house: House, played: PlayedRound, wager: str, stake: int) -> int:
    """The most a wager can hand back under its tables."""
    if wager == "envy":
        return 500_000 * len(played.seats)
    group = house.book.tables[TABLE_OF.get(house.book.book, {}).get(wager, wager)]
    lines = [line for table in group.tables.values() for line in table.lines.values()]
    meters = sum((house.options.get("progressive.meters") or {}).values()) + 3_000_000 if wager == "progressive" else 0
    return stake + max(line.winnings(stake) for line in lines) + meters


@given(seed=seeds)
@settings(max_examples=100, deadline=None)
def test_every_amount_lies_between_nothing_and_the_best_line_of_its_table(book: str, seed: int) -> None:
    house, played, _ = drawn(book, seed)
    settlement = settle(house, played)
    for seat in played.seats:
        for wager, outcome in settlement.seats[seat.seat].items():
            assert outcome.returned is not None, "a lawful, fully seen round leaves nothing open"
            assert 0 <= outcome.returned <= most(house, played, wager, seat.wagers.get(wager) or 0)
        assert seat.wagers.keys() <= settlement.seats[seat.seat].keys()


@given(seed=seeds, hidden=st.integers(min_value=1, max_value=3))
@settings(max_examples=40, deadline=None)
def test_an_unseen_card_can_only_widen_the_answer(book: str, seed: int, hidden: int) -> None:
    """Each wager keeps its amount or becomes undecidable; no amount changes, none appears."""
    house, played, chance = drawn(book, seed)
    known = amounts(settle(house, played))
    places = [(0, field, i) for field in ("dealer", "community") for i in range(len(getattr(played, field)))]
    places += [(seat.seat, "cards", i) for seat in played.seats for i in range(len(seat.cards))]
    partly = played
    for number, field, place in chance.sample(places, min(hidden, len(places))):
        partly = _hidden(partly, number, field, place)
    settlement = settle(house, partly)
    for number, held in settlement.seats.items():
        for wager, outcome in held.items():
            if outcome.basis == UNDECIDABLE:
                assert outcome.returned is None
                assert outcome.needs
            else:
                assert outcome.returned == known[number][wager], f"seat {number} {wager}"


def _hidden(played: PlayedRound, number: int, field: str, place: int) -> PlayedRound:
    """The round with one card unseen, in every list that holds it."""
    if not number:
        cards = getattr(played, field)
        changed = (*cards[:place], UNKNOWN, *cards[place + 1 :])
        return with_parts(played, **{field: changed}, dealer_kept=() if field == "dealer" else played.dealer_kept)
    seat = played.seat(number)
    card = seat.cards[place]
    parts: dict[str, Cards] = {"cards": (*seat.cards[:place], UNKNOWN, *seat.cards[place + 1 :])}
    if card != UNKNOWN:
        for other in ("kept", "second", "selected"):
            held = list(getattr(seat, other))
            if card in held:
                held[held.index(card)] = UNKNOWN
                parts[other] = tuple(held)
                break
    seats = tuple(with_parts(each, **parts) if each.seat == number else each for each in played.seats)
    return with_parts(played, seats=seats)


@given(seed=seeds)
@settings(max_examples=25, deadline=None)
def test_another_seats_unseen_cards_leave_a_seats_own_wagers_alone(book: str, seed: int) -> None:
    """Wagers that look across the table (cover all, meters, envy) may wait for a neighbor's cards, and no others."""
    house, played, _ = drawn(book, seed)
    if len(played.seats) < 2:
        return
    known = amounts(settle(house, played))
    other = played.seats[0]
    partly = played
    for place in range(len(other.cards)):
        partly = _hidden(partly, other.seat, "cards", place)
    settlement = settle(house, partly)
    for seat in played.seats[1:]:
        for wager, outcome in settlement.seats[seat.seat].items():
            if wager not in ("cover_all", "progressive", "envy"):
                assert outcome.returned == known[seat.seat][wager]
