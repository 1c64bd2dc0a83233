"""Check that nothing was left out: no tail of a stream, and no stream that the question covers.

The tree of a head cannot show records outside it. So these checks rest on heads that an outsider saw: a witness whose
key was given, or the verifying person, who holds a checkpoint. Anything that rests on another head is not proved.
"""

from __future__ import annotations

from bisect import bisect_left
from datetime import datetime, timedelta

from projections.export.verifier.container import Export
from projections.export.verifier.heads import Seen
from projections.export.verifier.notes import Head
from projections.export.verifier.places import AFTER, LEAVES, STREAMS
from projections.export.verifier.question import DAY, Scope
from projections.export.verifier.reading import Reading
from projections.export.verifier.stretches import FIELDS_OF_A_STRETCH, Listed, leaves_due, proven
from projections.export.verifier.texts import hashes, laid_down, parsed
from projections.export.verifier.trees import Growing, leaf_hash
from projections.export.verifier.trouble import AlteredError, altered
from projections.export.verifier.verdict import Tally


def check_after(export: Export, head: Head, reading: Reading, tally: Tally) -> int:
    """Check that no whole stream was cut off: it is closed, or every later leaf of the tree is here.

    Return the number of streams of findings or of the desk that may continue, because no later leaf is here.
    """
    facts = {shown.path for shown in reading.streams if shown.kind == "facts" and shown.whole}
    still_open = {path: last for path, (closed, last) in reading.closing.items() if path in facts and not closed}
    begin = min((last.place for last in still_open.values()), default=head.size - 1) + 1
    ends = {(last.kind, last.stream): last.place for _, last in reading.closing.values()}
    at = begin
    for line in export.lines(AFTER) if AFTER in export.members else ():
        leaf = proven(line, AFTER, head)
        if leaf.place != at:
            says = f"leaf {at} is expected here, not leaf {leaf.place}"
            raise AlteredError(says, AFTER, line=line.number, byte=line.byte)
        if leaf.place > ends.get((leaf.kind, leaf.stream), head.size):
            says = f"the property's tree holds records {leaf.first} to {leaf.last} too: the tail was cut off"
            path = f"data/{leaf.kind}/{leaf.stream}.jsonl"
            raise AlteredError(says, path, stream=leaf.stream, sequence=leaf.first)
        at += 1
    if still_open:
        reading.reach = head.size
    if at != head.size:
        raise AlteredError(f"leaves {at} to {head.size - 1} of the property's tree are missing", AFTER)
    if facts:
        tally.proves(f"{len(facts)} streams of facts are complete up to the checkpoint, including their tails")
    return sum(path not in facts and last.place < begin - 1 for path, (_, last) in reading.closing.items())


