"""An export that would cost its receiver hours or gigabytes is refused early, and a large one is read in time."""

import re
import time
from io import BytesIO
from pathlib import Path

import pytest

from tests.export import scenes
from tests.export.attacks import SECONDS, changed, honest, resigned, rewritten, shown, swapped
from tests.export.builder import Bundle, Records, Site, canonical, member
from tests.export.delivered import verify
from tests.export.scenes import reference
from tests.export.verified import ASKED, KEY, outcome

SOON = 5.0  # seconds; each took minutes, or grew with the square


@pytest.fixture(autouse=True)
def in_time() -> object:
    begun = time.process_time()
    yield
    assert time.process_time() - begun < SOON


def test_a_statement_of_many_bytes_is_not_parsed() -> None:
    bundle = honest().copy()
    bundle.files["statement.dsse.json"] = b"[" * (verify.MOST_OF_JSON + 1)
    assert "statement.dsse.json: it has 4194305 bytes, more than the limit for such a file" in outcome(bundle)


@pytest.mark.parametrize(
    "text", [b"[" * 100_000, b'{"a":' * 100_000, b"[[],[" * 500, b'["' + b'\\"' * 40 + b'",' + b"[" * 40]
)
def test_json_that_is_nested_deeply_is_not_parsed(text: bytes) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        verify.parsed(text)
    assert outcome(changed("statement.dsse.json", lambda _: text)).startswith("refused statement.dsse.json")


def test_brackets_in_a_text_nest_nothing() -> None:
    text = b'["' + b'[{\\"' * 100 + b'",' + b",".join([b"[1]"] * 100) + b"]"
    assert len(verify.parsed(text)) == 101


def test_a_line_of_json_that_is_too_long_is_not_parsed() -> None:
    found = outcome(resigned("data/streams.jsonl", lambda text: b'"' + b"x" * verify.MOST_OF_JSON + b'"\n' + text))
    assert found.startswith("refused data/streams.jsonl, line 1")


def test_a_line_without_an_end_is_called_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "MOST_OF_A_LINE", 1 << 20)
    found = outcome(resigned("data/tables/wagers.csv", lambda text: text + b"x" * (3 << 20)))
    assert "the line has more than 1048576 bytes" in found


def test_many_rounds_of_facts_that_name_none_are_read_in_time() -> None:
    lines = b"".join(b'{"stream":"T7/2026-11-18","sequence":%d,"round":1}\n' % at for at in range(1, 60_001))
    bundle = honest().copy()
    bundle.files["data/rounds.jsonl"] = lines
    assert outcome(bundle.listed().signed()).startswith("proved")


def test_a_cell_that_is_never_closed_is_refused_in_time() -> None:
    found = outcome(resigned("data/tables/wagers.csv", lambda text: text + b'"' + b"x\r\n" * 200_000))
    assert "data/tables/wagers.csv, line 14" in found
    assert "a cell is not closed" in found


def test_a_stream_with_many_chosen_rounds_is_read_in_time() -> None:
    shown = verify.Shown("facts", "T7/2026-11-18", False, 1, 1, list(range(1, 200_001)))
    paid = verify.Paid(shown, {})
    for number in range(20_000):
        paid.take({"type": "wager-placed.1", "round": 200_000 - number, "seat": 1, "wager": "ante", "cents": 1})
    assert len(list(paid.rows())) == 20_000


def test_a_chain_of_rounds_that_is_not_ascending_is_refused() -> None:
    found = outcome(resigned("data/streams.jsonl", lambda text: text.replace(b'"rounds":[]', b'"rounds":[2,1]', 1)))
    assert "data/streams.jsonl, line 1, byte 0: it is not written like a line about a stream" in found


