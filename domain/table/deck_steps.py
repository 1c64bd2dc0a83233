"""Every fact that changes the ledger of decks, with its effect."""

from domain.facts.envelope import Fact
from domain.table import deck_opening, deck_rounds, deck_shuffles
from domain.table.deck_rounds import deals_from
from domain.table.decks import Step

STEPS: dict[type[Fact], Step] = {**deck_opening.STEPS, **deck_shuffles.STEPS, **deck_rounds.STEPS}

__all__ = ["STEPS", "deals_from"]
