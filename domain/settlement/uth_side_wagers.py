"""Maryland's side wagers: six card bonus, ultimate pairs, bad beat and play the board."""

from collections.abc import Callable
from functools import cache

from domain.cards import ACE, DIAMONDS, HEARTS, JACK, KING, TEN, UNKNOWN
from domain.games import Game
from domain.hands import six_card, standard
from domain.hands.ranked import refuse_unseen
from domain.rulebooks import House, PayTable
from domain.settlement.outcome import CERTAIN, READING, Outcome, Settlement, lost, paid, ruling, settled
from domain.settlement.played import Cards, PlayedRound, Seat

Settler = Callable[[PayTable, PlayedRound, Seat, Settlement, str], Outcome]

_RED_ACES = frozenset({ACE << 2 | HEARTS, ACE << 2 | DIAMONDS})


def settle(house: House, played: PlayedRound, settlement: Settlement) -> None:
    """Settle these wagers at every seat that has one, if the house offers it."""
    for seat in played.seats:
        outcomes = settlement.seats[seat.seat]
        for wager, settle_one in _settlers(house.game).items():
            if wager in seat.wagers and (table := house.tables.get(wager)) is not None:
                outcomes[wager] = settle_one(table, played, seat, settlement, wager)


@cache
def _settlers(game: Game) -> dict[str, Settler]:
    """Maryland's four, and what settles each wager a house added: the settler of the printed one it is like."""
    return _SETTLERS | {wager: _LIKE[printed] for wager, printed in game.settles_like.items()}


def _on_line(table: PayTable, line: str, seat: Seat, wager: str, basis: str = CERTAIN) -> Outcome:
    odds = table.lines.get(line)
    terms = lost(table.clause, basis) if odds is None else paid(odds, table.clause, basis)
    return settled(terms, seat.wagers[wager], f"seat {seat.seat}'s {wager}")


def six_card_bonus(table: PayTable, played: PlayedRound, seat: Seat, _: Settlement, wager: str) -> Outcome:
    """Return the bonus on the box's four cards and the player's two, folded or not (UTH-MD 11.I(3), 11.I(4))."""
    if not played.six_card_box:
        return ruling("UTH-MD 10.B(1)")  # no box was dealt: no printed text settles the wager
    return _on_line(table, six_card.line((*played.six_card_box, *seat.cards)), seat, wager)


def pair_line(table: PayTable, own: Cards, dealer: Cards) -> str:
    """Return the highest line of an ultimate pairs table that two cards reach; only one line pays."""
    refuse_unseen(own)
    high, low = sorted((card >> 2 for card in own), reverse=True)
    suited = own[0] & 3 == own[1] & 3
    if high == low:
        if high < ACE:
            return "pair_of_jacks_to_kings" if high >= JACK else "pair_of_tens_or_less"
        if "aces_of_hearts_and_diamonds" in table.lines and set(own) == _RED_ACES:
            return "aces_of_hearts_and_diamonds"
        if "player_and_dealer_aces" in table.lines and _both_aces(dealer):
            return "player_and_dealer_aces"
        return "pair_of_aces"
    if high == ACE and low >= JACK:
        name = "ace_king" if low == KING else "ace_queen_or_jack"
        return f"{name}_suited" if suited else name
    return "nothing"


def _both_aces(dealer: Cards) -> bool:
    if any(card != UNKNOWN and card >> 2 != ACE for card in dealer):
        return False
    refuse_unseen(dealer)
    return True


def ultimate_pairs(table: PayTable, played: PlayedRound, seat: Seat, _: Settlement, wager: str) -> Outcome:
    """Return ultimate pairs on the first two cards; one line of table B needs the dealer's two as well."""
    return _on_line(table, pair_line(table, seat.cards, played.dealer), seat, wager)


def bad_beat(table: PayTable, _: PlayedRound, seat: Seat, settlement: Settlement, wager: str) -> Outcome:
    """Return bad beat, paid by the rank of the beaten hand on either side; a tie or a fold beats nobody."""
    own, dealer = settlement.hands[seat.seat], settlement.hands[0]
    if seat.choice == "fold" or own == dealer:
        return _on_line(table, "nobody beaten", seat, wager, READING)
    beaten = standard.CATEGORIES[standard.category(min(own, dealer))]
    return _on_line(table, beaten, seat, wager, READING)


def board_line(community: Cards) -> str:
    """Return the play the board line of five community cards."""
    board = standard.value(community)
    hand = standard.CATEGORIES[standard.category(board)]
    if hand == "pair" and board >> 16 & 15 >= TEN:
        return "pair_of_tens_or_better"
    return hand


def play_the_board(table: PayTable, played: PlayedRound, seat: Seat, _: Settlement, wager: str) -> Outcome:
    """Return play the board, on the five community cards alone."""
    return _on_line(table, board_line(played.community), seat, wager)


def by_the_hand(table: PayTable, _: PlayedRound, seat: Seat, settlement: Settlement, wager: str) -> Outcome:
    """The player's seven cards, as trips is paid."""
    return _on_line(table, standard.CATEGORIES[standard.category(settlement.hands[seat.seat])], seat, wager)


_SETTLERS: dict[str, Settler] = {
    "six_card": six_card_bonus,
    "ultimate_pairs": ultimate_pairs,
    "bad_beat": bad_beat,
    "play_the_board": play_the_board,
}
_LIKE = {**_SETTLERS, "trips": by_the_hand}
