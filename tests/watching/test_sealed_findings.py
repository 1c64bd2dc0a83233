"""Findings are sealed by the watchers' own key: the same findings without it, and the same seals from every watcher."""

import random
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.gateway.keys import KeyStore
from consumers.watching.sealing import signer_of
from domain.facts.codec import encode as encode_fact
from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRegistered, KeyRevoked, PropertyOpened
from domain.ledger.chain import digest
from domain.simulation.table import NOON
from domain.watch.record import FindingRaised, FindingsSealed, decode, encode, is_sealed, sealed_by
from tests.watching.memory import MemoryLog, Watched
from tests.watching.pits import Pit, spoilt
from tests.watching.signing import NAME, audited, signs
from tests.watching.test_anywhere import Unguarded, by_stream
from tests.watching.test_copies import findings
from tests.watching.test_kills import Embedded


@pytest.fixture
def facts() -> list[bytes]:
    return spoilt(4, Pit(4, tables=3, days=2, rounds=2).record())


def seals(stored: Sequence[bytes]) -> list[FindingsSealed]:
    return [seal for seal in map(decode, stored) if isinstance(seal, FindingsSealed)]


def unsealed(stored: Sequence[bytes]) -> list[bytes]:
    """The records without their seals."""
    return [each for each in stored if not isinstance(decode(each), FindingsSealed)]


def test_every_mark_and_every_record_about_two_tables_is_sealed_and_the_findings_are_the_same(
    facts: list[bytes],
) -> None:
    watched = Watched(MemoryLog(facts), sign=signs()).take().across()
    assert unsealed(watched.findings.stored) == Watched(MemoryLog(facts)).take().across().findings.stored
    due = {(one.stream, one.sequence) for one in map(decode, watched.findings.stored) if is_sealed(one)}
    assert {(sealed_by(seal.stream), seal.covers) for seal in seals(watched.findings.stored)} == due
    audit, found = audited(watched.findings.stored)
    assert (found, audit.seals.count) == ([], len(due))


@pytest.mark.parametrize("seed", range(3))
def test_watchers_killed_and_doubled_make_the_same_seals(facts: list[bytes], seed: int) -> None:
    """A killed writer loses some of its last records; two at once both write."""
    chance = random.Random(seed)  # noqa: S311 - the same kills every time
    log, found = MemoryLog(), Unguarded(name="findings")
    watchers: list[Watched] = []
    for told in range(0, len(facts) + 40, 40):
        log.stored = facts[:told]
        if chance.random() < 0.5 or not watchers:
            watchers = [*watchers[-1:], Watched(log, found, sign=signs())]
        for watcher in watchers:
            watcher.take(chance.randint(0, 120))
        if len(watchers) == 1 and chance.random() < 0.5:
            watchers[0].across()
    for watcher in watchers:
        watcher.take().across()
    expected = Watched(MemoryLog(facts), sign=signs()).take().across().findings.stored
    assert by_stream(found.stored) == by_stream(expected)
    assert set(found.stored) == set(expected), "a repeat has other bytes than the first"


