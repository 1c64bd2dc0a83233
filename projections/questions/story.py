"""One whole round: hands, wagers with amounts owed and handed back, every card, and the handling of the deck."""

from datetime import date, datetime

import msgspec

from projections.questions.asking import NothingFitsError, Reading, rows, within
from projections.questions.rounds import Handle, RoundRow, find_rounds


class HandOf(msgspec.Struct, frozen=True, kw_only=True):
    """One position's hand."""

    seat: int
    player: str | None
    cards: str | None
    holds: str | None
    choice: str | None
    void: bool | None
    staked_cents: int | None
    back_cents: int | None
    owed_cents: int | None
    difference_cents: int | None


class WagerOf(msgspec.Struct, frozen=True, kw_only=True):
    """One wager."""

    seat: int
    player: str | None
    wager: str
    staked_cents: int | None
    collected_cents: int | None
    paid_cents: int | None
    returned_cents: int | None
    back_cents: int | None
    owed_cents: int | None
    difference_cents: int | None
    clause: str | None
    basis: str | None
    undecided: str | None


class CardOf(msgspec.Struct, frozen=True, kw_only=True):
    """One card and its place."""

    place: str
    seat: int
    number: int
    card: str
    sequence: int | None


class HandlingOf(msgspec.Struct, frozen=True, kw_only=True):
    """One handling of the cards before or after the deal."""

    at: datetime | None
    what: str
    deck: str | None
    method: str | None
    device: str | None
    by: str | None
    cards: int | None
    depth: int | None
    sequence: int


class FindingOf(msgspec.Struct, frozen=True, kw_only=True):
    """A finding about the round, alone or within a stretch of rounds."""

    finding: str
    code: str
    severity: str
    state: str
    round: int | None
    to_round: int | None
    seat: int | None
    wager: str | None
    expected_cents: int | None
    observed_cents: int | None
    clauses: tuple[str, ...] | None
    evidence: tuple[int, ...] | None
    says: str


class RoundStory(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round."""

    round: RoundRow
    hands: tuple[HandOf, ...]
    wagers: tuple[WagerOf, ...]
    cards: tuple[CardOf, ...]
    handling: tuple[HandlingOf, ...]
    findings: tuple[FindingOf, ...]


_OF_DAY = ' WHERE stream = ? AND "table" = ? AND gaming_day = ? '
_OF_ROUND = f"{_OF_DAY}AND round = ? "
_HANDS = "seat, player, cards, holds, choice, void, staked_cents, back_cents, owed_cents, difference_cents"
_WAGERS = """seat, player, wager, staked_cents, collected_cents, paid_cents, returned_cents, back_cents, owed_cents,
    difference_cents, clause, basis, undecided"""
_CARDS = "place, seat, number, card, sequence"
_HANDLING = '"at", what, deck, method, device, "by", cards, depth, sequence'
_FINDINGS = f"""
SELECT finding, code, severity, state, round, to_round, seat, wager, expected_cents, observed_cents, clauses, evidence,
    says FROM {{findings}} f{_OF_DAY}AND {within("?")} ORDER BY "at", finding
"""


def round_story(reading: Reading, stream: str, number: int) -> RoundStory:
    """Return everything that is published about one round."""
    table, _, day = stream.partition("/")
    found = find_rounds(reading, Handle(named=f"{stream}:{number}"), limit=1)
    if not found:
        raise NothingFitsError(f"{stream} has no round {number}")
    place = [stream, table, date.fromisoformat(day), number]

    def of_round(columns: str, name: str) -> str:
        return f"SELECT {columns} FROM {reading.source_of(name, [stream])}{_OF_ROUND}ORDER BY"

    return RoundStory(
        round=found[0],
        hands=tuple(rows(reading, HandOf, f"{of_round(_HANDS, 'hands')} seat", place)),
        wagers=tuple(rows(reading, WagerOf, f"{of_round(_WAGERS, 'wagers')} seat, wager", place)),
        cards=tuple(
            rows(
                reading,
                CardOf,
                f"{of_round(_CARDS, 'cards')} coalesce(sequence, 0), place, seat, number",
                place,
            )
        ),
        handling=tuple(
            rows(
                reading,
                HandlingOf,
                f"{of_round(_HANDLING, 'handling')} sequence",
                place,
            )
        ),
        findings=tuple(
            rows(reading, FindingOf, _FINDINGS.format(findings=reading.source_of("findings", [stream])), place)
        ),
    )
