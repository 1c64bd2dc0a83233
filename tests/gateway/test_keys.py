"""Keys made, rotated and revoked as a person does it, and what the doctor then says of each seal."""

import json
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from consumers.gateway.keys import ALWAYS, PASSPHRASE, PASSPHRASE_FILE, KeyStore, KeyTroubleError
from consumers.trust.keeper import begin
from domain.facts.codec import decode, encode
from domain.facts.property_day import KeyRevoked, PropertyClosed
from domain.facts.seals import ChainSealed
from domain.ledger.seals import Since
from tests.gateway.admitted import OPENED
from tests.gateway.floor import START, day, lines
from tests.gateway.test_commands import ingested, run, streams

T7 = "T7/2026-11-18"
SECOND = 1_000_000


@pytest.fixture(autouse=True)
def passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")


def when(seconds: float) -> str:
    """A moment so many seconds into the day, as people write it."""
    return datetime.fromtimestamp(START / SECOND + seconds, UTC).isoformat()


def said(folder: Path, *words: str) -> list[bytes]:
    """Lines that a command on keys prints, to be put on record."""
    ran = run("keys", *words, "--data", str(folder))
    assert ran.exit_code == 0, ran.output
    return ran.stdout.encode().splitlines()


def seals(folder: Path, stream: str = T7) -> list[tuple[int, str]]:
    """(sequence, key) of each seal of a stream."""
    facts = [decode(stored) for stored in streams(folder)[stream]]
    return [(fact.sequence, fact.key) for fact in facts if isinstance(fact, ChainSealed)]


def bad(folder: Path) -> dict[int, str]:
    """The invalid seals of table 7, and why, as doctor reports them."""
    told = run("doctor", "--data", str(folder), "--json", "--patience", "100000").stdout.splitlines()
    troubles = [json.loads(line) for line in told]
    assert {one["kind"] for one in troubles} <= {"seal-bad", "unsealed", "unsealed-long"}
    return {
        one["sequence"]: one["says"].rpartition(": ")[2]
        for one in troubles
        if one["kind"] == "seal-bad" and one["stream"] == T7
    }


@pytest.fixture
def pit(tmp_path: Path) -> Path:
    """A pit whose property and table 7 have keys from the start; table 7's ten rounds of half a second are to come."""
    ingested(tmp_path, [OPENED])
    for table in ("property", "T7"):
        ingested(tmp_path, said(tmp_path, "make", table, f"{table}-1", "--from", when(0)))
    return tmp_path


def test_a_key_rotated_in_mid_day_seals_from_that_moment_on_and_the_old_seals_stay_good(pit: Path) -> None:
    inputs = lines(day(rounds=10))
    ingested(pit, inputs[:40])
    ingested(pit, said(pit, "rotate", "T7", "T7-2", "--from", when(3)))
    ingested(pit, inputs[40:])
    used = [key for _, key in seals(pit)]
    assert set(used) == {"T7-1", "T7-2"}
    assert used == sorted(used)
    assert bad(pit) == {}
    changed = [decode(stored) for stored in streams(pit)[T7]]
    assert {fact.key for fact in changed if isinstance(fact, ChainSealed) and fact.at >= START + 3 * SECOND} == {"T7-2"}


def test_a_rotation_from_now_on_leaves_nothing_unsealed_whatever_times_are_said(pit: Path) -> None:
    """Half a day is on record, then the key is rotated, then the rest is said, of times long past."""
    inputs = lines(day(rounds=10))
    ingested(pit, inputs[:50])
    before = len(streams(pit)[T7])
    said(pit, "rotate", "T7", "T7-2")
    ingested(pit, inputs[50:])
    assert {(sequence > before, key) for sequence, key in seals(pit)} == {(False, "T7-1"), (True, "T7-2")}
    assert bad(pit) == {}
    assert run("doctor", "--data", str(pit), "--sealed").exit_code == 0


