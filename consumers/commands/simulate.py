"""`catwalk simulate`: a seeded floor of any size, written to a file or recorded."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import BinaryIO

import click
from click.core import ParameterSource

from consumers.commands.keys import registered
from consumers.gateway.clients import CONSOLE, REGISTRAR
from consumers.gateway.keys import KeyStore, KeyTroubleError
from consumers.record_place import RecordOptions, open_gateway, place_options
from consumers.simulating import Filmed, Out, ToFile, ToRecord, label_writer, run
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY
from domain.facts.words import Book
from domain.ledger.seals import Since
from domain.simulation.floor import SimulatedFloor
from domain.simulation.houses import GAMES
from domain.simulation.incidents import IncidentWeave, UnknownIncidentError, chosen
from domain.simulation.property_time import moment
from domain.simulation.seed import World
from domain.spoken import number_of

_EXAMPLES = """\b
Examples:
  catwalk simulate --tables 10 --days 1 --seed 7 --out day.jsonl
  catwalk verify-log day.jsonl --lines
  catwalk simulate --tables 40 --games UTH-MA,UTH-MD --start 2026-03-06 --days 3 --out - | catwalk ingest --data pit -
  catwalk simulate --incidents all --labels labels.jsonl --out day.jsonl
  catwalk simulate --incidents wager-overpaid,burn-missing --labels labels.jsonl --data pit
  catwalk simulate --games PIK --incidents sugarhouse-single-deck --labels labels.jsonl --out day.jsonl
  catwalk simulate --pace 20 --data pit --keys
  catwalk simulate --kafka cluster.toml --state /var/lib/catwalk --tables 200

Simulates whole gaming days of tables of the five games, with every dealing method. The seed determines options,
limits, devices and sensors. A day has the opening, players who come, move and go, dealers relieved, decks changed,
fills and credits, idle tables, and the close. Everything follows the rule books, except for the incidents you ask
for. The same numbers give the same facts, byte for byte.

With --data or --kafka, the facts go through the gateway, which numbers and chains them, seals them if it has the
table's key, and makes them durable. Facts sent again are recognized. To continue a record with later days, set
--start to a day after its last.

