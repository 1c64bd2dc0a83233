"""`catwalk reconstruct`: a hand rebuilt from the record, found by number, time or player."""

from pathlib import Path

import click
import msgspec

from consumers.accounts.trail import asked, asker_options, desk_folder, trail
from consumers.logs.log import Log
from consumers.logs.opening import open_log
from consumers.record_place import place_options
from consumers.room.hands import HandView, is_live, seen
from consumers.watching import finding_hands as hands
from consumers.watching.hand_page import page
from consumers.watching.hand_text import as_object, text
from consumers.watching.saying_when import gaming_day, moment_of, names_a_date, zone_of_day
from consumers.watching.two_tables import NobodyWatchedError, of_two_tables
from domain.desk.roles import Person
from domain.table.round import RoundInPlay
from domain.watch.finding import Finding
from domain.watch.verifier import Verifier

_EXAMPLES = """\b
Examples:
  catwalk reconstruct T7 --round 12 --data pit
  catwalk reconstruct T7 --at 21:10 --data pit
  catwalk reconstruct T7 --day 2026-11-18 --at 2026-11-18T21:10:00-05:00 --html --data pit > hand.html
  catwalk reconstruct T7 --player p-1007 --json --data pit

Shows the hand step by step, with cards, wagers and decisions, the amounts paid and owed, the clauses, and the
findings of the round, of the table around it and, if a watcher has run, of two tables. --at takes a time of day in
the table's own zone, or a time with its zone, and finds the round in play then, or the nearest within ten minutes.
Without --day, it is the table's last gaming day. The desk's access log records who looks, at what and why. For a
record in Kafka, --state names the desk's folder.

\b
Exit status: 0 found; 1 no match; 2 usage error.
"""


@click.command("reconstruct", epilog=_EXAMPLES)
@click.argument("table")
@click.option("--round", "number", type=int, help="The round's number.")
@click.option("--at", "at", metavar="TIME", help="The approximate time: 21:10, or 2026-11-18T21:10:00-05:00.")
@click.option("--player", metavar="TOKEN", help="Every round of this player.")
@click.option(
    "--day",
    default="",
    metavar="DAY",
    callback=gaming_day,
    help="The gaming day; default: the table's last one.",
)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each round.")
@click.option("--html", "as_html", is_flag=True, help="One self-contained HTML page.")
@asker_options
@place_options
def reconstruct_command(
    *,
    table: str,
    number: int | None,
    at: str | None,
    player: str | None,
    day: str,
    as_json: bool,
    as_html: bool,
    data: Path | None,
    kafka: Path | None,
    state: Path | None,
) -> None:
    """Rebuild a hand of TABLE from its facts."""
    if sum(one is not None for one in (number, at, player)) != 1:
        raise click.UsageError("name the hand with one of --round, --at and --player")
    if as_json and as_html:
        raise click.UsageError("--json and --html exclude each other: give one of them.")
    log = open_log(data=data, kafka=kafka)
    try:
        with trail(desk_folder(data, state)) as told:
            told.asks(asked(), *(("see-players",) if player else ()))
            verifier, rounds = _wanted(log, HandRequest(table, day, number, at, player), data, kafka)
            if any(is_live(verifier, each) for each in rounds) and player is None:
                told.needs("see-live-hands", "hand", asked())
            two = _of_two_tables(verifier.day.stream, data, kafka)
            shown = [_seen(told.person, verifier, each, two) for each in rounds]
    except hands.NoSuchHandError as error:
        raise click.ClickException(str(error)) from error
    finally:
        log.close()
    zone, found = zone_of_day(verifier), [hand.told for hand in shown if hand is not None]
    if any(hand is None or hand.veiled for hand in shown):
        click.echo(
            "cards are hidden: your role may not see cards that were not shown, or hands still in play", err=True
        )
    if as_html:
        click.echo(page(found, zone), nl=False)
        return
    for hand in found:
        click.echo(msgspec.json.encode(as_object(hand)) if as_json else text(hand, zone))


class HandRequest(msgspec.Struct, frozen=True):
    """The hands that the options name."""

    table: str
    day: str
    number: int | None
    at: str | None
    player: str | None


def _wanted(log: Log, wanted: HandRequest, data: Path | None, kafka: Path | None) -> tuple[Verifier, list[RoundInPlay]]:
    """The named rounds, in their day."""
    stream = hands.day_of(log, wanted.table, wanted.day)
    verifier = hands.verified_day(log, stream, data=data, kafka=kafka)
    if wanted.number is not None:
        return verifier, hands.by_number(verifier, wanted.number)
    if wanted.player is not None:
        return verifier, hands.by_player(verifier, wanted.player)
    at = wanted.at or ""
    moment = moment_of(at, stream.partition("/")[2], zone_of_day(verifier), verifier)
    if names_a_date(at) and not wanted.day:
        verifier = hands.verified_day(log, hands.stream_at(log, wanted.table, moment), data=data, kafka=kafka)
    return verifier, hands.by_time(verifier, moment)


def _of_two_tables(stream: str, data: Path | None, kafka: Path | None) -> list[Finding]:
    """The findings from comparing this table with others; prints a note if no watcher has run."""
    try:
        return of_two_tables(stream, data=data, kafka=kafka)
    except NobodyWatchedError:
        says = "findings from comparing two tables are missing: no watcher has run (use catwalk watch or verify-log)"
        click.echo(says, err=True)
        return []


def _seen(person: Person, verifier: Verifier, told: RoundInPlay, two: list[Finding]) -> HandView | None:
    """The hand as this person may see it, or None if it is still in play and they may not see it."""
    if is_live(verifier, told) and not person.may("see-live-hands"):
        return None
    return seen(person, verifier, told, two)
