"""That nothing is left out: no tail of a stream, and no stream that falls under the question.

What is not in the tree of a head cannot be seen in it. So all of this is said of heads that somebody else saw: a
witness whose key was given, or whoever verifies and holds a checkpoint. What rests on another head is not proved.
"""

from __future__ import annotations

from bisect import bisect_left
from datetime import datetime, timedelta

from projections.export.verifier.container import Export
from projections.export.verifier.heads import Seen
from projections.export.verifier.notes import Head
from projections.export.verifier.places import AFTER, LEAVES
from projections.export.verifier.question import DAY, Scope
from projections.export.verifier.reading import Reading
from projections.export.verifier.stretches import FIELDS_OF_A_STRETCH, Listed, leaves_due, proven
from projections.export.verifier.texts import hashes, laid_down, parsed
from projections.export.verifier.trees import Growing, leaf_hash
from projections.export.verifier.trouble import AlteredError, altered
from projections.export.verifier.verdict import Tally


def check_after(export: Export, head: Head, reading: Reading, tally: Tally) -> int:
    """That nothing was cut off the streams that are whole: by their close, or by every later leaf of the tree.

    How many streams of findings or of the desk may go on all the same, for no later leaf is here.
    """
    facts = {shown.path for shown in reading.streams if shown.kind == "facts" and shown.whole}
    still_open = {path: last for path, (closed, last) in reading.closing.items() if path in facts and not closed}
    begin = min((last.place for last in still_open.values()), default=head.size - 1) + 1
    ends = {(last.kind, last.stream): last.place for _, last in reading.closing.values()}
    at = begin
    for line in export.lines(AFTER) if AFTER in export.members else ():
        leaf = proven(line, AFTER, head)
        if leaf.place != at:
            says = f"leaf {at} is due, and {leaf.place} stands here"
            raise AlteredError(says, AFTER, line=line.number, byte=line.byte)
        if leaf.place > ends.get((leaf.kind, leaf.stream), head.size):
            says = f"the property's tree holds records {leaf.first} to {leaf.last} too: the tail is cut off"
            path = f"data/{leaf.kind}/{leaf.stream}.jsonl"
            raise AlteredError(says, path, stream=leaf.stream, sequence=leaf.first)
        at += 1
    if still_open:
        reading.reach = head.size
    if at != head.size:
        raise AlteredError(f"leaves {at} to {head.size - 1} of the property's tree are missing in it", AFTER)
    if facts:
        tally.proves(f"{len(facts)} streams of facts are whole to the checkpoint, none lacks its tail")
    return sum(path not in facts and last.place < begin - 1 for path, (_, last) in reading.closing.items())


