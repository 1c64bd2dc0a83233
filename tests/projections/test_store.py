"""The store: a batch is taken whole and once, and what a table holds does not depend on where its rows lie."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from eventsourcing.persistence import IntegrityError

from projections.changes import Changes, Dead
from projections.digests import digests
from projections.reading import opened
from projections.store import Store
from projections.store.committing import UnknownTableError
from projections.store.relations import ROUND_TABLES
from tests.projections.rows import Plain, Told, a_round, row
from tests.projections.segments import close_segment

DAY = "T7/2026-11-18"
STREAMS = ["T1/2026-11-17", "T1/2026-11-18", "T2/2026-11-18", "T3/2026-09-30", "T3/2026-10-01"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "read") as opened_store:
        yield opened_store


def rounds(store: Store) -> list[tuple[int, int]]:
    return store.query(f"SELECT round, edition FROM {store.source('rounds')} ORDER BY ALL")


def played(position: int, *numbers: int, edition: int = 1) -> Changes:
    changes = Changes(positions={"facts/0": position})
    for number in numbers:
        a_round(changes, DAY, number, edition)
    return changes


def test_a_batch_that_was_taken_is_ignored(store: Store) -> None:
    assert store.commit(played(5, 1, 2))
    assert not store.commit(played(5, 1, 2))
    assert not store.commit(played(4, 1))
    assert rounds(store) == [(1, 1), (2, 1)]
    assert store.positions() == {"facts/0": 5}


def test_a_batch_partly_taken_is_refused(store: Store) -> None:
    store.commit(Changes(positions={"facts/0": 5, "facts/1": 5}))
    with pytest.raises(IntegrityError):
        store.commit(Changes(positions={"facts/0": 6, "facts/1": 4}))
    assert store.commit(Changes(positions={"facts/0": 6, "facts/1": 5}))


def test_a_batch_that_cannot_be_taken_leaves_nothing(store: Store) -> None:
    changes = played(1, 1)
    changes.append("wagers", ("too", "short"))
    with pytest.raises(ValueError):  # noqa: PT011 - whatever says it
        store.commit(changes)
    assert rounds(store) == []
    assert store.positions() == {}
    assert store.commit(played(1, 1))


def test_a_table_of_another_kind_is_refused(store: Store) -> None:
    with pytest.raises(UnknownTableError, match="money is not a round table"):
        store.commit(Changes(rows={"money": [row("money", DAY)]}))


def test_positions_outlast_the_process(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.commit(played(7, 1))
    with Store.open(tmp_path) as store:
        assert store.positions() == {"facts/0": 7}
        assert not store.commit(played(7, 1))


def test_a_round_made_anew_supersedes_itself_wherever_it_lies(store: Store) -> None:
    store.commit(played(1, *range(1, 11)))
    close_segment(store)
    again = played(2, 2, edition=5)
    again.dead.append(Dead(DAY, 2, 5))
    store.commit(again)
    once_more = played(3, 10, edition=6)
    once_more.dead.append(Dead(DAY, 10, 6))
    store.commit(once_more)
    assert rounds(store) == [(1, 1), (2, 5), *((number, 1) for number in range(3, 10)), (10, 6)]
    cards = store.query(f"SELECT count(*) FROM {store.source('cards')}")
    assert cards == [(30,)]


def test_a_day_made_anew_supersedes_all_of_it(store: Store) -> None:
    store.commit(played(1, *range(1, 11)))
    close_segment(store)
    remade = played(2, 1, 2, edition=9)
    remade.dead.append(Dead(DAY, None, 9))
    store.commit(remade)
    assert rounds(store) == [(1, 9), (2, 9)]


def test_two_editions_in_one_batch_leave_the_later(store: Store) -> None:
    changes = played(1, 1)
    changes.take(played(2, 1, edition=2))
    changes.dead.append(Dead(DAY, 1, 2))
    store.commit(changes)
    assert rounds(store) == [(1, 2)]


def test_day_rows_replace_all_the_stream_had(store: Store) -> None:
    first = Changes()
    first.replace(DAY, "decks", [row("decks", DAY, deck="A"), row("decks", DAY, deck="B")])
    store.commit(first)
    second = Changes()
    second.replace(DAY, "decks", [row("decks", DAY, deck="C")])
    store.commit(second)
    assert store.query(f"SELECT deck FROM {store.source('decks')}") == [("C",)]
    store.commit(Changes(day={DAY: {"decks": []}}))
    assert store.query(f"SELECT deck FROM {store.source('decks')}") == []


def test_facts_of_a_sealed_day_are_read_from_it(store: Store) -> None:
    store.commit(played(1, 1))
    told = [row("facts", DAY, sequence=number, type="x", at=number, stored=b"\x00\xff") for number in (1, 2)]
    assert store.seal(DAY, told)
    assert store.query(f"SELECT sequence, stored FROM {store.source('facts')}") == [(1, b"\x00\xff"), (2, b"\x00\xff")]
    assert store.sealed(DAY)
    assert not store.seal(DAY)
    store.seal(DAY, told[:1])
    assert store.query(f"SELECT sequence FROM {store.source('facts')}") == [(1,)]


def test_nothing_of_a_sealed_day_stays_in_the_snapshot(store: Store) -> None:
    changes = played(1, *range(1, 9))
    changes.replace(DAY, "money", [row("money", DAY)])
    changes.put("findings", ("f",), row("findings", DAY, finding="f"))
    store.commit(changes)
    before = digests(store)
    close_segment(store)
    store.seal(DAY)
    assert digests(store) == before
    for table in ("rounds", "cards", "money", "findings"):
        assert store.query(f"SELECT count(*) FROM {table}") == [(0,)]
    assert store.query("SELECT count(*) FROM catwalk.files WHERE kind = 'segment'") == [(0,)]
    assert store.query("SELECT count(*) FROM catwalk.masks") == [(0,)]


@pytest.mark.parametrize("seed", range(2))  # three floors more: test_same_answers.py
def test_a_table_holds_the_same_however_it_was_cut_up(tmp_path: Path, seed: int) -> None:
    """Batches in any order with segments, seals, compactions, publications and restarts; and all of it in one batch."""
    chance, told, plain = random.Random(seed), Told(seed, STREAMS), Plain()  # noqa: S311 - repeatable
    store = Store.open(tmp_path / "cut")
    for _ in range(40):
        batch = told.batch()
        plain.take(batch)
        store.commit(batch)
        match chance.choices(("nothing", "segment", "seal", "compact", "publish", "again"), (8, 3, 5, 3, 3, 1))[0]:
            case "segment":
                close_segment(store, kept=chance.randint(0, 2))
            case "seal":
                store.seal(chance.choice(STREAMS))
            case "compact":
                store.compact()
            case "publish":
                store.publish()
            case "again":
                store.close()
                store = Store.open(tmp_path / "cut")
    with Store.open(tmp_path / "whole") as whole:
        whole.commit(plain.whole())
        expected = digests(whole)
    assert digests(store) == expected
    store.publish()
    store.close()
    with opened(tmp_path / "cut") as reading:
        assert digests(reading) == expected


def test_the_files_of_a_year_become_few(tmp_path: Path) -> None:
    """Three months: the first is one file for each kind of table, the last two one a day, but for the newest day."""
    with Store.open(tmp_path) as store:
        days = [f"2026-{month:02}-{day:02}" for month in (1, 2, 3) for day in range(1, 4)]
        for number, day in enumerate(days):
            changes = Changes(positions={"facts/0": number})
            for table in ("T1", "T2", "T3"):
                a_round(changes, f"{table}/{day}", 1, 1)
            store.commit(changes)
            for table in ("T1", "T2", "T3"):
                store.seal(f"{table}/{day}")
        before = digests(store)
        assert store.compact() > 0
        assert digests(store) == before
        kinds = store.query(
            "SELECT kind, count(*) FROM catwalk.files WHERE name = 'rounds' GROUP BY kind ORDER BY kind"
        )
        assert kinds == [("day", 5), ("month", 1), ("stream", 3)]
        store.publish()
        files = list((tmp_path / "1" / "days").rglob("rounds-*.parquet"))
        assert len(files) == 9


def test_a_day_that_is_not_over_is_compacted_in_parts(tmp_path: Path) -> None:
    """Forty tables: the first thirty-two become one file; when the next day has come, all of them do."""
    with Store.open(tmp_path) as store:
        for table in range(40):
            changes = Changes()
            changes.replace(f"T{table}/2026-11-17", "money", [row("money", f"T{table}/2026-11-17", paid_cents=table)])
            store.commit(changes)
            store.seal(f"T{table}/2026-11-17")
            store.compact()
        kinds = "SELECT kind, count(*) FROM catwalk.files WHERE first_day = '2026-11-17' GROUP BY kind ORDER BY kind"
        assert store.query(kinds) == [("day", 1), ("stream", 8)]
        store.commit(Changes(day={"T1/2026-11-18": {"money": [row("money", "T1/2026-11-18")]}}))
        store.seal("T1/2026-11-18")
        store.compact()
        assert store.query(kinds) == [("day", 1)]
        paid = store.query(f"SELECT count(*), sum(paid_cents) FROM {store.source('money')}")
        assert paid == [(41, sum(range(40)))]


def test_a_generation_copies_at_most_twice_the_rows_that_stay(tmp_path: Path) -> None:
    """However long the day: what is older lies in segments, and a reader still finds it."""
    with Store.open(tmp_path / "read") as store:
        store.segment_rows = 40
        stay = 0
        for number in range(1, 60):
            store.commit(played(number, number))
            store.publish()
            rows = sum(store.query(f'SELECT count(*) FROM main."{table.name}"')[0][0] for table in ROUND_TABLES)
            if number == 4:
                stay = rows
            assert rows <= max(2 * stay, stay + store.segment_rows)
        with opened(tmp_path / "read") as reading:
            assert reading.query("SELECT count(*) FROM rounds") == [(59,)]
            segments = {path.name for path in reading.files("rounds")}
        assert len(segments) > 1
