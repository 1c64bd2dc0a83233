"""A record with trouble: the table it befell is marked and waits for what is missing, every other table goes on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from eventsourcing.persistence import OperationalError

from consumers.command import main
from consumers.gateway.quarantine import FORK, UNREADABLE
from consumers.logs.log import StoredFact, place_of
from consumers.logs.sqlite import SqliteLog
from consumers.watching.writing import TAKEN
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.ledger.chain import digest
from domain.watch import findings_stream, late_facts, record_watch, table_watch
from domain.watch.feed_watch import with_counts
from domain.watch.finding import Finding
from domain.watch.record import StreamVerified, apply, decode, encode
from domain.watch.verifier import FindingChange, Verifier
from tests.watching.memory import MemoryLog, Watched, undisturbed
from tests.watching.pits import Pit
from tests.watching.test_kills import Embedded

T1, NEXT = "T1/2026-11-18", "T1/2026-11-19"


@pytest.fixture
def facts() -> list[bytes]:
    """Two tables, two days."""
    return Pit(3, tables=2, days=2, rounds=3).record()


def at(facts: Sequence[bytes], sequence: int, stream: str = T1) -> int:
    """A fact's place."""
    return next(
        n for n, each in enumerate(facts) if (place_of(each).stream, place_of(each).sequence) == (stream, sequence)
    )


def standing(watched: Watched, stream: str = "") -> dict[str, Finding]:
    """The findings at the end, by name; of one stream, if it is named."""
    found: dict[str, Finding] = {}
    for stored in watched.findings.stored:
        apply(found, decode(stored))
    return {name: finding for name, finding in found.items() if stream in ("", finding.stream)}


def of_the_log(watched: Watched) -> list[tuple[str, str, int]]:
    """The findings that stand about the log itself: code, stream and trigger."""
    told = [one for one in standing(watched).values() if one.code.startswith(("record-", "verifier-"))]
    return [(one.code, one.stream, one.trigger) for one in told]


def verified(watched: Watched, stream: str) -> int:
    """The verified length of a stream."""
    marks = [each for each in map(decode, watched.findings.stored) if isinstance(each, StreamVerified)]
    return max((mark.up_to for mark in marks if mark.stream == stream), default=0)


def length(facts: Sequence[bytes], stream: str) -> int:
    """The sequence of a stream's last fact."""
    return max(place_of(each).sequence for each in facts if place_of(each).stream == stream)


def other(stored: bytes) -> bytes:
    """Another fact at the same place, behind the same one."""
    return stored.replace(b'"source_key":"', b'"source_key":"other ')


def unchained(stored: bytes) -> bytes:
    """The same fact naming another hash than the fact before it has."""
    fact = msgspec.json.decode(stored)
    return msgspec.json.encode(fact | {"previous": "f" * 64})


def test_behind_a_gap_a_table_is_not_verified_and_every_other_is(facts: list[bytes]) -> None:
    gone = at(facts, 50)
    cut = at(facts, 1, NEXT)
    watched = Watched(MemoryLog([*facts[:gone], *facts[gone + 1 : cut]])).take()
    assert of_the_log(watched) == [("record-gap", T1, 51)]
    assert verified(watched, T1) < 50
    whole = Watched(MemoryLog(facts[:cut])).take()
    assert standing(watched, "T2/2026-11-18") == standing(whole, "T2/2026-11-18")
    assert verified(watched, "T2/2026-11-18") == verified(whole, "T2/2026-11-18")


@pytest.mark.parametrize("later", [60, 140, 10_000], ids=["soon", "much later", "after the next day began"])
def test_when_what_was_missing_comes_the_stream_is_verified_on_and_the_finding_withdrawn(
    facts: list[bytes], later: int
) -> None:
    gone = at(facts, 50)
    moved = [*facts[:gone], *facts[gone + 1 :]]
    moved.insert(gone + later, facts[gone])
    watched, whole = Watched(MemoryLog(moved)).take(), Watched(MemoryLog(facts)).take()
    assert of_the_log(watched) == []
    assert standing(watched, T1).keys() == standing(whole, T1).keys()
    assert verified(watched, T1) == verified(whole, T1)


