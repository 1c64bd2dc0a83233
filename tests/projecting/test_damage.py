"""Read models that are damaged: the command says so, the record is untouched, and a rebuild cures it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from tests.projecting.sites import Site, found_in
from tests.watching.pits import Pit


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path / "pit")
    facts = Pit(4, tables=2, days=1, rounds=2).record()
    made.tell(facts, found_in(facts))
    yield made
    made.close()


def catwalk(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def spoil(folder: Path, pattern: str) -> None:
    """Zeros in the middle and at the head of each such file."""
    for file in folder.rglob(pattern):
        size = file.stat().st_size
        with file.open("r+b") as opened:
            for place in (0, size // 2):
                opened.seek(place)
                opened.write(b"\0" * 4096)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "the working file is spoilt": lambda read: spoil(read, "work.duckdb"),
    "a sealed day is spoilt": lambda read: spoil(read, "*.parquet"),
    "the sealed days are gone": lambda read: [shutil.rmtree(each) for each in read.rglob("days")] and None,
    "the generations are gone": lambda read: [shutil.rmtree(each) for each in read.rglob("generations")] and None,
    "all is gone": shutil.rmtree,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_rebuild_cures_it_and_the_record_stays_as_it_is(site: Site, damage: str) -> None:
    assert catwalk("project", "--once", *site.options).exit_code == 0
    whole, record = site.digests(), (site.folder / "record/facts.sqlite").read_bytes()
    DAMAGES[damage](site.read)
    ran = catwalk("project", "--once", *site.options)
    assert ran.exit_code in (0, 2), ran.output
    assert ran.exit_code == 0 or "catwalk rebuild" in ran.output
    cured = catwalk("rebuild", *site.options)
    assert cured.exit_code in (0, 1), cured.output
    assert cured.exception is None or isinstance(cured.exception, SystemExit), cured.exception
    assert site.digests() == whole
    assert (site.folder / "record/facts.sqlite").read_bytes() == record
    assert catwalk("project", "--once", *site.options).exit_code == 0
