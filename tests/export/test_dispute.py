"""The dispute pack: two pages whatever happened, the evidence beside them, the same bytes from the same record."""

import hashlib
import io
import tarfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from pypdf import PdfReader

from consumers.accounts.asker import user
from consumers.command import main
from consumers.desk.application import Desk, desk_of
from consumers.logs.opening import open_log
from domain.desk import case
from domain.desk.acting import DeskAct
from domain.desk.case import VideoHold
from domain.desk.records import decode as desk_record
from domain.facts.codec import decode, encode
from domain.facts.payments import RoundCompleted
from projections.export.report import dispute_pdf
from projections.export.report.disputed import Dispute
from projections.export.report.moments import of_micros
from tests.export.reporting import AT, a_dispute, unnumbered

STREAM = "T7/2026-11-18"
AT_THE_DESK = int(AT.timestamp()) * 1_000_000


def words(held: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(held)).pages).split())


def pages(dispute: Dispute) -> int:
    return len(PdfReader(io.BytesIO(dispute_pdf(dispute))).pages)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evening on an embedded record."""
    folder = tmp_path_factory.mktemp("pit")
    (folder / "day.jsonl").write_bytes(b"\n".join(map(encode, unnumbered())))
    told = CliRunner().invoke(main, ["ingest", "--data", str(folder), str(folder / "day.jsonl")])
    assert told.exit_code == 0, told.output
    return folder


def asked(record: Path, out: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["dispute", *arguments, "--out", str(out), "--data", str(record)])


@pytest.fixture(scope="module")
def pack(record: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seat 4 of the second round, asked for by about when."""
    out = tmp_path_factory.mktemp("packs") / "second"
    told = asked(record, out, "T7", "--at", "17:08", "--seat", "4", "--jurisdiction", "PA")
    assert told.exit_code == 0, told.output
    assert f"{STREAM} round 2, seat 4" in told.output
    return out


def test_two_pages_tell_the_hand_and_what_was_owed(pack: Path) -> None:
    """The disputed wagers by clause, the finding, the clock, what surrounds the hand, what it rests on."""
    held = (pack / "dispute.pdf").read_bytes()
    said = words(held)
    assert len(PdfReader(io.BytesIO(held)).pages) == 2
    for part in (
        "Dispute: T7/2026-11-18 round 2, seat 4",
        "4 ante $10 $20 $25 +$5 UTH-MD 12.A certain",
        "All $65 $110 $115 +$5",
        "UTH-MD 12.A Winning ante and play pay 1 to 1.",
        "wager-overpaid: Seat 4's ante was paid $15",
        "2026-12-18 deadline for a claim Pennsylvania",
        "before 1",
        "after 3",
        "17:08:27.7 124 Seat 4's ante: $15 was paid.",
        "Claim Not on record.",
        "The record names no recording of this hand",
    ):
        assert part in said, part
    assert "2 ante $10" not in said  # another seat's


def test_the_evidence_is_the_records_own_bytes(record: Path, pack: Path) -> None:
    """Stored facts line by line: the opening, the stretch between the neighbors, the seal; all with their own bytes."""
    log = open_log(data=record)
    stored = set(log.read_stream(STREAM))
    log.close()
    lines = (pack / "facts.jsonl").read_bytes().splitlines()
    assert set(lines) <= stored
    facts = [decode(line) for line in lines]
    assert facts[0].sequence == 1
    rounds = {fact.round for fact in facts} - {None}
    assert rounds == {2}
    sequences = [fact.sequence for fact in facts[1:]]
    assert sequences == list(range(sequences[0], sequences[0] + len(sequences)))
    settlement = msgspec.json.decode((pack / "settlement.json").read_bytes())
    ante = next(each for each in settlement["wagers"] if (each["seat"], each["wager"]) == (4, "ante"))
    assert (ante["owed_cents"], ante["handed_back_cents"], ante["difference_cents"]) == (2_000, 2_500, 500)
    told = msgspec.json.decode((pack / "dispute.json").read_bytes())
    assert (told["hand"]["round"], told["seat"], told["to_sequence"]) == (2, 4, len(stored))


def test_every_file_has_its_digest_and_lies_inside_the_pdf(pack: Path) -> None:
    """The files sha256sum checks are the files attached."""
    sums = dict(reversed(line.split("  ")) for line in (pack / "SHA256SUMS").read_text().splitlines())
    assert sums == {name: hashlib.sha256((pack / name).read_bytes()).hexdigest() for name in sums}
    inside = PdfReader(pack / "dispute.pdf").attachments
    assert {name: held[0] for name, held in inside.items()} == {
        name: (pack / name).read_bytes() for name in ("facts.jsonl", "settlement.json", "dispute.json")
    }


