"""Compaction: merge the files of a gaming day into one per kind of table, and later those of a month again.

So a year has some tens of files per table. Files that would become too large, such as a month of facts, stay smaller.
A job reads and writes Parquet only and may run beside the projector in its own thread; only `adopt` changes the working
file.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Final

import duckdb
import msgspec

from projections.schema import SCHEMA, ModelTable
from projections.store.bookkeeping import NOTES, FileKind, ParquetFile, RowManifest, noted
from projections.store.ddl import arrow
from projections.store.layout import sync_files
from projections.store.relations import in_days
from projections.store.sealing import retire_superseded
from projections.store.working import Working, written

FEW: Final = 8  # the number of files beside a compacted one that triggers a rewrite
MANY: Final = 32  # the number of files merged while the day is not over
SETTLED: Final = 7  # days after the end of a month until it becomes one file: until then a correction rewrites one day
MEMORY: Final = "1GB"  # for a compaction; a large month is sorted on disk
LARGEST: Final = 1 << 31  # bytes: files are not merged beyond this size

Choice = tuple[FileKind, list[ParquetFile], bool]  # the kind, the files to merge, and True if those are all files

Mask = tuple[str, str, int, bool]


class Job(msgspec.Struct):
    """Files of one table to merge into one."""

    folder: Path
    name: str
    kind: FileKind
    path: str
    files: list[ParquetFile]
    whole: bool  # True if these are all files of their days
    masks: list[Mask]  # at the time of planning
    made: ParquetFile | None = None

    def run(self) -> None:
        """Write the merged file, which is not on the manifest yet."""
        run([self])

    def write(self, db: duckdb.DuckDBPyConnection) -> None:
        """The same on a connection that has an empty table of masks."""
        if self.masks:
            db.register("coming", arrow(noted("masks"), self.masks))
            db.execute("INSERT INTO catwalk.masks FROM coming")
        masked = frozenset({self.name} if self.masks else ())
        manifest = RowManifest(self.folder, "memory", {}, masked, frozenset(), frozenset())
        rows = in_days(SCHEMA[self.name], manifest, self.files, with_life=True)
        target = self.folder / self.path
        self.made = written(db, in_order(SCHEMA[self.name], rows), self.folder, target, (self.name, self.kind))
        if self.made is not None:
            sync_files([target])
        if self.masks:
            db.execute("DELETE FROM catwalk.masks")


def run(jobs: Sequence[Job]) -> None:
    """Write the merged files of jobs in one folder: each connection costs as much as several small files."""
    temporary = str(jobs[0].folder / "tmp-compaction")
    with duckdb.connect(":memory:", config={"temp_directory": temporary, "threads": 1, "memory_limit": MEMORY}) as db:
        db.execute(f"CREATE SCHEMA catwalk; CREATE TABLE catwalk.masks ({NOTES['masks']})")
        for job in jobs:
            job.write(db)


def in_order(table: ModelTable, rows: str) -> str:
    """Return the query that orders the rows of a merged file.

    Rows follow their files, in the order of days and tables. If the table is looked up by another column, they are
    sorted by it, so that a reader opens only some parts of the file.
    """
    if not table.lies_by:
        return rows
    order = ", ".join(f'"{name}"' for name in dict.fromkeys((table.lies_by, "gaming_day", *table.key)))
    return f"SELECT * FROM ({rows}) ORDER BY {order}"


def plan(working: Working) -> Iterator[Job]:
    """Yield the compactions that are needed now, at most one of each table."""
    manifest = working.manifest()
    newest = max((file.last_day for files in manifest.files.values() for file in files), default=None)
    if newest is None:
        return
    for name, files in manifest.files.items():
        sealed = [file for file in files if file.kind != "segment"]
        found = _month(sealed, newest) or _day(sealed, newest)
        if found:
            yield _job(working, name, found)


def _job(working: Working, name: str, choice: Choice) -> Job:
    kind, files, whole = choice
    day = files[0].first_day
    span = f"{day:%Y-%m}" if kind == "month" else str(day)
    path = f"days/{span}/{name}-{working.next_number()}.parquet"
    masks: list[Mask] = [
        (name, stream, life, lasting)
        for _, stream, life, lasting in working.rows("FROM catwalk.masks WHERE name = ?", [name])
    ]
    return Job(working.build.path, name, kind, path, files, whole, masks)


def _day(files: Sequence[ParquetFile], newest: date) -> Choice | None:
    past = {_month_of(file.first_day) for file in files if file.kind == "month"}
    alive = [file for file in files if _month_of(file.first_day) not in past]
    for day, here in _grouped(alive, lambda file: file.first_day).items():
        alone = [file for file in here if file.kind == "stream"]
        compacted = len(here) - len(alone)
        scattered = compacted > 1 or len(alone) >= FEW or (not compacted and len(alone) > 1)
        if day < newest and scattered and _fits(here):
            return "day", here, True
        if len(alone) >= MANY and _fits(alone):
            return "day", alone, False
    return None


def _month(files: Sequence[ParquetFile], newest: date) -> Choice | None:
    settled = _month_of(date.fromordinal(max(newest.toordinal() - SETTLED, 1)))
    for month, here in _grouped(files, lambda file: _month_of(file.first_day)).items():
        apart = sum(file.kind != "month" for file in here)
        if month < settled and (apart == len(here) > 1 or apart >= FEW) and _fits(here):
            return "month", here, True
    return None


def _fits(files: Sequence[ParquetFile]) -> bool:
    return sum(file.bytes for file in files) <= LARGEST


def _month_of(day: date) -> date:
    return day.replace(day=1)


def _grouped(files: Sequence[ParquetFile], by: Callable[[ParquetFile], date]) -> dict[date, list[ParquetFile]]:
    found: dict[date, list[ParquetFile]] = {}
    for file in files:
        found.setdefault(by(file), []).append(file)
    return found


def adopt(working: Working, job: Job) -> bool:
    """Replace the files a job has read with the one it wrote, unless one of them is gone."""
    there = {path for (path,) in working.rows("SELECT path FROM catwalk.files WHERE name = ?", [job.name])}
    if any(file.path not in there for file in job.files):
        if job.made is not None:
            (job.folder / job.made.path).unlink()
        return False
    with working.transaction():
        working.retire([file.path for file in job.files])
        if job.made is not None:
            working.register([job.made])
        _drop_masks(working, job)
    return True


def _drop_masks(working: Working, job: Job) -> None:
    """Remove the masks that the job has applied, unless a segment still needs them or the day is open again."""
    if not job.whole:
        return
    first, last = min(file.first_day for file in job.files), max(file.last_day for file in job.files)
    done = [mask[:3] for mask in job.masks if str(first) <= mask[1].partition("/")[2] <= str(last)]
    for each in done:
        working.db.execute(
            "UPDATE catwalk.masks m SET lasting = false FROM catwalk.sealed s WHERE m.stream = s.stream"
            " AND m.name = ? AND m.stream = ? AND m.life = ? AND m.life < s.life",
            list(each),
        )
    if done:
        retire_superseded(working)
