"""`catwalk keys`: make, rotate, revoke and list the gateway's keys, which seal the tables' records."""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from consumers.accounts.asker import account_options
from consumers.accounts.trail import only_with_right
from consumers.gateway.keys import KeyTroubleError, NewKey
from consumers.gateway.standing import read as standing_in
from consumers.logs.opening import unread_log
from consumers.record_place import KEYS, RecordOptions, moment, now, place_options
from consumers.recording import put_on_record
from consumers.trust.keys import OWNER as CHECKPOINT
from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRegistered, KeyRevoked, KeyRotated
from domain.facts.streams import PROPERTY, BadStreamError, owner, stream
from domain.ledger.seals import SealKey, Since

SOURCE = "keys"
_EXAMPLES = """\b
Examples:
  export CATWALK_KEY_PASSPHRASE_FILE=/etc/catwalk/passphrase
  catwalk keys make T7 T7-2026 --data pit
  catwalk keys rotate T7 T7-2027 --data pit
  catwalk keys revoke T7-2026 --reason "gateway stolen" --data pit
  catwalk keys list --data pit

make, rotate and revoke record their facts themselves, through the gateway if one is running, and print them. This is
the only way: a fact about a key from a socket or a file is refused. Key files are sealed with the passphrase. A key
whose registration is not on record seals nothing.
"""
_MAKE = """\b
Example:
  catwalk keys make T7 T7-2026 --data pit

The property's day must be open. If it is not, open it and run the same command again. A key that exists is not made
again.
"""
_ROTATE = """\b
Examples:
  catwalk keys rotate T7 T7-2027 --data pit
  catwalk keys rotate T7 T7-2027 --from-record T7/2027-01-01:1 --data pit

The command adds two facts to the property's stream: the new key's registration and the old key's rotation. Without
--from or --from-record, the new key seals from the table's next record on. Earlier seals of the old key stay valid; a
--from before its last seals makes those invalid. Repeating the command changes nothing.
"""
_REVOKE = """\b
Examples:
  catwalk keys revoke T7-2026 --reason "gateway stolen" --data pit
  catwalk keys revoke T7-2026 --reason "gateway stolen" --from 2026-11-18T19:00:00Z --data pit
  catwalk keys revoke T7-2026 --reason "gateway stolen" --from-record T7/2026-11-18:412 --data pit

doctor reports every seal that the key made from that point on. Sources state their own times, so a person with a
stolen key can state an earlier one; a record's place cannot be faked. So name the record if you know it. If the key
is on this machine, it stops sealing: rotate it to continue. A key that is neither on this machine nor on record is
refused.
"""
_LIST = """\b
Examples:
  catwalk keys list --data pit
  catwalk keys list --kafka cluster.toml --state /var/lib/catwalk --json
"""
_RECORD = re.compile(r"(?P<stream>.+):(?P<sequence>[1-9]\d{0,11})")


@click.group("keys", epilog=_EXAMPLES)
def keys_command() -> None:
    """Make, rotate, revoke and list the keys that seal, one for each table."""


_FROM = click.option("--from", "valid_from", metavar="TIME", help="Valid from this time; default: now.")
_FROM_RECORD = click.option(
    "--from-record", metavar="STREAM:SEQUENCE", help="From this record of the table on, regardless of times."
)


def _since(valid_from: str | None, from_record: str | None = None) -> Since:
    at = moment(valid_from, "--from") if valid_from else now()
    if from_record is None:
        return Since(at)
    if valid_from:
        raise click.UsageError("--from and --from-record exclude each other: give one of them.")
    found = _RECORD.fullmatch(from_record)
    try:
        named = str(stream(found["stream"])) if found else ""
    except BadStreamError as error:
        raise click.BadParameter(str(error), param_hint="--from-record") from error
    if found is None:
        raise click.BadParameter(f"{from_record!r}: write it like T7/2026-11-18:412", param_hint="--from-record")
    return Since(at, named, int(found["sequence"]))


