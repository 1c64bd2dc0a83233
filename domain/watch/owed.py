"""The amount that each wager of a round must hand back, settled once and cached with the round.

A recorded round may have unseen cards, an unfinished deal, or wagers without cards. Everything that can be settled is
settled. Every other wager is undecided, with the missing evidence named.
"""

from collections.abc import Iterable
from operator import attrgetter

import msgspec

from domain.cards import UNKNOWN
from domain.facts.payments import HandVoided, WagerPaid
from domain.facts.wagers import MeterIncremented, MeterRead, MeterReset, ProgressiveCollected
from domain.settlement import called_off, irregularities, settle, uth_irregularities
from domain.settlement.outcome import UNDECIDABLE, Settlement, undecidable
from domain.settlement.played import Cards, Irregularity, Seat, all_cards, with_parts
from domain.settlement.played import PlayedRound as Played
from domain.settlement.uth_progressive import resets
from domain.settlement.void import CONTRADICTED, Effect, Uncovered, Unruled, Void, undecided
from domain.table.counts import DECK, deal_is_told
from domain.table.irregular import IrregularityCause, causes, nothing_wrong
from domain.table.played import played
from domain.table.round import RoundInPlay
from domain.table.spots import BOX_CARDS
from domain.watch.repeated_deals import once

CAUSE_UNKNOWN = "why the hands were void"
FAILED = "Catwalk failed on this round"
_PLACE = attrgetter("sequence")
HAND, ROUND = 2, 4  # the severity of an effect that voids one hand or all hands


class Owed(msgspec.Struct, gc=False):
    """A settled round: the amounts owed, the round as settlement saw it, and its irregularities."""

    settlement: Settlement
    played: Played
    causes: tuple[tuple[IrregularityCause, Effect], ...] = ()  # every irregularity, with its effect under the rule book
    cause: IrregularityCause | None = None  # the most severe one
    effect: Effect = None
    left_out: frozenset[int] = frozenset()  # seats with wagers that were not dealt in
    open_because: str = ""  # the reason why nothing in the round can be settled
    failed: str = ""  # what failed in Catwalk itself

    @property
    def must_be_void(self) -> bool:
        """Whether the text itself voids all hands."""
        return _gravity(self.effect) == ROUND

    @property
    def void_by(self) -> tuple[str, ...]:
        """Every clause that voids all hands of this round, the deciding one first."""
        clauses = [effect.clause for _, effect in self.causes if isinstance(effect, Void) and effect.seat is None]
        first = [self.effect.clause] if isinstance(self.effect, Void) and self.effect.seat is None else []
        return tuple(dict.fromkeys(first + clauses))


def owed(told: RoundInPlay) -> Settlement:
    """Return the amount that each wager of this round must hand back."""
    return worked_out(told).settlement


def worked_out(told: RoundInPlay) -> Owed:
    """Return the settled round, cached until another fact arrives."""
    held: Owed | None = told.worked_out.get("owed")
    if held is None:
        try:
            bare = once(told)
            held = _regular(bare) if nothing_wrong(bare) else _irregular(bare)
        except Exception as error:  # our mistake: it costs this round's money, and is a finding (`faults.py`)
            held = _failed(told, f"{type(error).__name__}: {error}")
        told.worked_out["owed"] = held
    return held


def _failed(told: RoundInPlay, why: str) -> Owed:
    """Return a round whose settlement failed: every wager on record is undecided."""
    seats = {spot.seat: {name: undecidable("", [FAILED]) for name in spot.wagers} for spot in told.seats.values()}
    return Owed(Settlement(seats), Played(told.book, ()), failed=why)


def _regular(told: RoundInPlay) -> Owed:
    whole = _with_meters(told, played(told))
    return Owed(_settled(told, whole), whole)


def _irregular(told: RoundInPlay) -> Owed:
    whole, left_out = _dealt_in(told, _with_meters(told, played(told)))
    found = tuple((cause, _effect_of(told, whole, cause.what)) for cause in causes(told))
    cause, effect = max(found, key=_first, default=(None, None))
    made = Owed(Settlement({}), whole, found, cause, effect, left_out)
    if told.voided and not isinstance(effect, Uncovered) and _gravity(effect) < ROUND - 1:
        # Nothing on record voids all hands. Detectors decide whether the cause may be unrecorded.
        made.open_because = CAUSE_UNKNOWN
        made.settlement = undecided(whole, CAUSE_UNKNOWN)
        return made
    apart = [each for each, one in found if isinstance(one, Void | Unruled) and one.seat is not None]
    if isinstance(effect, Void) and effect.seat is None and effect.keeps:
        whole = _completed(told, _well_counted(told, whole), ())
    elif _gravity(effect) < ROUND:
        whole = _completed(told, whole, {each.what.of_seat for each in apart})
    if cause is not None:
        whole = with_parts(whole, irregularity=cause.what)
    made.played = whole
    if told.voided and cause is not None and isinstance(effect, Uncovered | Unruled):
        made.settlement = called_off(told.house, whole, effect.clause, cause.what)
    elif _gravity(effect) == HAND and len(apart) > 1:
        made.settlement = _several_apart(told, whole, apart)
    else:
        made.settlement = _settled(told, whole, void=made.must_be_void)
    return made