def test_a_fact_that_comes_late_is_sealed_by_the_key_of_its_own_time(pit: Path) -> None:
    """The old key and the new one are chosen by the facts' time, as the register judges them."""
    inputs = lines(day(rounds=10))
    ingested(pit, said(pit, "rotate", "T7", "T7-2", "--from", when(3)))
    ingested(pit, inputs)
    assert {key for _, key in seals(pit)} == {"T7-1", "T7-2"}
    assert bad(pit) == {}


def test_a_key_may_be_rotated_with_a_record_instead_of_a_moment(pit: Path) -> None:
    ingested(pit, said(pit, "rotate", "T7", "T7-2", "--from-record", f"{T7}:60"))
    ingested(pit, lines(day(rounds=10)))
    assert {(sequence >= 60, key) for sequence, key in seals(pit)} == {(False, "T7-1"), (True, "T7-2")}
    assert bad(pit) == {}


def test_a_key_whose_registration_is_not_on_record_is_never_used(pit: Path) -> None:
    """The property's day is closed: the key is made, and the old one seals until the next day registers the new one."""
    inputs = lines(day(rounds=10))
    ingested(pit, inputs[:50])
    ingested(pit, [encode(PropertyClosed(at=START, source="office", source_key="office:2", stream="property"))])
    ran = run("keys", "rotate", "T7", "T7-2", "--from", when(2.6), "--data", str(pit))
    assert ran.exit_code == 1
    assert "The property's day is not open" in ran.stderr
    assert "run the same command again" in ran.stderr.replace("\n", " ")
    assert (
        "T7-2, a key of T7, is stored here but not registered, so it seals nothing"
        in run("keys", "list", "--data", str(pit)).stderr
    )
    ingested(pit, inputs[50:])
    assert {key for _, key in seals(pit)} == {"T7-1"}
    assert bad(pit) == {}
    ingested(pit, [OPENED.replace(b"2026-11-18", b"2026-11-19").replace(b"office:1", b"office:3")])
    told = said(pit, "rotate", "T7", "T7-2", "--from", when(30))
    assert bad(pit) == {}, "what the old key sealed meanwhile stays good"
    ingested(pit, lines(day(date="2026-11-19", at=START + 60 * SECOND)))
    assert {key for _, key in seals(pit, "T7/2026-11-19")} == {"T7-2"}
    assert "0 recorded, 2 known already" in ingested(pit, told).stderr


def test_a_key_revoked_in_retrospect_by_time_or_by_record(pit: Path) -> None:
    """Earlier seals stay good. The table continues unsealed until its key is rotated."""
    inputs = lines(day(rounds=10))
    ingested(pit, inputs[:60])
    sealed = [sequence for sequence, _ in seals(pit)]
    by_time = ingested(pit, said(pit, "revoke", "T7-1", "--reason", "gateway stolen", "--from", when(1.6)))
    assert by_time.exit_code == 0
    assert bad(pit) == dict.fromkeys(sealed[3:], "key-revoked")
    ingested(pit, said(pit, "revoke", "T7-1", "--reason", "earlier still", "--from-record", f"{T7}:{sealed[1]}"))
    assert bad(pit) == dict.fromkeys(sealed[1:], "key-revoked")
    ingested(pit, inputs[60:80])
    assert len(seals(pit)) == len(sealed)
    ingested(pit, said(pit, "rotate", "T7", "T7-2", "--from", when(4)))
    ingested(pit, inputs[80:])
    assert seals(pit)[-1][1] == "T7-2"
    assert bad(pit) == dict.fromkeys(sealed[1:], "key-revoked")


