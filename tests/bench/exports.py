"""Time and memory of verifying an export: `python -m tests.bench.exports 1000000`.

The export is made by the tests' own writer, ten tables' days of wagers, and verified by a Python that has nothing else,
without the signatures of devices, which are counted apart.
"""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from domain.ledger.stretches import Kind
from projections.export import one_file
from projections.export.verifier.signatures import signed_by
from projections.export.verifier.verdict import SOUND_IN_ITSELF
from tests.export.builder import Records, Site, private, public
from tests.export.scenes import DAYS, DEVICES, exported, property_day, table_day

# Runs a program, and tells at its end how much memory it had at most; what its parent had is not counted.
WATCHED = """
import atexit, runpy, sys
most = lambda: next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
atexit.register(lambda: print("most", most(), file=sys.stderr))
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
TABLES = range(20, 30)
FACTS_OF_A_ROUND = 14


def record(facts: int) -> Records:
    """A day of ten tables with so many facts, all told."""
    DEVICES.update({f"T{table}": table for table in TABLES})
    written = [property_day(DAYS[0], None)]
    rounds = facts // len(TABLES) // FACTS_OF_A_ROUND
    written += [table_day(f"T{table}", DAYS[0], None, rounds=rounds) for table in TABLES]
    kind: Kind = "facts"
    return {(kind, each.stream): each.stored for each in written}


def main(facts: int) -> None:
    """Prints processor time and memory."""
    found = record(facts)
    count = sum(map(len, found.values()))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "export.tar"
        file.write_bytes(exported(Site(found, cuts=200), found, scope={"tables": []}).tar())
        found.clear()
        program = Path(folder) / "verify.py"
        program.write_bytes(one_file.program())
        command = [sys.executable, "-I", "-S", "-c", WATCHED, str(program), str(file), "--seals", "none", "--quiet"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        ran = subprocess.run(command, check=False, capture_output=True, text=True)
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        if ran.returncode not in (0, SOUND_IN_ITSELF):
            raise SystemExit(ran.stdout + ran.stderr)
        print(
            f"{count} facts in {file.stat().st_size >> 20} MB verified in {used:.1f} s of processor time "
            f"and {int(ran.stderr.split()[-1]) >> 10} MB; the goals are 20 s and 300 MB for a million"
        )
    begun = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    signature = private(1).sign(b"words")
    if not all(signed_by(public(1), signature, b"words") for _ in range(500)):
        raise SystemExit("a signature is invalid")
    each = (resource.getrusage(resource.RUSAGE_SELF).ru_utime - begun) / 500
    print(f"a signature takes {1000 * each:.2f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
