"""A told round as settlement wants it: what was wagered, dealt and decided, with holes where nobody saw."""

from domain.cards import UNKNOWN
from domain.settlement.played import Irregularity, Seat
from domain.settlement.played import Round as Played
from domain.table.round import Round
from domain.table.spots import Spot, Wagered

REQUIRED: dict[str, tuple[str, ...]] = {
    "UTH-MA": ("ante", "blind"),
    "UTH-MD": ("ante", "blind"),
    "PIK": ("ante", "bonus5"),
    "FAH": ("original",),
    "COL": ("ante",),
}
# How many cards a seat, the dealer and the community area are dealt.
CARDS: dict[str, tuple[int, int, int]] = {
    "UTH-MA": (2, 2, 5),
    "UTH-MD": (2, 2, 5),
    "PIK": (5, 5, 0),
    "FAH": (4, 4, 5),
    "COL": (3, 0, 3),
}
BOX_CARDS = 4
_CARD_FACTS = frozenset({"card-dealt", "stack-delivered"})


def played(told: Round, irregularity: Irregularity | None = None) -> Played:
    """The round for settlement. A required wager nobody saw is there without an amount."""
    each, dealer, community = CARDS[told.book]
    unread = bool(told.unrecorded & _CARD_FACTS)
    return Played(
        book=told.book,
        seats=tuple(_seat(told, spot, each if unread else 0) for spot in in_play(told)),
        dealer=_cards(told.dealer, dealer if unread else 0),
        community=_cards(told.community, community if unread else 0),
        six_card_box=_cards(told.box, BOX_CARDS if unread and told.box.dealt else 0),
        dealer_kept=told.dealer.kept,
        irregularity=irregularity,
        meters=told.meters or None,
    )


def in_play(told: Round) -> list[Spot]:
    """The seats that take part: those with a wager that lay there, seen or not."""
    return [spot for spot in told.wagering if any(lay(told, wagered) for wagered in spot.wagers.values())]


def lay(told: Round, wagered: Wagered) -> bool:
    """Whether this wager lay on the table: it was placed, or no sensor covers it and it was settled."""
    return bool(wagered.placed) or wagered.wager in told.unseen_wagers or "wager-placed" in told.unrecorded


def _seat(told: Round, spot: Spot, at_least: int) -> Seat:
    known = told.house.book.wagers
    wagers: dict[str, int | None] = dict.fromkeys(REQUIRED[told.book])
    coupons = {}
    for name, wagered in spot.wagers.items():
        if name in known and name != "envy" and lay(told, wagered):
            wagers[name] = wagered.staked
            if wagered.coupon_cents:
                coupons[name] = wagered.coupon_cents
    return Seat(
        seat=spot.seat,
        wagers=wagers,
        cards=_cards(spot, at_least),
        choice=spot.choice,
        kept=spot.kept,
        second=spot.second,
        selected=spot.selected,
        player=spot.player,
        coupons=coupons,
        left=spot.left,
    )


def _cards(spot: Spot, at_least: int) -> tuple[int, ...]:
    """The cards there; where nobody records the deal, as many unknown ones as the game deals."""
    missing = at_least - len(spot.cards)
    return (*spot.cards, *(UNKNOWN,) * missing) if missing > 0 else tuple(spot.cards)
