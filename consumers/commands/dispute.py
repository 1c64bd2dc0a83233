"""`catwalk dispute`: a pack of two pages, with evidence, for a disputed hand."""

from contextlib import closing
from pathlib import Path

import click
import msgspec

from consumers.accounts.trail import Trail, asked, asker_options, desk_folder, trail
from consumers.desk.opening import open_desk
from consumers.disputing.evidence import files_of, laid_down, name_of_pack
from consumers.disputing.gathering import gathered
from consumers.logs.log import Log
from consumers.logs.opening import open_log
from consumers.record_place import place_options
from consumers.watching import finding_hands as hands
from consumers.watching.saying_when import moment_of, names_a_date, zone_of_day
from domain.desk.case import Case, seen_by
from domain.desk.case_records import HandLinked
from domain.table.round import RoundInPlay
from domain.watch.verifier import Verifier
from projections.export.report.disputed import name_of

_EXAMPLES = """\b
Examples:
  catwalk dispute T7 --at 21:10 --seat 4 --data pit
  catwalk dispute T7 --day 2026-11-18 --round 142 --jurisdiction PA --out 142.tar --data pit
  catwalk dispute --case 2026-0017 --purpose "patron dispute" --data pit

The pack has two pages: the claim and the ruling from the case, the cards, the amount owed on each wager with its
clause, the regulatory clocks, the place of the video, the hand step by step, and what happened around it. Next to
them, and inside the PDF, are the stored facts, the settlement, and everything as data. SHA256SUMS has the digest of
each file. The same record gives the same bytes. The pack is a folder, or one tar if --out ends in .tar. A case names
its hand; if it names several, give --round.

\b
Exit status: 0 made; 1 no match; 2 usage error.
"""


@click.command("dispute", epilog=_EXAMPLES)
@click.argument("table", default="")
@click.option("--round", "number", type=int, help="The round's number.")
@click.option(
    "--at", "at", default="", metavar="TIME", help="The approximate time: 21:10, or 2026-11-18T21:10:00-05:00."
)
@click.option("--case", "case_number", default="", metavar="NUMBER", help="The case of the disputed hand.")
@click.option("--day", default="", metavar="DAY", help="The gaming day; default: the table's last one.")
@click.option("--seat", type=int, help="The seat of the disputed hand; default: all seats.")
@click.option(
    "--jurisdiction",
    default="",
    metavar="LETTERS",
    help="The jurisdiction whose clocks apply: PA, MI ...; default: the case's.",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="PATH", help="The folder or .tar file to create.")
@asker_options
@place_options
def dispute_command(
    *,
    table: str,
    number: int | None,
    at: str,
    case_number: str,
    day: str,
    seat: int | None,
    jurisdiction: str,
    out: Path | None,
    data: Path | None,
    kafka: Path | None,
    state: Path | None,
) -> None:
    """Make the dispute pack for one hand of TABLE or of a case."""
    if number is not None and at:
        raise click.UsageError("--round and --at exclude each other: give one of them")
    if not case_number and (not table or (number is None and not at)):
        raise click.UsageError("name the hand: TABLE with --round or --at, or --case")
    folder = desk_folder(data, state)
    log = open_log(data=data, kafka=kafka)
    with closing(log), trail(folder) as told:
        told.needs("order-exports", "export", asked())
        case = _case(folder, case_number, told) if case_number else None
        try:
            if case is not None and not table:
                linked = _linked(case, number)
                table, _, day = linked.of_stream.partition("/")
                number, seat = linked.of_round, seat if seat is not None else linked.seat
            verifier, played = _hand(log, DisputeRequest(table, day, number, at), data, kafka)
            dispute, stretch = gathered(log, verifier, played, seat=seat, case=case, jurisdiction=jurisdiction)
        except hands.NoSuchHandError as error:
            raise click.ClickException(str(error)) from error
        place = out if out is not None else Path(name_of_pack(dispute))
        if place.exists():
            raise click.UsageError(f"{place} already exists: name another place with --out")
        told.asks(f"dispute pack of {name_of(dispute)}{f', case {case_number}' if case_number else ''}")
        files = files_of(dispute, stretch)
        laid_down(place, dispute, files)
    click.echo(f"{place}: {name_of(dispute)}, {len(stretch.stored)} stored facts, {', '.join(files)}")


class DisputeRequest(msgspec.Struct, frozen=True):
    """The hand that the options name."""

    table: str
    day: str
    number: int | None
    at: str


def _hand(log: Log, wanted: DisputeRequest, data: Path | None, kafka: Path | None) -> tuple[Verifier, RoundInPlay]:
    """The named hand, in its day."""
    stream = hands.day_of(log, wanted.table, wanted.day)
    verifier = hands.verified_day(log, stream, data=data, kafka=kafka)
    if wanted.number is not None:
        return verifier, hands.by_number(verifier, wanted.number)[0]
    moment = moment_of(wanted.at, stream.partition("/")[2], zone_of_day(verifier), verifier)
    if names_a_date(wanted.at) and not wanted.day:
        verifier = hands.verified_day(log, hands.stream_at(log, wanted.table, moment), data=data, kafka=kafka)
    return verifier, hands.by_time(verifier, moment)[0]


def _case(folder: Path, number: str, told: Trail) -> Case:
    """The case, if it exists and this person may see it."""
    told.looked("case", number, "see-cases")
    with closing(open_desk(folder)) as desk:
        case = desk.case(number)
    if case.opened is None:
        raise click.ClickException(f"there is no case {number}")
    if not seen_by(case, told.person.name):
        told.refused("case", number)
        raise click.ClickException(f"case {number} is sealed")
    return case


def _linked(case: Case, number: int | None) -> HandLinked:
    """The hand of the case; of several, the one with this round number."""
    fitting = [each for each in case.hands if number in (None, each.of_round)]
    if len(fitting) == 1:
        return fitting[0]
    there = ", ".join(f"{each.of_stream} round {each.of_round}" for each in case.hands) or "none"
    raise hands.NoSuchHandError(f"case {case.number} has these hands: {there}; name one with TABLE and --round")
