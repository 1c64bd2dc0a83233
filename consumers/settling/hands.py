"""The hands that settlement compares, with their cards and the names that a dealer announces."""

from collections.abc import Callable

from domain.hands import multideck, standard, three_card
from domain.hands.ranked import Hand, ImpossibleHandError, UnknownCardError
from domain.settlement import Seat
from domain.settlement.case_format import WorkedCase
from domain.settlement.fast_action import dealer_pair, is_natural


def hands(case: WorkedCase) -> dict[str, Hand]:
    """Every hand whose cards were all seen, by `dealer` and by seat number; a split's second hand as `4 split`."""
    found: dict[str, Hand] = {}
    for whose, best in _compared(case):
        try:
            found[whose] = best()
        except (UnknownCardError, ImpossibleHandError):
            continue  # an unseen card or a misdealt hand: nothing to announce
    return found


def _compared(case: WorkedCase) -> list[tuple[str, Callable[[], Hand]]]:
    played, game = case.played, case.house.game
    board = played.community
    if game.fast_action:
        return _fast_action(case)
    if game.colorado:
        playing = [seat for seat in played.seats if seat.choice == "play"]
        return [(str(seat.seat), _standard((*seat.kept, *board))) for seat in playing]
    each, dealers, _ = game.cards
    compared = [("dealer", _standard((*played.dealer, *board)))] if len(played.dealer) == dealers else []
    counted = [seat for seat in played.seats if len(seat.cards) == each]  # a miscounted hand has no name
    if game.pik_it:
        return compared + [(str(seat.seat), _pik(seat)) for seat in counted if seat.choice]
    return compared + [(str(seat.seat), _standard((*seat.cards, *board))) for seat in counted]


def _standard(cards: tuple[int, ...]) -> Callable[[], Hand]:
    return lambda: standard.best(cards)


def _pik(seat: Seat) -> Callable[[], Hand]:
    return lambda: (three_card if seat.choice == "play3" else standard).best(seat.cards)


def _fast_action(case: WorkedCase) -> list[tuple[str, Callable[[], Hand]]]:
    played = case.played
    if len(played.community) != 5 or is_natural_or_unseen(played.dealer):
        return []
    board = played.community
    compared = [("dealer", lambda: multideck.best((*dealer_pair(case.house, played)[0], *board)))]
    for seat in played.seats:
        if seat.choice in ("set", "split"):
            compared.append((str(seat.seat), _multideck((*seat.kept, *board))))
        if seat.choice == "split":
            compared.append((f"{seat.seat} split", _multideck((*seat.second, *board))))
    return compared


def is_natural_or_unseen(dealer: tuple[int, ...]) -> bool:
    """Whether the dealer sets no hand, or not all of it was seen."""
    try:
        return is_natural(dealer)
    except UnknownCardError:
        return True


def _multideck(cards: tuple[int, ...]) -> Callable[[], Hand]:
    return lambda: multideck.best(cards)
