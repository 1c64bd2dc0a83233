"""A day can be exported whatever a client said, and whatever got onto the record.

What clients send goes through the real gateway: it says what is a fact, and all of that has to go into an export that
is what the tree fixes. Faults of the record itself are reported, in the verdict, in the tables and in the report.
"""

import csv
import io
import re
from collections.abc import Iterable
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pyarrow import parquet

from consumers.gateway.clients import REGISTRAR
from consumers.gateway.gateway import InputLine
from consumers.logs.log import StoredFact
from consumers.logs.opening import embedded_log
from consumers.record_place import RecordOptions, open_gateway
from consumers.trust.keeper import begin, open_keeper
from projections.export.question import Scope
from tests.export import hostile, pits
from tests.export.delivered import verify
from tests.export.forger import digest, untarred
from tests.export.pits import Pit

pytestmark = pytest.mark.xdist_group("hostile")


def ingested(folder: Path, lines: Iterable[bytes]) -> str:
    file = folder / "lines.jsonl"
    file.write_bytes(b"".join(lines))
    return pits.run("ingest", str(file), "--data", str(folder / "pit")).output


def proved(folder: Path, scope: Scope) -> tuple[Any, dict[str, bytes]]:
    """The verdict on an export of this scope with the property's key and its newest checkpoint from outside."""
    for command in (("watch", "--once", "--quiet"), ("checkpoint",)):
        pits.run(*command, "--data", str(folder / "pit"))
    with open_keeper(folder / "pit") as keeper:
        size, key = max(keeper.sizes()), verify.Key(keeper.key.name, keeper.key.public)
        held = keeper.note(size)
    of = Pit(folder / "pit", "", 0, "", None, "", (size, size))  # type: ignore[arg-type]
    file = folder / "export.tar"
    file.unlink(missing_ok=True)
    pits.exported(of, scope, file)
    return verify.verify(BytesIO(file.read_bytes()), verify.Asked([key], (), held)), untarred(file.read_bytes())


def faults(files: dict[str, bytes]) -> list[list[str]]:
    return list(csv.reader(io.StringIO(files["data/tables/faults.csv"].decode(), newline="")))[1:]


@pytest.fixture(scope="module")
def pit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of everything a client can say."""
    folder = tmp_path_factory.mktemp("hostile")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in pits.ENVIRONMENT.items():
            patch.setenv(name, value)
        said = ingested(folder, [*hostile.pit(), *hostile.corrections("C1"), *hostile.days()])
        assert re.search(r" 3[0-9]{3} recorded, .* 2[0-9]{3} dead letters", said), said
        (folder / "said").write_text(said)
        begin(folder / "pit", pits.ORIGIN, pits.NOW)
    return folder


def test_whatever_clients_say_is_exported_and_what_the_tree_fixes(pit: Path) -> None:
    """Each type of fact, each field at its worst, at the ends of time; corrections of them; days that are none."""
    verdict, files = proved(pit, Scope(days=("0001-01-01", "9999-12-31")))
    assert verdict.status in (verify.PROVED, verify.FAULTY), verdict.lines
    assert not faults(files)
    assert all("of the tree is under the head of" in each for each in verdict.faults), verdict.faults
    streams = [msgspec.json.decode(each) for each in files["data/streams.jsonl"].splitlines()]
    recorded = int(re.findall(r" ([0-9]+) recorded", (pit / "said").read_text())[0])
    exported = sum(each["records"] for each in streams if each["kind"] == "facts")
    assert exported >= recorded, "a fact on record is not in the export"
    told = b"".join(text for name, text in files.items() if name.startswith("data/findings/"))
    assert b'"code":"positions-too-many"' in told
    assert b'"code":"verifier-stopped"' not in told


def test_a_day_whose_keys_somebody_spoiled_is_exported_and_its_seals_are_reported(tmp_path: Path) -> None:
    """An attacker with the gateway names the table's key first, and revokes it often: every seal of it is a bad one."""
    data = ("--data", str(tmp_path / "pit"))
    ingested(tmp_path, [next(iter(hostile.pit(iter(())))), hostile.opening("K1")])
    for name in ("property", "K1"):
        fact = pits.run("keys", "make", name, f"{name}-2026", "--from", "2026-11-18T00:00:00Z", *data).stdout
        ingested(tmp_path, [fact.encode()])
    ingested(tmp_path, hostile.played("K1"))
    with open_gateway(RecordOptions(tmp_path / "pit", None, None)) as gateway:  # own code with the gateway's account
        gateway.take([InputLine("own code", n, stored, REGISTRAR) for n, stored in enumerate(hostile.keys(), 1)])
    begin(tmp_path / "pit", pits.ORIGIN, pits.NOW)
    verdict, files = proved(tmp_path, Scope(days=(hostile.DAY, hostile.DAY)))
    assert verdict.status == verify.FAULTY, verdict.lines
    told = faults(files)
    assert told
    assert {row[3] for row in told} <= {"signature-wrong", "key-revoked", "key-expired", "key-not-yet-valid"}
    assert verdict.fault_count == len(told)
    assert verdict.lines[0].startswith("PROVED AS RECORDED, AND THE RECORD HAS FAULTS: ")
    assert any(each.startswith("FAULT OF THE RECORD: data/facts/") for each in verdict.lines)
    devices = files["data/keys/devices.jsonl"].splitlines()
    assert any(len(msgspec.json.decode(each)["revoked"]) > 1_500 for each in devices)


