"""A small record to export from: two days of two tables, with incidents, a later correction and a case about them.

Two checkpoints stand: one behind the first two days, and one behind a third day that no earlier export may contain.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.desk.application import desk_of
from consumers.exporting.asking import bound_to, editions, question_of
from consumers.exporting.making import MadeExport, make
from consumers.exporting.record import ExportableRecord
from consumers.exporting.selecting import selected
from consumers.gateway.keys import PASSPHRASE
from consumers.logs.opening import embedded_log, findings_log
from consumers.trust.keeper import Keeper, begin, open_keeper
from domain.desk import case
from domain.desk.acting import DeskAct
from domain.facts.codec import decode, encode
from domain.facts.envelope import Fact
from domain.facts.players import PlayerSeated
from domain.facts.streams import owner
from domain.facts.table_day import TableClosed
from domain.facts.wagers import WagerPlaced
from domain.facts.watching import Corrected
from domain.watch.record import FindingRaised
from domain.watch.record import decode as decode_finding
from projections.export.question import ExportQuestion, Scope

ENVIRONMENT: Mapping[str, str] = {PASSPHRASE: "a passphrase for tests"}
ORIGIN = "catwalk/test"
DAYS = ("2026-11-18", "2026-11-19", "2026-11-20")
LETTERS = "ten letters and more"  # everybody's password
PEOPLE = {"anna": "investigator", "dora": "operator", "olga": "manager"}  # who keeps accounts comes last
NOW = 1_800_000_000_000_000


class Pit(msgspec.Struct, frozen=True):
    """The record, and what a test may ask of it by name."""

    folder: Path
    corrected: str  # T1/2026-11-18, whose wager was corrected a day later
    sequence: int
    case: str
    finding: FindingRaised
    player: str
    sizes: tuple[int, int]


def run(*arguments: str) -> Result:
    """A command as a person runs it; what goes wrong in it is raised."""
    ran = CliRunner(env=dict(ENVIRONMENT)).invoke(main, list(arguments))
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return ran


def made(folder: Path) -> Pit:
    """Make the record."""
    os.environ.update(ENVIRONMENT)
    data = ("--data", str(folder))
    for name, role in PEOPLE.items():
        password = folder / f"{name}.txt"
        folder.mkdir(exist_ok=True)
        password.write_text(LETTERS)
        run("accounts", "add", name, "--role", role, "--password-file", str(password), "--new", *data)
    played = ("simulate", "--tables", "2", "--hours", "1", "--games", "UTH-MD,COL")
    run(*played, "--seed", "7", "--incidents", "all", "--keys", "--start", DAYS[0], *data)
    stream, fact = _wager(folder)
    second = folder / "second.jsonl"
    run(*played, "--seed", "8", "--start", DAYS[1], "--out", str(second))
    _correct(second, stream, fact)
    run("ingest", str(second), *data)
    run("watch", "--once", "--quiet", *data)
    finding = _finding(folder)
    number = _case(folder, finding)
    begin(folder, ORIGIN, NOW)
    run("checkpoint", *data)
    run(*played, "--seed", "9", "--start", DAYS[2], *data)
    run("watch", "--once", "--quiet", *data)
    run("checkpoint", *data)
    with open_keeper(folder) as keeper:
        first, *_, last = keeper.sizes()
    player = _player(folder)
    return Pit(folder, stream, fact.sequence, number, finding, player, (first, last))


def _facts(folder: Path, stream: str) -> list[Fact]:
    with closing(embedded_log(folder)) as log:
        return [decode(stored) for stored in log.read_stream(stream)]


def _wager(folder: Path) -> tuple[str, WagerPlaced]:
    """A wager of the first day, amid its rounds."""
    for stream in (f"T1/{DAYS[0]}", f"T2/{DAYS[0]}"):
        found = [fact for fact in _facts(folder, stream) if isinstance(fact, WagerPlaced) and fact.cents]
        if found:
            return stream, found[len(found) // 2]
    raise LookupError("nobody wagered")


def _player(folder: Path) -> str:
    return next(fact.player for fact in _facts(folder, f"T1/{DAYS[0]}") if isinstance(fact, PlayerSeated))


def _correct(second: Path, stream: str, fact: WagerPlaced) -> None:
    """On the second day, before it is over, a supervisor notices an error of the first day."""
    table = stream.partition("/")[0]
    lines = second.read_bytes().splitlines()
    at = next(place for place, line in enumerate(lines) if _closes(decode(line), table))
    correction = Corrected(
        stream,
        fact.sequence,
        {"cents": (fact.cents or 0) + 500},
        reason="the sensor was off",
        at=decode(lines[at]).at,
        source="office",
        source_key="correction-1",
        stream=table,
    )
    second.write_bytes(b"".join(line + b"\n" for line in (*lines[:at], encode(correction), *lines[at:])))


def _closes(fact: Fact, table: str) -> bool:
    return isinstance(fact, TableClosed) and owner(fact.stream) == table


def _finding(folder: Path) -> FindingRaised:
    with closing(findings_log(data=folder, create=False)) as log:
        records = (decode_finding(stored) for batch in log.drain({}) for _, stored in batch.facts)
        return next(each for each in records if isinstance(each, FindingRaised) and each.round)


def _case(folder: Path, finding: FindingRaised) -> str:
    with closing(desk_of(data=folder)) as desk:
        opened = desk.open_case(DeskAct("anna", NOW, "open"), "dispute", "A hand")
        desk.on_case(opened.number, lambda state: case.link_finding(state, DeskAct("anna", NOW, "f"), finding.finding))
        stream = finding.about or finding.stream
        desk.on_case(opened.number, lambda state: case.link_hand(state, DeskAct("anna", NOW, "h"), stream, 2))
        return opened.number


@contextmanager
def asked(pit: Pit, scope: Scope, size: int | None = None) -> Iterator[tuple[ExportQuestion, ExportableRecord, Keeper]]:
    """A question about it, and the record to answer it from."""
    with (
        open_keeper(pit.folder) as keeper,
        closing(embedded_log(pit.folder)) as facts,
        closing(findings_log(data=pit.folder, create=False)) as findings,
        closing(desk_of(data=pit.folder)) as desk,
    ):
        bound = bound_to(keeper, size or pit.sizes[0])
        record = ExportableRecord(keeper, bound.size, facts, findings, desk)
        question = question_of(
            keeper,
            facts,
            scope=scope,
            purpose="quarterly audit",
            recipient="Gaming Commission",
            ordered_by="anna",
            signed_by="olga",
            bound=bound,
            books=editions(record, selected(record, scope, "anna")),
        )
        yield question, record, keeper


def silent(*_: object) -> None:
    """Discard the progress report."""


def exported(pit: Pit, scope: Scope, file: Path, size: int | None = None) -> MadeExport:
    """The export of this question."""
    with asked(pit, scope, size) as (question, record, _):
        return make(question, record, file, silent)
