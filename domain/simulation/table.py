"""A table of the simulated floor: its setup, and everything on it that outlasts a round."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

import msgspec

from domain.cards import DECK
from domain.facts.table_day import DeviceHere, WagerLimits
from domain.facts.words import Book, Dealing
from domain.rulebooks import House, RuleBook, edition_on, house
from domain.settlement.played import Cards
from domain.simulation.pace import TablePace
from domain.simulation.post import TableScript
from domain.simulation.sensors import Reading, Sight

# 2026-11-18 17:00 UTC: noon in New York.
NOON = 1_795_021_200_000_000
COLORS = ("red", "blue")


class Setup(msgspec.Struct, frozen=True):
    """Everything fixed before a table opens."""

    book: Book
    options: dict[str, Any] = {}
    method: Dealing = "manual-shoe"
    table: str = "T7"
    gaming_day: str = "2026-11-18"
    opens_at: int = NOON
    pit: str = ""
    zone: str = "UTC"
    positions: int = 6
    limits: dict[str, WagerLimits] = {}
    meters_cents: dict[str, int] = {}  # if omitted: the house's meters
    contribution_percent: dict[str, int] = {}  # each meter, with its share of each progressive chip
    opener_cents: int = 5_000_000
    preinspected: bool = False
    preshuffled: bool = False
    shuffler_loads_shoe: bool = False
    shoe_reshuffles: bool = False  # an automated shoe that reshuffles and counts by itself (UTH-MD 5.I)
    dealer_stack: str = ""  # Maryland's automated shoe: at-deal or after-decisions
    unrecorded: tuple[str, ...] = ()
    unseen_wagers: tuple[str, ...] = ()
    reading: Reading = "all"
    dealer: str = "dealer-1"
    floorperson: str = "floor-1"
    pace: TablePace = TablePace()

    @property
    def edition(self) -> RuleBook:
        """The edition of the rule book in force on the gaming day."""
        return edition_on(self.book, self.gaming_day)


class DealtDeck(msgspec.Struct):
    """A deck at the table, or a batch of decks: `cards` is its real content."""

    name: str
    decks: int = 1
    color: str = COLORS[0]
    cards: Cards = DECK
    since: int = 0  # when it came to the table
    ready: bool = False  # shuffled, and not used since
    cut_due: bool = False  # shuffled by hand, or before it came
    since_count: int = 0  # rounds dealt from it since its own stub was counted


class TableInPlay:
    """A table in play. A dealer works on it, one round at a time."""

    def __init__(self, setup: Setup, chance: Random | None = None) -> None:
        self.setup = setup
        self.options: dict[str, Any] = dict(setup.options)
        self.method: Dealing = setup.method
        self.house: House = house(setup.edition, self.options, self.method)
        self.chance = chance
        sight = Sight(frozenset(setup.unrecorded), frozenset(setup.unseen_wagers), setup.reading)
        self.post = TableScript(
            setup.table, setup.gaming_day, setup.opens_at, pace=setup.pace, sight=sight, chance=chance
        )
        self.decks: list[DealtDeck] = []
        self.turn = 0  # the deck of the next round
        self.decks_seen = 0
        self.rounds = 0
        self.since_count = 0  # rounds since the stub was last counted
        self.dealer = setup.dealer
        self.floorperson = setup.floorperson
        self.seated: dict[int, str] = {}
        self.meters: dict[str, int] = {}
        self.shoe: Any = None  # Fast Action's shoe, which outlasts the rounds with its marker
        self.tray_cents = setup.opener_cents
        self.drop_cents = 0
        self.stands(())
        self.out_of_use: set[str] = set()  # kinds of device at the table that do not work

    def play_by(self, method: Dealing | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Put another dealing method, or other options, into force."""
        self.method = method or self.method
        self.options |= options or {}
        self.house = house(self.setup.edition, self.options, self.method)

    @property
    def book(self) -> str:
        """The rule book in force."""
        return self.house.book.book

    @property
    def deck(self) -> DealtDeck:
        """The deck of the next round."""
        return self.decks[self.turn % len(self.decks)]

    def device(self, kind: str) -> str:
        """Return the name of the device of this kind in use; empty if none."""
        return "" if kind in self.out_of_use else self._of_kind.get(kind, "")

    def stands(self, here: Iterable[DeviceHere]) -> None:
        """Place these devices at the table."""
        self.devices: dict[str, DeviceHere] = {device.device: device for device in here}
        self._of_kind: dict[str, str] = {device.kind: device.device for device in reversed(self.devices.values())}

    @property
    def shuffling_device(self) -> str:
        """The device that shuffles the cards here; empty if the dealer does."""
        shoe = self.device("shoe")
        return self.device("shuffler") or (shoe if self.setup.shoe_reshuffles else "")

    @property
    def machine_shuffles(self) -> bool:
        """Whether a device shuffles the cards here."""
        return bool(self.shuffling_device)

    @property
    def machine_counts(self) -> bool:
        """Whether the device in use counts the cards after each shuffle."""
        return self.machine_shuffles and self.devices[self.shuffling_device].counts_decks