def test_a_thief_who_says_an_earlier_time_is_betrayed_by_the_record_named(pit: Path, tmp_path: Path) -> None:
    ingested(pit, lines(day(rounds=10)))
    thief = shutil.copytree(pit, tmp_path / "thief")
    last = len(streams(pit)[T7])
    ingested(pit, said(pit, "revoke", "T7-1", "--reason", "stolen", "--from", when(60)))
    revoked = said(thief, "revoke", "T7-1", "--reason", "stolen", "--from-record", f"{T7}:{last}")
    (thief / "keys/T7.revoked").unlink()
    assert bad(pit) == {}, "by time alone every seal is as old as its writer says"
    ingested(thief, revoked)
    assert bad(thief) == {last: "key-revoked"}


def test_a_key_that_is_not_valid_yet_seals_nothing(tmp_path: Path) -> None:
    ingested(tmp_path, [OPENED])
    said(tmp_path, "make", "T7", "T7-1", "--from", when(2))
    ingested(tmp_path, lines(day(rounds=10)))
    first = next(fact.at for fact in map(decode, streams(tmp_path)[T7]) if isinstance(fact, ChainSealed))
    assert first >= START + 2 * SECOND
    assert bad(tmp_path) == {}


def test_a_seal_by_a_key_before_its_time_or_by_another_table_does_not_hold(pit: Path) -> None:
    """The register differs from the folder of keys: the record decides."""
    ingested(pit, lines(day(rounds=3)))
    (sequence, _), *rest = seals(pit)
    other = pit / "other"
    shutil.copytree(pit / "keys", other / "keys")
    shutil.copytree(pit / "record", other / "record")
    registered = streams(pit)["property/2026-11-18"]
    mine = next(n for n, stored in enumerate(registered) if b'"key":"T7-1"' in stored)
    for field, value, why in (
        ("table", "T8", "key-of-another-table"),
        ("valid_from", START + 1000 * SECOND, "key-not-yet-valid"),
    ):
        told = encode(msgspec.structs.replace(decode(registered[mine]), **{field: value}))
        in_log(other, "property/2026-11-18", mine + 1, told)
        assert seal_troubles(other) == {place: why for place, _ in [(sequence, ""), *rest]}


def in_log(folder: Path, stream: str, sequence: int, stored: bytes) -> None:
    """Put other bytes at a place, behind the project's back."""
    with sqlite3.connect(folder / "record/facts.sqlite") as db:
        db.execute(
            "UPDATE facts SET state = ? WHERE originator_id = ? AND originator_version = ?", (stored, stream, sequence)
        )


def seal_troubles(folder: Path) -> dict[int, str]:
    told = [json.loads(line) for line in run("doctor", "--data", str(folder), "--json").stdout.splitlines()]
    return {
        one["sequence"]: one["says"].rpartition(": ")[2]
        for one in told
        if one["kind"] == "seal-bad" and one["stream"] == T7
    }


def test_the_keys_are_listed_as_the_record_tells_them(pit: Path) -> None:
    ingested(pit, said(pit, "rotate", "T7", "T7-2", "--from", when(60)))
    ingested(pit, said(pit, "revoke", "T7-2", "--reason", "lost", "--from-record", f"{T7}:9"))
    ingested(pit, [encode(KeyRevoked("nobody", at=START, source="x", source_key="x:1", stream="property"))])
    ingested(pit, said(pit, "make", "T9", "T9-1", "--from", "2030-01-01T00:00:00Z"))
    shutil.rmtree(pit / "keys")
    told = [json.loads(line) for line in said(pit, "list", "--json", "--as-of", when(100))]
    assert [(one["table"], one["key"], one["state"], one["here"]) for one in told] == [
        ("T7", "T7-1", "replaced", False),
        ("T7", "T7-2", "revoked", False),
        ("T9", "T9-1", "not yet valid", False),
        ("property", "property-1", "valid", False),
    ]
    assert (told[0]["successor"], told[1]["reason"]) == ("T7-2", "lost")
    assert said(pit, "list", "--as-of", when(10))[0].decode() == (
        "T7  T7-1  valid  from 2026-11-18T11:06:40Z  until 2026-11-18T11:07:40Z  replaced by T7-2"
    )
    assert b"revoked from T7/2026-11-18:9  (lost)" in said(pit, "list")[1]