@contextmanager
def _key_trouble() -> Iterator[None]:
    try:
        yield
    except KeyTroubleError as error:
        raise click.ClickException(str(error)) from error


@keys_command.command("make", epilog=_MAKE)
@click.argument("table")
@click.argument("name")
@_FROM
@account_options
@place_options
def make_command(
    *, table: str, name: str, valid_from: str | None, data: Path | None, kafka: Path | None, state: Path | None
) -> None:
    """Make a key for TABLE called NAME and record its registration.

    TABLE may be `property`, or `watcher` for the key that seals findings.
    """
    place = RecordOptions(data, kafka, state)
    only_with_right(place.folder)
    with _key_trouble():
        since = _since(valid_from)
        _not_yet_told(place, name, since)
        made = place.keys().make(table, name, since)
    _record(place, [registered(made)])


@keys_command.command("rotate", epilog=_ROTATE)
@click.argument("table")
@click.argument("name", metavar="NEW-NAME")
@_FROM
@_FROM_RECORD
@account_options
@place_options
def rotate_command(
    *,
    table: str,
    name: str,
    valid_from: str | None,
    from_record: str | None,
    data: Path | None,
    kafka: Path | None,
    state: Path | None,
) -> None:
    """Replace TABLE's key with the new key NAME, and record the change."""
    since = _since(valid_from, from_record)
    if since.stream and stream(since.stream).owner != table:
        raise click.BadParameter(f"{since.stream} is not a stream of {table}", param_hint="--from-record")
    place = RecordOptions(data, kafka, state)
    only_with_right(place.folder)
    with _key_trouble():
        _not_yet_told(place, name, since)
        made = place.keys().rotate(table, name, since)
    rotated = _fact(KeyRotated, made.since, f"rotated:{made.before}", old=made.before, new=made.name)
    _record(place, [registered(made), rotated])


def _in_words(_: click.Context, __: click.Parameter, text: str) -> str:
    if not text.strip():
        raise click.BadParameter("give the reason in a few words; it is recorded")
    return text.strip()


@keys_command.command("revoke", epilog=_REVOKE)
@click.argument("key")
@click.option("--reason", required=True, callback=_in_words, help="The reason, in a few words; it is recorded.")
@_FROM
@_FROM_RECORD
@account_options
@place_options
def revoke_command(
    *,
    key: str,
    reason: str,
    valid_from: str | None,
    from_record: str | None,
    data: Path | None,
    kafka: Path | None,
    state: Path | None,
) -> None:
    """Stop KEY from sealing, and record from when on it is not trusted."""
    since, asked, place = _since(valid_from, from_record), now(), RecordOptions(data, kafka, state)
    only_with_right(place.folder)
    with _key_trouble():
        _known(place, key, since)
        here = place.keys().revoke(key, since)
    told = _fact(
        KeyRevoked,
        msgspec.structs.replace(since, at=asked),
        f"revoked:{key}:{asked}",
        key=key,
        reason=reason,
        from_at=since.at if valid_from else None,
    )
    _record(place, [told])
    if not here:
        click.echo(f"{key} is not stored on this machine; its holder can still sign with it", err=True)


def _not_yet_told(place: RecordOptions, name: str, since: Since) -> None:
    """Refuse to make a key without a record; a key made earlier but not registered is valid from now on."""
    if not place.is_begun:
        says = f"there is no record in {place.folder}: record the property's opening there first, with catwalk ingest"
        raise click.ClickException(f"{says}. No key was made.")
    if place.keys().lives_here(name):
        with unread_log(), closing(place.log()) as log:
            if name not in standing_in(log).keys.keys:
                place.keys().put_off(name, since)


def _record(place: RecordOptions, facts: list[Fact]) -> None:
    """Record facts and print them."""
    put_on_record(place, facts, SOURCE)
    for fact in facts:
        click.echo(encode(fact))


