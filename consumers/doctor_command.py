"""`catwalk doctor`: the whole record read again and proved."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import click
import msgspec

from consumers.gateway.keys import verify
from consumers.gateway.outbox import heads
from consumers.logs.log import Log
from consumers.record_place import OUTBOX, Place, moment, place_options
from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY
from domain.ledger.audit import HARMLESS, Audit, Found
from domain.ledger.seals import KeyRegister, evolve

_MARK = f'"stream":"{PROPERTY}/'.encode()
_EXAMPLES = """\b
Examples:
  catwalk doctor --data pit
  catwalk doctor --data pit --json
  catwalk doctor --kafka cluster.toml --state /var/lib/catwalk
  catwalk doctor --data pit --as-of 2026-11-18T21:30:00Z

Reads every fact, proves sequence, hashes, seals and the links between days, and names each trouble with its
stream, sequence and place in the log. --as-of also asks which open streams have been silent since then.

\b
Exit status: 0 whole; 1 silent streams only; 3 seals that do not hold; 4 facts that no seal covers (with
--sealed); 5 records missing, changed, forked or unreadable; 2 usage. Of several the highest but 2.
"""


class Silent(msgspec.Struct, frozen=True):
    """An open stream that has said nothing."""

    kind: str
    stream: str
    sequence: int
    where: str
    says: str


_SEAL, _UNSEALED, _DAMAGE, _SILENT = 3, 4, 5, 1


@click.command("doctor", epilog=_EXAMPLES)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON a trouble.")
@click.option("--sealed", is_flag=True, help="Facts that no seal covers are trouble too.")
@click.option(
    "--as-of", metavar="TIME", help="A moment: open streams without a fact for a minute before it are silent."
)
@place_options
def doctor_command(
    *, as_json: bool, sealed: bool, as_of: str | None, data: Path | None, kafka: Path | None, state: Path | None
) -> None:
    """Prove the record: re-read everything and name whatever is not as it was written."""
    place = Place(data, kafka, state)
    asked = moment(as_of, "--as-of") if as_of else None
    log = place.log()
    try:
        audit = Audit(_register(log), verify)
        status = 0
        for found in _troubles(log, audit, _heads(place)):
            status = max(status, _status(found, sealed=sealed))
            _say(found, as_json=as_json)
        for silent in _silent(audit, asked) if asked is not None else ():
            status = max(status, _SILENT)
            _say(silent, as_json=as_json)
    finally:
        log.close()
    verdict = "whole" if status == 0 else "not as it was written" if status == _DAMAGE else "to be looked at"
    click.echo(f"{audit.read} records in {audit.begun} streams: {verdict}", err=True)
    if status:
        raise SystemExit(status)


def _register(log: Log) -> KeyRegister:
    """The property's keys, read before everything they sealed."""
    register = KeyRegister()
    told: list[Fact] = []
    for batch in log.drain({}):
        for _, stored in batch.facts:
            if _MARK in stored:
                try:
                    told.append(decode(stored))
                except UnreadableFactError:
                    continue  # the audit itself names it
    for fact in sorted(told, key=lambda fact: (fact.stream, fact.sequence)):
        register = evolve(register, fact)
    return register


def _heads(place: Place) -> dict[str, tuple[int, str]]:
    """What the gateway here knows it wrote, where its outbox is at hand."""
    try:
        path = place.folder / OUTBOX
    except click.UsageError:
        return {}
    return heads(path) if path.exists() else {}


def _troubles(log: Log, audit: Audit, heads: dict[str, tuple[int, str]]) -> Iterator[Found]:
    for batch in log.drain({}):
        for position, stored in batch.facts:
            yield from audit.take(stored, f"{log.name}/{batch.partition}:{position}")
    yield from audit.finish(heads)


def _status(found: Found, *, sealed: bool) -> int:
    if found.kind == "unsealed":
        return _UNSEALED if sealed else 0
    if found.kind in HARMLESS:
        return 0
    return _SEAL if found.kind == "seal-bad" else _DAMAGE


def _say(found: Found | Silent, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(found))
    else:
        at = f" at {found.where}" if found.where else ""
        click.echo(f"{found.kind}: {found.stream or 'no stream'} record {found.sequence}{at}: {found.says}")


_PATIENCE = 60_000_000  # microseconds


def _silent(audit: Audit, asked: int) -> Iterator[Silent]:
    for name, reading in sorted(audit.streams.items()):
        quiet = asked - reading.last_at
        if not reading.closed and quiet > _PATIENCE:
            says = f"open, and silent for {timedelta(seconds=quiet // 1_000_000)}"
            yield Silent("silent", name, reading.chain.sequence, reading.where, says)
