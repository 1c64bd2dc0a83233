"""The order in which a round is settled, one player at a time, and the hands the dealer announces on the way."""

import pytest

from domain.settlement import Settlement, announce, settle
from domain.settlement.case_format import WorkedCase
from domain.settlement.played import with_parts
from tests.rulecard import case_of

PAIR, NO_PAIR = "Kd Qs", "Jh Ts"
SEATS = (
    "1: Ad Ac ante 10 blind 10 trips 5 play 4x / 2: 3c 2d ante 10 blind 10 trips 5 fold / "
    "4: Qd Jd ante 10 blind 10 trips 5 play 1x / 5: 9h 9c ante 10 blind 10 play 2x / "
    "6: 5c 3d ante 10 blind 10 trips 5 fold"
)
# clause | the dealer's cards | the order of settlement
ORDER = [
    pytest.param("UTH-MA", PAIR, (5, 4, 1, 6, 2), id="UTH-MA 10(h) s1: far right first, those who played"),
    pytest.param("UTH-MA", NO_PAIR, (5, 4, 1, 6, 2), id="UTH-MA 10(g): the same when the dealer is below a pair"),
    pytest.param("UTH-MD", PAIR, (5, 4, 1, 6, 2), id="UTH-MD 11.H(2): far right first, those who played"),
    pytest.param("UTH-MD", NO_PAIR, (5, 4, 1, 6, 2), id="UTH-MD 11.H(1): the same when the dealer is below a pair"),
]


def _case(book: str, dealer: str = PAIR, seats: str = SEATS, house: str = "") -> WorkedCase:
    return case_of(
        {"book": book, "says": "", "house": house, "dealer": dealer, "community": "Kh 9d 7c 4s 2c", "seats": seats}
    )


def _settled(case: WorkedCase) -> Settlement:
    return settle(case.house, case.played)


@pytest.mark.parametrize(("book", "dealer", "order"), ORDER)
def test_settlement_runs_counterclockwise_from_the_far_right(book: str, dealer: str, order: tuple[int, ...]) -> None:
    """Players who played come first; what folded hands still have riding waits for the end of the round."""
    assert _settled(_case(book, dealer)).order == order


@pytest.mark.parametrize("dealer", [PAIR, NO_PAIR])
@pytest.mark.parametrize(("book", "_clause"), [("UTH-MA", "UTH-MA 10(h) s2"), ("UTH-MD", "UTH-MD 11.H(2)(d)")])
def test_each_player_is_resolved_alone_whatever_the_others_held(book: str, _clause: str, dealer: str) -> None:
    """A seat's wagers come out the same when nobody else sits at the table, and each seat is settled once."""
    case = _case(book, dealer)
    together = _settled(case)
    assert sorted(together.order) == sorted(together.seats)
    for seat in case.played.seats:
        alone = settle(case.house, with_parts(case.played, seats=(seat,)))
        assert together.seats[seat.seat] == alone.seats[seat.seat]


def test_the_dealer_announces_every_hand_by_its_five_cards() -> None:
    """UTH-MD 11.G(3), UTH-MD 11.H(2)(c), UTH-MA 10(h) s1: the dealer's hand, and each player's that is turned up."""
    for book in ("UTH-MA", "UTH-MD"):
        case = _case(book)
        called = {seat: announce(case.house, value) for seat, value in _settled(case).hands.items()}
        assert called == {
            0: "pair of kings",
            1: "pair of aces",
            2: "pair of twos",
            4: "king high",
            5: "three nines",
            6: "king high",
        }


def test_a_limit_is_filled_in_the_order_of_settlement_so_trips_is_cut_first() -> None:
    """UTH-MA 10(h)(4) s1 settles trips after ante, blind and play: what is over the limit comes off trips."""
    case = case_of(
        {
            "book": "UTH-MA",
            "says": "",
            "dealer": "9s 9c",
            "community": "Qh Jh Th 7c 7d",
            "seats": "2: Ah Kh ante 90 blind 90 trips 200 play 4x",
        }
    )
    held = {wager: one.returned for wager, one in _settled(case).seats[2].items()}
    assert held == {"ante": 180_00, "blind": 45_090_00, "play": 720_00, "trips": 200_00 + 50_000_00 - 45_450_00}


def test_the_progressive_comes_after_the_seat_before_it_and_before_the_next() -> None:
    """UTH-MD 11.J, UTH-MD 12.D(4): per player in turn, a folded hand's at the end, each at the meter of its turn."""
    board = "As Ks Qs Js Ts"
    house = 'progressive.table=A progressive.meters={"main":3000000} progressive.resets={"main":1200000}'
    seats = (
        "1: 2c 2d ante 10 blind 10 progressive 5 play 1x / 3: 5c 5d ante 10 blind 10 progressive 5 play 1x / "
        "6: 6c 6d ante 10 blind 10 trips 5 progressive 5 fold"
    )
    case = case_of(
        {"book": "UTH-MD", "says": "", "house": house, "dealer": "9h 9d", "community": board, "seats": seats}
    )
    settlement = _settled(case)
    assert settlement.order == (3, 1, 6)
    won = {number: settlement.seats[number]["progressive"].returned for number in settlement.order}
    assert won == {3: 30_000_00, 1: 12_000_00, 6: 12_000_00}


def test_the_massachusetts_progressive_rides_with_its_player() -> None:
    """UTH-MA 14(c): settled in sequence with ante, blind and trips, by the house's awards."""
    awards = '{"royal_flush":2500000,"three_of_a_kind":4500}'
    case = _case(
        "UTH-MA",
        seats="1: Ad Ac ante 10 blind 10 trips 5 progressive 5 play 4x / 5: 9h 9c ante 10 blind 10 trips 5 progressive 5 play 2x",
        house=f"progressive.amount=500 progressive.house_awards={awards}",
    )
    settlement = _settled(case)
    assert settlement.order == (5, 1)
    assert settlement.seats[5]["progressive"].returned == 45_00
    assert settlement.seats[1]["progressive"].returned == 0
    assert settlement.seats[5]["progressive"].clause == "UTH-MA 14(c)"


def test_cover_all_is_reconciled_on_the_highest_hand_of_all_players_settled_before() -> None:
    """UTH-MA 13(j): the last seat settled decides the first one's bonus, and a folded hand at the end too."""
    seats = (
        "1: 9h 9c ante 10 blind 10 fold / 4: Qd Jd ante 10 blind 10 cover_all 5 play 1x / "
        "6: 5c 3d ante 10 blind 10 cover_all 5 play 1x"
    )
    case = case_of(
        {
            "book": "UTH-MA",
            "says": "",
            "house": "cover_all=true shuffler=cover-all",
            "dealer": "Kd Qs",
            "community": "Kh 9d 7c 7s 2c",
            "seats": seats,
        }
    )
    settlement = _settled(case)
    assert settlement.order == (6, 4, 1)
    assert {settlement.seats[number]["cover_all"].returned for number in (6, 4)} == {5_00 * 7}  # nines full, 6 to 1
