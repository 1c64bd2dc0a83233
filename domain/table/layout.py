"""The layout between rounds: devices in service, the dealing marker, burns that are due."""

from collections.abc import Callable
from typing import Any

import msgspec

from domain.facts.deal import CardBurned, MarkerPlaced
from domain.facts.devices import DeviceConfigured, DeviceInstalled, DeviceRemoved
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted, RoundVoided
from domain.facts.shuffles import ShoeLoaded
from domain.facts.table_day import DeviceHere, GameCommenced, PersonCame, SignPosted, TableOpened

DEALER = 0  # the dealer's place; seats are numbered from 1


class Marker(msgspec.Struct, gc=False):
    """Fast Action's dealing marker."""

    stands: int | None = None  # placed before this seat, or the dealer
    due: bool = False  # whether a round was completed without a move of the marker since
    omitted: bool = False  # whether the round before that was played with the marker in its place
    loose: bool = False  # whether a round was void, or may have been; no rule says whether the marker moves
    recommenced: bool = False  # whether the game has commenced since, so that it belongs before the dealer again


class TableLayout(msgspec.Struct, gc=False):
    """The state of the layout so far."""

    devices: dict[str, DeviceHere] = {}  # in service, by name
    marker: Marker = msgspec.field(default_factory=Marker)
    fresh_shoe: ShoeLoaded | None = None  # loaded, with no card burned since
    fresh_dealer: PersonCame | None = None  # a dealer who came and has burned no card yet
    round_void: bool = False
    voids_untold: bool = False  # whether the table does not record void rounds
    signs: dict[str, str] = {}  # what is posted, and where

    def device(self, kind: str) -> DeviceHere | None:
        """Return the device of this kind in service."""
        return next((here for here in self.devices.values() if here.kind == kind), None)


def _opened(state: TableLayout, fact: TableOpened) -> None:
    state.devices = {here.device: here for here in fact.devices}
    state.voids_untold = "round-voided" in fact.unrecorded


def _installed(state: TableLayout, fact: DeviceInstalled) -> None:
    state.devices[fact.device] = DeviceHere(
        fact.device, fact.kind, fact.model, fact.mode, fact.counts_decks, fact.reshuffles
    )


def _configured(state: TableLayout, fact: DeviceConfigured) -> None:
    here = state.devices.get(fact.device)
    if here is not None:
        state.devices[fact.device] = msgspec.structs.replace(here, mode=fact.mode)


def _removed(state: TableLayout, fact: DeviceRemoved) -> None:
    state.devices.pop(fact.device, None)


def _marked(state: TableLayout, fact: MarkerPlaced) -> None:
    state.marker = Marker(position(fact))


def position(fact: MarkerPlaced) -> int:
    """Return where a marker was placed: a seat's number, or the dealer's place."""
    return DEALER if fact.position == "dealer" else fact.seat or DEALER


def _commenced(state: TableLayout, _: GameCommenced) -> None:
    state.marker.recommenced = True


def _voided(state: TableLayout, _: RoundVoided) -> None:
    state.round_void = True


def _completed(state: TableLayout, _: RoundCompleted) -> None:
    marker = state.marker
    if state.round_void or state.voids_untold:
        state.round_void, marker.loose = False, True
    else:
        marker.omitted, marker.due = marker.due, True


def _loaded(state: TableLayout, fact: ShoeLoaded) -> None:
    state.fresh_shoe = fact


def _came(state: TableLayout, fact: PersonCame) -> None:
    if fact.role == "dealer":
        state.fresh_dealer = fact


def _burned(state: TableLayout, fact: CardBurned) -> None:
    # Every round needs the burn before the community cards, so that burn counts for neither shoe nor dealer. One burn
    # by a new dealer who has just loaded the shoe counts for both.
    if fact.reason in ("", "shoe", "dealer"):
        state.fresh_shoe = state.fresh_dealer = None


def _posted(state: TableLayout, fact: SignPosted) -> None:
    state.signs[fact.subject] = fact.on


STEPS: dict[type[Fact], Callable[[TableLayout, Any], None]] = {
    TableOpened: _opened,
    DeviceInstalled: _installed,
    DeviceConfigured: _configured,
    DeviceRemoved: _removed,
    MarkerPlaced: _marked,
    GameCommenced: _commenced,
    RoundVoided: _voided,
    RoundCompleted: _completed,
    ShoeLoaded: _loaded,
    PersonCame: _came,
    CardBurned: _burned,
    SignPosted: _posted,
}
