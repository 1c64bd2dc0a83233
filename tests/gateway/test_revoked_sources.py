"""Sources that may not speak, or have not proved who they are, and what such a client learns."""

import json
import socket
import subprocess
from pathlib import Path

import pytest

from consumers.gateway.door import DOOR
from tests.gateway.admitted import ALL, ME, begin, register, run
from tests.gateway.floor import START
from tests.gateway.test_commands import CATWALK, streams
from tests.gateway.test_sources import SAID, STRANGER, T7, heard, letters, listens, pit, said

__all__ = ["heard", "pit"]


def test_a_revoked_source_is_silent_at_once(pit: Path) -> None:
    register(pit, "T7-pit", *ALL, *ME)
    register(pit, "T7-reader", *ALL, *ME)
    said(pit, *SAID[:5])
    assert run("sources", "revoke", "T7-reader", "--reason", "stolen", "--data", pit).exit_code == 0
    said(pit, *SAID[:8])
    assert len(streams(pit)[T7]) == 5, "nothing more is taken"
    assert [reason for reason, _ in letters(pit)] == ["source-revoked"] * 7, "and nobody learns what is on record"
    listed = run("sources", "list", "--data", pit).stdout
    assert "T7-reader  revoked  (stolen)" in listed


def test_a_stolen_secret_ends_with_the_terms_it_was_shown_under(pit: Path, tmp_path: Path) -> None:
    """A client that greeted before the revocation stays out after the source has a new secret."""
    register(pit, "T7-pit", *ALL, "--secret-out", tmp_path / "old")
    with socket.socket(socket.AF_UNIX) as thief, thief.makefile("rb") as told:
        thief.settimeout(60)
        thief.connect(json.loads((pit / DOOR).read_bytes())["socket"])
        greeting = {"source": "T7-pit", "secret": (tmp_path / "old").read_text().strip()}
        thief.sendall(json.dumps(greeting).encode() + b"\n")
        assert json.loads(told.readline()) == {"taken": 1}
        assert run("sources", "revoke", "T7-pit", "--reason", "stolen", "--data", pit).exit_code == 0
        register(pit, "T7-pit", *ALL, "--secret-out", tmp_path / "new")
        thief.sendall(json.dumps(SAID[0]).encode() + b"\n")
        assert json.loads(told.readline()) == {"taken": 2}
    assert T7 not in streams(pit)
    assert [reason for reason, _ in letters(pit)] == ["source-unproved"]


@pytest.mark.parametrize("beside", [True, False], ids=["beside a gateway", "with no gateway at work"])
def test_a_revocation_is_in_force_at_once_though_no_day_of_the_property_is_open(
    tmp_path: Path, heard: Path, beside: bool
) -> None:
    """The revocation goes on record with the next opening; a gateway killed and started in between still obeys it."""
    begin(tmp_path, *("office", "T7-pit", "T7-reader"))
    closed = {"type": "property-closed.1", "at": START, "source": "office", "source_key": "o:2", "stream": "property"}
    ran = run("ingest", "--data", tmp_path, "-", given="\n".join(map(json.dumps, [SAID[0], closed])).encode() + b"\n")
    assert ran.exit_code == 0, ran.output

    def started() -> subprocess.Popen[bytes]:
        gateway = subprocess.Popen([CATWALK, "gateway", "--data", str(tmp_path), "--socket", str(heard)])
        listens(tmp_path, heard)
        return gateway

    revoke = ("sources", "revoke", "T7-reader", "--reason", "stolen", "--data", tmp_path)
    if not beside:
        ran = run(*revoke)
    gateway = started()
    if beside:
        ran = run(*revoke)
        said(tmp_path, SAID[1])
        gateway.kill()
        gateway.wait(60)
        heard.unlink()
        (tmp_path / DOOR).unlink()
        gateway = started()
    assert ran.exit_code == 0, ran.output
    assert "It is in force now" in ran.stderr
    said(tmp_path, SAID[2])
    opened = {"type": "property-opened.1", "gaming_day": "2026-11-19", "writer_epoch": 0, "property": "Test House"}
    said(tmp_path, {**opened, "at": START, "source": "office", "source_key": "o:3"})
    gateway.terminate()
    assert gateway.wait(60) == 0
    assert len(streams(tmp_path)[T7]) == 1
    assert {reason for reason, _ in letters(tmp_path)} == {"source-revoked"}
    told = [json.loads(stored)["type"] for stored in streams(tmp_path)["property/2026-11-19"]]
    assert told[:2] == ["property-opened.1", "source-revoked.1"]
    assert told.count("source-revoked.1") == 1
    assert run("doctor", "--patience", 10**9, "--data", tmp_path).exit_code == 0


def test_who_has_proved_nothing_learns_of_no_fact_whether_it_is_on_record(pit: Path) -> None:
    """The answer to a guessed line is the one to a wrong guess; who is proved learns that it is a repeat."""
    register(pit, "T7-pit", *ALL, *ME)
    said(pit, SAID[0], SAID[0])
    assert letters(pit) == []
    register(pit, "T7-pit", *ALL, *STRANGER)
    said(pit, SAID[0])
    assert [reason for reason, _ in letters(pit)] == ["source-unproved"]


@pytest.mark.parametrize("stream", ["T9/11-18-2026", "T9/", "T9/2026-13-45"])
def test_a_stream_that_is_none_is_a_letter_and_the_gateway_goes_on(pit: Path, stream: str) -> None:
    """One such line of one device stopped it; from a topic of inputs, it did at each start."""
    register(pit, "T7-pit", *ALL, *ME)
    said(pit, {**SAID[1], "source": "T7-pit", "stream": stream}, SAID[0])
    [(reason, _)] = letters(pit)
    assert reason == "stream unnamed"
    assert T7 in streams(pit)
