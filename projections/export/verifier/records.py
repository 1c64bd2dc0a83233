"""The records: each stands in its stretch, and names the hash of the one before it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from projections.export.verifier.container import Export
from projections.export.verifier.notes import Head
from projections.export.verifier.places import STREAMS
from projections.export.verifier.stretches import Shown, Stretch, proven
from projections.export.verifier.texts import hashes, laid_down, parsed, turned_back, unhexed
from projections.export.verifier.trees import leads_to, leaf_hash, root_of
from projections.export.verifier.trouble import AlteredError, Line


class Taken(NamedTuple):
    """A record as it was read: its line, its fields, the SHA-256 of its bytes."""

    line: Line
    record: dict[str, Any]
    own: str


class Records:
    """The records of one stream, read in order and proved on the way."""

    def __init__(self, export: Export, head: Head, shown: Shown) -> None:
        self._export, self._head, self.shown = export, head, shown
        self.last_stretch: Stretch | None = None
        self.head = ""
        self.count = 0

    def each(self) -> Iterator[Taken]:
        """Every record, after which all of them are proved to be the ones in the tree."""
        yield from self._whole() if self.shown.whole else self._in_part()
        if self.count != self.shown.records:
            says = f"{self.count} records are there, and {STREAMS} says {self.shown.records}"
            raise AlteredError(says, self.shown.path, stream=self.shown.stream, sequence=self.count)

    def stretches(self) -> Iterator[Stretch]:
        """Its stretches, each proved to stand in the property's tree."""
        path, last = self.shown.stretches, 0
        for line in self._export.lines(path):
            stretch = proven(line, path, self._head)
            if (stretch.kind, stretch.stream) != (self.shown.kind, self.shown.stream):
                says = f"this is a stretch of {stretch.kind} {stretch.stream}"
            elif stretch.first != last + 1 if self.shown.whole else stretch.first <= last:
                says = f"a stretch from {stretch.first} on does not follow one up to {last}"
            elif stretch.last > self.shown.last:
                says = f"{STREAMS} says that the stream ends with {self.shown.last}"
            else:
                yield stretch
                last, self.last_stretch = stretch.last, stretch
                continue
            raise AlteredError(says, path, line=line.number, byte=line.byte)
        if self.shown.whole and last != self.shown.last:
            says = f"the stretches end with record {last}, and {STREAMS} says {self.shown.last}: the tail is cut off"
            raise AlteredError(says, path, stream=self.shown.stream, sequence=last + 1)

    def _whole(self) -> Iterator[Taken]:
        """Named hot: this runs once a record, of which there may be millions."""
        lines, stream, sequence = self._export.lines(self.shown.path), self.shown.stream, 0
        before: Taken | None = None
        for stretch in self.stretches():
            leaves: list[bytes] = []
            while sequence < stretch.last:
                line = next(lines, None)
                if line is None:
                    raise self._wrong(sequence + 1, f"records {sequence + 1} to {self.shown.last} are missing")
                text = line.text
                leaves.append(sha256(b"\x00" + text).digest())
                record, sequence = self._record(line, sequence + 1), sequence + 1
                taken = Taken(line, record, sha256(text).hexdigest())
                if (
                    record.get("sequence") != sequence
                    or record.get("previous", "") != self.head
                    or record.get("stream") != stream
                ):
                    raise self._broken(taken, before, sequence, next(lines, None), stretch)
                self.head, self.count, before = taken.own, sequence, taken
                yield taken
            self._check(stretch, leaves, before)
        if (line := next(lines, None)) is not None:
            raise self._wrong(sequence + 1, "behind the last record of the last stretch there is more", line)

    def _record(self, line: Line, sequence: int) -> dict[str, Any]:
        try:
            record = parsed(line.text)
            if not isinstance(record, dict) or not line.text.startswith(b'{"type":"'):
                raise ValueError("it is not written as a record is")
        except UnicodeDecodeError as error:
            raise self._wrong(sequence, "it is no text", line, error.start) from error
        except json.JSONDecodeError as error:
            at = len(error.doc[: error.pos].encode())
            raise self._wrong(sequence, f"it is no JSON: {error.msg}", line, at) from error
        except ValueError as error:
            raise self._wrong(sequence, str(error), line) from error
        return record

    def _wrong(self, sequence: int, says: str, line: Line | None = None, at: int = 0) -> AlteredError:
        return self.shown.wrong(says, sequence, line, at)

    def _broken(
        self, taken: Taken, before: Taken | None, sequence: int, behind: Line | None, stretch: Stretch
    ) -> AlteredError:
        """Which of two records is not what was written, where the chain between them does not hold."""
        line, record, said = taken.line, taken.record, taken.record.get("sequence")
        if before is not None and line.text == before.line.text:
            return self._wrong(sequence, "the record before stands there again", line)
        if record.get("stream") != self.shown.stream:
            return self._wrong(sequence, f"it says that it is of {record.get('stream')!r}", line)
        due = stretch.head if behind is None else _named(behind)
        if record.get("previous", "") != self.head and said != sequence:
            return self._wrong(sequence, f"record {said!r} stands where {sequence} has to: dropped or moved", line)
        if due != taken.own or said != sequence or before is None:
            at = max(turned_back(line.text, unhexed(due)), 0)
            return self._wrong(sequence, "it is not the record that was written here", line, at)
        due = str(record.get("previous", ""))
        at = max(turned_back(before.line.text, unhexed(due)), 0)
        says = f"record {sequence} names another hash than these bytes have: they are not what was written"
        return self._wrong(sequence - 1, says, before.line, at)

    def _check(self, stretch: Stretch, leaves: list[bytes], last: Taken | None) -> None:
        """The end of a stretch: its last hash, and the root over its records, are those in the property's tree."""
        if last is None or stretch.head != last.own:
            line = last.line if last else None
            at = turned_back(line.text, unhexed(stretch.head)) if line else -1
            says = f"the property's tree has another hash for record {stretch.last}"
            raise self._wrong(
                stretch.last, f"{says}: it, or all of {stretch.first} to it, are others", line, max(at, 0)
            )
        if root_of(leaves) != stretch.root:
            says = "the chain holds, and the property's tree has another root over records"
            raise self._wrong(stretch.first, f"{says} {stretch.first} to {stretch.last}: the chain was made anew")

    def _in_part(self) -> Iterator[Taken]:
        stretches, places = self.stretches(), self._export.lines(self.shown.places)
        stretch, sequence = next(stretches, None), 0
        for line in self._export.lines(self.shown.path):
            place = next(places, None)
            if place is None:
                raise AlteredError(f"there is no place for line {line.number} of the records", self.shown.places)
            number, path = self._place(place)
            while stretch is not None and stretch.last < number:
                stretch = next(stretches, None)
            if stretch is None or not sequence < number or number < stretch.first:
                says = f"record {number} is behind the one before and in a stretch that is shown, or it has no place"
                raise AlteredError(says, self.shown.places, line=place.number, byte=place.byte)
            record = self._record(line, number)
            taken = Taken(line, record, sha256(line.text).hexdigest())
            try:
                at, count = number - stretch.first, stretch.last - stretch.first + 1
                if leads_to(leaf_hash(line.text), at, count, path) != stretch.root:
                    raise ValueError("it does not stand at its place of its stretch")
            except ValueError as error:
                raise self._wrong(number, str(error), line) from error
            own_place = (record.get("sequence"), record.get("stream")) == (number, self.shown.stream)
            follows = number != sequence + 1 or record.get("previous", "") == self.head
            if not own_place or not follows or (number == stretch.last and taken.own != stretch.head):
                raise self._wrong(number, "it is of another place, or names another hash before it", line)
            self.head, self.count, sequence = taken.own, self.count + 1, number
            yield taken
        if (place := next(places, None)) is not None:
            raise AlteredError("a place is told that no record has", self.shown.places, line=place.number)
        for _ in stretches:
            pass

    def _place(self, line: Line) -> tuple[int, list[bytes]]:
        try:
            said = parsed(line.text)
            if laid_down({"sequence": said["sequence"], "path": said["path"]}).encode() != line.text:
                raise ValueError
            if type(said["sequence"]) is not int:
                raise ValueError
            return said["sequence"], hashes(said["path"])
        except (ValueError, TypeError, KeyError) as error:
            says = "it is not written as the place of a record is"
            raise AlteredError(says, self.shown.places, line=line.number, byte=line.byte) from error


def _named(line: Line) -> str:
    """The hash a record names as that of the one before it, if it can be read."""
    found = re.search(rb'"previous":"([0-9a-f]{64})"', line.text)
    return found[1].decode() if found else ""
