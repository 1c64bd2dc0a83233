"""Bytes of a record changed one at a time, at random places of each of its files: each noticed, or for nothing.

`python -m tests.doctor.spoil SEED MANY` changes so many in each file. A change that `catwalk doctor` does not notice is
harmless only if the map of the file says that its byte is for nothing, or what it changed only has a bound, and every
row of every table is read as before.
"""

import os
import random
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from time import perf_counter

import msgspec
from click.testing import CliRunner, Result

from consumers.command import main as catwalk
from consumers.desk.application import desk_of
from consumers.doctor import journal
from consumers.doctor.telling import DAMAGE
from consumers.gateway.keys import PASSPHRASE
from domain.desk import access, review
from domain.desk.acting import DeskAct
from tests.doctor.pages import Pages

FILES = (
    *("record/facts.sqlite", "record/findings.sqlite", "record/desk.sqlite", "record/checkpoints.sqlite"),
    *("trust/tree.sqlite", "gateway/outbox.sqlite"),
)
JOURNALS = ("record/facts.sqlite-wal", "record/findings.sqlite-wal", "record/desk.sqlite-wal", "trust/tree.sqlite-wal")
OLDER = "an older journal, or its unfinished end"
WHITE = "white space between the words of the schema, on the first page"
STARTS = "a count of starts, which only has to be as high as the record says"
READ_AGAIN = "how far the keeper has read: from further back it reads again, and passes over what it has"
Rows = dict[str, list[tuple[object, ...]]]


def run(*words: str | Path, status: tuple[int, ...] = (0, 1)) -> Result:
    """A command that ends well."""
    done = CliRunner().invoke(catwalk, [str(word) for word in words])
    assert done.exit_code in status, (words, done.output, done.exception)
    return done


def recorded(folder: Path, killed: Path) -> None:
    """A record with all its files at rest: facts sealed by keys, findings, a desk, checkpoints.

    In `killed` it lies as processes leave it that were killed: with journals that are not taken into the files yet.
    """
    os.environ.setdefault(PASSPHRASE, "a passphrase for tests")
    said = folder.with_name(f"{folder.name}.jsonl")
    words = ("--incidents", "wager-overpaid,stub-count-mismatch", "--labels", f"{said}.labels", "--seed", "11")
    run("simulate", "--tables", "1", "--hours", "4", *words, "--out", said)
    lines = said.read_bytes().splitlines(keepends=True)[:400]
    third = len(lines) // 3
    with ExitStack() as held:
        for number, part in enumerate((lines[:third], lines[third : 2 * third], lines[2 * third :])):
            said.write_bytes(b"".join(part))
            run("ingest", "--data", folder, said)
            run("watch", "--once", "--data", folder)
            worked(folder, number)
            if number == 0:
                run("checkpoint", "key", "make", "catwalk/spoilt", "--data", folder)
            run("checkpoint", "--data", folder)
            if number == 1:
                for name in JOURNALS:  # another process with the file open keeps its journal
                    db = held.enter_context(closing(sqlite3.connect(folder / name.removesuffix("-wal"))))
                    db.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        said.write_bytes(lines[0] + b"junk\n")
        run("ingest", "--data", folder, said)
        worked(folder, 9)
        shutil.copytree(folder, killed)


def worked(folder: Path, number: int) -> None:
    """Work at the desk: a review of a finding, and the looks that go with it."""
    with closing(desk_of(data=folder)) as desk:
        for count in range(5):
            act = DeskAct("ann", 1_795_003_200_000_000 + 1_000_000 * (10 * number + count), f"k{number}-{count}")
            desk.on_finding(f"f{number}", lambda state, act=act: review.note(state, act, "looked at camera 14"))
            desk.looked([access.looked(act, "hand", f"T1/2026-11-18 round {count}")])


def rows(path: Path) -> Rows:
    """Every row of every table, in the order of its keys and in that of each index."""
    found: Rows = {}
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
        db.text_factory = bytes
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type='table'").fetchall():
            table = name.decode()
            found[table] = db.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608
            for index in db.execute(f"PRAGMA index_list({table})").fetchall():
                asked = f"SELECT * FROM {table} INDEXED BY {index[1].decode()}"  # noqa: S608
                origin = index[3].decode()
                if origin != "pk" and not (origin == "u" and table == "dead_letters"):
                    columns = [each[2].decode() for each in db.execute(f"PRAGMA index_info({index[1].decode()})")]
                    found[index[1].decode()] = db.execute(f"{asked} ORDER BY {', '.join(columns)}").fetchall()
    return found


