"""Stored distributions and the odds made of them, against known figures and small enumerations done again."""

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from domain.cards import cards
from domain.hands import standard, three_card
from domain.odds import odds_of
from domain.odds.base_games import both_natural_share, natural_share
from domain.odds.colorado import BOARDS
from domain.odds.side_bets import two_card_counts
from domain.odds.stored import counts, stored
from domain.rulebooks import house, newest
from domain.settlement.uth_side_wagers import pair_line

SEVEN_CARD = """
royal_flush     |      4,324
straight_flush  |     37,260
four_of_a_kind  |    224,848
full_house      |  3,473,184
flush           |  4,047,644
straight        |  6,180,020
three_of_a_kind |  6,461,620
two_pair        | 31,433,400
pair            | 58,627,800
high_card       | 23,294,460
"""
FIVE_CARD = """
royal_flush     |         4
straight_flush  |        36
four_of_a_kind  |       624
full_house      |     3,744
flush           |     5,108
straight        |    10,200
three_of_a_kind |    54,912
two_pair        |   123,552
high_card       | 1,302,540
"""
# House edges in percent as others have published them.
PUBLISHED = """
UTH-MD | trips_table=A        | trips          | 0.90
UTH-MD | trips_table=B        | trips          | 1.90
UTH-MD | trips_table=C        | trips          | 3.50
UTH-MD | trips_table=D        | trips          | 6.18
UTH-MA | trips_table=D        | trips          | 6.18
UTH-MD | blind_table=A        | base           | 2.18
UTH-MA | trips_table=A        | base           | 2.18
"""


def _rows(text):
    return [tuple(field.strip() for field in line.split("|")) for line in text.strip().splitlines()]


def _odds(book, **config):
    return odds_of(house(newest(book), config)).wagers


@pytest.mark.parametrize(("name", "table", "size"), [("seven_card", SEVEN_CARD, 7), ("five_card", FIVE_CARD, 5)])
def test_the_known_counts_of_hands_are_stored(name, table, size):
    stored_counts = counts(name)
    assert {hand: stored_counts[hand] for hand, _ in _rows(table)} == {
        hand: int(count.replace(",", "")) for hand, count in _rows(table)
    }
    assert sum(stored_counts.values()) == comb(52, size)


@pytest.mark.parametrize(
    ("name", "deals"),
    [
        ("six_card", comb(52, 6)),
        ("three_card", comb(52, 3)),
        ("three_of_five", comb(52, 5)),
        ("bad_beat", comb(52, 5) * comb(47, 2) * comb(45, 2)),
    ],
)
def test_a_distribution_counts_every_deal_once(name, deals):
    assert sum(counts(name).values()) == deals


@pytest.mark.parametrize(("book", "setting", "wager", "percent"), _rows(PUBLISHED))
def test_published_house_edges_are_met(book, setting, wager, percent):
    key, _, value = setting.partition("=")
    edge = _odds(book, **{key: value})[wager].house_edge
    assert f"{float(edge):.2%}" == f"{percent}%"


def test_ultimate_texas_holdem_keeps_what_optimal_play_leaves_it():
    base = _odds("UTH-MA")["base"]
    assert float(base.house_edge) == pytest.approx(0.02185, abs=5e-6)
    assert float(base.element_of_risk) == pytest.approx(0.00526, abs=5e-6)
    assert base.standard_deviation == pytest.approx(4.94, abs=0.005)
    deals = comb(52, 2) * comb(50, 3) * comb(47, 2) * comb(45, 2)
    assert sum(stored("uth_base")["blind_A"]["counts"].values()) == deals


