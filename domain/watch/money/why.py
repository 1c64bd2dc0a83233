"""The reason for each wager's payment: its situation, by the names in the table of clauses, and in words."""

from collections.abc import Callable

import msgspec

from domain.games.game import Kind
from domain.hands.ranked import ImpossibleHandError, UnknownCardError
from domain.settlement.outcome import Outcome
from domain.settlement.played import Seat
from domain.table.round import RoundInPlay
from domain.watch.money import why_cards, why_uth
from domain.watch.owed import Owed
from domain.watch.owed_vs_paid import WeighedWager

# A wager that survives void hands: the clause that voids them, and the clause that settles it anyway.
SURVIVES = {
    "UTH-MA 15(a) s1": "UTH-MA 15(a) s2",
    "UTH-MA 15(b) s2": "UTH-MA 15(b) s3",
    "UTH-MD 13.B": "UTH-MD 13.C",
    "UTH-MD 13.F": "UTH-MD 13.G",
}
VOID, SURVIVING = "void", "surviving"


class Why(msgspec.Struct, frozen=True):
    """A wager's situation: its names in the table of clauses, and its words for a sentence."""

    keys: tuple[str, ...]
    because: str
    kind: str = ""  # void or surviving, if the hands are void


Explain = Callable[[RoundInPlay, Owed, Seat, str, Outcome], tuple[tuple[str, ...], str]]

_EXPLAIN: dict[Kind, Explain] = {
    "ultimate": why_uth.explain,
    "pik-it": why_cards.pik_it,
    "fast-action": why_cards.fast_action,
    "colorado": why_cards.colorado,
}


def why(told: RoundInPlay, made: Owed, item: WeighedWager) -> Why:
    """Return the reason why this wager gets the amount that settlement gives."""
    clause = item.outcome.clause
    void = _void_clause(made, item)
    if void and item.wager in _kept(made):
        return Why((SURVIVES.get(void, ""),), "trips survives the void hands", SURVIVING)
    if void:
        if _one_hand(made, item):
            return Why((clause or void,), "the hand is void", VOID)
        return Why(made.void_by or (clause or void,), "all hands are void", VOID)
    seat = next((each for each in made.played.seats if each.seat == item.spot.seat), None)
    if seat is None:
        return Why((), "")
    if clause.startswith("FAH (i)(3)"):
        return Why((clause,), "a short hand was released", VOID)
    try:
        keys, because = _EXPLAIN[told.game.kind](told, made, seat, item.wager, item.outcome)
    except (ImpossibleHandError, UnknownCardError):  # these cards make no hand, so use the wager alone
        keys, because = (), ""
    return Why(("any", *keys), because)


def _void_clause(made: Owed, item: WeighedWager) -> str:
    if made.settlement.void_clause:
        return made.settlement.void_clause
    return item.outcome.clause if _one_hand(made, item) else ""


def _one_hand(made: Owed, item: WeighedWager) -> bool:
    return any(
        getattr(effect, "seat", None) == item.spot.seat and cause.what.of_seat == item.spot.seat
        for cause, effect in made.causes
        if effect is not None
    )


def _kept(made: Owed) -> frozenset[str]:
    """Return the wagers that are settled although the hands are void."""
    return frozenset(getattr(made.effect, "keeps", {}))