class Completeness:
    """Check, by every leaf of the tree since before its days, that no stream the question covers was left out."""

    def __init__(self, export: Export, scope: Scope, seen: Seen, head: Head, tally: Tally) -> None:
        self._export, self._scope, self._seen, self._head, self._tally = export, scope, seen, head, tally
        self.vouched = True  # True if an outsider saw every head that the list rests on
        self._whole: set[tuple[str, str]] = set()
        self._left_out: dict[tuple[str, str], tuple[int, int, int]] = {}  # by stream, its first missing leaf

    def check(self, reading: Reading, may_go_on: int) -> None:
        """Compare the list of leaves, if the question needs one, with the streams in the export."""
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
            raise AlteredError(
                "it is not in the export" if due else "it is here but the question does not need it", LEAVES
            )
        if due is not None:
            begin, end = due
            reading.reach = max(reading.reach, end)
            self._check_streams(reading, self._listed(begin, end, reading), all_leaves=due == (0, size))
            reading.settle(known=end == size)
            self._tell_of_list(begin, end)
        else:
            reading.settle(known=False)
        if due != (0, size) and any(not shown.whole for shown in reading.streams):
            leaves_open(f"how many records streams in part have in all (last in {STREAMS})")
        if due is None or due[1] != size:
            leaves_open("that no other leaf holds a different version of a record shown here: not every leaf is listed")
        if reading.gaps and (due is None or due[1] != size):
            self.vouched = False
            says = f"that the property's tree holds none of the records missing at {', '.join(reading.gaps[:20])}"
            says += f" and {len(reading.gaps) - 20} more" if len(reading.gaps) > 20 else ""
            leaves_open(f"{says}: not every leaf up to the checkpoint is listed, so one may be left out")
        if due is None and not scope.in_part:
            says = "that the question covers no other stream: whole tables, their last days, or findings about them "
            leaves_open(f"{says}may be left out. There are too many later leaves to list them all")
        if may_go_on and (due is None or due[1] < size):
            leaves_open(f"that nothing was added later to {may_go_on} streams of findings or of the desk")

    def _tell_of_list(self, begin: int, end: int) -> None:
        """Report what the list shows, as far as an outsider saw the heads at its beginning and end."""
        leaves_open = self._tally.leaves_open
        first, last = (self._scope.days or ("", ""))[0], self._seen.heads[end]
        saw = [each for each in self._seen.at(begin) if begin and each.time[:10] < day_before(first)]
        since = f" since head {begin}, seen by {saw[0].who} at {saw[0].time}" if saw else ""
        known = "every stream that the question covers is here"
        if begin and not saw:
            known, self.vouched = (
                f"every stream that the question covers and that begins at leaf {begin} or later is here",
                False,
            )
            says = f"that no stream or finding of these days comes before leaf {begin}: no outsider whose key or"
            says += f" checkpoint you gave saw the head of {begin} leaves in time; its date is the property's own word"
            leaves_open(says)
        self._tally.proves(f"{known}, by all {end - begin} leaves of the tree{since}")
        if end == self._head.size:
            return
        says = "that no stream the question covers, and no finding about one, was first recorded after"
        if ends := self._seen.by_size.get(end):
            leaves_open(f"{says} {ends[0].time}, when {ends[0].who} saw the head of {end} leaves")
        else:
            self.vouched = False
            leaves_open(f"{says} the head of {end} leaves, dated {last.time}, which no outsider whose key you gave saw")

    def _check_streams(
        self, reading: Reading, ends: dict[tuple[str, str], tuple[int, int]], *, all_leaves: bool
    ) -> None:
        shown = {(each.kind, each.stream): each for each in reading.streams}
        whole = {each.stream for each in reading.streams if each.kind == "facts" and each.whole}
        for (kind, stream), (first, last) in sorted(ends.items()):
            here = shown.get((kind, stream))
            if here is None and self._falls_under(kind, stream, whole):
                says = f"{stream} is in the property's tree and the question covers it, but it is left out"
                raise AlteredError(says, f"data/{kind}/{stream}.jsonl", stream=stream, sequence=first)
            if here is not None and here.whole and last > here.last:
                says = f"the property's tree holds records up to {last}: the tail was cut off"
                raise AlteredError(says, here.path, stream=stream, sequence=here.last + 1)
            if here is not None and (last > here.last or (all_leaves and last < here.last)):
                says = f"it says that {stream} ends with record {here.last}, but the property's tree holds {last}"
                raise AlteredError(says, STREAMS, stream=stream)
            if here is not None and (kind, stream) in self._left_out:
                place, since, upto = self._left_out[kind, stream]
                says = f"leaf {place} of the property's tree holds records {since} to {upto} too, but is left out"
                raise AlteredError(says, here.stretches, stream=stream, sequence=since)

    def _falls_under(self, kind: str, stream: str, whole: set[str]) -> bool:
        """Return whether the question covers a stream that is not in the export."""
        scope, (table, _, day) = self._scope, stream.partition("/")
        if kind == "facts":
            return scope.has(table, day, scope.games[0] if scope.games else "")
        if kind == "findings":
            return not whole.isdisjoint(f"{name}/{day.rstrip('~')}" for name in table.split("+"))
        return table == "access" and scope.access and scope.has_day(day)

    def _is_due(self, of: tuple[str, str], first: int, last: int, reading: Reading) -> bool:
        """Return whether a leaf must be among the stretches in the export because it covers a record shown there."""
        if of in reading.parts:
            part = reading.parts[of]
            at = bisect_left(part, first)
            return at < len(part) and part[at] <= last
        return of in self._whole

    def _listed(self, begin: int, end: int, reading: Reading) -> dict[tuple[str, str], tuple[int, int]]:
        """Return the first and last record of each stream, from leaves `begin` to `end`, proved to be complete."""
        self._whole = {(each.kind, each.stream) for each in reading.streams if each.whole}
        ends: dict[tuple[str, str], tuple[int, int]] = {}
        lines, count, held = self._export.lines(LEAVES), 0, self._seen.held
        with altered(LEAVES, first_line := next(lines), "it does not begin like a list of leaves"):
            said = parsed(first_line.text)
            again = {"from": said["from"], "to": said["to"], "peaks": said["peaks"]}
            numbers = type(said["from"]) is type(said["to"]) is int
            if (
                not numbers
                or laid_down(again).encode() != first_line.text
                or (said["from"], said["to"]) != (begin, end)
            ):
                raise ValueError(f"it must list leaves {begin} to {end - 1}")
            tree = Growing(begin, hashes(said["peaks"]))
        if begin:
            self._seen.compare_held(begin, tree.root)
        for line in lines:
            with altered(LEAVES, line, "it is not written like a leaf"):
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
            raise AlteredError(f"it does not hold all {end - begin} leaves {begin} to {end - 1} of the tree", LEAVES)
        return ends


def day_before(day: str) -> str:
    """Return the UTC day before which this gaming day has begun nowhere on earth."""
    try:
        return (datetime.fromisoformat(day) - timedelta(days=1)).date().isoformat()
    except (OverflowError, ValueError):
        return day


def check_dates(reading: Reading, seen: Seen, tally: Tally) -> None:
    """Report each stretch under a head that is dated before the stretch's own day.

    Either the head was backdated, or a source stated a day in the future. The export alone cannot show which, and a
    source's statement does not make the export differ from what was signed: so this is a fault, not an alteration.
    """
    heads = sorted((size, head.time) for size, head in seen.heads.items())
    for path, (first, stream) in sorted(reading.firsts.items()):
        day = stream.partition("/")[2].rstrip("~")
        size, time = next((size, time) for size, time in heads if size > first)
        if DAY.fullmatch(day) and time[:10] < day_before(day):
            says = f"leaf {first} of the tree is under the head of {size} leaves, dated {time}: that head was"
            tally.reports(
                AlteredError(
                    f"{says} backdated, or the day of this stream was still in the future", path, stream=stream
                )
            )
