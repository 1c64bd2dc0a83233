"""A command starts without what it does not need: importing kafka-python takes as long as all the rest."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.citations import ROOT
from tests.projecting.sites import Site, found_in
from tests.watching.pits import Pit

# Commands that exist for a cluster, or start one.
OF_KAFKA = {"topics", "topics_access", "up"}
COMMANDS = sorted({path.stem for path in (ROOT / "consumers/commands").glob("[a-z]*.py")} - OF_KAFKA)


def imported(*modules: str) -> set[str]:
    """The packages that importing these modules imports."""
    script = f"import sys, {', '.join(modules)}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    ran = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, cwd=ROOT)
    return set(ran.stdout.split())


def test_no_command_imports_what_only_a_record_in_kafka_needs() -> None:
    modules = [f"consumers.commands.{name}" for name in COMMANDS]
    assert "kafka" not in imported("consumers.command", *modules)


@pytest.mark.parametrize("name", ["books", "settle", "score"])
def test_a_command_without_a_record_imports_no_database(name: str) -> None:
    assert not imported(f"consumers.commands.{name}") & {"duckdb", "pyarrow", "numpy", "sqlalchemy"}


def test_a_command_that_asks_duckdb_with_values_imports_no_pandas(tmp_path: Path) -> None:
    """DuckDB and pyarrow would, because Streamlit brings pandas along."""
    site = Site(tmp_path / "pit")
    facts = Pit(4, tables=1, days=1, rounds=1).record()
    site.tell(facts, found_in(facts))
    site.close()
    words = ["catwalk", "project", "--once", *site.options]
    script = (
        "import atexit, sys; from consumers.command import started;"
        " atexit.register(lambda: print(*sorted(name for name, module in sys.modules.items() if module), file=sys.stderr));"
        f" sys.argv = {words}; started()"
    )
    ran = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True, cwd=ROOT)
    assert ran.returncode == 0, ran
    assert {"duckdb", "pyarrow.dataset"} <= set(ran.stderr.split())
    assert "pandas" not in ran.stderr.split()
