"""Sources that speak to a real gateway over its socket: their proof of identity, their terms, and their refusals."""

import base64
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from consumers.gateway.clients import REGISTRAR
from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.door import DOOR
from consumers.gateway.gateway import InputLine
from consumers.gateway.keys import PASSPHRASE
from consumers.gateway.letter_records import Letter
from consumers.record_place import RecordOptions, open_gateway
from tests.gateway.admitted import ALL, ME, begin, register, run
from tests.gateway.floor import START, day, lines
from tests.gateway.test_commands import CATWALK, streams

T7 = "T7/2026-11-18"
PROPERTY = "property/2026-11-18"
SAID = [json.loads(line) for line in lines(day())]
STRANGER = ("--user", str(os.getuid() + 1))


@pytest.fixture
def heard(tmp_path: Path) -> Iterator[Path]:
    """The address where the gateway listens: every account on the machine reaches it."""
    folder = Path(tempfile.mkdtemp(prefix="catwalk-"))
    folder.chmod(0o755)
    yield folder / "sock"
    shutil.rmtree(folder)


@pytest.fixture
def pit(tmp_path: Path, heard: Path) -> Iterator[Path]:
    """A gateway at work on a record whose property is open; nobody is registered."""
    begin(tmp_path / "pit")
    process = subprocess.Popen(
        [CATWALK, "gateway", "--data", str(tmp_path / "pit"), "--socket", str(heard)], stderr=subprocess.DEVNULL
    )
    listens(tmp_path / "pit", heard)
    yield tmp_path / "pit"
    process.terminate()
    assert process.wait(60) == 0


def listens(pit: Path, heard: Path) -> None:
    """Wait until a gateway listens and has left word of it."""
    until = time.monotonic() + 60
    while not (heard.exists() and (pit / DOOR).exists()):
        assert time.monotonic() < until
        time.sleep(0.02)


def said(pit: Path, *facts: dict[str, Any] | bytes) -> None:
    """Send these over a connection of its own; each is on record or a dead letter when this returns."""
    stored = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in facts]
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(60)
        client.connect(json.loads((pit / DOOR).read_bytes())["socket"])
        client.sendall(b"".join(line + b"\n" for line in stored))
        with client.makefile("rb") as told:
            assert any(json.loads(line)["taken"] == len(stored) for line in told)


def letters(pit: Path) -> list[tuple[str, str]]:
    """(reason, bytes) of each dead letter."""
    listed = run("dead-letters", "list", "--json", "--data", pit).stdout.splitlines()
    found = [json.loads(line) for line in listed]
    return [(one["reason"], base64.b64decode(one["bytes"]).decode()) for one in found]


def refusals(pit: Path) -> list[tuple[str, str, str, int]]:
    """(rule, source, stream, count) of the refusals on record."""
    facts = [json.loads(stored) for stored in streams(pit)[PROPERTY]]
    told = [one for one in facts if one["type"] == "input-refused.1"]
    return [(one["rule"], one["claimed"], one.get("about", ""), one.get("count", 1)) for one in told]


def found(pit: Path) -> list[dict[str, Any]]:
    """Findings that watchers wrote."""
    with sqlite3.connect(pit / "record/findings.sqlite") as db:
        return [json.loads(row[0]) for row in db.execute("SELECT state FROM facts")]


def test_a_client_nobody_registered_can_be_no_table_and_not_the_property(pit: Path) -> None:
    """Unregistered clients could once name any table, the property, a key, a correction."""
    key = {"type": "key-registered.1", "at": START, "source": "keys", "source_key": "key:mine", "stream": "property"}
    forged = [
        *SAID[:3],
        {**SAID[0], "table": "T99", "source_key": "T99:1"},
        {"type": "property-closed.1", "at": START, "source": "office", "source_key": "o:9", "stream": "property"},
        {**key, "key": "mine", "public_key": "00" * 32, "table": "T7"},
        {"type": "corrected.1", "at": START, "source": "pit", "source_key": "c:1", "stream": "T7"}
        | {"corrects_stream": T7, "corrects_sequence": 3},
        {"type": "source-registered.1", "at": START, "source": "sources", "source_key": "s:1", "stream": "property"}
        | {"name": "me", "streams": ["*"], "may": ["play"], "user_id": os.getuid()},
        {"type": "wager-placed.1", "at": START, "source": "gateway", "source_key": f"seal:{T7}:2", "stream": "T7"}
        | {"seat": 1, "wager": "ante", "cents": 100},
    ]
    said(pit, *forged)
    assert T7 not in streams(pit)
    assert [json.loads(stored)["type"] for stored in streams(pit)[PROPERTY]][1:] == ["input-refused.1"] * 7
    assert sum(count for *_, count in refusals(pit)) == len(forged)
    unknown, registrars = "source-unknown", "registrars-own"
    rules = [unknown] * 5 + [registrars, unknown, registrars, "gateways-own"]
    assert [(reason, json.loads(kept)) for reason, kept in letters(pit)] == list(zip(rules, forged, strict=True))