# The end of a note that would be one, if it were written as a note is written.
END = b'"at":1795000000000000,"source":"n","source_key":"n:0","stream":"%s","sequence":%d,"previous":"%s"}'
# Bytes that an intruder wrote into the log itself, at the next place of table 1's day.
WRITTEN = {
    "with a field said twice": b'{"type":"noted.1","text":"a","text":"b",' + END,
    "with its place said twice": b'{"type":"noted.1","text":"a","sequence":2,' + END,
    "with a space in it": b'{"type": "noted.1","text":"a",' + END,
    "with a space before it": b' {"type":"noted.1","text":"a",' + END,
    "with a space behind it": b'{"type":"noted.1","text":"a",' + END + b" ",
    "in another order": b'{"text":"a","type":"noted.1",' + END,
    "with a letter escaped": b'{"type":"noted.1","text":"\\u0061",' + END,
    "with what is left out otherwise": b'{"type":"noted.1","text":"a","source_signature":null,' + END,
    "with a seal's name escaped": b'{"type":"chain\\u002dsealed.1","key":"k","covers":2,"signature":"00",' + END,
    "with a correction's name escaped": b'{"type":"corrected\\u002e1","corrects_stream":"T1/2026-11-18","corrects_sequence":2,'
    b'"reads":{"cents":1},"reason":"x",' + END,
    "with a signature's name escaped": b'{"type":"noted.1","text":"a","source\\u005fsignature":"00",' + END,
    "of a type nobody knows": b'{"type":"from-a-later-version.1","stream":"%s","sequence":%d,"previous":"%s","at":1}',
    "with a field nobody knows": b'{"type":"noted.1","stream":"%s","sequence":%d,"previous":"%s","at":1,"x":[1.5,2]}',
    "with line ends": b'{"type":"noted.1",\n"stream":"%s",\n"sequence":%d,"previous":"%s","at":1}',
    "nested deeply": b'{"type":"noted.1","stream":"%s","sequence":%d,"previous":"%s","at":1,"x":'
    + b"[" * 300
    + b"]" * 300
    + b"}",
    "with a long number": b'{"type":"noted.1","stream":"%s","sequence":%d,"previous":"%s","at":1,"x":1'
    + b"0" * 5_000
    + b"}",
}


@pytest.mark.parametrize("what", WRITTEN)
def test_a_record_nobody_can_read_is_exported_and_reported(what: str, tmp_path: Path) -> None:
    """With what was said before and behind it."""
    stream = f"T1/{hostile.DAY}"
    ingested(tmp_path, [next(iter(hostile.pit(iter(())))), *hostile.played("T1")])
    with closing(embedded_log(tmp_path / "pit")) as log:
        stored = list(log.read_stream(stream))
        at = len(stored) + 1
        bad = WRITTEN[what] % (stream.encode(), at, digest(stored[-1]).encode())
        behind = {"type": "noted.1", "text": "behind", "at": hostile.AT, "source": "n", "source_key": "n:1"}
        told = {**behind, "stream": stream, "sequence": at + 1, "previous": digest(bad)}
        log.append([StoredFact(stream, at, "any", bad)])
        log.append([StoredFact(stream, at + 1, "noted.1", msgspec.json.encode(told))])
    begin(tmp_path / "pit", pits.ORIGIN, pits.NOW)
    verdict, files = proved(tmp_path, Scope(days=(hostile.DAY, hostile.DAY)))
    assert verdict.status == verify.FAULTY, verdict.lines
    assert faults(files) == [["facts", stream, str(at), "unread"]]
    assert f"{stream} record {at}: the property reports it as unreadable" in verdict.faults[0]
    assert files[f"data/facts/{stream}.jsonl"].count(b"\n") == at + 1
    table = parquet.read_table(BytesIO(files["data/facts.parquet"]))
    assert bad in table.column("stored").to_pylist()


def test_a_record_kept_under_another_stream_than_it_says_is_exported_where_the_tree_has_it(tmp_path: Path) -> None:
    """A writer with access to the database can do that; `doctor` calls it misfiled."""
    kept, said = (f"{table}/{hostile.DAY}" for table in ("T1", "T2"))
    opened = next(iter(hostile.pit(iter(()))))
    ingested(tmp_path, [opened, *hostile.played("T1"), *hostile.played("T2")])
    with closing(embedded_log(tmp_path / "pit")) as log:
        stored = list(log.read_stream(said))
        at = len(stored) + 1
        note = b'{"type":"noted.1","text":"a","stream":"%s",' % kept.encode() + END
        bad = note % (said.encode(), at, digest(stored[-1]).encode())
        log.append([StoredFact(kept, len(list(log.read_stream(kept))) + 1, "noted.1", bad)])
    begin(tmp_path / "pit", pits.ORIGIN, pits.NOW)
    verdict, files = proved(tmp_path, Scope(days=(hostile.DAY, hostile.DAY)))
    assert verdict.status == verify.FAULTY, verdict.lines
    assert faults(files) == [["facts", said, str(at), "unread"]]


def test_a_broken_chain_on_record_is_exported_and_reported(tmp_path: Path) -> None:
    stream = f"T1/{hostile.DAY}"
    ingested(tmp_path, [next(iter(hostile.pit(iter(())))), hostile.opening("T1")])
    with closing(embedded_log(tmp_path / "pit")) as log:
        at = len(list(log.read_stream(stream))) + 1
        fact = {"type": "noted.1", "text": "x", "at": hostile.AT, "source": "n", "source_key": "n:1", "stream": stream}
        stored = msgspec.json.encode({**fact, "sequence": at, "previous": "0" * 64})
        log.append([StoredFact(stream, at, "noted.1", stored)])
    begin(tmp_path / "pit", pits.ORIGIN, pits.NOW)
    verdict, files = proved(tmp_path, Scope(days=(hostile.DAY, hostile.DAY)))
    assert verdict.status == verify.FAULTY, verdict.lines
    assert faults(files) == [["facts", stream, str(at), "chain-broken"]]
