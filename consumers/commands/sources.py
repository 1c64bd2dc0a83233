"""`catwalk sources`: the sources of facts, what each may say into which streams, and how each proves its identity."""

import os
import pwd
import secrets
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from hashlib import sha256
from io import BufferedReader
from pathlib import Path
from typing import Any

import click
import msgspec

from consumers.accounts.asker import account_options
from consumers.accounts.trail import only_with_right
from consumers.gateway.standing import Registers, read
from consumers.kafka.topic_names import BadSourceError, check_source
from consumers.logs.opening import unread_log
from consumers.record_place import RecordOptions, now, place_options
from consumers.recording import put_on_record
from domain.facts.codec import UnreadableFactError, decode, encode
from domain.facts.envelope import Fact
from domain.facts.sources import SourceRegistered, SourceRevoked
from domain.facts.streams import PROPERTY
from domain.ledger.admission import GATEWAY
from domain.ledger.ed25519 import is_key
from domain.ledger.rights import RIGHTS, unknown
from domain.ledger.source_register import EVERY_TABLE, Terms, signed_words

SOURCE = "sources"
_EXAMPLES = """\b
Examples:
  catwalk sources register T7-reader --table T7 --may play --user catwalk-t7 --data pit
  catwalk sources register office --property --every-table --may openings --may property --secret-out office.secret
  catwalk sources register T7-shoe --table T7 --may deal --may shuffles --public-key 3f0c…
  catwalk sources register T8-shoe --table T8 --may play --topic
  catwalk sources list --data pit
  catwalk sources revoke T7-reader --reason "stolen" --data pit

A source is what a fact names in `source`. A gateway's socket accepts facts only from registered sources. From the
first registered source on, the same holds for a file given to catwalk ingest.
"""
_REGISTER = """\b
Rights, each some types of fact (docs/facts); a single type by its name, such as card-dealt, is one as well:
  play          all that happens at an open table, that is:
                table players decks shuffles wagers deal decisions payments devices table-money observations
  openings      a table's or the property's day opened and closed
  corrections   what an earlier fact should have said
  property      decks in the vault, licensed people, devices, software, options approved
No source can have the right to facts about keys and sources: catwalk keys and catwalk sources record them.

\b
A source proves who it is in one way:
  --user        it runs under this account of the gateway's machine; the operating system vouches for it
  --secret-out  it says {"source": NAME, "secret": …} first on each connection; the secret goes into this
                file, and its SHA-256 on record
  --public-key  it signs each of its lines (docs/operations.md); its signature stays with each fact
  --topic       it alone may write to its topic of inputs in Kafka (docs/kafka.md), and the brokers vouch for it; with
                --public-key, it writes there and signs its lines as well

If you register a source again, its new terms apply from then on. The property's day must be open.
"""


@click.group("sources", epilog=_EXAMPLES)
def sources_command() -> None:
    """Register, list and revoke sources: who may say which facts."""


@sources_command.command("register", epilog=_REGISTER)
@click.argument("name")
@click.option("--table", "tables", multiple=True, metavar="TABLE", help="A table it may report on; repeat for more.")
@click.option("--every-table", is_flag=True, help="It may report on every table.")
@click.option("--property", "of_property", is_flag=True, help="It may report on the property.")
@click.option("--may", multiple=True, required=True, metavar="RIGHT", help="A right; repeat for more.")
@click.option("--user", metavar="NAME|ID", help="The account it runs under on the gateway's machine.")
@click.option(
    "--secret-out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A new file for its generated secret.",
)
@click.option("--public-key", metavar="HEX", help="The Ed25519 key it signs its lines with, 64 letters of hex.")
@click.option("--topic", is_flag=True, help="It writes to its own topic of inputs in Kafka.")
@account_options
@place_options
def register_command(
    *,
    name: str,
    tables: Sequence[str],
    every_table: bool,
    of_property: bool,
    may: Sequence[str],
    user: str | None,
    secret_out: Path | None,
    public_key: str | None,
    topic: bool,
    data: Path | None,
    kafka: Path | None,
    state: Path | None,
) -> None:
    """Register the source NAME: what it may say, of which streams, and how it proves who it is."""
    streams = (*tables, *([EVERY_TABLE] if every_table else ()), *([PROPERTY] if of_property else ()))
    if not streams:
        raise click.UsageError("the source's streams are missing: give --table, --every-table or --property.")
    if name in (GATEWAY, "keys", SOURCE):
        raise click.BadParameter(f"{name!r} is reserved for a part of Catwalk: choose another name", param_hint="NAME")
    if wrong := unknown(may):
        says = f"{wrong[0]!r} is not a right: use {', '.join(RIGHTS)}, or a type of fact such as card-dealt"
        raise click.BadParameter(says, param_hint="--may")
    if sum((user is not None, secret_out is not None, public_key is not None or topic)) != 1:
        says = "give one of --user, --secret-out, --public-key and --topic, or the last two together"
        raise click.UsageError(f"the proof of identity is missing: {says}.")
    if topic:
        _require_topic(name)
    proof: dict[str, Any] = {"user_id": _user_id(user), "public_key": _key(public_key), "topic": topic}
    place = RecordOptions(data, kafka, state)
    only_with_right(place.folder)
    if secret_out is not None:
        proof["secret"] = sha256(_new_secret(secret_out).encode()).hexdigest()
    with ExitStack() as undone:
        if secret_out is not None:
            undone.callback(secret_out.unlink)  # an unregistered secret is useless
        _register_as(place, name, streams, tuple(may), proof)
        undone.pop_all()


