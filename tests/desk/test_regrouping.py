"""People set findings apart and join incidents: who decides last, and what is refused."""

import pytest

from domain.desk import regrouping
from domain.desk.acting import DeskAct, RefusedError
from domain.desk.records import decode, encode
from domain.desk.regrouping import Regrouping
from domain.facts.envelope import Fact
from domain.incidents import Joined, KeptApart

DAY = "2026-11-18"
ONE, OTHER = ("a", "b", "c"), ("d", "e")


def act(number: int) -> DeskAct:
    return DeskAct("ann", 1_795_036_205_000_001 + number, f"key-{number}")


def after(state: Regrouping, made: list[Fact]) -> Regrouping:
    """Return the state after records as the desk stores them."""
    for record in made:
        stored = decode(encode(record))
        placed = type(stored)(
            **{
                **{name: getattr(stored, name) for name in stored.__struct_fields__},
                "stream": state.id,
                "sequence": state.version + 1,
            }
        )
        state = regrouping.evolve(state, placed)
    return state


def test_findings_set_apart_and_joined_are_decisions_in_their_order() -> None:
    state = regrouping.initial(DAY)
    state = after(state, regrouping.set_apart(state, act(1), ["b"], ONE, "another seat"))
    state = after(state, regrouping.join(state, act(2), [ONE, OTHER], "the same dealer"))
    assert state.decisions == (KeptApart(("b",), ("a", "c")), Joined(("a", "b", "c", "d", "e")))
    assert state.id == f"regrouping/{DAY}"


def test_a_double_click_decides_once() -> None:
    state = regrouping.initial(DAY)
    state = after(state, regrouping.join(state, act(1), [ONE, OTHER], "one cause"))
    assert regrouping.join(state, act(1), [ONE, OTHER], "one cause") == []


@pytest.mark.parametrize(
    ("taken", "why", "code"),
    [
        ([], "x", "not-there"),
        (["z"], "x", "not-there"),
        (["a", "z"], "x", "not-there"),
        (["a", "b", "c"], "x", "already-so"),
        (["a"], " ", "words-missing"),
    ],
)
def test_what_cannot_be_set_apart_is_refused(taken: list[str], why: str, code: str) -> None:
    with pytest.raises(RefusedError) as refused:
        regrouping.set_apart(regrouping.initial(DAY), act(1), taken, ONE, why)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("incidents", "why", "code"),
    [
        ([], "x", "already-so"),
        ([ONE], "x", "already-so"),
        ([ONE, ONE], "x", "already-so"),
        ([ONE, OTHER], "", "words-missing"),
    ],
)
def test_what_cannot_be_joined_is_refused(incidents: list[tuple[str, ...]], why: str, code: str) -> None:
    with pytest.raises(RefusedError) as refused:
        regrouping.join(regrouping.initial(DAY), act(1), incidents, why)
    assert refused.value.code == code
