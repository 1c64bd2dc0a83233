"""`catwalk verify-log`: a record, or a file of facts, replayed to findings."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import msgspec

from consumers.logs.opening import open_log, record_options
from consumers.watching.fact_file import FactFile
from consumers.watching.reading import Reading, Remembered
from consumers.watching.shown import as_line, as_object
from domain.facts.streams import owner
from domain.watch.abreast import Abreast
from domain.watch.finding import Finding
from domain.watch.record import apply
from domain.watch.record_watch import RecordWatch, answering

_EXAMPLES = """\b
Examples:
  catwalk verify-log day.jsonl
  catwalk verify-log --data pit > findings.jsonl
  catwalk verify-log --data pit --table T7 --from 2026-11-01 --to 2026-11-18
  catwalk verify-log --kafka cluster.toml --lines

Folds every fact in its order, verifies each round and asks every detector. A finding that later facts explain is not
among those printed. Nothing is written to the record.

\b
Exit status: 0 nothing to review; 1 findings; 2 usage; 3 lines or records that are no fact, besides.
"""


@click.command("verify-log", epilog=_EXAMPLES)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@click.option("--table", "tables", multiple=True, metavar="TABLE", help="Only this table; may be given again.")
@click.option("--from", "first", default="", metavar="DAY", help="Only gaming days from this one on.")
@click.option("--to", "last", default="", metavar="DAY", help="Only gaming days up to this one.")
@click.option("--lines", is_flag=True, help="A line for people instead of JSON Lines.")
@record_options
def verify_log_command(
    *,
    file: Path | None,
    tables: tuple[str, ...],
    first: str,
    last: str,
    lines: bool,
    data: Path | None,
    kafka: Path | None,
) -> None:
    """Replay a record, or a FILE of facts, to findings as JSON Lines.

    FILE holds a fact a line, numbered as a record keeps them or not yet numbered as devices send them; `-` is not
    taken, for a correction has its day read again.
    """
    wanted = _Wanted(frozenset(tables), first, last)
    troubles = _Troubles()
    standing = _of_file(file, wanted, troubles) if file else _of_log(data, kafka, wanted, troubles)
    for finding in standing:
        click.echo(as_line(finding) if lines else msgspec.json.encode(as_object(finding)))
    if troubles.count:
        raise SystemExit(3)
    if standing:
        raise SystemExit(1)


class _Wanted(msgspec.Struct, frozen=True):
    """Which streams to verify."""

    tables: frozenset[str]
    first: str
    last: str

    def has(self, stream: str) -> bool:
        """Whether this stream is asked for."""
        table, _, day = stream.partition("/")
        return (not self.tables or table in self.tables) and day >= self.first and (not self.last or day <= self.last)

    @property
    def all(self) -> bool:
        return not (self.tables or self.first or self.last)


_TELLS_EVERY = 50_000  # facts


class _Troubles(msgspec.Struct):
    """What is no fact: told on the way, counted for the exit status."""

    count: int = 0

    def line(self, number: int, says: str) -> None:
        self.count += 1
        click.echo(f"line {number}: {says}", err=True)

    def record(self, stored: bytes, says: str) -> None:
        self.count += 1
        click.echo(f"a record that is no fact: {says}: {stored[:120].decode(errors='backslashreplace')}", err=True)


class _Named(msgspec.Struct):
    stream: str = ""


_STREAM = msgspec.json.Decoder(_Named)


def _only(stored: Iterable[bytes], wanted: _Wanted) -> Iterator[bytes]:
    if wanted.all:
        yield from stored
        return
    for each in stored:
        try:
            stream = _STREAM.decode(each).stream
        except msgspec.DecodeError:
            stream = ""
        if not stream or wanted.has(stream):
            yield each


def _of_file(file: Path, wanted: _Wanted, troubles: _Troubles) -> list[Finding]:
    reading, known = FactFile(file), Remembered()
    record = reading.record(known.held)
    beside = Abreast(answering(record))
    watch = RecordWatch(record, troubles.record, reading.stored, beside.take)
    return _standing(watch, known, beside, _only(reading.facts(troubles.line), wanted))


def _of_log(data: Path | None, kafka: Path | None, wanted: _Wanted, troubles: _Troubles) -> list[Finding]:
    log = open_log(data=data, kafka=kafka)
    try:
        reading, known = Reading(log), Remembered()
        record = reading.record(known.held)
        beside = Abreast(answering(record))
        watch = RecordWatch(record, troubles.record, reading.stored, beside.take)
        return _standing(watch, known, beside, _only(reading.drained({}), wanted))
    finally:
        log.close()


def _standing(watch: RecordWatch, known: Remembered, beside: Abreast, records: Iterable[bytes]) -> list[Finding]:
    """The findings that stand at the end, in the order they were raised."""
    found: dict[str, Finding] = {}
    told = sys.stderr.isatty()
    said = 0
    for written in watch.take_all(records):
        known.add(written)
        apply(found, written.record)
        if told and watch.read >= said + _TELLS_EVERY:
            said = watch.read
            click.echo(f"\r{said} facts, {len(found)} findings", nl=False, err=True)
    if told:
        click.echo("\r\033[K", nl=False, err=True)
    for written in beside.found():
        apply(found, written.record)
    streams = {owner(finding.stream) for finding in found.values()}
    click.echo(f"{watch.read} facts, {len(found)} findings at {len(streams)} tables", err=True)
    return list(found.values())
