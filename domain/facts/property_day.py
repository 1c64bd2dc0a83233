"""The property's own stream: what belongs to no single table."""

from typing import Any, Literal

from domain.facts.envelope import Cards, Count, Fact, Microseconds, Name
from domain.facts.words import Book, Device, Role


class PropertyOpened(Fact, frozen=True, tag="property-opened.1"):
    """The property's gaming day began."""

    gaming_day: Name
    writer_epoch: Count
    property: Name
    zone: str = "UTC"
    day_starts_at: str = "06:00"
    currency: str = "USD"
    previous_stream: str = ""
    previous_head: str = ""
    behind_seconds: Count | None = None  # a fact further behind the gateway's clock is set aside
    ahead_seconds: Count | None = None  # or further ahead of it


class PropertyClosed(Fact, frozen=True, tag="property-closed.1"):
    """The property's gaming day ended."""

    streams: Count | None = None
    facts: Count | None = None


class KeyRegistered(Fact, frozen=True, tag="key-registered.1"):
    """A device's public key is valid for this table, from here on."""

    key: Name
    public_key: Name  # Ed25519, 32 bytes in hex
    table: Name  # the table, or property
    device: str = ""
    valid_from: Microseconds = 0
    valid_until: Microseconds | None = None
    from_stream: str = ""  # where a record of the table is named, it decides and the time does not
    from_sequence: Count = 0


class KeyRotated(Fact, frozen=True, tag="key-rotated.1"):
    """A new key took an old one's place, from the time of this fact or from the record it names."""

    old: Name
    new: Name
    from_stream: str = ""
    from_sequence: Count = 0


class KeyRevoked(Fact, frozen=True, tag="key-revoked.1"):
    """A key is no longer to be trusted, from this moment or from this record of its table."""

    key: Name
    reason: str = ""
    from_at: Microseconds | None = None
    from_stream: str = ""  # a thief may say any time, and cannot say an earlier place
    from_sequence: Count = 0


class DeckStored(Fact, frozen=True, tag="deck-stored.1"):
    """A deck came into the vault."""

    deck: Name
    cards: Cards | None = None
    back_color: str = ""
    design: str = ""
    place: str = "vault"


class DeckIssued(Fact, frozen=True, tag="deck-issued.1"):
    """A deck left the vault for a table."""

    deck: Name
    table: Name
    by: Role = "floorperson"


class DeckReturned(Fact, frozen=True, tag="deck-returned.1"):
    """A deck came back from a table."""

    deck: Name
    table: str = ""
    fate: Literal["vault", "destroyed", "held"] = "vault"


class PersonLicensed(Fact, frozen=True, tag="person-licensed.1"):
    """A member of staff may take these roles."""

    person: Name
    roles: tuple[Role, ...]
    licence: str = ""
    until: str = ""


class PersonSuspended(Fact, frozen=True, tag="person-suspended.1"):
    """A member of staff may no longer."""

    person: Name
    reason: str = ""


class DeviceEntered(Fact, frozen=True, tag="device-entered.1"):
    """A device is known to the property."""

    device: Name
    kind: Device
    model: str = ""
    approved: str = ""


class OptionsApproved(Fact, frozen=True, tag="options-approved.1"):
    """The regulator approved these options for a game."""

    book: Book
    options: dict[str, Any]
    submission: str = ""


class SoftwareInstalled(Fact, frozen=True, tag="software-installed.1"):
    """This version of this software runs from here on."""

    name: Name
    version: Name
    digest: str = ""
