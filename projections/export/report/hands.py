"""A reconstructed hand as printed: cards to draw, amounts in dollars, times in the property's zone."""

from collections.abc import Iterable
from typing import Any, Final
from zoneinfo import ZoneInfo

from domain.money import dollars
from domain.watch.reconstruction import FindingLine, Reconstruction, SeatHand, Step, WagerLine
from projections.export.report.glyphs import exact, printable
from projections.export.report.moments import clock, date

_NAMES: Final = "two three four five six seven eight nine ten jack queen king ace"
_RANKS: Final = dict(zip("23456789TJQKA", _NAMES.split(), strict=True))
_SUITS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
UNSEEN, BACK = "??", "--"  # an unseen card, and a card this reader may not see
_BASIS: Final = {
    "": "",
    "certain": "",
    "reading": "a reading",
    "ruling": "a ruling decides",
    "undecidable": "undecided",
}


def hand(told: Reconstruction, zone: ZoneInfo) -> dict[str, Any]:
    """Return the printed data of one hand."""
    void = f"void, {told.void_clause}" if told.void_clause else "void"
    return {
        "name": f"{exact(told.stream)} round {told.round}",
        "title": told.title,
        "when": f"{date(told.began, zone)}, {clock(told.began, zone)} to {clock(told.ended, zone)}",
        "about": [
            {"name": name, "says": printable(says)}
            for name, says in (("Dealer", told.dealer), ("Deck", told.deck), ("Dealt", told.method.replace("-", " ")))
            if says
        ],
        "void": void if told.void else "",
        "places": [
            {"name": name, "cards": cards(held), "holds": printable(holds)}
            for name, held, holds in (
                ("Dealer", told.dealer_cards, told.dealer_hand),
                ("Community", told.community, ""),
                ("Box", told.box, ""),
            )
            if held
        ],
        "seats": [_seat(seat) for seat in told.seats],
        "wagers": [wager(seat, line) for seat in told.seats for line in seat.wagers],
        "findings": [_finding(finding) for finding in told.findings],
        "undecided": [printable(line) for line in told.undecided],
        "steps": [_step(step, zone) for step in told.steps],
    }


def cards(row: str) -> dict[str, Any]:
    """Return a row of cards to draw, and the same row in words."""
    faces = row.split()
    words = ", ".join(map(_in_words, faces)) or "no cards"
    return {"cards": [_face(face) for face in faces], "words": words}


def _face(face: str) -> dict[str, str]:
    if face in (UNSEEN, BACK):
        return {"rank": "?" if face == UNSEEN else "", "suit": ""}
    return {"rank": face[0].replace("T", "10"), "suit": face[1]}


def _in_words(face: str) -> str:
    if face in (UNSEEN, BACK):
        return "an unseen card" if face == UNSEEN else "a card face down"
    return f"{_RANKS[face[0]]} of {_SUITS[face[1]]}"


def _seat(seat: SeatHand) -> dict[str, Any]:
    kept = f"kept {seat.kept}{f' and {seat.second}' if seat.second else ''}" if seat.kept else ""
    chosen = f"selected {seat.selected}" if seat.selected else ""
    return {
        "seat": str(seat.seat),
        "player": printable(seat.player),
        "cards": cards(seat.cards),
        "choice": printable(seat.choice.replace("-", " ")),
        "holds": printable(", ".join(part for part in (seat.hand, kept, chosen) if part)),
    }


def wager(seat: SeatHand, line: WagerLine) -> dict[str, Any]:
    """Return one wager: stake, amount owed, its clause, and amount handed back."""
    differs = line.difference_cents
    return {
        "seat": str(seat.seat),
        "wager": line.wager.replace("_", " "),
        "staked": dollars(line.staked_cents),
        "owed": dollars(line.owed_cents),
        "back": dollars(line.handed_back_cents),
        "differs": "" if not differs else dollars(differs) if differs < 0 else f"+{dollars(differs)}",
        "clause": exact(line.clause),
        "basis": f"undecided without {', '.join(line.needs)}" if line.needs else _BASIS.get(line.basis, line.basis),
    }


def _finding(line: FindingLine) -> dict[str, Any]:
    return {
        "code": line.code,
        "severity": line.severity,
        "says": printable(line.says),
        "clauses": [{"name": exact(name), "says": printable(gist)} for name, gist in line.clauses.items()],
        "evidence": shown_by(line.evidence),
    }


def shown_by(evidence: Iterable[str]) -> str:
    """Return the numbers of the facts that show something, stream by stream."""
    streams: dict[str, list[str]] = {}
    for fact in evidence:
        stream, _, sequence = fact.rpartition(":")
        streams.setdefault(stream, []).append(sequence)
    told = (f"fact{'s' * (len(many) > 1)} {', '.join(many)} of {stream}" for stream, many in streams.items())
    return exact("; ".join(told))


def _step(step: Step, zone: ZoneInfo) -> dict[str, str]:
    camera = " ".join(part for part in (step.camera, step.time_code) if part)
    return {
        "at": clock(step.at, zone),
        "fact": str(step.sequence),
        "says": printable(step.says),
        "source": printable(step.source),
        "camera": printable(camera),
    }
