"""The property's own stream: facts that belong to no single table."""

from typing import Any, Literal

from domain.facts.envelope import Cards, Cents, Count, Fact, Microseconds, Name
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
    behind_seconds: Count | None = None  # a fact further behind the gateway's clock is quarantined
    ahead_seconds: Count | None = None  # a fact further ahead of the gateway's clock is quarantined
    most_cents: Cents | None = None  # a fact with a larger amount is quarantined; 1,000,000,000 if it is left out


class PropertyClosed(Fact, frozen=True, tag="property-closed.1"):
    """The property's gaming day ended."""

    streams: Count | None = None
    facts: Count | None = None


class KeyRegistered(Fact, frozen=True, tag="key-registered.1"):
    """A device's public key became valid for this table."""

    key: Name
    public_key: Name  # Ed25519, 32 bytes in hex
    table: Name  # the table, or property
    device: str = ""
    valid_from: Microseconds = 0
    valid_until: Microseconds | None = None
    from_stream: str = ""  # where a record of the table is named, it decides instead of the time
    from_sequence: Count = 0


class KeyRotated(Fact, frozen=True, tag="key-rotated.1"):
    """A new key replaced an old one, from the time of this fact or from the record it names."""

    old: Name
    new: Name
    from_stream: str = ""
    from_sequence: Count = 0


class KeyRevoked(Fact, frozen=True, tag="key-revoked.1"):
    """A key lost its trust, from this moment or from the named record of its table."""

    key: Name
    reason: str = ""
    from_at: Microseconds | None = None
    from_stream: str = ""  # a thief can claim any time, but not an earlier place in the chain
    from_sequence: Count = 0


class DeckStored(Fact, frozen=True, tag="deck-stored.1"):
    """A deck was put into the vault."""

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
    """A member of staff was licensed for these roles."""

    person: Name
    roles: tuple[Role, ...]
    licence: str = ""
    until: str = ""


class PersonSuspended(Fact, frozen=True, tag="person-suspended.1"):
    """A member of staff was suspended."""

    person: Name
    reason: str = ""


class DeviceEntered(Fact, frozen=True, tag="device-entered.1"):
    """A device was entered into the property's register."""

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
    """A version of a piece of software went into service."""

    name: Name
    version: Name
    digest: str = ""