def test_what_was_written_without_a_key_is_sealed_when_there_is_one(facts: list[bytes]) -> None:
    half = Watched(MemoryLog(facts[: len(facts) // 2])).take()
    half.facts.stored = facts
    both = Watched(half.facts, half.findings, sign=signs()).take().across()
    expected = Watched(MemoryLog(facts), sign=signs()).take().across().findings.stored
    newest = {name for name in by_stream(expected) if "2026-11-19" in name}
    assert {name: by_stream(both.findings.stored)[name] for name in newest} == {
        name: by_stream(expected)[name] for name in newest
    }


def changed(stored: list[bytes]) -> list[bytes]:
    """A finding with other words, and everything behind it in its stream chained to fit, as only its writer could."""
    place = next(n for n, each in enumerate(stored) if isinstance(decode(each), FindingRaised))
    found, heads = list(stored), dict[str, str]()
    stream = decode(stored[place]).stream
    for n, each in enumerate(stored):
        record = decode(each)
        if record.stream == stream and n >= place:
            record = msgspec.structs.replace(record, previous=heads.get(stream, record.previous))
            if n == place:
                record = msgspec.structs.replace(record, says="Nothing to see.")
            found[n] = encode(record)
            heads[stream] = digest(found[n])
    return found


@pytest.mark.parametrize(
    ("spoil", "table", "says"),
    [
        (changed, "watcher", "covers-wrong"),
        (lambda stored: stored, "T1", "key-of-another-table"),
        (lambda stored: [each.replace(b'"key":"W-2026"', b'"key":"W-2027"') for each in stored], "watcher", "unknown"),
    ],
    ids=["findings chained to fit", "a table's key", "a key nobody knows"],
)
def test_a_seal_that_does_not_hold_is_named(facts: list[bytes], spoil: object, table: str, says: str) -> None:
    stored = Watched(MemoryLog(facts), sign=signs()).take().findings.stored
    _, found = audited(spoil(stored), table)  # type: ignore[operator]
    assert any(one.kind == "seal-bad" and says in one.says for one in found)


def test_another_key_under_the_same_name_makes_no_good_seal(facts: list[bytes]) -> None:
    stored = Watched(MemoryLog(facts), sign=signs(2)).take().findings.stored
    audit, found = audited(stored)
    bad = [one for one in found if one.kind == "seal-bad"]
    assert len(bad) == audit.seals.count > 0
    assert all("signature-wrong" in one.says for one in bad)


def of_the_property(facts: Sequence[Fact], chain: list[bytes]) -> list[bytes]:
    """The findings of the property's day, behind the earlier ones."""
    for fact in facts:
        head = digest(chain[-1]) if chain else ""
        place = {"stream": "property/2026-11-18", "sequence": len(chain) + 1, "previous": head}
        chain.append(encode_fact(msgspec.structs.replace(fact, **place)))
    return chain[-len(facts) :]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeyStore:
    """A folder with a key of the watchers."""
    monkeypatch.setenv("CATWALK_KEY_PASSPHRASE", "a passphrase")
    store = KeyStore(tmp_path / "keys")
    store.make("watcher", NAME)
    return store


def test_a_watcher_at_work_seals_nothing_more_once_its_key_is_revoked_on_record(
    facts: list[bytes], own: KeyStore
) -> None:
    """By another machine: no mark is put beside the key here. Before it was registered nothing was sealed either."""
    made, said = own.make("watcher", NAME), {"source": "office", "stream": "property/2026-11-18"}
    tables = [each for each in facts if b'"property/' not in each]
    third, two_thirds = len(tables) // 3, 2 * len(tables) // 3
    opened = PropertyOpened("2026-11-18", 1, "Pit", at=1, source_key="1", **said)
    registered = KeyRegistered(NAME, made.public_key, "watcher", at=2, source_key="2", **said)
    revoked = KeyRevoked(NAME, "stolen", from_at=3, at=3, source_key="3", **said)
    day: list[bytes] = []
    log = MemoryLog([*of_the_property([opened], day), *tables[:third]])
    watched = Watched(log, sign=signer_of(own, log)).take()
    assert seals(watched.findings.stored) == []
    log.stored += [*of_the_property([registered], day), *tables[third:two_thirds]]
    sealed = len(seals(watched.take().findings.stored))
    assert sealed > 3
    log.stored += [*of_the_property([revoked], day), *tables[two_thirds:]]
    marks = len(watched.findings.stored)
    assert len(watched.take().across().findings.stored) > marks + 3
    assert len(seals(watched.findings.stored)) == sealed
    assert len(seals(Watched(log, sign=signer_of(own, log)).take().findings.stored)) == 0, "a watcher that starts now"


def catwalk(*words: str | Path, given: str = "") -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], input=given or None)


def test_the_commands_make_the_key_seal_and_prove(
    facts: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From no key at all to findings that doctor wants sealed."""
    monkeypatch.setenv("CATWALK_KEY_PASSPHRASE", "a passphrase")
    pit = tmp_path / "pit"
    office = PropertyOpened("2026-11-17", 1, "Pit", at=NOON, source="office", source_key="1", stream="property")
    assert catwalk("ingest", "--data", pit, "-", given=msgspec.json.encode(office).decode()).exit_code == 0
    site = Embedded(pit)
    site.append([each for each in Pit(4, tables=2, days=1).record() if b'"property/' not in each])
    site.close()
    assert catwalk("watch", "--once", "--data", pit).exit_code == 1
    ran = catwalk("doctor", "--findings", "--data", pit)
    assert ran.exit_code == 0
    assert "no watcher sealed these findings" in ran.stderr
    assert catwalk("doctor", "--findings", "--sealed", "--data", pit).exit_code == 4
    without = findings(pit)
    made = catwalk("keys", "make", "watcher", "W-2026", "--from", "2020-01-01T00:00:00Z", "--data", pit)
    assert made.exit_code == 0, made.output
    assert catwalk("ingest", "--data", pit, "-", given=made.stdout).exit_code == 0
    assert catwalk("watch", "--once", "--data", pit).exit_code in (0, 1)
    ran = catwalk("doctor", "--findings", "--sealed", "--data", pit)
    assert (ran.exit_code, ran.stdout) == (0, ""), ran.output
    monkeypatch.delenv("CATWALK_KEY_PASSPHRASE")
    ran = catwalk("watch", "--once", "--data", pit)
    assert (ran.exit_code, "the watcher's key cannot seal: no passphrase" in ran.stderr) == (2, True)
    assert unsealed(findings(pit)) == without
    assert len(seals(findings(pit))) > 3
