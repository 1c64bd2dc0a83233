"""Tables of stories: what was done before, by whom; what is tried; what comes of it."""

from collections.abc import Callable
from typing import Any

from domain.desk.acting import DeskAct, RefusedError
from domain.facts.envelope import Fact

Step = Callable[[Any, DeskAct], list[Fact]]


def told(text: str) -> list[tuple[list[str], str, str]]:
    """The rows of such a table."""
    rows = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
    return [([] if before == "-" else before.split("; "), tried, then) for before, tried, then in rows]


def answered(step: Step, state: Any, act: DeskAct) -> tuple[list[Fact], str]:
    """The record that an act writes, or the code of its refusal, which must be a whole sentence."""
    try:
        return step(state, act), ""
    except RefusedError as refused:
        if not str(refused).endswith("."):
            raise
        return [], refused.code
