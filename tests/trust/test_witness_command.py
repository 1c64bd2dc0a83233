"""The witness as people use it: by files and directly, across rotations; each refusal is proof for others."""

import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import consumers.trust.published
from consumers.gateway.keys import PASSPHRASE, verify
from consumers.trust.keeper import open_keeper
from consumers.trust.published import PUBLISHED_FILE
from consumers.trust.tree_file import TREE_FILE
from consumers.trust.witness import open_witness
from domain.ledger.checkpoint import (
    COSIGNED,
    Note,
    NoteKey,
    check,
    cosigned,
    parsed_checkpoint,
    parsed_key,
    parsed_note,
)
from tests.gateway.floor import START
from tests.trust.records import NAME, Pit, run

START_SECONDS = START // 1_000_000


class Floor:
    """A record with a tree, a witness in a folder of its own, and the files that go between them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pit = Pit(folder / "pit").opened()
        self.key = self.kept("checkpoint", "key", "make", NAME).stdout.strip()
        made = run("witness", "make", "audit.test", "--folder", str(folder / "audit"))
        self.witness = made.stdout.strip()

    def kept(self, *words: str, given: str = "") -> Result:
        """A command of the keeper."""
        return run(*words, "--data", str(self.folder / "pit"), given=given)

    def signed(self) -> int:
        """More at a table, and a checkpoint: its size."""
        self.pit.rounds("T7", 1)
        result = self.kept("checkpoint")
        assert result.exit_code == 0, result.stderr
        return parsed_checkpoint(parsed_note(result.stdout).text).size

    def sees(self, given: str, *more: str) -> Result:
        """The witness looks at a file."""
        return run("witness", "see", "-", "--folder", str(self.folder / "audit"), *more, given=given)

    def looks(self, *more: str) -> Result:
        """The witness looks at the record itself."""
        return run("witness", "see", "--data", str(self.folder / "pit"), "--folder", str(self.folder / "audit"), *more)

    def shown(self, since: int) -> str:
        """The head and proofs that the keeper hands out."""
        return self.kept("checkpoint", "show", "--since", str(since)).stdout

    def proves(self, *more: str) -> Result:
        """Check what the witness kept."""
        (file,) = (self.folder / "audit").glob("refused-*.json")
        return run("witness", "prove", str(file), *more)


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Floor]:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    made = Floor(tmp_path)
    yield made
    made.pit.close()


def test_a_head_goes_out_in_a_file_and_comes_back_signed(floor: Floor) -> None:
    first = floor.signed()
    back = floor.sees(floor.shown(0), "--key", floor.key)
    assert back.exit_code == 0, back.stderr
    assert floor.kept("checkpoint", "cosigned", "-", "--witness", floor.witness, given=back.stdout).exit_code == 0
    second = floor.signed()
    back = floor.sees(floor.shown(first))
    assert back.exit_code == 0, back.stderr
    assert floor.kept("checkpoint", "cosigned", "-", "--witness", floor.witness, given=back.stdout).exit_code == 0
    listed = floor.kept("checkpoint", "list").stdout.splitlines()
    assert [line.split()[-2:] for line in listed] == [[NAME, "audit.test"]] * 2
    told = run("witness", "list", "--folder", str(floor.folder / "audit")).stdout
    assert f"{NAME}  {second} leaves" in told


def test_every_head_since_the_last_one_is_looked_at_in_the_record_itself(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers.trust.published, "BLOCK", 2)
    for _ in range(3):
        floor.signed()
    assert floor.looks("--key", floor.key).exit_code == 0
    for _ in range(9):
        floor.pit.rounds("T8", 1)
        floor.kept("checkpoint")
    seen = floor.looks()
    assert seen.exit_code == 0, seen.stderr
    assert floor.looks().exit_code == 0  # the same head again
    assert len(floor.kept("checkpoint", "show").stdout.split("\n\n")[1].splitlines()) >= 2
    assert run("doctor", "--data", str(floor.folder / "pit")).exit_code == 0


def test_a_key_must_come_from_elsewhere_than_the_head(floor: Floor) -> None:
    floor.signed()
    refused = floor.sees(floor.shown(0))
    assert refused.exit_code == 2
    assert "--key" in refused.stderr
    other = parsed_key(floor.key)
    wrong = msgspec.structs.replace(other, public=bytes(32)).text
    refused = floor.sees(floor.shown(0), "--key", wrong)
    assert refused.exit_code == 2
    assert "not signed by" in refused.stderr


def test_a_head_without_a_path_from_the_last_one_is_asked_for_again(floor: Floor) -> None:
    first = floor.signed()
    assert floor.sees(floor.shown(0), "--key", floor.key).exit_code == 0
    floor.signed()
    refused = floor.sees(floor.shown(first - 1))
    assert refused.exit_code == 2
    assert f"{first} were seen" in refused.stderr
    assert not list((floor.folder / "audit").glob("refused-*"))


def forked(floor: Floor) -> str:
    """The keeper's whole folder as it stands, put back later: a second story of one property."""
    shutil.copytree(floor.folder / "pit", floor.folder / "other")
    return str(floor.folder / "other")