def test_the_choices_before_the_flop_are_those_every_strategy_card_prints():
    preflop = stored("uth_base")["blind_A"]["preflop"]
    raised = {hand for hand, (_, four, three, check) in preflop.items() if max(four, three) > check}
    assert len(preflop) == 169
    # Pairs from threes, any ace, K-2 suited, K-5, Q-6 suited, Q-8, J-8 suited, J-T; and always four times.
    assert {hand for hand in raised if hand[0] == hand[1]} == {rank * 2 for rank in "3456789TJQKA"}
    with_ace = {f"A{low}{kind}" for low in "23456789TJQK" for kind in "so"}
    assert {hand for hand in raised if hand[0] == "A" != hand[1]} == with_ace
    others = {hand for hand in raised if hand[0] not in {"A", hand[1]}}
    assert others == {
        *(f"K{low}s" for low in "23456789TJQ"),
        *(f"K{low}o" for low in "56789TJQ"),
        *(f"Q{low}s" for low in "6789TJ"),
        *(f"Q{low}o" for low in "89TJ"),
        *("J8s", "J9s", "JTs", "JTo"),
    }
    assert all(preflop[hand][1] > preflop[hand][2] for hand in raised)


def test_blind_table_b_costs_the_player_the_straights_he_wins_with():
    one, other = (_odds("UTH-MD", blind_table=letter)["base"].house_edge for letter in "AB")
    rows = stored("uth_base")["blind_A"]["counts"]
    straights = sum(count for row, count in rows.items() if "win" in row and row.endswith(" straight"))
    assert other - one == Fraction(straights, sum(rows.values()))


@pytest.mark.parametrize("letter", "ABCDEF")
def test_ultimate_pairs_is_the_same_counted_card_by_card(letter):
    table = house(newest("UTH-MD"), {"ultimate_pairs_table": letter}).table("ultimate_pairs")
    total = Fraction(0)
    for own in combinations(range(52), 2):
        line = pair_line(table, own, cards("2c 3d"))
        held = table.lines.get(line)
        paid = Fraction(-1 if held is None else held.wins)
        if letter == "B" and line == "pair_of_aces":
            paid += Fraction(table.lines["player_and_dealer_aces"].wins - paid, comb(50, 2))
        total += paid
    assert _odds("UTH-MD", ultimate_pairs_table=letter)["ultimate_pairs"].house_edge == -total / 1326


def test_aces_against_aces_are_dealt_to_player_and_dealer_once_in_270725():
    found = two_card_counts()
    both = found["red aces, dealer aces"] + found["other aces, dealer aces"]
    assert Fraction(both, sum(found.values())) == Fraction(1, comb(52, 4))


def test_blind_selection_of_three_cards_is_the_same_counted_hand_by_hand():
    lines = house(newest("PIK"), {"bonus3_table": 2}).table("bonus3").lines
    total = 0
    for three in combinations(range(52), 3):
        line = lines.get(three_card.CATEGORIES[three_card.category(three_card.of_three(three))])
        total += -1 if line is None else line.wins
    assert _odds("PIK", bonus3_table=2)["bonus3_blind"].house_edge == Fraction(-total, comb(52, 3))


def test_the_best_three_of_five_are_sets_whose_sizes_can_be_counted_another_way():
    sets = counts("three_of_five")
    with_pair = sum(count for offered, count in sets.items() if {"pair", "three_of_a_kind"} & set(offered.split()))
    assert with_pair == comb(52, 5) - comb(13, 5) * 4**5
    with_royal = sum(count for offered, count in sets.items() if "royal_flush" in offered)
    assert with_royal == 4 * comb(49, 2)


def test_pikits_two_bonuses_of_selection_differ_only_by_the_selection():
    found = _odds("PIK")
    assert found["bonus3"].house_edge < -4
    assert 0 < found["bonus3_blind"].house_edge < Fraction(1, 20)


def test_pikit_alone_is_the_players_and_its_compulsory_bonus_is_not():
    for qualifies in (False, True):
        found = _odds("PIK", dealer_qualifies=qualifies)
        assert found["base"].house_edge < 0 < found["base_with_bonus5"].house_edge
        together = found["base"].house_edge + found["bonus5"].house_edge
        assert found["base_with_bonus5"].house_edge == together


