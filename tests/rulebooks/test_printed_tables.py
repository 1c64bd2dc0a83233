"""The pay tables and figures of the rule books beside the texts' own numbers, typed in from the texts.

A block is a wager: the book and how binding its odds are, the tables and their clauses, and a line a hand. A dash
is a line the table does not print.
"""

import pytest

from domain.money import odds
from domain.rulebooks import BOOKS, newest

PRINTED = """
UTH-MA ante, play: exact
table   | only
clause  | UTH-MA 11(b)
any_win | 1 to 1

UTH-MA blind: exact
table           | only
clause          | UTH-MA 11(c)
royal_flush     | 500 to 1
straight_flush  | 50 to 1
four_of_a_kind  | 10 to 1
full_house      | 3 to 1
flush           | 3 to 2
straight        | 1 to 1
three_of_a_kind | push
two_pair        | push
pair            | push
high_card       | push

UTH-MA trips: no less than
table           | A                       | B                       | C                       | D
clause          | UTH-MA 11(d) Paytable A | UTH-MA 11(d) Paytable B | UTH-MA 11(d) Paytable C | UTH-MA 11(d) Paytable D
royal_flush     | 50 to 1                 | 50 to 1                 | 50 to 1                 | 50 to 1
straight_flush  | 40 to 1                 | 40 to 1                 | 40 to 1                 | 40 to 1
four_of_a_kind  | 30 to 1                 | 30 to 1                 | 30 to 1                 | 20 to 1
full_house      | 9 to 1                  | 8 to 1                  | 8 to 1                  | 7 to 1
flush           | 7 to 1                  | 6 to 1                  | 7 to 1                  | 6 to 1
straight        | 4 to 1                  | 5 to 1                  | 4 to 1                  | 5 to 1
three_of_a_kind | 3 to 1                  | 3 to 1                  | 3 to 1                  | 3 to 1

UTH-MA cover_all: exact
table           | 7                     | 6                     | 5                     | 4                     | 3                     | 2
clause          | UTH-MA 13(k) column 7 | UTH-MA 13(k) column 6 | UTH-MA 13(k) column 5 | UTH-MA 13(k) column 4 | UTH-MA 13(k) column 3 | UTH-MA 13(k) column 2
royal_flush     | 70 to 1               | 80 to 1               | 100 to 1              | 125 to 1              | 150 to 1              | 200 to 1
straight_flush  | 30 to 1               | 40 to 1               | 40 to 1               | 70 to 1               | 80 to 1               | 100 to 1
four_of_a_kind  | 20 to 1               | 30 to 1               | 35 to 1               | 40 to 1               | 50 to 1               | 70 to 1
full_house      | 4 to 1                | 4 to 1                | 5 to 1                | 6 to 1                | 8 to 1                | 12 to 1

UTH-MD ante, play: exact
table   | only
clause  | UTH-MD 12.A
any_win | 1 to 1

UTH-MD blind: exact
table           | A              | B
clause          | UTH-MD 12.B(1) | UTH-MD 12.B(2)
royal_flush     | 500 to 1       | 500 to 1
straight_flush  | 50 to 1        | 50 to 1
four_of_a_kind  | 10 to 1        | 10 to 1
full_house      | 3 to 1         | 3 to 1
flush           | 3 to 2         | 3 to 2
straight        | 1 to 1         | push
three_of_a_kind | push           | push
two_pair        | push           | push
pair            | push           | push
high_card       | push           | push

UTH-MD trips: exact
table           | A              | B              | C              | D              | E
clause          | UTH-MD 12.C(1) | UTH-MD 12.C(2) | UTH-MD 12.C(3) | UTH-MD 12.C(4) | UTH-MD 12.C(5)
royal_flush     | 50 to 1        | 50 to 1        | 50 to 1        | 50 to 1        | 50 to 1
straight_flush  | 40 to 1        | 40 to 1        | 40 to 1        | 40 to 1        | 40 to 1
four_of_a_kind  | 30 to 1        | 30 to 1        | 30 to 1        | 20 to 1        | 30 to 1
full_house      | 9 to 1         | 8 to 1         | 8 to 1         | 7 to 1         | 7 to 1
flush           | 7 to 1         | 6 to 1         | 7 to 1         | 6 to 1         | 6 to 1
straight        | 4 to 1         | 5 to 1         | 4 to 1         | 5 to 1         | 5 to 1
three_of_a_kind | 3 to 1         | 3 to 1         | 3 to 1         | 3 to 1         | 3 to 1

UTH-MD progressive: exact
table           | A                 | B                 | C                 | D
clause          | UTH-MD 12.D(1)(a) | UTH-MD 12.D(1)(b) | UTH-MD 12.D(1)(c) | UTH-MD 12.D(1)(d)
royal_flush     | 100% of main      | 100% of major     | 100% of mega      | 100% of mega
straight_flush  | 10% of main       | 100% of minor     | 100% of major     | 100% of major
four_of_a_kind  | 300 to 1          | 300 for 1         | 100% of minor     | 100% of minor
full_house      | 50 to 1           | 50 for 1          | 50 for 1          | 50 for 1
flush           | 40 to 1           | 40 for 1          | 40 for 1          | 40 for 1
straight        | 30 to 1           | 30 for 1          | 30 for 1          | 30 for 1
three_of_a_kind | 9 to 1            | 9 for 1           | 10 for 1          | 9 for 1

UTH-MD envy_100: exact
table           | A                 | B                 | C                 | D
clause          | UTH-MD 12.D(6)(a) | UTH-MD 12.D(6)(b) | UTH-MD 12.D(6)(c) | UTH-MD 12.D(6)(d)
royal_flush     | $1,000            | $1,000            | $1,000            | $1,000
straight_flush  | $300              | $300              | $300              | $300

UTH-MD envy_500: exact
table           | A                 | B                 | C                 | D
clause          | UTH-MD 12.D(7)(a) | UTH-MD 12.D(7)(b) | UTH-MD 12.D(7)(c) | UTH-MD 12.D(7)(d)
royal_flush     | $5,000            | $5,000            | $5,000            | $5,000
straight_flush  | $1,500            | $1,500            | $1,500            | $1,500

UTH-MD six_card: exact
table                   | A              | B
clause                  | UTH-MD 12.E(1) | UTH-MD 12.E(2)
super_royal_of_diamonds | $1,000,000     | $100,000
super_royal_of_hearts   | $100,000       | $100,000
super_royal_of_spades   | $100,000       | $100,000
super_royal_of_clubs    | $100,000       | $100,000
royal_flush             | 1,000 to 1     | 1,000 to 1
straight_flush          | 200 to 1       | 200 to 1
four_of_a_kind          | 50 to 1        | 50 to 1
full_house              | 20 to 1        | 20 to 1
flush                   | 15 to 1        | 15 to 1
straight                | 10 to 1        | 10 to 1
three_of_a_kind         | 5 to 1         | 5 to 1

UTH-MD ultimate_pairs: exact
table                       | A                | B                | C                | D                | E                | F
clause                      | UTH-MD 12.E#2(1) | UTH-MD 12.E#2(2) | UTH-MD 12.E#2(3) | UTH-MD 12.E#2(4) | UTH-MD 12.E#2(5) | UTH-MD 12.E#2(6)
player_and_dealer_aces      | -                | 1,000 to 1       | -                | -                | -                | -
aces_of_hearts_and_diamonds | -                | -                | -                | 100 to 1         | 50 to 1          | -
pair_of_aces                | 30 to 1          | 30 to 1          | 30 to 1          | 30 to 1          | 25 to 1          | 25 to 1
ace_king_suited             | 25 to 1          | 25 to 1          | 20 to 1          | 20 to 1          | 20 to 1          | 20 to 1
ace_queen_or_jack_suited    | 20 to 1          | 20 to 1          | 20 to 1          | 20 to 1          | 20 to 1          | 20 to 1
ace_king                    | 15 to 1          | 15 to 1          | 10 to 1          | 10 to 1          | 10 to 1          | 10 to 1
pair_of_jacks_to_kings      | 10 to 1          | 10 to 1          | 5 to 1           | 4 to 1           | 5 to 1           | 5 to 1
ace_queen_or_jack           | 5 to 1           | 5 to 1           | 10 to 1          | 10 to 1          | 10 to 1          | 10 to 1
pair_of_tens_or_less        | 3 to 1           | 3 to 1           | 5 to 1           | 4 to 1           | 5 to 1           | 5 to 1

UTH-MD bad_beat: exact
table           | A                | B                | C
clause          | UTH-MD 12.F#2(1) | UTH-MD 12.F#2(2) | UTH-MD 12.F#2(3)
straight_flush  | 10,000 to 1      | 7,500 to 1       | 2,500 to 1
four_of_a_kind  | 500 to 1         | 500 to 1         | 500 to 1
full_house      | 40 to 1          | 50 to 1          | 50 to 1
flush           | 25 to 1          | 30 to 1          | 30 to 1
straight        | 20 to 1          | 20 to 1          | 20 to 1
three_of_a_kind | 9 to 1           | 9 to 1           | 9 to 1

UTH-MD play_the_board: exact
table                  | A              | B              | C
clause                 | UTH-MD 12.G(1) | UTH-MD 12.G(2) | UTH-MD 12.G(3)
royal_flush            | 1,000 to 1     | 1,000 to 1     | 1,000 to 1
straight_flush         | 200 to 1       | 200 to 1       | 200 to 1
four_of_a_kind         | 100 to 1       | 100 to 1       | 100 to 1
full_house             | 50 to 1        | 50 to 1        | 50 to 1
flush                  | 40 to 1        | 40 to 1        | 40 to 1
straight               | 25 to 1        | 25 to 1        | 20 to 1
three_of_a_kind        | 7 to 1         | 6 to 1         | 6 to 1
two_pair               | 3 to 1         | 3 to 1         | 3 to 1
pair_of_tens_or_better | 1 to 1         | 1 to 1         | 1 to 1

PIK ante, play3, play5: exact
table   | only
clause  | PIK 39.11(a)/s1
any_win | 1 to 1

PIK bonus5: no less than
table           | 1                        | 2
clause          | PIK 39.11(b)/Pay Table 1 | PIK 39.11(b)/Pay Table 2
two_pair        | 1 to 1                   | 1 to 1
three_of_a_kind | 2 to 1                   | 2 to 1
straight        | 5 to 1                   | 4 to 1
flush           | 8 to 1                   | 6 to 1
full_house      | 10 to 1                  | 10 to 1
four_of_a_kind  | 50 to 1                  | 50 to 1
straight_flush  | 250 to 1                 | 250 to 1
royal_flush     | 1000 to 1                | 750 to 1

PIK bonus3: no less than
table           | 1                        | 2                        | 3
clause          | PIK 39.11(c)/Pay Table 1 | PIK 39.11(c)/Pay Table 2 | PIK 39.11(c)/Pay Table 3
pair            | 1 to 1                   | 1 to 1                   | 1 to 1
flush           | 3 to 1                   | 3 to 1                   | 4 to 1
straight        | 6 to 1                   | 6 to 1                   | 6 to 1
three_of_a_kind | 30 to 1                  | 30 to 1                  | 25 to 1
straight_flush  | 40 to 1                  | 50 to 1                  | 35 to 1
royal_flush     | 200 to 1                 | 100 to 1                 | 80 to 1

FAH original, split: exact
table   | only
clause  | FAH (h)(12)/s1
any_win | 1 to 1

FAH natural: exact
table   | only
clause  | FAH (h)(2)/s2
any_win | 5 to 1

COL main: no less than
table                      | required               | permissible
clause                     | COL 12(b)/Payout Odds  | COL 13(b)/Payout Odds
royal_flush                | 500 to 1               | 500 to 1
straight_flush             | 100 to 1               | 100 to 1
four_of_a_kind             | 40 to 1                | 25 to 1
full_house                 | 11 to 1                | 10 to 1
flush                      | 8 to 1                 | 8 to 1
straight                   | 5 to 1                 | 5 to 1
three_card_straight_flush  | 5 to 1                 | 5 to 1
three_card_three_of_a_kind | 5 to 1                 | 5 to 1
three_of_a_kind            | 3 to 1                 | 3 to 1
two_pair                   | 2 to 1                 | 2 to 1
pair_of_tens_or_better     | 1 to 1                 | 1 to 1

COL bonus: no less than
table                      | required               | permissible
clause                     | COL 12(d)/Bonus Payout | COL 13(d)/Bonus Payout
royal_flush                | 10,000 to 1            | 10,000 to 1
straight_flush             | 1000 to 1              | 1000 to 1
four_of_a_kind             | 100 to 1               | 100 to 1
full_house                 | 50 to 1                | 50 to 1
flush                      | 25 to 1                | 25 to 1
straight                   | 15 to 1                | 15 to 1
three_card_straight_flush  | 5 to 1                 | 5 to 1
three_card_three_of_a_kind | 5 to 1                 | 5 to 1
three_of_a_kind            | 3 to 1                 | 3 to 1
two_pair                   | 1 to 1                 | 1 to 1
pair_of_jacks_or_better    | push                   | push
"""

