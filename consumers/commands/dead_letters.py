"""`catwalk dead-letters`: list, show and retry inputs that could not be read or placed."""

import base64
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path

import click
import msgspec
from eventsourcing.persistence import PersistenceError

from consumers.accounts.asker import account_options
from consumers.accounts.trail import asked, asker_options, trail, trail_if_any
from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.door import DoorSession
from consumers.gateway.gateway import Gateway, InputLine
from consumers.gateway.letter_records import Kept, Letter, one_line
from consumers.gateway.letters_read import letters_in
from consumers.gateway.retrying import try_again
from consumers.kafka.option import kafka_trouble, lacks_right
from consumers.kafka.topic_names import LETTERS
from consumers.logs.log import Log
from consumers.logs.opening import kafka_log
from consumers.record_place import DEAD_LETTERS, RecordOptions, gateway_at, place_options

_EXAMPLES = """\b
Examples:
  catwalk dead-letters list --data pit
  catwalk dead-letters list --from inputs.shoe-7 --data pit
  catwalk dead-letters show 17 --data pit
  catwalk dead-letters retry 17 --data pit
  catwalk dead-letters retry all --data pit
  catwalk dead-letters list --kafka cluster.toml --state /var/lib/catwalk
  catwalk dead-letters retry 3f0c2a9d77b1e654 --kafka cluster.toml --state /var/lib/catwalk

A gateway keeps its letters in a file beside its outbox. For a record in Kafka, the letters and their retries also go
to a topic, so every machine whose user may read it sees the letters of all machines. There, a letter has a name
instead of a number. A user who may not read the topic sees the letters of this machine.
"""


@click.group("dead-letters", epilog=_EXAMPLES)
def dead_letters_command() -> None:
    """Show and retry inputs that could not be read or placed, with their bytes, origin and reason."""


def _recorded(place: RecordOptions, *, with_bytes: bool) -> None:
    """Record the look in the access log; the bytes may show any card and any player."""
    with trail_if_any(place.data, place.kafka, place.state) as told:
        if told is not None:
            told.asks(asked(), *(("see-hidden-cards", "see-players") if with_bytes else ()))


@contextmanager
def _letters(place: RecordOptions, *, open_only: bool) -> Iterator[Iterable[Kept]]:
    """The dead letters of a record: those of the topic, if there is one and this user may read it."""
    with _trouble():
        if place.kafka is None:
            yield _here(place, open_only=open_only)
            return
        log = kafka_log(place.kafka, LETTERS)
        try:
            yield _of_topic(log, place, open_only=open_only)
        finally:
            log.close()


def _of_topic(log: Log, place: RecordOptions, *, open_only: bool) -> Iterable[Kept]:
    found = letters_in(log, open_only=open_only)
    try:
        first = next(found, None)
    except Exception as error:
        if not lacks_right(error) or not place.has_folder:
            raise
        click.echo("this user may not read the topic of dead letters; these are this machine's letters", err=True)
        return _here(place, open_only=open_only)
    return () if first is None else chain([first], found)


def _here(place: RecordOptions, *, open_only: bool) -> Iterator[Kept]:
    if place.kafka is None and (place.data is None or not (place.folder / DEAD_LETTERS).is_file()):
        place.log().close()  # there are no letters; raises an error if there is no record
        return
    letters = DeadLetters(place.folder / DEAD_LETTERS)
    try:
        yield from letters.all(open_only=open_only)
    finally:
        letters.close()


@contextmanager
def _trouble() -> Iterator[None]:
    """End the command with one sentence and status 2 if the topic cannot be read or written."""
    with kafka_trouble():
        try:
            yield
        except PersistenceError as error:
            raise LettersTroubleError(str(error)) from error


class LettersTroubleError(click.ClickException):
    """An error that ends the command with status 2."""

    exit_code = 2


@dead_letters_command.command("list", epilog="Example: catwalk dead-letters list --data pit --json")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each letter, with its bytes in base64.")
@click.option("--all", "with_retried", is_flag=True, help="Also letters that a retry accepted.")
@click.option("--from", "origin", metavar="TEXT", default="", help="Only letters whose origin has this text.")
@asker_options
@place_options
def list_command(
    *, as_json: bool, with_retried: bool, origin: str, data: Path | None, kafka: Path | None, state: Path | None
) -> None:
    """List the dead letters, oldest first."""
    place = RecordOptions(data, kafka, state)
    _recorded(place, with_bytes=as_json)
    with _letters(place, open_only=not with_retried) as letters:
        for kept in letters:
            if origin in kept.letter.came_from:
                click.echo(msgspec.json.encode(_object(kept)) if as_json else _row(kept, place))


