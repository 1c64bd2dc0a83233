"""Devices that fail: put right, or taken out of use as each book wants it before anything else is done by hand."""

from domain.facts import devices, table_day
from domain.facts.words import Device
from domain.simulation import decks
from domain.simulation.table import Deck, Table

_COVERED = ("UTH-MD",)  # covering, or a sign, is enough (UTH-MD 13.J); elsewhere the device leaves the table


def fail(table: Table, kind: Device, deck: Deck, *, cards: int | None = None) -> None:
    """A device jams, and the cards in it are taken out."""
    device = table.device(kind)
    table.post.say(devices.DeviceFailed, device, kind, "jammed", deck=deck.name)
    empty(table, kind, deck, cards=cards)


def empty(table: Table, kind: Device, deck: Deck, *, cards: int | None = None) -> None:
    """The cards in a device are taken out."""
    table.post.say(devices.DeviceEmptied, table.device(kind), deck=deck.name, cards=cards)
    deck.ready = False


def restore(table: Table, kind: Device) -> None:
    """The device works again."""
    table.post.say(devices.DeviceRestored, table.device(kind))


def do_without(table: Table, kind: Device) -> None:
    """The device is out of use from here on: covered or removed first, then another method takes its place."""
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
    table.deck.ready = False  # what it had shuffled last is shuffled again: nobody has stacked or cut it
    if table.method == "hand":  # from the hand only what a machine has shuffled
        table.post.say(table_day.MethodChanged, "manual-shoe", "manual")
        table.play_by("manual-shoe")
    else:
        table.post.say(table_day.MethodChanged, shuffling="manual")
