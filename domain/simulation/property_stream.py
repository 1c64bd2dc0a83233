"""The property's own stream on a simulated floor: its day, its people and devices, and the vault of its decks."""

from collections.abc import Iterable, Iterator, Sequence

from domain.facts import decks, property_day
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY
from domain.simulation.opening import devices_at
from domain.simulation.people import dealers_of
from domain.simulation.property_time import DAY_STARTS_AT, ZONE, gaming_days, moment
from domain.simulation.seed import World
from domain.simulation.table import Setup, TableInPlay

OFFICE = "property-office"
VAULT = "vault"
_MORNING = 6 * 60
_OF_THE_VAULT = frozenset({decks.DeckReceived, decks.DeckRemoved})


def opened(world: World, gaming_day: str, entered: Iterable[Setup]) -> Iterator[Fact]:
    """Open the property's day; on the first one, enter its people, tables and devices."""
    at = moment(gaming_day, _MORNING)
    yield property_day.PropertyOpened(
        gaming_day,
        0,
        world.property,
        ZONE,
        DAY_STARTS_AT,
        at=at,
        source=OFFICE,
        source_key=f"{OFFICE}:{gaming_day}:1",
        stream=PROPERTY,
    )
    number = 1
    for made in _entries(world, list(entered)):
        number += 1
        kind, values = made
        yield kind(
            *values,
            at=at + number * 1_000,
            source=OFFICE,
            source_key=f"{OFFICE}:{gaming_day}:{number}",
            stream=PROPERTY,
        )


def _entries(world: World, entered: Sequence[Setup]) -> Iterator[tuple[type[Fact], tuple[object, ...]]]:
    if not entered:
        return
    for dealer in dealers_of(world):
        yield property_day.PersonLicensed, (dealer, ("dealer",))
    for setup in entered:
        yield property_day.OptionsApproved, (setup.book, setup.options, setup.table)
        for device in devices_at(setup, TableInPlay(setup)):
            yield property_day.DeviceEntered, (device.device, device.kind, device.model)


def closed(world: World, gaming_day: str, streams: int) -> Iterator[Fact]:
    """Close the property's day, after every table has closed."""
    _, tomorrow = gaming_days(gaming_day, 2)
    yield property_day.PropertyClosed(
        streams,
        at=moment(tomorrow, _MORNING) - 1_000_000,
        source=OFFICE,
        source_key=f"{OFFICE}:{gaming_day}:close",
        stream=PROPERTY,
    )


def with_vault(facts: list[Fact]) -> list[Fact]:
    """Return a table's facts, with the vault's fact for each deck that comes or goes."""
    if _OF_THE_VAULT.isdisjoint(map(type, facts)):
        return facts
    told: list[Fact] = []
    for fact in facts:
        if isinstance(fact, decks.DeckReceived):
            told.append(_by_the_vault(fact, property_day.DeckIssued, fact.deck, fact.stream))
        told.append(fact)
        if isinstance(fact, decks.DeckRemoved):
            fate = "destroyed" if fact.to == "destroyed" else "vault"
            told.append(_by_the_vault(fact, property_day.DeckReturned, fact.deck, fact.stream, fate))
    return told


def _by_the_vault(fact: Fact, kind: type[Fact], *values: object) -> Fact:
    key = f"{VAULT}:{fact.source_key}"
    return kind(*values, at=fact.at, source=VAULT, source_key=key, stream=PROPERTY)