class Completeness:
    """That no stream which falls under the question was left out: every leaf of the tree since before its days."""

    def __init__(self, export: Export, scope: Scope, seen: Seen, head: Head, tally: Tally) -> None:
        self._export, self._scope, self._seen, self._head, self._tally = export, scope, seen, head, tally
        self.vouched = True  # whether every head that the list rests on was seen by somebody from outside
        self._whole: set[tuple[str, str]] = set()
        self._left_out: dict[tuple[str, str], tuple[int, int, int]] = {}  # of streams here, the first leaf that is not

    def check(self, reading: Reading, may_go_on: int) -> None:
        """The list of leaves, where the question asks for one, against the streams that are here."""
        scope, there, size, leaves_open = (
            self._scope,
            LEAVES in self._export.members,
            self._head.size,
            self._tally.leaves_open,
        )
        told = [
            Listed(of, head.time, list(head.note.cosigners(head.origin).values()))
            for of, head in self._seen.heads.items()
        ]
        first = min(reading.begins.values(), default=size)
        due = None if scope.in_part else leaves_due(scope.days, told, size, first)
        if there != (due is not None):
            raise AlteredError("it is not in the export" if due else "it is here, and nothing asks for it", LEAVES)
        if due is not None:
            begin, end = due
            reading.reach = max(reading.reach, end)
            self._check_streams(reading, self._listed(begin, end, reading))
            reading.settle(known=end == size)
            self._tell_of_list(begin, end)
        else:
            reading.settle(known=False)
        if due is None or due[1] != size:
            leaves_open("that no leaf of the tree tells a record that is here otherwise: not every leaf is listed")
        if reading.gaps and (due is None or due[1] != size):
            self.vouched = False
            says = f"that the property's tree holds none of the records missing at {', '.join(reading.gaps[:20])}"
            says += f" and {len(reading.gaps) - 20} more" if len(reading.gaps) > 20 else ""
            leaves_open(f"{says}: not every leaf up to the checkpoint is listed, so that one may be left out")
        if due is None and not scope.in_part:
            says = (
                "that no other stream falls under the question: whole tables, their last days, or findings about them, "
            )
            leaves_open(f"{says}may be left out, and there are too many leaves since to list them all")
        if may_go_on and (due is None or due[1] < size):
            leaves_open(f"that nothing was added later to {may_go_on} streams of findings or of the desk")

    def _tell_of_list(self, begin: int, end: int) -> None:
        """What the list shows, as far as somebody else saw the heads at which it begins and ends."""
        leaves_open = self._tally.leaves_open
        first, last = (self._scope.days or ("", ""))[0], self._seen.heads[end]
        saw = [each for each in self._seen.at(begin) if begin and each.time[:10] < day_before(first)]
        since = f" since head {begin}, seen by {saw[0].who} at {saw[0].time}" if saw else ""
        known = "every stream that falls under the question is here"
        if begin and not saw:
            known, self.vouched = (
                f"every stream that falls under the question and stands behind leaf {begin} is here",
                False,
            )
            says = f"that no stream or finding of these days stands before leaf {begin}: nobody whose key or checkpoint"
            says += f" was given saw the head of {begin} leaves before them, and the property alone says of when it is"
            leaves_open(says)
        self._tally.proves(f"{known}, by all {end - begin} leaves of the tree{since}")
        if end == self._head.size:
            return
        says = "that no stream that falls under the question, and no finding about one, was first recorded after"
        if ends := self._seen.by_size.get(end):
            leaves_open(f"{says} {ends[0].time}, when {ends[0].who} saw the head of {end} leaves")
        else:
            self.vouched = False
            leaves_open(
                f"{says} the head of {end} leaves, which says {last.time} and which nobody saw whose key was given"
            )

    def _check_streams(self, reading: Reading, ends: dict[tuple[str, str], tuple[int, int]]) -> None:
        shown = {(each.kind, each.stream): each for each in reading.streams}
        whole = {each.stream for each in reading.streams if each.kind == "facts" and each.whole}
        for (kind, stream), (first, last) in sorted(ends.items()):
            here = shown.get((kind, stream))
            if here is None and self._falls_under(kind, stream, whole):
                says = f"{stream} stands in the property's tree and falls under the question, and it is left out"
                raise AlteredError(says, f"data/{kind}/{stream}.jsonl", stream=stream, sequence=first)
            if here is not None and here.whole and last > here.last:
                says = f"the property's tree holds records up to {last}: the tail is cut off"
                raise AlteredError(says, here.path, stream=stream, sequence=here.last + 1)
            if here is not None and (kind, stream) in self._left_out:
                place, since, upto = self._left_out[kind, stream]
                says = f"leaf {place} of the property's tree tells of records {since} to {upto} too, and is left out"
                raise AlteredError(says, here.stretches, stream=stream, sequence=since)

    def _falls_under(self, kind: str, stream: str, whole: set[str]) -> bool:
        """Whether a stream that is not here belongs to what was asked."""
        scope, (table, _, day) = self._scope, stream.partition("/")
        if kind == "facts":
            return scope.has(table, day, scope.games[0] if scope.games else "")
        if kind == "findings":
            return not whole.isdisjoint(f"{name}/{day.rstrip('~')}" for name in table.split("+"))
        return table == "access" and scope.access and scope.has_day(day)

    def _is_due(self, of: tuple[str, str], first: int, last: int, reading: Reading) -> bool:
        """Whether a leaf has to be among the stretches that are here: it is of a record that is."""
        if of in reading.parts:
            part = reading.parts[of]
            at = bisect_left(part, first)
            return at < len(part) and part[at] <= last
        return of in self._whole

    def _listed(self, begin: int, end: int, reading: Reading) -> dict[tuple[str, str], tuple[int, int]]:
        """The leaves from one size of the tree to another, proved to be all: first and last record of each stream."""
        self._whole = {(each.kind, each.stream) for each in reading.streams if each.whole}
        ends: dict[tuple[str, str], tuple[int, int]] = {}
        lines, count, held = self._export.lines(LEAVES), 0, self._seen.held
        with altered(LEAVES, first_line := next(lines), "it does not begin as a list of leaves does"):
            said = parsed(first_line.text)
            again = {"from": said["from"], "to": said["to"], "peaks": said["peaks"]}
            numbers = type(said["from"]) is type(said["to"]) is int
            if (
                not numbers
                or laid_down(again).encode() != first_line.text
                or (said["from"], said["to"]) != (begin, end)
            ):
                raise ValueError(f"leaves {begin} to {end - 1} are due in it")
            tree = Growing(begin, hashes(said["peaks"]))
        if begin:
            self._seen.compare_held(begin, tree.root)
        for line in lines:
            with altered(LEAVES, line, "it is not written as a leaf is"):
                leaf, count = parsed(line.text), count + 1
                if laid_down({name: leaf[name] for name in FIELDS_OF_A_STRETCH}).encode() != line.text:
                    raise ValueError
                of, first, last = (leaf["kind"], leaf["stream"]), leaf["first"], leaf["last"]
                if not all(isinstance(each, str) for each in of) or type(first) is not int or type(last) is not int:
                    raise ValueError
                tree.add(leaf_hash(line.text))
                if held is not None and held.size == begin + count:
                    self._seen.compare_held(held.size, tree.root)
                place = begin + count - 1
                if place not in reading.leaves and self._is_due(of, first, last, reading):
                    self._left_out.setdefault(of, (place, first, last))
                known = ends.get(of, (first, last))
                ends[of] = min(first, known[0]), max(last, known[1])
        if count != end - begin or tree.root != self._seen.heads[end].root:
            raise AlteredError(f"these are not all {end - begin} leaves {begin} to {end - 1} of the tree", LEAVES)
        return ends


def day_before(day: str) -> str:
    """The day of UTC before which none of this gaming day has begun anywhere."""
    try:
        return (datetime.fromisoformat(day) - timedelta(days=1)).date().isoformat()
    except (OverflowError, ValueError):
        return day


def check_dates(reading: Reading, seen: Seen, tally: Tally) -> None:
    """No stretch stands under a head that says it is of a time before the stretch's own day.

    Either the head was dated back, or a source said a day that was to come. Nobody can tell which here, and
    what a source says keeps no export from being what was signed: so it is reported.
    """
    heads = sorted((size, head.time) for size, head in seen.heads.items())
    for path, (first, stream) in sorted(reading.firsts.items()):
        day = stream.partition("/")[2].rstrip("~")
        size, time = next((size, time) for size, time in heads if size > first)
        if DAY.fullmatch(day) and time[:10] < day_before(day):
            says = f"leaf {first} of the tree stands under the head of {size} leaves, which says {time}: that head is"
            tally.reports(
                AlteredError(f"{says} dated back, or the day of this stream was still to come", path, stream=stream)
            )
