"""One contract for the relay, wherever the desk's records lie; the topics here are embedded logs. Kafka: tests/kafka."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Event

import pytest

from consumers.desk.application import Desk, desk_of
from consumers.desk.relay import Relay, RelayStoppedError
from consumers.kafka.topic_names import Kind
from consumers.logs.sqlite import SqliteLog
from domain.desk import access, case, review
from domain.desk.acting import DeskAct
from domain.desk.records import decode
from tests.desk.conftest import Opened

pytestmark = pytest.mark.xdist_group("postgres")

NOON = 1_795_003_200_000_000
Topics = Mapping[Kind, SqliteLog]


@pytest.fixture
def topics(tmp_path: Path) -> Iterator[Topics]:
    made: Topics = {kind: SqliteLog(tmp_path / f"{kind}.log", create=True, name=kind) for kind in ("cases", "access")}
    yield made
    for log in made.values():
        log.close()


def work(desk: Desk, number: int) -> None:
    """A finding claimed, a case opened and remarked on, a hand looked at."""
    act = DeskAct("ann", NOON, f"k{number}")
    desk.on_finding(f"f{number}", lambda state: review.claim(state, act))
    opened = desk.open_case(act, "dispute", "A flush")
    desk.on_case(opened.number, lambda state: case.note(state, DeskAct("ann", NOON, f"n{number}"), "called the floor"))
    desk.looked([access.looked(act, "hand", f"T7/2026-11-18 round {number}")])


def held(topics: Topics) -> dict[str, list[str]]:
    """Content of each topic, by place."""
    return {kind: [decode(stored).id for _, stored in log.read(0, 0, 1_000)] for kind, log in topics.items()}


def through(desk: Desk, topics: Topics, name: str = "relay/here") -> int:
    """A relay that publishes what is there; how much that was."""
    relay = Relay(desk, topics, name)
    relay.through(Event())
    return relay.published


def test_every_record_is_published_once_to_its_topic_in_the_order_of_the_desk(opened: Opened, topics: Topics) -> None:
    desk = opened()
    work(desk, 1)
    assert through(desk, topics) == 5
    assert through(opened(), topics) == 0
    work(desk, 2)
    assert through(opened(), topics) == 5
    each = [[f"review/f{n}:1", f"cases/2026:{n}", f"case/2026-000{n}:1", f"case/2026-000{n}:2"] for n in (1, 2)]
    looks = ["access/2026-11-18:1", "access/2026-11-18:2"]
    assert held(topics) == {"cases": each[0] + each[1], "access": looks}


def test_what_was_sent_before_the_position_was_noted_is_not_sent_again(opened: Opened, topics: Topics) -> None:
    desk = opened()
    work(desk, 1)
    through(desk, topics)
    before = held(topics)
    assert through(desk, topics, "relay/that noted nothing") == 5
    assert held(topics) == before


def test_a_relay_that_is_behind_another_does_no_harm(opened: Opened, topics: Topics) -> None:
    desk = opened()
    work(desk, 1)
    slow, fast = Relay(desk, topics, "relay/here"), Relay(opened(), topics, "relay/here")
    fast.through(Event())
    slow._move(1)
    assert slow.position == fast.position == 5


def test_another_desk_s_records_are_not_mixed_in(opened: Opened, topics: Topics, tmp_path: Path) -> None:
    desk = opened()
    work(desk, 1)
    through(desk, topics)
    other = desk_of(data=tmp_path / "other")
    other.looked([access.looked(DeskAct("eve", NOON, "k9"), "hand", "T9/2026-11-18 round 1")])
    before = held(topics)
    with pytest.raises(RelayStoppedError, match="another desk"):
        through(other, topics)
    assert held(topics) == before
    other.close()
