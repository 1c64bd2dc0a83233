"""The keys that seal, according to the property's own facts: owner, validity, and revocation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from projections.export.verifier.signatures import Holds, signed_by
from projections.export.verifier.texts import laid_down


class Since(NamedTuple):
    """A starting point: a moment, or a record of the table, which alone decides if one is named."""

    at: int
    stream: str = ""
    sequence: int = 0

    def reached(self, stream: str, sequence: int, at: int) -> bool:
        """Return whether this place of a table's record, dated `at`, is at or after the starting point."""
        if self.stream and self.stream.partition("/")[0] == stream.partition("/")[0]:
            return (stream, sequence) >= (self.stream, self.sequence)
        return at >= self.at


class Ends(list[Since]):
    """The ends of a key, stored so that a lookup costs the same however many there are."""

    def __init__(self, told: Sequence[Since] = ()) -> None:
        super().__init__()
        self._places: dict[str, tuple[str, int]] = {}  # by table, its first record
        self._soonest: list[tuple[int, str]] = []  # the two earliest moments, of two tables
        for each in told:
            self.tell(each)

    def tell(self, since: Since) -> None:
        """Add an end."""
        self.append(since)
        table, place = since.stream.partition("/")[0] if since.stream else "", (since.stream, since.sequence)
        if since.stream:
            self._places[table] = min(self._places.get(table, place), place)
        first: dict[str, int] = {}
        for at, of in sorted([*self._soonest, (since.at, table)]):
            first.setdefault(of, at)
        self._soonest = [(at, of) for of, at in first.items()][:2]

    def reached(self, stream: str, sequence: int, at: int) -> bool:
        """Return whether any end has been reached at this place of a table's record, dated `at`."""
        table = stream.partition("/")[0]
        place = self._places.get(table)
        if place is not None and (stream, sequence) >= place:
            return True
        return any(at >= since for since, of in self._soonest if of != table)


class DeviceKey:
    """A key that seals: its owner, and when it is valid."""

    def __init__(self, fact: dict[str, Any]) -> None:
        self.key, self.public, self.table = fact["key"], fact["public_key"], fact["table"]
        since = fact.get("valid_from") or fact["at"]
        self.since = Since(since, fact.get("from_stream", ""), fact.get("from_sequence", 0))
        until = fact.get("valid_until")
        self.ends, self.revoked = Ends([] if until is None else [Since(until)]), Ends()
        self.successor = self.reason = ""

    @property
    def line(self) -> str:
        """Return its line in `data/keys/devices.jsonl`."""
        told = {"key": self.key, "table": self.table, "public_key": self.public, "since": self.since._asdict()}
        told["ends"] = [since._asdict() for since in self.ends]
        told["revoked"] = [since._asdict() for since in self.revoked]
        return laid_down({**told, "successor": self.successor, "reason": self.reason}) + "\n"

    def may(self, stream: str, sequence: int, at: int) -> str:
        """Return the fault of one of its seals here, or an empty text."""
        if not self.since.reached(stream, sequence, at):
            return "key-not-yet-valid"
        if self.ends.reached(stream, sequence, at):
            return "key-expired"
        return "key-revoked" if self.revoked.reached(stream, sequence, at) else ""


class KeyRegister(dict[str, DeviceKey]):
    """Every sealing key in the property's facts. The first registration of a name counts."""

    def __init__(self, holds: Holds = signed_by) -> None:
        super().__init__()
        self._holds = holds

    def take(self, fact: dict[str, Any]) -> None:
        """Take the next fact of the property."""
        kind, place = fact.get("type"), (fact.get("from_stream", ""), fact.get("from_sequence", 0))
        if kind == "key-registered.1":
            self.setdefault(fact["key"], DeviceKey(fact))
        elif kind == "key-rotated.1" and (old := self.get(fact["old"])) is not None:
            old.ends.tell(Since(fact["at"], *place))
            old.successor = old.successor or fact["new"]
        elif kind == "key-revoked.1" and (old := self.get(fact["key"])) is not None:
            from_at = fact.get("from_at")
            old.revoked.tell(Since(fact["at"] if from_at is None else from_at, *place))
            old.reason = old.reason or fact.get("reason", "")

    def lines(self) -> Iterator[str]:
        """The lines of `data/keys/devices.jsonl`."""
        return (self[name].line for name in sorted(self))

    def fault(self, seal: dict[str, Any], head: str, table: str, at_record: int, *, off: bool, signed: bool) -> str:
        """Return the fault of a seal over the record with this hash, or an empty text; `signed` includes its signature.

        `off` marks a seal that covers a different record than it should.
        """
        key = self.get(seal["key"])
        if key is None:
            return "key-unknown"
        if key.table != table:
            return "key-of-another-table"
        if off:
            return "covers-wrong"
        if (outside := key.may(seal["stream"], at_record, seal["at"])) or not signed:
            return outside
        words = f"catwalk seal\n{seal['stream']}\n{seal['covers']}\n{head}\n".encode()
        try:
            good = self._holds(bytes.fromhex(key.public), bytes.fromhex(seal["signature"]), words)
        except ValueError:
            good = False
        return "" if good else "signature-wrong"
