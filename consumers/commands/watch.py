"""`catwalk watch`: follow a record, verify it as it grows, and write findings."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from importlib import import_module
from pathlib import Path
from threading import Event
from time import monotonic

import click
import msgspec
from eventsourcing.persistence import PersistenceError

from consumers.accounts.trail import asked, asker_options, trail_if_any
from consumers.ending import until_ended
from consumers.gateway.keys import KeyTroubleError
from consumers.kafka.option import kafka_trouble
from consumers.kafka.settings import read_settings
from consumers.kafka.topic_names import LETTERS
from consumers.logs.log import Batch, Log
from consumers.logs.opening import findings_log
from consumers.record_place import RecordOptions, place_options
from consumers.watching.letters import kept
from consumers.watching.sealing import signer_of
from consumers.watching.shown import as_line, as_object
from consumers.watching.tables_watcher import TablesWatcher, Turns
from consumers.watching.watcher import Watcher
from domain.watch.finding import Finding

_EXAMPLES = """\b
Examples:
  catwalk watch --data pit
  catwalk watch --data pit --once --json
  catwalk watch --kafka cluster.toml --state /var/lib/catwalk/watch

Findings go to their own log, under the name of the stream they are about, with marks of how far it is verified.
Findings from comparing two tables go to a stream of those two, T1+T2. After a crash, the watcher resumes from the
last mark, on any machine, and writes nothing twice. Several watchers on one Kafka cluster share the tables by Kafka's
group protocol, and one of them always compares tables; with --once, one watcher does everything. Records that are not
facts are kept as dead letters, for a record in Kafka first in the folder of --state. If there is a watcher's key
(catwalk keys make watcher NAME), it seals every mark, in a separate stream, as long as it is registered on record and
not revoked. Give all watchers of a record the same key.

\b
Exit status: 0 ended by Ctrl-C or SIGTERM, or with --once nothing new to review; 1 with --once, findings; 2 usage
error, or a log that could not be read or written.
"""


@click.command("watch", epilog=_EXAMPLES)
@click.option("--once", is_flag=True, help="Verify the record so far and end.")
@click.option("--json", "as_json", is_flag=True, help="Print findings as JSON Lines instead of lines for people.")
@click.option("--quiet", is_flag=True, help="Do not print findings; only write them to their log.")
@asker_options
@place_options
def watch_command(
    *, once: bool, as_json: bool, quiet: bool, data: Path | None, kafka: Path | None, state: Path | None
) -> None:
    """Follow a record, verify every round as it ends, and write findings to their log."""
    found = 0

    def heard(finding: Finding) -> None:
        nonlocal found
        found += 1
        if not quiet:
            click.echo(msgspec.json.encode(as_object(finding)) if as_json else as_line(finding))

    place = RecordOptions(data, kafka, _state_of(data, kafka, state))
    with _trouble(), ExitStack() as opened:
        facts = opened.enter_context(closing(place.log(also=(LETTERS,))))
        findings = opened.enter_context(closing(findings_log(data=data, kafka=kafka)))
        if not quiet:
            _looks(data, kafka, state)
        unusable = kept({facts.name: facts, findings.name: findings}, opened, place)
        sign = signer_of(place.keys(), facts)
        watcher = Watcher(facts, findings, unusable, heard, sign)

        def across() -> TablesWatcher:
            return TablesWatcher(facts, findings, unusable, heard, sign)

        stop = opened.enter_context(until_ended())
        if once:
            _through(watcher, facts, stop)
            across().read_on()
        elif kafka is not None:
            group = import_module("consumers.watching.group")
            group.GroupWatch(read_settings(kafka), facts, watcher, Turns(across)).run(stop, _told(facts))
        else:
            _follow(watcher, across(), facts, stop)
        click.echo(f"{watcher.read()} facts read, {found} findings raised or revised", err=True)
    if once and found:
        raise SystemExit(1)


def _looks(data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Record in the access log that findings are shown."""
    with trail_if_any(data, kafka, state) as told:
        if told is not None:
            told.asks(asked())


def _state_of(data: Path | None, kafka: Path | None, state: Path | None) -> Path | None:
    """The folder where a Kafka record's dead letters wait for their topic, unless `state` names one."""
    if state is not None or kafka is None or data is not None:
        return state
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(home) / "catwalk/watch"


def _told(facts: Log) -> Callable[[Iterable[int]], None]:
    def told(ours: Iterable[int]) -> None:
        shown = ", ".join(map(str, sorted(ours))) or "none"
        click.echo(f"watching {facts.name}: of {len(facts.partitions)} partitions {shown}", err=True)

    return told


def _through(watcher: Watcher, facts: Log, stop: Event) -> None:
    after = {partition: watcher.begin(partition) for partition in facts.partitions}
    while not _read(watcher, facts.drain(after), after) and not stop.is_set():
        pass


def _follow(watcher: Watcher, tables: TablesWatcher, facts: Log, stop: Event) -> None:
    after = {partition: watcher.begin(partition) for partition in facts.partitions}
    _told(facts)(facts.partitions)
    tables.read_on()
    while not stop.is_set():
        _read(watcher, facts.follow(after, stop), after, tables)


def _read(
    watcher: Watcher, batches: Iterator[Batch], after: dict[int, int], tables: TablesWatcher | None = None
) -> bool:
    """Process batch after batch; return False if a partition must be read again from another position."""
    told = monotonic()
    for batch in batches:
        again = watcher.take(batch.partition, batch.facts)
        after[batch.partition] = batch.facts[-1][0] if again is None else again
        if again is not None:
            return False
        if tables is not None:
            tables.read_on()
        if sys.stderr.isatty() and monotonic() - told > 1:
            told = monotonic()
            click.echo(f"\r{watcher.read()} facts", nl=False, err=True)
    return True


@contextmanager
def _trouble() -> Iterator[None]:
    """End the command with one sentence if a log cannot be read or written."""
    with kafka_trouble():
        try:
            yield
        except KeyTroubleError as error:
            raise WatchStoppedError(f"the watcher's key cannot seal: {error}") from error
        except PersistenceError as error:
            raise WatchStoppedError(f"{error}. Findings so far stay; the next watcher resumes there.") from error


class WatchStoppedError(click.ClickException):
    """An error that ends the command with status 2."""

    exit_code = 2
