"""The records: each is in its stretch, and names the hash of the record before it."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from typing import Any, NamedTuple

from projections.export.verifier.container import Export
from projections.export.verifier.faults import CHAIN, GAP, TWO_KEEPERS, UNREAD, Faults
from projections.export.verifier.notes import Head
from projections.export.verifier.places import STREAMS
from projections.export.verifier.stretches import MOST_COVERING, Shown, Stretch, proven
from projections.export.verifier.texts import from_base64, hashes, laid_down, parsed, record_of, turned_back, unhexed
from projections.export.verifier.trees import leads_to, leaf_hash, root_of
from projections.export.verifier.trouble import AlteredError, Line


class Taken(NamedTuple):
    """A record as read: its line, its sequence, its fields (none if it is unreadable), its SHA-256."""

    line: Line
    sequence: int
    record: dict[str, Any]
    own: str


class Fresh(NamedTuple):
    """The records of a stretch that no earlier stretch covers."""

    first: int
    last: int
    lines_before: int  # lines of the file before them
    follows: bool  # True if the line before holds the record before the first, or there is none

    @property
    def lines(self) -> int:
        """The number of these records; 0 if earlier stretches reach further."""
        return max(self.last - self.first + 1, 0)


class Again:
    """Successive records that a later stretch covers again, from the start of that stretch."""

    def __init__(self) -> None:
        self._kept: deque[tuple[int, bytes, str]] = deque()

    def keep(self, sequence: int, leaf: bytes, own: str) -> None:
        """Keep one record: its hash as a leaf, and its own hash."""
        self._kept.append((sequence, leaf, own))

    def leaves(self, count: int) -> list[bytes]:
        """Return the leaf hashes of the first `count` records."""
        return [leaf for _, leaf, _ in islice(self._kept, max(count, 0))]

    def own(self, count: int) -> str:
        """Return the hash of record number `count`."""
        return self._kept[count - 1][2]

    def forget(self, before: int) -> None:
        """Drop the records before this one: no later stretch begins before it."""
        while self._kept and self._kept[0][0] < before:
            self._kept.popleft()


def gap(shown: Shown, first: int, last: int) -> AlteredError:
    """Return the fault of records that the tree does not hold."""
    told = f"records {first} to {last}" if last > first else "this record"
    says = f"no leaf of the property's tree holds {told}: no export contains what the log may hold there"
    return shown.wrong(says, first)


class Records:
    """The records of one stream, read in order and proved on the way."""

    def __init__(self, export: Export, head: Head, shown: Shown, faults: Faults | None = None) -> None:
        self._export, self._head, self.shown, self._faults = export, head, shown, faults
        self.last_stretch: Stretch | None = None  # the last one in the property's tree
        self.head = ""
        self.count = 0  # the number of records, which is the number of lines
        self.first_place = head.size  # the first place of its stretches in the property's tree
        self.places: list[int] = []  # the places of all of them
        self.ranges: list[tuple[int, int]] = []  # the records they cover
        self.gaps: list[tuple[int, int]] = []  # the records none covers, of a whole stream

    def each(self) -> Iterator[Taken]:
        """Every record; once the last is read, all of them are proved to be in the tree."""
        yield from self._whole() if self.shown.whole else self._in_part()
        if self.count != self.shown.records:
            says = f"it holds {self.count} records, but {STREAMS} says {self.shown.records}"
            raise AlteredError(says, self.shown.path, stream=self.shown.stream, sequence=self.count)

    def stretches(self) -> Iterator[Stretch]:
        """The stretches, each proved to be in the property's tree."""
        path, reach, before, covering = self.shown.stretches, 0, (0, -1), list[int]()
        for line in self._export.lines(path):
            stretch = proven(line, path, self._head)
            covering = [last for last in covering if last >= stretch.first]
            if (stretch.kind, stretch.stream) != (self.shown.kind, self.shown.stream):
                says = f"this is a stretch of {stretch.kind} {stretch.stream}"
            elif (stretch.first, stretch.place) <= before:
                says = f"a stretch from record {stretch.first} does not follow one from record {before[0]}"
            elif stretch.last > self.shown.last:
                says = f"{STREAMS} says that the stream ends with {self.shown.last}"
            elif len(covering) == MOST_COVERING:
                says = f"more than {MOST_COVERING} stretches cover record {stretch.first}"
            else:
                self._noted(stretch, reach)
                yield stretch
                covering.append(stretch.last)
                before, reach = (stretch.first, stretch.place), max(reach, stretch.last)
                continue
            raise AlteredError(says, path, line=line.number, byte=line.byte)
        if self.shown.whole and reach != self.shown.last:
            says = f"the stretches end with record {reach}, but {STREAMS} says {self.shown.last}: the tail was cut off"
            raise AlteredError(says, path, stream=self.shown.stream, sequence=reach + 1)

    def _noted(self, stretch: Stretch, reach: int) -> None:
        """Note a stretch after those up to record `reach`: records between or covered again are faults."""
        self.first_place = min(self.first_place, stretch.place)
        if self.last_stretch is None or self.last_stretch.place < stretch.place:
            self.last_stretch = stretch
        self.places.append(stretch.place)
        self.ranges.append((stretch.first, stretch.last))
        if self._faults is None:
            return
        if self.shown.whole and stretch.first > reach + 1:
            self.gaps.append((reach + 1, stretch.first - 1))
            self._faults.found(self.shown, reach + 1, GAP, gap(self.shown, *self.gaps[-1]))
        elif stretch.first <= reach:
            self._faults.found(self.shown, stretch.first, TWO_KEEPERS)

    def _whole(self) -> Iterator[Taken]:
        """The records of a whole stream. Hot path: this runs once a record, of which there may be millions.

        Each stretch is proved first and read afterwards. So only records in the tree are judged, and a broken chain
        there is a fault of the record.
        """
        ahead, lines, again, reach = self._stored(), self._stored(), Again(), 0
        stretches = self.stretches()
        following = next(stretches, None)
        while (stretch := following) is not None:
            following = next(stretches, None)
            fresh = Fresh(max(stretch.first, reach + 1), stretch.last, self.count, follows=stretch.first <= reach + 1)
            leaves = [sha256(b"\x00" + line.text).digest() for line in islice(ahead, fresh.lines)]
            known = again.leaves(min(reach, stretch.last) - stretch.first + 1)
            if len(leaves) != fresh.lines or root_of([*known, *leaves]) != stretch.root:
                self._locate(stretch, fresh, known)
            sequence, before = fresh.first, self.head if fresh.follows else None
            keeps_from = stretch.last + 1 if following is None else following.first
            for here, leaf in zip(islice(lines, len(leaves)), leaves):
                taken = self._record(here, sequence)
                self.head, self.count = taken.own, self.count + 1
                if sequence >= keeps_from:
                    again.keep(sequence, leaf, taken.own)
                yield self._chained(taken, before)
                sequence, before = sequence + 1, self.head
            if (self.head if fresh.lines else again.own(len(known))) != stretch.head:
                self._locate(stretch, fresh, known)
            reach = max(reach, stretch.last)
            again.forget(keeps_from)
        if (line := next(lines, None)) is not None:
            raise self._wrong(reach + 1, "there are more records after the last stretch", line)

    def _chained(self, taken: Taken, before: str | None) -> Taken:
        """Check a record that is proved to be in the tree against the record before it, if that one is here."""
        record, shown, sequence = taken.record, self.shown, taken.sequence
        if self._faults is None:
            return taken
        if not record or (record.get("sequence"), record.get("stream")) != (sequence, shown.stream):
            self._faults.found(shown, sequence, UNREAD)
            return taken._replace(record={})
        if before is not None and record.get("previous", "") != before:
            self._faults.found(shown, sequence, CHAIN)
        return taken

    def _locate(self, stretch: Stretch, fresh: Fresh, known: list[bytes]) -> None:
        """Raise at the first record of a stretch that is not the one in the tree."""
        if not fresh.lines:
            says = (
                f"leaf {stretch.place} of the property's tree has different records {stretch.first} to {stretch.last}"
            )
            raise self._wrong(stretch.first, f"{says} than earlier leaves: the property recorded two versions")
        lines = iter([*islice(self._stored(), fresh.lines_before, fresh.lines_before + fresh.lines + 1)])
        sequence, leaves = fresh.first - 1, list(known)
        before = self._at(fresh.lines_before) if fresh.follows and fresh.lines_before else None
        line = next(lines, None)
        head = _own(before) if before else ""
        while sequence < stretch.last:
            if line is None:
                raise self._wrong(sequence + 1, f"records {sequence + 1} to {self.shown.last} are missing")
            leaves.append(sha256(b"\x00" + line.text).digest())
            record, sequence, behind = self._record(line, sequence + 1).record, sequence + 1, next(lines, None)
            place = (record.get("sequence"), record.get("previous", ""), record.get("stream"))
            if sequence == fresh.first and not fresh.follows:
                head = place[1]  # the record it names is not here
            if record and place != (sequence, head, self.shown.stream):
                due = stretch.head if behind is None else _named(behind)
                raise self._broken(Taken(line, sequence, record, _own(line)), before, head, due)
            head, before = _own(line), line
            line = behind
        self._check(stretch, leaves, before)

    def _at(self, number: int) -> Line:
        """Return a line of the records."""
        return next(islice(self._stored(), number - 1, None))

    def _stored(self) -> Iterator[Line]:
        """The records as stored, each with its line. A record that contains line ends is written as base64."""
        for line in self._export.lines(self.shown.path):
            if line.text.startswith(b"~"):
                try:
                    stored = from_base64(line.text[1:].decode("ascii", "replace"))
                    if b"\n" not in stored:
                        raise ValueError("it is written as base64, but contains no line end")
                except ValueError as error:
                    raise self._wrong(line.number, str(error), line) from error
                yield Line(line.number, line.byte, stored)
            else:
                yield line

    def _record(self, line: Line, sequence: int) -> Taken:
        """Return a record, parsed unless the table of faults lists it as unreadable."""
        own = sha256(line.text).hexdigest()
        if self._faults is not None and self._faults.unread(self.shown, sequence):
            return Taken(line, sequence, {}, own)
        try:
            if b"\n" in line.text:
                raise ValueError("it contains a line end, but the table faults does not list it as unreadable")
            return Taken(line, sequence, record_of(line.text), own)
        except UnicodeDecodeError as error:
            raise self._wrong(sequence, "it is not text", line, error.start) from error
        except json.JSONDecodeError as error:
            at = len(error.doc[: error.pos].encode())
            raise self._wrong(sequence, f"it is not JSON: {error.msg}", line, at) from error
        except ValueError as error:
            raise self._wrong(sequence, str(error), line) from error

    def _wrong(self, sequence: int, says: str, line: Line | None = None, at: int = 0) -> AlteredError:
        return self.shown.wrong(says, sequence, line, at)

    def _broken(self, taken: Taken, before: Line | None, head: str, due: str) -> AlteredError:
        """Return which of two records was changed, given a broken chain between them.

        `head` is the hash of the record before; `due` is the hash that the record after this one names.
        """
        line, record, sequence, said = taken.line, taken.record, taken.sequence, taken.record.get("sequence")
        if before is not None and line.text == before.text:
            return self._wrong(sequence, "it repeats the record before it", line)
        if record.get("stream") != self.shown.stream:
            return self._wrong(sequence, f"it says that it belongs to {record.get('stream')!r}", line)
        if record.get("previous", "") != head and said != sequence:
            return self._wrong(
                sequence, f"record {said!r} is in the place of {sequence}: a record was dropped or moved", line
            )
        if due != taken.own or said != sequence or before is None:
            at = max(turned_back(line.text, unhexed(due)), 0)
            return self._wrong(sequence, "it is not the record that was written here", line, at)
        due = str(record.get("previous", ""))
        at = max(turned_back(before.text, unhexed(due)), 0)
        says = f"record {sequence} names a different hash than these bytes have: they were changed"
        return self._wrong(sequence - 1, says, before, at)

    def _check(self, stretch: Stretch, leaves: list[bytes], last: Line | None) -> None:
        """Check the end of a stretch: its last hash, and the root over its records, match the property's tree."""
        if last is None or stretch.head != _own(last):
            at = turned_back(last.text, unhexed(stretch.head)) if last else -1
            says = f"the property's tree has a different hash for record {stretch.last}"
            says += f": it, or all records from {stretch.first} to it, were changed"
            raise self._wrong(stretch.last, says, last, max(at, 0))
        if root_of(leaves) != stretch.root:
            says = "the chain holds, but the property's tree has a different root over records"
            raise self._wrong(stretch.first, f"{says} {stretch.first} to {stretch.last}: the chain was rebuilt")

    def _in_part(self) -> Iterator[Taken]:
        stretches, places = self.stretches(), self._export.lines(self.shown.places)
        following, covering, sequence = next(stretches, None), list[Stretch](), 0
        for line in self._stored():
            place, number, path = self._next_place(places, line)
            while following is not None and following.first <= number:
                covering.append(following)
                following = next(stretches, None)
            covering = [each for each in covering if each.last >= number]
            if not covering or number <= sequence:
                says = f"record {number} is out of order, in no stretch that is shown, or has no place"
                raise AlteredError(says, self.shown.places, line=place.number, byte=place.byte)
            taken = self._record(line, number)
            self._stands(taken, covering[0], path)
            for also in covering[1:]:
                place, again, path = self._next_place(places, line)
                if again != number:
                    says = f"record {number} is in {len(covering)} stretches, but {again} is written here"
                    raise AlteredError(says, self.shown.places, line=place.number, byte=place.byte)
                self._stands(taken, also, path)
            before = self.head if number == sequence + 1 else None
            self.head, self.count, sequence = taken.own, self.count + 1, number
            yield self._chained(taken, before)
        if (left := next(places, None)) is not None:
            raise AlteredError("it lists a place that no record has", self.shown.places, line=left.number)
        for _ in (following, *stretches):
            pass

    def _stands(self, taken: Taken, stretch: Stretch, path: list[bytes]) -> None:
        """Raise unless a record is at its place in a stretch that covers it."""
        line, number = taken.line, taken.sequence
        try:
            at, count = number - stretch.first, stretch.last - stretch.first + 1
            if leads_to(leaf_hash(line.text), at, count, path) != stretch.root:
                raise ValueError("it is not at its place in its stretch")
        except ValueError as error:
            raise self._wrong(number, str(error), line) from error
        if number == stretch.last and taken.own != stretch.head:
            raise self._wrong(number, "the property's tree has a different hash for it", line)

    def _next_place(self, places: Iterator[Line], of: Line) -> tuple[Line, int, list[bytes]]:
        line = next(places, None)
        if line is None:
            raise AlteredError(f"it lists no place for line {of.number} of the records", self.shown.places)
        try:
            said = parsed(line.text)
            if laid_down({"sequence": said["sequence"], "path": said["path"]}).encode() != line.text:
                raise ValueError
            if type(said["sequence"]) is not int:
                raise ValueError
            return line, said["sequence"], hashes(said["path"])
        except (ValueError, TypeError, KeyError) as error:
            says = "it is not written like the place of a record"
            raise AlteredError(says, self.shown.places, line=line.number, byte=line.byte) from error


def _own(line: Line) -> str:
    """Return the SHA-256 of a record's bytes."""
    return sha256(line.text).hexdigest()


def _named(line: Line) -> str:
    """Return the hash that a record names for the record before it, if it is readable."""
    found = re.search(rb'"previous":"([0-9a-f]{64})"', line.text)
    return found[1].decode() if found else ""