class Spoiler:
    """One record, and what becomes of it when a byte of it is another."""

    def __init__(self, pristine: Path, scratch: Path) -> None:
        self.pristine = pristine
        self._scratch = scratch
        status, self._whole = self.examined(pristine)
        assert status < DAMAGE, self._whole
        self._maps: dict[str, Pages] = {}
        self._rows: dict[str, Rows] = {}

    def examined(self, source: Path, file: str = "", at: int = 0, byte: int = 0) -> tuple[int, list[bytes]]:
        """The doctor's exit status and its words about a copy with this byte."""
        folder = self._scratch / "pit"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(source, folder)
        if file:
            with (folder / file).open("r+b") as opened:
                opened.seek(at)
                opened.write(bytes([byte]))
        done = CliRunner().invoke(catwalk, ["doctor", "--json", "--data", str(folder)])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            return -1, [repr(done.exception).encode()]
        told = [line for line in done.stdout_bytes.splitlines() if line.startswith(b"{")]
        return done.exit_code, [line for line in told if msgspec.json.decode(line)["kind"] != "repeat"]

    def tried(self, file: str, at: int, byte: int) -> str:
        """`noticed`, or why the change is harmless, or that it was missed."""
        status, told = self.examined(self.pristine, file, at, byte)
        if status < 0:
            return f"MISSED: {file} byte {at}, {self._before(file, at)} -> {byte}: a traceback, {told[0].decode()}"
        if status > 2 and told != self._whole:
            return "noticed"
        if status == 2:
            return "noticed: the log could not be read"
        return self._harmless(file, at, byte) or f"MISSED: {file} byte {at}, {self._before(file, at)} -> {byte}"

    def _before(self, file: str, at: int) -> int:
        return (self.pristine / file).read_bytes()[at]

    def _harmless(self, file: str, at: int, byte: int) -> str:
        database = file.removesuffix("-wal")
        folder = self._scratch / "read"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.pristine, folder)
        before = self._rows.get(database) or self._rows.setdefault(database, rows(folder / database))
        with (folder / file).open("r+b") as opened:
            opened.seek(at)
            opened.write(bytes([byte]))
        try:
            after = rows(folder / database)
        except sqlite3.Error:
            return ""
        if file.endswith("-wal"):
            return OLDER if after == before else ""
        if file not in self._maps:
            self._maps[file] = Pages(self.pristine / file)
        if after == before:
            space = bytes([self._before(file, at), byte]).isspace() and at < self._maps[file].size
            return WHITE if space else self._maps[file].why(at)
        return _bounded(before, after)


def _bounded(before: Rows, after: Rows) -> str:
    """The reason why rows that differ do no harm."""
    (differs, *others) = [name for name in before if before[name] != after.get(name)]
    if others or len(before[differs]) != len(after[differs]):
        return ""
    if differs == "writer" and after[differs][0][1] > before[differs][0][1]:  # type: ignore[operator]
        return STARTS
    if differs == "positions":
        held = {row[:2]: row[2] for row in before[differs]}
        if all(row[:2] not in held or row[2] <= held[row[:2]] for row in after[differs]):  # type: ignore[operator]
            return READ_AGAIN
    return ""


def places(chance: random.Random, stored: bytes, many: int) -> Iterator[tuple[int, int]]:
    """Places of a file and the byte to put there: for a digit another digit, for anything else any other byte."""
    for _ in range(many):
        at = chance.randrange(len(stored))
        digit = 48 <= stored[at] <= 57
        yield at, chance.choice([each for each in (range(48, 58) if digit else range(256)) if each != stored[at]])


Told = Callable[[str, int, Counter[str]], object]


def spoilt(
    scratch: Path, seed: int, many: int, files: Iterable[str] = (*FILES, *JOURNALS), told: Told = lambda *_: None
) -> dict[str, Counter[str]]:
    """Results of so many changes in each file."""
    journal.WAIT_SECONDS = 0  # nobody writes here: what does not fit at once never does
    rest, killed = scratch / "rest", scratch / "killed"
    recorded(rest, killed)
    at_rest, at_work = Spoiler(rest, scratch), Spoiler(killed, scratch)
    found: dict[str, Counter[str]] = {}
    for file in files:
        spoiler = at_work if file in JOURNALS else at_rest
        chance = random.Random(f"{seed} {file}")  # noqa: S311 - the same places every time
        stored = (spoiler.pristine / file).read_bytes()
        found[file] = Counter(spoiler.tried(file, at, byte) for at, byte in places(chance, stored, many))
        told(file, len(stored), found[file])
    return found


def _told(file: str, size: int, counts: Counter[str]) -> None:
    print(f"{file}, {size} bytes: {counts.total()} changes")
    for what, count in counts.most_common():
        print(f"  {count:6}  {what}", flush=True)


def main() -> None:
    """Prints a table, and ends with 1 where a change was missed."""
    seed, many = int(sys.argv[1]), int(sys.argv[2])
    files = tuple(sys.argv[3:]) or (*FILES, *JOURNALS)
    begun = perf_counter()
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as scratch:
        tempfile.tempdir = scratch
        found = spoilt(Path(scratch), seed, many, files, _told)
    print(f"SEED={seed} MANY={many}: {perf_counter() - begun:.0f} s")
    if any(what.startswith("MISSED") for counts in found.values() for what in counts):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
