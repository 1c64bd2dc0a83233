"""The report: what it says, that nobody's words become markup, and that its bytes depend on nothing else."""

import hashlib
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject

from projections.export.report import report_pdf
from projections.export.report.glyphs import _letters, printable
from projections.export.report.hands import cards, shown_by
from projections.export.report.setting import pdf
from projections.export.report.told import Attached, LabeledValue
from tests.citations import ROOT
from tests.export.reporting import AT, CSV, a_report, evening, found_in, half_seen, verified

TYPED = '#panic("x") *b* _i_ $x^2$ <a> @b `c` \\ // /* -- ~ = [ ] { } "q" \'s #let x = 1'


def read(held: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(held))


def words(held: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in read(held).pages).replace("\u200b", "").split())


def told_in_words(held: bytes) -> list[str]:
    """The words in place of each picture for readers who cannot see it, in the order of the document."""

    def within(node: Any) -> Iterator[str]:
        held = node.get_object()
        if isinstance(held, ArrayObject):
            for each in held:
                yield from within(each)
        elif isinstance(held, DictionaryObject):
            if "/Alt" in held:
                yield str(held["/Alt"])
            if "/K" in held:
                yield from within(held["/K"])

    return list(within(read(held).trailer["/Root"]["/StructTreeRoot"]))


@pytest.fixture(scope="module")
def plain() -> bytes:
    return report_pdf(a_report())


def test_it_says_what_was_asked_what_it_rests_on_and_what_was_found(plain: bytes) -> None:
    """The question, the checkpoint, versions, findings with clauses and facts, the hand, what is open, how to verify."""
    said = words(plain)
    for part in (
        "Maryland Lottery and Gaming Control Agency",
        "1,482 stretches, 2026-11-19 04:00:05 EST (2026-11-19T09:00:05Z)",
        "9f2c" * 16,
        "catwalk 0.1.0",
        "ab12cd34" * 8,
        "Seat 4's ante was paid $15",
        "UTH-MD 12.A Winning ante and play pay 1 to 1.",
        "facts 90, 95, 96",
        "4 ante $10 $20 $25 +$5 UTH-MD 12.A certain",
        "12:08:27.700 124 Seat 4's ante: $15 was paid.",
        "the dealer's second card 1",
        "python3 -I verify.py FILE.tar --key KEY --witness KEY",
        f"rounds.csv every round: cards, stakes, what was owed and handed back {len(CSV)}",
    ):
        assert part in said, part


def test_cards_are_drawn_and_told_in_words(plain: bytes) -> None:
    """A screen reader hears every drawing; an unseen card is announced as unseen."""
    told = told_in_words(plain)
    assert told == [
        "nine of clubs, nine of diamonds",
        "ace of spades, king of clubs, seven of hearts, five of diamonds, two of spades",
        "four of hearts, three of clubs",
        "ace of hearts, king of diamonds",
    ]
    assert cards("Th ?? --") == {
        "cards": [{"rank": "10", "suit": "h"}, {"rank": "?", "suit": ""}, {"rank": "", "suit": ""}],
        "words": "ten of hearts, an unseen card, a card face down",
    }
    unseen = told_in_words(report_pdf(a_report(hands=(half_seen(),))))
    assert unseen[2] == "an unseen card, three of clubs"


def test_what_people_typed_is_printed_and_never_set() -> None:
    """Every place a person's words can reach prints them letter by letter."""
    report = a_report()
    finding = msgspec.structs.replace(report.findings[0], says=TYPED, clauses={"UTH-MD 12.A": TYPED}, dealer=TYPED)
    seat = msgspec.structs.replace(report.hands[0].seats[0], player=TYPED, hand=TYPED)
    told = msgspec.structs.replace(report.hands[0], dealer=TYPED, seats=(seat,), undecided=(TYPED,))
    typed = a_report(
        property=TYPED,
        software=TYPED,
        asked=(LabeledValue(TYPED, TYPED),),
        findings=(finding,),
        hands=(told,),
        notes=(TYPED,),
        attached=(Attached("rounds.csv", TYPED, CSV),),
    )
    said = words(report_pdf(typed)).replace(" ", "")
    assert said.count(TYPED.replace(" ", "")) >= 10


def test_letters_without_a_shape_are_written_as_their_numbers() -> None:
    """No hole where a name was, nothing that turns the writing round, and long words stay on the page."""
    assert printable("Zoë Łukasz Živković") == "Zoë Łukasz Živković"
    assert printable("王 \u202emoc\x00") == "[U+738B] [U+202E]moc[U+0000]"
    assert printable("\u00ad two\nlines\t") == "[U+00AD] two lines"
    long = printable("x" * 100)
    assert long.replace("\u200b", "") == "x" * 100
    assert max(map(len, long.split("\u200b"))) <= 12
    assert "[U+738B]" in words(report_pdf(a_report(property="王 Casino")))


