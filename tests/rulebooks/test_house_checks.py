"""Choices a house may not make, each with the lawful choice beside it."""

import pytest

from domain.clauses import findings
from domain.money import Odds
from domain.rulebooks import RuleBook, house, newest
from domain.rulebooks.house_checks import most_at_minimum_cents
from tests.rulebooks.chosen import chosen

# what | book | options | odds posted: wager, hand, odds | code | clause; no code and no clause: lawful
CHOICES = """
trips a line below its floor           | UTH-MA |                                                                                      | trips flush 6 to 1                     | pay-table-below-floor        | UTH-MA 11(d) Paytable A
trips at its floor                     | UTH-MA |                                                                                      | trips flush 7 to 1                     |                              |
trips above its floor                  | UTH-MA |                                                                                      | trips flush 8 to 1                     |                              |
the same odds under another table      | UTH-MA | trips_table=B                                                                        | trips flush 6 to 1                     |                              |
seven for one is six to one            | UTH-MA |                                                                                      | trips flush 7 for 1                    | pay-table-below-floor        | UTH-MA 11(d) Paytable A
eight for one is seven to one          | UTH-MA |                                                                                      | trips flush 8 for 1                    |                              |
fifteen to two is above seven          | UTH-MA |                                                                                      | trips flush 15 to 2                    |                              |
a flat award where odds are printed    | UTH-MA |                                                                                      | trips flush $1                         | pay-table-below-floor        | UTH-MA 11(d) Paytable A
a line the table does not have         | UTH-MA |                                                                                      | trips pair 1 to 1                      | pay-table-altered            | UTH-MA 11(d) Paytable A
an exact blind raised                  | UTH-MA |                                                                                      | blind flush 2 to 1                     | pay-table-altered            | UTH-MA 11(c)
an exact blind as printed              | UTH-MA |                                                                                      | blind flush 3 to 2                     |                              |
an ante above even money               | UTH-MA |                                                                                      | ante any_win 6 to 5                    | pay-table-altered            | UTH-MA 11(b)
one line for all columns of Cover All  | UTH-MA |                                                                                      | cover_all full_house 4 to 1            | pay-table-altered            | UTH-MA 13(k)
odds for what has no pay table         | UTH-MA |                                                                                      | progressive flush 4 to 1               | house-option-invalid         | UTH-MA 11(d)
a limit under the printed one          | UTH-MA | payout_cap=4999999                                                                   |                                        | payout-cap-too-low           | UTH-MA 11(e)
the printed limit                      | UTH-MA | payout_cap=5000000                                                                   |                                        |                              |
505 antes and 50 trips above the limit | UTH-MA | ante_min=9900 trips_min=500 payout_cap=5024499                                       |                                        | payout-cap-too-low           | UTH-MA 11(e)
a limit of 505 antes and 50 trips      | UTH-MA | ante_min=9900 trips_min=500 payout_cap=5024500                                       |                                        |                              |
a higher trips minimum raises it       | UTH-MA | ante_min=9900 trips_min=1000 payout_cap=5024500                                      |                                        | payout-cap-too-low           | UTH-MA 11(e)
an ante of $149 above $75,000          | UTH-MA | ante_min=14900 trips_min=500                                                         |                                        | cap-conflict                 | UTH-MA 14(d)
an ante of $148 below it               | UTH-MA | ante_min=14800 trips_min=500                                                         |                                        |                              |
a posted limit above $75,000           | UTH-MA | payout_cap=7500001                                                                   |                                        | cap-conflict                 | UTH-MA 14(d)
a posted limit of $75,000              | UTH-MA | payout_cap=7500000                                                                   |                                        |                              |
Cover All without its mode             | UTH-MA | cover_all=true shuffler=automated                                                    |                                        | cover-all-device-mode-wrong  | UTH-MA 13(d)
Cover All in its mode                  | UTH-MA | cover_all=true shuffler=cover-all                                                    |                                        |                              |
a progressive of a dollar              | UTH-MA | progressive.amount=100                                                               |                                        | progressive-amount-invalid   | UTH-MA 14(a)
a progressive of five dollars          | UTH-MA | progressive.amount=500                                                               |                                        |                              |
two decks without a shuffler           | UTH-MA | decks=2                                                                              |                                        | second-deck-without-shuffler | UTH-MA 2(b)
two decks with one                     | UTH-MA | decks=2 shuffler=automated                                                           |                                        |                              |
from the hand without a shuffler       | UTH-MA | dealing_method=hand                                                                  |                                        | hand-deal-without-shuffler   | UTH-MA 8(b)(1)
from the hand with one                 | UTH-MA | dealing_method=hand shuffler=automated                                               |                                        |                              |
trips better than printed              | UTH-MD |                                                                                      | trips flush 8 to 1                     | pay-table-altered            | UTH-MD 12.C(1)
trips worse than printed               | UTH-MD |                                                                                      | trips flush 6 to 1                     | pay-table-altered            | UTH-MD 12.C(1)
trips as its table prints              | UTH-MD | trips_table=B                                                                        | trips flush 6 to 1                     |                              |
a straight paid under blind table B    | UTH-MD | blind_table=B                                                                        | blind straight 1 to 1                  | pay-table-altered            | UTH-MD 12.B(2)
a straight paid under blind table A    | UTH-MD | blind_table=A                                                                        | blind straight 1 to 1                  |                              |
another share of a meter               | UTH-MD | progressive.table=A                                                                  | progressive straight_flush 9% of main  | pay-table-altered            | UTH-MD 12.D(1)(a)
the printed share of a meter           | UTH-MD | progressive.table=A                                                                  | progressive straight_flush 10% of main |                              |
fifty for one where to is printed      | UTH-MD | progressive.table=A                                                                  | progressive full_house 50 for 1        | pay-table-altered            | UTH-MD 12.D(1)(a)
a cap under $50,000                    | UTH-MD | payout_cap=4999999                                                                   |                                        | payout-cap-too-low           | UTH-MD 12.F(1)
a cap of $50,000                       | UTH-MD | payout_cap=5000000                                                                   |                                        |                              |
a cap under 505 antes and 50 trips     | UTH-MD | ante_min=9900 trips_min=500 payout_cap=5024499                                       |                                        | payout-cap-too-low           | UTH-MD 12.F(1)
a cap of 505 antes and 50 trips        | UTH-MD | ante_min=9900 trips_min=500 payout_cap=5024500                                       |                                        |                              |
a box that a manual shoe never deals   | UTH-MD | six_card_table=A                                                                     |                                        | bonus-cannot-be-dealt        | UTH-MD 10.B(1)
a box that is never dealt by hand      | UTH-MD | six_card_table=B dealing_method=hand shuffler=automated                              |                                        | bonus-cannot-be-dealt        | UTH-MD 10.B(1)
a box dealt by an automated shoe       | UTH-MD | six_card_table=A dealing_method=automated-shoe                                       |                                        |                              |
two decks without a shuffler           | UTH-MD | decks=2                                                                              |                                        | second-deck-without-shuffler | UTH-MD 3.B
two decks with a counting one          | UTH-MD | decks=2 shuffler=counting                                                            |                                        |                              |
from the hand without a shuffler       | UTH-MD | dealing_method=hand                                                                  |                                        | hand-deal-without-shuffler   | UTH-MD 9.A(1)
from the hand with one                 | UTH-MD | dealing_method=hand shuffler=automated                                               |                                        |                              |
table A resets a cent too low          | UTH-MD | progressive.table=A progressive.resets={"main":999999}                               |                                        | meter-reset-too-low          | UTH-MD 12.D(3)(b)(i)
table A resets to $10,000              | UTH-MD | progressive.table=A progressive.resets={"main":1000000}                              |                                        |                              |
table B, major a cent too low          | UTH-MD | progressive.table=B progressive.resets={"major":99999}                               |                                        | meter-reset-too-low          | UTH-MD 12.D(3)(b)(ii)(1)
table B, minor a cent too low          | UTH-MD | progressive.table=B progressive.resets={"minor":24999}                               |                                        | meter-reset-too-low          | UTH-MD 12.D(3)(b)(ii)(2)
table B resets to $1,000 and $250      | UTH-MD | progressive.table=B progressive.resets={"major":100000,"minor":25000}                |                                        |                              |
table C, mega a cent too low           | UTH-MD | progressive.table=C progressive.resets={"mega":999999}                               |                                        | meter-reset-too-low          | UTH-MD 12.D(3)(b)(iii)(1)
table C, major a cent too low          | UTH-MD | progressive.table=C progressive.resets={"major":99999}                               |                                        | meter-reset-too-low          | UTH-MD 12.D(3)(b)(iii)(2)
table C, minor a cent too low          | UTH-MD | progressive.table=C progressive.resets={"minor":24999}                               |                                        | meter-reset-too-low          | UTH-MD 12.D(3)(b)(iii)(3)
table C as low as it may               | UTH-MD | progressive.table=C progressive.resets={"mega":1000000,"major":100000,"minor":25000} |                                        |                              |
table D, mega a cent too low           | UTH-MD | progressive.table=D progressive.resets={"mega":999999}                               |                                        | meter-reset-too-low          | UTH-MD 12.D(3)(b)(iv)(1)
table D, major a cent too low          | UTH-MD | progressive.table=D progressive.resets={"major":99999}                               |                                        | meter-reset-too-low          | UTH-MD 12.D(3)(b)(iv)(2)
table D, minor a cent too low          | UTH-MD | progressive.table=D progressive.resets={"minor":24999}                               |                                        | meter-reset-too-low          | UTH-MD 12.D(3)(b)(iv)(3)
table D as low as it may               | UTH-MD | progressive.table=D progressive.resets={"mega":1000000,"major":100000,"minor":25000} |                                        |                              |
a meter table A does not have          | UTH-MD | progressive.table=A progressive.meters={"major":5000000}                             |                                        | house-option-invalid         | UTH-MD 12.D(4)
the meter it has                       | UTH-MD | progressive.table=A progressive.meters={"main":5000000}                              |                                        |                              |
a reset of a meter it does not have    | UTH-MD | progressive.table=B progressive.resets={"mega":5000000}                              |                                        | house-option-invalid         | UTH-MD 12.D(3)(b)(i)
a progressive no envy is printed for   | UTH-MD | progressive.allowed=[100,1000]                                                       |                                        | envy-amount-unprinted        | UTH-MD 7.F(3)(a)
the two it is printed for              | UTH-MD | progressive.allowed=[100,500]                                                        |                                        |                              |
five-card bonus below its floor        | PIK    |                                                                                      | bonus5 royal_flush 999 to 1            | pay-table-below-floor        | PIK 39.11(b)/Pay Table 1
the same under the second table        | PIK    | bonus5_table=2                                                                       | bonus5 royal_flush 999 to 1            |                              |
three-card bonus below its floor       | PIK    | bonus3_table=3                                                                       | bonus3 flush 3 to 1                    | pay-table-below-floor        | PIK 39.11(c)/Pay Table 3
the same under the first table         | PIK    | bonus3_table=1                                                                       | bonus3 flush 3 to 1                    |                              |
play above even money                  | PIK    |                                                                                      | play5 any_win 2 to 1                   | pay-table-altered            | PIK 39.11(a)/s1
an ante limit under its minimum        | PIK    | ante_min=1000 ante_max=999                                                           |                                        | house-option-invalid         | PIK 39.3(a)/s1-limits
one ante allowed                       | PIK    | ante_min=1000 ante_max=1000                                                          |                                        |                              |
a bonus limit under its minimum        | PIK    | bonus3_max=99                                                                        |                                        | house-option-invalid         | PIK 39.3(a)/s2
a bonus limit above it                 | PIK    | bonus3_max=100                                                                       |                                        |                              |
play 5 of twice the ante               | PIK    | play5_multiple=2                                                                     |                                        | play-multiple-two            | PIK 39.1 "Play 5 wager"
play 3 of twice the ante               | PIK    | play3_multiple=2                                                                     |                                        |                              |
two decks without a shuffler           | PIK    | decks=2                                                                              |                                        | second-deck-without-shuffler | PIK 39.2(b)
two decks with one                     | PIK    | decks=2 shuffler=automated                                                           |                                        |                              |
from the hand without a shuffler       | PIK    | dealing_method=hand                                                                  |                                        | hand-deal-without-shuffler   | PIK 39.8(b)1
from the hand with one                 | PIK    | dealing_method=hand shuffler=counting                                                |                                        |                              |
a win above even money                 | FAH    |                                                                                      | original any_win 2 to 1                | pay-table-altered            | FAH (h)(12)/s1
a natural above five to one            | FAH    |                                                                                      | natural any_win 6 to 1                 | pay-table-altered            | FAH (h)(2)/s2
a natural at five to one               | FAH    |                                                                                      | natural any_win 5 to 1                 |                              |
six decks                              | FAH    | decks=6                                                                              |                                        |                              |
quads below the required floor         | COL    |                                                                                      | main four_of_a_kind 39 to 1            | pay-table-below-floor        | COL 12(b)/Payout Odds
the same in the permissible version    | COL    | version=permissible                                                                  | main four_of_a_kind 39 to 1            |                              |
quads below the permissible floor      | COL    | version=permissible                                                                  | main four_of_a_kind 24 to 1            | pay-table-below-floor        | COL 13(b)/Payout Odds
a bonus below its floor                | COL    |                                                                                      | bonus flush 24 to 1                    | pay-table-below-floor        | COL 12(d)/Bonus Payout
a bonus above it                       | COL    |                                                                                      | bonus flush 26 to 1                    |                              |
a bonus below it, permissible          | COL    | version=permissible                                                                  | bonus flush 24 to 1                    | pay-table-below-floor        | COL 13(d)/Bonus Payout
a pair of jacks paid                   | COL    |                                                                                      | bonus pair_of_jacks_or_better 1 to 1   |                              |
a cap under $50,000                    | COL    | payout_cap=4999999                                                                   |                                        | payout-cap-too-low           | COL 12(c)/s1
a cap of $50,000                       | COL    | payout_cap=5000000                                                                   |                                        |                              |
the same in the permissible version    | COL    | version=permissible payout_cap=4999999                                               |                                        | payout-cap-too-low           | COL 13(c)/s1
and lawful there                       | COL    | version=permissible payout_cap=5000000                                               |                                        |                              |
two decks without a shuffler           | COL    | decks=2                                                                              |                                        | second-deck-without-shuffler | COL 2(b)
two decks with one                     | COL    | decks=2 shuffler=automated                                                           |                                        |                              |
from the hand without a shuffler       | COL    | dealing_method=hand                                                                  |                                        | hand-deal-without-shuffler   | COL 8(b)(1)
from the hand with one                 | COL    | dealing_method=hand shuffler=automated                                               |                                        |                              |
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in CHOICES.strip().splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[1]}: {row[0]}" for row in ROWS])
def test_a_house_is_told_what_it_may_not_choose(row: list[str]) -> None:
    """One choice, one finding with its code and clause; a lawful choice has none."""
    _, book, options, posted, code, clause = row
    config = chosen(options)
    if posted:
        wager, hand, line = posted.split(maxsplit=2)
        config["posted_odds"] = {wager: {hand: line}}
    found = house(newest(book), config).findings
    assert [(finding.code, finding.clause) for finding in found] == ([(code, clause)] if code else [])
    assert all(finding.clause in findings()[finding.code].clauses for finding in found)


def _letters(rules: RuleBook) -> list[tuple[str, str]]:
    return [(wager, letter) for wager, group in rules.tables.items() if group.option for letter in group.tables]


@pytest.mark.parametrize("book", ["UTH-MA", "UTH-MD", "PIK", "COL"])
def test_every_line_of_every_selected_table_is_guarded(book: str) -> None:
    """One unit less is a finding under the table's own clause; so is one more where the text is exact."""
    rules = newest(book)
    for wager, letter in _letters(rules):
        group, table = rules.tables[wager], rules.tables[wager].tables[letter]
        selected: dict[str, object] = {group.option: int(letter) if letter.isdigit() else letter}
        if "." in group.option:
            selected = {group.option.split(".")[0]: {group.option.split(".")[1]: letter}}
        base = selected | {"dealing_method": "automated-shoe"}
        for hand, printed in table.lines.items():
            if not printed.wins:
                continue
            word = "for" if printed.stake_included else "to"
            less, more = (f"{printed.wins + step} {word} {printed.per}" for step in (-1, 1))
            for text, breach in ((less, True), (more, group.exact)):
                found = house(newest(book), base | {"posted_odds": {wager: {hand: text}}}).findings
                code = "pay-table-altered" if group.exact else "pay-table-below-floor"
                expected = [(code, table.clause)] if breach else []
                assert [(finding.code, finding.clause) for finding in found] == expected, f"{wager} {letter} {hand}"


