"""The quality of the record in the room: delay, breaks, unverified and unsealed facts, silence, undecided wagers."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import msgspec

from consumers.logs.log import Log, Placed, tracked
from consumers.room.looking import Looking, RoomVisit, ShownAnswer
from consumers.room.readings import Look
from consumers.trust.tree_file import TreeTroubleError, newest_head
from domain.desk.access import RecordProved
from domain.facts.codec import UnreadableFactError, decode
from domain.watch.feed_watch import CODE as FEED_DOUBTFUL
from projections.questions.coverage import Undecided, undecided
from projections.questions.findings import FindingFilter, findings
from projections.questions.floor import TableNow, floor_now
from projections.questions.troubles import Quality, quality

SILENT = timedelta(minutes=5)  # an open table without facts for this long, while others have some


class LastCheckpoint(msgspec.Struct, frozen=True):
    """The last signed checkpoint, or why it is unknown."""

    at: datetime | None = None
    leaves: int = 0
    cosigners: tuple[str, ...] = ()
    trouble: str = ""


class UnverifiedTail(msgspec.Struct, frozen=True):
    """Facts in the record that are not in the read models yet."""

    facts: int
    seconds: int  # from the first waiting fact to the last, by their own times, in the slowest partition


class DoubtfulFeed(msgspec.Struct, frozen=True):
    """A table whose feed looks mis-mapped; `says` is empty for a person who may not see findings."""

    table: str
    gaming_day: date
    says: str


class Health(msgspec.Struct, frozen=True):
    """The state of the record."""

    quality: Quality
    waiting: UnverifiedTail
    coverage: tuple[Undecided, ...]  # for the whole floor
    by_table: tuple[Undecided, ...]
    silent: tuple[TableNow, ...]
    feeds: tuple[DoubtfulFeed, ...]  # of the newest gaming day
    checkpoint: LastCheckpoint
    proved: RecordProved | None  # the last run of catwalk doctor


class RecordRoom(Looking):
    """Questions about the record itself."""

    tree: Path | None = None  # the file of the property's checkpoints
    log: Log | None = None

    def record_health(self, visit: RoomVisit) -> ShownAnswer[Health]:
        """Delay, gaps, dead letters, unverified or unsealed tails, silent tables, and undecided wagers."""
        with self._look(visit, "see-record", "page", "record health") as look:
            at = datetime.fromtimestamp(self._clock() / 1_000_000, UTC)
            held = quality(look, now=at)
            health = Health(
                held,
                self._waiting(look),
                tuple(undecided(look)),
                tuple(undecided(look, by="table")),
                tuple(table for table in floor_now(look, closed=False) if _silent(table, held.newest_fact_at)),
                tuple(_doubtful(look, held.newest_day, says=visit.person.may("see-findings"))),
                self._checkpoint(),
                self._desk.last_proof(),
            )
            return ShownAnswer(health, look.made_at)

    def _waiting(self, look: Look) -> UnverifiedTail:
        """The delay of the published data behind the record; a quiet floor has none."""
        log = self.log
        if log is None:
            return UnverifiedTail(0, 0)
        taken = {partition: look.positions.get(tracked(log, partition), 0) for partition in log.partitions}
        ends = {partition: log.last_position(partition) for partition in log.partitions}
        waiting = {partition: max(0, end - taken[partition]) for partition, end in ends.items()}
        most = max(waiting, key=waiting.__getitem__, default=None)
        if most is None or not waiting[most]:
            return UnverifiedTail(0, 0)
        times = list(_times([*log.read(most, taken[most], 1), *log.read(most, ends[most] - 1, 1)]))
        return UnverifiedTail(sum(waiting.values()), (max(times) - min(times)) // 1_000_000 if times else 0)

    def _checkpoint(self) -> LastCheckpoint:
        try:
            newest = None if self.tree is None else newest_head(self.tree)
            return (
                LastCheckpoint() if newest is None else LastCheckpoint(datetime.fromisoformat(newest.time), *newest[1:])
            )
        except (TreeTroubleError, ValueError) as error:
            return LastCheckpoint(trouble=str(error))


def _doubtful(look: Look, day: date | None, *, says: bool) -> Iterator[DoubtfulFeed]:
    if day is not None:
        for found in findings(look, FindingFilter(code=FEED_DOUBTFUL, first=day, last=day)):
            yield DoubtfulFeed(found.table, found.gaming_day, found.says if says else "")


def _times(placed: Iterable[Placed]) -> Iterator[int]:
    for _, stored in placed:
        try:
            yield decode(stored).at
        except UnreadableFactError:  # reported as a trouble
            continue


def _silent(table: TableNow, newest: datetime | None) -> bool:
    return newest is not None and (table.last_at is None or newest - table.last_at > SILENT)
