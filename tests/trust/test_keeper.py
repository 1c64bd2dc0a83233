"""The keeper: what goes into the tree, when, in which order, and that nothing is lost or doubled on the way."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from consumers.gateway.keys import PASSPHRASE, KeyStore, verify
from consumers.logs.log import place_of
from consumers.logs.sqlite import SqliteLog
from consumers.record_place import RecordOptions
from consumers.trust.gathering import Gatherer, LogSource
from consumers.trust.keeper import KEYS, Keeper, SignedHead, begin, open_keeper
from consumers.trust.published import published, published_log
from consumers.trust.running import Sources, Work, at_work
from consumers.trust.tree_file import TREE_FILE, EntryType, TreeFile, TreeTroubleError
from domain.facts.property_day import PropertyClosed
from domain.ledger.checkpoint import check, parsed_checkpoint, parsed_note
from domain.ledger.rotation import followed
from domain.ledger.seals import PATIENCE
from domain.ledger.stretches import check_proven, check_records
from domain.ledger.tree import check_consistency
from domain.ledger.witnessing import head_of
from tests.trust.records import DAY, LATER, NAME, START, TABLES, Pit

NOW = START + 5_000_000


@pytest.fixture(autouse=True)
def passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Pit]:
    """A record with a tree that was begun."""
    made = Pit(tmp_path)
    begin(tmp_path, NAME, NOW)
    yield made.opened()
    made.close()


def signed(pit: Pit, at: int = NOW) -> SignedHead | None:
    """One checkpoint, as the command makes it."""
    with at_work(RecordOptions(pit.folder, None, None)) as work:
        work.read(at)
        return work.checkpoint(at)


def leaves(pit: Pit) -> list[tuple[str, str, int, int]]:
    with open_keeper(pit.folder) as keeper:
        found = [proven.stretch for proven in keeper.leaves(keeper.tree.size)]
    return [(each.kind, each.stream, each.first, each.last) for each in found]


def test_a_leaf_is_a_stream_up_to_its_last_seal_and_the_next_goes_on_from_there(pit: Pit) -> None:
    assert signed(pit) is not None
    ends = {name: len(pit.stream(f"{name}/{DAY}")) for name in (*TABLES, "property")}
    assert leaves(pit) == [("facts", f"{name}/{DAY}", 1, ends[name]) for name in (*TABLES, "property")]
    pit.rounds("T7", 2)
    pit.rounds("T7", 1, seal=False)
    assert signed(pit) is not None
    sealed = pit.writer.days["T7"].sequence - pit.writer.days["T7"].unsealed
    assert leaves(pit)[3:] == [("facts", f"T7/{DAY}", ends["T7"] + 1, sealed)]


def test_every_leaf_is_proved_under_every_head_and_every_head_goes_on_from_every_earlier_one(pit: Pit) -> None:
    for _ in range(4):
        for table in TABLES:
            pit.rounds(table, 1)
        pit.looks()
        signed(pit)
    with open_keeper(pit.folder) as keeper:
        heads = {size: head_of(keeper.note(size), keeper.key, verify).checkpoint for size in keeper.sizes()}
        assert len(heads) == 4
        for size, head in heads.items():
            told = keeper.streams(size)
            assert {kind for kind, _, _ in told} == {"facts", "desk"}
            for kind, stream, last in told:
                proven = keeper.proven(size, kind, stream)
                for each in proven:
                    check_proven(each, size, head.root)
                assert [each.stretch.first for each in proven] == [1, *(each.stretch.last + 1 for each in proven[:-1])]
                assert proven[-1].stretch.last == last
                if kind == "facts":
                    records = pit.stream(stream)
                    for each in proven:
                        check_records(each.stretch, records[each.stretch.first - 1 : each.stretch.last])
            for old in (other for other in heads if other <= size):
                path = [bytes.fromhex(step) for step in keeper.consistency(old, size)]
                check_consistency(old, size, heads[old].root, head.root, path)


def test_a_fact_waits_a_minute_for_its_seal_and_then_goes_in_without(pit: Pit) -> None:
    signed(pit)
    pit.rounds("T8", 1, seal=False)
    last = pit.writer.days["T8"].sequence
    with at_work(RecordOptions(pit.folder, None, None)) as work:
        work.read(NOW)
        assert work.checkpoint(NOW + PATIENCE - 10_000_000) is None
        assert work.checkpoint(NOW + PATIENCE + 1) is not None
    assert leaves(pit)[-1][3] == last


def test_a_time_that_is_far_off_keeps_nothing_out_of_the_tree(pit: Pit) -> None:
    pit.rounds("T8", 1, seal=False)
    assert signed(pit, NOW - 1_000_000_000_000) is not None
    assert ("facts", f"T8/{DAY}", 13, pit.writer.days["T8"].sequence) in leaves(pit)


def test_nothing_new_makes_no_head_and_a_clock_put_back_no_earlier_time(pit: Pit) -> None:
    first = signed(pit)
    assert first is not None
    assert signed(pit) is None
    pit.rounds("T7", 1)
    second = signed(pit, NOW - 3_600_000_000)
    assert second is not None
    told = [line for made in (first, second) for line in made.note.split("\n") if line.startswith("time ")]
    assert told[0] == told[1]


def test_the_close_of_the_property_s_day_is_told_once_and_makes_a_head_due(pit: Pit) -> None:
    signed(pit)
    with at_work(RecordOptions(pit.folder, None, None)) as work:
        work.read(NOW)
        assert not work.due
        pit.closed()
        work.read(NOW)
        assert work.due
        made = work.checkpoint(NOW)
        assert made is not None
        assert made.days == (DAY,)
        assert not work.due
    pit.rounds("T7", 1)
    again = signed(pit)
    assert again is not None
    assert again.days == ()
    with open_keeper(pit.folder) as keeper:
        assert keeper.closes() == {made.size: (DAY,)}


def test_a_close_in_a_table_s_stream_closes_no_day_of_the_property(pit: Pit) -> None:
    """No gateway takes one there now; one of an earlier version did."""
    signed(pit)
    closed = PropertyClosed(at=START + 1_000_000, source="T7-pit", source_key="close", stream="T7")
    with at_work(RecordOptions(pit.folder, None, None)) as work:
        pit.say(closed)
        pit.seal("T7")
        work.read(NOW)
        assert not work.due
        made = work.checkpoint(NOW)
        assert made is not None
        assert made.days == ()


def test_a_gap_ends_a_leaf_and_what_fills_it_late_is_a_leaf_of_its_own(pit: Pit) -> None:
    name = f"T7/{DAY}"
    pit.rounds("T7", 2)
    records = pit.stream(name)
    missing = records.pop(4)
    with pit.log.recorder(0).datastore.transaction(commit=True) as c:
        c.execute("DELETE FROM facts WHERE originator_id=? AND originator_version=5", (name,))
    signed(pit)
    mine = [leaf[2:] for leaf in leaves(pit) if leaf[1] == name]
    assert mine == [(1, 4), (6, len(records) + 1)]
    pit.log.append_once([place_of(missing)])
    signed(pit, LATER)
    assert [leaf[2:] for leaf in leaves(pit) if leaf[1] == name] == [*mine, (5, 5)]


def test_a_repeat_changes_nothing_and_bytes_without_a_place_are_counted(pit: Pit, tmp_path: Path) -> None:
    class Repeating:
        """A log as Kafka may be: the same record twice, and bytes that are nothing."""

        def drain(self, after: object) -> Iterator[tuple[int, list[tuple[int, bytes]]]]:
            found = [each for one in pit.log.drain({}) for each in one.facts]
            yield 0, [(at, stored) for at, (_, stored) in enumerate([pair for one in found for pair in (one, one)], 1)]
            yield 0, [(10_000, b"\xff"), (10_001, b"{}"), (10_002, b'{"stream":"a/b","sequence":0,"type":"x"}')]

    plain = LogSource("facts", pit.log)
    doubled = LogSource("facts", Repeating())  # type: ignore[arg-type] - as much of a log as is asked for
    with open_keeper(pit.folder) as keeper:
        told = []
        for source in (plain, doubled):
            gatherer = Gatherer(source, keeper.tree, {})
            gatherer.read(NOW)
            told.append(gatherer.ready(NOW))
    assert told[0] == told[1]
    assert (plain.placeless, doubled.placeless) == (0, 3)


class Dying:
    """A tree's `put` that is killed when it was begun or ended so many times."""

    def __init__(self, tree: TreeFile, after: int) -> None:
        self._put, self._left = tree.put, after

    def __call__(self, type_: EntryType, stored: bytes) -> None:
        self._step()
        self._put(type_, stored)
        self._step()

    def _step(self) -> None:
        self._left -= 1
        if self._left == 0:
            raise KeyboardInterrupt


