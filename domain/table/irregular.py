"""The irregularities of a round, in settlement's terms, each with the fact that shows it.

Wrong counts come from the deal itself where the table records it; everything else comes from the dealer's and
supervisors' statements. The movements of money show what had been settled when the hands became void.
"""

from collections.abc import Collection, Iterable, Iterator

import msgspec

from domain.facts.deal import (
    CardDealt,
    CardDrawnInError,
    CardExposed,
    CardFoundFaceUp,
    StackDelivered,
)
from domain.facts.decisions import DecisionMade, HandRevealed
from domain.facts.devices import DeviceFailed
from domain.facts.envelope import Fact
from domain.facts.payments import (
    HandVoided,
    MisdealDetermined,
    RoundVoided,
    RulingGiven,
    StubCounted,
    WagerReturned,
)
from domain.facts.shuffles import ShoeRanOut
from domain.settlement.played import FaceUpCard, Irregularity
from domain.table.counts import cards_before, deal_is_told, hands_complete, miscounts, right_counts, taking_part
from domain.table.played import in_play
from domain.table.round import RoundInPlay
from domain.table.spots import CODE, Spot
from domain.table.stubs import stub

_AT_ONCE = 2  # facts after a card drawn in error: it is set aside, and recorded as the dealer's
NEVER = 1 << 62  # a sequence after every real one

# Without one of these, only the count of a hand or of the stub can be wrong.
SIGNS = frozenset(
    {CardExposed, CardFoundFaceUp, CardDrawnInError, DeviceFailed}
    | {MisdealDetermined, ShoeRanOut, RoundVoided, HandVoided}
)
_BREAKS_OFF = frozenset({CardExposed, CardFoundFaceUp, CardDrawnInError, DeviceFailed, ShoeRanOut})
_FINAL = frozenset({"fold", "play", "play3", "play5"})
_FOLDED = ("ante", "blind")  # a fold at hold'em loses these; a void round returns them like any open wager
_STOPS = frozenset({"jammed", "stopped", "incomplete"})


class IrregularityCause(msgspec.Struct, frozen=True, gc=False):
    """One irregularity, and the fact that shows it."""

    what: Irregularity
    shown_by: Fact


def nothing_wrong(told: RoundInPlay) -> bool:
    """Return whether the record shows no sign of an irregularity; so it is with almost every round."""
    if not SIGNS.isdisjoint(told.told) or not right_counts(told) or _revealed_early(told):
        return False
    return StubCounted not in told.told or not any(_stub(told))


def may_be_void(told: RoundInPlay) -> bool:
    """Return whether all hands may be void without a declaration: something went wrong, or every wager was returned."""
    if "round-voided" not in told.unrecorded:
        return False
    if not nothing_wrong(told):
        return True
    required = told.game.required
    wagers = [wagered for spot in told.wagering for wagered in spot.wagers.values() if wagered.wager in required]
    return all(isinstance(move, WagerReturned) for wagered in wagers for move in wagered.moves)


def causes(told: RoundInPlay) -> tuple[IrregularityCause, ...]:
    """Return everything that went wrong, in the order of the stream."""
    found = [
        *_face_up(told),
        *_exposed(told),
        *_drawn(told),
        *_counts(told),
        *_stub(told),
        *_failed(told),
        *_ran_out(told),
    ]
    return tuple(sorted(found, key=lambda cause: cause.shown_by.sequence))


def _cause(told: RoundInPlay, kind: str, fact: Fact, **parts: object) -> IrregularityCause:
    """Return the cause with its time and the wagers settled by then."""
    by = void_from(told, fact)
    settled = settled_by(told, by)
    stage = parts.pop("stage", None) or _stage(told, fact, settled)
    what = Irregularity(kind, stage=str(stage), settled=settled, has_ruling=True, **parts)  # type: ignore[arg-type]
    return IrregularityCause(what, fact)


def void_from(told: RoundInPlay, fact: Fact) -> int:
    """Return the sequence from which the hands are void: that of the declaration, or else of the fault."""
    declared = told.of(RoundVoided)
    if declared:
        return declared[0].sequence
    return fact.sequence


