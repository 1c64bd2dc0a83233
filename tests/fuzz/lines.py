"""Bytes into a gateway, by `catwalk ingest`: each line is a fact, a repeat or a letter, and the files say the same."""

import hashlib
import json
import re
import shutil
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from consumers.command import main
from domain.facts.codec import decode
from tests.facts.events import to_cloudevent
from tests.fuzz.facts import samples
from tests.fuzz.kit import Run, Target, require, require_schema
from tests.fuzz.mutators import json_lines
from tests.gateway import floor

OURS = ("gateway", "sources", "the office")  # what the gateway says itself, and how the record was begun
TOLD = re.compile(r"^(\d+) lines?: (\d+) recorded, (\d+) known already, (\d+) dead letters?; (\d+) seals", re.MULTILINE)


@cache
def said() -> list[dict[str, Any]]:
    """Lines of a table's day, in both forms, and a fact of each type."""
    day = [json.loads(line) for line in floor.lines(floor.day(rounds=1))]
    return [*day, *(to_cloudevent(decode(json.dumps(line))) for line in day), *_unplaced()]


def _unplaced() -> list[dict[str, Any]]:
    return [{**fact, "stream": "T7", "sequence": 0, "previous": ""} for fact in samples()]


def gateway(folder: Path) -> Run:
    """Bytes through the command into a fresh record."""
    pit = folder / "pit"

    def run(data: bytes) -> None:
        shutil.rmtree(pit, ignore_errors=True)
        done = CliRunner().invoke(main, ["ingest", "--data", str(pit)], input=data)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        told = TOLD.search(done.stderr)
        require(told is not None, f"status {done.exit_code}: {done.stderr[-500:]}")
        counts = [int(each) for each in told.groups()] if told else []
        lines = [line.rstrip(b"\r") for line in data.split(b"\n")]
        check(pit, [line for line in lines if line.strip()], counts)
        require(done.exit_code == (1 if counts[3] else 0), f"status {done.exit_code} for {counts}")

    return run


def check(pit: Path, lines: list[bytes], counts: list[int]) -> None:
    """The files hold every line sent, every line has a result, and every fact on record is a fact."""
    read, placed, repeated, dead, sealed = counts
    require(read == len(lines), f"{len(lines)} lines were sent and {read} counted")
    require(placed + repeated + dead == read, f"the counts do not add up: {counts}")
    letters = _rows(pit / "gateway/dead-letters.sqlite", "SELECT bytes FROM dead_letters")
    # The same bytes on the same line are one letter; here each line has a number of its own.
    require(len(letters) == dead, f"{dead} letters were told and {len(letters)} are kept")
    require({bytes(row[0]) for row in letters} <= set(lines), "a letter holds bytes nobody sent")
    rows = _rows(
        pit / "record/facts.sqlite", "SELECT originator_id, originator_version, state FROM facts ORDER BY position"
    )
    ours = [json.loads(bytes(state))["source"] in OURS for _, _, state in rows]
    require(ours.count(False) == placed, f"{placed} facts were told and {ours.count(False)} are on record")
    require(ours.count(True) >= sealed, f"{sealed} seals were told and {ours.count(True)} facts of ours are on record")
    heads: dict[str, tuple[int, str]] = {}
    for stream, sequence, state in rows:
        stored = bytes(state)
        value = json.loads(stored)
        require_schema(value, "the record")
        before, head = heads.get(stream, (0, ""))
        require((value["stream"], value["sequence"]) == (stream, sequence), "a fact stands where it does not say")
        require(sequence == before + 1, f"{stream} goes from {before} to {sequence}")
        require(value.get("previous", "") == head, f"{stream} {sequence} does not follow the fact before it")
        heads[stream] = (sequence, hashlib.sha256(stored).hexdigest())
    require(not _rows(pit / "gateway/outbox.sqlite", "SELECT place FROM pending"), "the outbox is not empty")


def _rows(file: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        return connection.execute(query).fetchall()


TARGETS = (Target("gateway", gateway, json_lines(said, most_lines=24), bytes=16_384, share=2, kept=25),)
