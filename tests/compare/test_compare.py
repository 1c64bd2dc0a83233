"""The comparison of two versions of the code notices what differs, and passes only what is listed as intended."""

from collections import Counter

import pytest

from tests.compare.__main__ import compared, compared_exports
from tests.compare.intended import Record

ROW = Record("row", "rounds", {"book": "PIK", "cents": 100})
FOUND = Record("finding", "T1", {"code": "capping", "says": "Seat 1 added to a wager.", "detectors": "3"})


@pytest.mark.parametrize(
    "other",
    [
        [],
        [ROW, ROW],
        [ROW._replace(place="hands")],
        [ROW._replace(fields={"book": "PIK", "cents": 200})],
        [ROW._replace(fields={"book": "PIK"})],
    ],
    ids=["none", "twice", "another table", "another amount", "a field less"],
)
def test_a_record_that_only_one_code_makes_is_a_difference(other: list[Record]) -> None:
    """Whichever side has it."""
    assert list(compared([ROW], other, Counter()))
    assert list(compared(other, [ROW], Counter()))


def test_equal_records_may_stand_in_another_order() -> None:
    """The order of rows is the store's own."""
    second = ROW._replace(place="hands")
    assert not list(compared([ROW, second], [second, ROW], Counter()))


def test_a_sentence_and_a_version_may_differ_and_a_code_may_not() -> None:
    """Intended differences are listed field by field."""
    reworded = FOUND._replace(fields={**FOUND.fields, "says": "Seat 1 increased a wager.", "detectors": "5"})
    assert not list(compared([FOUND], [reworded], Counter()))
    recoded = FOUND._replace(fields={**FOUND.fields, "code": "wager-late"})
    assert len(list(compared([FOUND], [recoded], Counter()))) == 2


def test_a_finding_of_a_new_code_is_counted_and_no_difference() -> None:
    """The earlier code cannot have it."""
    count: Counter[str] = Counter()
    fresh = FOUND._replace(fields={"code": "options-not-approved"})
    assert not list(compared([FOUND], [FOUND, fresh], count))
    assert count["intended new finding"] == 1


def test_an_added_finding_moves_the_places_of_others_and_a_lost_one_is_a_difference() -> None:
    """A finding of an old code may come only where this code makes it."""
    count: Counter[str] = Counter()
    first, moved = (FOUND._replace(fields={**FOUND.fields, "sequence": number}) for number in (1, 2))
    more = FOUND._replace(fields={"code": "deck-composition-wrong", "sequence": 1})
    assert not list(compared([first], [more, moved], count))
    assert count["intended new finding"] == 1
    assert len(list(compared([more, moved], [first], count))) == 1


def test_a_file_of_an_export_may_differ_by_the_digest_of_an_edition_alone() -> None:
    """Another byte is a fault, and so is a file that one export lacks."""
    digest, another = b"1" * 64, b"2" * 64
    earlier = {"data/tables/rounds.csv": b"T1,UTH-MA," + digest + b",26", "data/a.csv": b"1"}
    later = {"data/tables/rounds.csv": b"T1,UTH-MA," + another + b",26"}
    assert [each.place for each in compared_exports(earlier, later, Counter())] == ["file data/a.csv"]
    later["data/tables/rounds.csv"] = b"T1,UTH-MA," + another + b",27"
    assert len(list(compared_exports(earlier, later, Counter()))) == 2


def test_another_finding_beside_a_new_one_is_a_difference() -> None:
    """The stream of a table and the property is exempt for its marks alone."""
    known = FOUND._replace(place="T1+property/2026-11-18")
    assert list(compared([], [known], Counter()))
    mark = known._replace(fields={"type": "stream-verified.1"})
    assert not list(compared([], [mark], Counter()))
