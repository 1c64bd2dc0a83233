"""Rebuild the read models from the log beside the existing ones, and compare the two table by table."""

from contextlib import suppress
from pathlib import Path
from threading import Event

import duckdb
import msgspec

from consumers.logs.log import Log, tracked
from consumers.projecting.following import BATCH_FACTS, drained, quietly
from consumers.projecting.projector import Projector
from projections.digests import digests
from projections.doubles import doubled
from projections.reading import opened
from projections.store.layout import Folder, remove_build
from projections.store.store import Store
from projections.troubles import DoubledError, ReadModelsError


class Rebuilt(msgspec.Struct, frozen=True):
    """The result of a rebuild: the digest of each table, and of the old ones if they could be read."""

    read: int
    made: dict[str, str]
    old: dict[str, str]
    unread: str = ""  # why there was nothing to compare with
    doubled: list[str] = []  # duplicate rows in the old ones

    @property
    def differing(self) -> list[str]:
        """The tables that differ from before."""
        return [name for name, told in self.old.items() if self.made[name] != told]


class _Old(msgspec.Struct):
    """The existing read models, as far as they can be read."""

    positions: dict[str, int] | None = None
    sealed: list[str] = []
    digests: dict[str, str] = {}
    unread: str = ""
    doubled: list[str] = []


def rebuild(folder: Path, facts: Log, findings: Log, stop: Event) -> Rebuilt | None:
    """Rebuild everything up to the position of the old read models, compare, and replace them.

    If the old ones cannot be read, the whole record goes into the new ones. Returns None if it was stopped; then
    nothing changed. Read models with a duplicate row never replace others.
    """
    quietly()
    old = _old(folder)
    try:
        return _made(folder, (facts, findings), stop, old)
    finally:
        _clear(folder)


def _made(folder: Path, logs: tuple[Log, Log], stop: Event, old: _Old) -> Rebuilt | None:
    facts, findings = logs
    with Store.open(folder, rebuilding=True) as store:
        projector = Projector(facts, findings, store)
        for log in logs:
            upto = _upto(log, old)
            for batch in drained(log, projector.behind(log), upto):
                if stop.is_set():
                    return None
                projector.take(log, batch)
                if projector.waiting >= BATCH_FACTS:
                    projector.commit()
        projector.commit()
        if old.positions is not None:
            projector.seal_those(old.sealed)
        else:
            projector.seal_all()
        store.compact()
        twice = doubled(store)
        if twice:
            raise DoubledError(folder, "; ".join(each.says for each in twice))
        made = digests(store)
        store.take_over()
        return Rebuilt(projector.read, made, old.digests, old.unread, old.doubled)


def _clear(folder: Path) -> None:
    """Remove new read models that did not replace the old ones: they would take up space unnoticed."""
    here = Folder(folder)
    with suppress(ReadModelsError, OSError):  # the next reader or writer reports it
        pointer = here.pointer()
        if pointer is None:
            return
        for build in here.builds():
            if build.number > pointer.build and (build.path / "lock").is_file():
                remove_build(build)


def _old(folder: Path) -> _Old:
    """The old read models; if any part is damaged, none of them is used."""
    try:
        with opened(folder, all_of_it=True) as reading:
            sealed = [stream for (stream,) in reading.query("SELECT DISTINCT stream FROM facts")]
            twice = [each.says for each in doubled(reading)]
            return _Old(dict(reading.positions), sealed, digests(reading), doubled=twice)
    except ReadModelsError as error:
        return _Old(unread=str(error))
    except duckdb.Error as error:
        return _Old(unread=f"{folder}: {str(error).partition(chr(10))[0]}")


def _upto(log: Log, old: _Old) -> dict[int, int]:
    if old.positions is None:
        return {partition: log.last_position(partition) for partition in log.partitions}
    return {partition: old.positions.get(tracked(log, partition), 0) for partition in log.partitions}
