"""The doctor's reports, and the command's exit status for them."""

from typing import Final

import click
import msgspec

from consumers.doctor.next_steps import NEXT_STEPS
from consumers.gateway.letter_records import one_line
from domain.ledger.audit import HARMLESS, ChainTrouble

# The exit status of each kind of problem: the more serious, the higher. 2 means that something could not be read at
# all.
STATUS: Final = {
    "silent": 1,
    "seal-bad": 3,
    "unsealed": 4,
    "unsealed-long": 4,
    "not-as-stored": 5,
    "opening-missing": 6,
    "second-writer": 7,
    "after-close": 8,
    "out-of-order": 9,
    "day-unlinked": 10,
    "gap": 11,
    "tail-cut": 12,
    "break": 13,
    "unreadable": 14,
    "fork": 15,
    "missing": 16,
    "altered": 17,
    "tree-bad": 18,
    "misfiled": 19,
    "outbox-bad": 20,
    "file-bad": 21,
}
DAMAGE: Final = STATUS["not-as-stored"]


class Silent(msgspec.Struct, frozen=True):
    """An open stream that is silent."""

    kind: str
    stream: str
    sequence: int
    where: str
    says: str
    byte: None = None


class Teller:
    """A reporter of problems as they are found; it remembers the most serious."""

    def __init__(self, *, as_json: bool, sealed: bool) -> None:
        self.status = 0
        self._as_json = as_json
        self._sealed = sealed
        self._kinds: dict[str, str] = {}  # the kinds of problems found, with the next step of each

    def found(self, found: ChainTrouble | Silent) -> int:
        """Report one problem, and return its exit status."""
        harmless = found.kind in HARMLESS and not (self._sealed and found.kind == "unsealed")
        status = 0 if harmless else STATUS[found.kind]
        self.status = max(self.status, status)
        step = self._kinds[found.kind] = NEXT_STEPS[found.kind]
        if self._as_json:
            click.echo(msgspec.json.encode({**msgspec.structs.asdict(found), "next": step}))
        else:
            at = f" at {found.where}" if found.where else ""
            byte = "" if found.byte is None else f", byte {found.byte}"
            told = f"{found.kind}: {found.stream or 'no stream'} record {found.sequence}{at}{byte}: {found.says}"
            if found.kind == "file-bad":
                told = f"{found.kind}: {found.where}: {found.says}"
            click.echo(one_line(told))
        return status

    def says(self, sentence: str, status: int = 0) -> None:
        """Print something besides the problems."""
        self.status = max(self.status, status)
        click.echo(one_line(sentence), err=True)

    def next_steps(self) -> None:
        """Print what to do next, once for each step; JSON has it with each problem."""
        if self._as_json:
            return
        for step in dict.fromkeys(self._kinds.values()):
            kinds = ", ".join(kind for kind, other in self._kinds.items() if other == step)
            self.says(f"next, for {kinds}: {step}.")

    def verdict(self, of: str, status: int) -> None:
        """Print the verdict on a part of the record."""
        verdict = "whole" if status == 0 else "altered or damaged" if status >= DAMAGE else "needs attention"
        self.says(f"{of}: {verdict}")
