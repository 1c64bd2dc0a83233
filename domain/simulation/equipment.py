"""Device failures: repaired, or taken out of use as each book requires before work continues by hand."""

from domain.facts import devices, table_day
from domain.facts.words import Device
from domain.simulation import decks
from domain.simulation.table import DealtDeck, TableInPlay

_COVERED = ("UTH-MD",)  # a cover or a sign is enough (UTH-MD 13.J); elsewhere the device leaves the table


def fail(table: TableInPlay, kind: Device, deck: DealtDeck, *, cards: int | None = None) -> None:
    """Jam a device, and take its cards out."""
    device = table.device(kind)
    table.post.say(devices.DeviceFailed, device, kind, "jammed", deck=deck.name)
    empty(table, kind, deck, cards=cards)


def empty(table: TableInPlay, kind: Device, deck: DealtDeck, *, cards: int | None = None) -> None:
    """Take the cards out of a device."""
    table.post.say(devices.DeviceEmptied, table.device(kind), deck=deck.name, cards=cards)
    deck.ready = False


def restore(table: TableInPlay, kind: Device) -> None:
    """Put a device back to work."""
    table.post.say(devices.DeviceRestored, table.device(kind))


def do_without(table: TableInPlay, kind: Device) -> None:
    """Take the device out of use: covered or removed first, then replaced by another method."""
    device = table.device(kind)
    table.post.say(devices.DeviceCovered if table.book in _COVERED else devices.DeviceRemoved, device)
    table.out_of_use.add(kind)
    if kind == "shoe":
        table.post.say(table_day.MethodChanged, "manual-shoe")
        table.play_by("manual-shoe")
        return
    for spare in [deck for deck in table.decks if deck is not table.deck]:  # a second deck needs the machine
        decks.remove(table, spare, "no shuffler", decks.VAULT)
    table.turn = 0
    table.deck.ready = False  # cards it shuffled last are shuffled again, because they are not stacked or cut
    if table.method == "hand":  # only machine-shuffled cards are dealt from the hand
        table.post.say(table_day.MethodChanged, "manual-shoe", "manual")
        table.play_by("manual-shoe")
    else:
        table.post.say(table_day.MethodChanged, shuffling="manual")