def _effect_of(told: RoundInPlay, whole: Played, what: Irregularity) -> Effect:
    """Return the effect of one irregularity under the rule book."""
    book = uth_irregularities if told.game.holdem else irregularities
    found: Effect = book.effect(told.house, whole, what)
    return found


def _first(found: tuple[IrregularityCause, Effect]) -> tuple[int, bool]:
    """Return the sort key of a cause: the most severe first, then a stub count, which names the misdeal."""
    cause, effect = found
    return _gravity(effect), cause.what.kind == "stub-count"


def _gravity(effect: Effect) -> int:
    if isinstance(effect, Void):
        return ROUND if effect.seat is None else HAND
    if isinstance(effect, Unruled):
        return ROUND - 1 if effect.seat is None else HAND
    return 1 if isinstance(effect, Uncovered) else 0


def _dealt_in(told: RoundInPlay, whole: Played) -> tuple[Played, frozenset[int]]:
    """Return the round without skipped seats, whose wagers no clause settles."""
    if told.voided or not deal_is_told(told) or not any(seat.cards for seat in whole.seats):
        return whole, frozenset()
    left_out = frozenset(seat.seat for seat in whole.seats if not seat.cards)
    return with_parts(whole, seats=tuple(seat for seat in whole.seats if seat.cards)), left_out


def _completed(told: RoundInPlay, whole: Played, apart: Iterable[int | None]) -> Played:
    """Return the round with unseen cards for an unfinished deal; hands that are apart keep their cards."""
    each, dealer, community = told.game.cards
    short_hands_play = told.game.fast_action  # a short hand is played as it is, or released
    seats = tuple(
        seat if (short_hands_play and seat.cards) or seat.seat in apart else _seat_completed(seat, each)
        for seat in whole.seats
    )
    ended = told.game.fast_action and len(whole.dealer) == dealer and not whole.community and _one_rank(whole.dealer)
    return with_parts(
        whole,
        seats=seats,
        dealer=_filled(whole.dealer, dealer),
        community=whole.community if ended else _filled(whole.community, community),
        six_card_box=_filled(whole.six_card_box, BOX_CARDS) if whole.six_card_box else (),
    )


def _well_counted(told: RoundInPlay, whole: Played) -> Played:
    """Return the round with unseen cards for every miscounted hand, because its real cards are no hand."""
    each = told.game.cards[0]
    unseen = (UNKNOWN,) * each
    seats = tuple(seat if len(seat.cards) <= each else with_parts(seat, cards=unseen) for seat in whole.seats)
    return with_parts(whole, seats=seats)


def _one_rank(cards: Cards) -> bool:
    """Whether these are a natural, after which no community card is dealt."""
    return UNKNOWN not in cards and len({card >> 2 for card in cards}) == 1


def _seat_completed(seat: Seat, each: int) -> Seat:
    return seat if len(seat.cards) >= each else with_parts(seat, cards=_filled(seat.cards, each))


def _filled(cards: Cards, due: int) -> Cards:
    return (*cards, *(UNKNOWN,) * (due - len(cards)))


def _settled(told: RoundInPlay, whole: Played, *, void: bool = False) -> Settlement:
    """Return the settlement; where the recorded cards cannot all have been dealt, only what does not depend on them."""
    if void:
        return settle(told.house, whole)
    cards = list(all_cards(whole))
    copies = int(told.house["decks"]) if told.game.fast_action else 1
    if len(cards) > DECK * copies or _too_many_at_a_place(told, whole):
        return undecided(whole, CONTRADICTED)
    different = set(cards)
    if len(cards) - len(different) >= copies:  # a card may be there once too often
        wrong = frozenset(card for card in different - {UNKNOWN} if cards.count(card) > copies)
        if wrong:
            return _without(told, whole, wrong)
    return settle(told.house, whole)


def _without(told: RoundInPlay, whole: Played, wrong: frozenset[int]) -> Settlement:
    """Settle the round as if nobody had seen these cards: a fold forfeits the ante, whatever the cards."""

    def bare(cards: Cards) -> Cards:
        return tuple([UNKNOWN if card in wrong else card for card in cards])

    seats = tuple(
        with_parts(
            seat, cards=bare(seat.cards), kept=bare(seat.kept), second=bare(seat.second), selected=bare(seat.selected)
        )
        for seat in whole.seats
    )
    unseen = with_parts(
        whole,
        seats=seats,
        dealer=bare(whole.dealer),
        dealer_kept=bare(whole.dealer_kept),
        community=bare(whole.community),
        six_card_box=bare(whole.six_card_box),
    )
    settlement = settle(told.house, unseen)
    for outcomes in settlement.seats.values():
        for wager, outcome in outcomes.items():
            if outcome.basis == UNDECIDABLE:
                outcomes[wager] = undecidable(outcome.clause, [CONTRADICTED])
    return settlement


