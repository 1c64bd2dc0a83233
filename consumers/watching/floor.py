"""The floor as an application of the event-sourcing library: a table's gaming day is an aggregate, its id the stream.

The configuration decides where the facts are, as in the library: `PERSISTENCE_MODULE` names the embedded log or Kafka,
and this module works with both. Plain functions fold the aggregates.
"""

from collections.abc import Iterable
from pathlib import Path

from eventsourcing.application import Application
from eventsourcing.domain import DomainEventProtocol

from consumers.logs.log import Log
from consumers.logs.opening import LOG_FILE
from consumers.watching.reading import record_of
from domain.facts.envelope import Fact
from domain.table.day import TableDay
from domain.watch.corrected import Corrections, also, corrected, told_by
from domain.watch.verifier import Verifier


class RebuiltFloor(Application[str]):
    """Every table's days, rebuilt from their facts."""

    def day(self, stream: str, *, version: int | None = None, later: Corrections | None = None) -> TableDay:
        """A table's day at a sequence, or at its end; `later` are corrections from later days."""
        return self.verified(stream, version=version, later=later).day

    def verified(self, stream: str, *, version: int | None = None, later: Corrections | None = None) -> Verifier:
        """The same day with all findings of the detectors."""

        def project(_: Verifier | None, facts: Iterable[DomainEventProtocol[str]]) -> Verifier | None:
            return _folded(stream, [fact for fact in facts if isinstance(fact, Fact)], later or {})

        return self.repository.get(stream, version=version, projector_func=project)


def _folded(stream: str, facts: list[Fact], later: Corrections) -> Verifier | None:
    """The day with all its corrections, from the same or later days; None if it has no facts."""
    if not facts:
        return None
    corrections = told_by(facts).get(stream, {})
    for correction in (each for told in later.values() for each in told):
        also(corrections, correction)
    verifier = Verifier(stream, remembers=None)
    for fact in facts:
        read = corrected(fact, corrections.get(fact.sequence))
        if read is not None:
            verifier.take(read)
    return verifier


def floor_of(log: Log, stream: str, *, data: Path | None = None, kafka: Path | None = None) -> RebuiltFloor:
    """The floor on the log that these options name: the partition of a stream's table if the log has several."""
    if data is not None:
        file = (data / LOG_FILE).absolute().as_uri()
        return RebuiltFloor({"PERSISTENCE_MODULE": "consumers.logs.sqlite", "SQLITE_DBNAME": file})
    if kafka is None:
        raise ValueError("a floor needs an embedded log or Kafka")
    partition = str(log.home(stream))
    return RebuiltFloor(
        {
            "PERSISTENCE_MODULE": "consumers.logs.kafka_recorder",
            "CATWALK_KAFKA": str(kafka),
            "KAFKA_PARTITION": partition,
        }
    )


def later_corrections(log: Log, stream: str, table: str) -> Corrections:
    """The corrections of this day from later days of the table, the last one of each fact."""
    record = record_of(log)
    facts = (fact for name in log.streams(table) if name > stream for fact in record.facts(name))
    return told_by(facts).get(stream, {})