def test_a_source_proves_itself_by_the_account_it_runs_under(pit: Path) -> None:
    register(pit, "T7-pit", "--table", "T7", "--may", "openings", *ME)
    register(pit, "T7-reader", "--table", "T7", "--may", "play", *STRANGER)
    said(pit, *SAID[:3])
    assert len(streams(pit)[T7]) == 1
    assert [reason for reason, _ in letters(pit)] == ["source-unproved"] * 2
    register(pit, "T7-reader", "--table", "T7", "--may", "play", *ME)
    said(pit, *SAID[:3])
    assert len(streams(pit)[T7]) == 3


@pytest.mark.skipif(os.getuid() != 0, reason="only root can run a client under another account")
def test_the_operating_system_says_whose_client_it_is(pit: Path, heard: Path) -> None:
    """A client under the account `nobody` is that account's, whatever it says."""
    register(pit, "T7-pit", "--table", "T7", "--may", "openings", "--user", "nobody")
    heard.chmod(0o666)
    line = json.dumps(SAID[0])
    code = f"import os,socket;os.setuid(65534);s=socket.socket(socket.AF_UNIX);s.connect({str(heard)!r});"
    code += f"s.sendall({line!r}.encode()+b'\\n');print(s.recv(99))"
    said(pit, SAID[0])
    assert T7 not in streams(pit)
    subprocess.run([sys.executable, "-S", "-c", code], check=True, timeout=60, stdout=subprocess.DEVNULL)
    assert len(streams(pit)[T7]) == 1


def test_a_secret_opens_one_connection_for_one_source_and_is_kept_nowhere(pit: Path, tmp_path: Path) -> None:
    register(pit, "T7-pit", "--table", "T7", "--may", "openings", "--secret-out", tmp_path / "secret")
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
    secret = (tmp_path / "secret").read_text().strip()
    said(pit, {"source": "T7-pit", "secret": f"{secret}x"}, SAID[0])
    said(pit, {"source": "T7-pit", "secret": secret}, {**SAID[1], "source": "T7-reader"})
    said(pit, SAID[0])
    assert T7 not in streams(pit)
    assert [reason for reason, _ in letters(pit)] == [
        "secret-wrong",
        "source-unproved",
        "source-unknown",
        "source-unproved",
    ]
    said(pit, {"source": "T7-pit", "secret": secret}, SAID[0])
    assert len(streams(pit)[T7]) == 1
    assert (pit / DOOR).stat().st_mode & 0o777 == 0o600
    held = b"".join(path.read_bytes() for path in pit.rglob("*") if path.is_file())
    assert secret.encode() not in held


def test_a_source_says_only_what_it_was_given(pit: Path) -> None:
    register(pit, "T7-pit", "--table", "T7", "--may", "openings", *ME)
    register(pit, "T7-reader", "--table", "T7", "--may", "deal", *ME)
    elsewhere = {**SAID[1], "stream": "T8", "source_key": "k1"}, {**SAID[0], "table": "T8", "source_key": "k2"}
    said(pit, SAID[0], SAID[1], *elsewhere, SAID[2])
    assert [json.loads(stored)["type"] for stored in streams(pit)[T7]] == ["table-opened.1", "round-opened.1"]
    rules = ["stream-not-its-own", "stream-not-its-own", "kind-not-allowed"]
    assert [reason for reason, _ in letters(pit)] == rules
    assert {rule for rule, *_ in refusals(pit)} == set(rules)


