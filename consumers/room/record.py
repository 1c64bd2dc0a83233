"""How good the record is, as the room sees it: behind, broken, unverified, unsealed, silent, undecided."""

from datetime import UTC, datetime, timedelta

import msgspec

from consumers.room.looking import Looking, Shown, Visit
from projections.questions.coverage import Undecided, undecided
from projections.questions.floor import TableNow, floor_now
from projections.questions.troubles import Quality, quality

SILENT = timedelta(minutes=5)  # an open table from which nothing came for so long, while others told something


class Health(msgspec.Struct, frozen=True):
    """The state of the record."""

    quality: Quality
    coverage: tuple[Undecided, ...]  # of the whole floor
    by_table: tuple[Undecided, ...]
    silent: tuple[TableNow, ...]


class RecordRoom(Looking):
    """Questions about the record itself."""

    def record_health(self, visit: Visit) -> Shown[Health]:
        """Lag, gaps, dead letters, tails nobody verified or sealed, tables that say nothing, what was not decided."""
        with self._look(visit, "see-record", "page", "record health") as look:
            at = datetime.fromtimestamp(self._clock() / 1_000_000, UTC)
            held = quality(look, now=at)
            health = Health(
                held,
                tuple(undecided(look)),
                tuple(undecided(look, by="table")),
                tuple(table for table in floor_now(look, closed=False) if _silent(table, held.newest_fact_at)),
            )
            return Shown(health, look.made_at)


def _silent(table: TableNow, newest: datetime | None) -> bool:
    return newest is not None and (table.last_at is None or newest - table.last_at > SILENT)
