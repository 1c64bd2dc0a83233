"""Rounds, hands and wagers as the verifier folds them, against the fold of the read models, whatever went wrong."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from domain.facts.catalogue import TYPES
from domain.facts.codec import decode
from domain.games import GAMES
from domain.simulation.floor import SimulatedFloor
from domain.simulation.incidents import IncidentWeave, chosen
from domain.simulation.seed import World
from domain.table import day as of_a_table
from domain.watch.corrected import told_by
from projections.export import csv_text
from projections.export.columns import Cutter
from projections.export.day import day_of, rows_of
from projections.export.verifier import days, played
from projections.export.verifier.clock import Clock
from projections.export.verifier.container import Export
from projections.export.verifier.hands import RoundTables
from projections.export.verifier.paid import Corrections
from projections.export.verifier.places import table_path
from projections.export.verifier.stretches import Shown
from projections.export.verifier.texts import parsed
from projections.export.verifier.trouble import Line
from projections.export.zones import zone_of
from tests.export.builder import Records
from tests.export.test_verify_derived import written

ZONE = "America/New_York"
TABLES = ("rounds", "hands", "wagers")


class Files(Export):
    """Files in memory."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def lines(self, path: str) -> Iterator[Line]:
        byte = 0
        for number, text in enumerate(self.files[path].split(b"\n")[:-1], 1):
            yield Line(number, byte, text)
            byte += len(text) + 1


def by_the_writer(records: Records) -> Files:
    """The three tables as an export has them."""
    made = {name: csv_text.head(name) for name in TABLES}
    for (_, stream), stored in sorted(records.items()):
        if not stream.startswith("property/"):
            facts = [decode(each) for each in stored]
            rows = rows_of(day_of(stream, facts, told_by(facts).get(stream, {})), Cutter(zone_of(ZONE)))
            made = {name: text + csv_text.rows_of(rows[name]) for name, text in made.items()}
    return Files({table_path(name): text for name, text in made.items()})


def compared(records: Records, files: Files) -> RoundTables:
    """By the verifier; what differs is raised."""
    tables, corrections = RoundTables(files, Clock(ZONE)), Corrections(set())
    streams = {stream: [parsed(each) for each in stored] for (_, stream), stored in sorted(records.items())}
    for facts in streams.values():
        for fact in facts:
            if fact["type"] == "corrected.1":
                corrections.take(fact)
    for stream, facts in streams.items():
        if not stream.startswith("property/"):
            shown = Shown("facts", stream, True, len(facts), len(facts), [])
            day = days.PlayedDay(shown, {})
            for fact in facts:
                if (read := corrections.read(fact)) is not None:
                    day.take(read)
            tables.compare(shown, day)
    return tables


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_floor_with_every_incident_comes_to_the_same(seed: int) -> None:
    """All five games; voids, misdeals, cards nobody saw, late wagers, failed devices, and the other incidents."""
    floor = SimulatedFloor(World(seed=seed, tables=8, hours=1), IncidentWeave(chosen("all")))
    facts = (replace(fact, camera=f"cam-{fact.stream}") if fact.stream > "T4" else fact for fact in floor.facts())
    records = written(facts)
    counts = compared(records, by_the_writer(records)).end()
    assert min(counts.values()) > 50
    assert counts["wagers"] > counts["hands"] > counts["rounds"]


def test_what_belongs_to_a_round_is_what_the_fold_says() -> None:
    names = {kind: name for name, kind in TYPES.items()}
    assert {names[kind] for kind in of_a_table._OF_A_ROUND} == days._OF_A_ROUND
    assert {names[kind] for kind in of_a_table._ALSO_OF_A_ROUND} == days._WHILE_ONE_IS_OPEN
    between = {names[kind] for kind in of_a_table._BETWEEN_ROUNDS}
    assert days._WHILE_ONE_IS_OPEN | between == days._NOT_BEHIND_ONE
    assert {book: game.cards for book, game in GAMES.items()} == played._CARDS_DUE
    for kind, read in days._READ_BY.items():
        assert read == of_a_table._READ_BY[kind]
