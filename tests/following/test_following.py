"""Every subscriber hears each stream's chain, in order and once, whatever is wrong with the log and its order."""

import pytest

from domain.facts.codec import decode, readable
from domain.facts.envelope import Fact
from domain.facts.streams import owner
from domain.following import Follower, Stream, UnansweredError, Usual, chained, links, never
from tests.watching.memory import Counting, MemoryLog
from tests.watching.pits import Pit, delay, fork, junk, lose, open_late, repeat, spoilt, unchain

KINDS = (repeat, delay, fork, unchain, junk, lose, open_late)
SEEDS = range(1, 7)


class Told:
    """One stream's listener: it keeps what it hears."""

    def __init__(self, name: str, said: list[str], fails_at: int) -> None:
        self.facts: list[Fact] = []
        self.done = False
        self.name = name
        self.said = said
        self.fails_at = fails_at

    def next(self, fact: Fact, own: str) -> None:
        if fact.sequence == self.fails_at:
            raise RuntimeError("a fault of ours")
        self.facts.append(fact)

    def usual(self) -> Usual:
        return never

    def not_calm(self, fact: Fact) -> None:
        raise AssertionError(fact)

    def gives_up(self, fact: Fact, error: Exception) -> None:
        self.done = True
        self.said.append(f"{fact.id} {error}")

    def comes_then(self, fact: Fact) -> None:
        assert fact.sequence > self.fails_at

    def forked(self, fact: Fact, stored: bytes | None) -> None:
        self.said.append(f"{fact.id} forked")

    def missing(self, before: Fact, taking: Fact) -> None:
        self.said.append(f"{before.id} missing before")

    def whole(self, taking: Fact) -> None:
        self.said.append(f"{self.name} whole")


class Heard:
    """A log followed from its beginning to its end."""

    def __init__(self, log: MemoryLog, fails_at: int = 0) -> None:
        self.told: dict[str, Told] = {}
        self.late_ones: list[Fact] = []
        self.said: list[str] = []
        self.spoilt = 0
        self.fails_at = fails_at
        at = {0: 0}
        follower = Follower(self, lambda stream: log.stream_before(stream, at[0]), at)
        follower.take(log.read(0, 0, len(log.stored)))

    @property
    def facts(self) -> dict[str, list[Fact]]:
        return {name: told.facts for name, told in self.told.items()}

    def passes(self, fact: Fact) -> bool:
        return False

    def begins(self, stream: Stream[Told], fact: Fact, *, known: bool) -> None:
        assert not known
        stream.listener = self.told[stream.name] = Told(stream.name, self.said, self.fails_at)

    def lets_go(self, stream: Stream[Told]) -> None:
        pass

    def late(self, fact: Fact, stored: bytes, own: str) -> None:
        self.late_ones.append(fact)

    def unreadable(self, stored: bytes, says: str) -> None:
        self.spoilt += 1

    def awaited(self) -> None:
        raise AssertionError

    def taken(self, stream: Stream[Told] | None) -> None:
        pass


def by_definition(log: MemoryLog, stream: str) -> list[Fact]:
    """The chain of everything the log holds of a stream."""
    return [link.fact for link in chained(links(readable(log.stream_before(stream, len(log.stored) + 1))))]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_newest_days_are_heard_as_the_chains_the_log_holds_in_the_end(seed: int) -> None:
    log = MemoryLog(spoilt(seed, Pit(seed, tables=3, days=1, rounds=3).record(), times=12, kinds=KINDS))
    heard = Heard(log)
    assert len(heard.facts) == 4
    for stream, facts in heard.facts.items():
        assert facts == by_definition(log, stream), stream


def test_a_gap_is_told_once_and_that_it_is_filled() -> None:
    stored = Pit(3, tables=1, days=1, rounds=2, corrections=0).record()
    places = [place for place, each in enumerate(stored) if owner(decode(each).stream) == "T1"]
    late = stored[places[4]]
    heard = Heard(MemoryLog([each for each in stored if each != late] + [late, late]))
    assert heard.said == ["T1/2026-11-18:6 missing before", "T1/2026-11-18 whole"]


def test_a_second_fact_at_a_place_is_told_once_and_a_repeat_never() -> None:
    stored = Pit(3, tables=1, days=1, rounds=2, corrections=0).record()
    place = next(place for place, each in enumerate(stored) if b'"sequence":9,' in each or b'"sequence":9}' in each)
    other = stored[place].replace(b'"source_key":"', b'"source_key":"other ')
    heard = Heard(MemoryLog([*stored, other, stored[place], other]))
    assert [says.rpartition(" ")[2] for says in heard.said] == ["forked"]


def test_what_comes_of_a_day_before_its_tables_newest_is_told_apart() -> None:
    stored = Pit(3, tables=1, days=2, rounds=2, corrections=0).record()
    late = next(each for each in stored if decode(each).id == "T1/2026-11-18:5")
    heard = Heard(MemoryLog([each for each in stored if each != late] + [late]))
    assert [fact.id for fact in heard.late_ones] == ["T1/2026-11-18:5"]


def test_bytes_that_are_no_fact_are_told_and_everything_else_is_heard() -> None:
    stored = Pit(3, tables=1, days=1, rounds=2, corrections=0).record()
    clean, wrong = Heard(MemoryLog(stored)), Heard(MemoryLog(spoilt(3, stored, times=5, kinds=(junk,))))
    assert wrong.spoilt == 5
    assert wrong.facts == clean.facts


def test_a_listener_that_fails_hears_nothing_more_and_the_other_streams_go_on() -> None:
    log = MemoryLog(Pit(3, tables=2, days=1, rounds=2, corrections=0).record())
    whole, failing = Heard(log), Heard(log, fails_at=30)
    assert failing.said == [f"{stream}:30 a fault of ours" for stream in ("T2/2026-11-18", "T1/2026-11-18")]
    for stream, facts in whole.facts.items():
        assert failing.facts[stream] == facts[:29]


@pytest.mark.parametrize("stretch", [1, 2, 7])
def test_a_stream_that_is_sent_twice_is_read_again_once(stretch: int) -> None:
    """Whether each fact is repeated at once or a few facts later; and a second fact at a place is still found."""
    stored = Pit(3, tables=1, days=1, rounds=4, corrections=0).record()
    stored = [each for each in stored if owner(decode(each).stream) == "T1"]
    other = stored[20].replace(b'"source_key":"', b'"source_key":"other ')
    parts = [stored[at : at + stretch] for at in range(0, len(stored), stretch)]
    log = Counting([*(each for part in parts for each in (*part, *part)), other, other])
    assert Heard(log).said == ["T1/2026-11-18:21 forked"]
    assert log.read_again <= 2 * len(stored)


def test_a_record_that_cannot_be_read_is_no_fault_of_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the listener reads it for a fact that changes only the current round."""
    log = MemoryLog(Pit(3, tables=1, days=1, rounds=1, corrections=0).record())

    def unread(_: Told) -> Usual:
        def usual(_: Fact) -> bool:
            raise UnansweredError("T1/2026-11-18 cannot be read")

        return usual

    monkeypatch.setattr(Told, "usual", unread)
    with pytest.raises(UnansweredError):
        Heard(log)
