"""Exact odds of each wager under a house's pay tables, from stored counts of deals."""

from domain.odds.measures import WagerOdds
from domain.odds.report import CAPS_LEFT_OUT, OddsReport, odds_of

__all__ = ["CAPS_LEFT_OUT", "OddsReport", "WagerOdds", "colorado", "expectation", "odds_of", "play", "report"]
