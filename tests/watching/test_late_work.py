"""The work for facts that come after their table's next day began: each day is read once and folded once."""

from collections.abc import Callable, Sequence

import msgspec
import pytest

from domain.facts.codec import decode
from domain.facts.envelope import Fact
from domain.facts.payments import WagerCollected, WagerPaid, WagerReturned
from domain.facts.streams import owner
from domain.simulation.scripted import day
from domain.simulation.table import NOON
from domain.watch.pairs_following import PairsWatch
from domain.watch.record import FindingRaised, apply
from domain.watch.record import decode as record_of
from domain.watch.verifier import FindingChange, Verifier
from tests.projections.folded import Folding
from tests.watching.memory import Counting, MemoryLog, Watched, undisturbed
from tests.watching.pits import Pit

Patch = pytest.MonkeyPatch


def late_days(stored: Sequence[bytes]) -> list[list[bytes]]:
    """The tables' first days; each table's later facts, and its first day's opening, are in the list before them."""
    days: dict[str, list[bytes]] = {}
    for each in stored:
        days.setdefault(decode(each).stream, []).append(each)
    first: dict[str, str] = {}
    for name in sorted(days):
        first.setdefault(owner(name), name)
    now = [each for name in first.values() for each in days[name][:1]]
    now += [each for name, facts in days.items() if name not in first.values() for each in facts]
    return [now, *(days[name][1:] for name in first.values())]


def in_turns() -> list[bytes]:
    """Two tables whose first days come after their second ones have begun, fact by fact in turns."""
    now, one, other, _ = late_days(Pit(3, tables=2, days=2, rounds=4, corrections=0).record())
    openings = [each for each in now if decode(each).sequence == 1]
    return [*openings, *(each for pair in zip(one, other, strict=False) for each in pair)]


def watch(log: Counting) -> None:
    Watched(log).take()


def pairs(log: Counting) -> None:
    at = {0: 0}
    PairsWatch(lambda _: None, lambda name: log.stream_before(name, at[0]), at).take(log.read(0, 0, len(log.stored)))


def rows(log: Counting) -> None:
    folding = Folding(())
    folding.log = log
    folding.begin()
    folding.take()


@pytest.mark.parametrize("reads", [watch, pairs, rows])
def test_late_facts_of_two_tables_in_turns_read_no_day_again(reads: Callable[[Counting], None]) -> None:
    log = Counting(in_turns())
    reads(log)
    assert log.read_again < len(log.stored)


def test_a_late_day_is_folded_once_however_many_rounds_it_has(monkeypatch: Patch) -> None:
    now, late, _ = late_days(Pit(3, tables=1, days=2, rounds=12, corrections=0).record())
    folded, takes = 0, Verifier.take

    def take(verifier: Verifier, fact: Fact) -> list[FindingChange]:
        nonlocal folded
        folded += 1
        return takes(verifier, fact)

    monkeypatch.setattr(Verifier, "take", take)
    Watched(MemoryLog([*now, *late])).take()
    assert folded <= len(now) + len(late)


@pytest.mark.parametrize("seed", range(4))
def test_a_late_day_is_judged_with_its_corrections_like_one_in_order(seed: int) -> None:
    """Corrections in it are about facts that are folded already; corrections in the next day come before them."""
    stored = Pit(seed, tables=1, days=2, rounds=4, corrections=6).record()
    now, late, office = late_days(stored)
    delayed = [*office, *now, *late]
    assert standing(delayed) == standing([*office, *sorted({*now, *late}, key=stored.index)])
    assert Watched(MemoryLog(delayed)).take().findings.stored == undisturbed(delayed)


def standing(stored: Sequence[bytes]) -> set[str]:
    """The findings in the end."""
    found: dict[str, object] = {}
    for record in Watched(MemoryLog(stored)).take().findings.stored:
        apply(found, record_of(record))  # type: ignore[arg-type]
    return set(found)


def dollars_of(fact: Fact) -> Fact:
    """A payout in dollars instead of cents."""
    if not isinstance(fact, WagerPaid | WagerCollected | WagerReturned):
        return fact
    return msgspec.structs.replace(fact, cents=max(1, fact.cents // 100) if fact.cents else fact.cents)


def in_dollars() -> list[list[bytes]]:
    """Two days of a table; the first one's payouts are in dollars."""
    pit, days = Pit(1, tables=1, days=2), []
    for number, gaming_day in enumerate(pit.days):
        told: list[bytes] = []
        for fact in day(
            "UTH-MD", rounds=20, table="T1", gaming_day=gaming_day, opens_at=NOON + number * 86_400_000_000
        ):
            told += pit._placed(fact if number else dollars_of(fact))
        days.append(told)
    return days


def test_a_doubtful_feed_is_found_in_a_late_day_too() -> None:
    first, second = in_dollars()
    delayed = [first[0], second[0], *first[1:], *second[1:]]
    assert standing(delayed) == standing([*first, *second])
    watched = Watched(MemoryLog(delayed)).take()
    raised = [each for each in map(record_of, watched.findings.stored) if isinstance(each, FindingRaised)]
    assert [each.stream for each in raised if each.code == "feed-doubtful"] == ["T1/2026-11-18"]
    for stops in range(1, len(delayed), 293):  # in both days, amid rounds
        log, findings = MemoryLog(delayed[:stops]), MemoryLog(name="findings")
        Watched(log, findings).take()
        log.stored = delayed
        assert Watched(log, findings).take().findings.stored == watched.findings.stored, stops
