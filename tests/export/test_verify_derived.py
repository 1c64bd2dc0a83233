"""The tables that follow from the records alone, derived by the verifier and a second time by the facts' own types."""

import csv
import tarfile
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from domain.facts.codec import decode
from domain.facts.deal import CardDealt, RoundOpened
from domain.facts.envelope import Fact
from domain.facts.payments import WagerCollected, WagerPaid
from domain.facts.wagers import BetsClosed, WagerChanged, WagerPlaced, WagerWithdrawn
from domain.facts.watching import Corrected
from domain.ledger.writer import InputRefusal, Writer, located, place
from domain.simulation.floor import SimulatedFloor
from domain.simulation.incidents import IncidentWeave, chosen
from domain.simulation.seed import World
from domain.watch.corrected import told_by
from projections.export.day import day_of
from projections.export.question import Scope
from projections.export.verifier.money import Money
from projections.export.verifier.paid import Corrections, Paid
from projections.export.verifier.stretches import Shown
from projections.export.verifier.texts import parsed
from tests.export import derived, pits
from tests.export.builder import Records, counts, table
from tests.export.pits import Pit
from tests.export.scenes import Writing


def written(facts: Iterator[Fact]) -> Records:
    """Records that a gateway makes of them, unsealed."""
    writer, found = Writer(1), Records()
    for fact in facts:
        whole = located(writer, fact)
        if isinstance(whole, InputRefusal):
            raise TypeError(whole.says)
        found.setdefault(("facts", whole.stream), []).append(place(writer, whole).stored)
    return found


def left_out(records: Records) -> set[tuple[str, int]]:
    """The corrections whose result is no fact."""
    facts = {stream: [decode(each) for each in stored] for (_, stream), stored in sorted(records.items())}
    known = told_by(fact for told in facts.values() for fact in told)
    each = (wrong for stream, told in facts.items() for wrong in day_of(stream, told, known.get(stream, {})).left_out)
    return {(wrong.stream, wrong.sequence) for wrong in each}


def by_the_verifier(records: Records) -> dict[str, list[list[str]]]:
    """The rows of `paid` and `table_money` as the verifier comes to them."""
    corrections = Corrections(left_out(records))
    streams = [(stream, [parsed(each) for each in stored]) for (_, stream), stored in sorted(records.items())]
    for _, facts in streams:
        for fact in facts:
            if fact["type"] == "corrected.1":
                corrections.take(fact)
    rows: dict[str, list[list[str]]] = {"paid": [], "table_money": []}
    for stream, facts in streams:
        if not stream.startswith("property/"):
            shown = Shown("facts", stream, True, len(facts), len(facts), [])
            paid, money = Paid(shown, {}), Money(shown)
            for fact in facts:
                if (read := corrections.read(fact)) is not None:
                    paid.take(read)
                    money.take(read)
            rows["paid"] += paid.rows()
            rows["table_money"].append(money.row())
    return rows


def by_the_facts(records: Records) -> dict[str, list[list[str]]]:
    made = {"paid": derived.paid(records), "table_money": derived.money(records)}
    return {name: list(csv.reader(StringIO(table(name, rows).decode())))[1:] for name, rows in made.items()}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_simulated_floor_with_incidents_comes_to_the_same(seed: int) -> None:
    """Days of six tables, with voids, late wagers, money moved, and the other incidents."""
    floor = SimulatedFloor(World(seed=seed, tables=6, hours=1), IncidentWeave(chosen("all")))
    records = written(floor.facts())
    found = by_the_verifier(records)
    assert len(found["paid"]) > 100
    assert found == by_the_facts(records)


def day(*said: tuple[type[Fact], dict[str, Any]]) -> Writing:
    made = Writing("T7/2026-11-18", seals_itself=False)
    for kind, fields in said:
        made.say(kind, **fields)
    return made


