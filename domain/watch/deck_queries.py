"""Queries by detectors of decks and devices: the deck at hand, the devices in service, and raising a finding."""

from collections.abc import Iterable
from typing import Any

from domain.facts.envelope import Fact
from domain.facts.table_day import DeviceHere
from domain.rulebooks import House
from domain.table.day import TableDay
from domain.table.deck import CONTINUOUS, Deck
from domain.table.round import RoundInPlay
from domain.watch.detecting import Found
from domain.watch.finding import found
from domain.watch.laws import Law
from domain.watch.repeated_deals import once

STACKS = "automated-shoe"
# Books that deal cards shuffled before delivery without another shuffle: UTH-MD 5.A, PIK 39.6(a)/s1-start, COL
# 5(a)/s1-start.


def raised(day: TableDay, law: Law, keys: str | Iterable[str], trigger: Fact, says: str, **parts: Any) -> Found:
    """Raise a finding by the clauses of the day's book for these keys, or none if it has none."""
    wanted = (keys,) if isinstance(keys, str) else keys
    cited = tuple(dict.fromkeys(clause for key in wanted for clause in law.cites(day.book, key)))
    if cited:
        told = day.round
        if told is not None and not told.over:  # the cards were handled before, for this round
            parts.setdefault("round", told.number)
        deck = day.decks.at_hand
        parts.setdefault("deck", deck.name if deck is not None else "")
        yield found(law, cited, trigger, says, dealer=day.dealer_person, **parts)


def the_round(day: TableDay) -> RoundInPlay:
    """Return the round at the start of a deal or the end of a round, without repeated deals."""
    if day.round is None:
        raise LookupError("no round has been opened")
    return once(day.round)


def the_house(day: TableDay) -> House:
    """Return the house of an open table; watchers run only after the opening."""
    if day.house is None:
        raise LookupError("the table has not opened")
    return day.house


def fresh(day: TableDay, deck: Deck) -> bool:
    """Whether the cards start a new use: each round, or at Fast Action each shoe."""
    return not day.game.many_rounds_a_shoe or not deck.rounds_since_load


def well_shuffled(deck: Deck) -> bool:
    """Whether the cards were shuffled and no round has been dealt since."""
    return deck.shuffled is not None and not deck.rounds_since_shuffle


def cut_owed(day: TableDay, deck: Deck) -> bool:
    """Whether these cards need a cut: shuffled by hand or before delivery (UTH-MD 5.D(2), PIK 39.6(b)2)."""
    if deck.shuffled is None:
        owed = ready_as_it_came(day, deck)
    else:
        owed = deck.shuffled.method == "manual" and not deck.rounds_since_shuffle
    return owed and day.method != CONTINUOUS and not reshuffling(day)


def ready_as_it_came(day: TableDay, deck: Deck) -> bool:
    """Whether the deck came shuffled and may be dealt so; for hand dealing, a machine must have shuffled it."""
    return deck.preshuffled and day.game.takes_preshuffled and day.method != "hand"


def may_have_come_ready(day: TableDay, deck: Deck) -> bool:
    """Whether the deck may be dealt as it came, or may have come so where nobody records what comes."""
    if deck.received is None and "deck-received" in day.unrecorded:
        return deck.new and not deck.steps and day.game.takes_preshuffled and day.method != "hand"
    return ready_as_it_came(day, deck)


def standing(day: TableDay, kind: str) -> list[DeviceHere]:
    """Return the devices of a kind at the table, working or not."""
    return [here for here in day.layout.devices.values() if here.kind == kind]


def in_service(day: TableDay, kind: str) -> bool:
    """Whether a device of this kind works here; if the table names no device, the house configuration decides."""
    here = standing(day, kind)
    if here or kind != "shuffler":
        return any(not out_of_use(day, each) for each in here)
    named = day.opened is not None and bool(day.opened.devices)
    return not named and bool(the_house(day)["shuffler"] != "none")


def out_of_use(day: TableDay, here: DeviceHere) -> bool:
    """Whether a device failed or is covered or marked as out of order, though an unrecorded repair is possible."""
    fails = here.device in day.decks.failing and "device-restored" not in day.unrecorded
    return fails or here.device in day.decks.out_of_use


def reshuffling(day: TableDay) -> bool:
    """Whether a device that reshuffles and counts by itself is in use, so that nobody cuts (UTH-MD 5.I)."""
    return any(here.reshuffles and here.counts_decks for here in day.layout.devices.values())


def counting(day: TableDay) -> bool:
    """Whether a shuffler here counts the cards after each shuffle."""
    return any(here.counts_decks for here in standing(day, "shuffler"))


def two_decks(day: TableDay) -> bool:
    """Whether this house alternates two decks or two batches."""
    house = the_house(day)
    return bool(house["shuffler"] == "batch" if day.game.many_rounds_a_shoe else house["decks"] == 2)
