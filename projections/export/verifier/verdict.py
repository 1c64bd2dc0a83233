"""What whoever verifies brings along, what comes of it, and the tally that is kept on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Callable, NamedTuple

from projections.export.verifier.notes import Key
from projections.export.verifier.signatures import Holds, signed_by
from projections.export.verifier.trouble import AlteredError

PROVED, ALTERED, USAGE, SOUND_IN_ITSELF, UNREADABLE, NOT_USED, FAULTY = range(7)  # exit statuses
WORDS = {
    PROVED: "PROVED",
    SOUND_IN_ITSELF: "SOUND IN ITSELF, BUT NOBODY FROM OUTSIDE VOUCHES FOR IT",
    NOT_USED: "SOUND, BUT SOMETHING YOU GAVE COULD NOT BE USED",
    FAULTY: "PROVED AS RECORDED, AND THE RECORD HAS FAULTS",
}
MOST_TOLD = 100  # faults of the record that are told one by one


class Asked(NamedTuple):
    """What whoever verifies brings along: keys, a checkpoint from elsewhere, which seals to check, by what program.

    `holds` checks the signatures in the records. Whoever made the export may check the same equation faster.
    """

    keys: Sequence[Key] = ()
    witnesses: Sequence[Key] = ()
    held: str = ""
    seals: str = "all"
    program: str = ""  # the SHA-256 of the program that verifies
    holds: Holds = signed_by


class Verdict(NamedTuple):
    """What was proved, what was not, what is wrong with the record itself, and whether somebody vouches for it."""

    proved: list[str]
    not_proved: list[str]
    not_used: list[str]  # of what was given from outside
    faults: list[str]  # of the record, as it stands in the tree: the first of them
    fault_count: int  # of all of them
    keyed: bool  # signed with a key given from outside
    seen: bool  # by a witness or whoever holds a checkpoint: a head over all its leaves, and those its lists rest on
    says: str  # what it is, in a few words
    asked: str

    @property
    def status(self) -> int:
        """The exit status: 0 where all is proved that can be, by what was given from outside."""
        if self.not_used:
            return NOT_USED
        if not (self.keyed and self.seen):
            return SOUND_IN_ITSELF
        return FAULTY if self.fault_count else PROVED

    @property
    def line(self) -> str:
        """In one line of at most 200 letters."""
        word = WORDS[self.status]
        behind = f"; {self.fault_count} faults of the record" if self.fault_count else ""
        behind += f"; {len(self.not_proved)} things are not proved, see below"
        room = 200 - len(word) - len(behind) - 2
        return f"{word}: {self.says if len(self.says) <= room else self.says[: room - 1] + '…'}{behind}"

    @property
    def lines(self) -> list[str]:
        """The line, what was asked, and a line each: what was of no use, faults of the record, what is open."""
        told = [f"NOT USED: {says}" for says in self.not_used]
        told += [f"FAULT OF THE RECORD: {says}" for says in self.faults]
        if self.fault_count > len(self.faults):
            told.append(
                f"FAULT OF THE RECORD: {self.fault_count - len(self.faults)} more, which the table faults lists"
            )
        told += [f"NOT PROVED: {says}" for says in self.not_proved]
        return [self.line, f"asked for: {self.asked}", *told]


class Tally:
    """What is proved so far, and what is not; told as it comes."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self.proved: list[str] = []
        self.not_proved: list[str] = []
        self.not_used: list[str] = []
        self.faults: list[str] = []
        self.fault_count = 0

    def proves(self, says: str) -> None:
        """One thing more is proved."""
        self.proved.append(says)
        self._tell(says)

    def leaves_open(self, says: str) -> None:
        """One thing is not."""
        self.not_proved.append(says)

    def cannot_use(self, says: str) -> None:
        """Something that was given from outside is of no use."""
        self.not_used.append(says)

    def reports(self, fault: AlteredError) -> None:
        """Something is wrong with the record itself: it stands so in the property's tree, and here."""
        self.fault_count += 1
        if len(self.faults) < MOST_TOLD:
            self.faults.append(str(fault))

    def is_at(self, place: str) -> None:
        """What is read now."""
        self._tell(f"\r{place}")
