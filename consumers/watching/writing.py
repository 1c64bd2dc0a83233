"""Write records of findings to their log: once each, sealed if a key is here, and without letting one place stop all.

A place with a record that does not follow the one before it is never overwritten. Its stream is not continued: that is
reported once, and every other stream continues. The missing findings follow from the facts, so nothing is lost.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec
from eventsourcing.persistence import IntegrityError

from consumers.logs.log import Log, NoPlaceError, StoredFact, place_of
from consumers.watching.lasting_heard import LastingHeard
from consumers.watching.sealing import Sealer
from domain.facts.codec import name_of
from domain.facts.streams import owner
from domain.following import Link, chain_of
from domain.ledger.chain import digest
from domain.watch.finding import Finding
from domain.watch.findings_stream import Written
from domain.watch.record import facts_of, readable

TAKEN = "place taken"
Report = Callable[["Unusable"], None]
Heard = Callable[[Finding], None]
Wrote = Callable[[Sequence[Written], Sequence[int]], None]


class Unusable(msgspec.Struct, frozen=True):
    """A record no watcher can use: its place, its bytes, what is wrong, and the reason in two words."""

    log: Log
    partition: int
    position: int
    stored: bytes
    says: str
    reason: str


class OvertakenError(Exception):
    """Another writer's record is at a place of ours."""


class FindingsWriter:
    """One writer to the findings log. `sealer` signs what it writes; without one, records stay unsealed.

    `wrote` is called with durable records, and the positions of these and then of their seals.
    """

    def __init__(
        self, log: Log, report: Report, heard: Heard, sealer: Sealer | None = None, wrote: Wrote | None = None
    ) -> None:
        self._log = log
        self._report = report
        self._heard = heard
        self._sealer = sealer
        self._wrote = wrote
        self._blocked: set[str] = set()
        self._lasting = LastingHeard()

    def append(self, made: Iterable[Written], expected: int | None = None) -> int:
        """Append records; all are durable when this returns, except those of blocked streams.

        If the positions are not the ones right after `expected`, another writer is active, and the records in the log
        are compared. Returns the last position, or 0 if nothing was appended.
        """
        pending = [each for each in made if each.record.stream not in self._blocked]
        if not pending:
            return 0
        rows = [
            StoredFact(each.record.stream, each.record.sequence, name_of(each.record), each.stored) for each in pending
        ]
        seals = self._sealer.seals(pending) if self._sealer is not None else []
        try:
            positions = self._log.append_once([*rows, *seals])
        except IntegrityError:
            pending, rows, positions = self._without_blocked(pending, rows)
        if expected is None or positions != list(range(expected + 1, expected + 1 + len(positions))):
            self._check(rows)
        elif self._wrote is not None:
            self._wrote(pending, positions)
        for each in pending:
            for finding in self._lasting.hear(each.record):
                self._heard(finding)
        return max(positions, default=0)

    def seal(self, streams: Iterable[str]) -> None:
        """Seal unsealed records of these streams: written without a key, or just before a crash."""
        rows = [row for stream in streams for row in self._sealer.behind(stream)] if self._sealer is not None else []
        if rows and self._sealer is not None:
            try:
                self._log.append_once(rows)
            except IntegrityError:
                self._sealer.forget(row.stream for row in rows)

    def chain(self, stream: str) -> list[Link]:
        """The chain of a stream of findings in the log."""
        return chain_of(readable(self._log.read_stream(stream)))

    def _without_blocked(
        self, pending: list[Written], rows: list[StoredFact]
    ) -> tuple[list[Written], list[StoredFact], list[int]]:
        """Append stream by stream, without seals, and return the streams that cannot be continued."""
        if self._sealer is not None:
            self._sealer.forget(row.stream for row in rows)
        positions: list[int] = []
        for stream in dict.fromkeys(row.stream for row in rows):
            of_stream = [row for row in rows if row.stream == stream]
            try:
                positions += self._log.append_once(of_stream)
            except IntegrityError:
                self._blocked_at(stream, of_stream)
        rows = [row for row in rows if row.stream not in self._blocked]
        return [each for each in pending if each.record.stream not in self._blocked], rows, positions

    def _blocked_at(self, stream: str, rows: Sequence[StoredFact]) -> None:
        """Handle another record at one of these places: if it follows the chain, it counts."""
        chain = self.chain(stream)
        ours = {row.sequence: digest(row.stored) for row in rows}
        if any(ours.get(link.fact.sequence, link.own) != link.own for link in chain) or rows[0].sequence <= len(chain):
            raise OvertakenError(f"{stream}:{len(chain)} was written by another watcher")
        sequence = len(chain) + 1
        self._blocked.add(stream)
        for partition, position, stored in self._standing_at(stream, sequence):
            self._report(Unusable(self._log, partition, position, stored, _what_to_do(stream, sequence), TAKEN))

    def _standing_at(self, stream: str, sequence: int) -> Iterable[tuple[int, int, bytes]]:
        for batch in self._log.drain({}):
            for position, stored in batch.facts:
                try:
                    place = place_of(stored)
                except NoPlaceError:
                    continue
                if (place.stream, place.sequence) == (stream, sequence):
                    yield batch.partition, position, stored

    def _check(self, rows: Sequence[StoredFact]) -> None:
        """Compare with the log while another writer is active: our records must be there, by either writer."""
        for row in {row.stream: row for row in rows}.values():
            chain = self.chain(row.stream)
            if len(chain) < row.sequence or chain[row.sequence - 1].own != digest(row.stored):
                raise OvertakenError(f"{row.stream}:{row.sequence} was written by another watcher")


def _what_to_do(stream: str, sequence: int) -> str:
    day = stream.partition("/")[2]
    tables = " ".join(f"--table {owner(name)}" for name in facts_of(stream))
    return (
        f"it is at {stream}:{sequence} of the findings and does not follow the record before it: from there on "
        f"nothing is written about {stream}, and everything else continues. See the findings there with "
        f"catwalk verify-log {tables} --from {day} --to {day}"
    )
