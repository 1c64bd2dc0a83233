"""Whether the hands of a round are void, whether they were declared void, and whether the two agree."""

import msgspec

from domain.facts.payments import HandVoided
from domain.settlement.outcome import RULING
from domain.settlement.void import Uncovered, Unruled, Void
from domain.table.irregular import IrregularityCause, rulings
from domain.table.round import RoundInPlay
from domain.watch.owed import CAUSE_UNKNOWN, hands_void_without_cause, worked_out

AGREED = ""
NOT_VOIDED = "not voided"  # the text voids them, but they were played on
NO_CAUSE = "no cause"  # declared void, but nothing on record voids them
WANTS_RULING = "wants a ruling"  # the text leaves it open, and no ruling is recorded
RULED = "ruled"  # the text leaves it open, and a ruling is recorded


class Voids(msgspec.Struct, frozen=True):
    """The void state of the round and of any hands that differ from it, with the evidence."""

    round: str = AGREED
    hands: dict[int, str] = {}
    causes: dict[int, IrregularityCause] = {}  # the cause of each hand, by seat


_NONE = Voids()


def voids(told: RoundInPlay) -> Voids:
    """Compare the void hands with those declared void; the result is cached until another fact arrives."""
    made = worked_out(told)
    if not made.causes and not told.voided and HandVoided not in told.told:
        return _NONE
    held: Voids | None = told.worked_out.get("voids")
    if held is None:
        held = told.worked_out["voids"] = _voids(told)
    return held


def _voids(told: RoundInPlay) -> Voids:
    made = worked_out(told)
    whole = _whole(told)
    hands: dict[int, str] = {}
    shown: dict[int, IrregularityCause] = {}
    if not told.voided and whole != NOT_VOIDED:
        declared = {fact.seat for fact in told.of(HandVoided)}
        for cause, effect in made.causes:
            if not isinstance(effect, Void) or effect.seat is None or effect.seat in declared:
                continue
            hands[effect.seat] = RULED if _ruled(told, effect.seat) else NOT_VOIDED
            shown[effect.seat] = cause
    for seat in hands_void_without_cause(told):
        hands[seat] = RULED if _ruled(told, seat) else NO_CAUSE
    return Voids(whole, hands, shown)


def _whole(told: RoundInPlay) -> str:
    made = worked_out(told)
    cause, effect = made.cause, made.effect
    if told.voided:
        if made.open_because == CAUSE_UNKNOWN:
            return RULED if rulings(told) else NO_CAUSE
        return AGREED
    if cause is None or not isinstance(effect, Void | Unruled | Uncovered) or effect_of_one_hand(effect):
        return AGREED
    ruled = any(given.wager is None for given in rulings(told))  # a ruling on one wager does not rule on the round
    if not isinstance(effect, Void) or effect.basis == RULING:
        return RULED if ruled else WANTS_RULING
    if cause.what.stage == "after-settlement":
        if ruled:
            return RULED
        return WANTS_RULING if cause.what.kind == "stub-count" else NOT_VOIDED
    return NOT_VOIDED


def effect_of_one_hand(effect: Void | Unruled | Uncovered) -> bool:
    """Whether it concerns one hand and not the others."""
    return getattr(effect, "seat", None) is not None


def _ruled(told: RoundInPlay, seat: int) -> bool:
    return any(ruling.seat in (None, seat) for ruling in rulings(told))


def judged_as_a_whole(told: RoundInPlay, seat: int) -> bool:
    """Whether this seat's amounts are judged as a whole, because a finding on the round or hand covers them."""
    found = voids(told)
    return found.round in (NOT_VOIDED, NO_CAUSE) or found.hands.get(seat) in (NOT_VOIDED, NO_CAUSE)
