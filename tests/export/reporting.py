"""A report to be set: a short evening in Maryland with one ante overpaid, and whatever a test makes of it."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any

import msgspec

from domain.facts.envelope import Fact
from domain.simulation.edits import broken, change
from domain.simulation.scripted import day, round_, seat
from domain.watch.reconstruction import Reconstruction, reconstructed
from domain.watch.verifier import Verifier
from projections.export.report.disputed import CaseHead, Clock, Dispute, DisputeStatement, Neighbour, Video
from projections.export.report.told import (
    Attached,
    DayLine,
    FoundLine,
    LabeledValue,
    OpenLine,
    ReportCheckpoint,
    ReportContent,
    ReportEdition,
)
from tests.watch.harness import recorded

LOSER = seat(2, "4h 3c", "check check fold", trips=500, player="p-1007")
WINNER = seat(4, "Ah Kd", "play:4", trips=500, player="p-2230")
AT = datetime(2026, 11, 19, 9, 0, 5, tzinfo=UTC)
CSV = b"stream,round\r\nT7/2026-11-18,2\r\n"


def unnumbered() -> list[Fact]:
    """Three rounds; in the second, seat 4's ante is paid five dollars too much."""
    plain = round_(seat(2, player="p-1007"), seat(4, player="p-2230"))
    rounds = [plain, round_(LOSER, WINNER, dealer="9c 9d", community="As Kc 7h 5d 2s"), plain]
    overpaid = change("wager-paid", round=2, wager="ante", to={"cents": 1500})
    return list(broken(day("UTH-MD", rounds=rounds), overpaid))


def evening() -> list[Fact]:
    """The same as the record has it."""
    return recorded(unnumbered())


def verified(facts: Iterable[Fact]) -> Verifier:
    """The day as the verifier has it."""
    verifier = Verifier("T7/2026-11-18", remembers=None)
    for fact in facts:
        verifier.take(fact)
    return verifier


def hand(verifier: Verifier, number: int) -> Reconstruction:
    """A round of it, with its findings."""
    found = [each for each in verifier.standing.values() if each.round == number]
    return reconstructed(verifier.day.rounds[number], found, number - 1 or None, number + 1)


def half_seen() -> Reconstruction:
    """The second round, had nobody seen seat 2's first card."""
    whole = hand(verified(evening()), 2)
    seat_2 = msgspec.structs.replace(whole.seats[0], cards="?? 3c", hand="")
    open_wager = msgspec.structs.replace(
        seat_2.wagers[2], owed_cents=None, basis="undecidable", needs=("seat 2's first card",)
    )
    seat_2 = msgspec.structs.replace(seat_2, wagers=(*seat_2.wagers[:2], open_wager))
    return msgspec.structs.replace(
        whole, seats=(seat_2, whole.seats[1]), undecided=("Seat 2's trips: without seat 2's first card.",)
    )


def found_in(verifier: Verifier) -> tuple[FoundLine, ...]:
    """The record's findings as a report has them."""
    lines = []
    for each in verifier.standing.values():
        told = {
            name: getattr(each, name)
            for name in (
                "code",
                "severity",
                "stream",
                "says",
                "round",
                "seat",
                "wager",
                "dealer",
                "expected_cents",
                "observed_cents",
                "basis",
            )
        }
        line = hand(verifier, each.round).findings if each.round else ()
        texts = next((one.clauses for one in line if one.finding == each.id), {})
        shows = tuple(f"{each.stream}:{sequence}" for sequence in each.evidence)
        at = datetime.fromtimestamp(each.at / 1_000_000, UTC)
        lines.append(FoundLine(finding=each.id, at=at, clauses=texts, evidence=shows, **told))
    return tuple(lines)


def a_report(**other: Any) -> ReportContent:
    """The whole of it."""
    verifier = verified(evening())
    whole = ReportContent(
        name="export-3f2a9c0d1e4b5a69",
        property="Harbor Point Casino, Baltimore",
        zone="America/New_York",
        software="catwalk 0.1.0",
        asked=(
            LabeledValue("Purpose", "Quarterly examination of table games"),
            LabeledValue("Recipient", "Maryland Lottery and Gaming Control Agency"),
            LabeledValue("Gaming days", "2026-11-18 to 2026-11-18"),
            LabeledValue("Tables", "T7"),
            LabeledValue("Players", "by tokens; who they are is not in this export"),
            LabeledValue("Ordered by", "m.alvarez (auditor)"),
            LabeledValue("Signed by", "j.okafor (manager)"),
        ),
        bound=ReportCheckpoint(1_482, "9f2c" * 16, AT),
        editions=(ReportEdition("UTH-MD", "Ultimate Texas Hold'em, Maryland", "2026-05", "ab12cd34" * 8),),
        days=(DayLine("T7/2026-11-18", "UTH-MD", 3, 6, 21_500, 18_000, 17_500, 1, 1, 143),),
        findings=found_in(verifier),
        hands=(hand(verifier, 2),),
        decided=23,
        undecided=(OpenLine("the dealer's second card", 1),),
        attached=(Attached("rounds.csv", "every round: cards, stakes, what was owed and handed back", CSV),),
        key="51c0ffee" * 8,
    )
    return msgspec.structs.replace(whole, **other)


def a_dispute(**other: Any) -> Dispute:
    """Seat 4 of the second round wants what the house took back."""
    verifier = verified(evening())
    told = hand(verifier, 2)
    whole = Dispute(
        property="Harbor Point Casino, Baltimore",
        zone="America/New_York",
        software="catwalk 0.1.0",
        as_of=AT,
        to_sequence=143,
        head="7b1e" * 16,
        hand=told,
        seat=4,
        edition=ReportEdition("UTH-MD", "Ultimate Texas Hold'em, Maryland", "2026-05", "ab12cd34" * 8),
        clauses={
            "UTH-MD 12.A": "Winning ante and play pay 1 to 1.",
            "UTH-MD 12.C(1)": "Trips: nothing less than trips.",
        },
        neighbours=(
            Neighbour(
                "before", 1, told.began - 70_000_000, told.began - 1_000_000, "dealer-1", False, 2, 4_000, 8_000, 0
            ),
            Neighbour("after", 3, told.ended + 5_000_000, told.ended + 75_000_000, "dealer-1", True, 2, None, 0, 1),
        ),
        around=told.steps[:3],
        case=CaseHead("2026-0017", "Ante of seat 4", "l.chen", "open", "PA"),
        claim=DisputeStatement("I was paid five dollars on my ante, then they took it back.", "l.chen", AT, 500),
        ruling=DisputeStatement("The player keeps the five dollars.", "s.ortiz (shift manager)", AT, 500),
        at_the_table=told.steps[-1:],
        clocks=(
            Clock("the claim may be made until", date(2026, 12, 18), "Pennsylvania: gamingcontrolboard.pa.gov"),
            Clock("no day is published for the answer", None, "Pennsylvania"),
        ),
        video=(Video("nvr-3", "cam-12", "12:05:00 to 12:12:00 EST", "held; without a hold gone on 2026-11-25"),),
        attached=(Attached("facts.jsonl", "the stored facts", b"{}\n", "application/x-ndjson"),),
    )
    return msgspec.structs.replace(whole, **other)
