"""Time and memory of an export, and proof that an interruption changes nothing.

`python -m tests.bench.exporting 1000000` plays days of ten tables with everything going wrong now and then until so
many facts are on record, has them verified and a checkpoint signed. It exports one day and all days as a person does,
and all days again, interrupted by Ctrl-C when half of the streams are done, and resumed. It prints time and memory, and
fails unless both exports of all days are the same bytes and are proved.
"""

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import closing
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

from consumers.gateway.keys import PASSPHRASE
from consumers.logs.opening import embedded_log, findings_log
from projections.export import one_file
from tests.bench.exports import WATCHED

CATWALK = str(Path(sys.executable).with_name("catwalk"))
TABLES, HOURS = 10, 8
FIRST = date(2026, 11, 2)
PEOPLE = {"anna": "investigator", "olga": "manager"}  # who keeps accounts comes last
LETTERS = "ten letters and more"
SOUND = 3  # the status of an export nobody from outside vouches for
GROWN = 1.25  # times the memory of one day's export


class Took(NamedTuple):
    """Time a run took by the clock, and its peak memory."""

    seconds: float
    megabytes: int


def catwalk(folder: Path, *words: str, ends: int = 0) -> None:
    """A command of the record; what goes wrong ends all."""
    ran = subprocess.run(
        [CATWALK, *words, "--data", str(folder)], check=False, capture_output=True, text=True, env=environment()
    )
    if ran.returncode != ends:
        raise SystemExit(f"catwalk {' '.join(words)}: {ran.stdout[-2000:]}{ran.stderr[-2000:]}")


def environment() -> dict[str, str]:
    """Settings with which keys open without a prompt."""
    return {**os.environ, PASSPHRASE: "a passphrase for the bench"}


def played(folder: Path, facts: int) -> list[str]:
    """Days on record until there are so many facts: the days."""
    for name, role in PEOPLE.items():
        (folder / f"{name}.txt").write_text(LETTERS)
        catwalk(
            folder, "accounts", "add", name, "--role", role, "--password-file", str(folder / f"{name}.txt"), "--new"
        )
    days: list[str] = []
    while recorded(folder) < facts:
        day = (FIRST + timedelta(days=len(days))).isoformat()
        play = ("simulate", "--tables", str(TABLES), "--hours", str(HOURS), "--seed", str(len(days) + 1))
        first = () if days else ("--keys",)
        catwalk(folder, *play, "--incidents", "all", "--start", day, *first)
        days.append(day)
    catwalk(folder, "watch", "--once", "--quiet", ends=1)  # it has found something
    catwalk(folder, "checkpoint", "--begin", "catwalk/bench")
    return days


def recorded(folder: Path) -> int:
    """The number of facts on record."""
    if not (folder / "record/facts.sqlite").is_file():
        return 0
    with closing(embedded_log(folder)) as log:
        return sum(log.last_position(partition) for partition in log.partitions)


def asked(folder: Path, first: str, last: str, out: Path) -> list[str]:
    """The command of two people who order and sign."""
    return [
        *(CATWALK, "export", "--days", f"{first}..{last}", "--purpose", "bench", "--recipient", "nobody"),
        *("--as", "anna", "--password-file", str(folder / "anna.txt"), "--signed-by", "olga"),
        *("--signer-password-file", str(folder / "olga.txt"), "--out", str(out), "--data", str(folder)),
    ]


def exported(command: list[str]) -> Took:
    """The export made, watched."""
    began = monotonic()
    ran = subprocess.run(
        [sys.executable, "-c", WATCHED, *command], check=False, capture_output=True, text=True, env=environment()
    )
    if ran.returncode:
        raise SystemExit(ran.stdout + ran.stderr)
    return Took(monotonic() - began, int(ran.stderr.split()[-1]) >> 10)


def stopped(command: list[str], streams: int) -> int:
    """The same, until Ctrl-C comes when so many streams are done: how many were."""
    told = Path(f"{command[command.index('--out') + 1]}.part/bag/data/streams.jsonl")
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment()) as process:
        while process.poll() is None and lines(told) < streams:
            sleep(0.02)
        process.send_signal(signal.SIGINT)
    if not process.returncode or Path(command[command.index("--out") + 1]).exists():
        raise SystemExit("the export was made before it was stopped")
    return lines(told)


def lines(file: Path) -> int:
    """The number of lines in the file so far."""
    return file.read_bytes().count(b"\n") if file.is_file() else 0


def proved(file: Path) -> str:
    """The first word of the verifier's answer, without a key from outside and unchecked signatures of devices."""
    program = file.parent / "verify.py"
    program.write_bytes(one_file.program())
    command = [sys.executable, "-I", "-S", str(program), str(file), "--seals", "none", "--quiet"]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    if ran.returncode != SOUND:
        raise SystemExit(ran.stdout + ran.stderr)
    return ran.stdout.partition("\n")[0]


def digest(file: Path) -> str:
    """SHA-256 of a large file."""
    with file.open("rb") as content:
        made = sha256()
        while piece := content.read(1 << 20):
            made.update(piece)
    return made.hexdigest()


def main(facts: int) -> None:
    """Prints what it took, and fails where a stop changed anything."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place:  # not in a folder that may be memory
        folder = Path(place) / "pit"
        folder.mkdir()
        days = played(folder, facts)
        with closing(findings_log(data=folder, create=False)) as log:
            found = sum(log.last_position(partition) for partition in log.partitions)
        print(f"{recorded(folder):,} facts of {TABLES} tables and {len(days)} days, {found:,} records of findings")
        one, whole, again = (Path(place) / f"{name}.tar" for name in ("one", "whole", "again"))
        of_one = exported(asked(folder, days[0], days[0], one))
        of_all = exported(asked(folder, days[0], days[-1], whole))
        for name, took, file in (("one day", of_one, one), ("all days", of_all, whole)):
            size = file.stat().st_size >> 20
            print(f"{name:<8} {size:>5,} MB made in {took.seconds:>6.1f} s and {took.megabytes} MB of memory")
        command = asked(folder, days[0], days[-1], again)
        streams = stopped(command, (TABLES + 1) * len(days) // 2)
        rest = exported(command)
        print(f"stopped by Ctrl-C behind {streams} streams, resumed in {rest.seconds:.1f} s: ", end="")
        if digest(again) != digest(whole):
            raise SystemExit("other bytes than without a stop")
        print("the same bytes")
        print(proved(again))
        if of_all.megabytes > GROWN * of_one.megabytes:
            raise SystemExit("memory grows with what is exported")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
