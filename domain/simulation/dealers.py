"""The dealers of the five games: each plays one planned round at a table, from the shuffle to the empty rack."""

from collections.abc import Callable

from domain.simulation import colorado, fast_action, pikit, uth
from domain.simulation.plans import RoundPlan
from domain.simulation.table import TableInPlay

Dealer = Callable[[TableInPlay, RoundPlan], None]

DEALERS: dict[str, Dealer] = {
    "UTH-MA": uth.deal,
    "UTH-MD": uth.deal,
    "PIK": pikit.play,
    "FAH": fast_action.play,
    "COL": colorado.play,
}
