"""Faults of the read models' folder while the command is at work: each is reported, and nothing is lost."""

import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.logs.sqlite import SqliteLog
from consumers.projecting import following
from consumers.projecting.following import UnheardError, follow
from consumers.projecting.projector import Projector
from consumers.projecting.rebuilding import rebuild
from projections.changes import Changes
from projections.reading import opened
from projections.store.store import Store
from tests.gateway.nursery import Nursery
from tests.projecting.sites import Site, found_in, fresh, project
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


def until(so: Callable[[], bool], seconds: float = 90) -> None:
    """Wait until it is so."""
    deadline = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.02)


@pytest.mark.parametrize("command", [("project", "--once"), ("rebuild",)])
def test_a_file_in_the_place_of_the_folder_is_named_and_left(site: Site, command: tuple[str, ...]) -> None:
    site.read.write_text("mine")
    ran = catwalk(*command, *site.options)
    assert ran.exit_code == 2, ran.output
    assert f"{site.read} is a file" in ran.output
    assert "Move the file" in ran.output
    assert site.read.read_text() == "mine"


def test_a_projector_to_which_nothing_comes_ends_soon_after_a_rebuild(tmp_path: Path) -> None:
    """Otherwise it would confirm nothing from then on, and the next fact alone would show it."""
    site = Site(tmp_path / "pit")
    site.tell(Pit(4, tables=2, days=1, rounds=2).record())  # nobody verifies: no day is sealed, nothing is published
    with Nursery(tmp_path, {"XDG_STATE_HOME": str(tmp_path)}) as nursery:
        projector = nursery.start("project", *site.options)
        until((site.read / "current").exists)
        status, said = nursery.run("rebuild", *site.options)
        assert status == 0, said
        assert projector.wait(following.CONFIRM_SECONDS + 10) == 2
        said = projector.told.read_text()
        assert f"{site.read}: the read models of this projector are no longer in use" in said
        assert "start `catwalk project` again" in said
        assert nursery.run("project", *site.options, "--once")[0] == 0
        assert site.digests() == fresh(site, tmp_path)
    site.close()


def test_a_projector_whose_pointer_was_removed_ends_and_the_next_one_publishes(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "CONFIRM_SECONDS", 0.2)
    whole = project(site)
    raised: list[BaseException] = []

    def run() -> None:
        with Store.open(site.read) as store:
            try:
                follow(Projector(site.facts, site.findings, store), threading.Event())
            except UnheardError as error:
                raised.append(error)

    thread = threading.Thread(target=run)
    before = (site.read / "current").read_bytes()
    thread.start()
    until(lambda: (site.read / "current").read_bytes() != before)
    (site.read / "current").unlink()
    thread.join(90)
    assert raised
    assert project(site) == whole


@pytest.mark.parametrize("log", ["facts", "findings"])
@pytest.mark.parametrize("command", [("project", "--once"), ("project",)])
def test_read_models_of_another_record_are_not_gone_on_with(site: Site, log: str, command: tuple[str, ...]) -> None:
    """A backup was put back, or a log of findings is gone: two records would be mixed, and nobody would know."""
    before = project(site)
    site.close()
    for file in (site.folder / "record").glob(f"{log}.sqlite*"):
        file.unlink()
    name = {} if log == "facts" else {"name": "findings"}
    SqliteLog(site.folder / f"record/{log}.sqlite", create=True, **name).close()
    ran = catwalk(*command, *site.options)
    assert ran.exit_code == 2, ran.output
    assert f"{site.read}: these read models reach position" in ran.output
    assert f"of {log}/0, but that log ends at 0" in ran.output
    assert "`catwalk rebuild` recreates them" in ran.output
    assert site.digests() == before
    ran = catwalk("rebuild", *site.options)
    assert ran.exit_code == 1, ran.output
    assert catwalk("project", "--once", *site.options).exit_code == 0


def test_once_that_is_ended_before_all_is_in_says_so(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A waiting process must not mistake it for whole; the next run continues there."""

    def ended(projector: Projector, stop: threading.Event) -> bool:
        stop.set()
        return following.through(projector, stop)

    with monkeypatch.context() as patched:
        patched.setattr("consumers.commands.project.through", ended)
        ran = catwalk("project", "--once", *site.options)
    assert ran.exit_code == 2, ran.output
    assert "ended early" in ran.output
    assert catwalk("project", "--once", *site.options).exit_code == 0
    with opened(site.read) as reading:
        assert reading.query("SELECT count(*) > 0 FROM rounds") == [(True,)]


def test_a_clock_that_is_set_back_makes_no_generation_older(tmp_path: Path) -> None:
    """Generations are counted: a clock does not decide which is the newest."""
    moment = datetime(2026, 11, 18, 21, tzinfo=UTC)
    with Store.open(tmp_path) as store:
        for number, made_at in enumerate((moment, moment - timedelta(hours=1)), 1):
            store.commit(Changes(positions={"facts/0": number}))
            store.publish(made_at)
        with opened(tmp_path) as reading:
            assert (reading.generation, reading.positions) == (2, {"facts/0": 2})


def _no_room() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


def _builds(site: Site) -> list[str]:
    return sorted(each.name for each in site.read.iterdir() if each.is_dir())


def test_a_rebuild_that_is_not_taken_leaves_nothing_behind(site: Site) -> None:
    """Half of a rebuild would keep the room that was missing."""
    before = project(site)
    ran = subprocess.run(
        [Path(sys.executable).with_name("catwalk"), "rebuild", *site.options],
        preexec_fn=_no_room,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2, ran.stderr
    assert "the disk is full" in ran.stderr
    assert _builds(site) == ["1"]
    stop = threading.Event()
    stop.set()
    assert rebuild(site.read, site.facts, site.findings, stop) is None
    assert _builds(site) == ["1"]
    assert site.digests() == before


@pytest.mark.parametrize("command", [("project", "--once"), ("rebuild",)])
def test_a_command_without_room_says_so_and_the_next_one_ends_as_an_undisturbed_one(
    site: Site, command: tuple[str, ...]
) -> None:
    record = site.facts.read(0, 0, 100_000)
    ran = subprocess.run(
        [Path(sys.executable).with_name("catwalk"), *command, *site.options],
        preexec_fn=_no_room,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2, ran.stderr
    assert "the disk is full" in ran.stderr
    assert "Nothing is lost. Free some space" in ran.stderr
    assert site.facts.read(0, 0, 100_000) == record
    made = project(site)
    assert catwalk("rebuild", *site.options).exit_code == 0
    assert site.digests() == made
