"""The house's expectation for every wager it takes: the edge and the spread per stake of one wager.

Wagers settled together are one entry, `base`, measured by the wager that each of them starts with. Flat awards and
meters do not grow with the stake, so an entry has one part per stake and one part per wager: of n wagers with stakes s,
the house keeps `edge * sum(s) + fixed_cents * n`. With independent wagers, the variance is `deviation**2 * sum(s*s) +
crossed * sum(s) + fixed_variance * n`.

`house_digest` identifies a house: the SHA-256 over its rule book's digest and every option, including the dealing
method. `expectations` computes each house once.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from math import sqrt

import msgspec

from domain.games import GAMES
from domain.money import Odds
from domain.odds.measures import WagerOdds, net
from domain.odds.report import odds_of
from domain.odds.side_bets import meters, progressive_hands, unreadable
from domain.odds.stored import counts
from domain.rulebooks import House, RuleBook, editions

BASE = "base"


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """The house's share of one wager; `edge` is None if the odds are unknown, and `note` says why."""

    unit: str  # the wager whose stake measures the edge
    edge: float | None = None
    deviation: float | None = None
    wagers: tuple[str, ...] = ()  # the wagers settled together here
    fixed_cents: float = 0.0  # kept of each wager in addition, whatever its stake: awards that do not grow with it
    crossed: float = 0.0
    fixed_variance: float = 0.0
    note: str = ""


class Together(msgspec.Struct, frozen=True):
    """The measure of a rule book's base game: the measuring wager, the wagers with it, and the odds."""

    unit: str
    wagers: tuple[str, ...]
    odds: str = BASE


BASE_GAMES: Mapping[str, Together] = {
    book: Together(game.base[0], game.base, game.base_odds) for book, game in GAMES.items()
}


def house_digest(house: House) -> str:
    """Return the digest that names a house: same book and same options, defaults included, give the same digest."""
    told = msgspec.json.encode([house.book.digest, house.options], order="sorted")
    return sha256(told).hexdigest()


def edition_of_house(name: str, book: str, options: str) -> RuleBook | None:
    """Return the edition of the house with this digest, from its options as JSON; None if it is not installed."""
    for each in editions(book):
        told = (f'["{digest}",{options}]' for digest in (each.digest, *each.former))  # as `house_digest` writes it
        if any(sha256(text.encode()).hexdigest() == name for text in told):
            return each
    return None


def game_of(book: str) -> Mapping[str, str]:
    """Return each wager of a book with the entry that measures it."""
    together = BASE_GAMES[book]
    return dict.fromkeys(together.wagers, BASE)


@lru_cache(maxsize=1024)  # the same configuration is the same House
def expectations(house: House) -> dict[str, Expected]:
    """Return what this house may expect of each wager, by the wager's name, or `base`.

    `cover_all@4` is Cover All with four hands dealt, the dealer's included. `envy@500` is what a $5 progressive wager
    wins its player per other player dealt in, measured by that wager.
    """
    together, odds = BASE_GAMES[house.book.book], odds_of(house).wagers
    found = {BASE: _entry(odds.get(together.odds), together.unit, together.wagers)}
    flat = dict(_flat(house))
    for wager in house.book.wagers:
        if wager in together.wagers:
            continue
        if wager in flat:
            found[wager] = flat[wager]
        elif (named := house.game.odds_named.get(wager, wager)) in odds and wager != "envy":
            found[wager] = _entry(odds[named], wager, (wager,))
    columns = (name for name in odds if name.startswith("cover_all@"))
    found |= {name: _entry(odds[name], "cover_all", ("cover_all",)) for name in columns}
    return found | _envy(odds)


def _entry(odds: WagerOdds | None, unit: str, wagers: tuple[str, ...]) -> Expected:
    if odds is None:
        return Expected(unit=unit, wagers=wagers, note="no odds are stored for it")
    edge = None if odds.house_edge is None else float(odds.house_edge)
    return Expected(unit=unit, edge=edge, deviation=odds.standard_deviation, wagers=wagers, note=odds.note)


def _envy(odds: Mapping[str, WagerOdds]) -> dict[str, Expected]:
    """Return the envy bonus, which is staked with the progressive wager and paid once per other player."""
    found = {}
    for name, held in odds.items():
        worth = held.value_per_other_player
        if name.partition("@")[0] == "envy" and worth is not None:
            amount, edge = held.amount_cents, -float(worth)
            found[f"envy@{amount}"] = Expected(unit="progressive", edge=edge, wagers=("envy",), note=held.note)
    return found


Award = tuple[Fraction, Fraction]  # a hand's net per stake, and its net in cents on top


def _flat(house: House) -> Iterator[tuple[str, Expected]]:
    """Yield the wagers with awards that do not grow with the stake."""
    six_card = house.tables.get("six_card")
    if six_card is not None and not unreadable(six_card, set(hands := counts("six_card")), 1):
        yield "six_card", _moments("six_card", hands, {hand: _award(line, {}) for hand, line in six_card.lines.items()})
    if house.game.has_meters and (table := house.table("progressive")) is not None:
        hands, held = progressive_hands(house), meters(house)
        if not unreadable(table, set(hands), 1, held):
            awards = {hand: _award(line, held) for hand, line in table.lines.items()}
            yield (
                "progressive",
                _moments("progressive", hands, awards, "the meters as the options have them; envy apart"),
            )
    if "progressive.house_awards" in house.options and house["progressive"]:
        hands, named = counts("seven_card"), house["progressive.house_awards"]
        if named is not None and named.keys() <= hands.keys():
            awards = {hand: (Fraction(-1), Fraction(cents)) for hand, cents in named.items()}
            yield "progressive", _moments("progressive", hands, awards, "by the house's own awards")


def _award(line: Odds, held: Mapping[str, int]) -> Award:
    if line.flat_cents:
        return Fraction(0), Fraction(line.flat_cents)
    if line.meter:
        return Fraction(-1), Fraction(held[line.meter] * line.percent, 100)
    return net(line), Fraction(0)


def _moments(wager: str, hands: Mapping[str, int], awards: Mapping[str, Award], note: str = "") -> Expected:
    """Return edge and spread from the frequency of each hand; a hand without an award loses its stake."""
    deals = sum(hands.values())
    lost: Award = (Fraction(-1), Fraction(0))
    rows = [(Fraction(weight, deals), *awards.get(hand, lost)) for hand, weight in hands.items()]
    by_stake = sum(share * of_stake for share, of_stake, _ in rows)
    besides = sum(share * cents for share, _, cents in rows)
    squares = sum(share * of_stake**2 for share, of_stake, _ in rows) - by_stake**2
    crossed = sum(share * of_stake * cents for share, of_stake, cents in rows) - by_stake * besides
    fixed = sum(share * cents**2 for share, _, cents in rows) - besides**2
    return Expected(
        unit=wager,
        edge=float(-by_stake),
        deviation=sqrt(squares),
        wagers=(wager,),
        fixed_cents=float(-besides),
        crossed=float(2 * crossed),
        fixed_variance=float(fixed),
        note=note,
    )
