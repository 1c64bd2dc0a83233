"""A case: what may be said in it, who may see it, and what stays."""

import pytest
from msgspec.structs import replace

from domain.desk import case
from domain.desk.acting import DeskAct
from domain.desk.case import Case, VideoHold
from domain.desk.records import decode, encode
from tests.desk.stories import Step, answered, told

HOLD = VideoHold("NVR-2", "cam-14", 1_000, 2_000, 9_000)
STEPS: dict[str, Step] = {
    "open": lambda state, act: case.open_case(state, act, "dispute", "A flush that was not paid", jurisdiction="PA"),
    "assign": lambda state, act: case.assign(state, act, "bob"),
    "finding": lambda state, act: case.link_finding(state, act, "f1"),
    "hand": lambda state, act: case.link_hand(state, act, "T7/2026-11-18", 142, 4),
    "person": lambda state, act: case.link_person(state, act, "p-1", "claimant"),
    "unlink": lambda state, act: case.unlink(state, act, "T7/2026-11-18 round 142 seat 4", "another hand"),
    "note": lambda state, act: case.note(state, act, "called the shift manager"),
    "claim": lambda state, act: case.make_claim(state, act, "He held a flush", 12_500),
    "rule": lambda state, act: case.rule(state, act, "Paid", "shift manager", 12_500),
    "hold": lambda state, act: case.hold_video(state, act, HOLD),
    "hold-backwards": lambda state, act: case.hold_video(state, act, replace(HOLD, to_at=0)),
    "secure": lambda state, act: case.secure_video(state, act, HOLD.place, "vault 3"),
    "seal": lambda state, act: case.seal(state, act, ["dia"], "asked by the regulator"),
    "seal-for-nobody": lambda state, act: case.seal(state, act, [" "], "asked by the regulator"),
    "unseal": lambda state, act: case.unseal(state, act, "released"),
    "close": lambda state, act: case.close(state, act, "paid", "The claim was right", 12_500),
    "reopen": lambda state, act: case.reopen(state, act, "a witness came forward"),
}

# What was done before, by whom; what is tried; what is recorded by it, or why it is refused.
STORIES = """
-                                  | ann open            | CaseOpened
-                                  | ann note            | not-there
ann open                           | bob open            | already-there
ann open                           | bob assign          | CaseAssigned
ann open; ann assign               | ann assign          | -
ann open                           | ann finding         | FindingLinked
ann open; ann finding              | bob finding         | -
ann open; ann hand                 | bob hand            | -
ann open                           | ann unlink          | not-there
ann open; ann hand                 | ann unlink          | LinkRemoved
ann open                           | ann claim           | ClaimMade
ann open                           | ann rule            | RulingMade
ann open                           | ann hold            | VideoHeld
ann open                           | ann hold-backwards  | too-late
ann open; ann hold                 | ann hold            | -
ann open                           | ann secure          | not-there
ann open; ann hold                 | ann close           | open
ann open; ann hold; ann secure     | ann close           | CaseClosed
ann open                           | ann seal-for-nobody | words-missing
ann open; ann seal                 | ann note            | sealed
ann open; ann seal                 | dia note            | CaseNoted
ann open; ann seal                 | ann unseal          | sealed
ann open; ann seal                 | dia unseal          | CaseUnsealed
ann open                           | ann unseal          | already-so
ann open                           | ann reopen          | open
ann open; ann close                | ann finding         | closed
ann open; ann close                | ann note            | CaseNoted
ann open; ann close                | bob reopen          | CaseReopened
"""


def played(steps: list[str]) -> Case:
    """The case after these steps."""
    state = case.initial("2026-0001")
    for number, step in enumerate(steps):
        who, what = step.split()
        for record in STEPS[what](state, DeskAct(who, number, f"k{number}")):
            whole = replace(record, stream=state.id, sequence=state.version + 1)
            state = case.evolve(state, decode(encode(whole)))
    return state


@pytest.mark.parametrize(("before", "tried", "then"), told(STORIES), ids=str)
def test_a_case_goes_on_as_the_table_says(before: list[str], tried: str, then: str) -> None:
    state = played(before)
    who, what = tried.split()
    act = DeskAct(who, 99, "k99")
    made, refused = answered(STEPS[what], state, act)
    assert (refused or (type(made[0]).__name__ if made else "-")) == then
    for record in made:
        state = case.evolve(state, replace(record, stream=state.id, sequence=state.version + 1))
        assert STEPS[what](state, act) == []


def test_a_case_tells_all_that_was_said_in_it() -> None:
    state = played(
        ["ann open", "ann hand", "ann person", "ann claim", "ann rule", "ann note", "ann hold", "ann secure"]
    )
    assert [case.hand_name(hand) for hand in state.hands] == ["T7/2026-11-18 round 142 seat 4"]
    assert [(person.person, person.role) for person in state.people] == [("p-1", "claimant")]
    assert state.claim is not None
    assert state.claim.cents == 12_500
    assert state.ruling is not None
    assert state.ruling.ruled_by == "shift manager"
    assert [note.text for note in state.notes] == ["called the shift manager"]
    assert state.holds == (replace(HOLD, copied_to="vault 3"),)
    assert state.lead == "ann"


def test_a_sealed_case_is_shown_to_those_it_is_sealed_for_and_nobody_else() -> None:
    state = played(["ann open", "ann seal"])
    assert case.seen_by(state, "dia")
    assert not case.seen_by(state, "ann")
