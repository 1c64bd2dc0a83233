"""The records: each stands in its stretch, and names the hash of the one before it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from typing import Any, NamedTuple

from projections.export.verifier.container import Export
from projections.export.verifier.faults import CHAIN, UNREAD, Faults
from projections.export.verifier.notes import Head
from projections.export.verifier.places import STREAMS
from projections.export.verifier.stretches import Shown, Stretch, proven
from projections.export.verifier.texts import from_base64, hashes, laid_down, parsed, record_of, turned_back, unhexed
from projections.export.verifier.trees import leads_to, leaf_hash, root_of
from projections.export.verifier.trouble import AlteredError, Line


class Taken(NamedTuple):
    """A record as it was read: its line, its place, its fields (none where nobody can read it), its SHA-256."""

    line: Line
    sequence: int
    record: dict[str, Any]
    own: str


class Records:
    """The records of one stream, read in order and proved on the way."""

    def __init__(self, export: Export, head: Head, shown: Shown, faults: Faults | None = None) -> None:
        self._export, self._head, self.shown, self._faults = export, head, shown, faults
        self.last_stretch: Stretch | None = None
        self.head = ""
        self.count = 0
        self.first_place = head.size  # of its stretches, in the property's tree

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
                self.first_place = min(self.first_place, stretch.place)
                yield stretch
                last, self.last_stretch = stretch.last, stretch
                continue
            raise AlteredError(says, path, line=line.number, byte=line.byte)
        if self.shown.whole and last != self.shown.last:
            says = f"the stretches end with record {last}, and {STREAMS} says {self.shown.last}: the tail is cut off"
            raise AlteredError(says, path, stream=self.shown.stream, sequence=last + 1)

    def _whole(self) -> Iterator[Taken]:
        """Named hot: this runs once a record, of which there may be millions.

        A stretch is proved first and read then. So what its records say is judged of those in the tree alone, and a
        chain that does not hold there is a fault of the record.
        """
        ahead, lines = self._stored(), self._stored()
        for stretch in self.stretches():
            leaves = [sha256(b"\x00" + line.text).digest() for line in islice(ahead, stretch.last - self.count)]
            if len(leaves) != stretch.last - self.count or root_of(leaves) != stretch.root:
                self._locate(stretch)
            for here in islice(lines, len(leaves)):
                sequence, before = self.count + 1, self.head
                taken = self._record(here, sequence)
                self.head, self.count = taken.own, sequence
                yield self._chained(taken, before)
            if self.head != stretch.head:
                self._locate(stretch)
        if (line := next(lines, None)) is not None:
            raise self._wrong(self.count + 1, "behind the last record of the last stretch there is more", line)

    def _chained(self, taken: Taken, before: str | None) -> Taken:
        """A record that is proved to be in the tree, beside the one before it, where that one is here."""
        record, shown, sequence = taken.record, self.shown, taken.sequence
        if self._faults is None:
            return taken
        if not record or (record.get("sequence"), record.get("stream")) != (sequence, shown.stream):
            self._faults.found(shown, sequence, UNREAD)
            return taken._replace(record={})
        if before is not None and record.get("previous", "") != before:
            self._faults.found(shown, sequence, CHAIN)
        return taken

    def _locate(self, stretch: Stretch) -> None:
        """Raises where the records of a stretch are not those in the tree: at the first that does not fit."""
        lines = iter([*islice(self._stored(), stretch.first - 1, stretch.last + 1)])
        sequence, leaves = stretch.first - 1, list[bytes]()
        before = self._at(stretch.first - 1) if stretch.first > 1 else None
        line = next(lines, None)
        head = _own(before) if before else ""
        while sequence < stretch.last:
            if line is None:
                raise self._wrong(sequence + 1, f"records {sequence + 1} to {self.shown.last} are missing")
            leaves.append(sha256(b"\x00" + line.text).digest())
            record, sequence, behind = self._record(line, sequence + 1).record, sequence + 1, next(lines, None)
            place = (record.get("sequence"), record.get("previous", ""), record.get("stream"))
            if record and place != (sequence, head, self.shown.stream):
                due = stretch.head if behind is None else _named(behind)
                raise self._broken(Taken(line, sequence, record, _own(line)), before, head, due)
            head, before = _own(line), line
            line = behind
        self._check(stretch, leaves, before)

    def _at(self, number: int) -> Line:
        """A line of the records."""
        return next(islice(self._stored(), number - 1, None))

    def _stored(self) -> Iterator[Line]:
        """The records as they are stored, each with its line. One that has line ends stands there as base64."""
        for line in self._export.lines(self.shown.path):
            if line.text.startswith(b"~"):
                try:
                    stored = from_base64(line.text[1:].decode("ascii", "replace"))
                    if b"\n" not in stored:
                        raise ValueError("it is written as base64, and has no line end")
                except ValueError as error:
                    raise self._wrong(line.number, str(error), line) from error
                yield Line(line.number, line.byte, stored)
            else:
                yield line

    def _record(self, line: Line, sequence: int) -> Taken:
        """A record, if the table of faults does not say that nobody can read it."""
        own = sha256(line.text).hexdigest()
        if self._faults is not None and self._faults.unread(self.shown, sequence):
            return Taken(line, sequence, {}, own)
        try:
            if b"\n" in line.text:
                raise ValueError("it has a line end, and the table faults does not say that nobody can read it")
            return Taken(line, sequence, record_of(line.text), own)
        except UnicodeDecodeError as error:
            raise self._wrong(sequence, "it is no text", line, error.start) from error
        except json.JSONDecodeError as error:
            at = len(error.doc[: error.pos].encode())
            raise self._wrong(sequence, f"it is no JSON: {error.msg}", line, at) from error
        except ValueError as error:
            raise self._wrong(sequence, str(error), line) from error

    def _wrong(self, sequence: int, says: str, line: Line | None = None, at: int = 0) -> AlteredError:
        return self.shown.wrong(says, sequence, line, at)

    def _broken(self, taken: Taken, before: Line | None, head: str, due: str) -> AlteredError:
        """Which of two records is not what was written, where the chain between them does not hold.

        `head` is the hash of the one before, `due` the one that is named behind this one.
        """
        line, record, sequence, said = taken.line, taken.record, taken.sequence, taken.record.get("sequence")
        if before is not None and line.text == before.text:
            return self._wrong(sequence, "the record before stands there again", line)
        if record.get("stream") != self.shown.stream:
            return self._wrong(sequence, f"it says that it is of {record.get('stream')!r}", line)
        if record.get("previous", "") != head and said != sequence:
            return self._wrong(sequence, f"record {said!r} stands where {sequence} has to: dropped or moved", line)
        if due != taken.own or said != sequence or before is None:
            at = max(turned_back(line.text, unhexed(due)), 0)
            return self._wrong(sequence, "it is not the record that was written here", line, at)
        due = str(record.get("previous", ""))
        at = max(turned_back(before.text, unhexed(due)), 0)
        says = f"record {sequence} names another hash than these bytes have: they are not what was written"
        return self._wrong(sequence - 1, says, before, at)

    def _check(self, stretch: Stretch, leaves: list[bytes], last: Line | None) -> None:
        """The end of a stretch: its last hash, and the root over its records, are those in the property's tree."""
        if last is None or stretch.head != _own(last):
            at = turned_back(last.text, unhexed(stretch.head)) if last else -1
            says = f"the property's tree has another hash for record {stretch.last}"
            says += f": it, or all of {stretch.first} to it, are others"
            raise self._wrong(stretch.last, says, last, max(at, 0))
        if root_of(leaves) != stretch.root:
            says = "the chain holds, and the property's tree has another root over records"
            raise self._wrong(stretch.first, f"{says} {stretch.first} to {stretch.last}: the chain was made anew")

    def _in_part(self) -> Iterator[Taken]:
        stretches, places = self.stretches(), self._export.lines(self.shown.places)
        stretch, sequence = next(stretches, None), 0
        for line in self._stored():
            place = next(places, None)
            if place is None:
                raise AlteredError(f"there is no place for line {line.number} of the records", self.shown.places)
            number, path = self._place(place)
            while stretch is not None and stretch.last < number:
                stretch = next(stretches, None)
            if stretch is None or not sequence < number or number < stretch.first:
                says = f"record {number} is behind the one before and in a stretch that is shown, or it has no place"
                raise AlteredError(says, self.shown.places, line=place.number, byte=place.byte)
            taken = self._record(line, number)
            try:
                at, count = number - stretch.first, stretch.last - stretch.first + 1
                if leads_to(leaf_hash(line.text), at, count, path) != stretch.root:
                    raise ValueError("it does not stand at its place of its stretch")
            except ValueError as error:
                raise self._wrong(number, str(error), line) from error
            if number == stretch.last and taken.own != stretch.head:
                raise self._wrong(number, "the property's tree has another hash for it", line)
            before = self.head if number == sequence + 1 else None
            self.head, self.count, sequence = taken.own, self.count + 1, number
            yield self._chained(taken, before)
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


def _own(line: Line) -> str:
    """The SHA-256 of a record's bytes."""
    return sha256(line.text).hexdigest()


def _named(line: Line) -> str:
    """The hash a record names as that of the one before it, if it can be read."""
    found = re.search(rb'"previous":"([0-9a-f]{64})"', line.text)
    return found[1].decode() if found else ""
