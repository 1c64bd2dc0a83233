"""The review of a finding: who may do what, and when, as a table of stories; and what holds for all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.desk import review
from domain.desk.acting import DeskAct, RefusedError
from domain.desk.records import decode, encode
from domain.desk.review import Review
from domain.facts.envelope import Fact
from tests.desk.stories import Step, answered, told

STEPS: dict[str, Step] = {
    "claim": review.claim,
    "take-over": lambda state, act: review.claim(state, act, take_over=True),
    "release": lambda state, act: review.release(state, act, "end of shift"),
    "acknowledge": review.acknowledge,
    "note": lambda state, act: review.note(state, act, "looked at the video"),
    "escalate": lambda state, act: review.escalate(state, act, "manager", "a second time this week"),
    "close": lambda state, act: review.close(state, act, "dealer-error", "miscounted", severity="procedure", edition=0),
    "propose": lambda state, act: review.close(state, act, "dealer-error", "overpaid", severity="money", edition=0),
    "agree": lambda state, act: review.agree(state, act, 0),
    "agree-to-another": lambda state, act: review.agree(state, act, 1),
    "reject": lambda state, act: review.reject(state, act, "the hand was a straight"),
    "reopen": lambda state, act: review.reopen(state, act, "the player complained"),
    "blank-note": lambda state, act: review.note(state, act, "  "),
}

# What was done before, by whom; what is tried; the state after it, or why it is refused.
STORIES = """
-                                              | ann claim             | claimed
-                                              | ann acknowledge       | new
-                                              | ann note              | new
-                                              | ann blank-note        | words-missing
-                                              | ann release           | not-claimed
-                                              | ann close             | not-claimed
-                                              | ann escalate          | not-claimed
-                                              | ann agree             | nothing-proposed
-                                              | ann reopen            | open
ann claim                                      | ann claim             | already-so
ann claim                                      | bob claim             | claimed-by-another
ann claim                                      | bob take-over         | claimed
ann claim                                      | bob release           | not-yours
ann claim                                      | bob close             | not-yours
ann claim                                      | ann release           | new
ann claim                                      | ann close             | closed
ann claim                                      | ann propose           | proposed
ann claim                                      | ann escalate          | escalated
ann claim; ann escalate                        | ann close             | not-claimed
ann claim; ann escalate                        | bob claim             | claimed
ann claim; ann propose                         | ann agree             | same-person
ann claim; ann propose                         | ann reject            | same-person
ann claim; ann propose                         | ann propose           | second-review-due
ann claim; ann propose                         | bob agree             | closed
ann claim; ann propose                         | bob agree-to-another  | too-late
ann claim; ann propose                         | bob reject            | claimed
ann claim; ann propose; bob take-over          | cho agree             | nothing-proposed
ann claim; ann propose; bob reject             | ann propose           | proposed
ann claim; ann close                           | bob claim             | closed
ann claim; ann close                           | bob note              | closed
ann claim; ann close                           | bob reopen            | new
ann claim; ann close; bob reopen               | cho claim             | claimed
"""


def placed(state: Review, made: list[Fact]) -> Review:
    """The review after records that get their place and their stored form."""
    for record in made:
        whole = replace(record, stream=state.id, sequence=state.version + 1)
        state = review.evolve(state, decode(encode(whole)))
    return state


def played(steps: list[str]) -> Review:
    """The review after these steps."""
    state = review.initial("f1")
    for number, step in enumerate(steps):
        who, what = step.split()
        state = placed(state, STEPS[what](state, DeskAct(who, number, f"k{number}")))
    return state


@pytest.mark.parametrize(("before", "tried", "then"), told(STORIES), ids=str)
def test_a_review_goes_on_as_the_table_says(before: list[str], tried: str, then: str) -> None:
    state = played(before)
    who, what = tried.split()
    made, refused = answered(STEPS[what], state, DeskAct(who, 99, "k99"))
    assert (refused or placed(state, made).state) == then


STEP = st.tuples(st.sampled_from(["ann", "bob", "cho"]), st.sampled_from(sorted(STEPS)))


@given(st.lists(STEP, max_size=14))
def test_whatever_is_tried_the_same_act_again_records_nothing_and_two_people_close_what_concerns_money(
    steps: list[tuple[str, str]],
) -> None:
    state, records = review.initial("f1"), list[Fact]()
    for number, (who, what) in enumerate(steps):
        act = DeskAct(who, number, f"k{number}")
        try:
            made = STEPS[what](state, act)
        except RefusedError:
            continue
        holder = state.holder
        before = state.proposal
        for record in made:
            whole = decode(encode(replace(record, stream=state.id, sequence=state.version + 1)))
            records.append(whole)
            state = review.evolve(state, whole)
            if isinstance(whole, review.FindingClosed):
                assert what == "close" or (before is not None and before.by != who)
                assert what != "close" or holder == who
        if made:
            assert STEPS[what](state, act) == []
    again = review.fold("f1", records)
    assert again == state


def test_a_finding_revised_after_it_was_closed_shows() -> None:
    state = played(["ann claim", "ann close"])
    assert not review.changed_since(state, 0)
    assert review.changed_since(state, 1)
    assert not review.changed_since(played(["ann claim"]), 1)


def test_everybody_who_saw_it_is_told_once() -> None:
    state = played(["ann acknowledge", "ann acknowledge", "bob claim"])
    assert state.acknowledged_by == ("ann", "bob")
