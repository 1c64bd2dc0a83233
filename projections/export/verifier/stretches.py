"""Stretches of streams: successive records, and their place as a leaf of the property's tree."""

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


MOST_COVERING = 16  # stretches of one record: more keepers than that never ran at once
FIELDS_OF_A_STRETCH = ("kind", "stream", "first", "last", "head", "root")


def proven(line: Line, path: str, head: Head) -> Stretch:
    """The stretch that a line of proofs shows in the property's tree."""
    try:
        said = parsed(line.text)
        stretch = {name: said["stretch"][name] for name in FIELDS_OF_A_STRETCH}
        again = {"index": said["index"], "stretch": stretch, "path": said["path"]}
        if laid_down(again).encode() != line.text:
            raise ValueError("it is not written as a proof is written")
        numbers = (said["index"], stretch["first"], stretch["last"])
        if any(type(number) is not int for number in numbers) or not 1 <= stretch["first"] <= stretch["last"]:
            raise ValueError("a place in it is no number")
        (root,) = hashes([stretch["root"]])
        if leads_to(leaf_hash(laid_down(stretch).encode()), numbers[0], head.size, hashes(said["path"])) != head.root:
            raise ValueError("this stretch does not stand at this place of the property's tree")
    except (ValueError, TypeError, KeyError) as error:
        says = str(error) if isinstance(error, ValueError) else "it is not written as a proof is written"
        raise AlteredError(says, path, line=line.number, byte=line.byte) from error
    return Stretch(numbers[0], stretch["kind"], stretch["stream"], *numbers[1:], stretch["head"], root)


class Shown(NamedTuple):
    """A line of `data/streams.jsonl`: a stream, and how much of it is here."""

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
        """Where its records are."""
        return f"data/{self.kind}/{self.stream}.jsonl"

    @property
    def stretches(self) -> str:
        """Where the places of its stretches are."""
        return f"data/proofs/stretches/{self.kind}/{self.stream}.jsonl"

    @property
    def places(self) -> str:
        """Where the places of single records are, if it is shown in part."""
        return f"data/proofs/records/{self.kind}/{self.stream}.jsonl"

    def wrong(self, says: str, sequence: int, line: Line | None = None, at: int = 0) -> AlteredError:
        """What is wrong with one of its records, in this line if there is one, so many bytes behind its first."""
        number, byte = (line.number, line.byte + at) if line else (0, -1)
        return AlteredError(says, self.path, line=number, byte=byte, stream=self.stream, sequence=sequence)


_KINDS_OF_SHOWN = [str, str, bool, int, int, list]


def shown_streams(export: Export) -> list[Shown]:
    """What streams there are, compared with the files that are there."""
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
            says = "it does not tell of a stream as such a line does, or not in its order"
            raise AlteredError(says, STREAMS, line=line.number, byte=line.byte) from error
        found.append(shown)
    due = {path for shown in found for path in (shown.path, shown.stretches)}
    due |= {shown.places for shown in found if not shown.whole}
    here = {path for path in export.members if path.startswith(SELF_TELLING)}
    if due != here:
        path = min(due ^ here)
        says = "it is not in the export" if path in due else f"{STREAMS} does not tell of it"
        raise AlteredError(says, path)
    return found


MOST_LEAVES = 250_000


class Listed(NamedTuple):
    """An earlier head as it decides which leaves are listed: nobody has checked who saw it yet."""

    size: int
    time: str
    seen: Sequence[str]  # when others saw it, as their cosignatures say


def leaves_due(
    days: Sequence[str] | None, heads: Sequence[Listed], size: int, first_shown: int
) -> tuple[int, int] | None:
    """From which to which size of the tree every leaf is listed, so that no stream of these days can be left out.

    From the last earlier head that somebody saw before the first day began anywhere, or from the first leaf; where
    those are too many, from the last head that says it was before. Never behind the first leaf of what is shown. To
    this head; where those are too many, to the first one behind the last day that somebody saw, or that says so.
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
