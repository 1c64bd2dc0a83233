"""One `catwalk` command that notes when each of its stages began and ended: `python -m tests.bench.staged FILE COMMAND`.

The times are those of the monotonic clock, which all processes of a machine share, and the processor time of the thread.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from threading import Event
from time import monotonic, thread_time
from typing import Any, NamedTuple

import msgspec

from consumers.command import main
from consumers.logs.log import Batch
from consumers.logs.sqlite import SqliteLog
from consumers.projecting.one_pass import OnePass
from consumers.projecting.projector import Projector
from projections.store import Store


class StageMark(NamedTuple):
    """One time that a stage was passed; `position` is the last fact's, or 0."""

    stage: str
    began: float
    ended: float
    processor: float
    position: int = 0


_marks: list[StageMark] = []


def _noted(owner: type, name: str, stage: str, position: Callable[..., int] = lambda *_: 0) -> None:
    """Note each call of a method that did something."""
    inner = getattr(owner, name)

    def method(*given: Any) -> Any:
        began, processor = monotonic(), thread_time()
        done = inner(*given)
        if done or stage == "verify":
            _marks.append(StageMark(stage, began, monotonic(), thread_time() - processor, position(*given)))
        return done

    setattr(owner, name, method)


def _last_fact(one: OnePass, log: Any, batch: Batch) -> int:
    return batch.facts[-1][0] if log is one.facts and batch.facts else 0


_follow = SqliteLog.follow


def _followed(self: SqliteLog, after: Mapping[int, int], stop: Event) -> Iterator[Batch]:
    for batch in _follow(self, after, stop):
        if self.name == "facts":
            _marks.append(StageMark("read", monotonic(), monotonic(), 0.0, batch.facts[-1][0]))
        yield batch


if __name__ == "__main__":
    marks = Path(sys.argv[1])
    SqliteLog.follow = _followed  # type: ignore[method-assign]
    _noted(OnePass, "take", "verify", _last_fact)
    _noted(Projector, "commit", "commit")
    _noted(Store, "publish", "publish")
    sys.argv = ["catwalk", *sys.argv[2:]]
    try:
        main()
    finally:
        marks.write_bytes(msgspec.json.encode(_marks))
