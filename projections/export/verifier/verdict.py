"""What whoever verifies brings along, what comes of it, and the tally that is kept on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Callable, NamedTuple

from projections.export.verifier.notes import Key


class Asked(NamedTuple):
    """What whoever verifies brings along: keys, a checkpoint from elsewhere, which seals to check, by what program."""

    keys: Sequence[Key] = ()
    witnesses: Sequence[Key] = ()
    held: str = ""
    seals: str = "all"
    program: str = ""  # the SHA-256 of the program that verifies


class Verdict(NamedTuple):
    """What was proved, what was not, what was asked, and whether somebody from outside vouches for it."""

    proved: list[str]
    not_proved: list[str]
    vouched: bool
    says: str  # what it is, in a few words
    asked: str

    @property
    def line(self) -> str:
        """In one line of at most 200 letters."""
        word = "PROVED" if self.vouched else "SOUND, BUT NOBODY FROM OUTSIDE VOUCHES FOR IT"
        behind = f"; {len(self.not_proved)} things are not proved, see below"
        room = 200 - len(word) - len(behind) - 2
        return f"{word}: {self.says if len(self.says) <= room else self.says[: room - 1] + '…'}{behind}"

    @property
    def text(self) -> str:
        """The line, what was asked, and what is not proved, a line each."""
        return "\n".join([self.line, f"asked for: {self.asked}", *(f"NOT PROVED: {says}" for says in self.not_proved)])


class Tally:
    """What is proved so far, and what is not; told as it comes."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self.proved: list[str] = []
        self.not_proved: list[str] = []

    def proves(self, says: str) -> None:
        """One thing more is proved."""
        self.proved.append(says)
        self._tell(says)

    def leaves_open(self, says: str) -> None:
        """One thing is not."""
        self.not_proved.append(says)

    def is_at(self, place: str) -> None:
        """What is read now."""
        self._tell(f"\r{place}")
