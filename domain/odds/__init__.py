"""Exact odds of each wager, as a house configured it: stored counts of deals against its pay tables."""

from domain.odds.measures import WagerOdds
from domain.odds.report import CAPS_LEFT_OUT, OddsReport, odds_of

__all__ = ["CAPS_LEFT_OUT", "OddsReport", "WagerOdds", "colorado", "expectation", "odds_of", "play", "report"]
