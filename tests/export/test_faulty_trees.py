"""A tree that lacks records of a stream, or holds some twice: the export is made, says so, and proves the rest."""

import csv
import io
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest

from consumers.gateway.keys import PASSPHRASE
from consumers.logs.log import StoredFact
from consumers.trust.keeper import begin, open_keeper
from domain.ledger.chain import digest
from projections.export.question import Scope
from tests.export import pits
from tests.export.delivered import verify
from tests.export.forger import untarred
from tests.gateway.floor import START, day
from tests.trust.records import DAY, NAME, Pit, branded, run

STREAM = f"T7/{DAY}"
WHOLE, HAND = Scope(days=(DAY, DAY)), Scope(hand=f"{STREAM}:2")


@pytest.fixture
def pit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pit]:
    """Two tables, a round each."""
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    made = Pit(tmp_path / "pit").opened()
    begin(made.folder, NAME, START)
    yield made
    made.close()


def written(pit: Pit, bad: bytes) -> int:
    """Write into the log itself, at table 7's next place; the gateway, started again, continues behind it."""
    today = pit.writer.days["T7"]
    stored = bad.replace(b"HERE", b'"stream":"%s","sequence":%d' % (STREAM.encode(), today.sequence + 1))
    today.sequence, today.head = today.sequence + 1, digest(stored)
    pit.log.append([StoredFact(STREAM, today.sequence, "none", stored)])
    return today.sequence


def a_round_with(pit: Pit, bad: bytes = b"\x00 this names no place") -> int:
    """The second round of table 7, with this in its midst: at which place."""
    facts = [msgspec.structs.replace(each, source_key=f"2:{each.source_key}") for each in day("T7", close=False)][1:]
    named = [msgspec.structs.replace(each, round=2) if each.round else each for each in facts]
    pit.say(*named[:6])
    at = written(pit, bad)
    pit.say(*named[6:])
    pit.seal("T7")
    return at


def proved(pit: Pit, scope: Scope) -> tuple[Any, dict[str, bytes]]:
    """The verdict on the export of this scope with the property's key and its newest checkpoint, and the files."""
    for command in (("watch", "--once", "--quiet"), ("checkpoint",)):
        run(*command, "--data", str(pit.folder))
    with open_keeper(pit.folder) as keeper:
        size, key = max(keeper.sizes()), verify.Key(keeper.key.name, keeper.key.public)
        held = keeper.note(size)
    file = pit.folder / "export.tar"
    file.unlink(missing_ok=True)
    pits.exported(pits.Pit(pit.folder, "", 0, "", None, "", (size, size)), scope, file)  # type: ignore[arg-type]
    return verify.verify(BytesIO(file.read_bytes()), verify.Asked([key], (), held)), untarred(file.read_bytes())


def faults(files: dict[str, bytes]) -> list[list[str]]:
    return list(csv.reader(io.StringIO(files["data/tables/faults.csv"].decode(), newline="")))[1:]


def test_a_day_with_a_gap_in_the_tree_is_exported_and_the_gap_is_told(pit: Pit) -> None:
    at = a_round_with(pit)
    verdict, files = proved(pit, WHOLE)
    assert verdict.status == verify.FAULTY, verdict.lines
    assert faults(files) == [["facts", STREAM, str(at), "gap"]]
    assert f"{STREAM} record {at}: no leaf of the property's tree holds this record" in verdict.faults[0]
    last = len(pit.stream(STREAM))
    assert files[f"data/facts/{STREAM}.jsonl"].count(b"\n") == last - 1
    (line,) = (
        each for each in files["data/streams.jsonl"].splitlines() if STREAM.encode() in each and b"facts" in each
    )
    told = msgspec.json.decode(line)
    assert (told["whole"], told["last"], told["records"]) == (True, last, last - 1)


def test_a_hand_with_a_gap_in_its_midst_is_shown_and_not_proved_whole(pit: Pit) -> None:
    """No list of leaves goes with a hand: that the tree has nothing there is the property's word."""
    at = a_round_with(pit)
    verdict, files = proved(pit, HAND)
    assert verdict.status == verify.SOUND_IN_ITSELF, verdict.lines
    assert ["facts", STREAM, str(at), "gap"] in faults(files)
    assert f"{STREAM} record {at}: no leaf" in verdict.faults[0]
    says = f"that the property's tree holds none of the records missing at {STREAM} record {at}: not every leaf"
    assert any(each.startswith(says) for each in verdict.not_proved), verdict.not_proved


def test_a_hand_with_a_record_in_its_midst_that_nobody_can_read_is_exported(pit: Pit) -> None:
    at = a_round_with(pit, b'{"type":"of-a-later-version.1",HERE,"at":1}')
    verdict, files = proved(pit, HAND)
    assert verdict.status == verify.FAULTY, verdict.lines
    assert ["facts", STREAM, str(at), "unread"] in faults(files)


def test_a_day_whose_opening_is_no_record_is_exported(pit: Pit) -> None:
    """The game is unknown; every record that is there is proved."""
    bad = b"\x00 this names no place"
    pit.log.append([StoredFact(f"T9/{DAY}", 1, "none", bad)])
    noted = {"type": "noted.1", "text": "behind", "at": START, "source": "n", "source_key": "n:1"}
    told = msgspec.json.encode({**noted, "stream": f"T9/{DAY}", "sequence": 2, "previous": digest(bad)})
    pit.log.append([StoredFact(f"T9/{DAY}", 2, "noted.1", told)])
    verdict, files = proved(pit, WHOLE)
    assert verdict.status == verify.FAULTY, verdict.lines
    assert faults(files) == [["facts", f"T9/{DAY}", "1", "gap"]]
    assert files[f"data/facts/T9/{DAY}.jsonl"] == told + b"\n"


def test_a_day_whose_list_of_leaves_is_too_long_says_that_the_gap_is_not_proved(
    pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    from projections.export import proofs

    at = a_round_with(pit)
    monkeypatch.setattr(proofs.leaves_due, "__defaults__", (1,))
    monkeypatch.setattr("projections.export.verifier.stretches.MOST_LEAVES", 1)
    monkeypatch.setattr(verify, "MOST_LEAVES", 1)
    verdict, _ = proved(pit, WHOLE)
    assert verdict.status == verify.SOUND_IN_ITSELF, verdict.lines
    assert any(f"missing at {STREAM} record {at}: not every leaf" in each for each in verdict.not_proved)


@pytest.mark.parametrize(("scope", "parted"), [(WHOLE, False), (HAND, True)], ids=["day", "hand"])
def test_a_record_that_two_keepers_branded_is_exported_and_the_leaves_are_told(
    pit: Pit, scope: Scope, parted: bool
) -> None:
    pit.rounds("T7", 3)
    end, _ = branded(pit)
    verdict, files = proved(pit, scope)
    assert verdict.status == verify.FAULTY, verdict.lines
    told = [row for row in faults(files) if row[3] == "two-keepers"]
    assert ["facts", STREAM, "13", "two-keepers"] in told
    assert parted or ["facts", STREAM, str(end + 1), "two-keepers"] in told
    assert f"{STREAM} record 13: two keepers ran at the same time" in verdict.faults[0]