def test_a_second_story_of_one_property_is_refused_and_proved(floor: Floor) -> None:
    """A split view: the witness sees one tree, another reader another tree of the same size."""
    floor.signed()
    other = forked(floor)
    floor.pit.rounds("T7", 1)
    floor.kept("checkpoint")
    elsewhere = Pit(Path(other))
    elsewhere.writer = floor.pit.writer
    with sqlite3.connect(Path(other) / "record/facts.sqlite") as db:
        db.execute("DELETE FROM facts WHERE originator_id LIKE 'T8/%'")
    floor.pit.log, theirs = elsewhere.log, floor.pit.log
    floor.pit.rounds("T7", 2)
    floor.pit.log = theirs
    elsewhere.close()
    assert run("checkpoint", "--data", other).exit_code == 0
    assert floor.sees(floor.shown(0), "--key", floor.key).exit_code == 0
    refused = floor.sees(run("checkpoint", "show", "--since", "1", "--data", other).stdout)
    assert refused.exit_code == 1
    assert "split-view" in refused.stderr
    proved = floor.proves("--key", floor.key)
    assert (proved.exit_code, proved.stdout.splitlines()[-1][:6]) == (0, "Proved")
    assert floor.proves().exit_code == 3
    wrong = msgspec.structs.replace(parsed_key(floor.key), public=bytes(32)).text
    assert floor.proves("--key", wrong).exit_code == 2


def test_a_tree_put_back_to_an_earlier_state_is_refused(floor: Floor) -> None:
    """The tail of the tree is cut: record, tree and published heads are all of yesterday."""
    first = floor.signed()
    other = forked(floor)
    floor.signed()
    assert floor.looks("--key", floor.key).exit_code == 0
    refused = run("witness", "see", "--data", other, "--folder", str(floor.folder / "audit"))
    assert refused.exit_code == 1
    assert "old-head" in refused.stderr
    result = floor.proves("--key", floor.key)
    assert (result.exit_code, result.stdout.startswith(f"old-head: it has {first} leaves")) == (1, True)


def test_a_tree_cut_and_grown_again_has_no_path_from_what_was_seen(floor: Floor) -> None:
    floor.signed()
    other = forked(floor)
    floor.signed()
    seen = floor.looks("--key", floor.key)
    assert seen.exit_code == 0
    elsewhere = Pit(Path(other))
    elsewhere.writer = floor.pit.writer
    floor.pit.log, theirs = elsewhere.log, floor.pit.log
    for _ in range(3):
        floor.pit.rounds("T7", 2)
        floor.pit.rounds("T8", 2)
        assert run("checkpoint", "--data", other).exit_code == 0
    floor.pit.log = theirs
    elsewhere.close()
    refused = run("witness", "see", "--data", other, "--folder", str(floor.folder / "audit"))
    assert refused.exit_code == 1, refused.stderr
    assert "not-consistent" in refused.stderr
    result = floor.proves("--key", floor.key)
    assert result.exit_code == 1
    assert "Only a path" in result.stdout


def test_the_witness_is_led_from_the_old_key_to_the_new_one(floor: Floor) -> None:
    first = floor.signed()
    assert floor.looks("--key", floor.key).exit_code == 0
    rotated = floor.kept("checkpoint", "key", "rotate")
    assert rotated.exit_code == 0, rotated.stderr
    second = floor.signed()
    shown = floor.shown(first)
    alone = floor.sees(shown)
    assert alone.exit_code == 2
    assert "not signed by" in alone.stderr
    notes = floor.folder / "notes.txt"
    notes.write_text(floor.kept("checkpoint", "key", "list", "--notes").stdout)
    assert floor.sees(shown, "--keys", str(notes)).exit_code == 0
    floor.kept("checkpoint", "key", "rotate")
    third = floor.signed()
    assert floor.looks().exit_code == 0
    assert [line.split()[3] for line in floor.kept("checkpoint", "key", "list").stdout.splitlines()] == [
        str(size) for size in (0, first, second)
    ]
    told = run("witness", "list", "--folder", str(floor.folder / "audit")).stdout
    assert f"{NAME}  {third} leaves" in told


def test_what_a_witness_saw_is_durable_before_its_signature_is_given(floor: Floor) -> None:
    """A signature that could not be written counts as given: the next look starts at that head."""
    first = floor.signed()
    refused = floor.sees(floor.shown(0), "--key", floor.key, "--out", str(floor.folder / "no/such/folder"))
    assert refused.exit_code == 2
    floor.signed()
    assert floor.sees(floor.shown(first)).exit_code == 0


def test_a_witness_is_made_once_and_another_wants_another_folder(floor: Floor) -> None:
    audit = str(floor.folder / "audit")
    assert run("witness", "make", "audit.test", "--folder", audit).stdout.strip() == floor.witness
    assert run("witness", "make", "another.test", "--folder", audit).exit_code == 2
    assert run("witness", "make", "a b", "--folder", str(floor.folder / "x")).exit_code == 2
    assert run("witness", "list", "--folder", str(floor.folder / "nobody")).exit_code == 2


