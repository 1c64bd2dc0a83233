"""A watcher stopped anywhere, taken over by another, or doubled: the findings log holds what one undisturbed writes."""

import random
from collections.abc import Sequence

import msgspec
import pytest

from consumers.logs.log import StoredFact
from domain.facts.codec import decode as decode_fact
from domain.facts.envelope import Fact
from domain.facts.watching import Corrected
from domain.following import Link, chained
from domain.ledger.chain import digest
from domain.simulation.scripted import day
from domain.simulation.table import NOON
from domain.watch.record import decode
from tests.projecting.sites import read_as
from tests.watching.memory import MemoryLog, Watched, undisturbed
from tests.watching.pits import Pit, Strange, delay, junk, lose, open_late, repeat, spoilt

PITS = [pytest.param(seed, how, id=f"{how} {seed}") for seed in range(4) for how in ("whole", "spoilt", "late")]
PITS.append(pytest.param(12, "late", id="late 12"))  # a day's first fact in the log is its thirty-fifth
# Where a watcher that is behind another took what that one wrote by later facts for old:
PITS.append(pytest.param(1006, "late", id="late 1006"))
PITS += [pytest.param(seed, "strange", id=f"strange {seed}") for seed in (3, 5)]
PITS += [pytest.param(seed, "begun late", id=f"begun late {seed}") for seed in (1012, 1018, 1021, 1029, 1037)]


