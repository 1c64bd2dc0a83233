"""A round as settlement needs it: what was wagered, dealt and decided, with gaps where something was unseen."""

from operator import attrgetter

from domain.cards import UNKNOWN
from domain.facts.deal import CardDealt, StackDelivered
from domain.facts.decisions import NaturalConfirmed
from domain.settlement.played import Irregularity, Seat
from domain.settlement.played import PlayedRound as Played
from domain.table.round import RoundInPlay
from domain.table.spots import BOX_CARDS, Spot, Wagered

_RIDES_ON = {"play": "play", "play3": "play3", "play5": "play5", "split": "split", "bet": "play"}
_NO_COUPONS: dict[str, int] = {}
_TWO_UNSEEN = (UNKNOWN, UNKNOWN)
ONE_UNSEEN = 60  # the most ways to try unseen cards when days are replayed: enough for one card, of any number of decks
_CARD_FACTS = frozenset({"card-dealt", "stack-delivered"})


def played(told: RoundInPlay, irregularity: Irregularity | None = None) -> Played:
    """Return the round for settlement. An unseen required wager has no amount."""
    each, dealer, community = told.game.cards
    unread = not told.unrecorded.isdisjoint(_CARD_FACTS)
    at_least = each if unread else 0
    return Played(
        book=told.book,
        seats=tuple([_seat(told, spot, at_least) for spot in in_play(told)]),
        dealer=_cards(told.dealer, dealer if unread else 0),
        community=_cards(told.community, community if unread else 0),
        six_card_box=_cards(told.box, BOX_CARDS if unread and told.box.dealt else 0),
        dealer_kept=told.dealer.kept,
        irregularity=irregularity,
        meters=told.meters or None,
        most_ways=ONE_UNSEEN,
    )


def all_read(told: RoundInPlay) -> bool:
    """Return whether every card was read at the deal, singly or in its stack."""
    if not told.unrecorded.isdisjoint(_CARD_FACTS):
        return False
    single = all(fact.card != "??" for fact in told.of(CardDealt))
    return single and all(fact.cards and "??" not in fact.cards for fact in told.of(StackDelivered))


def in_play(told: RoundInPlay) -> list[Spot]:
    """Return the seats that take part: those with a wager on the table, seen or not.

    If the required wagers are unseen, every seat with a hand takes part.
    """
    found = []
    for spot in told.wagering:
        for wagered in spot.wagers.values():
            if wagered.placed or lay(told, wagered):
                found.append(spot)
                break
    if required_unseen(told):
        each = told.game.cards[0]
        known = {spot.seat for spot in found}
        found += [spot for spot in told.seats.values() if len(spot.cards) == each and spot.seat not in known]
        found.sort(key=attrgetter("seat"))
    return found


def required_unseen(told: RoundInPlay) -> bool:
    """Return whether no sensor sees one of the wagers the game requires."""
    return "wager-placed" in told.unrecorded or not told.unseen_wagers.isdisjoint(told.game.required)


def lay(told: RoundInPlay, wagered: Wagered) -> bool:
    """Return whether this wager was on the table: it was placed, or it was settled and no sensor covers it."""
    return bool(wagered.placed) or wagered.wager in told.unseen_wagers or "wager-placed" in told.unrecorded


def _seat(told: RoundInPlay, spot: Spot, at_least: int) -> Seat:
    book, game = told.house.book, told.house.game
    wagers: dict[str, int | None] = dict.fromkeys(game.required)
    coupons = _NO_COUPONS
    for name, wagered in spot.wagers.items():
        if (wagered.placed or lay(told, wagered)) and name in book.wagers and name != "envy":
            wagers[name] = wagered.staked
            if wagered.coupon_cents:
                coupons = {**coupons, name: wagered.coupon_cents}
    choice, kept, second = spot.choice, spot.kept, spot.second
    if choice not in game.choices:
        choice = _chosen(told, spot)
    if choice in game.keeps:
        kept = _two(spot, kept)
        second = _two(spot, second) if choice == "split" else second
    cards = _cards(spot, at_least)
    return Seat(spot.seat, wagers, cards, choice, kept, second, spot.selected, spot.player, coupons, spot.left)


def _chosen(told: RoundInPlay, spot: Spot) -> str:
    """Return an unrecorded decision, inferred from a wager that depends on one or from two kept cards."""
    rides = {_RIDES_ON[name] for name, held in spot.wagers.items() if name in _RIDES_ON and lay(told, held)}
    rides &= told.game.choices
    if rides and any(fact.seat == spot.seat and fact.confirmed for fact in told.of(NaturalConfirmed)):
        return ""  # a declared hand is not also played
    if len(rides) == 1:
        return rides.pop()
    if rides or not spot.kept:
        return ""
    return told.game.keeping_says


def _two(spot: Spot, kept: tuple[int, ...]) -> tuple[int, ...]:
    """Return the two kept cards, or two unseen ones if they are not two cards of this hand."""
    whole = len(kept) == 2 and all(card == UNKNOWN or card in spot.cards for card in kept)
    return kept if whole or (len(kept) == 2 and UNKNOWN in spot.cards) else _TWO_UNSEEN


def _cards(spot: Spot, at_least: int) -> tuple[int, ...]:
    """Return the cards there; if the deal is unrecorded, fill up with unknown cards to the number the game deals."""
    missing = at_least - len(spot.cards)
    return (*spot.cards, *(UNKNOWN,) * missing) if missing > 0 else tuple(spot.cards)