def test_a_cosignature_that_is_of_another_head_or_by_another_is_not_kept(floor: Floor) -> None:
    floor.signed()
    back = floor.sees(floor.shown(0), "--key", floor.key).stdout
    bad = re.sub(r"time \d{4}", "time 2099", back)
    assert bad != back
    for given, witness in ((bad, floor.witness), (back, floor.key), ("nothing", floor.witness)):
        assert floor.kept("checkpoint", "cosigned", "-", "--witness", witness, given=given).exit_code == 2


def test_a_witness_that_looks_twice_at_one_head_signs_it_once(floor: Floor) -> None:
    """Two lines by one witness would make every export that shows the head ALTERED; a tree that has them is healed."""
    size = floor.signed()
    key, backs = parsed_key(floor.witness), []
    for at in (START_SECONDS, START_SECONDS + 5):
        with open_witness(floor.folder / "audit") as witness:
            note = cosigned(parsed_note(floor.shown(0).partition("\n\n")[2]), key, witness.signer.sign, at)
        backs.append(Note(note.text, note.signatures[-1:]))
        given = backs[-1].stored
        assert floor.kept("checkpoint", "cosigned", "-", "--witness", floor.witness, given=given).exit_code == 0
    with open_keeper(floor.folder / "pit") as keeper:
        assert check(parsed_note(keeper.note(size)), [key], verify) == {key: START_SECONDS}
        before = keeper.tree.last
        with keeper.tree.growing():
            for back in reversed(backs):
                keeper.tree.put("cosignature.1", back.stored.encode())
        assert keeper.tree.last == before + 2
        assert check(parsed_note(keeper.note(size)), [key], verify) == {key: START_SECONDS}


@pytest.mark.parametrize(("name", "says"), [(NAME, "this property's name"), ("w" * 129, "is not a key")])
def test_a_witness_has_a_short_name_of_its_own(floor: Floor, name: str, says: str) -> None:
    """Under the property's name, or in 70,000 letters, its signature would forbid every later export."""
    size, seed = floor.signed(), Ed25519PrivateKey.generate()
    key = NoteKey(name, seed.public_key().public_bytes_raw(), COSIGNED)
    note = cosigned(parsed_note(floor.shown(0).partition("\n\n")[2]), key, seed.sign, START_SECONDS)
    given = Note(note.text, note.signatures[-1:])
    refused = floor.kept("checkpoint", "cosigned", "-", "--witness", key.text, given=given.stored)
    assert (refused.exit_code, says in refused.stderr) == (2, True), refused.output
    with open_keeper(floor.folder / "pit") as keeper:
        with keeper.tree.growing():
            keeper.tree.put("cosignature.1", given.stored.encode())
        assert len(parsed_note(keeper.note(size)).signatures) == 1


def test_a_cosignature_of_no_year_is_refused(floor: Floor) -> None:
    floor.signed()
    seed = Ed25519PrivateKey.generate()
    key = NoteKey("late.test", seed.public_key().public_bytes_raw(), COSIGNED)
    note = cosigned(parsed_note(floor.shown(0).partition("\n\n")[2]), key, seed.sign, 253_402_300_800)
    refused = floor.kept("checkpoint", "cosigned", "-", "--witness", key.text, given=note.stored)
    assert (refused.exit_code, "after the year 9999" in refused.stderr) == (2, True), refused.output


def test_a_number_of_thousands_of_digits_is_no_size(floor: Floor) -> None:
    size, shown, digits = floor.signed(), floor.shown(0), "9" * 5000
    for bad in (f"old {digits}" + shown.removeprefix("old 0"), shown.replace(f"\n{size}\n", f"\n{digits}\n")):
        assert bad != shown
        refused = floor.sees(bad, "--key", floor.key)
        assert refused.exit_code == 2, refused.output


def test_notes_of_keys_that_are_cut_off_are_said_so(floor: Floor, tmp_path: Path) -> None:
    floor.signed()
    (tmp_path / "keys.txt").write_text("one\n\ntwo\n\nthree\n")
    refused = floor.sees(floor.shown(0), "--key", floor.key, "--keys", str(tmp_path / "keys.txt"))
    assert (refused.exit_code, "has no signatures" in refused.stderr) == (2, True), refused.output


def test_what_is_no_refusal_proves_nothing(floor: Floor, tmp_path: Path) -> None:
    file = tmp_path / "made-up.json"
    for content in (b"", b"{}", b'{"reason":"x","says":"","key":"","seen":"","shown":""}'):
        file.write_bytes(content)
        assert run("witness", "prove", str(file)).exit_code == 2


def test_a_keeper_that_is_older_than_what_it_published_is_refused_by_name(floor: Floor) -> None:
    floor.signed()
    older = (floor.pit.folder / TREE_FILE).read_bytes()
    floor.signed()
    (floor.pit.folder / TREE_FILE).write_bytes(older)
    floor.pit.rounds("T8", 1)
    refused = floor.kept("checkpoint")
    assert refused.exit_code == 2
    assert "older copy" in refused.stderr
    assert (floor.pit.folder / PUBLISHED_FILE).exists()
