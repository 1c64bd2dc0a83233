"""A citation of a clause that is in no book fails, wherever in the project it stands."""

import pytest

from tests.citations import ROOT, citations, cited_in, groups, project_files

# book | text after it | the clause or the group it is read as; empty: in no book
READINGS = [
    ("UTH-MA", "10(h)(4) s1 pays", "10(h)(4) s1"),
    ("UTH-MA", "13(k) column 7", "13(k) column 7"),
    ("UTH-MA", "11(d) Paytable A, the widest", "11(d) Paytable A"),
    ("UTH-MA", "4(a) s2 proviso", "4(a) s2 proviso"),
    ("UTH-MA", "13(h)a: left exposed", "13(h)a"),
    ("UTH-MA", "1 (Ante).", "1 (Ante)"),
    ("UTH-MD", "12.E#2(1)", "12.E#2(1)"),
    ("UTH-MD", "12.D(3)(b)(ii)(1)", "12.D(3)(b)(ii)(1)"),
    ("UTH-MD", "12.B, and more", "12.B"),
    ("PIK", '39.1 "Play 3 wager"', '39.1 "Play 3 wager"'),
    ("PIK", r"39.1 \"Play 3 wager\"", '39.1 "Play 3 wager"'),
    ("PIK", "39.11(b)/Pay Table 1", "39.11(b)/Pay Table 1"),
    ("PIK", "39.10(e)1iv", "39.10(e)1iv"),
    ("PIK", "39.3(a)/s1", "39.3(a)/s1"),
    ("PIK", "39.3(a)/s1-limits", "39.3(a)/s1-limits"),
    ("FAH", "(h)(9)(viii)/(ix)", "(h)(9)(viii)"),
    ("COL", "12(b)/Payout Odds", "12(b)/Payout Odds"),
    ("UTH-MD", "12.D: a group", "12.D"),
    ("PIK", "39.4(b) and", "39.4(b)"),
    ("PIK", "39.1.", "39.1"),
    ("FAH", "(h)", "(h)"),
    ("UTH-MA", "11(d) The floor", "11(d)"),
    ("UTH-MA", "15 (Irregularities)", "15"),
    ("UTH-MA", "10(h)(4) s9", ""),
    ("UTH-MA", "11(d) Paytable E", ""),
    ("UTH-MA", "13(k) column 8", ""),
    ("UTH-MA", "19", ""),
    ("UTH-MA", "1 (Anti)", ""),
    ("UTH-MD", "12.C(9)", ""),
    ("UTH-MD", "12.H", ""),
    ("UTH-MD", "12.E#3", ""),
    ("PIK", "39.13(a)", ""),
    ("PIK", "39.10(c)9", ""),
    ("PIK", "39.1 \"Play 4 wager\"", ""),
    ("PIK", "39.3(a)/s1-words", ""),
    ("PIK", "39.11(b)/Pay Table 3", ""),
    ("FAH", "(h)(9)(xv)", ""),
    ("COL", "16(a)", ""),
]  # fmt: skip


@pytest.mark.parametrize(("book", "rest", "read"), READINGS, ids=[f"{book} {rest}" for book, rest, _ in READINGS])
def test_a_reference_is_read_as_the_longest_clause_that_stands_there(book: str, rest: str, read: str) -> None:
    """The longest id wins; a group of clauses may be named; what goes on past both is in no book."""
    (found,) = citations(f"see {book} {rest}")
    assert (found.clause or found.group) == (f"{book} {read}" if read else "")
    assert found.known is bool(read)


def test_csv_doubles_the_quotes_of_a_definition() -> None:
    """An id with quotes is found in a table as in a sentence."""
    (found,) = citations('1,"COL 1 ""Push""",x', ".csv")
    assert found.clause == 'COL 1 "Push"'


def test_a_shared_prefix_is_no_group() -> None:
    """A reference is cut between its levels, not inside a number or a bracket."""
    whole = {"39", "39.1", "39.10(e)", "39.10(e)1", "1.13Y(b)1"}
    cut = {"3", "38.1", "39.10(", "39.10(e", "1.13", "39.10(e)1i"}
    assert {reference for reference in whole | cut if f"PIK {reference}" in groups()} == whole


def test_what_only_looks_like_a_book_is_no_citation() -> None:
    """A book's name without a reference, or inside another word, cites nothing."""
    assert not list(citations("COL and PIK, UTH-MD alone, XPIK 39.1, test_uth_md_12_b_2, PIK P12"))


def test_every_citation_in_the_project_is_of_a_clause_in_some_book() -> None:
    """File, line and text of each citation that no rule book bears out; there must be none."""
    seen = 0
    unknown = []
    for path in project_files():
        for found in cited_in(path):
            seen += 1
            if not found.known:
                unknown.append(f"{path.relative_to(ROOT)}:{found.line}: {found.text}")
    assert not unknown, "\n".join(unknown)
    assert seen > 100
