"""The doctor reports a rollup that does not follow from its rounds; a rebuild names and cures it."""

from pathlib import Path

from click.testing import CliRunner, Result

from consumers.command import main
from projections.reading import opened
from tests.projecting.sites import Site, found_in, project
from tests.projections.test_rollup_check import in_place
from tests.watching.pits import Pit


def catwalk(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_the_doctor_tells_it_and_a_rebuild_names_and_cures_it(tmp_path: Path) -> None:
    site = Site(tmp_path / "pit")
    facts = Pit(4, tables=2, days=2, rounds=2).record()
    site.tell(facts, found_in(facts))
    whole = project(site)
    doctor = ("doctor", "--patience", "9999999", *site.options)
    assert catwalk(*doctor).exit_code == 0
    with opened(site.read) as reading:
        file = reading.files("player_hands")[0]
    in_place(site.read, file, "SELECT * REPLACE (back_cents + 100 AS back_cents) FROM {file}")
    ran = catwalk(*doctor)
    assert ran.exit_code == 1, ran.output
    assert f"{site.read}: the table player_hands differs from the rounds at T" in ran.output
    assert "The record is not affected. Run `catwalk rebuild` to make the read models" in ran.output
    ran = catwalk("rebuild", *site.options)
    assert ran.exit_code == 1, ran.output
    assert "player_hands" in ran.output
    assert site.digests() == whole
    assert catwalk(*doctor).exit_code == 0
    site.close()
