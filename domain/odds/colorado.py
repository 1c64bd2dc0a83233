"""Colorado Hold'em: the best discard, bet, fold or declaration for any odds, with its exact value."""

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

import msgspec

from domain.cards import RANKS, cards
from domain.hands import three_card
from domain.odds.measures import Outcome, WagerOdds, measured, net
from domain.odds.side_bets import not_stored, unreadable
from domain.odds.stored import stored
from domain.rulebooks import House, PayTable

BOARDS = 18_424
INSTANT = {
    three_card.THREE_OF_A_KIND: "three_card_three_of_a_kind",
    three_card.STRAIGHT_FLUSH: "three_card_straight_flush",
    three_card.ROYAL_FLUSH: "three_card_straight_flush",
}
_PAIR_RANKS = {
    "pair_of_twos_to_sixes": "6",
    "pair_of_sevens": "7",
    "pair_of_eights": "8",
    "pair_of_nines": "9",
    "pair_of_tens": "T",
    "pair_of_jacks_to_aces": "J",
}
LINES = {
    *(f"pair_of_{rank}_or_better" for rank in ("tens", "jacks")),
    *("two_pair", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind", "straight_flush"),
    *("royal_flush", *INSTANT.values()),
}


class Choice(msgspec.Struct, frozen=True):
    """One option for three cards: declare, fold, or play without one of them, with or without a bet.

    `staked` counts antes, two with a bet. `expects` is the average net of ante and bet, in antes, and `bonus` the
    average net of the bonus wager for the same choice. `row` numbers the stored counts of the boards. `sure` and
    `sure_bonus` are the net results if no board decides.
    """

    action: str
    staked: int
    expects: Fraction
    bonus: Fraction
    discard: int | None = None
    row: str = ""
    sure: Fraction = Fraction(0)
    sure_bonus: Fraction = Fraction(0)


def instant_winner(house: House, hand: tuple[int, ...]) -> str | None:
    """Return the instant winner's line of three cards, or None (COL 3(c))."""
    value = three_card.of_three(hand)
    line = INSTANT.get(three_card.category(value))
    is_ace_low = three_card.category(value) == three_card.STRAIGHT_FLUSH and value >> 16 & 15 == RANKS.index("3")
    return None if is_ace_low and not house["instant_winner_ace_low"] else line


def main_pays(house: House, table: PayTable) -> list[Fraction]:
    """Return the net of one unit of ante or bet for each column of counts."""
    return [_main_net(house, table, hand) for hand in stored("colorado")["columns"]]


def _main_net(house: House, table: PayTable, hand: str) -> Fraction:
    if hand not in _PAIR_RANKS:
        return net(table.lines.get(hand))
    rank = _PAIR_RANKS[hand]
    pushes = house.book.value(f"pushes_{house['version']}")
    pays = rank == "J" or (rank == "T" and (house["version"] == "required" or house["v2_pair_of_tens"] == "pay"))
    if pays:
        return net(table.lines.get("pair_of_tens_or_better"))
    return Fraction(0 if rank in pushes else -1)


def bonus_pays(table: PayTable) -> list[Fraction]:
    """Return the net of one unit of bonus for each column of counts."""
    return [
        net(table.lines.get("pair_of_jacks_or_better" if hand == "pair_of_jacks_to_aces" else hand))
        for hand in stored("colorado")["columns"]
    ]


def _expected(pays: list[Fraction]) -> dict[str, Fraction]:
    """Return the mean of each row of counts under these payouts, in whole numbers up to the last division."""
    scale = lcm(*(pay.denominator for pay in pays))
    whole = [int(pay * scale) for pay in pays]
    rows: dict[str, list[int]] = stored("colorado")["rows"]
    return {
        number: Fraction(sum(count * pay for count, pay in zip(row, whole, strict=True)), BOARDS * scale)
        for number, row in rows.items()
    }


class Prices(msgspec.Struct, frozen=True):
    """The value of each row of counts under this house's tables, computed once for all hands."""

    main: PayTable
    bonus: PayTable | None
    main_rows: dict[str, Fraction]
    bonus_rows: dict[str, Fraction]


def prices_of(house: House, main: PayTable, bonus: PayTable | None) -> Prices:
    """Return the mean of every row of counts under this house's tables."""
    bonus_rows = _expected(bonus_pays(bonus)) if bonus else {}
    return Prices(main, bonus, _expected(main_pays(house, main)), bonus_rows)


def choices(house: House, prices: Prices, name: str, discards: list[int]) -> list[Choice]:
    """Return every option for these three cards under this house, smaller stakes first."""
    hand, found = cards(name), []
    zero = Fraction(0)
    if house["version"] == "required":
        folded = Fraction(-1 if house["fold_bonus"] == "collect" else 0)
        found.append(Choice("fold", 1, Fraction(-1), folded, sure=Fraction(-1), sure_bonus=folded))
    line = instant_winner(house, hand)
    if line:
        won, bonus = net(prices.main.lines.get(line)), net(prices.bonus.lines.get(line)) if prices.bonus else zero
        found.append(Choice("declare", 1, won, bonus, sure=won, sure_bonus=bonus))
    for discard, number in zip(hand, map(str, discards), strict=True):
        expects, bonus = prices.main_rows[number], prices.bonus_rows.get(number, zero)
        if house["version"] == "permissible":
            found.append(Choice("play", 1, expects, bonus, discard=discard, row=number))
        found.append(Choice("play", 2, 2 * expects, bonus, discard=discard, row=number))
    return found


def colorado(house: House) -> dict[str, WagerOdds]:
    """Return the base game under its best play, and the bonus under its own best play and under the base game's."""
    main = house.table("main")
    bonus = house.table("bonus") if house["bonus_offered"] else None
    if main is None:
        return {}
    for name, table in (("base", main), ("bonus", bonus)):
        if table is not None and (why := unreadable(table, LINES)):
            return {name: not_stored(why, table.clause)}
    prices = prices_of(house, main, bonus)
    hands: dict[str, list[int]] = stored("colorado")["hands"]
    may = {name: choices(house, prices, name, discards) for name, (_, *discards) in hands.items()}
    weights = {name: weight for name, (weight, *_) in hands.items()}
    for_base = {name: best_for_base(found) for name, found in may.items()}
    staked = sum(weights[name] * choice.staked for name, choice in for_base.items())
    found = {
        "base": measured(
            _base_outcomes(main_pays(house, main), for_base, weights),
            method="optimal-play",
            clause=main.clause,
            note="per ante: ante and bet under optimal play, other hands unseen",
            wagered=Fraction(staked, sum(weights.values())),
        )
    }
    if bonus is None:
        return found
    for_bonus = {name: max(options, key=lambda choice: choice.bonus) for name, options in may.items()}
    # Where a fold returns the bonus, the best play for the bonus alone folds most hands at the cost of their antes.
    free_fold = "; a fold returns the bonus, and loses the ante" if house["fold_bonus"] == "return" else ""
    for name, taken, note in (
        ("bonus", for_bonus, f"under the play that is best for the bonus alone{free_fold}"),
        ("bonus_at_base_play", for_base, "under the play that is best for ante and bet"),
    ):
        outcomes = _bonus_outcomes(bonus_pays(bonus), taken, weights)
        found[name] = measured(outcomes, method="optimal-play", clause=bonus.clause, note=note)
    return found


def best_for_base(found: list[Choice]) -> Choice:
    """Return the choice of a perfect player of ante and bet; the bonus breaks ties."""
    return max(found, key=lambda choice: (choice.expects, choice.bonus))


def _boards_by_stake(taken: dict[str, Choice], weights: dict[str, int]) -> dict[int, list[int]]:
    """Return how many deals reach each column of counts, by the stake."""
    rows: dict[str, list[int]] = stored("colorado")["rows"]
    deals: dict[int, list[int]] = {}
    for name, choice in taken.items():
        if choice.row:
            totals = deals.setdefault(choice.staked, [0] * len(rows[choice.row]))
            for column, count in enumerate(rows[choice.row]):
                totals[column] += weights[name] * count
    return deals


def _base_outcomes(pays: list[Fraction], taken: dict[str, Choice], weights: dict[str, int]) -> Iterator[Outcome]:
    for name, choice in taken.items():
        if not choice.row:
            yield weights[name] * BOARDS, choice.sure
    for staked, totals in _boards_by_stake(taken, weights).items():
        yield from ((count, staked * pay) for count, pay in zip(totals, pays, strict=True))


def _bonus_outcomes(pays: list[Fraction], taken: dict[str, Choice], weights: dict[str, int]) -> Iterator[Outcome]:
    for name, choice in taken.items():
        if not choice.row:
            yield weights[name] * BOARDS, choice.sure_bonus
    for totals in _boards_by_stake(taken, weights).values():
        yield from zip(totals, pays, strict=True)