def test_a_key_that_lives_here_and_was_never_put_on_record_is_named(pit: Path) -> None:
    """With the command that puts it there; the property's own key is no device's."""
    store = KeyStore(pit / "keys")
    store.make("watcher", "W1")
    store.rotate("T7", "T7-2", Since(START + 60 * SECOND))
    begin(pit, "pit.example/record", START)
    ran = run("keys", "list", "--data", str(pit))
    assert [line.partition("  ")[0] for line in ran.stdout.splitlines()] == ["T7", "property"]
    told = ran.stderr.splitlines()
    assert [line.partition(",")[0] for line in told] == ["T7-2", "W1"]
    assert "Register it with catwalk keys rotate T7 T7-2." in told[0]
    assert "Register it with catwalk keys make watcher W1." in told[1]
    said(pit, "make", "watcher", "W1")
    assert "W1" not in run("keys", "list", "--data", str(pit)).stderr


# what is asked of the keys, and what is said
REFUSED = [
    (["rotate", "T8", "T8-2"], "has no key of T8: first make one"),
    (["rotate", "T7", "T7-1"], "give the new key another name"),
    (["rotate", "T7", "property-1"], "choose another name"),
    (["rotate", "T7", "T7-2", "--from-record", "T8/2026-11-18:1"], "is not a stream of T7"),
    (["rotate", "T7", "T7-2", "--from-record", "T7/2026-11-18"], "write it like T7/2026-11-18:412"),
    (["rotate", "T7", "T7-2", "--from-record", "T7:5"], "is not the name of a stream"),
    (
        ["rotate", "T7", "T7-2", "--from-record", "T7/2026-11-18:5", "--from", when(1)],
        "--from and --from-record exclude",
    ),
    (["make", "T7", "T7-9"], "replace the key with catwalk keys rotate"),
    (["make", "../T7", "T7-9"], "is not a table's name"),
    (["make", "T8", "two\nlines"], "is not a key's name"),
    (["revoke", "T7-1"], "--reason"),
    (["revoke", "T7-1", "--reason", ""], "give the reason in a few words"),
    (["revoke", "T7-1", "--reason", "  "], "give the reason in a few words"),
    (["revoke", "T7-3", "--reason", "stolen"], "there is no key 'T7-3', neither on record nor in"),
    (["revoke", "", "--reason", "stolen"], "there is no key ''"),
    (
        ["revoke", "T7-1", "--reason", "stolen", "--from-record", "T8/2026-11-18:1"],
        "is not a stream of T7, which T7-1 seals",
    ),
]


@pytest.mark.parametrize(("words", "says"), REFUSED, ids=[" ".join(row[0]) for row in REFUSED])
def test_what_cannot_be_done_with_keys_says_why(pit: Path, words: list[str], says: str) -> None:
    ran = run("keys", *words, "--data", str(pit))
    assert ran.exit_code in (1, 2)
    assert says in ran.stderr.replace("\n", " ")
    assert ran.stdout == ""


def test_a_key_that_lives_elsewhere_is_revoked_on_record_and_that_is_said(pit: Path) -> None:
    shutil.rmtree(pit / "keys")
    ran = run("keys", "revoke", "T7-1", "--reason", "stolen", "--data", str(pit))
    assert ran.exit_code == 0
    assert json.loads(ran.stdout)["key"] == "T7-1"
    assert "is not stored on this machine" in ran.stderr


def test_a_key_the_record_does_not_know_yet_is_kept_from_sealing_and_that_is_said(pit: Path) -> None:
    """A revocation on record before its key would be one of nothing."""
    KeyStore(pit / "keys").make("T8", "T8-1")
    ran = run("keys", "revoke", "T8-1", "--reason", "stolen", "--data", str(pit))
    assert ran.exit_code == 0
    assert "T8-1 is not registered yet" in ran.stderr
    assert (pit / "keys/T8.revoked").is_file()