@pytest.mark.parametrize("hand", ["2c 2d 7h", "Ah Kh 2s", "9d Td Jd", "5c 5d 5h"])
def test_colorado_rows_are_the_boards_counted_one_by_one(hand):
    name = next(name for name in stored("colorado")["hands"] if _shape(name) == _shape(hand))
    _, *numbers = stored("colorado")["hands"][name]
    own = cards(name)
    rest = [card for card in range(52) if card not in own]
    for place, discard in enumerate(own):
        kept = [card for card in own if card != discard]
        found = [0] * 10
        pairs = [0] * 13
        for board in combinations(rest, 3):
            value = standard.value((*kept, *board))
            found[standard.category(value)] += 1
            if standard.category(value) == standard.PAIR:
                pairs[value >> 16 & 15] += 1
        row = stored("colorado")["rows"][str(numbers[place])]
        assert row == [found[0], sum(pairs[:5]), *pairs[5:9], sum(pairs[9:]), *found[2:]]
        assert sum(row) == BOARDS


def _shape(hand):
    """A hand but for the names of its suits."""
    return sorted(sorted(card >> 2 for card in cards(hand) if card & 3 == suit) for suit in range(4))


def test_colorado_hands_stand_for_all_22100():
    assert sum(weight for weight, *_ in stored("colorado")["hands"].values()) == comb(52, 3)


def test_a_paid_pair_of_tens_gives_the_permissible_version_to_the_player():
    pushed = _odds("COL", version="permissible")["base"].house_edge
    paid = _odds("COL", version="permissible", v2_pair_of_tens="pay")["base"].house_edge
    assert paid < 0 < pushed


def test_a_returned_bonus_makes_folding_worth_nothing_instead_of_a_loss():
    collected, returned = (_odds("COL", fold_bonus=rule)["bonus"].house_edge for rule in ("collect", "return"))
    assert returned < collected


def test_a_natural_is_four_of_one_rank_of_six_decks():
    assert f"{float(natural_share(6)):.4%}" == "0.0357%"
    assert _odds("FAH")["natural"].hit_rate == natural_share(6)
    assert 0 < both_natural_share(6) < natural_share(6) ** 2 * 2


@pytest.mark.parametrize("decks", [6, 8])
@pytest.mark.parametrize("viii", ["both", "high-only"])
@pytest.mark.parametrize("ix", ["both", "high-only"])
def test_fast_action_is_alike_for_player_and_dealer_and_keeps_its_copies(decks, viii, ix):
    run = stored("fast_action")["runs"][f"{decks} decks, viii {viii}, ix {ix}"]
    assert abs(run["wins"] - run["losses"]) < 4 * (run["wins"] + run["losses"]) ** 0.5
    lose = _odds("FAH", decks=decks, house_way={"viii": viii, "ix": ix})["original"]
    push = _odds("FAH", decks=decks, house_way={"viii": viii, "ix": ix}, copy_hand_rule="push")["original"]
    assert lose.house_edge - push.house_edge == Fraction(run["copies"], run["rounds"])
    low, high = lose.interval_95
    assert low < lose.house_edge < high
    assert high - low < 2 * Fraction(1, 10_000)
    assert push.method == "exact"
    assert push.interval_95 is None


def test_cover_all_deals_add_up_and_higher_hands_come_oftener_with_more_players():
    held = stored("cover_all")["counts"]
    shares = []
    for hands, found in held.items():
        deals = comb(52, 5)
        for hand in range(int(hands)):
            deals *= comb(47 - 2 * hand, 2)
        assert sum(found.values()) == deals
        shares.append(Fraction(deals - found["lower"], deals))
    assert shares == sorted(shares)


def test_two_hands_reach_a_royal_twice_as_often_as_one_but_for_a_royal_on_the_board():
    found = stored("cover_all")["counts"]["2"]
    one_hand = Fraction(counts("seven_card")["royal_flush"], comb(52, 7))
    on_board = Fraction(4, comb(52, 5))
    assert Fraction(found["royal_flush"], sum(found.values())) == 2 * one_hand - on_board


