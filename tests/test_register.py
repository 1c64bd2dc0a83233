"""The register of clauses and the vocabulary of findings hold together, and refuse to load when they do not."""

from collections import Counter
from typing import Any

import pytest

from domain.clauses import (
    BOOKS,
    HOUSE,
    SEVERITIES,
    BadRegisterError,
    UnknownClauseError,
    all_clauses,
    clause,
    findings,
    load,
    register,
    scale,
)
from domain.rulebooks import BadHouseError, house, newest

# book | clauses | of which events can show whether they are kept
COUNTS = [
    ("UTH-MA", 176, 161),
    ("UTH-MD", 280, 250),
    ("PIK", 178, 155),
    ("FAH", 140, 131),
    ("COL", 189, 172),
    ("HOUSE", 3, 3),
]

# Options of the table or the property that no pay table or settlement depends on, so no rule book file has them.
BESIDE_THE_RULE_BOOKS = {
    "gaming_day_start",
    "idle_spread",
    "inspection_route",
    "new_dealer_new_shoe_burns",
    "odds_posting",
    "shuffler_loads_shoe",
}

# No rule book speaks of the record, so these have no clause.
ABOUT_THE_RECORD = {
    *("correction-unreadable", "record-broken", "record-forked", "record-gap", "record-unsealed"),
    *(
        "deck-elsewhere",
        "options-not-approved",
        "rule-book-not-in-force",
        "rule-book-unknown",
        "verifier-stopped",
        "round-not-judged",
        "source-not-allowed",
        "clock-off",
        "feed-doubtful",
        "house-option-unknown",  # it cites the clause of the nearest option, if one is near
    ),
}


@pytest.mark.parametrize(("book", "rows", "decidable"), COUNTS)
def test_each_book_has_all_its_clauses(book: str, rows: int, decidable: int) -> None:
    """The number of clauses of a book, and of those that events decide, is known."""
    assert len(register(book)) == rows
    assert sum(row.observable == "events" for row in register(book).values()) == decidable
    assert {row.book for row in register(book).values()} == {book}


def test_the_whole_register() -> None:
    """All clauses of all books, in the order of the books, each once; those of the house come last."""
    assert len(all_clauses()) == 963 + 3
    assert sum(row.observable == "events" for row in all_clauses().values()) == 869 + 3
    assert list(all_clauses()) == [name for book in (*BOOKS, HOUSE) for name in register(book)]


def test_no_clause_is_without_its_gist_and_evidence() -> None:
    """A row says what is required and by what it is seen."""
    assert all(row.gist.strip() and row.evidence.strip() for row in all_clauses().values())


def test_whatever_events_decide_raises_a_finding() -> None:
    """A clause that can be checked names what is found when it is broken."""
    assert [name for name, row in all_clauses().items() if row.observable == "events" and not row.findings] == []


def test_codes_and_clauses_point_at_each_other() -> None:
    """A clause's codes list the clause, and a code's clauses list the code or are named in the vocabulary."""
    forward = {(name, code) for name, row in all_clauses().items() for code in row.findings}
    backward = {(name, code) for code, finding in findings().items() for name in finding.clauses}
    assert forward <= backward
    listed = Counter(code for _, code in backward - forward)
    assert set(listed) == {"odds-far-outside", "odds-favour-the-player"}
    without = {code for code, finding in findings().items() if not finding.clauses}
    assert without == ABOUT_THE_RECORD


def test_every_finding_says_what_to_review_and_accuses_nobody() -> None:
    """One sentence each: what was seen, and what to look at."""
    for finding in findings().values():
        assert finding.says[0].isupper(), finding.code
        assert finding.says.endswith("."), finding.code
        assert "review" in finding.says, finding.code
        assert "cheat" not in finding.says.lower(), finding.code


def test_the_scale_explains_each_severity_in_a_sentence() -> None:
    """Four severities, the most severe first, all in use."""
    assert tuple(scale()) == SEVERITIES
    assert all(sentence.endswith(".") for sentence in scale().values())
    assert {finding.severity for finding in findings().values()} == set(SEVERITIES)


def test_every_option_of_a_rule_book_stands_at_its_clause() -> None:
    """The register and the rule books name the same options, under the same clauses."""
    named = {(book, option) for book in BOOKS for row in register(book).values() for option in row.options}
    known = {(book, option) for book in BOOKS for option in newest(book).options}
    assert known <= named
    assert {option for _, option in named - known} - {option for _, option in known} == BESIDE_THE_RULE_BOOKS
    for book in BOOKS:
        for name, option in newest(book).options.items():
            assert name in clause(option.clause).options, f"{option.clause}: {name}"
            assert "house-option-invalid" in clause(option.clause).findings, option.clause