# book | figure | clause | value
FIGURES = """
UTH-MA | deck_size                | UTH-MA 7(f)(1)       | 52
UTH-MA | preflop_play_multiples   | UTH-MA 10(a) s3      | [3, 4]
UTH-MA | flop_play_multiples      | UTH-MA 10(c) s2      | [2]
UTH-MA | river_play_multiples     | UTH-MA 10(e)         | [1]
UTH-MA | main_limit_cents         | UTH-MA 11(e)         | 5000000
UTH-MA | all_bets_limit_cents     | UTH-MA 14(d)         | 7500000
UTH-MA | progressive_cents        | UTH-MA 14(a)         | 500
UTH-MA | positions_a_player       | UTH-MA 12            | 1
UTH-MD | deck_size                | UTH-MD 8.F           | 52
UTH-MD | preflop_play_multiples   | UTH-MD 11.B(1)       | [3, 4]
UTH-MD | flop_play_multiples      | UTH-MD 11.D(1)       | [2]
UTH-MD | river_play_multiples     | UTH-MD 11.F          | [1]
UTH-MD | least_payout_cap_cents   | UTH-MD 12.F(1)       | 5000000
UTH-MD | least_resets_cents_A     | UTH-MD 12.D(3)(b)(i) | {'main': 1000000}
UTH-MD | least_resets_cents_B     | UTH-MD 12.D(3)(b)(ii)(1)  | {'major': 100000, 'minor': 25000}
UTH-MD | least_resets_cents_C     | UTH-MD 12.D(3)(b)(iii)(1) | {'mega': 1000000, 'major': 100000, 'minor': 25000}
UTH-MD | least_resets_cents_D     | UTH-MD 12.D(3)(b)(iv)(1)  | {'mega': 1000000, 'major': 100000, 'minor': 25000}
PIK    | deck_size                | PIK 39.7(e)1         | 52
PIK    | least_qualifying_hand    | PIK 39.1 "Qualifying hand" | ['A', 'K', '4', '3', '2']
PIK    | positions_a_player       | PIK 39.3(e)/count    | 3
FAH    | surrendered_share        | FAH (h)(6)/s2        | [1, 2]
FAH    | cards_a_hand             | FAH (g)(3)/s3        | 4
FAH    | community_cards          | FAH (a)(1)(i)        | 5
FAH    | positions_a_player       | FAH (j)(1)           | 1
COL    | pushes_required          | COL 10(f)/s1         | ['7', '8', '9']
COL    | pushes_permissible       | COL 11(f)/s1         | ['9', 'T']
COL    | bonus_cents              | COL 6a(b)            | 100
COL    | least_payout_cap_cents_required    | COL 12(c)/s1 | 5000000
COL    | least_payout_cap_cents_permissible | COL 13(c)/s1 | 5000000
COL    | deck_size                | COL 7(e)(1)          | 52
COL    | positions_a_player       | COL 6(e)/count       | 2
"""

