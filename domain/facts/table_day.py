"""A table's gaming day: the opening, with all a verifier needs, and the closing, with its reconciliation."""

from typing import Any

import msgspec

from domain.facts.envelope import Cents, Count, Digest, Fact, Name, Seat
from domain.facts.words import Book, Dealing, Device, Meter, Method, Role, Wager


class WagerLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The posted minimum and maximum of one wager."""

    least_cents: Cents | None = None
    most_cents: Cents | None = None


class DeviceHere(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A device in service at the table."""

    device: Name
    kind: Device
    model: str = ""
    mode: str = ""
    counts_decks: bool = False
    reshuffles: bool = False


class TableOpened(Fact, frozen=True, tag="table-opened.1"):
    """The table opened for its gaming day, under this rule book and these options."""

    table: Name
    gaming_day: Name
    writer_epoch: Count
    book: Book
    book_digest: Digest
    options: dict[str, Any]
    dealing_method: Dealing
    positions: Seat
    limits: dict[Wager, WagerLimits] = {}
    devices: tuple[DeviceHere, ...] = ()
    meters_cents: dict[Meter, Cents] = {}
    opener_cents: Cents | None = None
    previous_stream: str = ""
    previous_head: str = ""
    pit: str = ""
    zone: str = "UTC"
    currency: str = "USD"
    unrecorded: tuple[Name, ...] = ()  # types of fact this table does not record, such as card-burned or hand-announced
    unseen_wagers: tuple[Wager, ...] = ()  # wagers no sensor covers


class OptionChanged(Fact, frozen=True, tag="option-changed.1"):
    """The house changed one option at this table."""

    option: Name
    value: Any
    notice_posted: bool | None = None


class LimitsPosted(Fact, frozen=True, tag="limits-posted.1"):
    """New limits were posted for one wager."""

    wager: Wager
    least_cents: Cents | None = None
    most_cents: Cents | None = None


class MethodChanged(Fact, frozen=True, tag="method-changed.1"):
    """The dealing or shuffling method changed."""

    dealing_method: Dealing | None = None
    shuffling: Method | None = None


class GameCommenced(Fact, frozen=True, tag="game-commenced.1"):
    """Play began at an open table."""


class TableIdled(Fact, frozen=True, tag="table-idled.1"):
    """An open table had no gaming activity."""


class SignPosted(Fact, frozen=True, tag="sign-posted.1"):
    """Odds, a multiple or a limit were shown on the layout or on a sign."""

    subject: Name
    on: str = "sign"
    says: str = ""


class PersonCame(Fact, frozen=True, tag="person-came.1"):
    """A member of staff took up a post at the table."""

    person: Name
    role: Role


class PersonWent(Fact, frozen=True, tag="person-went.1"):
    """A member of staff left the table."""

    person: Name
    role: Role


class TableClosed(Fact, frozen=True, tag="table-closed.1"):
    """The table's gaming day was closed and counted.

    A drop that is counted later has no place of its own any more: a correction of this fact names it.
    """

    closer_cents: Cents | None = None
    rounds: Count | None = None
    facts: Count | None = None
    meters_cents: dict[Meter, Cents] = {}
    drop_cents: Cents | None = None  # what was counted beside the facts `drop-counted`