@dead_letters_command.command("show", epilog="Example: catwalk dead-letters show 17 --data pit")
@click.argument("letter")
@asker_options
@place_options
def show_command(letter: str, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Show one dead letter, by its number or name, with its bytes."""
    place = RecordOptions(data, kafka, state)
    _recorded(place, with_bytes=True)
    with _letters(place, open_only=False) as letters:
        kept = _one(letters, letter, place)
    click.echo(_row(kept, place))
    if kept.size > len(kept.letter.stored):
        says = f"{len(kept.letter.stored):,} of {kept.size:,} bytes; the gateway that stored the letter has the rest:"
        click.echo(says, err=True)
    click.echo(one_line(kept.letter.stored.decode(errors="backslashreplace")))


_AT_ONCE = 50
_REASONS = 20  # most letters share a few reasons


@dead_letters_command.command("retry", epilog="Example: catwalk dead-letters retry all --data pit")
@click.argument("letter")
@click.option("--vouch", is_flag=True, help="Vouch for a letter of an unknown sender; requires the role device-admin.")
@account_options
@place_options
def retry_command(letter: str, *, vouch: bool, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Retry a dead letter, by its number or name, or all of them: `all`.

    The letter goes through this machine's gateway, even while it runs, like a line that a device sends again. A line
    from a file or pipe needs no proof beyond your running this command. The sender of any other letter, from the
    socket, the log or another machine, can no longer be proved, so the gateway takes it only if its source signed it or
    if you vouch for it. Vouch also for a letter that says what cannot be true at its table, and happened all the same.
    """
    place = RecordOptions(data, kafka, state)
    if vouch:
        with trail(place.folder) as told:
            told.asks(asked())
    tried, refused = 0, Counter[str]()
    with _letters(place, open_only=letter == "all") as letters, _trouble():
        chosen = letters if letter == "all" else [_one(letters, letter, place)]
        with gateway_at(place, "vouch" if vouch else "retry") as gateway:
            for batch in _batches(chosen):
                again = (
                    _at_work(gateway, place, batch)
                    if isinstance(gateway, DoorSession)
                    else _here_again(gateway, batch, vouch)
                )
                tried += len(batch)
                refused.update(f"{why.reason}: {why.says}" for why in again)
    click.echo(f"{tried - refused.total()} of {tried} letters are on record now", err=True)
    for reason, count in refused.most_common(_REASONS):
        click.echo(one_line(f"{count} refused again, {reason}"), err=True)
    if not vouch and any(reason.startswith("source-unproved:") for reason in refused):
        click.echo("If you know who sent such a letter, vouch for it: catwalk dead-letters retry --vouch", err=True)
    if refused:
        raise SystemExit(1)


def _batches(letters: Iterable[Kept]) -> Iterator[list[Letter]]:
    """The letters in small batches, so that devices are served in between and memory stays small."""
    told = iter(letters)
    while batch := [kept.letter for kept in islice(told, _AT_ONCE)]:
        yield batch


def _here_again(gateway: Gateway, batch: list[Letter], vouch: bool) -> list[Letter]:
    return [refused for refused in try_again(gateway, batch, vouch=vouch) if refused is not None]


def _at_work(gateway: DoorSession, place: RecordOptions, batch: list[Letter]) -> list[Letter]:
    """Send letters to the running gateway for a retry; return their results from the file that both share."""
    held = DeadLetters(place.folder / DEAD_LETTERS)
    try:
        held.adopt(batch)
        numbers = held.numbers(batch)
        gateway.take([InputLine("", at, b"%d" % number) for at, number in enumerate(numbers, gateway.next)])
        found = [held.get(number) for number in numbers]
        return [kept.letter for kept in found if kept is not None and kept.retried_at is None]
    finally:
        held.close()


def _one(letters: Iterable[Kept], named: str, place: RecordOptions) -> Kept:
    """The letter with this number, beside an embedded record, or with this name or its beginning."""
    numbered = place.kafka is None and named.isdecimal()
    found = [kept for kept in letters if (kept.number == int(named) if numbered else kept.name.startswith(named))]
    if len(found) == 1:
        return found[0]
    says = "the names of several letters begin with" if found else "there is no dead letter"
    raise click.ClickException(f"{says} {named}: catwalk dead-letters list shows the letters")


def _row(kept: Kept, place: RecordOptions) -> str:
    letter = kept.letter
    at = datetime.fromtimestamp(letter.at / 1_000_000, UTC).isoformat(timespec="seconds")
    again = "  taken later" if kept.retried_at else ""
    name = kept.number if place.kafka is None else kept.name
    return one_line(f"{name}  {at}  {letter.came_from}:{letter.place}  {letter.reason}: {letter.says}{again}")


def _object(kept: Kept) -> dict[str, object]:
    letter = kept.letter
    return {
        "number": kept.number,
        "name": kept.name,
        "at": letter.at,
        "came_from": letter.came_from,
        "place": letter.place,
        "reason": letter.reason,
        "says": letter.says,
        "size": kept.size,
        "bytes": base64.b64encode(letter.stored).decode(),
        "retried_at": kept.retried_at,
        "refused": letter.refused,
    }
