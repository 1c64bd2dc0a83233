"""A record whose sources are registered, as a person does it: the property's opening, then a command a source."""

import os
from pathlib import Path

from click.testing import CliRunner, Result

from consumers.command import main
from domain.facts.codec import encode
from domain.facts.property_day import PropertyOpened
from tests.gateway.floor import START

AHEAD = 100 * 365 * 86_400  # seconds: days of tests are opened at the socket whatever year it is
OPENED = encode(
    PropertyOpened("2026-11-18", 0, "Test House", at=START, source="office", source_key="office:1", ahead_seconds=AHEAD)
)
ALL = ("--every-table", "--property", "--may", "play", "--may", "openings", "--may", "corrections")
ME = ("--user", str(os.getuid()))


def run(*words: object, given: bytes = b"") -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, [str(word) for word in words], input=given)


def begin(folder: Path, *names: str, opened: bytes = OPENED) -> None:
    """Begin a record and register these sources for the account of this process."""
    ran = run("ingest", "--data", folder, "-", given=opened + b"\n")
    assert ran.exit_code == 0, ran.output
    admit(folder, *names)


def admit(folder: Path, *names: str) -> None:
    """Register these sources for every table and the property, for the account of this process."""
    for name in names:
        register(folder, name, *ALL, *ME)


def register(folder: Path, name: str, *terms: object) -> None:
    """Register one source under these terms."""
    ran = run("sources", "register", name, *terms, "--data", folder)
    assert ran.exit_code == 0, ran.output


def table_sources(*tables: str) -> list[str]:
    """The sources of these tables as `tests.gateway.floor` has them speak."""
    return [f"{table}-{post}" for table in tables for post in ("pit", "reader")]
