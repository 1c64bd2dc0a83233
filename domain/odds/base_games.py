"""The base games under the best decisions (Fast Action: under the house way), from stored outcomes."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import comb, sqrt

import msgspec

from domain.money import Odds
from domain.odds.measures import WagerOdds, measured, net
from domain.odds.side_bets import not_stored
from domain.odds.stored import stored
from domain.rulebooks import House

EVEN_MONEY = Odds(wins=1)
PER_ANTE = "per ante"


def _pays_even_money(house: House, *wagers: str) -> bool:
    tables = [house.table(wager) for wager in wagers]
    return all(table is not None and table.lines == {"any_win": EVEN_MONEY} for table in tables)


def uth_base(house: House) -> dict[str, WagerOdds]:
    """Return the odds of ante, blind and play of Ultimate Texas Hold'em, per ante."""
    blind = house.table("blind")
    if blind is None:
        return {"base": not_stored("the base game is stored with a blind wager alone")}
    letter = _blind_letter(house)
    if letter is None or not _pays_even_money(house, "ante", "play"):
        return {"base": not_stored("not stored for these odds: the best play depends on them", blind.clause)}
    counts: dict[str, int] = stored("uth_base")[f"blind_{letter}"]["counts"]
    pays = {hand: net(line) for hand, line in blind.lines.items()}
    outcomes = [(weight, _uth_net(row.split(), pays)) for row, weight in counts.items()]
    staked = sum(weight * (2 + int(row.split()[0])) for row, weight in counts.items())
    wagered = Fraction(staked, sum(counts.values()))
    note = f"{PER_ANTE}: ante, blind and play under optimal play, the other hands unseen"
    return {"base": measured(outcomes, method="optimal-play", clause=blind.clause, note=note, wagered=wagered)}


def _blind_letter(house: House) -> str | None:
    """Return the stored blind table equal to this house's, or None. Massachusetts' only table is Maryland's A."""
    blind = house.table("blind")
    for letter, straight in (("A", Odds(wins=1)), ("B", Odds())):
        if blind is not None and blind.lines == {**_BLIND, "straight": straight}:
            return letter
    return None


_PUSHES = {hand: Odds() for hand in ("three_of_a_kind", "two_pair", "pair", "high_card")}
_BLIND = {
    "royal_flush": Odds(wins=500),
    "straight_flush": Odds(wins=50),
    "four_of_a_kind": Odds(wins=10),
    "full_house": Odds(wins=3),
    "flush": Odds(wins=3, per=2),
    **_PUSHES,
}


def _uth_net(row: list[str], blind: Mapping[str, Fraction]) -> Fraction:
    """Return the net of one outcome: `4 win qualified flush`, `2 loss unqualified`, `1 tie`, `0 fold`."""
    multiple, result, *rest = row
    if result == "fold":
        return Fraction(-2)
    if result == "tie":
        return Fraction(0)
    ante = int(rest[0] == "qualified")  # a dealer below a pair pushes the ante
    if result == "loss":
        return Fraction(-int(multiple) - 1 - ante)
    return int(multiple) + ante + blind[rest[1]]


class _PikOutcome(msgspec.Struct, frozen=True):
    """One stored outcome of Pik-it: the deals, the player's five cards, and the net of ante and play."""

    deals: int
    hand: str
    net: int
    staked: int


def _pik_outcomes(house: House) -> Iterator[_PikOutcome]:
    """Yield the outcomes of the stored configuration with this house's multiples and qualification."""
    qualifies, three, five = house["dealer_qualifies"], house["play3_multiple"], house["play5_multiple"]
    name = f"{'qualifies' if qualifies else 'no_qualifier'} play3x{three} play5x{five}"
    counts: dict[str, int] = stored("pik_base")["configurations"][name]
    for row, deals in counts.items():
        choice, *_, hand = row.split()
        multiple = {"fold": 0, "play3": three, "play5": five}[choice]
        yield _PikOutcome(deals, hand, _pik_net(row.split(), multiple), 1 + multiple)


def _pik_net(row: list[str], multiple: int) -> int:
    """Return the net of ante and play: `play3 win pair`, `play5 loss unqualified flush`, `fold high_card`.

    PIK 39.10(f): against a dealer who does not qualify, play 5 pushes and the hands decide the ante. Only rows of a
    house whose dealer must qualify have that case.
    """
    choice, *rest = row
    if choice == "fold":
        return -1
    at_stake = 1 if choice == "play5" and rest[1] == "unqualified" else 1 + multiple
    return {"win": 1, "tie": 0, "loss": -1}[rest[0]] * at_stake