@pytest.mark.parametrize("path", ["data/tables/wagers.csv", "data/tables.xlsx"])
def test_a_file_too_large_for_memory_is_altered_where_it_is(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused as what it is, at the byte, with the status of what was altered."""
    bundle: Bundle = reference(60).copy()
    stored = bundle.files[path]
    monkeypatch.setattr(verify, "MOST_IN_MEMORY", len(bundle.files["pieces-sha256.txt"]) + 1)
    assert len(stored) < verify.MOST_IN_MEMORY or path.endswith("xlsx")
    at = len(stored) - 700
    bundle.files[path] = swapped(stored, at, bytes([stored[at] ^ 1]))
    (tmp_path / "export.tar").write_bytes(bundle.tar())
    assert verify.answer(str(tmp_path / "export.tar"), ASKED) == verify.ALTERED
    said = capsys.readouterr().out
    assert f"{path}, " in said
    assert f"byte {at}: it is not the file that was signed: one bit of this byte was flipped" in said


def test_an_empty_file_is_refused_where_the_container_is_read() -> None:
    empty = b"".join(member(f"{honest().name}/data/facts/T{at}/2026.jsonl", b"", SECONDS) for at in range(10, 99))
    found = outcome(empty + bytes(1024))
    assert "the container, byte 0: data/facts/T10/2026.jsonl is empty" in found


def test_a_container_of_too_many_files_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "MOST_FILES", 10)
    assert "it has more than 10 files" in outcome(honest())


def test_the_writer_lays_down_no_more_files_than_the_verifier_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    from projections.export import container

    assert container.MOST_FILES == verify.MOST_FILES
    monkeypatch.setattr(container, "MOST_FILES", 1)
    here = [(name, Path(__file__)) for name in ("a", "b")]
    with pytest.raises(container.UncontainedError, match="2 files"):
        container.lay_down(BytesIO(), "export-0", here, SECONDS)


def test_a_day_of_many_failures_and_a_key_of_many_ends_are_read_in_time() -> None:
    """Work that grows with the square is bounded, or counted by kind; a device that fails twice is restored once."""
    day = verify.PlayedDay(verify.Shown("facts", "T7/2026-11-18", True, 1, 1, []), {})
    opened = {"type": "table-opened.1", "sequence": 1, "at": 1, "book": "UTH-MD", "dealing_method": "hand"}
    day.take(opened)
    for at in range(2, 20_002):
        day.take({"type": "device-failed.1", "sequence": at, "at": at, "device": f"d{at}", "kind": "table-reader"})
        day.take({"type": "round-opened.1", "sequence": at, "at": at, "round": at})
    day.take({"type": "device-failed.1", "sequence": 1, "at": 1, "device": "d2", "kind": "table-reader"})
    for at in range(2, 20_002):
        assert "card-dealt" in day.unrecorded()
        day.take({"type": "device-restored.1", "sequence": at, "at": at, "device": f"d{at}"})
    assert day.unrecorded() == frozenset()
    with pytest.raises(TypeError, match="there is no seat 13"):
        day.take({"type": "player-seated.1", "sequence": 1, "at": 1, "seat": 13, "player": "p"})
    register = verify.KeyRegister()
    register.take({"type": "key-registered.1", "key": "k", "public_key": "", "table": "T7", "at": 1})
    for at in range(20_000):
        register.take({"type": "key-revoked.1", "key": "k", "at": 9, "from_stream": f"T{at}/2026", "from_sequence": at})
    assert [register["k"].may("T7/2026", at, 1) for at in range(20_000)] == [""] * 7 + ["key-revoked"] * 19_993
    assert register["k"].may("elsewhere/2026", 0, 9) == "key-revoked"


def test_a_time_no_clock_says_is_no_failure_of_the_verifier() -> None:
    """Chained, signed and in the tree, as only the property itself can write it."""
    records: Records = {**honest().site.records}
    stored = list(honest().site.records["facts", "T7/2026-11-18"])
    stored[3] = re.sub(rb'"at":[0-9]+', b'"at":1' + b"0" * 30, stored[3])
    records["facts", "T7/2026-11-18"] = rewritten(stored, 4)
    site = Site(records)
    size, parts = len(site.leaves), scenes._in_part(shown(records))
    bundle = Bundle(dict(honest().files), site)
    bundle.files |= scenes._proofs(site, scenes._of_parts(shown(records), parts), size, parts)
    bundle.files |= scenes._leaves(site, size)
    question = bundle.question
    question["checkpoint"] |= {"root": site.tree.root(size).hex(), "cosigned_by": []}
    bundle.files["data/question.json"] = (canonical(question) + "\n").encode()
    bundle.files["data/proofs/checkpoint.txt"] = site.notes[size].stored.encode()
    found = outcome(bundle.listed().signed(), verify.Asked([KEY], seals="none"))
    assert found.startswith("refused data/facts/T7/2026-11-18.jsonl"), found
    assert "it is not written like a record of its type" in found


def test_a_note_with_many_signatures_is_refused() -> None:
    line = "\u2014 audit.example " + "A" * 120 + "\n"
    found = outcome(resigned("data/proofs/checkpoint.txt", lambda text: text + (line * 1000).encode()))
    assert "a signed note has at most 65536" in found