def _register_as(
    place: RecordOptions, name: str, streams: tuple[str, ...], may: tuple[str, ...], proof: dict[str, Any]
) -> None:
    at = now()
    key = f"registered:{name}:{at}"
    told = SourceRegistered(name, streams, may, at=at, source=SOURCE, source_key=key, stream=PROPERTY, **proof)
    _record(place, told)


def _require_topic(name: str) -> None:
    try:
        check_source(name)
    except BadSourceError as error:
        raise click.BadParameter(f"{error}. Its topic has its name", param_hint="NAME") from error


def _user_id(user: str | None) -> int | None:
    if user is None or user.isdecimal():
        return None if user is None else int(user)
    try:
        return pwd.getpwnam(user).pw_uid
    except KeyError as error:
        raise click.BadParameter(f"this machine has no account {user!r}", param_hint="--user") from error


def _key(public_key: str | None) -> str:
    if public_key is None:
        return ""
    try:
        raw = bytes.fromhex(public_key)
    except ValueError:
        raw = b""
    if len(raw) != 32:
        says = "an Ed25519 public key is 32 bytes, 64 letters of hex"
        raise click.BadParameter(says, param_hint="--public-key")
    if not is_key(raw):
        says = "this is not an Ed25519 key, or one whose signatures fit many texts"
        raise click.BadParameter(f"{says}: make one with openssl genpkey -algorithm ed25519", param_hint="--public-key")
    return raw.hex()


def _new_secret(file: Path) -> str:
    secret = secrets.token_urlsafe(32)
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        says = f"{file} cannot be created: {error.strerror or error}"
        raise click.BadParameter(says, param_hint="--secret-out") from error
    with os.fdopen(descriptor, "w", encoding="ascii") as written:
        written.write(f"{secret}\n")
    return secret


@sources_command.command("revoke", epilog='Example: catwalk sources revoke T7-reader --reason "stolen" --data pit')
@click.argument("name")
@click.option("--reason", required=True, help="The reason, in a few words; it is recorded.")
@account_options
@place_options
def revoke_command(*, name: str, reason: str, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Take all rights from the source NAME, from now on."""
    place = RecordOptions(data, kafka, state)
    only_with_right(place.folder)
    if not reason.strip():
        raise click.BadParameter("give the reason in a few words; it is recorded", param_hint="--reason")
    if name not in _register(place).sources.sources:
        says = f"no source {name!r} is registered; catwalk sources list shows the sources"
        raise click.BadParameter(says, param_hint="NAME")
    at = now()
    key = f"revoked:{name}:{at}"
    _record(place, SourceRevoked(name, reason.strip(), at=at, source=SOURCE, source_key=key, stream=PROPERTY))


def _record(place: RecordOptions, fact: Fact) -> None:
    put_on_record(place, [fact], SOURCE)
    click.echo(encode(fact))


@sources_command.command("list", epilog="Example: catwalk sources list --data pit --json")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each source.")
@account_options
@place_options
def list_command(*, as_json: bool, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """List the sources on record: what each may say, of which streams, and how it proves who it is."""
    place = RecordOptions(data, kafka, state)
    if place.has_folder:
        only_with_right(place.folder)
    standing = _register(place)
    for name in sorted(standing.sources.sources):
        terms = standing.sources.now(name)
        if terms is not None:
            click.echo(msgspec.json.encode(_object(name, terms)) if as_json else _row(name, terms))
    if not standing.sources.sources:
        click.echo("no source is registered: a gateway's socket takes no lines, and catwalk ingest takes all", err=True)
    if standing.bounds.behind is None or standing.bounds.ahead is None:
        says = "the property's opening sets no limit on the difference between a fact's time and the gateway's clock"
        click.echo(f"{says} (behind_seconds, ahead_seconds)", err=True)


def _register(place: RecordOptions) -> Registers:
    with unread_log(), closing(place.log()) as log:
        return read(log)


def _object(name: str, terms: Terms) -> dict[str, object]:
    return {
        "source": name,
        "state": "revoked" if terms.revoked else "registered",
        "streams": sorted(terms.streams),
        "may": list(terms.words),
        "proves": _proof(terms),
        "since": terms.since,
        "reason": terms.reason,
    }


def _proof(terms: Terms) -> str:
    if terms.public_key:
        return "public key" + (", from its topic" if terms.topic else "")
    if terms.topic:
        return "topic"
    return "secret" if terms.secret else "" if terms.user_id is None else f"user id {terms.user_id}"


def _row(name: str, terms: Terms) -> str:
    if terms.revoked:
        return f"{name}  revoked  ({terms.reason})"
    return f"{name}  {' '.join(sorted(terms.streams))}  may {' '.join(terms.words)}  by {_proof(terms)}"


@sources_command.command("words", epilog="Example: catwalk sources words line.json | xxd")
@click.argument("file", type=click.File("rb"), default="-")
def words_command(file: BufferedReader) -> None:
    """Print the bytes that a source signs for the one fact in FILE, without a line end."""
    try:
        fact = decode(file.read().strip())
    except UnreadableFactError as error:
        raise click.ClickException(f"{file.name} is not a fact: {error}") from error
    sys.stdout.buffer.write(signed_words(fact))
