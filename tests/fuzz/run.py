"""`make fuzz`: every target in its turn under atheris, from the kept seeds, for some seconds in all.

What was found in earlier runs is in `.fuzz`, and the next run continues there. A run ends with a line a target:
executions, edges covered and inputs found. An input for which a property does not hold is written to `.fuzz/found`, and
the status is 1; put it among the seeds when its fault is mended, so that `make test` replays it.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import click

from tests.citations import ROOT
from tests.fuzz.kit import SEEDS, SLOWEST, Target
from tests.fuzz.targets import ALL

WORK = ROOT / ".fuzz"
FOUND = WORK / "found"
MEMORY_MB = 3072
LARGEST = 4096  # bytes of an input that is kept
_STATE = re.compile(r"cov: (\d+) ft: \d+ corp: (\d+)")
_EXECUTED = re.compile(r"stat::number_of_executed_units:\s*(\d+)")


@click.command()
@click.option("--seconds", type=click.IntRange(1), default=3600, show_default=True, help="For all targets together.")
@click.option("--target", "names", type=click.Choice(list(ALL)), multiple=True, help="Only this one; repeat for more.")
@click.option("--keep", is_flag=True, help="Keep some of the inputs that reached something new, in tests/fuzz/seeds.")
def main(seconds: int, names: tuple[str, ...], keep: bool) -> None:
    """Look for inputs for which a property does not hold."""
    FOUND.mkdir(parents=True, exist_ok=True)
    chosen = [ALL[name] for name in names] or list(ALL.values())
    shares = sum(target.share for target in chosen)
    broken = [target.name for target in chosen if not _fuzzed(target, max(1, seconds * target.share // shares))]
    if keep:
        for target in chosen:
            _kept(target)
    if broken:
        click.echo(f"a property does not hold in {', '.join(broken)}: see {FOUND}", err=True)
        raise SystemExit(1)


def _fuzzed(target: Target, seconds: int) -> bool:
    """Fuzzes one target and prints its line; whether every property held."""
    corpus, log = WORK / target.name, WORK / f"{target.name}.log"
    corpus.mkdir(exist_ok=True)
    options = [f"-max_total_time={seconds}", f"-max_len={target.bytes}", f"-artifact_prefix={FOUND}/{target.name}-"]
    with log.open("w") as told:
        done = _worker(target, [str(corpus), str(SEEDS / target.name), *options, "-len_control=0"], told)
    text = log.read_text(errors="replace")
    states, executed = _STATE.findall(text), _EXECUTED.search(text)
    edges, inputs = states[-1] if states else ("0", "0")
    says = "held" if done == 0 else f"BROKEN, see {log}"
    count = int(executed[1]) if executed else 0
    click.echo(f"{target.name:12} {seconds:5} s {count:10,} executions {edges:>6} edges {inputs:>5} inputs: {says}")
    return done == 0


def _kept(target: Target) -> None:
    """Replace the seeds found by fuzzing with some of every size found so far; named seeds stay."""
    found = sorted((file.stat().st_size, file.name, file) for file in (WORK / target.name).iterdir())
    short = [file for size, _, file in found if size <= LARGEST]
    chosen = short[:: max(1, -(-len(short) // target.kept))]
    for old in target.seeds:
        if re.fullmatch("[0-9a-f]{40}", old.name):
            old.unlink()
    for file in chosen:
        (SEEDS / target.name / file.name).write_bytes(file.read_bytes())
    click.echo(f"{target.name}: {len(chosen)} seeds kept")


def _worker(target: Target, options: list[str], told: object) -> int:
    """One process of libFuzzer, at the lowest priority; its status."""
    limits = [f"-timeout={SLOWEST}", f"-rss_limit_mb={MEMORY_MB}", "-print_final_stats=1"]
    command = [sys.executable, "-m", "tests.fuzz.worker", target.name, *options, *limits]
    here = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, stdout=told, stderr=subprocess.STDOUT, cwd=Path(WORK), env=here, preexec_fn=_gently, check=False
    ).returncode  # type: ignore[call-overload]


def _gently() -> None:
    os.nice(10)


if __name__ == "__main__":
    main()
