"""The verifier's words about sound exports: which parts are proved, by whose key, and with which exit status."""

import ast
import gzip
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from consumers.command import main
from domain.ledger.checkpoint import Checkpoint, NoteKey, cosigned, signed
from domain.ledger.rotation import KeyRotation, signed_by_all
from domain.ledger.tree import Grown, consistency, leaf_hash
from domain.ledger.witnessing import ShownHead
from projections.export import one_file
from tests.export.attacks import honest, resigned
from tests.export.builder import ORIGIN, PROPERTY, WITNESS, Bundle, Site, member, private, public, workbook
from tests.export.delivered import put, verify
from tests.export.scenes import exported, records
from tests.export.verified import ASKED, KEY, WITNESSED, outcome


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """The export, the verifier and two keys in a folder whose name has spaces, and nothing else."""
    folder = tmp_path / "from the casino, 18 November"
    folder.mkdir()
    put(folder)
    (folder / "export.tar").write_bytes(honest().tar())
    (folder / "property.pub").write_bytes(honest().files["data/keys/property.pub"])
    (folder / "audit.vkey").write_text(WITNESS.text + "\n")
    return folder


def bare(folder: Path, *words: str, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    """The verifier as its receiver runs it: Python alone, no packages, no environment."""
    command = [python, "-I", "-S", "verify.py", *words]
    return subprocess.run(command, cwd=folder, env={}, capture_output=True, text=True, check=False)


def test_a_bare_python_proves_an_export_beside_it(beside: Path) -> None:
    ran = bare(beside, "export.tar", "--key", "property.pub", "--witness", "audit.vkey")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    said = ran.stdout.splitlines()
    checks = [line for line in said if line.startswith("ok  ")]
    verdict, asked, *not_proved = said[len(checks) :]
    assert checks[0].startswith("ok  container rebuilt byte for byte")
    assert "ok  80 records of 5 streams are in the property's tree, 4 streams unbroken" in checks
    says = f"{honest().name}, 80 records of 5 streams, is what pit.example/record signed, cosigned by audit.example"
    assert verdict == f"PROVED: {says}; {len(not_proved)} things are not proved, see below"
    assert asked.startswith(
        "asked for: 2026-11-18 to 2026-11-19, table T7; players as tokens; times of America/New_York;"
    )
    assert all(line.startswith("NOT PROVED: ") for line in not_proved)
    assert any("amounts owed" in line for line in not_proved)


@pytest.mark.skipif(shutil.which("python3.9") is None, reason="no older Python is here")
def test_an_older_python_does_too(beside: Path) -> None:
    ran = bare(beside, "export.tar", "--key", "property.pub", "--quiet", python=str(shutil.which("python3.9")))
    if "not found" in ran.stderr or "pyenv" in ran.stderr:
        pytest.skip("its name is here, and it is not")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_it_is_written_for_python_3_9_and_its_library_alone() -> None:
    tree = ast.parse(one_file.program(), feature_version=(3, 9))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
    assert not names & {"socket", "ssl", "urllib", "http", "subprocess", "tempfile", "ctypes", "tarfile", "pickle"}


# options | exit status | words in the last line
GIVEN = """
--key property.pub --witness audit.vkey | 0 | ok  cosigned by audit.example
--key property.pub                      | 3 | no witness or checkpoint from outside covers its 14 leaves
--key other.pub                         | 1 | not with the key given from outside
                                        | 3 | no key was given from outside, and a key that came with it proves nothing
--witness audit.vkey                    | 3 | no key was given from outside
--key property.pub --witness other.pub  | 5 | NOT USED: the key of the witness with the key [0-9a-f]{16}, who cosigned no head
--key property.pub --key other.pub --witness audit.vkey | 5 | NOT USED: the key [0-9a-f]{16}: it is not a key of this export's property
--key property.pub --witness audit.vkey --witness other.pub | 5 | NOT USED: the key of the witness
--key property.pub --checkpoint old     | 3 | ok  continues the checkpoint given from outside, of 2026-11-18T23:59:00Z
--key property.pub --checkpoint old     | 3 | rests on the first 14 of them: bring a checkpoint of at least 14 leaves, or the key of a witness
--key property.pub --checkpoint own     | 0 | ok  continues the checkpoint given from outside, of 2026-11-19T23:59:00Z
--key property.pub --checkpoint later   | 5 | NOT USED: the checkpoint of 20 leaves, .*: it is newer than the export's, of 14, and came without a proof. Ask
--key property.pub --checkpoint goes-on | 0 | ok  the checkpoint given from outside, of 20 leaves and of 2026-11-20T12:00:00Z, continues it
--key property.pub --checkpoint too-far | 5 | its proof begins at 12 leaves, but the export has 14. Ask
--key property.pub --checkpoint forked  | 5 | its proof is invalid .*: the proof is wrong, or the property keeps two records
--key property.pub --checkpoint rotated | 5 | signed with no key in the export: the property may have a new key
--key property.pub --checkpoint steps   | 2 | is not a file with a checkpoint: a checkpoint with a proof has the size the proof begins at
--key audit.vkey --witness property.pub | 2 | audit.vkey' is a witness's key, of audit.example: give it with --witness
--key property.pub --witness property.pub | 2 | property.pub' is a property's key, of pit.example/record: give it with --key
--key audit.hex                         | 2 | NOT CHECKED: a key given with --key belongs to a witness who cosigned it: give it with --witness
--witness property.hex                  | 2 | NOT CHECKED: a key given with --witness is the property's: give it with --key
--key property.pub --checkpoint split   | 1 | two heads of one record
--key property.pub --checkpoint alien   | 4 | is not signed by this property
--key property.pub --checkpoint between | 1 | two heads of one record: the checkpoint you gave, of size 12
--key property.pub --checkpoint honest  | 3 | ok  continues the checkpoint given from outside, of 2026-11-19T12:00:00Z
--checkpoint old                        | 3 | no key was given from outside
--key property.pub --checkpoint dated   | 1 | the head of 14 leaves is dated 2026-11-19T23:59:00Z, the checkpoint you gave, of 12
--key property.pub --checkpoint audit.vkey | 2 | is not a file with a checkpoint
--key nowhere.pub                       | 2 | is neither a key nor a file with one
--key property.pub --seals none         | 3 | 6 seals of the gateway, which were not checked
--key property.pub --seals last         | 3 | 3 seals of the gateway, which were not checked
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in GIVEN.strip("\n").splitlines()]


@pytest.mark.parametrize(
    ("words", "status", "says"), ROWS, ids=[f"{row[0] or 'nothing'}, {row[2][:20]}" for row in ROWS]
)
def test_the_exit_status_says_what_is_proved(beside: Path, words: str, status: str, says: str) -> None:
    import re

    _checkpoints(beside)
    command = [str(beside / word) if (beside / word).exists() else word for word in words.split()]
    ran = CliRunner().invoke(main, ["verify-export", str(beside / "export.tar"), *command])
    assert ran.exit_code == int(status), ran.output
    assert re.search(says, ran.output)


def _checkpoints(folder: Path) -> None:
    """Keys and notes that a receiver may hold."""
    site = honest().site
    (folder / "other.pub").write_text(public(9).hex())
    (folder / "audit.hex").write_text(WITNESS.public.hex())
    (folder / "property.hex").write_text(PROPERTY.public.hex())
    (folder / "old").write_text(site.notes[min(site.notes)].stored)
    (folder / "own").write_text(site.notes[max(site.notes)].stored)
    for name, size, key, signer, root, time in (
        ("later", 20, PROPERTY, 1, bytes(32), "20T12:00"),
        ("split", 14, PROPERTY, 1, bytes(32), "19T23:59"),
        ("between", 12, PROPERTY, 1, bytes(32), "19T12:00"),
        ("honest", 12, PROPERTY, 1, site.tree.root(12), "19T12:00"),
        ("dated", 12, PROPERTY, 1, site.tree.root(12), "20T12:00"),
        ("alien", 14, NoteKey("elsewhere", public(9)), 9, bytes(32), "20T12:00"),
        ("rotated", 20, NoteKey(PROPERTY.name, public(9)), 9, bytes(32), "20T12:00"),
    ):
        head = Checkpoint(key.name, size, root, (f"time 2026-11-{time}:00Z",))
        (folder / name).write_text(signed(head.text, key, private(signer).sign).stored)
    _proved_checkpoints(folder, site)


def _proved_checkpoints(folder: Path, site: Site) -> None:
    """Newer ones as a witness is shown them: the record has six leaves more by then."""
    grown = Grown([*(leaf.leaf for leaf in site.leaves), *(leaf_hash(b"%d" % number) for number in range(6))])
    head = Checkpoint(PROPERTY.name, 20, grown.root(), ("time 2026-11-20T12:00:00Z",))
    note = signed(head.text, PROPERTY, private(1).sign).stored
    for name, since, path in (
        ("goes-on", 14, consistency(grown.node, 14, 20)),
        ("too-far", 12, consistency(grown.node, 12, 20)),
        ("forked", 14, [bytes(32), *consistency(grown.node, 14, 20)[1:]]),
        ("steps", 14, [bytes(32)] * 200),
    ):
        (folder / name).write_text(ShownHead(since, tuple(path), note).text)


def test_the_command_and_the_file_are_one_program(beside: Path) -> None:
    key = str(beside / "property.pub")
    ran = CliRunner().invoke(main, ["verify-export", str(beside / "export.tar"), "--key", key])
    assert ran.output == bare(beside, "export.tar", "--key", "property.pub").stdout


# what the file is | its bytes
UNREADABLE = {
    "nothing": b"",
    "a text": b"Dear Sir or Madam,\n" * 100,
    "compressed": gzip.compress(b"export-" * 100),
    "a zip": workbook({}),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_file_that_is_no_export_is_no_altered_one(name: str, tmp_path: Path) -> None:
    (tmp_path / "export.tar").write_bytes(UNREADABLE[name])
    ran = CliRunner().invoke(main, ["verify-export", str(tmp_path / "export.tar")])
    assert ran.exit_code == 4, ran.output
    assert "UNREADABLE: this is not an export" in ran.output


def test_a_name_in_the_export_steers_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Altered files are named, and the person who altered them chose the name."""
    evil = member(f"{honest().name}/\x1b[2J\x1b[HPROVED: all.txt", b"", 0)
    (tmp_path / "export.tar").write_bytes(evil + bytes(1024))
    assert verify.answer(str(tmp_path / "export.tar"), ASKED) == 1
    said = capsys.readouterr().out
    assert "\\x1b[2J" in said
    assert "\x1b" not in said


def test_an_amount_in_the_report_or_in_what_was_owed_is_told_as_not_proved() -> None:
    """The holder of the property's key may sign a report that says something else: only the rule books show it."""
    found = outcome(resigned("data/report.pdf", lambda text: text.replace(b"$10.00", b"$99.00")))
    assert found.startswith("proved")
    assert (
        "the contents of data/report.pdf and data/facts.parquet: they are covered by the signature only"
        in found.partition("NOT PROVED")[2]
    )
    bundle = honest().copy()
    tables = {path[12:-4]: text for path, text in bundle.files.items() if path.startswith("data/tables/")}
    tables["wagers"] = tables["wagers"].replace(b"0,0,UTH-MD 12.B,certain", b"0,0,UTH-MD 12.A,certain", 1)
    bundle.files |= {f"data/tables/{name}.csv": text for name, text in tables.items()}
    bundle.files["data/tables.xlsx"] = workbook(tables)
    found = outcome(bundle.listed().signed())
    assert found.startswith("proved")
    assert "clause, basis and undecided in wagers" in found.partition("NOT PROVED")[2]


def test_a_record_made_anew_with_its_tree_is_known_by_whoever_saw_the_old_head() -> None:
    """The export alone cannot show it: seals are removed, tree and checkpoint are signed. A held head shows it."""
    stored = [each for each in honest().site.records["facts", "T7/2026-11-18"] if b"chain-sealed" not in each]
    forged = Site({**records(), ("facts", "T7/2026-11-18"): _chained(stored)})
    of_the_day = ("T7/2026-11-18", "T7/2026-11-18~")
    shown = {place: each for place, each in forged.records.items() if place[1] in of_the_day}
    shown |= {place: each for place, each in forged.records.items() if place[1].startswith("property/")}
    bundle = exported(forged, shown, scope={"days": ["2026-11-18", "2026-11-18"]})
    assert outcome(bundle).startswith("proved")
    seen = honest().site.notes[min(honest().site.notes)].stored
    found = outcome(bundle, verify.Asked([KEY], [WITNESSED], seen))
    assert found.startswith(("refused ", "not used ")), found
    same = honest().site.notes[max(honest().site.notes)]
    if max(forged.notes) == max(honest().site.notes):
        assert "two heads of one record" in outcome(bundle, verify.Asked([KEY], [], same.stored))


def _chained(stored: list[bytes]) -> list[bytes]:
    import json

    from domain.ledger.chain import digest

    made: list[bytes] = []
    for each in stored:
        fact = json.loads(each) | {"sequence": len(made) + 1}
        if made:
            fact["previous"] = digest(made[-1])
        made.append(json.dumps(fact, separators=(",", ":"), ensure_ascii=False).encode())
    return made


def test_a_key_whose_end_is_known_vouches_for_nothing() -> None:
    """The holder of a lost old key may sign any other in its place: the verifier has to know the newest one."""
    later = NoteKey(ORIGIN, public(4))
    bundle = honest().copy()
    told = KeyRotation(later, 20, "2026-12-01T00:00:00Z", PROPERTY)
    words = told.text.encode()
    note = signed_by_all(told, [(later, private(4).sign(words)), (PROPERTY, private(1).sign(words))])
    site = Site(records())
    site.told.append(note)
    site.key = later
    site.sign = private(4).sign  # type: ignore[method-assign]
    bundle = exported(site, {place: each for place, each in site.records.items() if not place[1].startswith("T8/")})
    newest = verify.Key("", public(4))
    assert outcome(bundle, verify.Asked([newest], [WITNESSED])).startswith("proved")
    found = outcome(bundle)
    assert found.startswith("not used "), found
    assert "another key replaced it from size 20 on, and an old key vouches for nothing" in found
    assert outcome(bundle, verify.Asked([newest, KEY], [WITNESSED])).startswith("not used ")
    assert "not with the key given from outside" in outcome(bundle, verify.Asked([verify.Key("", public(5))]))


KEYS = {
    "as notes have it": PROPERTY.text,
    "base64": PROPERTY.text.rpartition("+")[2],
    "hex": PROPERTY.public.hex(),
    "the key file": honest().files["data/keys/property.pub"].decode(),
    "PEM": honest().files["data/keys/property.pub"].decode().partition("\n")[2],
}


@pytest.mark.parametrize("name", [name for name in KEYS if name != "base64"])
def test_a_key_is_taken_in_every_form_it_has(name: str) -> None:
    assert verify.key_of(KEYS[name]).public == PROPERTY.public


@pytest.mark.parametrize(
    "text",
    ["", "abc", "00" * 31, PROPERTY.text.replace("+", "x+", 1), KEYS["PEM"].replace("MC", "MD"), KEYS["PEM"][:60]],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        verify.key_of(text)


def test_other_programs_read_the_container(tmp_path: Path) -> None:
    """The export is a plain tar: the usual program unpacks it."""
    (tmp_path / "export.tar").write_bytes(honest().tar())
    subprocess.run(["tar", "xf", "export.tar"], cwd=tmp_path, check=True)
    for path, stored in honest().files.items():
        assert (tmp_path / honest().name / path).read_bytes() == stored


def test_a_cosigned_checkpoint_of_two_witnesses() -> None:
    """Each witness is asked for by its own key."""
    other = NoteKey("regulator.example", public(6), WITNESS.kind)
    bundle: Bundle = honest().copy()
    from domain.ledger.checkpoint import parsed_note

    note = cosigned(
        parsed_note(bundle.files["data/proofs/checkpoint.txt"].decode()), other, private(6).sign, 1_795_160_000
    )
    question = bundle.question
    question["checkpoint"]["cosigned_by"].append(other.name)
    from tests.export.builder import canonical

    bundle.files["data/question.json"] = (canonical(question) + "\n").encode()
    bundle.files["data/proofs/checkpoint.txt"] = note.stored.encode()
    found = outcome(bundle.listed().signed(), verify.Asked([KEY], [WITNESSED, verify.Key("", public(6))]))
    assert found.startswith("proved"), found
    assert "cosigned by regulator.example at 2026-11-20T07:33:20Z" in found
    assert outcome(honest(), ASKED).startswith("proved")


@pytest.mark.parametrize("text", [rb'"\ud800"', rb'{"a":["\uDFFF"]}', rb'{"\ud800":1}'])
def test_half_a_letter_is_no_text(text: bytes) -> None:
    """JSON can name one; nothing that is written down can hold it."""
    with pytest.raises(ValueError, match="half a character"):
        verify.parsed(text)
    assert verify.parsed(rb'"\ud83c\udccf"') == "\U0001f0cf"
