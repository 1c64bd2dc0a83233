"""`catwalk export`: a part of the record in one file that anyone can check without Catwalk."""

import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Final

import click
import msgspec

from consumers.accounts.accounts import ACCOUNTS, AccountsError
from consumers.accounts.asker import AS, PASSWORD_FILE, NotLetInError, accounts_of, identified, says_who
from consumers.accounts.trail import Trail, asked, trail
from consumers.commands.checkpoint import trust_trouble
from consumers.exporting.asking import NoCheckpointError
from consumers.exporting.making import MadeExport
from consumers.exporting.orders import Home, Shelf, WantedExport
from consumers.exporting.selecting import NothingThereError
from consumers.exporting.staging import StagingError
from consumers.gateway.keys import KeyTroubleError
from consumers.record_place import RecordOptions, now, place_options
from consumers.vault.people import VaultTroubleError
from domain.desk.access import AccessRefused
from domain.desk.acting import DeskAct, RefusedError, by
from domain.desk.export import Export
from domain.desk.roles import ForbiddenError, Person
from projections.export.container import UncontainedError
from projections.export.proofs import DisagreeError
from projections.export.question import BadQuestionError, Identities, Scope

_EXAMPLES = """\b
Examples:
  catwalk export --days 2026-11-18 --purpose "quarterly audit" --recipient "Gaming Commission" --as anna --data pit
  catwalk export --order order-5b1c0f3e9a7d2468 --as olga --out november.tar --data pit
  catwalk export --days 2026-11-01..2026-11-30 --table T7 --purpose "dispute" --recipient "Board" \\
    --as anna --signed-by olga --out t7.tar --data pit
  catwalk export --hand T7/2026-11-18:142 --purpose "dispute" --recipient "Board" --as anna --data pit
  catwalk export --case 2026-0001 --purpose "referral" --recipient "State police" --as anna --data pit
  catwalk export --list --as anna --data pit

One person orders an export and another signs it. Both need accounts whose roles allow it, and the desk records both
with purpose, recipient and the digest of the file. One person runs the command to order, and the other signs with
--order; with --signed-by, both do it at once. The command asks for passwords or reads them from files.

Whole days include the lists for the regulator: statistics, openers, the record of stub counts and decks, errors and
repayments. With --to-date, statistics include the month and the year to date, compared with the previous business
year.

An export is bound to a checkpoint (the newest, or --checkpoint): the same question gives the same bytes. --days,
--table and --game select whole days of tables. --player, --case, --finding and --hand select single rounds, each
record with its proof. FILE.part holds the work done so far: if the command is stopped, run it again to resume.
docs/export-format.md describes the content, and verify.py in the export checks it.

\b
Exit status: 0 ordered, or made; 1 nothing on record matches, or another person has to sign it; 2 usage error, or a
file, key or log that could not be read or written; 3 the record disagrees with the checkpoint, or the export cannot
be proved; 4 no account was given, or its role does not allow this; 130 ended by Ctrl-C; run the command again to
resume.
"""
_IDENTITIES: Final[Mapping[bool, Identities]] = {True: "named", False: "tokens"}
_SHOWN_EVERY = 0.5  # seconds
_FILE = click.Path(dir_okay=False, path_type=Path)


class NotMadeError(click.ClickException):
    """An error with exit status 1: nothing to export, or another person must sign."""


class ExportTroubleError(click.ClickException):
    """An error with exit status 2: something could not be read or written."""

    exit_code = 2


class RecordDisagreesError(click.ClickException):
    """An error with exit status 3: the record disagrees with the checkpoint, so nothing is exported."""

    exit_code = 3


class _Days(click.ParamType[tuple[str, str]]):
    name = "days"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        first, _, last = str(value).partition("..")
        return first, last or first