def settled_by(told: RoundInPlay, by: int) -> dict[int, tuple[str, ...]]:
    """Return the wagers of each seat settled by then, without stakes lost by a fold at hold'em."""
    settled: dict[int, tuple[str, ...]] = {}
    holdem = told.game.holdem
    for spot in told.wagering:
        held = [
            wagered.wager
            for wagered in spot.wagers.values()
            if any(move.sequence < by for move in wagered.moves)
            and not (holdem and spot.choice == "fold" and wagered.wager in _FOLDED)
        ]
        if held:
            settled[spot.seat] = tuple(held)
    return settled


def _stage(told: RoundInPlay, fact: Fact, settled: dict[int, tuple[str, ...]]) -> str:
    if settled and all(_all_settled(told, spot, settled.get(spot.seat, ())) for spot in in_play(told)):
        return "after-settlement"
    if not any(each.sequence < fact.sequence for kind in (CardDealt, StackDelivered) for each in told.of(kind)):
        return "before-deal"
    if any(shown.seat is None and shown.sequence < fact.sequence for shown in told.of(HandRevealed)):
        return "reveal"
    acted = any(made.sequence < fact.sequence for made in told.of(DecisionMade))
    return "decision" if acted or settled else "dealing"


def _all_settled(told: RoundInPlay, spot: Spot, settled: Collection[str]) -> bool:
    """Return whether all wagers of this seat were settled, apart from stakes lost by a fold."""
    gone = _FOLDED if told.game.holdem and spot.choice == "fold" else ()
    return spot.wagers.keys() <= {*settled, *gone}


def _face_up(told: RoundInPlay) -> Iterator[IrregularityCause]:
    facts = told.of(CardFoundFaceUp)
    if not facts:
        return
    seen = deal_is_told(told)
    found = tuple(
        FaceUpCard(
            CODE[fact.card],
            cards_before(told, fact) if seen else None,
            ("after-initial" if hands_complete(told, fact) else "before-initial") if seen else "",
        )
        for fact in facts
    )
    shown_by = facts[1] if len(facts) > 1 else facts[0]
    # A card that turns up is found during the deal, whatever was settled meanwhile.
    by = settled_by(told, void_from(told, shown_by))
    yield IrregularityCause(Irregularity("card-face-up", found=found, settled=by, has_ruling=True), shown_by)


def _exposed(told: RoundInPlay) -> Iterator[IrregularityCause]:
    for fact in told.of(CardExposed):
        of = {"seat": f"seat:{fact.seat}" if fact.seat else "", "box": "six-card-box"}.get(fact.of, str(fact.of))
        cards = (CODE[fact.card],)
        yield _cause(told, "card-exposed", fact, of=of, cards=cards, pending_seats=_pending(told, fact))
    if not told.game.dealers_cards_down:
        return
    for dealt in told.of(CardDealt):
        if dealt.to == "dealer" and dealt.face_up:
            yield _cause(told, "card-exposed", dealt, of="dealer", pending_seats=_pending(told, dealt))
    early = _revealed_early(told)
    if early is not None:
        yield _cause(told, "card-exposed", early, of="dealer", stage="decision", pending_seats=_pending(told, early))


def _revealed_early(told: RoundInPlay) -> HandRevealed | None:
    """Return the reveal of the dealer's cards if a player decided only afterwards."""
    if not told.game.dealers_cards_down:
        return None
    shown = next((fact for fact in told.of(HandRevealed) if fact.seat is None), None)
    made = told.of(DecisionMade)
    return shown if shown is not None and made and made[-1].sequence > shown.sequence and _decides(made[-1]) else None


def _decides(made: DecisionMade) -> bool:
    return made.decision in _FINAL


def _pending(told: RoundInPlay, fact: Fact) -> tuple[int, ...]:
    """Return the seats that had not folded or played when this happened."""
    decided = {made.seat for made in told.of(DecisionMade) if _decides(made) and made.sequence < fact.sequence}
    void = {hand.seat for hand in told.of(HandVoided) if hand.sequence < fact.sequence}
    begun = told.dealing and DecisionMade in told.told  # before that, everyone with a wager is still to be dealt to
    waiting = {spot.seat: spot for spot in (*in_play(told), *taking_part(told))}
    return tuple(
        seat for seat, spot in sorted(waiting.items()) if seat not in decided | void and (spot.dealt or not begun)
    )


