"""A fault of Catwalk's own that one line meets: a real gateway with faults put in keeps that line, and goes on."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from consumers.gateway import gateway as at_work
from consumers.gateway.clients import OwnTopic
from consumers.gateway.gateway import Gateway, InputLine
from consumers.gateway.keys import PASSPHRASE
from consumers.gateway.topic_inputs import TopicInput
from consumers.record_place import RecordOptions, open_gateway
from domain.facts.envelope import Fact
from domain.ledger.writer import PlacedFact, Writer, place
from tests.gateway.admitted import ALL, ME, begin, register, run
from tests.gateway.test_commands import streams
from tests.gateway.test_sources import SAID, T7, heard, letters, listens, said
from tests.gateway.test_topic_inputs import opened, records, take

__all__ = ["heard"]
# One fault as a line is read, one as it is checked, and one when it has its place already, each for one seat.
FAULTY = """
from consumers.gateway import gateway, reading_lines
from domain.facts.wagers import WagerPlaced
read, checked, placed = reading_lines.read_line, gateway.implausible, gateway.place

def failing(fact, seat):
    if isinstance(fact, WagerPlaced) and fact.seat == seat:
        raise KeyError("a table that nobody thought of")

def read_line(stored):
    fact = read(stored)
    failing(fact, 4)
    return fact

def implausible(fact, *rest, **named):
    failing(fact, 5)
    return checked(fact, *rest, **named)

def place(writer, fact):
    done = placed(writer, fact)
    failing(fact, 6)
    return done

reading_lines.read_line, gateway.implausible, gateway.place = read_line, implausible, place
from consumers.command import main
main()
"""


def wager(seat: int, key: str) -> dict[str, Any]:
    """A wager at a seat whose lines the gateway fails on, from 4 to 6."""
    return {**SAID[2], "seat": seat, "source_key": key}


def on_record(pit: Path) -> list[str]:
    """The keys of the table's facts, without seals."""
    facts = [json.loads(stored) for stored in streams(pit)[T7]]
    return [fact["source_key"] for fact in facts if fact["type"] != "chain-sealed.1"]


def test_lines_that_the_gateway_fails_on_are_letters_and_all_others_are_taken(
    tmp_path: Path, heard: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chain is whole, the log names each fault once, and a gateway without the faults takes the letters."""
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    pit, log = tmp_path / "pit", tmp_path / "log"
    begin(pit)
    register(pit, "T7-pit", *ALL, *ME)
    register(pit, "T7-reader", *ALL, *ME)
    for table in ("property", "T7"):
        assert run("keys", "make", table, f"{table}-key", "--data", pit).exit_code == 0
    with log.open("wb") as told:
        command = [sys.executable, "-c", FAULTY, "gateway", "--data", str(pit), "--socket", str(heard)]
        process = subprocess.Popen(command, stderr=told, cwd=Path(__file__).parents[2])
        listens(pit, heard)
        said(pit, SAID[0], SAID[1], wager(4, "a"), SAID[2], wager(5, "b"), wager(6, "c"), SAID[3], wager(6, "d"))
        said(pit, *SAID[4:], wager(6, "e"))
        process.terminate()
        assert process.wait(60) == 0
    good = [fact["source_key"] for fact in SAID]
    assert on_record(pit) == good
    assert [(reason, json.loads(kept)["source_key"]) for reason, kept in letters(pit)] == [
        *(("fault-of-catwalk", key) for key in "abcd"),
        ("day closed", "e"),
    ]
    lines = log.read_text()
    assert lines.count("Traceback") == 3
    assert lines.count("KeyError: 'a table that nobody thought of'") == 3
    assert "Catwalk failed on line 3 of user" in lines
    assert run("doctor", "--patience", 10**9, "--data", pit).exit_code == 0
    listed = run("dead-letters", "list", "--data", pit).stdout
    assert "Catwalk failed on this line (KeyError in failing). The fault is Catwalk's" in listed
    assert "run catwalk dead-letters retry" in listed


TOPIC = OwnTopic("device", "catwalk.inputs.device", "an id")


def failing_after_its_place(writer: Writer, fact: Fact) -> PlacedFact:
    done = place(writer, fact)
    if fact.source_key == "odd":
        raise RuntimeError
    return done


def test_a_line_of_a_topic_that_the_gateway_fails_on_is_not_met_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The outbox moves past it with its batch, so the next start reads behind it; a retry records it."""
    begin(tmp_path / "pit")
    register(tmp_path / "pit", "device", *ALL, "--topic")
    place_of = RecordOptions(tmp_path / "pit", None, None)
    told = [json.dumps({**SAID[2], "source": "device", "source_key": key}).encode() for key in ("one", "odd", "two")]
    topic = TopicInput(TOPIC, 0)
    topic.add(records(opened(), *told))
    with monkeypatch.context() as patched, open_gateway(place_of) as gateway:
        patched.setattr(at_work, "place", failing_after_its_place)
        take(gateway, topic)
        assert (gateway.report.placed, gateway.report.dead) == (3, 1)
        assert gateway.outbox.read_to() == {TOPIC: 4}
    with open_gateway(place_of) as gateway:
        assert gateway.outbox.read_to() == {TOPIC: 4}
    assert on_record(tmp_path / "pit")[1:] == ["one", "two"]
    assert run("dead-letters", "retry", "all", "--vouch", "--data", tmp_path / "pit").exit_code == 0
    assert on_record(tmp_path / "pit")[1:] == ["one", "two", "odd"]
    assert run("doctor", "--patience", 10**9, "--data", tmp_path / "pit").exit_code == 0


def trouble(error: Exception) -> Callable[..., None]:
    def raised(*_: object, **__: object) -> None:
        raise error

    return raised


@pytest.mark.parametrize(
    "error",
    [OSError(28, "No space left on device"), sqlite3.OperationalError("disk I/O error"), MemoryError()],
    ids=repr,
)
def test_trouble_that_is_not_the_lines_ends_the_gateway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """No line of the batch is acknowledged or stored; devices send them again."""
    begin(tmp_path / "pit")
    with open_gateway(RecordOptions(tmp_path / "pit", None, None)) as gateway:
        monkeypatch.setattr(at_work, "place", trouble(error))
        with pytest.raises(type(error)):
            _take(gateway)
        assert list(gateway.letters.all()) == []
        assert gateway.outbox.pending() == []


def _take(gateway: Gateway) -> None:
    gateway.take([InputLine("file", 1, json.dumps(SAID[0]).encode())])