def test_the_same_record_makes_the_same_bytes(record: Path, pack: Path, tmp_path: Path) -> None:
    """The bytes are equal as a folder and as a tar, by number and by time; no existing file is overwritten."""
    question = ["T7", "--round", "2", "--seat", "4", "--jurisdiction", "PA"]
    assert asked(record, tmp_path / "again", *question).exit_code == 0
    for file in sorted(pack.iterdir()):
        assert (tmp_path / "again" / file.name).read_bytes() == file.read_bytes(), file.name
    for name in ("a.tar", "b.tar"):
        assert asked(record, tmp_path / name, *question).exit_code == 0
    assert (tmp_path / "a.tar").read_bytes() == (tmp_path / "b.tar").read_bytes()
    with tarfile.open(tmp_path / "a.tar") as tar:
        names = {Path(each.name).name: each for each in tar.getmembers()}
        assert sorted(names) == sorted(file.name for file in pack.iterdir())
        assert tar.extractfile(names["facts.jsonl"]).read() == (pack / "facts.jsonl").read_bytes()  # type: ignore[union-attr]
    taken = asked(record, tmp_path / "a.tar", *question)
    assert (taken.exit_code, "already exists" in taken.output) == (2, True)


def _opened(desk: Desk, key: str) -> str:
    act = DeskAct("l.chen", AT_THE_DESK, key)
    return desk.open_case(act, "dispute", "Ante of seat 4", jurisdiction="MI", happened_at=AT_THE_DESK).number


def _done(desk: Desk, number: str, key: str, decide: Any, *told: Any) -> None:
    desk.on_case(number, lambda state: decide(state, DeskAct("l.chen", AT_THE_DESK, key), *told))


def test_a_case_brings_claim_ruling_clock_and_video(record: Path, tmp_path: Path) -> None:
    """The hand need not be named; the linked seat's hand is in dispute, and the answer's clock runs from the claim."""
    desk = desk_of(data=record)
    number = _opened(desk, "k1")
    _done(desk, number, "k2", case.link_hand, STREAM, 2, 4)
    _done(desk, number, "k3", case.make_claim, "They took *five* dollars back #after paying.", 500)
    _done(desk, number, "k4", case.rule, "The player keeps it.", "s.ortiz", 500)
    _done(
        desk,
        number,
        "k5",
        case.hold_video,
        VideoHold("nvr-3", "12", AT_THE_DESK, AT_THE_DESK + 60_000_000, AT_THE_DESK),
    )
    told = asked(record, tmp_path / "pack", "--case", number)
    assert told.exit_code == 0, told.output
    said = words((tmp_path / "pack/dispute.pdf").read_bytes())
    for part in (
        f"Case {number}, open: Ante of seat 4.",
        "They took *five* dollars back #after paying. $5 recorded by l.chen, 2026-11-19 09:00:05 UTC",
        "The player keeps it. $5 s.ortiz",
        "2026-12-17 deadline for a claim",
        "2026-12-03 deadline for the answer",
        "nvr-3 12 2026-11-19 09:00:05 to 09:01:05 held, not copied yet; without a copy it is overwritten on 2026-11-19",
    ):
        assert part in said, part
    _done(desk, number, "k6", case.link_hand, STREAM, 3, None)
    several = asked(record, tmp_path / "two", "--case", number)
    assert (several.exit_code, f"{STREAM} round 3; name one" in several.output) == (1, True)
    assert asked(record, tmp_path / "three", "--case", number, "--round", "3").exit_code == 0
    desk.close()


def test_a_sealed_case_is_for_those_it_is_sealed_for(record: Path, tmp_path: Path) -> None:
    """Other users are refused, and the request is on record."""
    desk = desk_of(data=record)
    number = _opened(desk, "s1")
    _done(desk, number, "s2", case.link_hand, STREAM, 2, 4)
    _done(desk, number, "s3", case.seal, ["the regulator"], "a request")
    told = asked(record, tmp_path / "pack", "--case", number)
    assert (told.exit_code, f"case {number} is sealed" in told.output) == (1, True)
    assert not (tmp_path / "pack").exists()
    _done(desk, number, "s4", case.unseal, "done") if user() == "the regulator" else None
    desk.close()


