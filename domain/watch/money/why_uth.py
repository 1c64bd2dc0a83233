"""The reason for each payment on a wager of Ultimate Texas Hold'em."""

from domain.cards import UNKNOWN
from domain.hands import six_card, standard
from domain.hands.ranked import told_apart
from domain.settlement import announce
from domain.settlement.outcome import Outcome
from domain.settlement.played import Seat
from domain.settlement.uth import CLAUSES
from domain.settlement.uth_progressive import holds_envy_hand, progressive_hand
from domain.settlement.uth_side_wagers import pair_line
from domain.spoken import plain
from domain.table.round import RoundInPlay
from domain.watch.money.words import SEEN
from domain.watch.owed import Owed

Explained = tuple[tuple[str, ...], str]


_MAIN = ("ante", "blind", "play")
_PAIR = standard.CATEGORIES.index("pair")
# The option that selects each wager's pay table.
TABLES = {
    "trips": "trips_table",
    "blind": "blind_table",
    "six_card": "six_card_table",
    "ultimate_pairs": "ultimate_pairs_table",
    "bad_beat": "bad_beat_table",
    "play_the_board": "play_board_table",
    "progressive": "progressive.table",
}


def explain(told: RoundInPlay, made: Owed, seat: Seat, wager: str, outcome: Outcome) -> Explained:
    """Return the situation of one wager in a round that is not void."""
    if outcome.clause == CLAUSES[told.game.text]["left"]:
        return ("left",), "its player left the round"
    if wager in _MAIN:
        return _main(told, made, seat, wager)
    if wager == "envy":
        return _envy(told, made, seat)
    keys = [wager]
    letter = told.house.options.get(TABLES.get(wager, ""))
    if letter is not None:
        keys.append(f"{wager} {letter}")
    if wager == "cover_all":
        hands = len(made.played.seats) + 1 + made.played.void_hands
        keys.append(f"cover_all {hands}")
        return tuple(keys), f"{_highest(told, made)} is the highest of {hands} hands"
    if outcome.returned:
        keys.append(f"{wager} won")
    if wager == "progressive" and _metered(told, made, seat):
        keys.append("progressive meter")
    return tuple(keys), _own(told, made, seat, wager)


def _main(told: RoundInPlay, made: Owed, seat: Seat, wager: str) -> Explained:
    """Explain ante, blind and play against the dealer."""
    if seat.choice == "fold":
        return ("fold",), "the player folded"
    hands = made.settlement.hands
    own, dealer = hands.get(seat.seat), hands.get(0)
    keys = [f"blind {told.house.options.get('blind_table', '')}", "blind"] if wager == "blind" else []
    if dealer is not None and wager == "ante" and dealer >> 20 < _PAIR:
        return ("dealer below a pair",), f"the dealer's {announce(told.house, dealer)} is below a pair"
    if own is None or dealer is None:
        return tuple(keys), SEEN
    called = told_apart(standard.CATEGORIES, own, dealer)
    names = f"the player's {called[0]}", f"the dealer's {called[1]}"
    if own == dealer:
        return ("equal", *keys), f"{names[0]} and {names[1]} are equal"
    if own < dealer:
        return ("lower", *keys), f"{names[0]} is lower than {names[1]}"
    because = f"{names[0]} is higher than {names[1]}"
    if wager != "blind":
        return ("higher", "even money"), because
    table = told.house.table("blind")
    if table is not None and not table.lines[standard.CATEGORIES[own >> 20]].wins:
        return ("blind below its table", *keys), f"{because} and below the blind's pay table"
    return ("higher", *keys), because


def _own(told: RoundInPlay, made: Owed, seat: Seat, wager: str) -> str:
    if (like := told.game.like(wager)) in _OWN_CARDS:
        return _OWN_CARDS[like](told, made, seat, wager)
    own, dealer = made.settlement.hands.get(seat.seat), made.settlement.hands.get(0)
    if own is None:
        return SEEN
    if wager == "bad_beat" and dealer is not None:
        names = announce(told.house, own), announce(told.house, dealer)
        folded = ", and folded" if seat.choice == "fold" else ""
        return f"the player had {names[0]} and the dealer {names[1]}{folded}"
    return f"the player's hand is {announce(told.house, own)}"


def _two_cards(told: RoundInPlay, made: Owed, seat: Seat, wager: str) -> str:
    table = told.house.tables.get(wager)
    if table is None or UNKNOWN in seat.cards:
        return SEEN
    return f"the player's two cards make {plain(pair_line(table, seat.cards, made.played.dealer))}"


def _six_cards(_: RoundInPlay, made: Owed, seat: Seat, __: str) -> str:
    six = (*made.played.six_card_box, *seat.cards)
    return SEEN if UNKNOWN in six or len(six) != 6 else f"the six cards make {six_card.best(six).name}"


def _board(told: RoundInPlay, made: Owed, _: Seat, __: str) -> str:
    board = made.played.community
    if UNKNOWN in board or len(board) != 5:
        return SEEN
    return f"the five community cards make {announce(told.house, standard.value(board))}"


_OWN_CARDS = {"ultimate_pairs": _two_cards, "six_card": _six_cards, "play_the_board": _board}


def _highest(told: RoundInPlay, made: Owed) -> str:
    hands = made.settlement.hands
    return announce(told.house, max(hands.values())) if hands else "the hand on record"


def _metered(told: RoundInPlay, made: Owed, seat: Seat) -> bool:
    """Whether this hand is paid from a meter."""
    table = told.house.tables.get("progressive")
    if table is None or seat.seat not in made.settlement.hands:
        return False
    odds = table.lines.get(progressive_hand(told.house, made.played, seat))
    return odds is not None and bool(odds.meter)


def _envy(told: RoundInPlay, made: Owed, seat: Seat) -> Explained:
    """Explain an envy bonus by the other players' hands, and name what else the finding needs."""
    house, played = told.house, made.played
    stake = seat.wagers.get("progressive")
    keys = ["envy"]
    if stake in (100, 500):
        keys.append(f"envy {stake} {house['progressive.envy_table']}")
    if made.settlement.hands.keys() < {0, *(each.seat for each in played.seats)}:
        return tuple(keys), "the hands on record decide it"
    holders = [each for each in played.seats if each.seat != seat.seat and holds_envy_hand(house, played, each)]
    if len(holders) > 1:
        keys.append("envy several")
    if _someone_without_a_wager(made, seat):
        keys.append("envy holder")
    if holds_envy_hand(house, played, seat) or made.settlement.hands[0] >> 20 >= standard.STRAIGHT_FLUSH:
        keys.append("envy own")
    hold = "player holds" if len(holders) == 1 else "players hold"
    return tuple(keys), f"{_number(len(holders))} other {hold} an envy hand"


def _someone_without_a_wager(made: Owed, seat: Seat) -> bool:
    """Whether a seat without a progressive wager has an envy hand, so that the house's option decides."""
    return any(
        each.seat != seat.seat
        and "progressive" not in each.wagers
        and made.settlement.hands[each.seat] >> 20 >= standard.STRAIGHT_FLUSH
        for each in made.played.seats
    )


def _number(count: int) -> str:
    return ("no", "one", "two", "three", "four", "five", "six")[count] if count < 7 else str(count)
