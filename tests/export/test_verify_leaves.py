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

HEADS = [
    (10, "2026-11-14T23:59:00Z"),
    (20, "2026-11-16T12:00:00Z"),
    (30, "2026-11-17T12:00:00Z"),
    (40, "2026-11-21T00:00:00Z"),
]
# days | size of the tree | most leaves | from, to
DUE = """
2026-11-18 2026-11-19 |  50 | 100 | 20 50
2026-11-17 2026-11-17 |  50 | 100 | 10 50
2026-11-18 2026-11-19 | 500 | 100 | 20 40
2026-11-18 2026-11-20 | 500 | 100 | -
2026-11-18 2026-11-19 | 500 |  10 | -
0001-01-01 9999-12-31 |  50 | 100 | 0 50
-                     |  50 | 100 | 0 50
-                     | 500 | 100 | -
2026-11-18 2026-11-19 |  20 | 100 | 10 20
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in DUE.strip("\n").splitlines()]


@pytest.mark.parametrize(("days", "size", "most", "due"), ROWS, ids=[f"{row[0]} of {row[1]}" for row in ROWS])
def test_writer_and_verifier_list_the_same_leaves(
    days: str, size: str, most: str, due: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stretches, "MOST_LEAVES", int(most))
    first, _, last = days.partition(" ")
    asked = None if days == "-" else (first, last)
    wanted = None if due == "-" else tuple(map(int, due.split()))
    heads = {of: (b"", time) for of, time in HEADS} | {int(size): (b"", "2026-12-01T00:00:00Z")}
    assert stretches.leaves_due(asked, heads, int(size)) == wanted
    assert proofs.leaves_due(asked, HEADS, int(size), int(most)) == wanted


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


def test_leaves_from_before_the_days_are_not_listed(later: Bundle) -> None:
    begun = msgspec.json.decode(later.files["data/proofs/leaves.jsonl"].partition(b"\n")[0])
    assert begun["from"] == min(later.site.notes) > 0
    assert len(begun["peaks"]) == begun["from"].bit_count()
    found = outcome(later)
    assert found.startswith("proved "), found
    assert f"leaves of the tree since head {begun['from']} of 2026-11-10T23:59:00Z" in found
    assert "nothing was added later" not in found


def test_where_there_are_too_many_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "MOST_LEAVES", 5)
    bundle = honest().copy()
    del bundle.files["data/proofs/leaves.jsonl"]
    not_proved = outcome(bundle.listed().signed()).partition("NOT PROVED")[2]
    assert (
        "that no other stream falls under the question: whole tables, or their last days, may be left out" in not_proved
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
    with pytest.raises(ValueError, match="subtrees are told"):
        trees.Growing(size, [])
