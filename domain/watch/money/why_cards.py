"""The reason for each payment on a wager of Pik-it, Fast Action or Colorado."""

from domain.cards import UNKNOWN
from domain.hands import multideck, standard, three_card
from domain.hands.ranked import told_apart
from domain.settlement import announce, pikit
from domain.settlement.colorado import instant_winner
from domain.settlement.fast_action import is_natural
from domain.settlement.outcome import Outcome
from domain.settlement.played import Seat
from domain.table.round import RoundInPlay
from domain.watch.money.words import SEEN
from domain.watch.owed import Owed

Explained = tuple[tuple[str, ...], str]


def pik_it(told: RoundInPlay, made: Owed, seat: Seat, wager: str, outcome: Outcome) -> Explained:
    """Explain a bonus on the player's own cards, or the comparison with the dealer."""
    house = told.house
    if wager in ("bonus5", "bonus3"):
        folded = ("fold",) if seat.choice == "fold" and outcome.returned else ()
        return (wager, f"{wager} {house[f'{wager}_table']}", *folded), _bonus_hand(told, seat, wager)
    if seat.choice == "fold" or (not seat.choice and seat.left):
        return ("fold",), "the player folded" if seat.choice else "the player left without a decision"
    dealer = made.played.dealer
    if seat.choice not in ("play3", "play5") or UNKNOWN in (*seat.cards, *dealer):
        return ("compared",), SEEN
    three = seat.choice == "play3"
    ranker = three_card if three else standard
    own, other = ranker.value(seat.cards), ranker.value(dealer)
    names = told_apart(ranker.CATEGORIES, own, other)
    qualified = pikit.qualifies(house, dealer)
    keys = _compared_keys(house["settlement_procedure"], own, other, outcome)
    how = "lower than" if own < other else "higher than" if own > other else "equal to"
    because = f"the player's {names[0]} is {how} the dealer's {names[1]}"
    if qualified:
        return keys, because
    because += ", which does not qualify"
    if three:
        return ("no qualify, play3", *keys), because
    if wager == "ante":
        return ("no qualify, ante", *keys), because
    return ("no qualify, play5",), because


def _compared_keys(procedure: int, own: int, other: int, outcome: Outcome) -> tuple[str, ...]:
    if own == other:
        return ("tie",)
    won = own > other
    return ("compared", f"{'won' if won else 'lost'} by procedure {procedure}") if outcome.returned is not None else ()


def _bonus_hand(told: RoundInPlay, seat: Seat, wager: str) -> str:
    cards = seat.cards if wager == "bonus5" else seat.selected
    if not cards or UNKNOWN in cards or len(cards) != (5 if wager == "bonus5" else 3):
        return SEEN
    if wager == "bonus5":
        return f"the player's five cards make {announce(told.house, standard.value(cards))}"
    return f"the three selected cards make {announce(told.house, three_card.of_three(cards), three_cards=True)}"


def fast_action(told: RoundInPlay, made: Owed, seat: Seat, wager: str, _: Outcome) -> Explained:
    """Explain a natural, a surrender, the dealer's natural, or two cards kept against the dealer's two."""
    if seat.choice == "natural":
        return ("natural",), "the player holds a natural"
    if seat.choice == "surrender":
        return ("surrender",), "a player who discontinues gives up half of the wager"
    dealer = made.played.dealer
    if UNKNOWN not in dealer and len(dealer) == 4 and is_natural(dealer):
        if wager == "split":
            return ("dealer's natural, split",), "the dealer's natural takes only the original wager"
        return ("dealer's natural",), "the dealer holds a natural"
    own, other = _two_card_value(made, seat, wager), made.settlement.hands.get(0)
    if own is None or other is None:
        return (), SEEN
    names = told_apart(multideck.CATEGORIES, own, other)
    if own == other:
        return ("copy",), f"the player's {names[0]} is a copy of the dealer's hand"
    if own < other:
        return ("lost at showdown",), f"the player's {names[0]} is lower than the dealer's {names[1]}"
    return ("won at showdown",), f"the player's {names[0]} is higher than the dealer's {names[1]}"


def _two_card_value(made: Owed, seat: Seat, wager: str) -> int | None:
    if wager != "split":
        return made.settlement.hands.get(seat.seat)
    cards = (*seat.second, *made.played.community)
    return None if UNKNOWN in cards or len(cards) != 7 else multideck.value(cards)


def colorado(told: RoundInPlay, made: Owed, seat: Seat, wager: str, outcome: Outcome) -> Explained:
    """Explain a fold, a declared hand, or the pay table."""
    keys: tuple[str, ...]
    version = told.house["version"]
    if seat.choice == "fold" or (seat.left and not seat.choice):
        keys = ("fold",) if version == "required" else ()  # the other version has no fold
        return keys, "the player folded" if seat.choice else "the player left without a decision"
    if seat.choice == "declare":
        return _declared(told, seat, wager, version)
    own = made.settlement.hands.get(seat.seat)
    name = f"the player's hand is {announce(told.house, own)}" if own is not None else SEEN
    stake = seat.wagers.get(wager)
    table = f"{'bonus' if wager == 'bonus' else 'main'} {version}"
    if outcome.returned == 0:
        keys = (table,) if wager == "bonus" else (f"loses {version}", table)
    elif outcome.returned == stake:
        keys = ("pushes", table) if wager == "bonus" else ("pushes", f"pushes {version}", table)
    elif wager == "bonus":
        keys = ("bonus won", f"bonus won {version}", table)
    else:
        keys = (f"wins {version}", table)
    return keys, name


def _declared(told: RoundInPlay, seat: Seat, wager: str, version: str) -> Explained:
    cards = seat.cards
    if UNKNOWN in cards or len(cards) != 3:
        return (f"declared {version}",), "an instant winner was declared"
    if not instant_winner(cards, ace_low=told.house["instant_winner_ace_low"]):
        return ("declared in error",), "the declared cards are not an instant winner"
    if wager == "bonus":
        return ("bonus won", f"bonus won {version}", f"bonus {version}"), "an instant winner was declared"
    if wager == "bet":
        return ("pushes",), "an instant winner allows no bet"
    return (f"declared {version}", f"wins {version}", f"main {version}"), "an instant winner was declared"
