"""The number of cards each place got, compared with what the game deals to it."""

from collections.abc import Iterator

from domain.facts.deal import CardDealt, StackDelivered
from domain.facts.decisions import CardsSelected, DecisionAsked, DecisionMade, HandRevealed, HandSet
from domain.facts.devices import DeviceFailed
from domain.facts.envelope import Fact
from domain.facts.payments import RoundVoided, StubDiscarded, StubRemoved
from domain.table.played import in_play, required_unseen
from domain.table.round import RoundInPlay
from domain.table.spots import BOX_CARDS, Spot

DECK = 52
_DEAL = frozenset({"card-dealt", "stack-delivered"})
_ACTS: tuple[type[Fact], ...] = (DecisionAsked, DecisionMade, CardsSelected, HandSet, HandRevealed)
# Games in which the stub is put aside once the hands are dealt, and not before.
_STUB_ASIDE: tuple[type[Fact], ...] = (StubRemoved, StubDiscarded)
_BOARD = (0, 3, 5)  # possible numbers of community cards at hold'em between deals

Miscount = tuple[str, int, Fact]  # place ("seat:3", "dealer", "community", "six-card-box"), count, fact that shows it


def deal_is_told(told: RoundInPlay) -> bool:
    """Return whether every dealt card is on record, seen or not."""
    failed = any(fact.kind == "table-reader" for fact in told.of(DeviceFailed))
    return not failed and told.unrecorded.isdisjoint(_DEAL)


def right_counts(told: RoundInPlay) -> bool:
    """Return whether every place dealt to has the number of cards the game deals; so it is with most rounds."""
    each, dealer, community = told.game.cards
    if len(told.dealer.cards) != dealer or len(told.community.cards) != community:
        return False
    if told.box.dealt and len(told.box.cards) != BOX_CARDS:
        return False
    for spot in told.seats.values():  # noqa: SIM110 - for every round, and twice as fast as a generator
        if len(spot.cards) != each and spot.wagers:
            return False
    return True


def miscounts(told: RoundInPlay, *, broken_off: bool = False) -> Iterator[Miscount]:
    """Yield every place with a wrong number of cards; a missing card counts only if the round continued after the deal.

    If something else interrupted the deal, a dealer without a last card had not been served yet.
    """
    each, dealer, community = told.game.cards
    hands = taking_part(told)
    went_on = _went_on(told)
    for spot in hands:
        if len(spot.cards) > each or (len(spot.cards) < each and (went_on or _passed_over(told, spot, hands))):
            yield f"seat:{spot.seat}", len(spot.cards), _shows(spot, each)
    held = len(told.dealer.cards)
    if told.dealer.dealt and held != dealer:
        others_full = all(len(spot.cards) >= each for spot in hands)
        if held > dealer or went_on or (others_full and not broken_off):
            yield "dealer", held, _shows(told.dealer, dealer)
    if told.community.dealt and _board_wrong(told, community):
        yield "community", len(told.community.cards), _shows(told.community, community)
    if told.box.dealt and len(told.box.cards) != BOX_CARDS:
        yield "six-card-box", len(told.box.cards), _shows(told.box, BOX_CARDS)


def taking_part(told: RoundInPlay) -> list[Spot]:
    """Return the seats with cards that take part; if required wagers are unseen, every seat with cards."""
    if required_unseen(told):
        return [told.seats[number] for number in sorted(told.seats) if told.seats[number].dealt]
    return [spot for spot in in_play(told) if spot.dealt]


def _went_on(told: RoundInPlay) -> bool:
    """Return whether the round continued after the hands were dealt, so that a missing card was forgotten."""
    declared = told.of(RoundVoided)
    void = declared[0].sequence if declared else None
    acts = [held[0] for kind in (*_ACTS, *(_STUB_ASIDE if told.game.stub_aside else ())) if (held := told.of(kind))]
    return any(void is None or act.sequence < void for act in acts)


def _passed_over(told: RoundInPlay, spot: Spot, hands: list[Spot]) -> bool:
    """Return whether this seat was passed over, though no one has acted yet."""
    if any(isinstance(fact, StackDelivered) for fact in spot.dealt):
        return True
    if told.game.serves_board_in_turn and len(told.community.cards) > len(spot.cards):
        return True  # a community card follows each pass
    most = max((len(other.cards) for other in (*hands, told.dealer)), default=0)
    return len(spot.cards) < most - 1 or len(told.dealer.cards) >= told.game.cards[1] > 0


def _board_wrong(told: RoundInPlay, due: int) -> bool:
    held = len(told.community.cards)
    if held >= due or (told.over and not told.voided):
        return held != due
    if told.game.serves_board_in_turn:
        # The community cards are dealt before the stub is put aside and before anyone decides.
        return _went_on(told) or (told.voided and "stub-discarded" in told.unrecorded)
    return told.game.holdem and held not in _BOARD


def _shows(spot: Spot, due: int) -> Fact:
    """Return the fact of the extra card, or of the last card dealt."""
    singles = all(isinstance(fact, CardDealt) for fact in spot.dealt)
    return spot.dealt[due] if singles and len(spot.dealt) > due else spot.dealt[-1]


def cards_before(told: RoundInPlay, fact: Fact) -> int:
    """Return how many cards had been dealt to places when this happened."""
    dealt = sum(each.sequence < fact.sequence for each in told.of(CardDealt))
    stacks = (each for each in told.of(StackDelivered) if each.sequence < fact.sequence)
    return dealt + sum(each.size or len(each.cards) for each in stacks)


def hands_complete(told: RoundInPlay, fact: Fact) -> bool:
    """Return whether each player and the dealer had complete hands when this happened."""
    each, dealer, _ = told.game.cards
    spots = [(spot, each) for spot in in_play(told)]
    return all(_had(spot, fact) >= due for spot, due in [*spots, (told.dealer, dealer)])


def _had(spot: Spot, fact: Fact) -> int:
    return sum(
        (dealt.size or len(dealt.cards)) if isinstance(dealt, StackDelivered) else 1
        for dealt in spot.dealt
        if dealt.sequence < fact.sequence
    )
