"""The seals, made with the gateway's keys: which hold, and which are faults of the record."""

from __future__ import annotations

from projections.export.verifier.device_keys import KeyRegister
from projections.export.verifier.faults import FAULTS, Faults
from projections.export.verifier.records import Taken
from projections.export.verifier.stretches import Shown


class Seals:
    """The seals of one stream after the other: the right of each key to seal, and the signatures.

    The signatures checked are all, or only the last of each whole stream. A seal is over the hash of one record, and
    through the chain over all earlier records. If that record is not in the export, the signature says nothing about
    those that are: such seals are counted separately.
    """

    def __init__(self, register: KeyRegister, which: str, faults: Faults) -> None:
        self._register, self._which, self._faults = register, which, faults
        self._hashes: dict[int, str] = {}  # of the last stream of findings, for its stream of seals
        self._of = ""
        self._due: Taken | None = None
        self.checked = self.passed_over = self.unsealed = 0
        self.apart = self.unsealed_in_part = 0
        self._since = self._last = 0

    def begin(self, shown: Shown) -> None:
        """Begin the next stream."""
        self._shown, self._due, self._since, self._last = shown, None, 0, 0
        if shown.kind == "findings" and not shown.stream.endswith("~"):
            self._of, self._hashes = shown.stream, {}

    def take(self, taken: Taken) -> None:
        """Take the next record; an unreadable one is in the chain but is never a seal."""
        follows = taken.sequence == self._last + 1
        if not follows:  # no chain connects this record to the earlier ones
            self.unsealed_in_part, self._since = self.unsealed_in_part + self._since, 0
        self._since, self._last = self._since + 1, taken.sequence
        if self._of == self._shown.stream and self._shown.kind == "findings":
            self._hashes[taken.sequence] = taken.own
        kind = taken.record["type"] if taken.record else ""
        if kind in ("chain-sealed.1", "findings-sealed.1"):
            self._pass_over()
            if kind == "chain-sealed.1":
                apart = not follows
            else:
                apart = self._shown.stream == f"{self._of}~" and taken.record["covers"] not in self._hashes
            now = apart or self._which == "all" or not self._shown.whole
            self._check(taken, apart=apart, signed=now and self._which != "none")

    def end(self) -> None:
        """End the stream."""
        if self._due is not None and self._which == "last":
            due, self._due = self._due, None
            self._check(due)
        self._pass_over()
        if self._shown.kind == "facts" and self._shown.whole:
            self.unsealed += self._since
        elif self._shown.kind == "facts":
            self.unsealed_in_part += self._since

    def _pass_over(self) -> None:
        """Count a seal whose signature is no longer checked."""
        if self._due is not None:
            self.passed_over += 1
            self._faults.not_checked(self._shown, self._due.sequence)
            self._due = None

    def _check(self, taken: Taken, *, apart: bool = False, signed: bool = True) -> None:
        seal, shown = taken.record, self._shown
        if seal["type"] == "chain-sealed.1":
            off = seal["covers"] != seal["sequence"] - 1
            args = (seal, seal.get("previous", ""), shown.owner, seal["sequence"])
        else:
            off = shown.stream != self._of + "~" or self._hashes.get(seal["covers"], seal["head"]) != seal["head"]
            args = (seal, seal["head"], "watcher", seal["covers"])
        if fault := self._register.fault(*args, off=off, signed=signed):
            says = f"{FAULTS[fault]} (key {seal['key'][:64]!r})"
            self._faults.found(shown, taken.sequence, fault, shown.wrong(says, taken.sequence, taken.line))
            return
        self._since = 0
        if apart or signed:
            self.apart, self.checked = self.apart + apart, self.checked + (not apart)
        else:
            self._due = taken
