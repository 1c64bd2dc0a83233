"""That nothing is left out: no tail of a stream, and no stream that falls under the question."""

from __future__ import annotations

from projections.export.verifier.container import Export
from projections.export.verifier.heads import Heads
from projections.export.verifier.notes import Head
from projections.export.verifier.places import AFTER, LEAVES
from projections.export.verifier.question import Scope
from projections.export.verifier.reading import Reading
from projections.export.verifier.stretches import FIELDS_OF_A_STRETCH, leaves_due, proven
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
    if at != head.size:
        raise AlteredError(f"leaves {at} to {head.size - 1} of the property's tree are missing in it", AFTER)
    if facts:
        tally.proves(f"{len(facts)} streams of facts are whole to the checkpoint, none lacks its tail")
    return sum(path not in facts and last.place < begin - 1 for path, (_, last) in reading.closing.items())


class Completeness:
    """That no stream which falls under the question was left out: every leaf of the tree since before its days."""

    def __init__(self, export: Export, scope: Scope, heads: Heads, size: int, tally: Tally) -> None:
        self._export, self._scope, self._heads, self._size, self._tally = export, scope, heads, size, tally

    def check(self, reading: Reading, may_go_on: int) -> None:
        """The list of leaves, where the question asks for one, against the streams that are here."""
        scope, there = self._scope, LEAVES in self._export.members
        due = None if scope.in_part else leaves_due(scope.days, self._heads, self._size)
        if there != (due is not None):
            raise AlteredError("it is not in the export" if due else "it is here, and nothing asks for it", LEAVES)
        if due is not None:
            begin, end = due
            self._check_streams(reading, self._listed(begin, end))
            since = f" since head {begin} of {self._heads[begin][1]}" if begin else ""
            says = "every stream that falls under the question is here"
            self._tally.proves(f"{says}, by all {end - begin} leaves of the tree{since}")
            if end == self._size:
                return
            time = self._heads[end][1]
            self._tally.leaves_open(f"that no stream that falls under the question was first recorded after {time}")
        elif not scope.in_part:
            says = "that no other stream falls under the question: whole tables, or their last days, may be left out"
            self._tally.leaves_open(f"{says}, and there are too many leaves since to list them all")
        if may_go_on:
            self._tally.leaves_open(f"that nothing was added later to {may_go_on} streams of findings or of the desk")

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

    def _falls_under(self, kind: str, stream: str, whole: set[str]) -> bool:
        """Whether a stream that is not here belongs to what was asked."""
        scope, (table, _, day) = self._scope, stream.partition("/")
        if kind == "facts":
            return scope.has(table, day, scope.games[0] if scope.games else "")
        if kind == "findings":
            return not whole.isdisjoint(f"{name}/{day.rstrip('~')}" for name in table.split("+"))
        return table == "access" and scope.access and scope.has_day(day)

    def _listed(self, begin: int, end: int) -> dict[tuple[str, str], tuple[int, int]]:
        """The leaves from one size of the tree to another, proved to be all: first and last record of each stream."""
        ends: dict[tuple[str, str], tuple[int, int]] = {}
        lines, count = self._export.lines(LEAVES), 0
        with altered(LEAVES, first_line := next(lines), "it does not begin as a list of leaves does"):
            said = parsed(first_line.text)
            again = {"from": said["from"], "to": said["to"], "peaks": said["peaks"]}
            if laid_down(again).encode() != first_line.text or (said["from"], said["to"]) != (begin, end):
                raise ValueError(f"leaves {begin} to {end - 1} are due in it")
            tree = Growing(begin, hashes(said["peaks"]))
        for line in lines:
            with altered(LEAVES, line, "it is not written as a leaf is"):
                leaf, count = parsed(line.text), count + 1
                if laid_down({name: leaf[name] for name in FIELDS_OF_A_STRETCH}).encode() != line.text:
                    raise ValueError
                of, first, last = (leaf["kind"], leaf["stream"]), leaf["first"], leaf["last"]
                if not all(isinstance(each, str) for each in of) or type(first) is not int or type(last) is not int:
                    raise ValueError
                tree.add(leaf_hash(line.text))
                known = ends.get(of, (first, last))
                ends[of] = min(first, known[0]), max(last, known[1])
        if count != end - begin or tree.root != self._heads[end][0]:
            raise AlteredError(f"these are not all {end - begin} leaves {begin} to {end - 1} of the tree", LEAVES)
        return ends
