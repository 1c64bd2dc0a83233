"""Compare a settlement with the answers that a case expects."""

from collections.abc import Iterator
from typing import Any

from domain.money import Cents, dollars
from domain.settlement import Outcome, Settlement
from domain.settlement.case_format import WorkedCase
from domain.settlement.case_line import RawCase
from domain.settlement.outcome import UNDECIDABLE

_RULED = ("stands", "reversed")


def expects_anything(case: WorkedCase) -> bool:
    """Whether the case has expected answers: a line without them is neither right nor wrong."""
    raw = case.raw
    answers = (raw.expected, raw.expected_aggregates, raw.expected_alternatives, raw.expected_meters_after)
    return any(answers) or raw.round_void is not None


def disagreements(case: WorkedCase, settlement: Settlement) -> list[str]:
    """The differences between the settlement and the expected answers, one sentence each."""
    raw = case.raw
    found = list(_amounts(raw.expected or {}, settlement, summed=_summed_wagers(raw)))
    found += _sums(raw.expected_aggregates or {}, settlement)
    found += _alternatives(raw.expected_alternatives or {}, settlement)
    for meter, cents in (raw.expected_meters_after or {}).items():
        after = (settlement.meters_after or {}).get(meter)
        if after != cents:
            found.append(f"meter {meter}: expected {dollars(cents)}, found {dollars(after)}")
    void = raw.round_void
    if void is not None and void != settlement.round_void:
        found.append(f"round void: expected {void}, settled as {settlement.round_void}")
    return found


def _outcome(settlement: Settlement, seat: str, wager: str) -> Outcome | None:
    return _held(settlement, seat).get(wager)


def _held(settlement: Settlement, seat: str) -> dict[str, Outcome]:
    return settlement.seats.get(int(seat), {}) if seat.isdecimal() else {}


def _amounts(
    expected: dict[str, dict[str, Cents | None]], settlement: Settlement, summed: set[tuple[str, str]]
) -> Iterator[str]:
    """The wagers that are settled differently, and those that were settled but not expected at their seat."""
    for seat, wagers in expected.items():
        for wager, cents in wagers.items():
            outcome = _outcome(settlement, seat, wager)
            if outcome is None:
                yield f"seat {seat} {wager}: expected {dollars(cents)}, but there is no such wager"
            elif cents is None and outcome.basis == UNDECIDABLE:
                yield f"seat {seat} {wager}: expected a ruling, undecidable without {', '.join(outcome.needs)}"
            elif outcome.returned != cents and (seat, wager) not in summed:
                yield (
                    f"seat {seat} {wager}: expected {dollars(cents)}, settled at {dollars(outcome.returned)} "
                    f"({outcome.clause}, {outcome.basis})"
                )
        for wager in _held(settlement, seat).keys() - wagers.keys():
            outcome = _outcome(settlement, seat, wager)
            if outcome is not None and outcome.returned != 0:
                yield f"seat {seat} {wager}: not expected, settled at {dollars(outcome.returned)} ({outcome.clause})"


def _named_sums(expected: Any) -> Iterator[tuple[str, tuple[str, ...], Any]]:
    """Sums written as {seat: {"ante+blind": cents}} or as {seat: {name: {"wagers": [...], "cents": n}}}."""
    for seat, sums in expected.items():
        for name, held in sums.items():
            named = held.get("wagers") if isinstance(held, dict) else None
            cents = held.get("cents") if isinstance(held, dict) else held
            yield seat, tuple(map(str, named)) if isinstance(named, list) else tuple(name.split("+")), cents


def _summed_wagers(raw: RawCase) -> set[tuple[str, str]]:
    sums = _named_sums(raw.expected_aggregates or {})
    return {(seat, wager) for seat, wagers, _ in sums for wager in wagers}


def _sums(expected: Any, settlement: Settlement) -> Iterator[str]:
    """The differences in sums: if a limit cuts several wagers, only their sum is determined."""
    for seat, wagers, cents in _named_sums(expected):
        outcomes = [_outcome(settlement, seat, wager) for wager in wagers]
        total = sum(outcome.returned or 0 for outcome in outcomes if outcome is not None)
        if total != cents:
            wanted = dollars(cents) if isinstance(cents, int) else cents
            yield f"seat {seat} {'+'.join(wagers)}: expected {wanted} together, settled at {dollars(total)}"


def _alternatives(expected: dict[str, dict[str, dict[str, Cents | None]]], settlement: Settlement) -> Iterator[str]:
    for seat, wagers in expected.items():
        for wager, ways in wagers.items():
            outcome = _outcome(settlement, seat, wager)
            held = dict(zip(_RULED, (outcome.alternatives if outcome else None) or (None, None), strict=True))
            for way, cents in ways.items():
                if held.get(way) != cents:
                    yield f"seat {seat} {wager}, if it {way}: expected {dollars(cents)}, found {dollars(held.get(way))}"
