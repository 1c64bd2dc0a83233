"""An export at the desk: ordered by one, signed by another."""

import pytest

from domain.desk import export
from domain.desk.acting import DeskAct
from domain.desk.export import Export
from domain.desk.records import decode, encode
from tests.desk.stories import Step, answered, told

STEPS: dict[str, Step] = {
    "order": lambda state, act: export.order(
        state, act, "{}", asked="Tables: T1", purpose="audit", recipient="Board", checkpoint=22
    ),
    "order-for-nothing": lambda state, act: export.order(
        state, act, "{}", asked="Tables: T1", purpose=" ", recipient="Board", checkpoint=22
    ),
    "sign": lambda state, act: export.sign(state, act, "export-1", digest="a" * 64, size=10, facts=3),
    "sign-another": lambda state, act: export.sign(state, act, "export-1", digest="b" * 64, size=10, facts=3),
    "decline": lambda state, act: export.decline(state, act, "not theirs to know"),
}

# What was done before, by whom; what is tried; what is recorded by it, or why it is refused.
STORIES = """
-                                   | ann order             | ExportOrdered
-                                   | ann order-for-nothing | words-missing
-                                   | bob sign              | not-there
-                                   | bob decline           | not-there
ann order                           | dia order             | -
ann order                           | ann sign              | same-person
ann order                           | bob sign              | ExportSigned
ann order; bob sign                 | bob sign              | -
ann order; bob sign                 | bob sign-another      | already-so
ann order; bob sign                 | dia sign              | already-so
ann order; bob sign                 | bob decline           | already-so
ann order                           | bob decline           | ExportDeclined
ann order; bob decline              | dia sign              | closed
ann order; bob decline              | dia decline           | already-so
ann order; bob decline              | ann order             | ExportOrdered
ann order; bob decline; ann order   | dia sign              | ExportSigned
"""


@pytest.mark.parametrize(("before", "tried", "then"), told(STORIES), ids=str)
def test_who_may_do_what_when(before: list[str], tried: str, then: str) -> None:
    state: Export = export.initial("order-1")
    for number, step in enumerate(before, 1):
        state = _done(state, step, number)
    who, _, act = tried.partition(" ")
    made, refused = answered(STEPS[act], state, DeskAct(who, 100, "last"))
    assert (refused or ", ".join(type(each).__name__ for each in made) or "-") == then
    for each in made:
        assert decode(encode(each)) == each


def _done(state: Export, step: str, number: int) -> Export:
    who, _, act = step.partition(" ")
    for record in STEPS[act](state, DeskAct(who, number, f"k{number}")):
        state = export.evolve(state, record)
    return state


def test_a_double_click_is_one_act() -> None:
    state = _done(export.initial("order-1"), "ann order", 1)
    state = _done(state, "bob decline", 2)
    assert STEPS["order"](state, DeskAct("ann", 9, "k1")) == []
