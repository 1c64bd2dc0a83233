"""Stacks that a device delivers without their size and cards: the verifier counts as many as the game deals."""

from pathlib import Path
from typing import Any

import pytest

from consumers.trust.keeper import begin, open_keeper
from domain.facts.codec import encode
from domain.facts.words import Book
from domain.simulation.edits import broken, change
from domain.simulation.scripted import day, round_, seat
from domain.watch.record import FindingRaised
from projections.export.question import Scope
from tests.export.pits import ENVIRONMENT, NOW, ORIGIN, Pit, run
from tests.export.verified import of_a_record

DAY = "2026-11-18"
# book | options | wagers besides those required
ROWS: list[tuple[Book, dict[str, Any], dict[str, int]]] = [
    ("UTH-MA", {"shuffler": "automated"}, {"trips": 500}),
    ("UTH-MD", {"shuffler": "automated", "six_card_table": "A"}, {"trips": 500, "six_card": 500}),
    ("PIK", {"shuffler": "automated"}, {"bonus3": 500}),
    ("COL", {"shuffler": "automated"}, {"bonus": 100}),
]


@pytest.mark.parametrize(("book", "options", "wagers"), ROWS, ids=[row[0] for row in ROWS])
def test_an_export_of_bare_stacks_is_sound(
    book: Book, options: dict[str, Any], wagers: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    rounds = [round_(seat(1, **wagers), seat(3, **wagers)) for _ in range(2)]
    facts = day(book, options, method="automated-shoe", rounds=rounds)
    bare = broken(facts, change("stack-delivered", to={"size": None, "cards": ()}))
    (tmp_path / "day.jsonl").write_bytes(b"\n".join(map(encode, bare)))
    pit = tmp_path / "pit"
    assert run("ingest", str(tmp_path / "day.jsonl"), "--data", str(pit)).exit_code == 0
    run("watch", "--once", "--quiet", "--data", str(pit))
    begin(pit, ORIGIN, NOW)
    run("checkpoint", "--data", str(pit))
    with open_keeper(pit) as keeper:
        size = max(keeper.sizes())
    nothing = FindingRaised(finding="f", code="c", severity="review", says="s", clauses=(), trigger=1, known_by=1, at=0, source="s", source_key="k")  # fmt: skip
    found = of_a_record(Pit(pit, "", 0, "", nothing, "", (size, size)), tmp_path / "a.tar", Scope(days=(DAY, DAY)))
    assert found.startswith("sound in itself "), found
