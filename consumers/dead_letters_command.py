"""`catwalk dead-letters`: what could not be read or placed, listed, shown and tried again."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from consumers.gateway.dead_letters import DeadLetters, Kept
from consumers.gateway.gateway import Line
from consumers.record_place import Place, now, open_gateway, place_options

_EXAMPLES = """\b
Examples:
  catwalk dead-letters list --data pit
  catwalk dead-letters show 17 --data pit
  catwalk dead-letters retry 17 --data pit
  catwalk dead-letters retry all --data pit
"""


@click.group("dead-letters", epilog=_EXAMPLES)
def dead_letters_command() -> None:
    """What could not be read as a fact or had no place: kept with its bytes, where it came from and why."""


@contextmanager
def _letters(place: Place) -> Iterator[DeadLetters]:
    letters = place.dead_letters()
    try:
        yield letters
    finally:
        letters.close()


@dead_letters_command.command("list", epilog="Example: catwalk dead-letters list --data pit --json")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON a letter, its bytes in base64.")
@click.option("--all", "with_retried", is_flag=True, help="Also letters that were taken on a later try.")
@place_options
def list_command(
    *, as_json: bool, with_retried: bool, data: Path | None, kafka: Path | None, state: Path | None
) -> None:
    """List the dead letters, oldest first."""
    with _letters(Place(data, kafka, state)) as letters:
        for kept in letters.all(open_only=not with_retried):
            click.echo(msgspec.json.encode(_object(kept)) if as_json else _row(kept))


@dead_letters_command.command("show", epilog="Example: catwalk dead-letters show 17 --data pit")
@click.argument("number", type=int)
@place_options
def show_command(number: int, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Show one dead letter with its bytes."""
    with _letters(Place(data, kafka, state)) as letters:
        kept = _one(letters, number)
        click.echo(_row(kept))
        click.echo(kept.letter.stored.decode(errors="backslashreplace"))


@dead_letters_command.command("retry", epilog="Example: catwalk dead-letters retry all --data pit")
@click.argument("number")
@place_options
def retry_command(number: str, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Try a dead letter again, or all of them: NUMBER, or `all`."""
    with open_gateway(Place(data, kafka, state)) as gateway:
        if number != "all" and not number.isdecimal():
            raise click.BadParameter(f"{number!r} is neither a letter's number nor all", param_hint="NUMBER")
        chosen = list(gateway.dead.all(open_only=True)) if number == "all" else [_one(gateway.dead, int(number))]
        taken = 0
        for kept in chosen:
            dead_before = gateway.report.dead
            gateway.take([Line(kept.letter.came_from, kept.letter.place, kept.letter.stored)])
            if gateway.report.dead == dead_before:
                gateway.dead.mark_retried(kept.number, now())
                taken += 1
    click.echo(f"{taken} of {len(chosen)} are on record now", err=True)
    if taken < len(chosen):
        raise SystemExit(1)


def _one(letters: DeadLetters, number: int) -> Kept:
    kept = letters.get(number)
    if kept is None:
        raise click.ClickException(f"there is no dead letter {number}: catwalk dead-letters list shows those there are")
    return kept


def _row(kept: Kept) -> str:
    letter = kept.letter
    at = datetime.fromtimestamp(letter.at / 1_000_000, UTC).isoformat(timespec="seconds")
    again = "  taken later" if kept.retried_at else ""
    return f"{kept.number}  {at}  {letter.came_from}:{letter.place}  {letter.reason}: {letter.says}{again}"


def _object(kept: Kept) -> dict[str, object]:
    letter = kept.letter
    return {
        "number": kept.number,
        "at": letter.at,
        "came_from": letter.came_from,
        "place": letter.place,
        "reason": letter.reason,
        "says": letter.says,
        "bytes": base64.b64encode(letter.stored).decode(),
        "retried_at": kept.retried_at,
    }
