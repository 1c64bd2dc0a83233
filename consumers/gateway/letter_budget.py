"""Limits on the disk space of dead letters: refused inputs cannot fill the disk, and nothing is dropped.

Each client of the socket has a limit per hour, all letters together have one, and some disk space stays free for facts.
A line beyond a limit is not taken: the gateway disconnects the client and says why, and the client keeps the line.
Console commands belong to the owner of the files and have no limit.
"""

import shutil
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from consumers.gateway.clients import Client
from consumers.gateway.letter_records import LETTER_BYTES, Letter, shortened

MEGABYTE = 1_000_000
HOUR = 3_600_000_000  # microseconds
_LOOK_EVERY = 1_000_000  # microseconds between two checks of the disk


class LetterLimits(msgspec.Struct, frozen=True):
    """Megabytes: of one client's letters in an hour, of all letters in an hour, and of free disk space."""

    client: int = 64
    all: int = 256
    free: int = 1000


def size(letter: Letter) -> int:
    """The approximate number of bytes a letter takes on the disk."""
    return len(letter.stored) + len(shortened(letter.says)) + LETTER_BYTES


def free_bytes(folder: Path) -> int:
    """The number of free bytes on the disk of a folder."""
    return shutil.disk_usage(folder).free


class LetterBudget:
    """The size of this hour's letters so far. `spent` returns the letters stored since a moment before a restart."""

    def __init__(
        self, limits: LetterLimits, free: Callable[[], int], spent: Callable[[int], Counter[str]], now: int
    ) -> None:
        self.limits = limits
        self._free = free
        self._hour = now // HOUR
        self._of = spent(self._hour * HOUR)
        self._all = self._of.total()
        self._looked = -_LOOK_EVERY
        self._left = 0

    def room(self, now: int) -> str:
        """Return why the disk has no room for letters, or an empty string."""
        if abs(now - self._looked) >= _LOOK_EVERY:
            self._looked, self._left = now, self._free()
        if self._left >= self.limits.free * MEGABYTE:
            return ""
        left, least = self._left // MEGABYTE, self.limits.free
        says = f"the gateway's disk has {left:,} MB free, and {least:,} MB are reserved for facts"
        return f"{says}: no dead letter is taken from a device until there is more room"

    def refuses(self, client: Client, letter: Letter, now: int) -> str:
        """Return why this client's letter cannot be stored, or count it and return an empty string."""
        hour = now // HOUR
        if hour != self._hour:
            self._hour, self._all = hour, 0
            self._of.clear()
        cost = size(letter)
        if not client.is_console and (why := self._full(client, cost) or self.room(now)):
            return why
        self._all += cost
        self._of[client.label] += cost
        return ""

    def _full(self, client: Client, cost: int) -> str:
        for spent, most, whose in (
            (self._of[client.label], self.limits.client, f"dead letters of {client.label}"),
            (self._all, self.limits.all, "all dead letters together"),
        ):
            if spent + cost > most * MEGABYTE:
                until = datetime.fromtimestamp((self._hour + 1) * HOUR // 1_000_000, UTC)
                says = f"{whose} are limited to {most:,} MB an hour, and this line exceeds that"
                return f"{says}: correct the refused lines, or send this one after {until:%H:%M} UTC"
        return ""