def test_a_key_is_not_looked_for_where_there_is_no_record(tmp_path: Path) -> None:
    ran = run("keys", "revoke", "T9-1", "--reason", "stolen", "--data", str(tmp_path))
    assert ran.exit_code == 2
    assert "there is no record in" in ran.stderr
    ran = run("keys", "make", "T9", "T9-1", "--data", str(tmp_path))
    assert ran.exit_code == 1
    assert "there is no record in" in ran.stderr
    assert not (tmp_path / "keys").exists()
    KeyStore(tmp_path / "keys").make("T9", "T9-1")
    ran = run("keys", "revoke", "T9-1", "--reason", "stolen", "--data", str(tmp_path))
    assert (tmp_path / "keys/T9.revoked").is_file(), "in haste, a key is kept from sealing whatever the record says"
    assert ran.exit_code != 0


def test_a_key_made_by_another_process_is_seen_by_a_store_in_use(tmp_path: Path) -> None:
    """A gateway that runs seals with the new key from its moment on, without being started again."""
    in_use, other = KeyStore(tmp_path), KeyStore(tmp_path)
    assert in_use.signer("T7", T7, 5, START) is None
    other.make("T7", "T7-1", ALWAYS)
    first = in_use.signer("T7", T7, 5, START)
    assert first is not None
    assert first.name == "T7-1"
    other.rotate("T7", "T7-2", Since(START))
    second = in_use.signer("T7", T7, 5, START)
    assert second is not None
    assert second.name == "T7-2"
    other.revoke("T7-2", Since(START + 5))
    assert in_use.signer("T7", T7, 5, START) == second
    assert in_use.signer("T7", T7, 5, START + 5) is None, "the key before it may not seal any more either"


def test_a_key_file_is_its_owners_and_one_that_is_no_key_is_named(tmp_path: Path) -> None:
    store = KeyStore(tmp_path)
    store.make("T7", "T7-1")
    store.revoke("T7-1", ALWAYS)
    assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {
        "T7.pem": 0o600,
        "T7.revoked": 0o600,
    }
    (tmp_path / "T8.pem").write_bytes(b"junk")
    with pytest.raises(KeyTroubleError, match="does not begin with the key's name"):
        KeyStore(tmp_path).signer("T8", "T8/2026-11-18", 1, START)


def test_a_gateway_that_cannot_open_its_keys_does_not_begin_to_listen(
    pit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a gateway would take facts and stop at the first round that is over."""
    (tmp_path / "empty").touch()
    for name, value, says in (
        (PASSPHRASE, "another", "does not open with this passphrase"),
        (PASSPHRASE, "", "no passphrase for the keys"),
        (PASSPHRASE_FILE, str(tmp_path / "empty"), "is empty"),
    ):
        monkeypatch.setenv(name, value)
        ran = run("gateway", "--data", str(pit), "--socket", str(tmp_path / "sock"))
        assert ran.exit_code == 2
        assert says in ran.stderr
        assert "listening" not in ran.stderr


def test_a_key_for_a_time_nobody_can_write_is_a_dead_letter_and_none_is_made(pit: Path) -> None:
    far = {"type": "key-registered.1", "at": START, "source": "vault", "source_key": "v:1", "stream": "property"}
    told = json.dumps({**far, "key": "far", "public_key": "00", "table": "T9", "valid_from": 10**18})
    assert ingested(pit, [told.encode()]).exit_code == 1
    for time in ("9999-12-31T23:59:59-05:00", "1969-12-31T23:59:59Z"):
        ran = run("keys", "make", "T9", "far", "--from", time, "--data", str(pit))
        assert ran.exit_code == 2
        assert "is not between 1970 and 9999" in ran.stderr
    assert not (pit / "keys/T9.pem").exists()
