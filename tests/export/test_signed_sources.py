"""A source that signs its lines, from its key in OpenSSL to the receiver's `verify.py`, and a corrupt gateway."""

import json
import re
import subprocess
import sys
from hashlib import sha512
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from consumers.accounts.accounts import added
from consumers.exporting import faults
from consumers.gateway.clients import REGISTRAR
from consumers.gateway.gateway import InputLine
from consumers.gateway.keys import PASSPHRASE
from consumers.record_place import RecordOptions, open_gateway
from domain.ledger.ed25519 import ORDER
from tests.gateway.admitted import ALL, ME, OPENED, begin, register, run
from tests.gateway.floor import day, lines
from tests.gateway.test_sources import openssl_key, signed
from tests.room.browser import PASSWORD

SAID = [json.loads(line) for line in lines(day(rounds=2))]
CLOSED = {
    "type": "property-closed.1",
    "at": SAID[-1]["at"],
    "source": "office",
    "source_key": "o:2",
    "stream": "property",
}


@pytest.fixture
def pit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record in which table 7's reader signs each line; its day is over and closed but for what a test adds."""
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    folder = tmp_path / "pit"
    begin(folder, opened=OPENED.replace(b"2026-11-18", b"2026-11-17"))
    key, public = openssl_key(tmp_path)
    for table in ("property", "T7"):
        ran = run("keys", "make", table, f"{table}-1", "--from", "2026-11-18T00:00:00Z", "--data", folder)
        assert ran.exit_code == 0, ran.output
    register(folder, "T7-pit", *ALL, *ME)
    register(folder, "office", *ALL, *ME)
    register(folder, "T7-reader", *ALL, "--public-key", public)
    today = {**json.loads(OPENED), "source_key": "office:3"}
    ingested(folder, today, SAID[0], *(signed(key, fact) for fact in SAID[1:-1]))
    return folder


def ingested(pit: Path, *facts: dict[str, Any]) -> None:
    """Put these lines on record at the console."""
    ran = run("ingest", "--data", pit, "-", given="\n".join(map(json.dumps, facts)).encode() + b"\n")
    assert ran.exit_code == 0, ran.output


def by_the_gateway(pit: Path, *facts: dict[str, Any]) -> None:
    """Write any lines, chained and sealed, as an intruder with the gateway's account, its keys and our own code."""
    with open_gateway(RecordOptions(pit, None, None)) as gateway:
        gateway.take(
            [InputLine("own code", n, json.dumps(fact).encode(), REGISTRAR) for n, fact in enumerate(facts, 1)]
        )
        assert gateway.report.dead == 0
        gateway.seal_quiet()


def exported(pit: Path) -> tuple[int, str]:
    """The day closed, exported, and taken apart by the verifier that goes with it: its status and what it says."""
    ingested(pit, {**SAID[-1], "source": "T7-pit"}, CLOSED)
    for words in (("checkpoint", "key", "make", "catwalk/test"), ("checkpoint",)):
        ran = run(*words, "--data", pit)
        assert ran.exit_code == 0, ran.output
    file, given = pit.parent / "day.tar", pit.parent / "given"
    given.write_text(PASSWORD)
    for name, role in (("mara", "manager"), ("adam", "auditor")):
        added(pit / "accounts.toml", name, (role,), PASSWORD)
    who = ("--as", "mara", "--password-file", given, "--signed-by", "adam", "--signer-password-file", given)
    asked = ("--days", "2026-11-18", "--purpose", "test", "--recipient", "the regulator")
    ran = run("export", *asked, "--out", file, *who, "--data", pit)
    assert ran.exit_code in (0, 6), ran.output
    ran = run("verify-export", "--program")
    assert ran.exit_code == 0, ran.output
    (pit.parent / "verify.py").write_bytes(ran.stdout_bytes)
    told = subprocess.run(
        [sys.executable, "-I", "verify.py", "day.tar"], cwd=pit.parent, capture_output=True, text=True, check=False
    )
    return told.returncode, told.stdout


def test_what_a_source_signed_is_proved_to_the_receiver_and_the_rest_is_attested_by_the_gateway(pit: Path) -> None:
    noted = {"type": "noted.1", "text": "x", "at": SAID[1]["at"], "stream": "T7", "source_key": "n:1"}
    ingested(pit, {**noted, "source": "T7-pit"}, signed(pit.parent / "device.pem", {**noted, "source": "T7-reader"}))
    ran = run("doctor", "--data", pit)
    assert ran.exit_code == 0, ran.output
    status, told = exported(pit)
    assert status == 3, told
    assert re.search(rf"^ok  {len(SAID) - 1} facts carry a valid signature of their own source$", told, re.MULTILINE)
    assert re.search(
        r"^NOT PROVED: which source stated \d+ facts that no source signed: the gateway attests", told, re.MULTILINE
    )


def test_a_signature_that_openssl_takes_and_the_receiver_does_not_is_turned_away(pit: Path) -> None:
    """The holder of a source's key could otherwise have each export of its day called altered."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(32))
    public, scalar = private.public_key().public_bytes_raw(), bytearray(sha512(bytes(32)).digest()[:32])
    scalar[0], scalar[31] = scalar[0] & 248, scalar[31] & 127 | 64
    register(pit, "T7-shoe", *ALL, "--public-key", public.hex())
    said = {
        "type": "noted.1",
        "text": "x",
        "at": SAID[1]["at"],
        "stream": "T7",
        "source_key": "n:1",
        "source": "T7-shoe",
    }
    words = b"catwalk line\n" + json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
    r = (1).to_bytes(32, "little")
    number = int.from_bytes(sha512(r + public + words).digest(), "little") * int.from_bytes(scalar, "little") % ORDER
    crafted = {**said, "source_signature": (r + number.to_bytes(32, "little")).hex()}
    ran = run("ingest", "--data", pit, "-", given=json.dumps(crafted).encode() + b"\n")
    assert "1 dead letter;" in ran.output
    status, told = exported(pit)
    assert status == 3, told


def test_an_export_whose_receiver_would_find_another_fault_is_not_handed_out(
    pit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program that goes with it checks the sources' signatures before it is handed out."""
    by_the_gateway(pit, {**FORGED, "source_signature": "00" * 64})
    monkeypatch.setattr(faults, "verify", lambda *_: True)
    with pytest.raises(AssertionError, match="its signature is not its source's signature of this fact"):
        exported(pit)
    assert not (pit.parent / "day.tar").exists()


FORGED = {**SAID[-2], "source_key": "T7-reader:forged"}


@pytest.mark.parametrize(
    ("forged", "fault"),
    [
        (FORGED, "source-signature-missing"),
        ({**FORGED, "source_signature": "00" * 64}, "source-signature-wrong"),
        ({**FORGED, "source": "T8-reader", "source_signature": "00" * 64}, "source-unknown"),
    ],
    ids=["unsigned", "signed by nobody", "as a source nobody knows"],
)
def test_who_has_the_gateway_and_its_keys_cannot_speak_for_a_source_that_signs(
    pit: Path, forged: dict[str, Any], fault: str
) -> None:
    """The chain, the seals and the tree hold: the signature is missing or wrong, and the verifier reports it."""
    by_the_gateway(pit, forged)
    ran = run("doctor", "--data", pit)
    assert ran.exit_code == 3
    assert fault in ran.stdout
    status, told = exported(pit)
    assert status in (3, 6), told
    assert fault in (pit.parent / "day.tar").read_bytes().decode("latin-1")
    assert {
        "source-signature-missing": "its source signs its lines",
        "source-unknown": "it is signed, but the property's",
    }.get(fault, "its signature is not its source's") in told
