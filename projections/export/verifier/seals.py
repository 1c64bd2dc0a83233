"""Device keys, as the property's own facts tell of them, and the seals made with them."""

from __future__ import annotations

from typing import Any, NamedTuple

from projections.export.verifier.records import Taken
from projections.export.verifier.signatures import signed_by
from projections.export.verifier.stretches import Shown
from projections.export.verifier.texts import laid_down


class Since(NamedTuple):
    """From when on: a moment, or a record of the table, which alone decides where one is named."""

    at: int
    stream: str = ""
    sequence: int = 0

    def reached(self, stream: str, sequence: int, at: int) -> bool:
        """Whether this place of a table's record, said to be of this time, is there or later."""
        if self.stream and self.stream.partition("/")[0] == stream.partition("/")[0]:
            return (stream, sequence) >= (self.stream, self.sequence)
        return at >= self.at


class DeviceKey:
    """A device's key: whose, since when, until when."""

    def __init__(self, fact: dict[str, Any]) -> None:
        self.key, self.public, self.table = fact["key"], fact["public_key"], fact["table"]
        since = fact.get("valid_from") or fact["at"]
        self.since = Since(since, fact.get("from_stream", ""), fact.get("from_sequence", 0))
        until = fact.get("valid_until")
        self.ends: list[Since] = [] if until is None else [Since(until)]
        self.revoked: list[Since] = []
        self.successor = self.reason = ""

    @property
    def line(self) -> str:
        """Its line in `data/keys/devices.jsonl`."""
        told = {"key": self.key, "table": self.table, "public_key": self.public, "since": self.since._asdict()}
        told["ends"] = [since._asdict() for since in self.ends]
        told["revoked"] = [since._asdict() for since in self.revoked]
        return laid_down({**told, "successor": self.successor, "reason": self.reason}) + "\n"

    def may(self, stream: str, sequence: int, at: int) -> str:
        """Why it may not seal here, or nothing."""
        if not self.since.reached(stream, sequence, at):
            return "the key was not valid yet"
        if any(since.reached(stream, sequence, at) for since in self.ends):
            return "the key was not valid any more"
        if any(since.reached(stream, sequence, at) for since in self.revoked):
            return "the key had been revoked"
        return ""


MOST_ENDS = 1000


class KeyRegister(dict[str, DeviceKey]):
    """Every device key the property's facts tell of. What was told first of a name stands."""

    def take(self, fact: dict[str, Any]) -> None:
        """The next fact of the property."""
        kind, old = fact.get("type"), None
        place = (fact.get("from_stream", ""), fact.get("from_sequence", 0))
        if kind == "key-registered.1":
            self.setdefault(fact["key"], DeviceKey(fact))
        elif kind == "key-rotated.1" and (old := self.get(fact["old"])) is not None:
            old.ends.append(Since(fact["at"], *place))
            old.successor = old.successor or fact["new"]
        elif kind == "key-revoked.1" and (old := self.get(fact["key"])) is not None:
            from_at = fact.get("from_at")
            old.revoked.append(Since(fact["at"] if from_at is None else from_at, *place))
            old.reason = old.reason or fact.get("reason", "")
        if old is not None and len(old.ends) + len(old.revoked) > MOST_ENDS:
            raise ValueError(f"key {old.key} is said to have ended more than {MOST_ENDS} times")

    @property
    def lines(self) -> str:
        """`data/keys/devices.jsonl`."""
        return "".join(self[name].line for name in sorted(self))

    def wrong(self, seal: dict[str, Any], head: str, table: str, at_record: int, *, signed: bool = True) -> str:
        """What is wrong with a seal over the record that has this hash, or nothing; its signature included, or not."""
        key = self.get(seal["key"])
        if key is None:
            return f"the property's facts tell of no key {seal['key']}"
        if key.table != table:
            return f"the key {key.key} is for {key.table}"
        if outside := key.may(seal["stream"], at_record, seal["at"]):
            return outside
        if not signed:
            return ""
        words = f"catwalk seal\n{seal['stream']}\n{seal['covers']}\n{head}\n".encode()
        try:
            good = signed_by(bytes.fromhex(key.public), bytes.fromhex(seal["signature"]), words)
        except ValueError:
            good = False
        return "" if good else "the signature is not of what it covers"


class Seals:
    """The seals of one stream after the other: that each key may seal there, and the signatures of all, or of the last
    of each whole stream.

    A seal is over the hash of one record, and through the chain over those before it. Where that record is not here the
    signature says nothing of what is: such seals are counted apart.
    """

    def __init__(self, register: KeyRegister, which: str) -> None:
        self._register, self._which = register, which
        self._hashes: dict[int, str] = {}  # of the stream of findings read last, for the stream of its seals
        self._of = ""
        self._due: Taken | None = None
        self.checked = self.passed_over = self.unsealed = 0
        self.apart = self.unsealed_in_part = 0
        self._since = self._last = 0

    def begin(self, shown: Shown) -> None:
        """The next stream."""
        self._shown, self._due, self._since, self._last = shown, None, 0, 0
        if shown.kind == "findings" and not shown.stream.endswith("~"):
            self._of, self._hashes = shown.stream, {}

    def take(self, taken: Taken) -> None:
        """The next record."""
        record = taken.record
        follows = record["sequence"] == self._last + 1
        if not follows:  # what comes is not chained to what was before
            self.unsealed_in_part, self._since = self.unsealed_in_part + self._since, 0
        self._since, self._last = self._since + 1, record["sequence"]
        if self._of == self._shown.stream and self._shown.kind == "findings":
            self._hashes[record["sequence"]] = taken.own
        if record["type"] in ("chain-sealed.1", "findings-sealed.1"):
            self.passed_over += self._due is not None
            if record["type"] == "chain-sealed.1":
                apart = not follows
            else:
                apart = self._shown.stream == f"{self._of}~" and record["covers"] not in self._hashes
            self._since, self._due = 0, taken
            now = apart or self._which == "all" or not self._shown.whole
            self._check(taken, apart=apart, signed=now and self._which != "none")

    def end(self) -> None:
        """The end of the stream."""
        if self._due is not None and self._which == "last":
            self._check(self._due)
        self.passed_over += self._due is not None
        if self._shown.kind == "facts" and self._shown.whole:
            self.unsealed += self._since
        elif self._shown.kind == "facts":
            self.unsealed_in_part += self._since

    def _check(self, taken: Taken, *, apart: bool = False, signed: bool = True) -> None:
        seal, shown = taken.record, self._shown
        try:
            if seal["type"] == "chain-sealed.1":
                off = seal["covers"] != seal["sequence"] - 1
                says = self._register.wrong(seal, seal["previous"], shown.owner, seal["sequence"], signed=signed)
            else:
                off = shown.stream != self._of + "~" or self._hashes.get(seal["covers"], seal["head"]) != seal["head"]
                says = self._register.wrong(seal, seal["head"], "watcher", seal["covers"], signed=signed)
        except (KeyError, TypeError) as error:
            off, says = True, f"{error} is missing in it, or of another kind"
        if says or off:
            says = f"the seal does not hold: {says or 'it covers another record'}"
            raise shown.wrong(says, seal["sequence"], taken.line)
        if apart or signed:
            self._due, self.apart, self.checked = None, self.apart + apart, self.checked + (not apart)