def _drawn(told: RoundInPlay) -> Iterator[IrregularityCause]:
    for fact in told.of(CardDrawnInError):
        yield _cause(
            told,
            "card-drawn-in-error",
            fact,
            card=CODE[fact.card],
            exposed=fact.exposed,
            used_as=_used_as(told, fact),
            pending_seats=_pending(told, fact),
        )


def _used_as(told: RoundInPlay, drawn: CardDrawnInError) -> str:
    """Return the place the drawn card went to, which was next to be dealt to; empty if not on record."""
    if drawn.card == "??":
        seen = told.of(CardExposed)
        at_once = [fact.of for fact in seen if fact.card == "??" and 0 < fact.sequence - drawn.sequence <= _AT_ONCE]
        return at_once[0] if at_once else ""
    later: Iterable[CardDealt | CardExposed] = (*told.of(CardDealt), *told.of(CardExposed))
    for fact in later:
        if fact.card == drawn.card and fact.sequence > drawn.sequence:
            return fact.to if isinstance(fact, CardDealt) else fact.of
    return ""


def _counts(told: RoundInPlay) -> Iterator[IrregularityCause]:
    if not deal_is_told(told):
        return
    # A dealer who can complete the hand continues; so if the round was called off, the missing card was face up.
    missing_up = told.voided or bool(told.community.dealt)
    broken_off = told.voided and not _BREAKS_OFF.isdisjoint(told.told)
    for of, held, fact in miscounts(told, broken_off=broken_off):
        if told.game.fast_action and of.startswith("seat:"):
            continue  # a short or long hand has its own rules, and settles by what was done with it
        found = _discovered(told, fact)
        by = settled_by(told, found)
        what = Irregularity(
            "wrong-count",
            of=of,
            dealt=held,
            stage=_stage(told, fact, by),
            missing_card_face_up=missing_up,
            settled=by,
            has_ruling=True,
        )
        yield IrregularityCause(what, fact)


def _discovered(told: RoundInPlay, fact: Fact) -> int:
    """Return where a miscounted hand was noticed: where declared void or found misdealt; if never, at the end."""
    signs = [each.sequence for kind in (RoundVoided, HandVoided, MisdealDetermined) for each in told.of(kind)]
    return min((sign for sign in signs if sign > fact.sequence), default=NEVER)


def _stub(told: RoundInPlay) -> Iterator[IrregularityCause]:
    """Yield a stub counted wrong: misdealt if a place got a wrong number of cards, or if the dealer determined so."""
    found = stub(told)
    if found is None or (not found.wrong and found.determined is None):
        return
    determined = found.determined
    misdealt = found.misdealt if determined is None else determined.misdealt
    finding = "misdealt" if misdealt else "not-misdealt"
    of = determined.of if determined is not None else ""
    yield _cause(told, "stub-count", found.counted, finding=finding, of=of)


def _failed(told: RoundInPlay) -> Iterator[IrregularityCause]:
    """Yield a dealing shoe or shuffler that stopped; other failures do not affect the hands."""
    if told.game.fast_action:
        return
    for fact in told.of(DeviceFailed):
        if fact.fault not in _STOPS and not (fact.fault == "other" and told.voided):
            continue
        if fact.kind == "shoe" and told.method == "automated-shoe":
            yield _cause(told, "jam", fact, device="shoe")
        elif fact.kind == "shuffler":
            idle = bool(fact.deck) and fact.deck != told.deck
            yield _cause(told, "jam", fact, device="shuffler", deck="idle" if idle else "playing")


def _ran_out(told: RoundInPlay) -> Iterator[IrregularityCause]:
    """Yield a shoe that ran out while cards were still due."""
    for fact in told.of(ShoeRanOut):
        if told.game.fast_action and (told.voided or not right_counts(told)):
            yield _cause(told, "insufficient-cards", fact)


def rulings(told: RoundInPlay, spot: Spot | None = None, wager: str = "") -> list[RulingGiven]:
    """Return the supervisors' rulings on this round, or on this wager of a seat."""
    given = told.of(RulingGiven)
    if spot is None:
        return list(given)
    return [each for each in given if each.seat in (None, spot.seat) and each.wager in (None, wager)]
