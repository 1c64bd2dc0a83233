"""The clause register walked both ways: every clause that events can show has a detector and a case, and no more."""

import sys
from collections import Counter

from domain.clauses import BOOKS, all_clauses, findings
from domain.watch import pair_rules
from domain.watch.detecting import JUDGES, WATCHERS
from domain.watch.laws import LAWS
from tests.watch.test_cases import CASES as AT_A_TABLE
from tests.watch.test_pair_rules import CASES as ACROSS_TABLES

CASES = [*AT_A_TABLE, *ACROSS_TABLES]

EVENTS = {name: row for name, row in all_clauses().items() if row.observable == "events"}
CITED = {(name, law.code) for law in LAWS for names in law.clauses.values() for name in names}
DETECTORS = (JUDGES, *WATCHERS.values(), pair_rules.DETECTORS)
ENFORCED = {law for detectors in DETECTORS for detector in detectors for law in detector.laws}


def missing(names: set[str]) -> str:
    """The clauses of the register that are not among these, by book."""
    return "; ".join(sorted(EVENTS.keys() - names))


def test_every_clause_that_events_can_show_is_cited_by_a_detector() -> None:
    named = {name for name, code in CITED if name in EVENTS and code in EVENTS[name].findings}
    left = len(EVENTS.keys() - named)
    assert left == 0, f"{left} without a detector: {missing(named)}"


def test_every_clause_that_events_can_show_has_a_case_that_breaks_it() -> None:
    shown = {name for case in CASES for name in case.names if name in EVENTS and case.code in EVENTS[name].findings}
    by_book = Counter(EVENTS[name].book for name in shown)
    books = ", ".join(f"{book} {by_book[book]}" for book in BOOKS)
    sys.stdout.write(f"\n{len(shown)} of {len(EVENTS)} clauses shown: {books}\n")
    left = len(EVENTS.keys() - shown)
    assert left == 0, f"{left} without a case: {missing(shown)}"


def test_a_law_cites_a_clause_only_with_a_code_the_register_gives_it() -> None:
    rows = all_clauses()
    unknown = sorted(f"{code} by {name}" for name, code in CITED if name not in rows)
    assert not unknown
    wrong = sorted(f"{code} by {name}" for name, code in CITED if code not in rows[name].findings)
    named = {f"{code} by {name}" for code, finding in findings().items() for name in finding.clauses}
    assert not set(wrong) - named


def test_every_law_belongs_to_a_detector() -> None:
    assert [law.code for law in LAWS if law not in ENFORCED] == []


def test_every_code_of_a_clause_is_raised_by_a_law() -> None:
    codes = {code for row in EVENTS.values() for code in row.findings}
    assert codes - {law.code for law in LAWS} == set()