def test_posted_odds_are_the_odds_in_force() -> None:
    """A house that posts more pays more; the lines it left alone are the printed ones."""
    trips = house(newest("UTH-MA"), {"posted_odds": {"trips": {"flush": "8 to 1"}}}).table("trips")
    assert trips is not None
    assert trips.lines["flush"] == Odds(wins=8)
    assert trips.lines["straight"] == Odds(wins=4)


# book | options | the most one player can win in a round at the minimums
MOST = """
UTH-MA | ante_min=500 trips_min=500             | 277500
UTH-MA | ante_min=1000 trips_min=500            | 530000
UTH-MA | ante_min=14800 trips_min=500           | 7499000
UTH-MD | ante_min=500 trips_min=100             | 257500
UTH-MD | ante_min=2500 trips_min=500 trips_table=null | 1262500
"""
MOST_ROWS = [[cell.strip() for cell in row.split("|")] for row in MOST.strip().splitlines()]


@pytest.mark.parametrize(("book", "options", "cents"), MOST_ROWS, ids=[f"{row[0]}: {row[1]}" for row in MOST_ROWS])
def test_the_most_at_the_minimums(book: str, options: str, cents: str) -> None:
    """Ante, four times the ante, 500 to 1 on the blind and 50 to 1 on trips: 505 antes and 50 trips."""
    assert most_at_minimum_cents(house(newest(book), chosen(options))) == int(cents)
