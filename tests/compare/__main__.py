"""`make compare CODE=FOLDER`: the code in FOLDER and this code judge, project and export the same simulated floors.

The earlier code lays down each record; both codes read it. Whatever differs and is not listed in `intended.py` is printed
with its place, and the exit status is 1.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from consumers.gateway.keys import PASSPHRASE
from tests.citations import ROOT
from tests.compare.apart import NOTHING, Apart, apart, bare, bare_file
from tests.compare.intended import OWN_FILES, OWN_TABLES, Difference, Record, added, plain, without_intended
from tests.compare.retold import first_of_decks, retold

# DuckDB takes a program without a file for a person's shell, and prints the progress of a slow query among the rows.
_RUN: Final = (
    "__file__ = 'catwalk'; import sys; sys.path.insert(0, sys.argv.pop(1)); from consumers.command import main; "
    "main(prog_name='catwalk')"
)
_WORD: Final = "compare-both-codes-2026"
_DAY: Final = "2026-11-18"
_SHOWN = 20  # unintended differences printed


class Code(NamedTuple):
    """A version of the code: the folder it lies in."""

    folder: Path

    def run(self, *words: str, fine: tuple[int, ...] = (0,)) -> str:
        """Run a command with this code and return what it prints."""
        env = {**os.environ, PASSPHRASE: _WORD, "PYTHONPATH": ""}
        done = subprocess.run(
            [sys.executable, "-c", _RUN, str(self.folder), *words], env=env, capture_output=True, text=True, check=False
        )
        if done.returncode not in fine:
            raise SystemExit(f"{self.folder}: catwalk {' '.join(words)} ended with {done.returncode}: {done.stderr}")
        return done.stdout


def findings(record: Path) -> Iterator[Record]:
    """Each record of the findings log, under its stream."""
    with sqlite3.connect(record / "record/findings.sqlite") as log:
        for stream, stored in log.execute("SELECT originator_id, state FROM facts ORDER BY 1, originator_version"):
            yield Record("finding", stream, json.loads(stored))


def rows(code: Code, record: Path, tables: list[str]) -> Iterator[Record]:
    """Each row of these read models, under its table."""
    asked = " UNION ALL ".join(
        f"(SELECT '{name}' AS name, to_json(t)::VARCHAR AS row FROM {name} t)" for name in tables
    )
    told = code.run("sql", "--data", str(record), "--json", "-c", asked)
    found = [(each["name"], json.loads(each["row"])) for each in map(json.loads, told.splitlines())]
    # A house is named by a digest that contains its edition's: name it by its options instead.
    houses = {row["house"]: f"{row['book']} {row['options']}" for name, row in found if name == "houses"}
    for name, row in found:
        yield Record("row", name, {**row, "house": houses.get(row.get("house"))})


def tables(code: Code, record: Path) -> list[str]:
    """The read models' tables, without the store's own."""
    asked = "SELECT table_name FROM information_schema.tables WHERE table_catalog = current_database() ORDER BY 1"
    told = code.run("sql", "--data", str(record), "--csv", "-c", asked).split()[1:]
    return [name for name in told if name not in OWN_TABLES]


def members(file: Path) -> dict[str, bytes]:
    """The files in an export by name, without its own folder."""
    with tarfile.open(file) as tar:
        return {
            each.name.split("/", 1)[1]: tar.extractfile(each).read()  # type: ignore[union-attr]
            for each in tar.getmembers()
            if each.isfile()
        }


def lay_down(code: Code, record: Path, seed: int) -> None:
    """Simulate a floor with this code: every second one with each incident there is."""
    incidents = "all" if seed % 2 else "none"
    code.run(
        *("simulate", "--tables", "5", "--hours", "2", "--seed", str(seed), "--incidents", incidents, "--start", _DAY),
        *("--labels", str(record.parent / "labels.jsonl"), "--keys", "--data", str(record)),
    )


def watched(code: Code, laid: Path, record: Path) -> Path:
    """A copy of the record with findings and read models made by this code."""
    shutil.copytree(laid, record)
    code.run("watch", "--once", "--data", str(record), fine=(0, 1))
    code.run("project", "--once", "--data", str(record))
    return record


def sign(code: Code, record: Path) -> None:
    """Give the record two people and a signed tree."""
    secret = record.parent / "password"
    secret.touch(0o600)
    secret.write_text(_WORD)
    last = ("--password-file", str(secret), "--data", str(record))
    code.run("accounts", "add", "anna", "--role", "investigator", "--role", "manager", "--role", "auditor", *last)
    code.run("accounts", "add", "olga", "--role", "manager", "--as", "anna", "--own-password-file", str(secret), *last)
    code.run("checkpoint", "key", "make", "catwalk/compare", "--data", str(record))
    code.run("checkpoint", "--data", str(record))


def exported(code: Code, signed: Path, folder: Path) -> dict[str, bytes]:
    """The files that this code exports from a copy of the signed record, proved by its verifier as far as it can."""
    record, file, secret = folder / "exporting", folder / "export.tar", str(signed.parent / "password")
    shutil.copytree(signed, record)
    code.run(
        *("export", "--days", _DAY, "--purpose", "comparison", "--recipient", "both", "--out", str(file)),
        *("--as", "anna", "--password-file", secret, "--signed-by", "olga", "--signer-password-file", secret),
        *("--data", str(record)),
    )
    code.run("verify-export", str(file), fine=(0, 3))
    return members(file)


def compared(
    earlier: Iterable[Record], later: Iterable[Record], count: Counter[str], known: Apart = NOTHING
) -> Iterator[Difference]:
    """Every record that only one code makes, once the intended differences are taken out.

    `known` are the rounds and days that the codes judge differently on purpose.
    """
    earlier = list(earlier)
    count.update(record.kind for record in earlier)
    sides: list[Counter[str]] = []
    whole: dict[str, Record] = {}
    for records in (retold(earlier), later):
        held: Counter[str] = Counter()
        for record in first_of_decks(records):
            same = bare(record, known)
            if same is None:
                continue
            fields = without_intended(same)
            if fields is None:
                count[f"intended new {record.kind}"] += 1
            else:
                held[told := f"{record.kind} {record.place} {json.dumps(fields, sort_keys=True)}"] += 1
                whole[told] = record
        sides.append(held)
    before, after = sides
    yield from (Difference(each, "only the earlier code") for each in (before - after).elements())
    for each in (after - before).elements():
        if added(whole[each]):
            count[f"intended new {whole[each].kind}"] += 1
        else:
            yield Difference(each, "only this code")


def compared_exports(
    earlier: Mapping[str, bytes], later: Mapping[str, bytes], count: Counter[str], known: Apart = NOTHING
) -> Iterator[Difference]:
    """Every file that differs between two exports of one question to one checkpoint."""
    for name in sorted(earlier.keys() | later.keys()):
        count["file"] += 1
        sides = (side.get(name, b"no file") for side in (earlier, later))
        one, other = (plain(name, bare_file(name, content, known)) for content in sides)
        if one != other and name not in OWN_FILES:
            first = next(
                (f"{a!r} -> {b!r}" for a, b in zip_longest(one.splitlines(), other.splitlines()) if a != b), ""
            )
            yield Difference(f"file {name}", first[:600])


def floor(earlier: Code, later: Code, seed: int, folder: Path, count: Counter[str]) -> Iterator[Difference]:
    """Every difference over one floor."""
    laid = folder / "laid"
    lay_down(earlier, laid, seed)
    before, after = watched(earlier, laid, folder / "before"), watched(later, laid, folder / "after")
    names = tables(earlier, before)
    told = [list(rows(code, record, names)) for code, record in ((earlier, before), (later, after))]
    known = apart(told[0])
    yield from compared(findings(before), findings(after), count, known)
    yield from compared(*told, count, known)
    sign(earlier, before)
    made = [exported(code, before, folder / name) for code, name in ((earlier, "one"), (later, "two"))]
    yield from compared_exports(*made, count, known)


def main(earlier: Path, first: int, many: int) -> int:
    """Compare the codes over the floors of these seeds; print the counts and what differs without intent."""
    count: Counter[str] = Counter()
    others: list[Difference] = []
    for seed in range(first, first + many):
        with TemporaryDirectory() as name:
            others += floor(Code(earlier), Code(ROOT), seed, Path(name), count)
        print(f"seed {seed}: {len(others):,} unintended differences so far", flush=True)
    print(f"{many} floors: " + ", ".join(f"{number:,} {what}s" for what, number in sorted(count.items())))
    for each in others[:_SHOWN]:
        print(f"{each.says}: {each.place}")
    print(f"{len(others):,} unintended differences")
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), int(sys.argv[2]), int(sys.argv[3])))