@click.command("export", epilog=_EXAMPLES)
@click.option("--out", type=_FILE, metavar="FILE", help="The export file to write.")
@click.option("--days", type=_Days(), metavar="DAY[..DAY]", help="These gaming days.")
@click.option("--table", "tables", multiple=True, metavar="TABLE", help="Only this table; repeat for more.")
@click.option("--game", "games", multiple=True, metavar="BOOK", help="Only tables of this game; repeat for more.")
@click.option("--player", default="", metavar="TOKEN", help="The rounds of this player.")
@click.option("--case", default="", metavar="NUMBER", help="A case, with its findings and hands.")
@click.option("--finding", default="", metavar="NAME", help="A finding, with its round and its evidence.")
@click.option("--hand", default="", metavar="STREAM:ROUND", help="One round.")
@click.option("--access", is_flag=True, help="Also the access log of these days.")
@click.option("--to-date", is_flag=True, help="Also statistics to date; reads those days and the year before.")
@click.option("--named", is_flag=True, help="Include the players' names from the vault.")
@click.option("--purpose", default="", metavar="WHY", help="The purpose of the export.")
@click.option("--recipient", default="", metavar="WHO", help="The recipient of the export.")
@click.option("--checkpoint", type=int, metavar="SIZE", help="The checkpoint to use; default: the newest.")
@click.option("--cosigned-by", multiple=True, metavar="NAME", help="Include only this cosignature; repeat for more.")
@click.option(
    "--as",
    "account",
    envvar=AS,
    default="",
    metavar="NAME",
    help=f"The account that orders, or with --order the one that signs; or {AS}.",
)
@click.option(
    "--password-file", type=_FILE, envvar=PASSWORD_FILE, metavar="FILE", help=f"Its password; or {PASSWORD_FILE}."
)
@click.option("--signed-by", "signer", default="", metavar="NAME", help="The account that signs this order.")
@click.option("--signer-password-file", type=_FILE, metavar="FILE", help="The file of the signer's password.")
@click.option("--order", default="", metavar="ORDER", help="Sign this order, placed by another person.")
@click.option("--list", "as_list", is_flag=True, help="List the orders and their state, the newest first.")
@click.option("--json", "as_json", is_flag=True, help="With --list: one line of JSON for each order.")
@place_options
def export_command(
    *,
    out: Path | None,
    days: tuple[str, str] | None,
    tables: tuple[str, ...],
    games: tuple[str, ...],
    player: str,
    case: str,
    finding: str,
    hand: str,
    access: bool,
    to_date: bool,
    named: bool,
    purpose: str,
    recipient: str,
    checkpoint: int | None,
    cosigned_by: tuple[str, ...],
    account: str,
    password_file: Path | None,
    signer: str,
    signer_password_file: Path | None,
    order: str,
    as_list: bool,
    as_json: bool,
    data: Path | None,
    kafka: Path | None,
    state: Path | None,
) -> None:
    """Export a part of the record for a purpose and a recipient."""
    scope = Scope(
        days=days,
        tables=tables,
        games=games,
        player=player,
        case=case,
        finding=finding,
        hand=hand,
        access=access,
        to_date=to_date,
    )
    says_who(account, password_file)
    with _counter(RecordOptions(data, kafka, state), purpose) as counter:
        if as_list:
            counter.list(as_json=as_json)
        elif not account:
            raise click.UsageError("name your account with --as NAME: the desk records who orders and who signs")
        elif order:
            _check_alone(asked=scope != Scope() or bool(signer) or named)
            counter.sign(counter.person(), order, _named(out))
        elif out is not None and not signer:
            raise click.UsageError("an export is written when it is signed: give --signed-by NAME, or remove --out")
        else:
            by_whom = counter.person()
            other = counter.other(signer, signer_password_file) if signer else None
            wanted = WantedExport(scope, purpose, recipient, checkpoint, cosigned_by or None, _IDENTITIES[named])
            made = counter.order(by_whom, wanted)
            if other is None:
                click.echo(made)
            else:
                counter.sign(other, made, _named(out))


def _check_alone(*, asked: bool) -> None:
    if asked:
        raise click.UsageError("an order already names its content: give only --as, --order and --out")


def _named(out: Path | None) -> Path:
    if out is None:
        raise click.UsageError("name the export file with --out FILE")
    return out