# book | configuration | the findings it raises
HOUSES = [
    ("UTH-MA", {"blinds": 1}, {"house-option-unknown"}),
    ("UTH-MA", {"trips_table": "E"}, {"house-option-invalid"}),
    ("UTH-MA", {"decks": 2, "dealing_method": "hand"}, {"second-deck-without-shuffler", "hand-deal-without-shuffler"}),
    ("UTH-MA", {"cover_all": True, "payout_cap": 100}, {"cover-all-device-mode-wrong", "payout-cap-too-low"}),
    ("UTH-MA", {"ante_min": 20000}, {"cap-conflict"}),
    ("UTH-MA", {"progressive": {"amount": 100}}, {"progressive-amount-invalid"}),
    ("UTH-MA", {"posted_odds": {"trips": {"flush": "1 to 1"}}}, {"pay-table-below-floor"}),
    ("UTH-MD", {"posted_odds": {"trips": {"flush": "9 to 1"}}}, {"pay-table-altered"}),
    ("UTH-MD", {"payout_cap": 100}, {"payout-cap-too-low"}),
    ("UTH-MD", {"six_card_table": "A", "dealing_method": "hand", "shuffler": "automated"}, {"bonus-cannot-be-dealt"}),
    (
        "UTH-MD",
        {"progressive": {"table": "C", "allowed": [300], "resets": {"minor": 1}}},
        {"envy-amount-unprinted", "meter-reset-too-low"},
    ),
    ("PIK", {"play5_multiple": 2}, {"play-multiple-two"}),
    ("FAH", {"colour": "red"}, {"house-option-unknown"}),
    ("COL", {"payout_cap": 100}, {"payout-cap-too-low"}),
]


@pytest.mark.parametrize(("book", "config", "codes"), HOUSES, ids=[f"{row[0]} {row[1]}" for row in HOUSES])
def test_what_a_house_configuration_raises_stands_at_its_clause(
    book: str, config: dict[str, Any], codes: set[str]
) -> None:
    """A finding on a configuration has a code of the vocabulary, found under the clause it names."""
    try:
        raised = house(newest(book), config).findings
    except BadHouseError as error:
        raised = error.findings
    assert {finding.code for finding in raised} == codes
    for finding in raised:
        unknown = finding.code == "house-option-unknown"  # like no option of the book
        assert unknown or finding.clause in findings()[finding.code].clauses, finding


def test_a_clause_is_found_by_its_id() -> None:
    """The id is the citation, and the row is what it says."""
    row = clause("UTH-MD 12.B(2)")
    assert (row.book, row.kind, row.observable) == ("UTH-MD", "paytable", "events")
    assert "push-mishandled" in row.findings
    assert row.options == ("blind_table",)
    assert "straight = push" in row.reading


@pytest.mark.parametrize(
    ("book", "mistyped", "near"),
    [
        ("UTH-MD", "12.B(3)", "12.C(3)"),
        ("PIK", "39.4(b)", "39.4(b)1"),
        ("COL", "12(b)/Payout Odd", "12(b)/Payout Odds"),
    ],
)
def test_an_unknown_clause_is_answered_with_those_like_it(book: str, mistyped: str, near: str) -> None:
    """A mistyped citation raises, naming it and its near misses."""
    wanted, near = f"{book} {mistyped}", f"{book} {near}"
    with pytest.raises(UnknownClauseError) as caught:
        clause(wanted)
    assert near in caught.value.near
    assert wanted in str(caught.value)
    assert near in str(caught.value)


def test_a_book_that_is_none_of_the_five_is_refused() -> None:
    """The rule books are five."""
    with pytest.raises(BadRegisterError, match="choose one of UTH-MA"):
        register("NLH")


HEADER = "clause,kind,gist,observable,evidence,finding,option,reading"
GOOD_ROW = "PIK Z(a),deal,One card each.,events,CardDealt,deal-wrong,decks,"
SCALE = "[scale]\nmoney = 'a.'\nintegrity = 'b.'\nprocedure = 'c.'\ninformation = 'd.'\n"
DEAL_WRONG = "[findings.deal-wrong]\nseverity = 'procedure'\nsays = 'Review the deal.'\n"
GOOD_WORDS = SCALE + DEAL_WRONG