def _too_many_at_a_place(told: RoundInPlay, whole: Played) -> bool:
    what = whole.irregularity
    if what is None and not told.unrecorded and not told.voided:
        return False  # the count is right, or the round would not count as regular
    if what is not None and what.kind in ("wrong-count", "stub-count"):
        return False
    each, dealer, community = told.game.cards
    return (
        len(whole.dealer) > dealer
        or len(whole.community) > community
        or (not told.game.fast_action and any(len(seat.cards) > each for seat in whole.seats))
    )


def _several_apart(told: RoundInPlay, whole: Played, apart: list[IrregularityCause]) -> Settlement:
    """Settle a round with several void hands (UTH-MA 15(d) s1): return their wagers and play the others."""
    void = {cause.what.of_seat: cause for cause in apart}
    first = apart[0]
    others = tuple(seat for seat in whole.seats if seat.seat not in void or seat.seat == first.what.of_seat)
    rest = with_parts(whole, seats=others, void_hands=len(void) - 1, irregularity=first.what)
    settlement = _settled(told, rest)
    for number, cause in void.items():
        if number != first.what.of_seat and number is not None:
            alone = with_parts(whole, seats=(whole.seat(number),), irregularity=cause.what)
            settlement.seats[number] = _settled(told, alone).seats[number]
    return settlement


def hands_void_without_cause(told: RoundInPlay) -> frozenset[int]:
    """Return the seats whose hands were declared void although nothing on record voids them."""
    declared = {fact.seat for fact in told.of(HandVoided)}
    if not declared:
        return frozenset()
    made = worked_out(told)
    void = {one.seat for _, one in made.causes if isinstance(one, Void | Unruled)}
    lost = {spot.seat for spot in told.seats.values() if spot.choice in ("declare", "short-void")}
    if None in void:
        return frozenset()
    return frozenset(seat for seat in declared - void - lost if not _let_go_unsaid(told, seat))


def _let_go_unsaid(told: RoundInPlay, seat: int) -> bool:
    """Whether an unrecorded declaration or release of a short hand may have voided this hand."""
    if "decision-made" not in told.unrecorded:
        return False
    held = len(told.seats[seat].cards) if seat in told.seats else 0
    return told.game.colorado or (told.game.fast_action and held < told.game.cards[0])


_METERS_TOLD = frozenset({"meter-incremented", "meter-read", "meter-reset"})


def _with_meters(told: RoundInPlay, whole: Played) -> Played:
    """Return the round with the meters as of the first award, which include this round's contributions."""
    if not told.game.has_meters or not told.house.options.get("progressive"):
        return whole
    wagered = any("progressive" in seat.wagers for seat in whole.seats)
    if not wagered and not any(told.of(kind) for kind in (MeterRead, MeterIncremented, MeterReset)):
        return whole
    meters = meters_before(told)
    after, until = _contributed(told), _first_award(told)
    facts: list[MeterRead | MeterIncremented] = [*told.of(MeterRead), *told.of(MeterIncremented)]
    for fact in sorted(facts, key=_PLACE):
        if until is not None and fact.sequence > until:
            break
        if fact.cents is not None and fact.sequence > after:
            meters[fact.meter] = fact.cents
        elif isinstance(fact, MeterIncremented) and fact.meter in meters:
            meters[fact.meter] += fact.by_cents
    unseen = frozenset(resets(told.house)) - meters.keys()
    return with_parts(whole, meters=meters or None, unseen_meters=unseen)


def meters_before(told: RoundInPlay) -> dict[str, int]:
    """Return the meters at the start of the round; they may be old if meter movements are unrecorded."""
    return dict(told.meters) if told.unrecorded.isdisjoint(_METERS_TOLD) else {}


def _first_award(told: RoundInPlay) -> int | None:
    """Return the place in the stream of the first award or meter reset, or None."""
    awards = [paid.sequence for paid in told.of(WagerPaid) if paid.wager == "progressive"]
    return min([*awards, *(reset.sequence for reset in told.of(MeterReset))], default=None)


def _contributed(told: RoundInPlay) -> int:
    """Return the place in the stream of the last wager that went into the meters, if increments are unrecorded."""
    if "meter-incremented" not in told.unrecorded:
        return 0
    placed = (fact for spot in told.seats.values() if (held := spot.wagers.get("progressive")) for fact in held.placed)
    return max((fact.sequence for fact in (*placed, *told.of(ProgressiveCollected))), default=0)
