"""Publish a generation: a snapshot of the small remainder under its own name, and a pointer to it."""

from contextlib import suppress
from pathlib import Path
from typing import Final

import duckdb

from projections.rollups import SUMMED
from projections.store.bookkeeping import PUBLISHED
from projections.store.ddl import WORKING, closed_sums
from projections.store.layout import Folder, Pointer, remove_build, synced, unread
from projections.store.relations import quoted
from projections.store.working import Working
from projections.troubles import ReplacedError

_TABLES: Final = (
    *(f'main."{table.name}"' for table in WORKING),
    *(f"catwalk.{name}" for name in PUBLISHED),
    *map(closed_sums, SUMMED),
)
_BLOCK: Final = 16_384  # bytes, the least that DuckDB allows


def publish(working: Working, folder: Folder, made_at: int, *, taking_over: bool) -> Pointer:
    """Write the next generation and point to it.

    A build that was replaced no longer publishes. A build in a rebuild publishes only to take over.
    """
    working.build.generations.mkdir(exist_ok=True)
    number = _next(working, folder)
    target = working.build.generation(number)
    try:
        _copy(working, target)
        synced(target, working.build.generations)
        now = folder.pointer()
        if now is not None and now.build != working.build.number and not taking_over:
            raise ReplacedError(folder.root)
        made = Pointer(working.build.number, number, made_at)
        folder.point(made)
    except BaseException:
        for path in (target, target.with_name(f"{target.name}.wal")):
            path.unlink(missing_ok=True)
        raise
    return made


def _next(working: Working, folder: Folder) -> int:
    now = folder.pointer()
    return max([now.generation if now else 0, *working.build.published()]) + 1


def _copy(working: Working, target: Path) -> None:
    """Copy what is published, uncompressed: it is short-lived, and compression would double the cost.

    Small blocks make the file of a quiet hour a third as large.
    """
    db = working.db
    db.execute(f"ATTACH {quoted(target)} AS generation (BLOCK_SIZE {_BLOCK})")
    try:
        db.execute("SET force_compression = 'uncompressed'")
        with working.transaction():
            db.execute("CREATE SCHEMA generation.catwalk")
            for name in _TABLES:
                db.execute(f"CREATE TABLE generation.{name} AS FROM {name}")
        db.execute("CHECKPOINT generation")
        db.execute("SET force_compression = 'auto'")
    except BaseException:
        with suppress(duckdb.Error):
            db.execute("DETACH generation")
        raise
    db.execute("DETACH generation")


def clear(working: Working, folder: Folder) -> None:
    """Remove generations without readers, the files that only they name, and replaced builds."""
    now = folder.pointer()
    if now is None or now.build != working.build.number:
        return
    for number in working.build.published():
        path = working.build.generation(number)
        held = unread(path) if number != now.generation else None
        if held is not None:
            path.unlink()
            held.close()
    _remove_retired(working, min(working.build.published(), default=now.generation))
    for build in folder.builds():
        if build.number < now.build:
            remove_build(build)


def _remove_retired(working: Working, oldest: int) -> None:
    paths = [path for (path,) in working.rows("SELECT path FROM catwalk.retired WHERE last_named < ?", [oldest])]
    if not paths:
        return
    for path in paths:
        (working.build.path / path).unlink(missing_ok=True)
        with suppress(OSError):
            (working.build.path / path).parent.rmdir()
    with working.transaction():
        working.db.execute("DELETE FROM catwalk.retired WHERE path IN (SELECT unnest(?))", [paths])
