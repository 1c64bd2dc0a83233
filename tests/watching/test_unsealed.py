"""Facts without a seal: a finding if a seal was due, and none if no seal was ever expected."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner

from consumers.command import main
from domain.facts.codec import decode, encode
from domain.facts.envelope import Fact
from domain.facts.property_day import PropertyOpened
from domain.facts.seals import ChainSealed
from domain.simulation.scripted import day
from domain.simulation.table import NOON
from domain.watch.finding import Finding
from domain.watch.record import apply
from domain.watch.record import decode as decode_record
from domain.watch.sealing import CODE
from tests.watching.memory import MemoryLog, Watched
from tests.watching.pits import Pit

DAYS = ("2026-11-18", "2026-11-19", "2026-11-20")


def of_days(*days: int) -> Callable[[Fact], bool]:
    """Seals at table 1 on these days."""
    return lambda fact: fact.stream in [f"T1/{DAYS[number]}" for number in days]


def unsealed(facts: list[bytes]) -> list[Finding]:
    """The findings about seals that stand when a watcher has come to the end."""
    standing: dict[str, Finding] = {}
    for stored in Watched(MemoryLog(facts)).take().findings.stored:
        apply(standing, decode_record(stored))
    return [finding for finding in standing.values() if finding.code == CODE]


def whole(fact: Fact) -> bool:
    """Every seal that is due is made, at every table and of the property."""
    return bool(fact.stream)


# Who seals, which tables have a key, and each finding: its stream and the first fact that waits.
ROWS: list[tuple[str, Callable[[Fact], bool] | None, tuple[str, ...], list[tuple[str, int]]]] = [
    ("no table has a key", None, (), []),
    ("every table is sealed", whole, ("T1", "T2", "property"), []),
    ("a key that never seals", None, ("T1",), [(f"T1/{day}", 1) for day in DAYS]),
    ("another table's key", of_days(0, 1, 2), ("T1",), []),
    ("a table that seals no more", of_days(0), (), [(f"T1/{DAYS[1]}", 1), (f"T1/{DAYS[2]}", 1)]),
    ("a table that does not seal for a day", of_days(0, 2), (), [(f"T1/{DAYS[1]}", 1)]),
    ("a table that was never sealed before", of_days(2), (), []),
]


@pytest.mark.parametrize(("_what", "seals", "keys", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_a_stream_is_told_unsealed_where_its_table_was_sealed_or_has_a_key(
    _what: str, seals: Callable[[Fact], bool] | None, keys: tuple[str, ...], expected: list[tuple[str, int]]
) -> None:
    facts = Pit(7, tables=2, corrections=0, seals=seals, keys=keys).record()
    if "T1" in keys:  # the property's facts stand first, as they do where a key is made before it is used
        facts.sort(key=lambda stored: not decode(stored).stream.startswith("property"))
    assert sorted((one.stream, one.trigger) for one in unsealed(facts)) == expected


def test_a_key_that_stops_in_mid_day_and_comes_back_leaves_one_finding_with_the_facts_that_stood_unsealed() -> None:
    first = Pit(7, tables=1, days=1, corrections=0, seals=whole).record()
    places = [fact.sequence for fact in map(decode, first) if isinstance(fact, ChainSealed) and "T1" in fact.stream]
    opened = min(decode(stored).at for stored in first)

    def stops(fact: Fact) -> bool:
        return not 300_000_000 < fact.at - opened < 500_000_000

    facts = Pit(7, tables=1, days=1, corrections=0, seals=stops).record()
    told = {fact.sequence: fact for fact in map(decode, facts) if fact.stream.startswith("T1")}
    seals = [fact for fact in told.values() if isinstance(fact, ChainSealed)]
    assert len(seals) < len(places)
    before = max(seal.sequence for seal in seals if seal.at - opened <= 300_000_000)
    after = next(seal for seal in seals if seal.sequence > before)
    (finding,) = unsealed(facts)
    assert finding.trigger == before + 1
    assert finding.evidence[::2] == (before + 1, after.sequence)
    assert told[finding.evidence[1]].at - told[before + 1].at > 60_000_000
    assert f"Facts {before + 1} to {after.covers}" in finding.says
    (still,) = unsealed([stored for stored in facts if decode(stored).sequence < after.sequence])
    assert (still.id, still.says[:20]) == (finding.id, "No seal covers fact ")


def test_an_ingest_whose_key_stops_sealing_is_told_by_the_watch_and_by_verify_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table's key is revoked in mid-day and none takes its place; another table never had one."""
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "pit"))
    monkeypatch.setenv("CATWALK_KEY_PASSPHRASE", "choose-a-better-one")

    def catwalk(*words: str, lines: Iterable[bytes] = (), status: int = 0) -> list[str]:
        ran = CliRunner().invoke(main, words, input=b"".join(line + b"\n" for line in lines))
        assert ran.exit_code == status, ran.output
        return ran.stdout.splitlines()

    told = [encode(fact) for fact in day("PIK", rounds=4, table="T1", gaming_day=DAYS[0])]
    other = [encode(fact) for fact in day("PIK", rounds=2, table="T2", gaming_day=DAYS[0])]
    office = PropertyOpened(DAYS[0], 0, "Pit", at=NOON, source="office", source_key="office:1")
    catwalk("ingest", lines=[encode(office)])
    made = catwalk("keys", "make", "T1", "T1-1", "--from", "2026-01-01T00:00:00Z")
    catwalk("ingest", lines=[line.encode() for line in made])
    catwalk("ingest", lines=[*told[:150], *other])
    assert catwalk("watch", "--once") == []
    catwalk("keys", "revoke", "T1-1", "--reason", "gateway stolen", "--from-record", f"T1/{DAYS[0]}:1")
    catwalk("ingest", lines=told[150:])
    (line,) = catwalk("watch", "--once", "--json", status=1)
    found = json.loads(line)
    assert (found["code"], found["stream"], found["severity"]) == (CODE, f"T1/{DAYS[0]}", "procedure")
    assert catwalk("watch", "--once") == []
    assert catwalk("verify-log", status=1) == [line]
