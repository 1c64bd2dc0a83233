"""A log is copied without loss, can be taken up again, and what differs is named."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.logs import Log, StoredFact, open_log
from consumers.logs.copying import copy, whole
from tests.logs.contract import DAY, T7
from tests.logs.numbered import crowd, numbered, run


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Log]:
    log = open_log(data=tmp_path / "source", create=True)
    log.append([*crowd(20, 30_000, DAY), *run(T7, 1, 100)])
    yield log
    log.close()


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Log]:
    log = open_log(data=tmp_path / "target", create=True)
    yield log
    log.close()


def catwalk(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["log", "copy", *arguments])


def test_the_digest_is_what_its_description_says(source: Log, target: Log) -> None:
    """The digest can be computed from the facts alone."""
    lines = []
    for stream in sorted({fact.stream for fact in crowd(20, 20, DAY)} | {T7}):
        count = 100 if stream == T7 else 1500
        facts = run(stream, 1, count)
        text = b"".join(b"%d %d\n%b\n" % (fact.sequence, len(fact.stored), fact.stored) for fact in facts)
        lines.append(f"{stream} {count} {hashlib.sha256(text).hexdigest()}\n")
    done = copy(source, target)
    assert whole(done.source) == whole(done.target) == hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def test_a_copy_is_equal_and_begun_again_copies_nothing_twice(source: Log, target: Log) -> None:
    first = copy(source, target)
    assert (first.copied, first.there_already, first.different, first.left) == (30_100, 0, [], [])
    again = copy(source, target)
    assert (again.copied, again.there_already, again.different, again.left) == (0, 30_100, [], [])
    assert target.last_position(0) == 30_100


def test_a_copy_that_was_broken_off_goes_on(source: Log, target: Log) -> None:
    class BrokenOffError(Exception):
        pass

    def told(_: int) -> None:
        raise BrokenOffError

    with pytest.raises(BrokenOffError):
        copy(source, target, told)
    assert 0 < target.last_position(0) < 30_100
    assert copy(source, target).different == []
    assert target.last_position(0) == 30_100


def test_a_target_with_gaps_is_filled(source: Log, target: Log) -> None:
    target.append([numbered(T7, 50), numbered(T7, 3)])
    done = copy(source, target)
    assert done.different == []
    assert target.read_stream(T7) == [fact.stored for fact in run(T7, 1, 100)]


def changed(fact: StoredFact) -> StoredFact:
    return fact._replace(stored=fact.stored.replace(b"2500", b"2600"))


# what the target or the source has besides | what is said
DIFFERENCES = [
    ("target", changed(numbered(T7, 50)), f"{T7}:50 already holds other bytes"),
    ("target", changed(numbered(T7, 1)), f"{T7}: 100 facts from, 100 to"),
    ("target", numbered("T9/2026-11-18", 1), "T9/2026-11-18: 0 facts from, 1 to"),
    ("target", numbered(T7, 101), f"{T7}: 100 facts from, 101 to"),
    ("source", StoredFact(T7, 101, "noted.1", b"no json"), "position 30101: these bytes name no stream and sequence"),
]


@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: row[2])
def test_what_differs_is_named(row: tuple[str, StoredFact, str], source: Log, target: Log, tmp_path: Path) -> None:
    side, fact, says = row
    (source if side == "source" else target).append([fact])
    ran = catwalk("--from-data", str(tmp_path / "source"), "--to-data", str(tmp_path / "target"))
    assert ran.exit_code == 1
    assert says in ran.stderr
    assert [line.split()[0] for line in ran.stdout.splitlines()][:3] == ["copied", "from", "to"]


def test_the_command_prints_both_digests(source: Log, tmp_path: Path) -> None:
    ran = catwalk("--from-data", str(tmp_path / "source"), "--to-data", str(tmp_path / "new"))
    assert ran.exit_code == 0
    assert ran.stderr == ""
    copied, one, other, equal = ran.stdout.splitlines()
    assert copied == "copied 30100 facts"
    assert one.split()[1:] == other.split()[1:] == [one.split()[1], "30100", "facts", "in", "21", "streams"]
    assert len(one.split()[1]) == 64
    assert equal == "equal: the same streams, sequences and bytes"


# options | what is said
REFUSED = [
    ([], "name one log to copy from"),
    (["--from-data", "{tmp}/source"], "name one log to copy to"),
    (["--from-data", "{tmp}/source", "--from-kafka", "x", "--to-data", "{tmp}/new"], "name one log to copy from"),
    (["--from-data", "{tmp}/source", "--to-data", "{tmp}/../{name}/source"], "the same log"),
    (["--from-data", "{tmp}/nowhere", "--to-data", "{tmp}/new"], "there is no record in"),
    (["--from-data", "{tmp}/source", "--to-kafka", "{tmp}/none.toml"], "none.toml"),
]


@pytest.mark.parametrize(("options", "says"), REFUSED)
def test_options_that_name_no_copy_are_refused(options: list[str], says: str, source: Log, tmp_path: Path) -> None:
    ran = catwalk(*(option.format(tmp=tmp_path, name=tmp_path.name) for option in options))
    assert ran.exit_code == 2
    assert says in ran.stderr
    assert not (tmp_path / "new").exists()
