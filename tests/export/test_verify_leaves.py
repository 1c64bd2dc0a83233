"""Every leaf of the tree since before the days asked for: which are due, and what is said where they are too many."""

import msgspec
import pytest

from projections.export import proofs
from projections.export.verifier import stretches, trees
from tests.export.attacks import honest
from tests.export.builder import Bundle, Site
from tests.export.delivered import verify
from tests.export.scenes import exported, property_day, records, table_day
from tests.export.verified import outcome

# Size, what the head says of its time, and when a witness saw it, where one did.
HEADS = [
    (10, "2026-11-14T23:59:00Z", "2026-11-14T23:59:30Z"),
    (20, "2026-11-16T12:00:00Z", ""),
    (25, "2026-11-16T13:00:00Z", "2026-11-18T08:00:00Z"),
    (30, "2026-11-17T12:00:00Z", "2026-11-17T12:01:00Z"),
    (40, "2026-11-21T00:00:00Z", ""),
    (45, "2026-11-21T01:00:00Z", "2026-11-21T02:00:00Z"),
]
# days | size of the tree | first leaf shown | most leaves | from, to | the report
DUE = """
2026-11-18 2026-11-19 |  50 | 35 | 100 | 10 50 | the last head that a witness saw before the days
2026-11-18 2026-11-19 |  50 | 35 |  35 | 10 45 | to the first one behind them that a witness saw
2026-11-18 2026-11-19 |  50 | 35 |  30 | 10 40 | to the first one that says it is behind them
2026-11-18 2026-11-19 |  50 | 35 |  27 | 25 50 | from the last one that says it is before them
2026-11-18 2026-11-19 |  50 | 12 | 100 | 10 50 | what is shown lies behind it
2026-11-18 2026-11-19 |  50 |  9 | 100 |  0 50 | what is shown lies before it
2026-11-18 2026-11-19 |  50 | 22 |  30 | 10 40 | a head that says it was before what is shown is none to begin at
2026-11-17 2026-11-17 |  50 | 35 | 100 | 10 50 | a day earlier
2026-11-14 2026-11-14 |  50 | 35 | 100 |  0 50 | no head before: from the first leaf
2026-11-18 2026-11-19 | 500 | 35 | 100 | 10 45 | too many to the end
2026-11-18 2026-11-20 | 500 | 35 | 100 |  -    | too many, and no head behind
2026-11-18 2026-11-19 | 500 | 35 |  10 |  -    | too many whatever is done
0001-01-01 9999-12-31 |  50 | 35 | 100 |  0 50 | every day there is
-                     |  50 | 35 | 100 |  0 50 | no days
-                     | 500 | 35 | 100 |  -    | no days, and too many
2026-11-18 2026-11-19 |  20 | 15 | 100 | 10 20 | an earlier checkpoint
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in DUE.strip("\n").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=[row[-1] for row in ROWS])
def test_writer_and_verifier_list_the_same_leaves(row: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    first, _, last = row[0].partition(" ")
    size, shown, most = map(int, row[1:4])
    monkeypatch.setattr(stretches, "MOST_LEAVES", most)
    asked = None if row[0] == "-" else (first, last)
    wanted = None if row[4] == "-" else tuple(map(int, row[4].split()))
    heads = [(of, time, (seen,) if seen else ()) for of, time, seen in HEADS] + [(size, "2026-12-01T00:00:00Z", ())]
    assert stretches.leaves_due(asked, [stretches.Listed(*head) for head in heads], size, shown) == wanted
    assert proofs.leaves_due(asked, [proofs.ListedHead(*head) for head in heads], size, shown, most) == wanted


def test_they_allow_each_other_as_many() -> None:
    assert proofs.MOST_LEAVES == stretches.MOST_LEAVES


@pytest.fixture(scope="module")
def later() -> Bundle:
    """A record with a day long before those that are asked for."""
    before = property_day("2026-11-10", None)
    table = table_day("T8", "2026-11-10", None, rounds=2, close=True)
    site = Site({**records(), ("facts", before.stream): before.stored, ("facts", table.stream): table.stored}, cuts=2)
    kept = {of: stored for of, stored in site.records.items() if not of[1].startswith(("T8/", "property/2026-11-10"))}
    return exported(site, kept)


def test_a_head_that_nobody_else_saw_begins_no_list(later: Bundle) -> None:
    """The property alone says that it was before the days; from the first leaf on nobody has to be believed."""
    begun = msgspec.json.decode(later.files["data/proofs/leaves.jsonl"].partition(b"\n")[0])
    assert begun == {"from": 0, "to": max(later.site.notes), "peaks": []}
    found = outcome(later)
    assert found.startswith("proved "), found
    assert f"every stream that the question covers is here, by all {begun['to']} leaves of the tree" in found
    assert "nothing was added later" not in found


def test_where_there_are_too_many_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "MOST_LEAVES", 5)
    bundle = honest().copy()
    del bundle.files["data/proofs/leaves.jsonl"]
    not_proved = outcome(bundle.listed().signed()).partition("NOT PROVED")[2]
    assert (
        "that the question covers no other stream: whole tables, their last days, or findings about them may be left out"
        in not_proved
    )
    assert "that nothing was added later to 2 streams of findings or of the desk" in not_proved


@pytest.mark.parametrize("size", range(1, 40))
def test_a_tree_grown_from_its_peaks_has_the_root_of_the_whole(size: int) -> None:
    leaves = [bytes([number]) * 32 for number in range(40)]
    for begin in range(size):
        peaks, at = [], 0
        for level in reversed(range(6)):
            if begin >> level & 1:
                peaks.append(trees.root_of(leaves[at : at + (1 << level)]))
                at += 1 << level
        tree = trees.Growing(begin, peaks)
        for leaf in leaves[begin:size]:
            tree.add(leaf)
        assert tree.root == trees.root_of(leaves[:size])
    with pytest.raises(ValueError, match="subtrees for the first"):
        trees.Growing(size, [])
