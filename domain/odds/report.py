"""The house's share of every wager, and the figures that need a second look."""

from collections.abc import Callable
from fractions import Fraction

import msgspec

from domain.odds import base_games, side_bets
from domain.odds.colorado import colorado
from domain.odds.measures import WagerOdds
from domain.rulebooks import House, HouseFinding

# A double-zero wheel keeps 5.3 percent of every wager, and the costliest even-money game on a floor some 6. A base game
# that keeps more than a tenth of its ante is misconfigured or misprinted. Optional wagers keep more; the costliest
# known, the big wheel and the worst keno tickets, keep about a quarter.
MOST_A_BASE_GAME_KEEPS = Fraction(1, 10)
MOST_A_SIDE_BET_KEEPS = Fraction(1, 4)
BASE_GAMES = frozenset({"base", "base_with_bonus5", "original"})

CAPS_LEFT_OUT = "Payout caps are left out of all figures."

Pricer = Callable[[House], dict[str, WagerOdds]]


class OddsReport(msgspec.Struct, frozen=True):
    """The odds of each wager offered, in the order of the layout, and warnings."""

    rulebook: str
    wagers: dict[str, WagerOdds]
    warnings: tuple[HouseFinding, ...]


PRICERS: dict[str, tuple[Pricer, ...]] = {
    "UTH-MA": (base_games.uth_base, side_bets.trips, side_bets.cover_all, side_bets.ma_progressive),
    "UTH-MD": (
        base_games.uth_base,
        side_bets.trips,
        side_bets.six_card,
        side_bets.md_progressive,
        side_bets.ultimate_pairs,
        side_bets.bad_beat,
        side_bets.play_the_board,
    ),
    "PIK": (base_games.pik_base, side_bets.pik_bonus5, side_bets.pik_bonus3),
    "FAH": (base_games.fast_action,),
    "COL": (colorado,),
}


def odds_of(house: House) -> OddsReport:
    """Return the odds of every wager this house offers."""
    wagers = {
        name: odds for price in (*PRICERS[house.game.text], side_bets.added) for name, odds in price(house).items()
    }
    warnings = (_warning(name, odds) for name, odds in wagers.items())
    return OddsReport(house.book.book, wagers, tuple(warning for warning in warnings if warning))


def _warning(name: str, odds: WagerOdds) -> HouseFinding | None:
    edge = odds.house_edge
    if edge is None:
        return None
    if edge < 0:
        says = f"{name} gives the player an edge of {float(-edge):.2%}"
        return HouseFinding("odds-favour-the-player", odds.clause, says)
    most = MOST_A_BASE_GAME_KEEPS if name in BASE_GAMES else MOST_A_SIDE_BET_KEEPS
    if edge > most:
        says = f"{name} keeps {float(edge):.2%}, and such wagers keep {float(most):.0%} at most"
        return HouseFinding("odds-far-outside", odds.clause, says)
    return None