def test_a_table_s_terminal_closes_no_day_of_the_property(pit: Path) -> None:
    """In the table's own stream, where it may speak: the head would be signed as of a day that is over."""
    register(pit, "T7-pit", "--table", "T7", "--may", "openings", *ME)
    register(pit, "office", *ALL, *ME)
    closed = {"at": START, "source_key": "c:1"}
    ends_property = {**closed, "type": "property-closed.1", "source": "T7-pit", "stream": "T7"}
    ends_table = {**closed, "type": "table-closed.1", "source": "office", "stream": "property"}
    said(pit, SAID[0], ends_property, ends_table, SAID[0])
    assert [json.loads(stored)["type"] for stored in streams(pit)[T7]] == ["table-opened.1"]
    assert [reason for reason, _ in letters(pit)] == ["wrong-stream"] * 2
    assert run("watch", "--once", "--data", pit).exit_code == 1
    told = [one["says"] for one in found(pit) if one["type"] == "finding-raised.1"]
    assert any("facts of the property belong in its own stream" in says for says in told)


def test_a_day_far_off_locks_no_table(pit: Path) -> None:
    """A client with the right to open days could shut out all real ones; its own word on the time is worth nothing."""
    register(pit, "T7-pit", *ALL, *ME)
    unbounded = {"type": "property-opened.1", "gaming_day": "2026-11-19", "writer_epoch": 0, "property": "Test House"}
    said(pit, {**unbounded, "at": START, "source": "T7-pit", "source_key": "p:2"})
    now = datetime.now(UTC)
    today = {**SAID[0], "gaming_day": now.date().isoformat(), "at": int(now.timestamp() * 1_000_000)}
    far = {**SAID[0], "gaming_day": "9999-12-28"}
    said(pit, {**far, "source_key": "1"}, {**far, "at": 253_402_000_000_000_000, "source_key": "2"}, today)
    assert [reason for reason, _ in letters(pit)] == ["day-too-far"] * 2
    assert [json.loads(one)["gaming_day"] for one in streams(pit)[f"T7/{today['gaming_day']}"]] == [today["gaming_day"]]
    assert run("watch", "--once", "--data", pit).exit_code == 1
    told = [one for one in found(pit) if one["type"] == "finding-raised.1"]
    assert [one["code"] for one in told if "the gaming day to be opened was too far off" in one["says"]] == [
        "source-not-allowed"
    ]


def test_a_flood_of_refusals_is_counted_and_fills_no_record(pit: Path) -> None:
    """The first of a kind is reported at once; five thousand more, as 500 sources, make no five thousand facts."""
    before = len(streams(pit)[PROPERTY])
    for name in range(500):
        said(pit, *({**SAID[1], "source": f"s{name}", "source_key": f"k{n}"} for n in range(10)))
    assert len(letters(pit)) == 5000
    assert len(streams(pit)[PROPERTY]) - before <= 17


def test_a_refusal_is_a_finding(pit: Path, tmp_path: Path) -> None:
    said(pit, SAID[0])
    assert run("watch", "--once", "--data", pit).exit_code == 1
    told = [one for one in found(pit) if one["type"] == "finding-raised.1"]
    assert [(one["code"], one["severity"], one["stream"]) for one in told] == [
        ("source-not-allowed", "integrity", PROPERTY)
    ]
    uid = os.getuid()
    assert told[0]["says"].startswith(
        f"The gateway refused 1 input from user {uid} at the socket, speaking as T7-pit: no such source is registered."
    )


