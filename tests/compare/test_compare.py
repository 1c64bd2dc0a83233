"""The comparison of two versions of the code notices what differs, and lists as intended only what is listed."""

from collections import Counter

from tests.compare.__main__ import compared, compared_exports
from tests.compare.intended import differs


def test_a_field_that_differs_is_named_with_its_place() -> None:
    """Equal fields are left out."""
    one = ("row rounds:1", {"book": "PIK", "cents": 100})
    other = ("row rounds:1", {"book": "PIK", "cents": 200})
    (found,) = compared(iter([one]), iter([other]), Counter())
    assert (found.place, found.field, found.before, found.after) == ("row rounds:1", "cents", 100, 200)
    assert not differs(found)


def test_a_missing_record_is_a_difference() -> None:
    """Also at the end of the shorter list."""
    one = ("finding T1:1", {"code": "capping"})
    (found,) = compared(iter([one]), iter([]), Counter())
    assert found.after == "nothing"
    assert not differs(found)


def test_intended_differences_are_known_by_their_field() -> None:
    """A field beside them stays a fault."""
    one = ("finding T1:1", {"detectors": "3", "code": "capping"})
    other = ("finding T1:1", {"detectors": "4", "code": "wager-late"})
    assert [bool(differs(each)) for each in compared(iter([one]), iter([other]), Counter())] == [False, True]


def test_a_file_of_an_export_may_differ_by_the_digest_of_an_edition_alone() -> None:
    """Another byte is a fault, and so is a file that one export lacks."""
    digest, another = b"1" * 64, b"2" * 64
    earlier = {"data/tables/rounds.csv": b"T1,UTH-MA," + digest + b",26", "data/a.csv": b"1"}
    later = {"data/tables/rounds.csv": b"T1,UTH-MA," + another + b",26"}
    assert [each.place for each in compared_exports(earlier, later, Counter())] == ["file data/a.csv"]
    later["data/tables/rounds.csv"] = b"T1,UTH-MA," + another + b",27"
    assert len(list(compared_exports(earlier, later, Counter()))) == 2
