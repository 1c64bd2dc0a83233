"""A hand as an investigator reads it: the steps, the payments, the amounts owed, and the findings.

It is plain data, so a terminal, a page and a report show the same. It includes hidden cards; the caller decides who may
see them.
"""

from collections.abc import Iterable

import msgspec

from domain.cards import show
from domain.clauses import UnknownClauseError, clause
from domain.facts.envelope import Fact
from domain.facts.streams import owner
from domain.settlement import announce
from domain.settlement.outcome import Outcome, Settlement
from domain.spoken import name_of_wager
from domain.table.fact_text import told as in_words
from domain.table.payouts import handed
from domain.table.round import RoundInPlay
from domain.table.spots import Spot
from domain.watch.finding import Finding
from domain.watch.owed import owed
from domain.watch.owed_vs_paid import why_open


class Step(msgspec.Struct, frozen=True):
    """One fact of the round, in words."""

    fact: str
    sequence: int
    at: int
    source: str
    kind: str
    says: str
    seat: int | None = None
    camera: str | None = None
    time_code: str | None = None


class WagerLine(msgspec.Struct, frozen=True):
    """One wager: the amount placed, owed and handed back."""

    wager: str
    staked_cents: int | None
    owed_cents: int | None
    handed_back_cents: int | None
    clause: str
    basis: str
    needs: tuple[str, ...] = ()

    @property
    def difference_cents(self) -> int | None:
        """The amount handed back in excess, or a negative shortfall; None if unknown."""
        if self.owed_cents is None or self.handed_back_cents is None:
            return None
        return self.handed_back_cents - self.owed_cents


class SeatHand(msgspec.Struct, frozen=True):
    """One position: its player, cards, decision and wagers."""

    seat: int
    player: str
    cards: str
    choice: str
    hand: str
    wagers: tuple[WagerLine, ...]
    kept: str = ""
    second: str = ""
    selected: str = ""


class FindingLine(msgspec.Struct, frozen=True):
    """A finding with the text of its clauses."""

    finding: str
    code: str
    severity: str
    says: str
    clauses: dict[str, str]
    seat: int | None
    expected_cents: int | None
    observed_cents: int | None
    evidence: tuple[str, ...]
    round: int | None = None
    to_round: int | None = None  # the last round, if it is about a stretch of them


class Reconstruction(msgspec.Struct, frozen=True):
    """The complete round."""

    table: str
    stream: str
    round: int
    book: str
    title: str
    method: str
    dealer: str
    deck: str
    began: int
    ended: int
    void: bool
    void_clause: str
    dealer_cards: str
    dealer_hand: str
    community: str
    box: str
    seats: tuple[SeatHand, ...]
    steps: tuple[Step, ...]
    findings: tuple[FindingLine, ...]
    undecided: tuple[str, ...]
    around: tuple[FindingLine, ...] = ()  # findings of no single round, from the previous round to the end of this one
    meters_after: dict[str, int] = {}
    previous: int | None = None
    next: int | None = None

    @property
    def between(self) -> tuple[str, ...]:
        """The facts between this round's own, of the table or another round, which explain gaps in the numbers."""
        own = {step.sequence for step in self.steps}
        return tuple(
            f"{self.stream}:{each}" for each in range(min(own, default=0), max(own, default=0)) if each not in own
        )

    @property
    def nothing_found(self) -> str:
        """The sentence for a round without findings; anything undecided is not a pass."""
        undecided = " Some of it could not be decided; see below." if self.undecided else ""
        return f"Nothing to review in this round.{undecided}"


