"""Shared answers: computed once in each generation, and again in a new one; the right is checked each time."""

from datetime import UTC, datetime, timedelta
from threading import Barrier, Thread
from types import SimpleNamespace
from typing import cast

import duckdb
import pytest

from consumers.room.readings import Look
from domain.desk.roles import ForbiddenError
from projections.reading import GenerationReader
from tests.room.conftest import Rooms

pytestmark = pytest.mark.xdist_group("record")

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


def look(generation: int, made_at: datetime = NOON) -> Look:
    """A look at a generation that nobody asks anything of."""
    nothing = cast(GenerationReader, SimpleNamespace(source=None, source_of=None, positions={}))
    return Look(cast(duckdb.DuckDBPyConnection, None), made_at, generation, nothing)


def test_many_at_once_ask_once_and_a_new_generation_is_asked_anew(rooms: Rooms) -> None:
    asked: list[int] = []
    at_once = Barrier(8)

    def ask(generation: int) -> None:
        at_once.wait(90)
        rooms.room._shared(look(generation), "floor", lambda: asked.append(generation))

    for generation in (1, 2):
        threads = [Thread(target=ask, args=(generation,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(90)
    assert asked == [1, 2]
    rooms.room._shared(look(2, NOON + timedelta(seconds=1)), "floor", lambda: asked.append(3))
    assert asked == [1, 2, 3]


def test_an_answer_that_is_shared_is_still_denied_to_who_may_not_see_it(rooms: Rooms) -> None:
    mara, olga = rooms.visit("mara", "manager"), rooms.visit("olga", "operator")
    assert rooms.room.floor(mara).value is rooms.room.floor(olga).value
    with pytest.raises(ForbiddenError):
        rooms.room.floor(rooms.visit("eve"))
