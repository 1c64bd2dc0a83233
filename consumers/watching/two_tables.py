"""Findings about two tables, as a watcher recorded them: one table's day cannot show them."""

from contextlib import closing
from pathlib import Path

from consumers.logs.log import Log
from consumers.logs.opening import LogOptionsError, findings_log
from domain.facts.codec import UnreadableFactError
from domain.watch.finding import Finding
from domain.watch.record import apply, decode, facts_of, is_of_two

_TWO = b"+"  # part of such a stream's name, and of few other records


class NobodyWatchedError(LookupError):
    """No watcher has recorded findings about two tables."""


def of_two_tables(stream: str, *, data: Path | None = None, kafka: Path | None = None) -> list[Finding]:
    """The standing findings about this table's day and another table's."""
    try:
        log = findings_log(data=data, kafka=kafka, create=False)
    except LogOptionsError as error:
        raise NobodyWatchedError(str(error)) from error
    with closing(log):
        return _standing(log, stream)


def _standing(log: Log, stream: str) -> list[Finding]:
    standing: dict[str, Finding] = {}
    for batch in log.drain(_before(log, stream)):
        for _, stored in batch.facts:
            if _TWO not in stored:
                continue
            try:
                record = decode(stored)
            except UnreadableFactError:  # the doctor reports it
                continue
            if is_of_two(record.stream) and stream in facts_of(record.stream):
                apply(standing, record)
    return list(standing.values())


def _before(log: Log, stream: str) -> dict[int, int]:
    """The position to search from: the beginning of the table's previous day, if all streams share one order."""
    table, _, _ = stream.partition("/")
    earlier = [name for name in log.streams(table) if name < stream]
    began = log.begins(earlier[-1]) if earlier else None
    return {began.partition: began.position - 1} if began is not None and len(log.partitions) == 1 else {}
