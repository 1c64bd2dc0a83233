"""Promises of every log. A log's own test module inherits `LogContract` and says how to make one."""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from time import monotonic

import pytest
from eventsourcing.persistence import IntegrityError

from consumers.logs import Log, StoredFact, place_of
from consumers.logs.log import Placed
from domain.facts.streams import owner
from tests.logs.numbered import crowd, numbered, run

Open = Callable[[], Log]  # the same log again, as another process would open it

DAY = "2026-11-18"
T7 = f"T7/{DAY}"


def everything(log: Log) -> list[bytes]:
    """All stored bytes of a log, partition by partition."""
    return [stored for partition in log.partitions for _, stored in log.read(partition, 0, 1_000_000)]


def batches(facts: Iterable[StoredFact], size: int) -> Iterator[list[StoredFact]]:
    """Facts in batches of that size."""
    rest = iter(facts)
    while batch := list(islice(rest, size)):
        yield batch


def partition_of(log: Log, stored: bytes) -> int:
    """The partition a fact stands in."""
    return next(each for each in log.partitions if any(held == stored for _, held in log.read(each, 0, 1_000_000)))


class LogContract:
    """Every test gets `open_again`, which opens the same, at first empty log each time it is called."""

    FEWEST_PARTITIONS = 1
    CROWD = 300_000

    @pytest.fixture
    def log(self, open_again: Open) -> Log:
        return open_again()

    def bytes_read(self, log: Log) -> int:
        """Bytes this log has taken from disk or network since it was opened."""
        raise NotImplementedError

    def most_bytes(self, stream_facts: int, facts_between: int, whole: int) -> int:
        """The most bytes that reading a stream may take: its facts, all from its first to its last, the whole log."""
        raise NotImplementedError

    def fill(self, log: Log, facts: Iterable[StoredFact]) -> None:
        """Append very many facts."""
        for batch in batches(facts, 50_000):
            log.append(batch)

    def test_an_empty_log_has_nothing(self, log: Log) -> None:
        assert len(log.partitions) >= self.FEWEST_PARTITIONS
        assert log.append([]) == log.append_once([]) == []
        assert [log.last_position(partition) for partition in log.partitions] == [0] * len(log.partitions)
        assert everything(log) == list(log.drain({})) == log.read_stream(T7) == []

    def test_what_is_appended_is_read_back_to_the_byte_at_the_positions_told(self, log: Log) -> None:
        facts = run(T7, 1, 50)
        positions = log.append(facts[:20]) + log.append(facts[20:])
        assert positions == sorted(set(positions))
        assert positions[0] >= 1
        partition = partition_of(log, facts[0].stored)
        assert log.read(partition, 0, 100) == list(zip(positions, [fact.stored for fact in facts], strict=True))
        assert log.last_position(partition) == positions[-1]

    def test_another_opener_reads_what_was_appended(self, open_again: Open) -> None:
        facts = run(T7, 1, 20)
        first = open_again()
        first.append(facts)
        first.close()
        second = open_again()
        assert everything(second) == second.read_stream(T7) == [fact.stored for fact in facts]

    def test_a_reader_already_open_sees_what_another_appends(self, open_again: Open) -> None:
        reader, writer = open_again(), open_again()
        assert reader.read_stream(T7) == []
        writer.append(run(T7, 1, 3))
        assert reader.read_stream(T7) == [fact.stored for fact in run(T7, 1, 3)]

    def test_a_taken_place_is_refused_and_nothing_of_its_batch_is_appended(self, log: Log) -> None:
        log.append(run(T7, 1, 3))
        for batch in (
            [numbered(T7, 3)],
            [numbered(T7, 4), numbered(T7, 2)],
            [numbered(T7, 4), numbered(T7, 4)],
            [numbered(T7, 3)._replace(stored=b"{}")],
        ):
            with pytest.raises(IntegrityError):
                log.append(batch)
        assert everything(log) == [fact.stored for fact in run(T7, 1, 3)]

    def test_a_place_taken_before_the_log_was_opened_is_refused_too(self, open_again: Open) -> None:
        open_again().append(run(T7, 1, 3))
        with pytest.raises(IntegrityError):
            open_again().append([numbered(T7, 2)])

    def test_the_same_bytes_again_are_harmless_to_append_once(self, log: Log) -> None:
        first = log.append(run(T7, 1, 3))
        assert log.append_once(run(T7, 1, 3)) == first
        both = log.append_once([*run(T7, 2, 5), numbered(T7, 5)])
        assert both[:2] == first[1:]
        assert both[3] == both[4] > both[2] > first[2]
        assert everything(log) == [fact.stored for fact in run(T7, 1, 5)]

    def test_other_bytes_at_a_taken_place_are_refused_by_append_once(self, log: Log) -> None:
        log.append(run(T7, 1, 3))
        other = numbered(T7, 2)._replace(stored=numbered(T7, 2).stored.replace(b"2500", b"2600"))
        for batch in ([other], [numbered(T7, 4), other], [numbered(T7, 4), other._replace(sequence=4)]):
            with pytest.raises(IntegrityError):
                log.append_once(batch)
        assert everything(log) == [fact.stored for fact in run(T7, 1, 3)]

    def test_a_gap_may_be_left_and_filled_later(self, log: Log) -> None:
        """Readers report a gap as a finding; the log keeps the facts it is given."""
        log.append([numbered(T7, 1), numbered(T7, 5)])
        log.append([numbered(T7, 3)])
        assert log.read_stream(T7) == [numbered(T7, sequence).stored for sequence in (1, 3, 5)]

    def test_a_table_keeps_to_one_partition_in_its_order(self, log: Log) -> None:
        facts = list(crowd(20, 400, DAY)) + list(crowd(20, 400, "2026-11-19"))
        for batch in batches(facts, 90):
            log.append(batch)
        homes: dict[str, set[int]] = {}
        order: list[StoredFact] = []
        for partition in log.partitions:
            for _, stored in log.read(partition, 0, 1000):
                fact = place_of(stored)
                homes.setdefault(owner(fact.stream), set()).add(partition)
                order.append(fact)
        assert {len(home) for home in homes.values()} == {1}
        assert len({next(iter(home)) for home in homes.values()}) >= self.FEWEST_PARTITIONS
        for table in homes:
            assert [one for one in order if owner(one.stream) == table] == [
                one for one in facts if owner(one.stream) == table
            ]

    def test_reading_on_from_each_position_gives_every_fact_once(self, log: Log) -> None:
        log.append(list(crowd(20, 1000, DAY)))
        for partition in log.partitions:
            whole = log.read(partition, 0, 2000)
            pieces: list[Placed] = []
            while piece := log.read(partition, pieces[-1][0] if pieces else 0, 7):
                pieces += piece
            assert pieces == whole
            assert log.read(partition, log.last_position(partition), 10) == []
        assert Counter(everything(log)) == Counter(fact.stored for fact in crowd(20, 1000, DAY))

    def test_a_partition_that_is_not_there_is_an_error(self, log: Log) -> None:
        with pytest.raises(IndexError):
            log.read(len(log.partitions), 0, 10)
        with pytest.raises(IndexError):
            log.last_position(-1)

    def test_a_drain_ends_where_the_log_ended_when_it_began(self, log: Log) -> None:
        log.append(list(crowd(20, 1000, DAY)))
        drain = log.drain({})
        found = [next(drain)]
        log.append(list(crowd(20, 500, "2026-11-19")))
        found += list(drain)
        drained = [stored for batch in found for _, stored in batch.facts]
        assert Counter(drained) == Counter(fact.stored for fact in crowd(20, 1000, DAY))

    def test_a_drain_begins_behind_the_positions_given(self, log: Log) -> None:
        log.append(list(crowd(20, 300, DAY)))
        marks = {partition: log.last_position(partition) for partition in log.partitions}
        assert list(log.drain(marks)) == []
        log.append(list(crowd(20, 300, "2026-11-19")))
        found = [(batch.partition, fact) for batch in log.drain(marks) for fact in batch.facts]
        assert all(position > marks[partition] for partition, (position, _) in found)
        assert len(found) == 300

    def test_a_drain_left_early_leaves_nothing_behind(self, log: Log) -> None:
        log.append(list(crowd(20, 300, DAY)))
        before = threading.active_count()
        drain = log.drain({})
        next(drain)
        drain.close()  # type: ignore[attr-defined]
        assert threading.active_count() <= before

    def test_a_follower_gets_what_is_there_and_then_what_comes(self, open_again: Open) -> None:
        writer, reader = open_again(), open_again()
        writer.append(run(T7, 1, 100))
        stop = threading.Event()
        followed = reader.follow({}, stop)
        seen: list[bytes] = []
        while len(seen) < 100:
            seen += [stored for _, stored in next(followed).facts]
        for sequence in range(101, 106):
            writer.append([numbered(T7, sequence)])
            began = monotonic()
            seen += [stored for _, stored in next(followed).facts]
            assert monotonic() - began < 2
        assert seen == [fact.stored for fact in run(T7, 1, 105)]
        stop.set()
        assert list(followed) == []

    def test_a_follower_that_waits_ends_soon_after_it_is_stopped(self, log: Log) -> None:
        stop = threading.Event()
        timer = threading.Timer(0.2, stop.set)
        timer.start()
        began = monotonic()
        assert list(log.follow({}, stop)) == []
        assert monotonic() - began < 3
        timer.join()

    def test_a_stream_is_told_from_its_neighbours(self, log: Log) -> None:
        streams = [T7, "T7/2026-11-19", f"T70/{DAY}", f"property/{DAY}"]
        for sequence in (1, 2, 3):
            log.append([numbered(stream, sequence) for stream in streams])
        for stream in streams:
            assert log.read_stream(stream) == [fact.stored for fact in run(stream, 1, 3)]
        assert log.read_stream("T7") == log.read_stream(f"T7/{DAY} ") == []

    def test_the_streams_of_a_table_and_where_each_begins(self, log: Log) -> None:
        """Days of T7 are kept apart from T70's, in the order of the days; a stream begins at its first fact."""
        for sequence in (1, 2):
            for stream in ("T7/2026-11-19", f"T70/{DAY}", T7):
                log.append([numbered(stream, sequence)])
        assert log.streams("T7") == [T7, "T7/2026-11-19"]
        assert log.streams("T8") == []
        assert log.begins("T8/2026-11-18") is None
        began = log.begins(T7)
        assert began is not None
        assert log.read(began.partition, began.position - 1, 1)[0][1] == numbered(T7, 1).stored

    def test_the_newest_days_lie_behind_the_position_told_and_a_strangers_name_is_no_day(self, log: Log) -> None:
        """A reader of several tables begins there: a day too late, and two tables' acts are never compared."""
        days = ["2026-11-16", "2026-11-17", DAY]
        names = [name for day in days for name in (f"T7/{day}", f"T8/{day}", "T7/zebra", f"T 7/{day}")]
        log.append([numbered(name, number) for number, name in enumerate(names, start=1)])
        behind = log.recent(2)
        assert set(behind) == set(log.partitions)
        for partition, after in behind.items():
            late = [place_of(stored).stream for _, stored in log.read(partition, after, 100)]
            early = [place_of(stored).stream for _, stored in log.read(partition, 0, after)]
            assert not any(name.endswith(tuple(days[1:])) and " " not in name for name in early), (partition, early)
            assert not late or not after or late[0].endswith("11-17"), (partition, late)
        assert sum(behind.values()) > 0, "nothing older is passed over"

    def test_bytes_that_are_no_fact_are_kept_as_they_are(self, log: Log) -> None:
        """Unreadable bytes become a dead letter later; a log loses nothing."""
        odd = [
            StoredFact(T7, 1, "noted.1", b"no json at all \x00\xff"),
            StoredFact(T7, 2, "noted.1", b""),
            StoredFact(T7, 3, "noted.1", b'{"stream":"T9/2026-11-18","sequence":77,"type":"noted.1"}'),
            StoredFact(T7, 4, "noted.1", b'"' + b"long" * 50_000 + b'"'),
        ]
        log.append(odd)
        assert everything(log) == log.read_stream(T7) == [fact.stored for fact in odd]

    def test_the_librarys_recorder_reads_the_same(self, log: Log) -> None:
        facts = run(T7, 1, 30)
        positions = log.append(facts)
        recorder = log.recorder(partition_of(log, facts[0].stored))
        found = recorder.select_notifications(start=positions[4], limit=10)
        assert [(one.id, one.originator_id, one.originator_version, one.topic, one.state) for one in found] == [
            (position, *fact) for position, fact in list(zip(positions, facts, strict=True))[4:14]
        ]
        assert [one.state for one in recorder.select_events(T7, gt=3, lte=6)] == [one.stored for one in facts[3:6]]
        assert [one.originator_version for one in recorder.select_events(T7, desc=True, limit=2)] == [30, 29]

    def test_one_stream_is_read_out_of_a_crowd_for_little(self, open_again: Open) -> None:
        """Facts of other tables lie before the stream, between its facts, and after it."""
        writer = open_again()
        before, between, tables = int(self.CROWD * 0.45), int(self.CROWD * 0.1), 60
        rest = crowd(tables, self.CROWD, DAY)
        self.fill(writer, islice(rest, before))
        wanted = run(T7, 1, 400)
        mixed = (one for fact in wanted for one in (fact, *islice(rest, between // 400)))
        for batch in batches(mixed, 5_000):
            writer.append(batch)
        self.fill(writer, rest)
        began = self.bytes_read(writer)
        assert sum(len(batch.facts) for batch in writer.drain({})) == self.CROWD + 400
        whole = self.bytes_read(writer) - began
        writer.close()
        reader = open_again()
        began = self.bytes_read(reader)
        assert reader.read_stream(T7) == [fact.stored for fact in wanted]
        assert 0 < self.bytes_read(reader) - began <= self.most_bytes(400, between, whole)