Tables = dict[str, tuple[str, dict[str, str]]]  # letter -> clause and the lines


def _blocks() -> dict[tuple[str, str], tuple[bool, Tables]]:
    blocks = {}
    for block in PRINTED.strip().split("\n\n"):
        heading, *rows = block.splitlines()
        book, _, rest = heading.partition(" ")
        wagers, _, rule = rest.partition(": ")
        columns = list(zip(*([cell.strip() for cell in row.split("|")] for row in rows), strict=True))
        hands = columns[0][2:]
        tables = {
            letter: (clause, {hand: text for hand, text in zip(hands, lines, strict=True) if text != "-"})
            for letter, clause, *lines in columns[1:]
        }
        for wager in wagers.split(", "):
            blocks[book, wager] = (rule == "exact", tables)
    return blocks


BLOCKS = _blocks()


@pytest.mark.parametrize(("book", "wager"), BLOCKS, ids=[f"{book} {wager}" for book, wager in BLOCKS])
def test_a_pay_table_is_the_printed_one(book: str, wager: str) -> None:
    """Every line, its odds and its clause, and no line more."""
    exact, printed = BLOCKS[book, wager]
    group = newest(book).tables[wager]
    assert group.exact is exact
    for letter, (clause, lines) in printed.items():
        held = group.tables[letter]
        assert held.clause == clause
        assert held.lines == {hand: odds(text) for hand, text in lines.items()}, letter
    assert list(group.tables) == list(printed)


@pytest.mark.parametrize("book", BOOKS)
def test_no_pay_table_is_left_out(book: str) -> None:
    """Each table the rule book holds is compared above."""
    assert set(newest(book).tables) == {wager for held, wager in BLOCKS if held == book}


FIGURE_ROWS = [[cell.strip() for cell in row.split(" | ")] for row in FIGURES.strip().splitlines()]


@pytest.mark.parametrize(
    ("book", "figure", "clause", "value"), FIGURE_ROWS, ids=[f"{row[0]} {row[1]}" for row in FIGURE_ROWS]
)
def test_a_figure_is_the_printed_one(book: str, figure: str, clause: str, value: str) -> None:
    """The figures that decide money or a wager's lawfulness."""
    rules = newest(book)
    assert (str(rules.value(figure)), rules.clause_of(figure)) == (value, clause)