\b
Exit status: 0 everything is written; 1 some facts became dead letters; 2 usage error.
"""

_NAMED = 12  # incidents named in one line
_OBJECTS_BEFORE_COLLECTION = 200_000  # facts form no reference cycles, and looking for them costs a third of the time


@click.command("simulate", epilog=_EXAMPLES)
@click.option("--tables", type=click.IntRange(1, 5_000), default=10, show_default=True, help="Number of tables.")
@click.option("--days", type=click.IntRange(1, 3_660), default=1, show_default=True, help="Number of gaming days.")
@click.option("--seed", type=int, default=1, show_default=True, help="The seed: the same number gives the same floor.")
@click.option(
    "--games",
    default=",".join(GAMES),
    show_default=True,
    metavar="GAME,...",
    help="The games, which tables take in turn.",
)
@click.option("--start", metavar="DAY", default="2026-11-18", show_default=True, help="The first gaming day.")
@click.option("--hours", type=click.IntRange(1, 24), help="The longest time a table stays open.")
@click.option(
    "--mishaps",
    type=click.IntRange(0, 1_000),
    default=4,
    show_default=True,
    help="Rounds per thousand with an accident that is corrected as the rule book requires.",
)
@click.option(
    "--pace",
    type=click.FloatRange(0),
    default=0.0,
    metavar="FACTOR",
    help="1 is live, 20 is twenty times as fast; 0, the default, is as fast as possible.",
)
@click.option(
    "--ahead",
    type=click.IntRange(0),
    default=0,
    metavar="MINUTES",
    help="With --pace: send this much play, from the first round on, at once before the pace begins.",
)
@click.option(
    "--incidents",
    default="none",
    show_default=True,
    metavar="none|all|CODE|NAME,...",
    help="Incidents to add: none, all (each once per game), or names of incidents or of findings they raise.",
)
@click.option("--labels", type=click.File("wb"), help="The file for the incidents' labels, for catwalk score.")
@click.option(
    "--out", type=click.File("wb"), help="A file for the facts, one per line, not yet numbered; `-` is standard output."
)
@click.option(
    "--keys", "make_keys", is_flag=True, help="With --data or --kafka: first make and register a key for each table."
)
@click.option("--cameras", is_flag=True, help="Add the table's camera and time code to the facts.")
@place_options
@click.pass_context
def simulate_command(
    context: click.Context,
    *,
    tables: int,
    days: int,
    seed: int,
    games: str,
    start: str,
    hours: int | None,
    mishaps: int,
    pace: float,
    ahead: int,
    incidents: str,
    labels: BinaryIO | None,
    out: BinaryIO | None,
    make_keys: bool,
    cameras: bool,
    data: Path | None,
    kafka: Path | None,
    state: Path | None,
) -> None:
    """Simulate whole gaming days of a casino floor, with the incidents you ask for."""
    world = World(seed, tables, days, _games(games), _day(start), hours, mishaps)
    weave = _weave(incidents)
    floor = SimulatedFloor(world, weave)
    if weave is not None and labels is None:
        click.echo("no labels are written for these incidents; use --labels FILE, for catwalk score", err=True)
    write = label_writer(floor, labels)
    if out is not None:
        if make_keys or any(_typed(context, name) for name in ("data", "kafka", "state")):
            raise click.UsageError("--out excludes --data, --kafka, --state and --keys: write a file or a record.")
        with _seldom_collecting():
            count = run(floor, _filmed(ToFile(out), cameras=cameras), pace, write, ahead=ahead)
        click.echo(_told(count, floor), err=True)
        _tell_what_is_missing(weave, world)
        return
    if data is None and kafka is None:
        raise click.UsageError("there is no output: give --out FILE, --data DIR or --kafka FILE, or set CATWALK_DATA.")
    place = RecordOptions(data, kafka, state)
    with open_gateway(place) as gateway, _seldom_collecting():
        begins = (
            make_keys and not gateway.writer.days
        )  # in an existing record, registering keys needs the registrar's role
        keys = _keys(place.keys(), world, floor) if make_keys else []
        to_record = ToRecord(gateway, f"simulate --seed {seed}", REGISTRAR if begins else CONSOLE)
        sink = _filmed(to_record, cameras=cameras)
        count = run(floor, sink, pace, write, after=keys, ahead=ahead)
        report = gateway.report
    recorded = f"{report.placed} recorded, {report.repeated} known already, {number_of(report.dead, 'dead letter')}"
    click.echo(f"{_told(count, floor)}; {recorded}; {report.sealed} seals", err=True)
    _tell_what_is_missing(weave, world)
    if report.dead:
        raise SystemExit(1)


def _filmed(out: Out, *, cameras: bool) -> Out:
    return Filmed(out) if cameras else out


def _told(count: int, floor: SimulatedFloor) -> str:
    rounds, tables = number_of(floor.rounds, "round"), number_of(floor.world.tables, "table")
    return f"{number_of(count, 'fact')} of {rounds} at {tables}"


def _tell_what_is_missing(weave: IncidentWeave | None, world: World) -> None:
    """Report each incident that fits no table or round of this floor."""
    missing = weave.without_a_place(world.games) if weave is not None else []
    if missing:
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        click.echo(f"no place was found for {', '.join(missing[:_NAMED])}{more}", err=True)
        click.echo("  try more tables, days, hours or games", err=True)


def _games(text: str) -> tuple[Book, ...]:
    games = tuple(each.strip().upper() for each in text.split(",") if each.strip())
    unknown = [each for each in games if each not in GAMES]
    if unknown or not games:
        raise click.BadParameter(f"{text!r}: write some of {','.join(GAMES)}", param_hint="--games")
    return games


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise click.BadParameter(f"{text!r}: write it like 2026-11-18", param_hint="--start") from error


def _weave(asked: str) -> IncidentWeave | None:
    """The incidents to add."""
    if asked == "none":
        return None
    try:
        wanted = chosen(asked)
    except UnknownIncidentError as error:
        raise click.BadParameter(str(error), param_hint="--incidents") from error
    if not wanted:
        raise click.BadParameter(f"{asked!r}: write none, all, or names separated by commas", param_hint="--incidents")
    return IncidentWeave(wanted)


def _typed(context: click.Context, name: str) -> bool:
    """Whether the option was typed; the environment's value is meant for other commands."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _keys(store: KeyStore, world: World, floor: SimulatedFloor) -> list[Fact]:
    """Make a key for each table and the property, valid from the first morning; return the facts that register them."""
    since = Since(moment(world.start, 0))
    try:
        made = [
            store.make(table, f"{table}-1", since) for table in (PROPERTY, *(setup.table for setup in floor.setups))
        ]
    except KeyTroubleError as error:
        raise click.ClickException(str(error)) from error
    return [registered(each) for each in made]


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(_OBJECTS_BEFORE_COLLECTION, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