def test_a_second_fact_at_a_place_is_a_finding_and_a_dead_letter_and_the_first_is_believed(facts: list[bytes]) -> None:
    place = at(facts, 50)
    doubled = [*facts[: place + 9], other(facts[place]), *facts[place + 9 :]]
    watched, whole = Watched(MemoryLog(doubled)).take(), Watched(MemoryLog(facts)).take()
    assert of_the_log(watched) == [("record-forked", T1, 50)]
    assert [(one.reason, one.stored, one.position) for one in watched.unusable] == [
        (FORK, other(facts[place]), place + 10)
    ]
    assert standing(watched).keys() - standing(whole).keys() == {
        name for name, one in standing(watched).items() if one.code == "record-forked"
    }


def test_a_fact_that_names_another_hash_is_a_finding_and_the_right_one_is_waited_for(facts: list[bytes]) -> None:
    place = at(facts, 50)
    watched = Watched(MemoryLog([*facts[:place], unchained(facts[place])])).take()
    assert of_the_log(watched) == [("record-broken", T1, 50)]
    watched.facts.stored += facts[place:]
    watched.take()
    assert of_the_log(watched) == [("record-forked", T1, 50)]
    assert verified(watched, T1) == verified(Watched(MemoryLog(facts)).take(), T1)


@pytest.mark.parametrize(
    "junk",
    [
        b"",
        b"\x00\xff junk",
        b'{"type":"wager-paid.9"}',
        b'{"type":"noted.1","at":1,"source":"x","source_key":"y","text":"it has no place"}',
        b'{"type":"noted.1","at":1,"source":"x","source_key":"y","text":"x","stream":"../etc","sequence":1}',
    ],
)
def test_what_is_no_fact_or_has_no_place_is_a_dead_letter_and_nothing_else(facts: list[bytes], junk: bytes) -> None:
    watched = Watched(MemoryLog([*facts[:70], junk, *facts[70:]])).take()
    assert watched.findings.stored == undisturbed(facts)
    assert [(one.reason, one.stored, one.position, one.log.name) for one in watched.unusable] == [
        (UNREADABLE, junk, 71, "facts")
    ]


def test_a_stretch_sent_again_after_a_crash_changes_nothing(facts: list[bytes]) -> None:
    cut = at(facts, 1, NEXT) + 3  # a part of it belongs to the day before
    again = [*facts[:cut], *facts[cut - 60 : cut], *facts[cut:]]
    watched = Watched(MemoryLog(again)).take()
    assert watched.findings.stored == undisturbed(facts)
    assert watched.unusable == []