def test_a_keeper_killed_at_any_step_goes_on_and_the_tree_is_as_it_was(
    pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed(pit)
    for table in TABLES:
        pit.rounds(table, 1)
    for number in range(1, 40):
        with at_work(RecordOptions(pit.folder, None, None)) as work:
            work.read(NOW)
            before = work.keeper.tree.size
            monkeypatch.setattr(work.keeper.tree, "put", Dying(work.keeper.tree, number))
            try:
                made = work.checkpoint(NOW)
            except KeyboardInterrupt:
                assert work.keeper.tree.size == before
                continue
            assert made is not None
            assert (number, made.size) == (7, before + 2)  # two leaves and a head, begun and ended
            return
    pytest.fail("no try went through")


@pytest.mark.parametrize("more", [0, 2])
def test_a_keeper_without_a_hold_puts_nothing_in_that_another_put_in(pit: Pit, more: int) -> None:
    """Whatever happened to the hold: also where this keeper's stretch ends behind the other's."""
    place = RecordOptions(pit.folder, None, None)
    signed(pit)
    pit.rounds("T7", 1)
    with ExitStack() as opened:
        log = opened.enter_context(closing(published_log(data=pit.folder, kafka=None)))
        works = [
            Work(opened.enter_context(open_keeper(pit.folder)), Sources(place, opened), log) for _ in ("one", "other")
        ]
        for work in works:
            work.read(NOW)
        assert works[0].checkpoint(NOW) is not None
        before = leaves(pit)
        pit.rounds("T7", more)
        works[1].read(NOW)
        with pytest.raises(TreeTroubleError, match="another keeper"):
            works[1].checkpoint(NOW)
    assert leaves(pit) == before


def test_the_tree_only_grows(pit: Pit) -> None:
    signed(pit)
    column = {"entries": "stored", "leaves": "stored", "nodes": "hash", "heads": "note", "keys": "note"}
    with sqlite3.connect(pit.folder / TREE_FILE) as db:
        for table, value in column.items():
            for words in (f"DELETE FROM {table}", f"UPDATE {table} SET {value}=NULL"):  # noqa: S608 - ours
                with pytest.raises(sqlite3.IntegrityError, match="only grows"):
                    db.execute(words)


def test_a_tree_altered_behind_its_back_is_not_opened(pit: Pit) -> None:
    signed(pit)
    with sqlite3.connect(pit.folder / TREE_FILE) as db:
        db.execute("DROP TRIGGER nodes_UPDATE")
        db.execute("UPDATE nodes SET hash=zeroblob(32) WHERE level=1")
    with pytest.raises(TreeTroubleError, match="not the signed one"), open_keeper(pit.folder):
        pass


def test_what_is_published_is_the_tree_and_nothing_else(pit: Pit) -> None:
    signed(pit)
    pit.rounds("T7", 1)
    signed(pit)
    log = published_log(data=pit.folder, kafka=None)
    with open_keeper(pit.folder) as keeper:
        assert list(published(log)) == keeper.tree.entries(0)
    log.close()


def test_a_head_that_was_not_published_is_published_by_the_next_keeper(pit: Pit) -> None:
    signed(pit)
    pit.rounds("T7", 1)
    with open_keeper(pit.folder) as keeper:
        gatherers = keeper.gatherers([LogSource("facts", pit.log)])
        gatherers[0].read(NOW)
        assert keeper.checkpoint(gatherers, NOW) is not None
    assert signed(pit) is None
    log = published_log(data=pit.folder, kafka=None)
    with open_keeper(pit.folder) as keeper:
        assert list(published(log)) == keeper.tree.entries(0)
    log.close()


def test_an_older_copy_of_the_tree_is_refused_and_writes_nothing(pit: Pit) -> None:
    signed(pit)
    older = (pit.folder / TREE_FILE).read_bytes()
    pit.rounds("T7", 1)
    signed(pit)
    (pit.folder / TREE_FILE).write_bytes(older)
    with pytest.raises(TreeTroubleError, match="older copy"):
        signed(pit)


def test_a_rotated_key_signs_what_comes_and_the_note_leads_to_it_from_the_first(pit: Pit) -> None:
    signed(pit)
    with open_keeper(pit.folder) as keeper:
        first = keeper.key
        told = keeper.rotate(KeyStore(pit.folder / KEYS), NOW)
        assert followed(first, keeper.rotations(), verify) == [told]
    pit.rounds("T7", 1)
    made = signed(pit)
    assert made is not None
    assert told.key != first
    assert set(check(parsed_note(made.note), [first, told.key], verify)) == {told.key}
    with open_keeper(pit.folder) as keeper:
        assert [keeper.head(size).checkpoint.size for size in keeper.sizes()] == keeper.sizes()


def test_the_public_key_and_the_signature_of_the_keeper_belong_together(pit: Pit) -> None:
    with open_keeper(pit.folder) as keeper:
        assert verify(keeper.public(), keeper.sign(b"an export"), b"an export")
        assert keeper.origin == NAME


def test_the_same_record_gives_the_same_tree_wherever_it_is_read(
    pit: Pit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The positions of a log are in no leaf: a copy in another order of streams comes to the same root."""
    pit.rounds("T8", 3)
    signed(pit)
    elsewhere = tmp_path_factory.mktemp("copy")
    copy = SqliteLog(elsewhere / "facts.sqlite", create=True)
    for name in sorted((f"{owner}/{DAY}" for owner in (*TABLES, "property")), reverse=True):
        copy.append([place_of(stored) for stored in pit.stream(name)])
    begin(elsewhere, NAME, NOW)
    with open_keeper(elsewhere) as other, open_keeper(pit.folder) as keeper:
        gatherers = other.gatherers([LogSource("facts", copy)])
        gatherers[0].read(NOW)
        made = other.checkpoint(gatherers, NOW)
        assert made is not None
        here = parsed_checkpoint(parsed_note(keeper.note(keeper.sizes()[-1])).text)
        assert parsed_checkpoint(parsed_note(made.note).text).root == here.root
    copy.close()


def opens(folder: Path) -> Keeper:
    with open_keeper(folder) as keeper:
        return keeper


def test_no_tree_is_made_by_looking_for_one(tmp_path: Path) -> None:
    with pytest.raises(TreeTroubleError, match="there is no tree"):
        opens(tmp_path)
    assert not (tmp_path / TREE_FILE).exists()
