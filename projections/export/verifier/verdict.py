"""The verifying person's inputs, the verdict, and the tally kept on the way."""

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
MOST_TOLD = 100  # faults of the record that are listed one by one


class Asked(NamedTuple):
    """The verifying person's inputs: keys, a checkpoint from elsewhere, which seals to check, and the running program.

    `holds` checks the signatures in the records. The maker of an export may use a faster check of the same equation.
    """

    keys: Sequence[Key] = ()
    witnesses: Sequence[Key] = ()
    held: str = ""
    seals: str = "all"
    program: str = ""  # the SHA-256 of the program that verifies
    holds: Holds = signed_by


class Verdict(NamedTuple):
    """The proved and unproved statements, the faults of the record itself, and whether an outsider vouches for it."""

    proved: list[str]
    not_proved: list[str]
    not_used: list[str]  # inputs from outside that could not be used
    faults: list[str]  # of the record, as it is in the tree: the first ones
    fault_count: int  # the number of all faults
    keyed: bool  # signed with a key given from outside
    seen: bool  # an outsider saw a head over all its leaves, and the heads its lists rest on
    says: str  # a short description of the export
    asked: str

    @property
    def status(self) -> int:
        """The exit status: 0 if everything is proved that can be, with the inputs from outside."""
        if self.not_used:
            return NOT_USED
        if not (self.keyed and self.seen):
            return SOUND_IN_ITSELF
        return FAULTY if self.fault_count else PROVED

    @property
    def line(self) -> str:
        """The verdict in one line of at most 200 letters."""
        word = WORDS[self.status]
        behind = f"; {self.fault_count} faults of the record" if self.fault_count else ""
        behind += f"; {len(self.not_proved)} things are not proved, see below"
        room = 200 - len(word) - len(behind) - 2
        return f"{word}: {self.says if len(self.says) <= room else self.says[: room - 1] + '…'}{behind}"

    @property
    def lines(self) -> list[str]:
        """The verdict, the question, then a line for each unused input, each fault and each open point."""
        told = [f"NOT USED: {says}" for says in self.not_used]
        told += [f"FAULT OF THE RECORD: {says}" for says in self.faults]
        if self.fault_count > len(self.faults):
            told.append(f"FAULT OF THE RECORD: {self.fault_count - len(self.faults)} more, listed in the table faults")
        told += [f"NOT PROVED: {says}" for says in self.not_proved]
        return [self.line, f"asked for: {self.asked}", *told]


class Tally:
    """The proved and the unproved statements so far, printed as they come."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self.proved: list[str] = []
        self.not_proved: list[str] = []
        self.not_used: list[str] = []
        self.faults: list[str] = []
        self.fault_count = 0

    def proves(self, says: str) -> None:
        """Add a proved statement."""
        self.proved.append(says)
        self._tell(says)

    def leaves_open(self, says: str) -> None:
        """Add a statement that is not proved."""
        self.not_proved.append(says)

    def cannot_use(self, says: str) -> None:
        """Add an input from outside that cannot be used."""
        self.not_used.append(says)

    def reports(self, fault: AlteredError) -> None:
        """Add a fault of the record itself, which is the same in the property's tree and here."""
        self.fault_count += 1
        if len(self.faults) < MOST_TOLD:
            self.faults.append(str(fault))

    def is_at(self, place: str) -> None:
        """Show the place being read."""
        self._tell(f"\r{place}")