def record(seed: int, how: str) -> list[bytes]:
    """A small pit's record; of every second one, a table stops sealing now and then and another never begins.

    One that is late has days that get facts when they are over, many corrections of still earlier days among them; in
    a strange one most corrections cannot be read; of one that is begun late most days have others of their facts, or
    later days, in the log before their first one.
    """
    if how == "begun late":
        told = Pit(seed, days=3, rounds=2, corrections=4).record()
        return spoilt(seed, spoilt(seed, told, times=4, kinds=(open_late,)), times=6, kinds=(delay, repeat))
    if how == "strange":
        told = Strange(seed, days=3, rounds=2, corrections=6).record()
        return spoilt(seed, told, times=10, kinds=(delay, repeat))
    if how == "late":
        told = Pit(seed, tables=1, days=3, rounds=2, corrections=6).record()
        return spoilt(seed, told, times=10, kinds=(delay, repeat))

    def seals(fact: Fact) -> bool:
        return fact.stream.startswith("T1") and (fact.at // 100_000_000 + seed) % 2 == 0

    told = Pit(seed, days=3, rounds=2, seals=seals if seed % 2 else None, keys=("T2",) if seed % 2 else ()).record()
    return spoilt(seed, told) if how == "spoilt" else told


def by_stream(stored: Sequence[bytes]) -> dict[str, list[Fact]]:
    """The chain of each stream, as a reader of a findings log believes it."""
    streams: dict[str, list[Link]] = {}
    for each in stored:
        streams.setdefault(decode(each).stream, []).append(Link(decode(each), digest(each)))
    return {name: [link.fact for link in chained(links)] for name, links in streams.items()}


@pytest.mark.parametrize(("seed", "how"), PITS)
def test_it_writes_the_same_at_once_and_as_facts_come(seed: int, how: str) -> None:
    facts = record(seed, how)
    assert Watched(MemoryLog(facts)).take().findings.stored == undisturbed(facts)


@pytest.mark.parametrize(("seed", "how"), PITS)
def test_killed_anywhere_again_and_again_while_facts_come_it_writes_what_an_undisturbed_one_writes(
    seed: int, how: str
) -> None:
    """Some of the records it appended last may be missing; the record of facts grows meanwhile."""
    facts = record(seed, how)
    chance = random.Random(seed)  # noqa: S311 - the same kills every time
    log, findings = MemoryLog(), MemoryLog(name="findings")
    told = 0
    while told < len(facts):
        told = min(len(facts), told + chance.randint(0, 100))
        log.stored, there = facts[:told], len(findings.stored)
        Watched(log, findings).take(chance.randint(0, len(facts) // 3))
        if len(findings.stored) > there and chance.random() < 0.7:
            del findings.stored[chance.randint(there, len(findings.stored)) :]
    Watched(log, findings).take()
    assert findings.stored == undisturbed(facts)


class Unguarded(MemoryLog):
    """A log that takes whatever it is given, as Kafka does of two writers at once."""

    def append_once(self, facts: Sequence[StoredFact]) -> list[int]:
        return self.append(facts)


@pytest.mark.parametrize(("seed", "how"), PITS)
def test_watchers_that_have_a_partition_at_once_write_the_same_bytes(seed: int, how: str) -> None:
    """Old owners that do not know yet that they are none write on beside the new one."""
    facts = record(seed, how)
    chance = random.Random(seed)  # noqa: S311 - the same turns every time
    log, findings = MemoryLog(), Unguarded(name="findings")
    watchers: list[Watched] = []
    step = chance.choice((5, 20, 60))
    for told in range(0, len(facts) + step, step):
        log.stored = facts[:told]
        if (len(watchers) < 4 and chance.random() < 0.5) or not watchers:
            watchers.append(Watched(log, findings))
        for watcher in chance.sample(watchers, chance.randint(1, len(watchers))):
            watcher.take(chance.randint(0, 4 * step))
    for watcher in watchers:
        watcher.take()
    assert by_stream(findings.stored) == by_stream(undisturbed(facts))
    assert len(set(findings.stored)) == len(undisturbed(facts)), "a repeat has other bytes than the first"


@pytest.mark.parametrize("after", [1, 30])
def test_a_fact_that_came_before_its_stream_began_counts_for_who_takes_over(after: int) -> None:
    """Whatever the new watcher has read by the time the stream's first fact comes, that one is known to it."""
    told = Pit(0, tables=1, days=2, rounds=2, corrections=0).record()
    begins = next(place for place, stored in enumerate(told) if b'"T1/2026-11-19","sequence":1}' in stored)
    early = told.pop(begins + 5)
    facts = [early, *told]
    log, findings = MemoryLog(facts[: begins - after]), MemoryLog(name="findings")
    Watched(log, findings).take()
    second = Watched(log, findings)
    log.stored = facts
    second.take()
    assert findings.stored == undisturbed(facts)


def test_who_takes_over_tells_of_a_correction_what_was_known_when_it_came() -> None:
    """The corrected fact came later, and is a correction itself; a fact of its own day comes before the first."""
    pit = Pit(0, tables=1, days=1, rounds=2, corrections=1)
    told = pit.record()
    about = next(fact for fact in pit.told["T1"] if isinstance(fact, Corrected))
    late = next(stored for stored in told if decode_fact(stored) == about)
    told.remove(late)
    opened = day("COL", rounds=1, table="T1", gaming_day="2026-11-19", opens_at=NOON + 86_400_000_000)[:-1]
    today = [stored for fact in (*opened[:20], read_as(about, 5_00)) for stored in pit._placed(fact)]
    rest = [stored for fact in opened[20:] for stored in pit._placed(fact)]
    facts = [*told, today.pop(4), *today, late, *rest]
    log, findings = MemoryLog(facts[:-1]), MemoryLog(name="findings")
    Watched(log, findings).take()
    log.stored = facts
    Watched(log, findings).take()
    assert findings.stored == undisturbed(facts)


def test_who_takes_over_keeps_what_a_late_fact_of_the_day_before_withdrew() -> None:
    """The earlier day is not folded again; a fact of today that waits behind a gap is not the last fact told."""
    facts = spoilt(11, Pit(11, tables=4, rounds=3, days=2).record(), kinds=(delay, junk, lose))
    wanted = undisturbed(facts)
    for told in (1150, 1180, 1210):
        log, findings = MemoryLog(facts[:told]), MemoryLog(name="findings")
        Watched(log, findings).take()
        log.stored = facts
        Watched(log, findings).take()
        assert findings.stored == wanted, told


def test_each_findings_stream_is_one_chain_that_names_its_facts() -> None:
    facts = record(1, "spoilt")
    for name, records in by_stream(undisturbed(facts)).items():
        assert [each.sequence for each in records] == list(range(1, len(records) + 1))
        assert {each.stream for each in records} == {name}


def test_who_begins_reads_the_last_days_of_the_findings_and_no_more() -> None:
    """Years of findings cost a watcher that takes a partition over nothing."""
    told = Pit(5, days=12, rounds=2, corrections=1).record()
    log, findings = MemoryLog(told), MemoryLog(name="findings")
    Watched(log, findings).take()
    year = [_dated(stored, day) for day in range(40) for stored in findings.stored * 3]
    findings.stored = year + findings.stored
    findings.reads = 0
    begun = Watched(log, findings)
    assert findings.reads < len(year) / 2
    assert begun.begins > len(told) * 0.8, "it folds the newest day and not the years before it"


def _dated(stored: bytes, day: int) -> bytes:
    """The same as a record of years ago."""
    record = decode(stored)
    old = f"{record.stream.partition('/')[0]}/{2020 + day // 12}-{day % 12 + 1:02}-01"
    return msgspec.json.encode(msgspec.structs.replace(record, stream=old))
