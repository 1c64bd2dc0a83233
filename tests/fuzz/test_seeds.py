"""Every kept input is replayed: what fuzzing once found stays mended, and the targets themselves still work."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz import exports, questions
from tests.fuzz.kit import SEEDS, SLOWEST, BrokenError, Target, memory, require_schema
from tests.fuzz.targets import ALL


@pytest.fixture
def scratch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in memory, and the one we are in."""
    with tempfile.TemporaryDirectory(prefix="catwalk-fuzz-", dir=memory()) as folder:
        monkeypatch.chdir(folder)
        monkeypatch.setenv("CATWALK_FUZZ_SECRET", "")  # a target sets it, and it is taken back with the folder
        yield Path(folder)
        monkeypatch.undo()


@pytest.mark.parametrize("target", ALL.values(), ids=ALL)
def test_every_kept_input_holds(target: Target, scratch: Path) -> None:
    """No crash, no hang, and nothing accepted that the schema refuses."""
    run = target.made(scratch)
    assert target.seeds
    for seed in target.seeds:
        begun = time.monotonic()
        try:
            run(seed.read_bytes())
        except Exception as error:
            raise AssertionError(f"{seed}: {error!r}") from error
        assert time.monotonic() - begun < SLOWEST, seed


def test_seeds_stay_small() -> None:
    """People read the seeds too."""
    sizes = {file: file.stat().st_size for file in SEEDS.rglob("*") if file.is_file()}
    assert max(sizes.values()) <= 20_000
    assert sum(sizes.values()) <= 500_000
    assert {file.parent.name for file in sizes} == set(ALL)


def test_each_way_of_changing_an_export_is_among_the_seeds() -> None:
    """From a byte of the container to a record that lies from the start."""
    levels = {exports.changed(seed.read_bytes())[0] for seed in ALL["exports"].seeds}
    assert levels == {exports.CONTAINER, exports.FILES, exports.LISTED, exports.SIGNED, exports.RECORD}


SPOILT = [
    ("no type", {"at": 1}),
    ("a field nobody knows", {"type": "bets-closed.1", "at": 1, "source": "s", "source_key": "k", "x": 1}),
    ("a wrong type", {"type": "bets-closed.1", "at": "1", "source": "s", "source_key": "k"}),
    ("a name without a letter", {"type": "bets-closed.1", "at": 1, "source": "", "source_key": "k"}),
]


@pytest.mark.parametrize(("_what", "fact"), SPOILT, ids=[row[0] for row in SPOILT])
def test_the_schema_refuses_what_is_no_fact(_what: str, fact: object) -> None:
    """An oracle that accepts everything would find nothing."""
    with pytest.raises(BrokenError):
        require_schema(fact, "here")


def test_a_way_around_the_filter_would_be_seen(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same statements without the filter write a file, read one, and change a setting: each is noticed."""
    monkeypatch.setattr("consumers.asking.shell.statements", lambda connection, text: [text])
    monkeypatch.setattr(questions, "guard", lambda reading: None)
    run = questions.questions(scratch)
    for statement in ("COPY (SELECT 1) TO 'out.csv'", "FROM 'secret.csv'", "SET threads = 2", "CREATE TABLE t (i INT)",
                      "CREATE MACRO m(x) AS x"):  # fmt: skip
        with pytest.raises(BrokenError):
            run(statement.encode())