def _known(place: RecordOptions, key: str, since: Since) -> None:
    """Refuse a revocation that cannot be meant: of an unknown key, or from a record of another table.

    A key on this machine is revoked even if the record cannot be read, because a revocation is urgent.
    """
    if place.keys().lives_here(key) and not place.has_record:
        return
    with unread_log(), closing(place.log()) as log:
        keys = standing_in(log).keys.keys
    known = keys.get(key)
    if known is not None:
        if since.stream and owner(since.stream) != known.table:
            says = f"{since.stream} is not a stream of {known.table}, which {key} seals"
            raise click.BadParameter(says, param_hint="--from-record")
    elif place.keys().lives_here(key):
        click.echo(
            f"{key} is not registered yet: run catwalk keys make or rotate for it again, then this command.",
            err=True,
        )
    else:
        says = f"there is no key {key!r}, neither on record nor in {place.folder / KEYS}"
        raise click.BadParameter(f"{says}: catwalk keys list shows the keys.", param_hint="KEY")


def registered(made: NewKey) -> Fact:
    """The fact that registers a key with the property."""
    return _fact(
        KeyRegistered, made.since, f"key:{made.name}", key=made.name, public_key=made.public_key, table=made.table
    )


def _fact(kind: type[Fact], since: Since, source_key: str, **fields: Any) -> Fact:
    """A fact of the property that takes effect at `since`."""
    place: dict[str, Any] = {"from_stream": since.stream, "from_sequence": since.sequence}
    return kind(at=since.at, source=SOURCE, source_key=source_key, stream=PROPERTY, **place, **fields)


@keys_command.command("list", epilog=_LIST)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each key.")
@click.option("--as-of", metavar="TIME", help="Show the state at this time; default: now.")
@account_options
@place_options
def list_command(
    *, as_json: bool, as_of: str | None, data: Path | None, kafka: Path | None, state: Path | None
) -> None:
    """List the registered keys: their tables, periods and states."""
    place = RecordOptions(data, kafka, state)
    asked = moment(as_of, "--as-of") if as_of else now()
    if place.has_folder:
        only_with_right(place.folder)
    with unread_log(), closing(place.log()) as log:
        register = standing_in(log).keys
    with _key_trouble():
        held = place.keys().held() if place.has_folder else []
    lives_here = {name for _, name in held}
    for key in sorted(register.keys.values(), key=lambda key: (key.table, key.since.at, key.key)):
        here = key.key in lives_here
        if as_json:
            click.echo(msgspec.json.encode({**msgspec.to_builtins(key), "state": _state(key, asked), "here": here}))
        else:
            click.echo(_row(key, _state(key, asked), here=here))
    for table, name in held:
        if name not in register.keys and table != CHECKPOINT:
            again = "make" if name == next(first for of, first in held if of == table) else "rotate"
            says = f"{name}, a key of {table}, is stored here but not registered, so it seals nothing"
            click.echo(f"{says}. Register it with catwalk keys {again} {table} {name}.", err=True)


def _state(key: SealKey, at: int) -> str:
    """A key's state at a moment. A named record counts as reached, because the fact that names it is recorded."""

    def begun(since: Since) -> bool:
        return bool(since.stream) or since.at <= at

    if any(begun(since) for since in key.revoked):
        return "revoked"
    if any(begun(since) for since in key.ends):
        return "replaced" if key.successor else "expired"
    return "valid" if begun(key.since) else "not yet valid"


def _row(key: SealKey, state: str, *, here: bool) -> str:
    parts = [f"{key.table}  {key.key}  {state}", f"from {_told(key.since)}"]
    parts += [f"until {_told(since)}" for since in key.ends]
    parts += [f"replaced by {key.successor}"] if key.successor else []
    parts += [f"revoked from {_told(since)}" for since in key.revoked]
    parts += [f"({key.reason})"] if key.reason else []
    return "  ".join([*parts, *(["stored here"] if here else [])])


def _told(since: Since) -> str:
    if since.stream:
        return f"{since.stream}:{since.sequence}"
    return datetime.fromtimestamp(since.at / 1_000_000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