def pik_base(house: House) -> dict[str, WagerOdds]:
    """Return the odds of ante and play of Pik-it, with and without the compulsory five card bonus, per ante."""
    clause = house.book.tables["ante"].clause
    bonus = house.table("bonus5")
    if not _pays_even_money(house, "ante", "play3", "play5"):
        why = "not stored for these odds: the best play depends on them"
        return {"base": not_stored(why, clause), "base_with_bonus5": not_stored(why, clause)}
    outcomes = list(_pik_outcomes(house))
    deals = sum(outcome.deals for outcome in outcomes)
    wagered = Fraction(sum(outcome.deals * outcome.staked for outcome in outcomes), deals)
    alone = measured(
        ((outcome.deals, Fraction(outcome.net)) for outcome in outcomes),
        method="optimal-play",
        clause=clause,
        note=f"{PER_ANTE}: ante and play under optimal play; the 5 card bonus is compulsory and apart",
        wagered=wagered,
    )
    if bonus is None or any(line.meter or line.flat_cents for line in bonus.lines.values()):
        return {"base": alone, "base_with_bonus5": not_stored("not stored for these odds", clause)}
    paid = {outcome.hand: net(bonus.lines.get(outcome.hand)) for outcome in outcomes}
    together = measured(
        ((outcome.deals, outcome.net + paid[outcome.hand]) for outcome in outcomes),
        method="optimal-play",
        clause=clause,
        note=f"{PER_ANTE}: ante, play and the compulsory 5 card bonus, which is as much as the ante",
        wagered=wagered + 1,
    )
    return {"base": alone, "base_with_bonus5": together}


def fast_action(house: House) -> dict[str, WagerOdds]:
    """Return Fast Action's odds with both hands set by the house way: no splits or surrenders, naturals declared.

    Player and dealer are dealt and set alike, so each wins as often as the other. Only two things make an edge:
    naturals, which are counted exactly, and copies, which matter only under the reading that they lose. A seeded run
    estimates the copies.
    """
    table, natural = house.table("original"), house.table("natural")
    decks, readings = house["decks"], f"viii {house['house_way.viii']}, ix {house['house_way.ix']}"
    if table is None or natural is None or any(odds.flat_cents or odds.meter for odds in _lines(house)):
        missing = not_stored("not stored for these odds")
        return {"base": missing, "original": missing}
    win, paid = net(table.lines["any_win"]), net(natural.lines["any_win"])
    mine = natural_share(decks)
    theirs_alone = mine - both_natural_share(decks)
    run = stored("fast_action")["runs"][f"{decks} decks, {readings}"]
    rounds, copies = run["rounds"], run["copies"]
    played = 1 - mine - theirs_alone
    share = Fraction(copies, rounds)
    half = Fraction(196, 100) * Fraction(sqrt(share * (1 - share) / rounds))

    def edge(copy: Fraction) -> Fraction:
        wins = (played - copy) / 2
        losses = wins + theirs_alone + (copy if house["copy_hand_rule"] == "lose" else 0)
        return losses - wins * win - mine * paid

    wins = (played - share) / 2
    losses = wins + theirs_alone + (share if house["copy_hand_rule"] == "lose" else 0)
    spread = losses + wins * win**2 + mine * paid**2 - edge(share) ** 2
    # A copied hand that loses moves the edge by itself, and by the half win it replaces.
    ends = sorted((edge(share - half), edge(share + half)))
    exact = ends[0] == ends[1]
    said = "" if exact else f", copies from {rounds:,} seeded rounds"
    original = WagerOdds(
        method="exact" if exact else "house-way",
        house_edge=edge(share),
        hit_rate=wins + mine,
        standard_deviation=sqrt(spread),
        interval_95=None if exact else (ends[0], ends[1]),
        clause=table.clause,
        note=f"player and dealer set by the house way, no splits, no surrenders, naturals declared{said}",
    )
    note = "how often a player is dealt a natural; it is paid on the original wager and counted there"
    # Under the house way no other wager is added to the original one, so the base game is that wager, per unit.
    base = msgspec.structs.replace(original, element_of_risk=original.house_edge)
    naturals = WagerOdds(method="exact", hit_rate=mine, clause=natural.clause, note=note)
    return {"base": base, "original": original, "natural": naturals}


def _lines(house: House) -> Iterator[Odds]:
    for wager in ("original", "natural"):
        table = house.table(wager)
        if table is not None:
            yield from table.lines.values()


def natural_share(decks: int) -> Fraction:
    """Return how often four cards are of one rank."""
    return Fraction(13 * comb(4 * decks, 4), comb(52 * decks, 4))


def both_natural_share(decks: int) -> Fraction:
    """Return how often player and dealer both have four cards of one rank."""
    one = comb(4 * decks, 4)
    pairs = 13 * one * comb(4 * decks - 4, 4) + 13 * 12 * one * one
    return Fraction(pairs, comb(52 * decks, 4) * comb(52 * decks - 4, 4))