def test_whoever_takes_a_pack_away_is_on_record(record: Path, tmp_path: Path) -> None:
    """The access log has the user, the hand and the reason."""
    assert asked(record, tmp_path / "p", "T7", "--round", "1", "--purpose", "patron dispute").exit_code == 0
    desk = desk_of(data=record)
    rows = [desk_record(bytes(row.state)) for row in desk.recorder.select_notifications(1, 10_000)]
    desk.close()
    taken = [row for row in rows if getattr(row, "what", "") == "export"]
    assert (taken[-1].by, taken[-1].of, taken[-1].why) == (
        user(),
        f"dispute pack of {STREAM} round 1",
        "patron dispute",
    )  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["T7", "--round", "9"], 1, "has no round 9; it has rounds 1 to 3"),
        (["T7", "--round", "2", "--seat", "6"], 1, "has no hand at seat 6; it has 2, 4"),
        (["T9", "--round", "2"], 1, "the record has no table T9"),
        (["--case", "2026-9999"], 1, "there is no case 2026-9999"),
        (["T7"], 2, "name the hand: TABLE with --round or --at, or --case"),
        (["T7", "--round", "2", "--at", "12:00"], 2, "give one of them"),
        (["T7", "--at", "soon"], 2, "write 21:10"),
    ],
)
def test_what_does_not_fit_is_said(record: Path, tmp_path: Path, arguments: list[str], status: int, says: str) -> None:
    """One sentence, and nothing is made."""
    told = asked(record, tmp_path / "pack", *arguments)
    assert told.exit_code == status
    assert says in " ".join(told.output.split())
    assert not (tmp_path / "pack").exists()


def test_a_hand_that_is_still_played_is_not_told(tmp_path: Path) -> None:
    """The cards of a live hand stay secret."""
    facts = unnumbered()
    end = next(place for place, fact in enumerate(facts) if isinstance(fact, RoundCompleted) and fact.round == 2)
    (tmp_path / "day.jsonl").write_bytes(b"\n".join(map(encode, facts[:end])))
    pit = tmp_path / "pit"
    assert CliRunner().invoke(main, ["ingest", "--data", str(pit), str(tmp_path / "day.jsonl")]).exit_code == 0
    told = asked(pit, tmp_path / "pack", "T7", "--round", "2")
    assert (told.exit_code, "is still being played" in told.output) == (1, True)
    assert asked(pit, tmp_path / "pack", "T7", "--round", "1").exit_code == 0


def test_it_is_two_pages_whatever_happened() -> None:
    """A full table, a long quarrel, two hundred facts: set smaller, and what has no room is counted."""
    plain = a_dispute()
    hand = plain.hand
    crowd = tuple(msgspec.structs.replace(hand.seats[1], seat=number) for number in range(1, 8))
    steps = tuple(msgspec.structs.replace(hand.steps[1], sequence=number) for number in range(1, 231))
    full = msgspec.structs.replace(
        hand,
        seats=crowd,
        steps=steps,
        findings=hand.findings * 30,
        undecided=("Seat 1's trips: without the dealer's first card, the dealer's second card.",) * 40,
    )
    quarrel = msgspec.structs.replace(plain.claim, says="They said that it was mine. " * 140)  # type: ignore[type-var]
    worst = a_dispute(
        hand=full, seat=None, claim=quarrel, ruling=quarrel, around=steps[:60], video=plain.video * 20,
        clauses={f"UTH-MD 12.{number}": "What it says, in a sentence of usual length." for number in range(14)},
    )  # fmt: skip
    held = dispute_pdf(worst)
    assert (pages(plain), len(PdfReader(io.BytesIO(held)).pages)) == (2, 2)
    said = words(held)
    for part in (
        "(whole in dispute.json)",
        "24 more findings and 34 more undecided wagers and 15 more recordings",
        "110 more facts",
        "44 earlier facts",
    ):
        assert part in said, part


def test_what_people_typed_is_printed_and_never_set() -> None:
    """Claims and rulings are people's own words."""
    typed = '#panic("x") *b* $x$ <a> @b `c` \\ // ~ = ['
    plain = a_dispute()
    claim = msgspec.structs.replace(plain.claim, says=typed, by=typed)  # type: ignore[type-var]
    said = words(dispute_pdf(a_dispute(claim=claim, ruling=claim, property=typed, software=typed))).replace(" ", "")
    assert said.count(typed.replace(" ", "")) >= 6


def test_the_newest_record_dates_it() -> None:
    """No clock of the machine is asked."""
    held = PdfReader(io.BytesIO(dispute_pdf(a_dispute(as_of=of_micros(AT_THE_DESK)))))
    assert held.metadata is not None
    assert held.metadata.creation_date == AT