def reconstructed(
    told: RoundInPlay,
    findings: Iterable[Finding],
    previous: int | None = None,
    after: int | None = None,
    unjudged: str = "",
    *,
    around: Iterable[Finding] = (),
) -> Reconstruction:
    """Return the recorded round with its findings; `unjudged` is the reason if no round of its day can be judged."""
    settlement = Settlement({}) if unjudged else owed(told)
    facts = told.facts
    return Reconstruction(
        table=owner(told.stream),
        stream=told.stream,
        round=told.number,
        book=told.book,
        title=told.house.book.title,
        method=told.method,
        dealer=told.dealer_person,
        deck=told.deck,
        began=facts[0].at if facts else told.at,
        ended=facts[-1].at if facts else told.at,
        void=told.voided,
        void_clause=settlement.void_clause,
        dealer_cards=show(told.dealer.cards),
        dealer_hand=_hand(told, settlement, 0),
        community=show(told.community.cards),
        box=show(told.box.cards),
        seats=tuple(_seat(told, settlement, spot) for spot in told.wagering),
        steps=tuple(_step(fact) for fact in facts),
        findings=tuple(_finding(finding) for finding in findings),
        around=tuple(_finding(finding) for finding in around),
        undecided=(f"Everything in this round: {unjudged}.",) if unjudged else tuple(_undecided(settlement)),
        meters_after=settlement.meters_after or {},
        previous=previous,
        next=after,
    )


def _hand(told: RoundInPlay, settlement: Settlement, seat: int) -> str:
    value = settlement.hands.get(seat)
    if value is None:
        return ""
    choice = told.seats[seat].choice if seat in told.seats else ""
    return announce(told.house, value, three_cards=choice == "play3")


def _seat(told: RoundInPlay, settlement: Settlement, spot: Spot) -> SeatHand:
    outcomes = settlement.seats.get(spot.seat, {})
    names = [*spot.wagers, *(wager for wager in outcomes if wager not in spot.wagers)]
    return SeatHand(
        seat=spot.seat,
        player=spot.player,
        cards=show(spot.cards),
        choice=spot.choice,
        hand=_hand(told, settlement, spot.seat),
        wagers=tuple(_wager(told, spot, wager, outcomes.get(wager)) for wager in names),
        kept=show(spot.kept),
        second=show(spot.second),
        selected=show(spot.selected),
    )


def _wager(told: RoundInPlay, spot: Spot, wager: str, outcome: Outcome | None) -> WagerLine:
    wagered = spot.wagers.get(wager)
    account = handed(told, wagered) if wagered is not None else None
    return WagerLine(
        wager=wager,
        staked_cents=wagered.staked if wagered is not None else None,
        owed_cents=outcome.returned if outcome is not None else None,
        handed_back_cents=account.back if account is not None else None,
        clause=outcome.clause if outcome is not None else "",
        basis=outcome.basis if outcome is not None else "",
        needs=outcome.needs if outcome is not None else (),
    )


def _step(fact: Fact) -> Step:
    return Step(
        fact=fact.id,
        sequence=fact.sequence,
        at=fact.at,
        source=fact.source,
        kind=str(type(fact).__struct_config__.tag).rpartition(".")[0],
        says=in_words(fact),
        seat=getattr(fact, "seat", None),
        camera=fact.camera,
        time_code=fact.time_code,
    )


def _finding(finding: Finding) -> FindingLine:
    return FindingLine(
        finding=finding.id,
        code=finding.code,
        severity=finding.severity,
        says=finding.says,
        clauses={name: _gist(name) for name in finding.clauses},
        seat=finding.seat,
        expected_cents=finding.expected_cents,
        observed_cents=finding.observed_cents,
        evidence=(
            *(f"{finding.stream}:{sequence}" for sequence in finding.evidence),
            *((finding.beside,) if finding.beside else ()),
        ),
        round=finding.round,
        to_round=finding.to_round,
    )


def _gist(name: str) -> str:
    try:
        return clause(name).gist
    except UnknownClauseError:
        return ""


def _undecided(settlement: Settlement) -> Iterable[str]:
    for number, outcomes in settlement.seats.items():
        for wager, outcome in outcomes.items():
            if outcome.needs:
                yield f"Seat {number}'s {name_of_wager(wager)}: {why_open(outcome)}."