@pytest.mark.parametrize(
    ("book", "wager", "lines", "config", "share"),
    [
        ("UTH-MA", "trips", {"flush": "8 to 1"}, {}, Fraction(4_047_644, comb(52, 7))),
        ("UTH-MD", "play_the_board", {"flush": "41 to 1"}, {"play_board_table": "A"}, Fraction(5108, comb(52, 5))),
        ("PIK", "bonus5", {"four_of_a_kind": "51 to 1"}, {}, Fraction(624, comb(52, 5))),
    ],
)
def test_posted_odds_change_the_edge_by_what_they_add(book, wager, lines, config, share):
    printed = _odds(book, **config)[wager].house_edge
    posted = _odds(book, **config, posted_odds={wager: lines})[wager].house_edge
    assert printed - posted == share


def test_posted_odds_that_change_the_best_play_are_played_best_in_colorado():
    printed = _odds("COL")
    posted = _odds("COL", posted_odds={"main": {"flush": "30 to 1"}})
    assert posted["base"].house_edge < printed["base"].house_edge
    assert posted["bonus"].house_edge == printed["bonus"].house_edge


@pytest.mark.parametrize(
    ("book", "wager", "posted"),
    [
        ("UTH-MD", "base", {"blind": {"flush": "2 to 1"}}),
        ("UTH-MA", "base", {"play": {"any_win": "2 to 1"}}),
        ("PIK", "base", {"play5": {"any_win": "2 to 1"}}),
        ("UTH-MD", "trips", {"trips": {"royal_flush": "10% of main"}}),
        ("UTH-MD", "trips", {"trips": {"royal_flush": "$1,000"}}),
        ("UTH-MD", "trips", {"trips": {"five_of_a_kind": "100 to 1"}}),
    ],
)
def test_odds_nothing_is_stored_for_leave_the_figures_open(book, wager, posted):
    found = _odds(book, posted_odds=posted)[wager]
    assert (found.house_edge, found.hit_rate, found.standard_deviation) == (None, None, None)
    assert found.note.startswith("not stored for these odds")


def test_meters_do_not_scale_with_the_wager_and_their_line_keeps_the_stake():
    config = {"table": "C", "cards": "hole-and-flop", "meters": {"mega": 5_000_000}}
    one, five = (_odds("UTH-MD", progressive=config)[name].house_edge for name in ("progressive", "progressive@500"))
    found = counts("five_card")
    metered = Fraction(found["royal_flush"] * 50_000 + found["straight_flush"] * 1_000 + found["four_of_a_kind"] * 250)
    assert five - one == metered * (1 - Fraction(1, 5)) / comb(52, 5)
    fixed = sum(
        found[hand] * times
        for hand, times in {"full_house": 50, "flush": 40, "straight": 30, "three_of_a_kind": 10}.items()
    )
    assert one == 1 - (metered + fixed) / comb(52, 5)


def test_table_a_returns_the_stake_and_table_b_has_it_included():
    config = {"cards": "hole-and-flop"}
    one = _odds("UTH-MD", progressive={"table": "A", **config})["progressive"].hit_rate
    other = _odds("UTH-MD", progressive={"table": "B", **config})["progressive"].hit_rate
    assert one == other
    found = counts("five_card")
    lines = house(newest("UTH-MD"), {"progressive": {"table": "A"}}).table("progressive").lines
    fixed = sum(found[hand] * (line.wins + 1) for hand, line in lines.items() if not line.meter)
    meter = found["royal_flush"] * 10_000 + found["straight_flush"] * 1_000
    edge = _odds("UTH-MD", progressive={"table": "A", **config})["progressive"].house_edge
    assert edge == 1 - Fraction(fixed + meter, comb(52, 5))


def test_massachusetts_progressive_has_odds_only_by_the_houses_own_awards():
    assert _odds("UTH-MA", progressive={})["progressive"].house_edge is None
    awards = {"royal_flush": 5_000_000, "straight_flush": 500_000}
    found = _odds("UTH-MA", progressive={"house_awards": awards})["progressive"]
    expected = Fraction(4324 * 10_000 + 37_260 * 1_000, comb(52, 7))
    assert found.house_edge == 1 - expected
