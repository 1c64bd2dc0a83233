"""`catwalk watch`: follow a record, verify it as it grows, write down what is found."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from time import monotonic
from types import FrameType

import click
import msgspec

from consumers.logs.log import Batch, Log
from consumers.logs.opening import findings_log, open_log, record_options
from consumers.watching.shown import as_line, as_object
from consumers.watching.watcher import Unusable, Watcher
from domain.watch.finding import Finding

_EXAMPLES = """\b
Examples:
  catwalk watch --data pit
  catwalk watch --data pit --once --json
  catwalk watch --kafka cluster.toml

Findings go to their own log, each stream's under its own name, with a mark how far it is verified. Killed and
started again, here or on another machine, it goes on from the marks and writes nothing twice. Several on one Kafka
cluster share the tables among them.

\b
Exit status: 0 ended by Ctrl-C or SIGTERM, or --once and nothing new to review; 1 with --once, findings; 2 usage.
"""


@click.command("watch", epilog=_EXAMPLES)
@click.option("--once", is_flag=True, help="Verify what is there and end.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON a finding instead of a line for people.")
@record_options
def watch_command(*, once: bool, as_json: bool, data: Path | None, kafka: Path | None) -> None:
    """Follow a record, verify every round as it ends, and write findings to their log."""
    found = 0

    def heard(finding: Finding) -> None:
        nonlocal found
        found += 1
        click.echo(msgspec.json.encode(as_object(finding)) if as_json else as_line(finding))

    facts, findings = open_log(data=data, kafka=kafka), findings_log(data=data, kafka=kafka)
    try:
        watcher = Watcher(facts, findings, _unusable, heard)
        with _until_ended() as stop:
            (_through if once else _follow)(watcher, facts, stop)
        click.echo(f"{watcher.read()} facts read, {found} findings raised or revised", err=True)
    finally:
        facts.close()
        findings.close()
    if once and found:
        raise SystemExit(1)


def _through(watcher: Watcher, facts: Log, stop: Event) -> None:
    after = {partition: watcher.begin(partition) for partition in facts.partitions}
    while not _read(watcher, facts.drain(after), after) and not stop.is_set():
        pass


def _follow(watcher: Watcher, facts: Log, stop: Event) -> None:
    after = {partition: watcher.begin(partition) for partition in facts.partitions}
    click.echo(f"watching {facts.name}: {len(facts.partitions)} partition(s)", err=True)
    while not stop.is_set():
        _read(watcher, facts.follow(after, stop), after)


def _read(watcher: Watcher, batches: Iterator[Batch], after: dict[int, int]) -> bool:
    """Takes batch after batch; no, where a partition is to be read again from another position."""
    told = monotonic()
    for batch in batches:
        again = watcher.take(batch.partition, batch.facts)
        after[batch.partition] = batch.facts[-1][0] if again is None else again
        if again is not None:
            return False
        if sys.stderr.isatty() and monotonic() - told > 1:
            told = monotonic()
            click.echo(f"\r{watcher.read()} facts", nl=False, err=True)
    return True


def _unusable(found: Unusable) -> None:
    where = f"{found.log.name}: partition {found.partition} position {found.position}"
    told = found.stored[:120].decode(errors="backslashreplace")
    click.echo(f"{where}: {found.reason}: {found.says}: {told}", err=True)


@contextmanager
def _until_ended() -> Iterator[Event]:
    """An event that Ctrl-C and SIGTERM set; what was taken is durable by then."""
    stop = Event()

    def end(_: int, __: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
