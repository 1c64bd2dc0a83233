"""Findings about two tables, as a watch wrote them down: a day of one table by itself cannot show them."""

from contextlib import closing
from pathlib import Path

from consumers.logs.log import Log
from consumers.logs.opening import LogOptionsError, findings_log
from domain.facts.codec import UnreadableFactError
from domain.watch.finding import Finding
from domain.watch.record import apply, decode, facts_of, is_of_two

_TWO = b"+"  # stands in the name of such a stream, and in hardly any other record


class NobodyWatchedError(LookupError):
    """Nobody wrote down what there is to review at two tables."""


def of_two_tables(stream: str, *, data: Path | None = None, kafka: Path | None = None) -> list[Finding]:
    """The findings that stand about this table's day and another table's."""
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
            except UnreadableFactError:  # the doctor names it
                continue
            if is_of_two(record.stream) and stream in facts_of(record.stream):
                apply(standing, record)
    return list(standing.values())


def _before(log: Log, stream: str) -> dict[int, int]:
    """From where on there may be something: where the table's day before begins, where all lie in one order."""
    table, _, _ = stream.partition("/")
    earlier = [name for name in log.streams(table) if name < stream]
    began = log.begins(earlier[-1]) if earlier else None
    return {began.partition: began.position - 1} if began is not None and len(log.partitions) == 1 else {}