ANTE = {"seat": 1, "wager": "ante"}
CORRECTS = {"corrects_stream": "T7/2026-11-18"}
ROUND: tuple[tuple[type[Fact], dict[str, Any]], ...] = (
    (RoundOpened, {"round": 1}),  # 1
    (WagerPlaced, {**ANTE, "cents": 1000, "round": 1}),  # 2
    (BetsClosed, {"round": 1}),  # 3
    (WagerPaid, {**ANTE, "cents": 1000, "round": 1}),  # 4
)
# name | what is said behind the round | the rows: round, seat, wager, staked, collected, paid, returned
Said = tuple[tuple[type[Fact], dict[str, Any]], ...]
CASES: dict[str, tuple[Said, list[str]]] = {
    "as told": ((), ["1 1 ante 1000 0 1000 0"]),
    "never happened": (((Corrected, {**CORRECTS, "corrects_sequence": 4}),), ["1 1 ante 1000 0 0 0"]),
    "another amount": (
        ((Corrected, {**CORRECTS, "corrects_sequence": 4, "reads": {"cents": 1500}}),),
        ["1 1 ante 1000 0 1500 0"],
    ),
    "the last correction counts": (
        (
            (Corrected, {**CORRECTS, "corrects_sequence": 4, "reads": {"cents": 1500}}),
            (Corrected, {**CORRECTS, "corrects_sequence": 4, "reads": {"cents": 1600}}),
        ),
        ["1 1 ante 1000 0 1600 0"],
    ),
    "one that cannot be read changes nothing that was corrected before": (
        (
            (Corrected, {**CORRECTS, "corrects_sequence": 4, "reads": {"cents": 1500}}),
            (Corrected, {**CORRECTS, "corrects_sequence": 4, "reads": {"cents": "much"}}),
        ),
        ["1 1 ante 1000 0 1500 0"],
    ),
    "another seat": (
        ((Corrected, {**CORRECTS, "corrects_sequence": 4, "reads": {"seat": 2}}),),
        ["1 1 ante 1000 0 0 0", "1 2 ante  0 1000 0"],
    ),
    "another round": (
        ((Corrected, {**CORRECTS, "corrects_sequence": 4, "reads": {"round": 2}}),),
        ["1 1 ante 1000 0 0 0", "2 1 ante  0 1000 0"],
    ),
    "an amount nobody saw": (
        ((Corrected, {**CORRECTS, "corrects_sequence": 4, "reads": {"cents": None}}),),
        ["1 1 ante 1000 0  0"],
    ),
    "betting was never closed": (
        (
            (Corrected, {**CORRECTS, "corrects_sequence": 3}),
            (WagerChanged, {**ANTE, "cents": 2000, "round": 1}),
        ),
        ["1 1 ante 2000 0 1000 0"],
    ),
    "changed when betting was over": (
        ((WagerChanged, {**ANTE, "cents": 2000, "round": 1}),),
        ["1 1 ante 1000 0 1000 0"],
    ),
    "placed too late": (
        ((WagerPlaced, {"seat": 2, "wager": "trips", "cents": 500, "round": 1}),),
        ["1 1 ante 1000 0 1000 0", "1 2 trips 500 0 0 0"],
    ),
    "withdrawn too late": (
        ((WagerWithdrawn, {"seat": 2, "wager": "trips", "round": 1}),),
        ["1 1 ante 1000 0 1000 0", "1 2 trips  0 0 0"],
    ),
    "not known once, not known for good": (
        (
            (WagerPaid, {**ANTE, "round": 1}),
            (WagerPaid, {**ANTE, "cents": 5, "round": 1}),
        ),
        ["1 1 ante 1000 0  0"],
    ),
    "no round is named": (
        (
            (WagerCollected, {**ANTE, "cents": 7}),
            (RoundOpened, {}),
            (WagerPlaced, {**ANTE, "cents": 9}),
            (WagerWithdrawn, ANTE),
            (WagerPlaced, {**ANTE, "cents": 11}),
            (CardDealt, {"to": "dealer", "round": 5}),
            (WagerCollected, {**ANTE, "cents": 3}),
        ),
        ["1 1 ante 1000 7 1000 0", "2 1 ante 11 0 0 0", "5 1 ante  3 0 0"],
    ),
    "a correction of what has not happened yet": (
        (
            (Corrected, {**CORRECTS, "corrects_sequence": 6, "reads": {"cents": 9000}}),
            (WagerPaid, {**ANTE, "cents": 500, "round": 1}),
        ),
        ["1 1 ante 1000 0 1500 0"],
    ),
    "a correction of a correction": (
        (
            (Corrected, {**CORRECTS, "corrects_sequence": 4, "reads": {"cents": 1500}}),
            (Corrected, {**CORRECTS, "corrects_sequence": 5, "reads": {"reads": {"cents": 9000}}}),
            (Corrected, {**CORRECTS, "corrects_sequence": 5}),
        ),
        ["1 1 ante 1000 0 1500 0"],
    ),
    "a correction of another table": (
        ((Corrected, {"corrects_stream": "T8/2026-11-18", "corrects_sequence": 4}),),
        ["1 1 ante 1000 0 1000 0"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_was_paid_is_read_as_corrected(name: str) -> None:
    said, rows = CASES[name]
    records: Records = {("facts", "T7/2026-11-18"): day(*ROUND, *said).stored}
    found = by_the_verifier(records)
    assert [row[1:] for row in found["paid"]] == [row.split(" ") for row in rows]
    assert found == by_the_facts(records)


@pytest.mark.xdist_group("export")
def test_the_writers_tables_are_the_ones_derived_here(pit: Pit, tmp_path: Path) -> None:
    """A real export: what its writer cut out of the read models is, byte for byte, what the facts come to."""
    pits.exported(pit, Scope(days=pits.DAYS[:2]), tmp_path / "a.tar")
    records, tables = Records(), {}
    with tarfile.open(tmp_path / "a.tar") as container:
        for member in container:
            kind, _, name = member.name.partition("/data/")[2].partition("/")
            stored = container.extractfile(member)
            if stored is not None and kind in ("facts", "findings"):
                records[kind, name.removesuffix(".jsonl")] = stored.read().split(b"\n")[:-1]  # type: ignore[index]
            elif stored is not None and kind == "tables":
                tables[name.removesuffix(".csv")] = stored.read()
    assert any(b'"corrected.1"' in each for stored in records.values() for each in stored)
    assert tables["paid"] == table("paid", derived.paid(records))
    assert tables["table_money"] == table("table_money", derived.money(records))
    assert tables["counts"] == table("counts", counts(records))
