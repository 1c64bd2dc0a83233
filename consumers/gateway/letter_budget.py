"""How much room dead letters may take: who sends what is refused cannot fill the disk, and nothing is dropped for it.

A client at the socket has a budget an hour, all letters together have one, and some of the disk stays free for facts.
Beyond that a client's line is not taken: the client is disconnected and told why, so the line stays with it. Whoever
runs a command at the console owns the files, and is never refused for a budget.
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
_LOOK_EVERY = 1_000_000  # microseconds between two looks at the disk


class LetterLimits(msgspec.Struct, frozen=True):
    """Megabytes: of one client's letters an hour, of all letters an hour, and of the disk that stay free."""

    client: int = 64
    all: int = 256
    free: int = 1000


def size(letter: Letter) -> int:
    """The number of bytes a letter takes on the disk, about."""
    return len(letter.stored) + len(shortened(letter.says)) + LETTER_BYTES


def free_bytes(folder: Path) -> int:
    """The number of bytes that are free on the disk of a folder."""
    return shutil.disk_usage(folder).free


class LetterBudget:
    """What the letters of this hour take so far. `spent` tells whose were kept since a moment, before a restart."""

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
        """Say why there is no room on the disk; nothing, where there is."""
        if abs(now - self._looked) >= _LOOK_EVERY:
            self._looked, self._left = now, self._free()
        if self._left >= self.limits.free * MEGABYTE:
            return ""
        left, least = self._left // MEGABYTE, self.limits.free
        says = f"the gateway's disk has {left:,} MB free, and {least:,} MB stay free for facts"
        return f"{says}: no dead letter is taken from a device until somebody makes room"

    def refuses(self, client: Client, letter: Letter, now: int) -> str:
        """Say why this client's letter cannot be kept; nothing, where it can, and then it is counted."""
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
                says = f"{whose} may take {most:,} MB an hour, and this line does not fit"
                return f"{says}: put right what is refused, or send it after {until:%H:%M} UTC"
        return ""