def test_a_fact_written_with_another_tables_key_is_left_to_the_dead_letters(
    facts: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Kafka it stands in another partition, whose watcher must not write about a table that is not its."""
    monkeypatch.setattr(MemoryLog, "home", lambda _, stream: int(stream.startswith("T2")))
    watched = Watched(MemoryLog(facts)).take()
    assert {place_of(stored).stream[:2] for stored in watched.findings.stored} == {"T1"}
    assert {place_of(one.stored).stream[:2] for one in watched.unusable} == {"T2"}


def test_bytes_in_the_findings_log_that_are_no_record_are_dead_letters(facts: list[bytes]) -> None:
    findings = MemoryLog([b"junk"], name="findings")
    watched = Watched(MemoryLog(facts), findings).take()
    assert findings.stored[1:] == undisturbed(facts)
    assert [(one.log.name, one.position, one.stored) for one in watched.unusable] == [("findings", 1, b"junk")]


def test_a_record_another_wrote_into_the_findings_is_believed_and_gone_on_from(facts: list[bytes]) -> None:
    """The log keeps what it was given first; what these detectors find besides is written behind it."""
    half = len(facts) // 3
    findings = MemoryLog(undisturbed(facts[:half]), name="findings")
    last = [stored for stored in findings.stored if place_of(stored).stream == T1][-1]
    mark = decode(last)
    forged = msgspec.structs.replace(mark, sequence=mark.sequence + 1, previous=digest(last), source="another")
    findings.stored.append(encode(forged))
    watched, whole = Watched(MemoryLog(facts), findings).take(), Watched(MemoryLog(facts)).take()
    assert standing(watched) == standing(whole)
    assert Watched(MemoryLog(facts), findings).take().heard == []


@pytest.mark.parametrize("sequence", [1, 4], ids=["the first", "a later one"])
def test_a_record_that_fits_nowhere_stops_one_stream_and_is_named(facts: list[bytes], sequence: int) -> None:
    """The record lies where the next one is due: it is never overwritten, and every other stream continues."""
    blocking = b'{"type":"x","stream":"%b","sequence":%d}' % (T1.encode(), sequence)
    findings, whole = MemoryLog([blocking], name="findings"), undisturbed(facts)
    watched = Watched(MemoryLog(facts), findings).take()
    due = [stored for stored in whole if place_of(stored).stream != T1 or place_of(stored).sequence < sequence]
    assert findings.stored[1:] == due
    told = [one for one in watched.unusable if one.reason == TAKEN]
    assert [(one.log.name, one.position, one.stored) for one in told] == [("findings", 1, blocking)]
    assert f"{T1}:{sequence}" in told[0].says
    assert "catwalk verify-log --table T1 --from 2026-11-18 --to 2026-11-18" in told[0].says
    there = list(findings.stored)
    assert Watched(MemoryLog(facts), findings).take().findings.stored == there, "a new watcher resumes as well"


def test_the_command_names_the_record_that_stops_a_stream(facts: list[bytes], tmp_path: Path) -> None:
    site = Embedded(tmp_path / "pit")
    site.append(facts)
    site.close()
    log = SqliteLog(tmp_path / "pit/record/findings.sqlite", create=True, name="findings")
    log.append([StoredFact(T1, 1, "x", b'{"type":"x","stream":"%b","sequence":1}' % T1.encode())])
    log.close()
    ran = CliRunner().invoke(main, ["watch", "--once", "--data", str(tmp_path / "pit")])
    assert ran.exit_code == 1, ran.output
    assert f"findings/0:1: it is at {T1}:1 of the findings and does not follow the record before it" in ran.stderr
    listed = CliRunner().invoke(main, ["dead-letters", "list", "--data", str(tmp_path / "pit")])
    assert listed.stdout.count("findings/0:1  place taken") == 1


def test_a_record_that_fits_nowhere_among_those_of_two_tables_stops_those_two(facts: list[bytes]) -> None:
    both = "T1+T2/2026-11-19"
    blocking = b'{"type":"x","stream":"%b","sequence":1}' % both.encode()
    findings = MemoryLog([blocking], name="findings")
    watched = Watched(MemoryLog(facts), findings).take().across()
    whole = Watched(MemoryLog(facts)).take().across().findings.stored
    assert any(place_of(stored).stream == both for stored in whole)
    assert findings.stored[1:] == [stored for stored in whole if place_of(stored).stream != both]
    assert "--table T1 --table T2" in next(one.says for one in watched.unusable if one.reason == TAKEN)


def test_a_log_that_cannot_be_read_is_no_fault_of_the_verifier(
    facts: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(*_: Any) -> list[bytes]:
        raise OperationalError("no broker answers")

    watched = Watched(MemoryLog(facts))
    monkeypatch.setattr(MemoryLog, "stream_before", down)
    with pytest.raises(OperationalError, match="no broker"):
        watched.take()
    assert not [stored for stored in watched.findings.stored if b"verifier-stopped" in stored]


ANOTHER = "another"


class Other(Verifier):
    """Detectors of another version, which do not find one thing."""

    LEFT_OUT = "no-more-bets-missing"

    def take(self, fact: Fact) -> list[FindingChange]:
        changes = [change for change in super().take(fact) if change.finding.code != self.LEFT_OUT]
        for name in [name for name, held in self.standing.items() if held.code == self.LEFT_OUT]:
            del self.standing[name]
        return changes


def of_another_version(monkeypatch: pytest.MonkeyPatch, verifier: type[Verifier] = Other) -> None:
    """Watches from now on with other detectors."""
    for module in (findings_stream, table_watch):
        monkeypatch.setattr(module, "VERSION", ANOTHER)
    monkeypatch.setattr(record_watch, "Verifier", verifier)


@pytest.mark.parametrize("seed", range(4))
def test_detectors_of_another_version_write_differences_only(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The open days are compared, days that are over stay as they were judged."""
    facts = Pit(seed, tables=2, days=2, rounds=4, corrections=0).record()
    cut = at(facts, 1, NEXT) + 230
    first = Watched(MemoryLog(facts[:cut])).take()
    before, count = standing(first), len(first.findings.stored)
    open_days = {"T1/2026-11-19", "T2/2026-11-18", "T2/2026-11-19"} - {
        mark.stream for mark in map(decode, first.findings.stored) if getattr(mark, "closed", False)
    }
    of_another_version(monkeypatch)
    Watched(first.facts, first.findings).take()
    new = [decode(stored) for stored in first.findings.stored[count:]]
    gone = {
        name
        for name, one in before.items()
        if one.code == Other.LEFT_OUT and one.stream in open_days and one.trigger <= verified(first, one.stream)
    }
    assert {each.finding for each in new if not isinstance(each, StreamVerified)} == gone  # type: ignore[attr-defined]
    assert {each.detectors for each in new if isinstance(each, StreamVerified)} <= {ANOTHER}
    there = list(first.findings.stored)
    Watched(first.facts, first.findings).take()
    assert first.findings.stored == there, "it writes them once"
    first.facts.stored = facts
    Watched(first.facts, first.findings).take()
    after = [one.trigger for one in standing(first).values() if one.code == Other.LEFT_OUT and one.stream in open_days]
    assert after == []


class Faulty(Verifier):
    """Detectors with a fault of their own at one table's second completed round."""

    def take(self, fact: Fact) -> list[FindingChange]:
        if isinstance(fact, RoundCompleted) and fact.round == 2 and fact.stream == T1:
            raise ZeroDivisionError("division by zero")
        return super().take(fact)


def test_a_fault_in_a_late_day_costs_that_day_alone(facts: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    # The rest of the first day comes when the next day has begun: that day is folded again.
    gone = at(facts, 50)
    moved = [*facts[:gone], *facts[gone + 1 :], facts[gone]]
    whole = Watched(MemoryLog(facts)).take()
    with monkeypatch.context() as patched:
        patched.setattr(late_facts, "_COUNTING", with_counts(Faulty))
        watched = Watched(MemoryLog(moved)).take()
        assert [(code, stream) for code, stream, _ in of_the_log(watched)] == [("verifier-stopped", T1)]
        for other_stream in (NEXT, "T2/2026-11-18", "T2/2026-11-19"):
            assert standing(watched, other_stream) == standing(whole, other_stream)
            assert verified(watched, other_stream) == verified(whole, other_stream)
        there = list(watched.findings.stored)
        assert Watched(watched.facts, watched.findings).take().findings.stored == there


@pytest.mark.parametrize("renamed", [True, False], ids=["another version", "the same version, mended"])
def test_a_fault_of_the_verifier_stops_one_table_until_one_without_it_comes(
    facts: list[bytes], renamed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = at(facts, 1, NEXT)
    whole = Watched(MemoryLog(facts[:cut])).take()
    with monkeypatch.context() as patched:
        patched.setattr(record_watch, "Verifier", Faulty)
        watched = Watched(MemoryLog(facts[:cut])).take()
        assert [(code, stream) for code, stream, _ in of_the_log(watched)] == [("verifier-stopped", T1)]
        assert standing(watched, "T2/2026-11-18") == standing(whole, "T2/2026-11-18")
        there = list(watched.findings.stored)
        assert Watched(watched.facts, watched.findings).take().findings.stored == there
    if renamed:
        of_another_version(monkeypatch, Verifier)
    Watched(watched.facts, watched.findings).take()
    assert standing(watched).keys() == standing(whole).keys()
    assert verified(watched, T1) == verified(whole, T1)
