"""The dispute pack on two pages: the claim and the ruling, the amounts owed and why, then the hand itself."""

import hashlib
from collections.abc import Mapping
from typing import Any, Final
from zoneinfo import ZoneInfo

from domain.money import dollars, total
from domain.watch.reconstruction import Step
from projections.export.report.disputed import Dispute, DisputeStatement, Neighbour, name_of
from projections.export.report.glyphs import exact, printable
from projections.export.report.hands import hand, wager
from projections.export.report.moments import clock, date, moment
from projections.export.report.setting import pdf
from projections.export.zones import zone_of

MOST_STEPS: Final = 120  # on the second page; the attached facts have them all
_MOST_LETTERS: Final = 900  # of a claim or a ruling; dispute.json has the whole text
_MOST_AROUND, _MOST_FINDINGS, _MOST_UNDECIDED, _MOST_VIDEO = 16, 6, 6, 5  # dispute.json has them all
_SILENT: Final = "Not on record."


def dispute_pdf(dispute: Dispute) -> bytes:
    """Return two pages as PDF/A-3a and PDF/UA-1; the same input gives the same bytes."""
    return pdf("dispute", _told(dispute), dispute.as_of, dispute.attached)


def _told(dispute: Dispute) -> dict[str, Any]:
    zone = zone_of(dispute.zone)
    whole = hand(dispute.hand, zone)
    steps, left = _steps(dispute)
    return {
        "name": exact(name_of(dispute)),
        "property": printable(dispute.property),
        "as_of": moment(dispute.as_of, zone),
        "zone": exact(str(zone)),
        "software": printable(dispute.software),
        "hand": {**whole, "steps": steps, **_first(whole, findings=_MOST_FINDINGS, undecided=_MOST_UNDECIDED)},
        "more": _more(whole, dispute),
        "steps_left": left,
        "around": [_around(step, zone) for step in dispute.around[-_MOST_AROUND:]],
        "around_left": f"{len(dispute.around) - _MOST_AROUND:,}" if len(dispute.around) > _MOST_AROUND else "",
        "case": _case(dispute),
        "claim": _said(dispute.claim, zone),
        "ruling": _said(dispute.ruling, zone),
        "at_the_table": [_around(step, zone) for step in dispute.at_the_table],
        "wagers": _wagers(dispute),
        "sums": _sums(dispute),
        "clauses": [{"name": exact(name), "says": printable(text)} for name, text in dispute.clauses.items()],
        "clocks": [
            {"name": printable(each.name), "until": str(each.until or ""), "source": printable(each.source)}
            for each in dispute.clocks
        ],
        "video": [
            [printable(each.recorder), printable(each.channel), printable(each.stretch), printable(each.kept)]
            for each in dispute.video[:_MOST_VIDEO]
        ],
        "neighbours": [_neighbour(each, zone) for each in dispute.neighbours],
        "edition": exact(f"{dispute.edition.book}, {dispute.edition.title}"),
        "digest": exact(dispute.edition.digest),
        "facts": f"1 to {dispute.to_sequence:,} of {exact(dispute.hand.stream)}",
        "head": exact(dispute.head),
        "holds": [[exact(each.name), hashlib.sha256(each.holds).hexdigest()] for each in dispute.attached],
    }


def _first(whole: Mapping[str, Any], **most: int) -> dict[str, Any]:
    return {part: whole[part][:many] for part, many in most.items()}


def _more(whole: Mapping[str, Any], dispute: Dispute) -> str:
    """Return a sentence about what page one has no room for."""
    left = {
        "findings": len(whole["findings"]) - _MOST_FINDINGS,
        "undecided wagers": len(whole["undecided"]) - _MOST_UNDECIDED,
        "recordings": len(dispute.video) - _MOST_VIDEO,
    }
    told = " and ".join(f"{many:,} more {what}" for what, many in left.items() if many > 0)
    return f"{told} are in dispute.json." if told else ""


def _case(dispute: Dispute) -> str:
    case = dispute.case
    if case is None:
        return ""
    return printable(f"Case {case.number}, {case.state}: {case.title}. Led by {case.lead}.")


def _said(said: DisputeStatement | None, zone: ZoneInfo) -> dict[str, str]:
    if said is None:
        return {"says": _SILENT, "by": "", "sum": ""}
    words = said.says if len(said.says) <= _MOST_LETTERS else f"{said.says[:_MOST_LETTERS]} ... (whole in dispute.json)"
    by = printable(f"{said.by}, {moment(said.at, zone)}")
    return {"says": printable(words), "by": by, "sum": "" if said.cents is None else dollars(said.cents)}


def _wagers(dispute: Dispute) -> list[dict[str, Any]]:
    """Return the wagers of the disputed seat, or of all seats."""
    seats = [seat for seat in dispute.hand.seats if dispute.seat in (None, seat.seat)]
    return [wager(seat, line) for seat in seats for line in seat.wagers]


def _sums(dispute: Dispute) -> list[str]:
    """Return the sums of staked, owed, handed back and difference; a dash if an amount is unknown."""
    lines = [line for seat in dispute.hand.seats if dispute.seat in (None, seat.seat) for line in seat.wagers]
    staked = total(line.staked_cents for line in lines)
    owed, back = total(line.owed_cents for line in lines), total(line.handed_back_cents for line in lines)
    differs = None if owed is None or back is None else back - owed
    shown = dollars(differs) if differs is None or differs <= 0 else f"+{dollars(differs)}"
    return [dollars(staked), dollars(owed), dollars(back), shown]


def _steps(dispute: Dispute) -> tuple[list[dict[str, str]], str]:
    """Return the facts of the hand that fit on two pages; those about the disputed seat are all kept."""
    zone = zone_of(dispute.zone)
    steps = dispute.hand.steps
    left = len(steps) - MOST_STEPS
    if left > 0:
        others = [step.sequence for step in steps if step.seat not in (None, dispute.seat)]
        dropped = set(others[-left:])
        steps = tuple(step for step in steps if step.sequence not in dropped)[:MOST_STEPS]
    shown = [_around(step, zone) for step in steps]
    return shown, f"{len(dispute.hand.steps) - len(steps):,}" if left > 0 else ""


def _around(step: Step, zone: ZoneInfo) -> dict[str, str]:
    return {"at": clock(step.at, zone)[:-2], "fact": str(step.sequence), "says": printable(step.says)}


def _neighbour(each: Neighbour, zone: ZoneInfo) -> list[str]:
    when = f"{date(each.began, zone)} {clock(each.began, zone)[:8]} to {clock(each.ended, zone)[:8]}"
    void = "void" if each.void else ""
    amounts = (dollars(each.staked_cents), dollars(each.back_cents))
    return [
        each.relation,
        str(each.round),
        when,
        printable(each.dealer),
        str(each.hands),
        *amounts,
        void,
        str(each.findings),
    ]