def test_every_letter_that_is_let_through_has_a_shape() -> None:
    """A letter without one would stop the typesetter, whose standard forbids it."""
    every = "".join(map(chr, sorted(_letters())))
    assert len(every) > 700
    report = a_report(notes=tuple(every[start : start + 20] for start in range(0, len(every), 20)))
    assert {"Ж", "ß", "→"} <= set(words(report_pdf(report)))


def test_the_data_lies_inside_with_its_own_bytes(plain: bytes) -> None:
    """The tables are associated files of the document, not only mentioned."""
    held = read(plain)
    assert {name: list(many) for name, many in held.attachments.items()} == {"rounds.csv": [CSV]}
    (file,) = (each.get_object() for each in held.trailer["/Root"]["/AF"])
    assert file["/AFRelationship"] == "/Data"
    assert file["/EF"]["/F"]["/Subtype"] == "/text/csv"
    assert hashlib.sha256(CSV).hexdigest() in words(plain).replace(" ", "")


def test_the_only_time_it_bears_is_the_checkpoints(plain: bytes) -> None:
    """Made when the checkpoint was signed, whenever that is done."""
    held = read(plain)
    assert held.metadata is not None
    assert held.metadata.creation_date == held.metadata.modification_date == AT
    later = report_pdf(a_report(bound=msgspec.structs.replace(a_report().bound, at=datetime(2027, 1, 1, tzinfo=UTC))))
    assert b"2026-11-19T09:00:05" not in later


def test_no_font_of_the_machine_is_in_it(plain: bytes) -> None:
    """The report has only the shipped letters, each with its subset inside."""
    fonts = {
        str(font.get_object()["/BaseFont"]).partition("+")[2]
        for page in read(plain).pages
        for font in page["/Resources"]["/Font"].values()
    }
    assert fonts == {"IBMPlexSans-Regular", "IBMPlexSans-SemiBold", "IBMPlexSans-Italic", "IBMPlexMono-Regular"}


def test_what_is_not_printed_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report of a bad year stays readable, and says how much more there is and where."""
    monkeypatch.setattr("projections.export.report.report.MOST_FINDINGS", 3)
    monkeypatch.setattr("projections.export.report.report.MOST_HANDS", 1)
    found, shown = found_in(verified(evening()))[0], a_report().hands[0]
    said = words(report_pdf(a_report(findings=(found,) * 10, hands=(shown,) * 4)))
    assert "7 more findings are not printed: findings.csv" in said
    assert "3 more hands are not printed: hands.csv" in said
    assert "10 standing findings" in said


def test_findings_come_by_table_day_and_round() -> None:
    """Whatever their severity and their names are, a reader finds them where they happened."""
    found = found_in(verified(evening()))[0]
    places = [("T9", 18, 2), ("T7", 19, 1), ("T7", 18, 12), ("T7", 18, 3), ("T7", 18, None)]
    findings = tuple(
        msgspec.structs.replace(found, finding=f"f-{at}", stream=f"{table}/2026-11-{day}", round=number)
        for at, (table, day, number) in enumerate(places)
    )
    said = words(report_pdf(a_report(findings=findings, hands=())))
    names = [said.index(f"Finding f-{at}") for at in range(len(places))]
    assert names == sorted(names, reverse=True)


def test_nothing_found_is_said() -> None:
    """An empty part says that it is empty."""
    said = words(report_pdf(a_report(findings=(), hands=(), undecided=(), days=(), attached=())))
    assert "No findings in the requested part of the record." in said
    assert "No wager is undecided." in said


def test_facts_are_named_stream_by_stream() -> None:
    """A finding about two tables names both."""
    assert shown_by(["T7/2026-11-18:4", "T7/2026-11-18:9", "T8/2026-11-18:2"]) == (
        "facts 4, 9 of T7/2026-11-18; fact 2 of T8/2026-11-18"
    )


@pytest.mark.parametrize(
    ("zone", "seed", "language"), [("Asia/Tokyo", "1", "C"), ("America/New_York", "77", "de_DE.UTF-8")]
)
def test_the_bytes_are_the_same_anywhere(plain: bytes, zone: str, seed: str, language: str) -> None:
    """Another zone, another order of hashing, another language of the machine."""
    code = (
        "import hashlib; from projections.export.report import report_pdf; from tests.export.reporting import a_report;"
        "print(hashlib.sha256(report_pdf(a_report())).hexdigest())"
    )
    settings = {**os.environ, "TZ": zone, "PYTHONHASHSEED": seed, "LC_ALL": language}
    told = subprocess.run(
        [sys.executable, "-c", code], env=settings, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == hashlib.sha256(plain).hexdigest()


def test_a_template_that_fails_says_why() -> None:
    """A fault of ours stops with the typesetter's words."""
    with pytest.raises(Exception, match=r"report: .*key"):
        pdf("report", {"property": "x"}, AT)
