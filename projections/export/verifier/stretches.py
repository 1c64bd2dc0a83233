"""Stretches of streams: successive records that form one leaf of the property's tree."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from projections.export.verifier.container import Export
from projections.export.verifier.notes import Head
from projections.export.verifier.places import SELF_TELLING, STREAMS
from projections.export.verifier.texts import hashes, laid_down, parsed
from projections.export.verifier.trees import leads_to, leaf_hash
from projections.export.verifier.trouble import AlteredError, Line


class Stretch(NamedTuple):
    """Successive records of one stream, and their place as a leaf of the property's tree."""

    place: int
    kind: str
    stream: str
    first: int
    last: int
    head: str
    root: bytes


MOST_COVERING = 16  # stretches of one record: this many keepers never run at once
FIELDS_OF_A_STRETCH = ("kind", "stream", "first", "last", "head", "root")


def proven(line: Line, path: str, head: Head) -> Stretch:
    """Return the stretch that a line of proofs places in the property's tree."""
    try:
        said = parsed(line.text)
        stretch = {name: said["stretch"][name] for name in FIELDS_OF_A_STRETCH}
        again = {"index": said["index"], "stretch": stretch, "path": said["path"]}
        if laid_down(again).encode() != line.text:
            raise ValueError("it is not written like a proof")
        numbers = (said["index"], stretch["first"], stretch["last"])
        if any(type(number) is not int for number in numbers) or not 1 <= stretch["first"] <= stretch["last"]:
            raise ValueError("one of its places is not a number")
        (root,) = hashes([stretch["root"]])
        if leads_to(leaf_hash(laid_down(stretch).encode()), numbers[0], head.size, hashes(said["path"])) != head.root:
            raise ValueError("this stretch is not at this place of the property's tree")
    except (ValueError, TypeError, KeyError) as error:
        says = str(error) if isinstance(error, ValueError) else "it is not written like a proof"
        raise AlteredError(says, path, line=line.number, byte=line.byte) from error
    return Stretch(numbers[0], stretch["kind"], stretch["stream"], *numbers[1:], stretch["head"], root)


class Shown(NamedTuple):
    """A line of `data/streams.jsonl`: a stream, and how much of it is in the export."""

    kind: str
    stream: str
    whole: bool
    last: int
    records: int
    rounds: list[int]

    @property
    def owner(self) -> str:
        """The table, or the property."""
        return self.stream.partition("/")[0]

    @property
    def path(self) -> str:
        """The path of its records."""
        return f"data/{self.kind}/{self.stream}.jsonl"

    @property
    def stretches(self) -> str:
        """The path of the places of its stretches."""
        return f"data/proofs/stretches/{self.kind}/{self.stream}.jsonl"

    @property
    def places(self) -> str:
        """The path of the places of single records, if it is shown in part."""
        return f"data/proofs/records/{self.kind}/{self.stream}.jsonl"

    def wrong(self, says: str, sequence: int, line: Line | None = None, at: int = 0) -> AlteredError:
        """Return the error of one of its records, at an offset in this line if there is one."""
        number, byte = (line.number, line.byte + at) if line else (0, -1)
        return AlteredError(says, self.path, line=number, byte=byte, stream=self.stream, sequence=sequence)


_KINDS_OF_SHOWN = [str, str, bool, int, int, list]


def shown_streams(export: Export) -> list[Shown]:
    """Return the listed streams, compared with the files in the export."""
    found: list[Shown] = []
    for line in export.lines(STREAMS):
        try:
            shown = Shown(**parsed(line.text))
            if laid_down(shown._asdict()).encode() != line.text or [type(each) for each in shown] != _KINDS_OF_SHOWN:
                raise ValueError
            if found and (found[-1].kind, found[-1].stream) >= (shown.kind, shown.stream):
                raise ValueError
            ascending = all(one < other for one, other in zip(shown.rounds, shown.rounds[1:]))
            if shown.rounds and (shown.whole or {*map(type, shown.rounds)} != {int} or not ascending):
                raise ValueError
        except (ValueError, TypeError) as error:
            says = "it is not written like a line about a stream, or is out of order"
            raise AlteredError(says, STREAMS, line=line.number, byte=line.byte) from error
        found.append(shown)
    due = {path for shown in found for path in (shown.path, shown.stretches)}
    due |= {shown.places for shown in found if not shown.whole}
    here = {path for path in export.members if path.startswith(SELF_TELLING)}
    if due != here:
        path = min(due ^ here)
        says = "it is not in the export" if path in due else f"{STREAMS} does not list it"
        raise AlteredError(says, path)
    return found


MOST_LEAVES = 250_000


class Listed(NamedTuple):
    """An earlier head, as used to decide which leaves are listed; who saw it is not checked yet."""

    size: int
    time: str
    seen: Sequence[str]  # the times of its cosignatures


def leaves_due(
    days: Sequence[str] | None, heads: Sequence[Listed], size: int, first_shown: int
) -> tuple[int, int] | None:
    """Return the two sizes of the tree between which every leaf must be listed, so that these days are complete.

    The list begins at the last earlier head that an outsider saw before the first day began anywhere, or at the first
    leaf. If those are too many leaves, it begins at the last head dated before that day. It never begins after the
    first leaf shown. It ends at this head, or, if those are too many leaves, at the first head after the last day that
    an outsider saw, or that is dated so.
    """
    before, behind = (_shifted(days[0], -1), _shifted(days[1], 1)) if days else ("", "~")
    earlier = sorted(head for head in heads if head.size < size)
    said = [head for head in earlier if head.time[:10] < before and head.size <= first_shown]
    seen = [head.size for head in said if any(at and at[:10] < before for at in head.seen)]
    later = [head for head in earlier if head.time[:10] > behind]
    begins = [max(seen, default=0), max((head.size for head in said), default=0)]
    ends = [size, *[head.size for head in later if head.seen][:1], *[head.size for head in later][:1]]
    return next(((begin, end) for begin in begins for end in ends if begin < end <= begin + MOST_LEAVES), None)


def _shifted(day: str, by: int) -> str:
    try:
        return (datetime.fromisoformat(day) + timedelta(days=by)).date().isoformat()
    except OverflowError:
        return day
