"""The time of findings, stage by stage, from the marks of `tests.bench.staged`."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from itertools import pairwise
from statistics import mean

import msgspec

from tests.bench.staged import StageMark

WAITS = {"read": "the log is polled", "queue": "a batch before it", "rhythm": "the generation before it, and its pause"}


def part_of(values: Iterable[float], share: float) -> float:
    """The value below which this share lies; 0 without any."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


class Stages:
    """The marks of one process after a moment."""

    def __init__(self, marks: bytes, after: float) -> None:
        found: dict[str, list[StageMark]] = {}
        for mark in msgspec.json.decode(marks, type=list[StageMark]):
            if mark.began >= after:
                found.setdefault(mark.stage, []).append(mark)
        self._read = found["read"]
        self._verify = [mark for mark in found["verify"] if mark.position]
        self._commit = found["commit"]
        self._publish = found["publish"]

    def tell(self, findings: Mapping[int, tuple[float, float]]) -> None:
        """Print the mean of each stage; by position of its fact, when a finding's fact was acknowledged and it was seen."""
        whole = [passed for position, told in findings.items() if (passed := self._passed(position, *told))]
        total = mean(sum(each.values()) for each in whole)
        for stage in whole[0]:
            took = [each[stage] for each in whole]
            said = f"waits: {WAITS[stage]}" if stage in WAITS else f"processor {self.processor(stage) * 1000:.0f} ms"
            print(
                f"    {stage:<8} {mean(took) * 1000:>5.0f} ms, {mean(took) / total:>4.0%}   "
                f"99 % {part_of(took, 0.99) * 1000:>5.0f} ms   {said if stage != 'seen' else 'looks, and opens'}"
            )

    def _passed(self, position: int, acknowledged: float, seen: float) -> dict[str, float]:
        """Return the time that each stage of a finding took; empty if it was seen in a generation that is not in the marks."""
        read = _first(self._read, position)
        verify = _first(self._verify, position)
        commit = next((mark for mark in self._commit if verify and mark.began >= verify.ended), None)
        publish = next((mark for mark in self._publish if commit and mark.began >= commit.ended), None)
        if read is None or verify is None or commit is None or publish is None:
            return {}
        edges = [acknowledged, read.ended, verify.began, verify.ended, commit.began, commit.ended, publish.ended, seen]
        names = ("read", "queue", "verify", "rhythm", "commit", "publish", "seen")
        return {name: end - start for name, (start, end) in zip(names, pairwise(edges), strict=True)}

    def processor(self, stage: str) -> float:
        """The median processor time of one passing of a stage."""
        marks = {"verify": self._verify, "commit": self._commit, "publish": self._publish}.get(stage, [])
        return part_of((mark.processor for mark in marks), 0.5)

    def bound(self, waits: float) -> float:
        """The longest way if all work took its usual processor time: a generation just missed, its pause, and its own.

        `waits` is the time of polling and looking. The disk's time is not in it.
        """
        return waits + self.processor("verify") + 3 * (self.processor("commit") + self.processor("publish"))


def _first(marks: list[StageMark], position: int) -> StageMark | None:
    """The first mark that reached a position."""
    number = bisect_left(marks, position, key=lambda mark: mark.position)
    return marks[number] if number < len(marks) else None
