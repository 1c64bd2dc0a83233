"""Earlier facts of a file are read again from their places, with the numbers they were given first."""

import json
from pathlib import Path

import pytest

from consumers.watching import fact_file
from consumers.watching.fact_file import FactFile
from domain.facts.codec import decode
from tests.watching.pits import Pit

NUMBERING = ("sequence", "previous", "previous_stream", "previous_head")
SILENT = lambda number, line, refused: None  # noqa: E731


def unnumbered(stored: bytes) -> bytes:
    """A fact as its source told it, under its table's name alone."""
    fact = json.loads(stored)
    told = {name: value for name, value in fact.items() if name not in NUMBERING}
    told["stream"] = told["stream"].partition("/")[0]
    return json.dumps(told).encode()


def numbered(stored: bytes) -> bytes:
    return stored


@pytest.mark.parametrize("form", [numbered, unnumbered])
def test_a_stream_is_read_again_as_it_was_read_first(form: object, tmp_path: Path) -> None:
    assert callable(form)
    facts = Pit(5, tables=3, days=3, corrections=4).record()
    (tmp_path / "day").write_bytes(b"no fact\n\n" + b"\n".join(map(form, facts)) + b"\n")
    file = FactFile(tmp_path / "day")
    first: dict[str, list[bytes]] = {}
    for number, stored in file.facts(SILENT):
        file.at[0] = number
        stream = decode(stored).stream
        before = first.setdefault(stream, [])
        if len(before) % 17 == 0:
            assert list(file.stored(stream)) == before, (stream, number)
        before.append(stored)
    file.at[0] += 1
    assert {name: list(file.stored(name)) for name in first} == first
    assert sum(map(len, first.values())) > 0.9 * len(facts), "nearly all are taken"
    if form is numbered:
        assert [each for each in facts if decode(each).stream == "T2/2026-11-19"] == first["T2/2026-11-19"]


def test_a_line_that_repeats_or_is_refused_is_not_read_again(tmp_path: Path) -> None:
    """Each line twice, and each key once more with another time: the streams are those of the file once."""
    lines = [unnumbered(each) for each in Pit(5, tables=2, days=2).record()]
    (tmp_path / "once").write_bytes(b"\n".join(lines) + b"\n")
    thrice = (each for line in lines for each in (line, line, json.dumps(json.loads(line) | {"camera": "c"}).encode()))
    (tmp_path / "day").write_bytes(b"\n".join(thrice) + b"\n")
    once, file = FactFile(tmp_path / "once"), FactFile(tmp_path / "day")
    told: list[bytes] = []
    left: list[bool] = []
    facts = [stored for _, stored in once.facts(SILENT)]
    for number, stored in file.facts(lambda number, line, refused: left.append(refused is None)):
        told.append(stored)
        file.at[0] = number + 3
    assert told == facts
    assert sum(left) >= len(facts), "each fact again is a repeat"
    once.at[0] = len(lines) + 1
    for stream in {decode(each).stream for each in facts}:
        assert list(file.stored(stream)) == list(once.stored(stream)) != []


def test_only_the_lines_of_a_stream_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = Pit(5, tables=3, days=3).record()
    (tmp_path / "day").write_bytes(b"\n".join(facts))
    file = FactFile(tmp_path / "day")
    for number, _ in file.facts(SILENT):
        file.at[0] = number + 1
    reads = 0
    read_input = fact_file.read_input

    def counted(stored: bytes) -> object:
        nonlocal reads
        reads += 1
        return read_input(stored)

    monkeypatch.setattr(fact_file, "read_input", counted)
    assert 0 < len(list(file.stored("T3/2026-11-20"))) == reads < len(facts) / 6