# what is wrong | the table of PIK | the vocabulary | what is said of it
REFUSALS = [
    ("a clause twice", f"{HEADER}\n{GOOD_ROW}\n{GOOD_ROW}\n", GOOD_WORDS, "occurs twice"),
    ("a clause of another book", f"{HEADER}\n{GOOD_ROW.replace('PIK', 'COL')}\n", GOOD_WORDS, "is not a clause of PIK"),
    (
        "an unknown kind",
        f"{HEADER}\n{GOOD_ROW.replace('deal,', 'dance,', 1)}\n",
        GOOD_WORDS,
        "'dance' is not one of the kinds",
    ),
    ("an unknown observable", f"{HEADER}\n{GOOD_ROW.replace('events', 'smell')}\n", GOOD_WORDS, "'smell' is not"),
    ("no gist", f"{HEADER}\n{GOOD_ROW.replace('One card each.', '')}\n", GOOD_WORDS, "needs a gist"),
    ("no evidence", f"{HEADER}\n{GOOD_ROW.replace('CardDealt', '')}\n", GOOD_WORDS, "needs a gist and its evidence"),
    ("a code twice", f"{HEADER}\n{GOOD_ROW.replace('deal-wrong', 'deal-wrong;deal-wrong')}\n", GOOD_WORDS, "repeats"),
    ("an unknown code", f"{HEADER}\n{GOOD_ROW.replace('deal-wrong', 'deal-odd')}\n", GOOD_WORDS, "raises 'deal-odd'"),
    ("a cell too few", f"{HEADER}\n{GOOD_ROW[:-1]}\n", GOOD_WORDS, "line 2 has 7 cells"),
    ("other columns", f"{HEADER.replace('kind', 'sort')}\n{GOOD_ROW}\n", GOOD_WORDS, "columns must be"),
    ("an empty table", "", GOOD_WORDS, "columns must be"),
    (
        "a code nobody raises",
        f"{HEADER}\n{GOOD_ROW}\n",
        GOOD_WORDS + DEAL_WRONG.replace("deal-wrong", "deal-late"),
        "no clause raises deal-late",
    ),
    (
        "a severity off the scale",
        f"{HEADER}\n{GOOD_ROW}\n",
        GOOD_WORDS.replace("'procedure'", "'grave'"),
        "severity must be one of",
    ),
    ("no sentence", f"{HEADER}\n{GOOD_ROW}\n", GOOD_WORDS.replace("'Review the deal.'", "''"), "a sentence"),
    ("a word too many", f"{HEADER}\n{GOOD_ROW}\n", GOOD_WORDS + "verdict = 'guilty'\n", "nothing else"),
    (
        "a code in capitals",
        f"{HEADER}\n{GOOD_ROW}\n",
        GOOD_WORDS.replace("deal-wrong", "Deal-wrong"),
        "is missing from the vocabulary",
    ),
    (
        "a listed clause that is none",
        f"{HEADER}\n{GOOD_ROW}\n",
        GOOD_WORDS + "clauses = ['PIK Y(b)']\n",
        "names 'PIK Y.b.', which is not a clause",
    ),
    ("a scale without a level", f"{HEADER}\n{GOOD_ROW}\n", GOOD_WORDS.replace("money = 'a.'\n", ""), "the scale must"),
]


@pytest.mark.parametrize(("table", "words", "says"), [row[1:] for row in REFUSALS], ids=[row[0] for row in REFUSALS])
def test_a_register_that_does_not_hold_together_is_refused(table: str, words: str, says: str) -> None:
    """The register is read whole or not at all: the error names the first fault."""
    with pytest.raises(BadRegisterError, match=says):
        load({"PIK": table}, words)


def test_a_register_that_holds_together_is_read() -> None:
    """The row the refusals spoil is a good one, and a code may be used by a listed clause alone."""
    listed = DEAL_WRONG.replace("deal-wrong", "deal-late") + "clauses = ['PIK Z(a)']\n"
    read = load({"PIK": f"{HEADER}\n{GOOD_ROW}\n"}, GOOD_WORDS + listed)
    assert read.clauses["PIK Z(a)"].findings == ("deal-wrong",)
    assert read.clauses["PIK Z(a)"].options == ("decks",)
    assert read.findings["deal-wrong"].clauses == read.findings["deal-late"].clauses == ("PIK Z(a)",)
