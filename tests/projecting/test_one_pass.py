"""One process that verifies and makes rows writes what two write, whatever is wrong with the log or fails on the way."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from consumers.logs.log import Batch, place_of
from consumers.projecting import one_pass
from consumers.watching.watcher import Watcher
from domain.facts.payments import RoundCompleted
from domain.following import follower
from domain.table import day as table_day
from domain.table.round import RoundInPlay
from domain.watch import owed, verifier
from domain.watch.record import is_of_two
from projections.folding import day as folding
from projections.folding.findings import FindingsFold
from projections.folding.troubles import Troubles
from tests.projecting.passing import Passing, in_pieces
from tests.projections.folded import Folding
from tests.projections.rows import Plain
from tests.watching.memory import MemoryLog, Watched
from tests.watching.pits import SPOILS, Pit, Strange, delay, open_late, repeat, spoilt
from tests.watching.test_anywhere import record

Patch = pytest.MonkeyPatch


def rows(plain: Plain) -> list[list[str]]:
    """Every row that stands, with its edition."""
    whole = plain.whole()
    return [
        sorted(f"{name} {row}" for name, found in whole.rows.items() for row in found),
        sorted(f"{name} {row}" for tables in whole.day.values() for name, found in tables.items() for row in found),
        sorted(f"{name} {row}" for name, keyed in whole.own.items() for row in keyed.values()),
    ]


def of_both(stored: Sequence[bytes], findings: MemoryLog) -> Plain:
    """The rows that a projector makes of facts and of findings, each log by itself and from its start."""
    plain, at = Folding(stored).take().plain, {0: 0}
    fold = FindingsFold(0, lambda stream: findings.stream_before(stream, at[0]), at, Troubles("findings", 0))
    fold.take(findings.read(0, 0, len(findings.stored)))
    plain.take(fold.changes())
    return plain


def differing(stored: Sequence[bytes], one: Passing) -> list[str]:
    """Differences between one process and a watcher beside a projector."""
    watched = Watched(MemoryLog(stored)).take()
    same = {
        "findings": watched.findings.stored == one.findings.stored,
        "rows": rows(of_both(stored, one.findings)) == rows(one.store.plain),
        "letters": [each.stored for each in watched.unusable] == [each.stored for each in one.unusable],
    }
    return [name for name, so in same.items() if not so]


@pytest.mark.parametrize("how", ["whole", "spoilt", "late", "strange", "begun late"])
@pytest.mark.parametrize("seed", range(2))
def test_one_pass_writes_what_two_processes_write(seed: int, how: str) -> None:
    stored = record(seed, how)
    assert differing(stored, Passing(stored).take()) == []


def test_findings_are_rows_in_the_batch_of_the_facts_that_show_them() -> None:
    """The rows need not wait for the findings' log, unless another writer's records lie between."""
    stored = spoilt(4, Pit(4, tables=2, days=2, rounds=2).record(), kinds=(delay, repeat))
    one = Passing(stored)
    facts = one.facts.read(0, 0, len(stored))
    one.one.take(one.facts, Batch(0, facts))
    one.one.commit()
    assert one.store.plain.own["findings"]
    assert rows(one.store.plain) == rows(of_both(stored, one.findings))
    behind = Passing(stored)
    behind.findings.stored.append(b"another writer's")
    behind.one.take(behind.facts, Batch(0, facts))
    behind.one.commit()
    assert not behind.store.plain.own.get("findings")


@pytest.mark.parametrize("seed", range(3))
def test_and_so_it_does_killed_and_begun_anew_anywhere(seed: int) -> None:
    """Findings may be durable without the rows of the same facts; then the rows alone go back."""
    stored = spoilt(seed, Pit(seed, tables=3, days=2, rounds=3).record(), kinds=(*SPOILS, open_late))
    one = in_pieces(stored, seed)
    one.unusable = Watched(MemoryLog(stored)).take().unusable  # a process that begins again repeats some of them
    assert differing(stored, one) == []


def lost(stored: Sequence[bytes]) -> list[bytes]:
    """The findings, as far as a process came that left no rows."""
    return Watched(MemoryLog(stored[: len(stored) * 2 // 3])).take().findings.stored


def test_rows_begin_where_they_are_and_the_watch_where_it_is() -> None:
    """Findings are there already and rows are not, as where read models are made for the first time."""
    stored = spoilt(4, Pit(4, tables=2, days=3, rounds=2).record(), kinds=(delay, repeat))
    one = Passing(stored, MemoryLog(lost(stored), "findings")).take()
    assert one.findings.stored == Watched(MemoryLog(stored)).take().findings.stored
    assert rows(one.store.plain) == rows(of_both(stored, one.findings))


def test_another_watcher_that_writes_first_is_believed_and_rows_are_made_once() -> None:
    """Both are a stretch of the log apart, now one before and now the other."""
    stored = spoilt(5, Strange(5, days=2, rounds=3, corrections=5).record(), kinds=(delay, repeat))
    one = Passing(stored)
    other = Watched(one.facts, one.findings)
    for count in range(7, 80, 9):
        one.take(count)
        other.take(5 * count)
    other.take()
    one.take()
    assert sorted(one.findings.stored) == sorted(Watched(MemoryLog(stored)).take().findings.stored)
    assert rows(one.store.plain) == rows(of_both(stored, one.findings))


def test_a_watcher_overtaken_in_the_middle_of_a_stretch_leaves_the_rows_whole(monkeypatch: Patch) -> None:
    """The watch goes back and verifies again; each fact becomes rows once."""
    stored = Pit(6, tables=2, days=2, rounds=3, corrections=4).record()
    begun = []
    lawful = Watcher.begin

    def begin(self: Watcher, partition: int) -> int:
        begun.append(partition)
        return lawful(self, partition)

    monkeypatch.setattr(Watcher, "begin", begin)
    one = Passing(stored)
    other = Watched(one.facts, one.findings)
    begun.clear()
    other.take(len(stored) // 2)
    one.findings.stored[-1] = one.findings.stored[-1].replace(b'"source_key":"', b'"source_key":"other ')
    one.take()
    assert rows(one.store.plain) == rows(of_both(stored, one.findings))


Fault = Callable[[Patch], None]


def _raises(*_: Any) -> Any:
    raise ZeroDivisionError("a fault of ours")


def _at_second(told: RoundInPlay) -> bool:
    return told.number == 2 and told.stream.startswith("T1/")


def rows_fail(patch: Patch) -> None:
    """The rows of a round cannot be made."""
    lawful = folding.rows_of
    patch.setattr(folding, "rows_of", lambda told, *rest: (_raises if _at_second(told) else lawful)(told, *rest))


def a_judge_fails(patch: Patch) -> None:
    """A round cannot be judged."""
    lawful = verifier.coverage
    patch.setattr(verifier, "coverage", lambda told: (_raises if _at_second(told) else lawful)(told))


def a_handling_fails(patch: Patch) -> None:
    """A fact that becomes a row by itself cannot."""
    lawful = folding.handling_of

    def handling_of(day: Any, fact: Any, *rest: Any) -> Any:
        return (_raises if fact.sequence > 40 and fact.stream.startswith("T1/") else lawful)(day, fact, *rest)

    patch.setattr(folding, "handling_of", handling_of)


def the_fold_fails(patch: Patch) -> None:
    """A fact cannot be folded in, by nobody."""
    lawful = table_day.evolve

    def evolve(state: Any, fact: Any) -> Any:
        bad = type(fact) is RoundCompleted and fact.round == 2 and fact.stream.startswith("T1/")
        return (_raises if bad else lawful)(state, fact)

    patch.setattr(table_day, "evolve", evolve)


@pytest.mark.parametrize("fault", [rows_fail, a_judge_fails, a_handling_fails, the_fold_fails])
@pytest.mark.parametrize("corrections", [0, 4])
def test_where_one_of_them_fails_the_other_goes_on_as_it_does_apart(
    fault: Fault, corrections: int, monkeypatch: Patch
) -> None:
    stored = Pit(8, tables=2, days=2, rounds=4, corrections=corrections).record()
    findings = Watched(MemoryLog(stored)).take().findings
    clean = findings.stored, rows(of_both(stored, findings))
    fault(monkeypatch)
    one = Passing(stored).take()
    assert differing(stored, one) == []
    assert clean != (one.findings.stored, rows(one.store.plain))


def by_stream(findings: MemoryLog) -> dict[str, list[bytes]]:
    """The records of each stream of findings, in their order."""
    found: dict[str, list[bytes]] = {}
    for stored in findings.stored:
        found.setdefault(place_of(stored).stream, []).append(stored)
    return found


def of_two_tables(stored: Sequence[bytes]) -> dict[str, list[bytes]]:
    """Records of a watcher that compares tables in a reading of its own."""
    found = by_stream(Watched(MemoryLog(stored)).take().across().findings)
    assert any(map(is_of_two, found))
    return found


@pytest.mark.parametrize("kinds", [(repeat,), (delay, repeat), (*SPOILS, open_late)])
def test_tables_are_compared_by_the_facts_of_the_pass(kinds: tuple[Any, ...]) -> None:
    stored = spoilt(1, Pit(1, tables=3, days=2).record(), kinds=kinds)
    one = Passing(stored).take()
    one.one.all_facts()
    assert by_stream(one.findings) == of_two_tables(stored)


@pytest.mark.parametrize("seed", range(4))
def test_tables_are_compared_as_facts_come_and_after_every_start(seed: int, monkeypatch: Patch) -> None:
    """A process that starts again reads the earlier days in parts, and then gets each fact from the pass."""
    monkeypatch.setattr(one_pass, "_CATCH_UP", 70)
    stored = spoilt(
        seed, Pit(seed, tables=3, days=2).record(), kinds=(*SPOILS, open_late) if seed % 2 else (delay, repeat)
    )
    chance = Random(seed)  # noqa: S311 - a seed, so that a failure repeats
    one = Passing(stored)
    while not one.over:
        one.take(chance.randint(1, len(stored) // 7))
        for _ in range(chance.randint(0, 2)):
            one.one.between()
        if chance.random() < 0.4:
            one.begin()
    one.one.all_facts()
    assert by_stream(one.findings) == of_two_tables(stored)


def test_another_writer_about_two_tables_is_believed_and_the_comparison_starts_over() -> None:
    stored = Pit(1, tables=3, days=2).record()
    one = Passing(stored)
    while not one.over and not any(is_of_two(name) for name in by_stream(one.findings)):
        one.take(20)
        one.one.between()
    ours = next(n for n, each in enumerate(one.findings.stored) if is_of_two(place_of(each).stream))
    one.findings.stored[ours] = one.findings.stored[ours].replace(b'"source_key":"', b'"source_key":"other ')
    while not one.over:
        one.take(40)
        one.one.between()
    one.one.all_facts()
    whole = list(one.findings.stored)
    assert len(by_stream(one.findings)) == len(of_two_tables(stored))
    Watched(one.facts, one.findings).take().across()
    assert one.findings.stored == whole


def test_rows_cost_no_decode_no_hash_and_no_settlement_beside_the_watch(monkeypatch: Patch) -> None:
    stored = Pit(9, tables=2, days=1, rounds=5, corrections=0).record()
    counts = {"decode": 0, "digest": 0, "settled": 0}

    def counted(module: Any, name: str, what: str) -> None:
        lawful = getattr(module, name)

        def count(*given: Any) -> Any:
            counts[what] += 1
            return lawful(*given)

        monkeypatch.setattr(module, name, count)

    counted(follower, "decode", "decode")
    counted(follower, "digest", "digest")
    for name in ("_regular", "_irregular"):
        counted(owed, name, "settled")
    Watched(MemoryLog(stored)).take()
    watched = counts.copy()
    one = Passing(stored).take()
    assert len(one.store.plain.rows["rounds"]) == 10
    one.one.all_facts()  # tables are compared by the facts of the pass
    assert counts == {what: 2 * count for what, count in watched.items()}
    assert watched["decode"] == watched["digest"] == len(stored)