def openssl_key(folder: Path) -> tuple[Path, str]:
    """A key of a device's own, made by OpenSSL: its file and the public part in hex."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl")
    key = folder / "device.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(key)], check=True, capture_output=True)
    der = subprocess.run(
        ["openssl", "pkey", "-in", str(key), "-pubout", "-outform", "DER"], check=True, capture_output=True
    ).stdout
    return key, der[-32:].hex()


@pytest.mark.parametrize("public", ["01" + "00" * 31, "00" * 32, "ec" + "ff" * 30 + "7f", "02" + "00" * 31])
def test_a_key_under_which_one_signature_fits_many_texts_is_never_registered(tmp_path: Path, public: str) -> None:
    begin(pit := tmp_path / "pit")
    ran = run("sources", "register", "T7-reader", *ALL, "--public-key", public, "--data", pit)
    assert ran.exit_code == 2
    assert "make one with openssl genpkey" in ran.output
    told = {"at": START, "source": "sources", "stream": "property", "public_key": public}
    own = {"type": "source-registered.1", "name": "T7-reader", "streams": ["*"], "may": ["play"], "source_key": "s:1"}
    table = {"type": "key-registered.1", "key": "T7-1", "table": "T7", "source_key": "k:1"}
    with open_gateway(RecordOptions(pit, None, None)) as gateway:  # own code with the gateway's account
        facts = [json.dumps({**told, **each}).encode() for each in (own, table)]
        gateway.take([InputLine("own code", n, each, REGISTRAR) for n, each in enumerate(facts, 1)])
    assert [reason for reason, _ in letters(pit)] == ["key-weak"] * 2


def signed(key: Path, fact: dict[str, Any]) -> dict[str, Any]:
    """A fact signed as docs/security.md says, with OpenSSL alone."""
    words = json.dumps(fact, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    file = key.with_suffix(".words")
    file.write_bytes(b"catwalk line\n" + words.encode())
    made = subprocess.run(
        ["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", str(key), "-in", str(file)], check=True, capture_output=True
    )
    return {**fact, "source_signature": made.stdout.hex()}


def test_a_source_that_signs_is_believed_by_its_signature_alone(pit: Path, tmp_path: Path) -> None:
    """The source's key is OpenSSL's; it signs the words that docs/security.md gives."""
    key, public = openssl_key(tmp_path)
    register(pit, "T7-pit", *ALL, *ME)
    register(pit, "T7-reader", *ALL, "--public-key", public)
    opened, placed = SAID[1], SAID[2]
    said(pit, SAID[0], signed(key, opened), placed, {**signed(key, placed), "cents": 100}, signed(key, placed))
    facts = [json.loads(stored) for stored in streams(pit)[T7]]
    assert [fact["type"] for fact in facts] == ["table-opened.1", "round-opened.1", "wager-placed.1"]
    assert facts[2]["source_signature"] == signed(key, placed)["source_signature"]
    assert [reason for reason, _ in letters(pit)] == ["signature-missing", "signature-wrong"]
    file = tmp_path / "line.json"
    file.write_text(json.dumps(placed))
    assert run("sources", "words", file).stdout_bytes == key.with_suffix(".words").read_bytes()


def test_a_time_beyond_the_bound_is_set_aside_and_a_corrected_clock_is_on_record(tmp_path: Path) -> None:
    """The property's opening writes how far a fact may be from the gateway's clock."""
    now = time.time_ns() // 1000
    day = datetime.fromtimestamp(now / 1_000_000, UTC).date().isoformat()
    opened = {"type": "property-opened.1", "gaming_day": day, "writer_epoch": 0, "property": "Test House"}
    opened |= {"at": now, "source": "office", "source_key": "o:1", "behind_seconds": 3600, "ahead_seconds": 60}
    begin(tmp_path, opened=json.dumps(opened).encode())
    register(tmp_path, "T7-pit", *ALL, *ME)
    opening = {**SAID[0], "gaming_day": day, "at": now}
    late = {"type": "noted.1", "text": "x", "source": "T7-pit", "stream": "T7", "at": now + 90_000_000}
    facts = [opening, *({**late, "source_key": f"n:{n}"} for n in range(3)), {**late, "at": now, "source_key": "n:9"}]
    ran = run("ingest", "--data", tmp_path, "-", given="\n".join(map(json.dumps, facts)).encode() + b"\n")
    assert ran.exit_code == 1
    assert {reason for reason, _ in letters(tmp_path)} == {"time-out-of-bounds"}
    told = [json.loads(stored) for stored in streams(tmp_path)[f"property/{day}"]]
    (clock,) = [one for one in told if one["type"] == "clock-corrected.1"]
    assert (clock["clock"], clock["set_aside"]) == ("T7-pit", 3)
    assert 80_000_000 < clock["off_by_us"] <= 90_000_000


def test_what_was_turned_away_is_not_let_in_by_the_console_without_a_word(tmp_path: Path) -> None:
    """A letter that came by the socket is tried again as its unknown sender, unless an operator vouches for it."""
    begin(tmp_path)
    register(tmp_path, "T7-pit", "--table", "T7", "--may", "openings", *STRANGER)
    letters_of = DeadLetters(tmp_path / "gateway/dead-letters.sqlite")
    stored = json.dumps(SAID[0]).encode()
    letters_of.put([Letter("socket 3", 1, "source-unproved", "as the gateway kept it", stored, START)])
    letters_of.close()
    assert run("dead-letters", "retry", "all", "--data", tmp_path).exit_code == 1
    assert T7 not in streams(tmp_path)
    assert run("dead-letters", "retry", "all", "--vouch", "--data", tmp_path).exit_code == 0
    assert len(streams(tmp_path)[T7]) == 1


# what is asked of sources, and what is said
REFUSED = [
    (["register", "x", "--may", "play", *ME], "the source's streams are missing"),
    (["register", "x", "--table", "T7", *ME], "Missing option '--may'"),
    (["register", "x", "--table", "T7", "--may", "cards", *ME], "'cards' is not a right: use openings, corrections,"),
    (["register", "x", "--table", "T7", "--may", "key-registered", *ME], "'key-registered' is not a right"),
    (["register", "x", "--table", "T7", "--may", "play"], "the proof of identity is missing"),
    (
        ["register", "x", "--table", "T7", "--may", "play", *ME, "--public-key", "aa"],
        "the proof of identity is missing",
    ),
    (["register", "x", "--table", "T7", "--may", "play", "--public-key", "aa"], "64 letters of hex"),
    (["register", "x", "--table", "T7", "--may", "play", "--user", "no-such-account"], "this machine has no account"),
    (["register", "x", "--table", "T7", "--may", "play", *ME, "--topic"], "the proof of identity is missing"),
    (["register", "x.y", "--table", "T7", "--may", "play", "--topic"], "'x.y' is not a source's name: use letters,"),
    (["register", "gateway", "--table", "T7", "--may", "play", *ME], "reserved for a part of Catwalk"),
    (["revoke", "nobody", "--reason", "x"], "no source 'nobody' is registered"),
]


@pytest.mark.parametrize(("words", "says"), REFUSED, ids=[" ".join(row[0]) for row in REFUSED])
def test_what_cannot_be_done_with_sources_says_why(tmp_path: Path, words: list[str], says: str) -> None:
    begin(tmp_path)
    ran = run("sources", *words, "--data", tmp_path)
    assert ran.exit_code == 2
    assert says in ran.stderr.replace("\n", " ").replace("  ", " ")
    assert len(streams(tmp_path)[PROPERTY]) == 1


def test_a_used_key_hides_no_impersonation(pit: Path) -> None:
    register(pit, "T7-pit", *ALL, *ME)
    said(pit, SAID[0])
    register(pit, "T7-pit", *ALL, *STRANGER)
    said(pit, {**SAID[0], "positions": 5})
    assert [reason for reason, _ in letters(pit)] == ["source-unproved"]
    assert refusals(pit) == [("source-unproved", "T7-pit", "", 1)]


def test_a_misspelt_greeting_keeps_no_secret(pit: Path) -> None:
    said(pit, b'{"source":"x","secret":"hunter2hunter2","v":1}', b'{"source":"x","secret": "hunter2hunter2",}')
    assert len(letters(pit)) == 2
    held = b"".join(path.read_bytes() for path in pit.rglob("*") if path.is_file())
    assert b"hunter2" not in held


def test_refusals_that_were_not_told_yet_are_told_at_the_end(tmp_path: Path, heard: Path) -> None:
    begin(tmp_path)
    gateway = subprocess.Popen([CATWALK, "gateway", "--data", str(tmp_path), "--socket", str(heard)])
    listens(tmp_path, heard)
    for part in range(10):
        said(tmp_path, *({**SAID[1], "source_key": f"k{part}:{n}"} for n in range(50)))
    gateway.terminate()
    assert gateway.wait(60) == 0
    assert sum(count for *_, count in refusals(tmp_path)) == 500


def test_a_key_that_is_refused_is_never_said_to_be_on_record(pit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same command twice beside a gateway, with the property's day closed: both times it says so."""
    register(pit, "office", *ALL, *ME)
    said(pit, {"type": "property-closed.1", "at": START, "source": "office", "source_key": "o:2", "stream": "property"})
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    for _ in range(2):
        ran = run("keys", "make", "T7", "T7-1", "--from", "2026-11-18T00:00:00Z", "--data", pit)
        assert ran.exit_code == 1
        assert "The property's day is not open" in ran.stderr.replace("\n", " ")
        assert ran.stdout == ""


@pytest.mark.parametrize("value", [1e-7, [2.0], {"a": 1e16}])
def test_a_signed_line_has_whole_numbers(pit: Path, tmp_path: Path, value: object) -> None:
    """Two writers of JSON write a fraction in two ways: what one signs, the other could not check."""
    key, public = openssl_key(tmp_path)
    register(pit, "T7-pit", *ALL, *ME)
    register(pit, "T7-reader", *ALL, "--public-key", public)
    changed = {"type": "option-changed.1", "option": "x", "value": value, "at": START, "stream": "T7"}
    said(pit, SAID[0], signed(key, {**changed, "source": "T7-reader", "source_key": "c:1"}))
    assert len(streams(pit)[T7]) == 1
    assert [reason for reason, _ in letters(pit)] == ["signature-wrong"]
