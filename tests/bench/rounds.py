"""Seeded rounds of every book, as settlement sees them."""

import random
from collections.abc import Callable

from domain.cards import DECK
from domain.house_way import is_natural
from domain.house_way import kept as house_way_pair
from domain.rulebooks import House, house, newest
from domain.settlement import PlayedRound, Seat

SEATS = 5


def uth(chance: random.Random) -> PlayedRound:
    """Ante, blind, play and trips at every seat; one in four folds at the river."""
    dealt = iter(chance.sample(DECK, 2 * SEATS + 7))
    seats = []
    for number in range(1, SEATS + 1):
        ante = chance.choice((1000, 1500, 2500, 5000))
        wagers: dict[str, int | None] = {"ante": ante, "blind": ante, "trips": 500}
        if folds := chance.random() < 0.25:
            choice = "fold"
        else:
            choice = "play"
            wagers["play"] = ante * chance.choice((1, 2, 4))
        del folds
        seats.append(Seat(number, wagers, (next(dealt), next(dealt)), choice))
    dealer = (next(dealt), next(dealt))
    return PlayedRound("UTH-MD", tuple(seats), dealer=dealer, community=tuple(dealt))


def pik(chance: random.Random) -> PlayedRound:
    """Ante, both bonuses and a play wager at every seat; one in five folds."""
    dealt = chance.sample(DECK, 5 * (SEATS + 1))
    seats = []
    for number in range(1, SEATS + 1):
        own = tuple(dealt[5 * number : 5 * number + 5])
        choice = chance.choice(("play3", "play3", "play5", "play5", "fold"))
        wagers: dict[str, int | None] = {"ante": 1000, "bonus5": 1000, "bonus3": 500}
        if choice != "fold":
            wagers[choice] = 1000
        seats.append(Seat(number, wagers, own, choice, selected=own[:3]))
    return PlayedRound("PIK", tuple(seats), dealer=tuple(dealt[:5]))


def fah(chance: random.Random) -> PlayedRound:
    """Every seat keeps what the house way keeps; six decks."""
    dealt = chance.sample(DECK * 6, 4 * (SEATS + 1) + 5)
    seats = []
    for number in range(1, SEATS + 1):
        own = tuple(dealt[4 * number : 4 * number + 4])
        natural = is_natural(own)
        kept = () if natural else house_way_pair(own) or ()
        seats.append(Seat(number, {"original": 2500}, own, "natural" if natural else "set", kept=kept))
    dealer = tuple(dealt[:4])
    return PlayedRound("FAH", tuple(seats), dealer=dealer, community=tuple(dealt[4 * (SEATS + 1) :]))


def col(chance: random.Random) -> PlayedRound:
    """Ante, bet and bonus at every seat; the first two cards are kept."""
    dealt = chance.sample(DECK, 3 * (SEATS + 1))
    seats = []
    for number in range(1, SEATS + 1):
        own = tuple(dealt[3 * number : 3 * number + 3])
        seats.append(Seat(number, {"ante": 1000, "bonus": 100, "bet": 1000}, own, "play", kept=own[:2]))
    return PlayedRound("COL", tuple(seats), community=tuple(dealt[:3]))


MAKERS: dict[str, Callable[[random.Random], PlayedRound]] = {
    "UTH-MA": uth,
    "UTH-MD": uth,
    "PIK": pik,
    "FAH": fah,
    "COL": col,
}


def rounds(book: str, count: int, seed: int) -> tuple[House, list[PlayedRound]]:
    """A house on the book's defaults, and that many rounds of it."""
    chance = random.Random(seed)  # noqa: S311 - a repeatable floor, not a secret
    return house(newest(book)), [MAKERS[book](chance) for _ in range(count)]