class _Counter:
    """Orders and signatures of one run."""

    def __init__(self, place: RecordOptions, shelf: Shelf, told: Trail) -> None:
        self._folder = place.folder
        self._shelf = shelf
        self._told = told

    def person(self) -> Person:
        """The account that runs this command."""
        self._accounts()
        return self._told.person

    def other(self, name: str, file: Path | None) -> Person:
        """Another person who is present, identified by their password."""
        try:
            return identified(self._accounts(), name, file, self._folder, self._told.desk)
        except NotLetInError as error:
            if not error.recorded:
                self._told.refused("sign-in", "no account of the folder")
            raise

    def _accounts(self) -> Path:
        file = accounts_of(self._folder)
        if file is None:
            raise AccountsError(f"{self._folder / ACCOUNTS}: no such file. Create it with catwalk accounts add")
        return file

    def order(self, person: Person, wanted: WantedExport) -> str:
        """Place an order and return its name."""
        self._told.asks(asked())
        made = self._shelf.order(person, _act(person), wanted)
        if made.ordered is not None:
            bound = f"bound to checkpoint {made.ordered.checkpoint}"
            click.echo(f"{made.order}: {made.ordered.asked}; {bound}; ordered by {made.ordered.by}", err=True)
        return made.order

    def sign(self, person: Person, order: str, out: Path) -> None:
        """Sign an order and make its export."""
        progress = _ExportProgress()
        try:
            made: MadeExport = self._shelf.sign(person, _act(person), order, progress.show, out)
        except KeyboardInterrupt:
            click.echo(f"\n{out}.part holds the work done so far: run the same command to resume.", err=True)
            raise
        progress.done()
        what = f"{made.facts:,} facts of {made.streams:,} streams, {made.size:,} bytes"
        click.echo(f"{out}: {made.name}, {what}, signed by {person.name}", err=True)
        click.echo(f"{made.digest}  {out}")

    def list(self, *, as_json: bool) -> None:
        """Print the orders."""
        self._told.asks(asked())
        for each in self._shelf.all():
            click.echo(msgspec.json.encode(_told(each)) if as_json else _line(each))


def _told(held: Export) -> dict[str, object]:
    ordered, signed = held.ordered, held.signed
    return {
        "order": held.order,
        "ordered_by": ordered.by if ordered else "",
        "asked": ordered.asked if ordered else "",
        "purpose": ordered.purpose if ordered else "",
        "recipient": ordered.recipient if ordered else "",
        "checkpoint": ordered.checkpoint if ordered else 0,
        "signed_by": signed.by if signed else "",
        "export": signed.export if signed else "",
        "sha256": signed.digest if signed else "",
        "declined_by": held.declined.by if held.declined else "",
    }


def _line(held: Export) -> str:
    told = _told(held)
    if held.signed is not None:
        became = f"signed by {held.signed.by}: {held.signed.export}, SHA-256 {held.signed.digest}"
    elif held.declined is not None:
        became = f"declined by {held.declined.by}: {held.declined.why}"
    else:
        became = "waiting for a signature"
    asked = f"{told['asked']}; for {told['recipient']}: {told['purpose']}; ordered by {told['ordered_by']}"
    return f"{held.order}  {asked}; {became}"


def _act(person: Person) -> DeskAct:
    return DeskAct(person.name, now(), secrets.token_hex(12))


@contextmanager
def _counter(place: RecordOptions, why: str) -> Iterator[_Counter]:
    place.require_record()
    with trust_trouble(), _trouble(), trail(place.folder, why) as told:
        try:
            yield _Counter(place, Shelf(Home(place.folder, place.data, place.kafka), told.desk), told)
        except ForbiddenError as error:
            act = _act(error.person)
            role = ", ".join(error.person.roles)
            told.done(AccessRefused(**by(act), what="export", of=error.right, role=role))
            raise NotLetInError(str(error)) from error


@contextmanager
def _trouble() -> Iterator[None]:
    try:
        yield
    except (NothingThereError, NoCheckpointError, RefusedError) as error:
        raise NotMadeError(f"{str(error).rstrip('.')}.") from error
    except BadQuestionError as error:
        raise click.UsageError(f"{str(error).rstrip('.')}.") from error
    except (
        StagingError,
        UncontainedError,
        AccountsError,
        VaultTroubleError,
        KeyTroubleError,
    ) as error:
        raise ExportTroubleError(f"{str(error).rstrip('.')}.") from error
    except DisagreeError as error:
        raise RecordDisagreesError(f"{error}. Nothing was exported.") from error


class _ExportProgress:
    """A line on a terminal that shows the progress twice a second."""

    def __init__(self) -> None:
        self._on = sys.stderr.isatty()
        self._began = self._shown = monotonic()

    def show(self, what: str, done: int, total: int, facts: int) -> None:
        """Show the number of streams done."""
        moment = monotonic()
        if self._on and (moment - self._shown > _SHOWN_EVERY or what != "streams"):
            self._shown = moment
            of = f" of {total:,}" if total else ""
            rate = facts / max(moment - self._began, 0.001)
            says = f"{done:,}{of} streams, {facts:,} facts read, {rate:,.0f} a second"
            click.echo(f"\r{says}{'' if what == 'streams' else f'; {what}'} \033[K", nl=False, err=True)

    def done(self) -> None:
        """Clear the line."""
        if self._on:
            click.echo("\r\033[K", nl=False, err=True)
