"""The handling of cards, and of the devices that deal and shuffle them, as rows: one per fact."""

from typing import Any

from domain.facts.codec import name_of
from domain.facts.decks import CardsWashed, DeckChanged, DeckInspected, DeckReceived, DeckRemoved, InspectionVerified
from domain.facts.devices import (
    DeviceConfigured,
    DeviceCovered,
    DeviceEmptied,
    DeviceFailed,
    DeviceInstalled,
    DeviceRemoved,
    DeviceRestored,
    DeviceSigned,
)
from domain.facts.envelope import Fact
from domain.facts.payments import MisdealDetermined, StubCounted
from domain.facts.shuffles import (
    BatchReleased,
    CutPerformed,
    CuttingCardInserted,
    CuttingCardReached,
    RecutOrdered,
    ShoeEmptied,
    ShoeLoaded,
    ShoeRanOut,
    ShuffleCompleted,
    ShuffleOrdered,
    ShuffleStarted,
)
from domain.facts.table_day import MethodChanged
from domain.table.day import TableDay
from projections.changes import Row

KINDS: tuple[type[Fact], ...] = (
    *(DeckReceived, DeckInspected, InspectionVerified, CardsWashed, DeckRemoved, DeckChanged),
    *(ShuffleOrdered, ShuffleStarted, ShuffleCompleted, CutPerformed, RecutOrdered),
    *(CuttingCardInserted, CuttingCardReached, BatchReleased, ShoeLoaded, ShoeEmptied, ShoeRanOut),
    *(StubCounted, MisdealDetermined, MethodChanged),
    *(DeviceInstalled, DeviceConfigured, DeviceFailed, DeviceEmptied, DeviceRestored),
    *(DeviceCovered, DeviceSigned, DeviceRemoved),
)
_OF_ITS_ROUND = (StubCounted, MisdealDetermined, CuttingCardReached)
_CARDS = ("cards", "counted", "cards_behind")


def handling_of(day: TableDay, fact: Fact, start: Row, edition: int) -> Row:
    """Return the row of a fact the day has just taken."""
    newest = day.round
    number, played = (0, False) if newest is None else (newest.number, not newest.over)
    if fact.round is not None:
        number = fact.round
    return (
        *start,
        number,
        played,
        edition,
        fact.sequence,
        fact.at,
        name_of(fact).rpartition(".")[0],
        _deck(day, fact),
        _method(fact),
        getattr(fact, "device", ""),
        str(getattr(fact, "by", "")),
        next((count for name in _CARDS if (count := getattr(fact, name, None)) is not None), None),
        getattr(fact, "depth", None),
    )


def _deck(day: TableDay, fact: Fact) -> str:
    """Return the deck a fact names, or the deck of the current round if it belongs to that."""
    named: Any = getattr(fact, "deck", "") or getattr(fact, "old", "")
    if not named and isinstance(fact, _OF_ITS_ROUND):
        return day.decks.in_play
    return str(named)


def _method(fact: Fact) -> str:
    if isinstance(fact, MethodChanged):
        return " ".join(filter(None, (fact.dealing_method, fact.shuffling)))
    return str(getattr(fact, "method", ""))
