"""The read models made anew from the log, beside the ones there are, and held against them table by table."""

from contextlib import ExitStack
from pathlib import Path
from threading import Event

import msgspec

from consumers.logs.log import Log
from consumers.projecting.following import BATCH_FACTS, drained, quietly
from consumers.projecting.projector import Projector, tracked
from projections.digests import digests
from projections.reading import Reading, opened
from projections.store.store import Store
from projections.troubles import ReadModelsError


class Rebuilt(msgspec.Struct, frozen=True):
    """What a rebuild came to: the digest of each table, and of the old ones where they could be read."""

    read: int
    made: dict[str, str]
    old: dict[str, str]
    unread: str = ""  # why there was nothing to compare with

    @property
    def differing(self) -> list[str]:
        """The tables that are not what they were."""
        return [name for name, told in self.old.items() if self.made[name] != told]


class _Old(msgspec.Struct):
    """What can be read now."""

    reading: Reading | None = None
    unread: str = ""


def rebuild(folder: Path, facts: Log, findings: Log, stop: Event) -> Rebuilt | None:
    """Makes everything anew up to where the old read models are, compares, and puts the new in their place.

    Where the old ones cannot be read everything there is goes into the new. None: it was stopped, and nothing changed.
    """
    quietly()
    with ExitStack() as opening:
        old = _old(folder, opening)
        store = opening.enter_context(Store.open(folder, rebuilding=True))
        projector = Projector(facts, findings, store)
        for log in (facts, findings):
            upto = _upto(log, old.reading)
            for batch in drained(log, projector.behind(log), upto):
                if stop.is_set():
                    return None
                projector.take(log, batch)
                if projector.waiting >= BATCH_FACTS:
                    projector.commit()
        projector.commit()
        if old.reading is not None:
            projector.seal_those(stream for (stream,) in old.reading.query("SELECT DISTINCT stream FROM facts"))
        else:
            projector.seal_all()
        store.compact()
        made = digests(store)
        before = digests(old.reading) if old.reading is not None else {}
        store.take_over()
        return Rebuilt(projector.read, made, before, old.unread)


def _old(folder: Path, opening: ExitStack) -> _Old:
    try:
        return _Old(opening.enter_context(opened(folder)))
    except ReadModelsError as error:
        return _Old(unread=str(error))


def _upto(log: Log, old: Reading | None) -> dict[int, int]:
    if old is None:
        return {partition: log.last_position(partition) for partition in log.partitions}
    return {partition: old.positions.get(tracked(log, partition), 0) for partition in log.partitions}
