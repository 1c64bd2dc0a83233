"""A reconstructed hand for a terminal."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

import msgspec

from domain.money import dollars
from domain.spoken import name_of_wager, plain
from domain.watch.reconstruction import FindingLine, Reconstruction, SeatHand, WagerLine

BETWEEN = "Facts of the table but not of this round, not listed"
BASES = {
    "reading": "the rule's text is ambiguous; the wager is settled by the reading in the register of clauses",
    "ruling": "the rule's text does not decide, so a ruling is needed; the amount owed assumes that the wager stands",
    "undecidable": "the rule's text decides, but a fact it needs is not on record",
}
AROUND = "To review around this hand (about the table, not the round)"
_HEAD = ("seat", "wager", "staked", "owed", "handed back", "difference", "clause")
_RIGHT = (2, 3, 4, 5)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def as_object(hand: Reconstruction) -> dict[str, Any]:
    """The whole hand as an object, with its times in UTC as text, as in every answer of `catwalk ask`."""
    told = msgspec.structs.asdict(hand)
    began, ended = _utc(told.pop("began")), _utc(told.pop("ended"))
    steps = [{**msgspec.structs.asdict(step), "at": _utc(step.at)} for step in hand.steps]
    return {**told, "began_at": began, "ended_at": ended, "steps": steps}


def _utc(at: int) -> datetime:
    return _EPOCH + timedelta(microseconds=at)


def moment(at: int, zone: tzinfo) -> str:
    """A moment to the second, as `catwalk ask` shows it."""
    return f"{date(at, zone)} {clock(at, zone)[:-4]}"


def clock(at: int, zone: tzinfo) -> str:
    """The time of day of a moment, to the millisecond."""
    moment = datetime.fromtimestamp(at // 1_000_000, UTC).astimezone(zone)
    return f"{moment:%H:%M:%S}.{at % 1_000_000 // 1000:03d}"


def date(at: int, zone: tzinfo) -> str:
    """The date of a moment."""
    return f"{datetime.fromtimestamp(at // 1_000_000, UTC).astimezone(zone):%Y-%m-%d}"


def text(hand: Reconstruction, zone: tzinfo) -> str:
    """The whole hand: heading, steps, cards, wagers, findings, undecided wagers."""
    blocks = [_heading(hand, zone), _steps(hand, zone), _cards(hand), _wagers(hand), _findings(hand), _around(hand)]
    if hand.undecided:
        blocks.append("Not decided:\n" + "\n".join(f"  {line}" for line in hand.undecided))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _heading(hand: Reconstruction, zone: tzinfo) -> str:
    void = f"  VOID{f' by {hand.void_clause}' if hand.void_clause else ''}" if hand.void else ""
    lines = [
        f"{hand.stream} round {hand.round}  {hand.title}{void}",
        f"{moment(hand.began, zone)} to {moment(hand.ended, zone)} {zone}  {plain(hand.method)}"
        + (f", dealer {hand.dealer}" if hand.dealer else "")
        + (f", {hand.deck}" if hand.deck else ""),
    ]
    return "\n".join(lines)


def _steps(hand: Reconstruction, zone: tzinfo) -> str:
    wide = max((len(step.says) for step in hand.steps), default=0)
    lines = []
    for step in hand.steps:
        camera = f"  camera {step.camera} {step.time_code or ''}".rstrip() if step.camera else ""
        when = clock(step.at, zone)
        lines.append(f"  {when}  {step.sequence:>6}  {step.says:<{wide}}  {step.source}{camera}".rstrip())
    if hand.between:
        lines.append(f"  {BETWEEN}: {', '.join(hand.between)}")
    return "\n".join(lines)


def _cards(hand: Reconstruction) -> str:
    lines = []
    for name, cards, made in (
        ("dealer", hand.dealer_cards, hand.dealer_hand),
        ("community", hand.community, ""),
        ("box", hand.box, ""),
    ):
        if cards:
            lines.append(f"  {name:<10} {cards}{f'  {made}' if made else ''}")
    return "\n".join([*lines, *(_seat(seat) for seat in hand.seats)])


def _seat(seat: SeatHand) -> str:
    parts = [seat.cards, seat.player, chosen(seat), seat.hand]
    if seat.kept:
        parts.append(f"kept {seat.kept}{f' and {seat.second}' if seat.second else ''}")
    if seat.selected:
        parts.append(f"selected {seat.selected}")
    return f"  seat {seat.seat:<5} " + "  ".join(part for part in parts if part)


def _wagers(hand: Reconstruction) -> str:
    rows = [_HEAD, *(_row(seat.seat, line) for seat in hand.seats for line in seat.wagers)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    return "\n".join(
        [
            *(
                "  " + "  ".join(_cell(cell, column, widths) for column, cell in enumerate(row)).rstrip()
                for row in rows
            ),
            *(f"  ({basis}): {says}" for basis, says in bases(hand)),
        ]
    )


def bases(hand: Reconstruction) -> list[tuple[str, str]]:
    """The marks in parentheses after clauses, with their meanings."""
    there = {line.basis for seat in hand.seats for line in seat.wagers}
    return [(basis, says) for basis, says in BASES.items() if basis in there]


def _row(seat: int, line: WagerLine) -> tuple[str, ...]:
    differs = line.difference_cents
    shown = "" if differs is None else dollars(differs) if differs <= 0 else f"+{dollars(differs)}"
    amounts = (line.staked_cents, line.owed_cents, line.handed_back_cents)
    return (
        *(str(seat), name_of_wager(line.wager)),
        *map(dollars, amounts),
        *("" if differs == 0 else shown, by_clause(line)),
    )


def by_clause(line: WagerLine) -> str:
    """The clause a wager is settled by, with its basis unless that is certain."""
    sure = "" if line.basis in ("", "certain") else f" ({line.basis})"
    return f"{line.clause}{sure}"


def chosen(seat: SeatHand) -> str:
    """The player's decision, in words."""
    return {"play3": "play 3", "play5": "play 5"}.get(seat.choice, seat.choice)


def _cell(cell: str, column: int, widths: list[int]) -> str:
    return cell.rjust(widths[column]) if column in _RIGHT else cell.ljust(widths[column])


def _findings(hand: Reconstruction) -> str:
    if not hand.findings:
        return hand.nothing_found
    return "\n".join(["To review:", *_each(hand.findings)])


def _around(hand: Reconstruction) -> str:
    return "\n".join([AROUND + ":", *_each(hand.around)]) if hand.around else ""


def _each(findings: Iterable[FindingLine]) -> Iterator[str]:
    for finding in findings:
        yield f"  {finding.severity}  {finding.code}{at_risk(finding)}: {finding.says}"
        yield from (f"      {name}: {gist}" for name, gist in finding.clauses.items())
        yield f"      shown by {', '.join(finding.evidence)}"


def at_risk(finding: FindingLine) -> str:
    """The amount of money at risk in a finding, if it is known."""
    expected, observed = finding.expected_cents, finding.observed_cents
    return "" if expected is None or observed in (None, expected) else f" [{dollars(abs(observed - expected))}]"
