"""A command starts without what it does not need: importing kafka-python takes as long as all the rest."""

import subprocess
import sys

import pytest

from tests.citations import ROOT

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
