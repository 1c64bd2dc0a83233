"""CloudEvents in and out, one to one."""

from typing import Any

import pytest

from domain.facts.catalogue import TYPES
from domain.facts.cloudevents import from_cloudevent
from domain.facts.codec import UnreadableFactError, encode
from domain.facts.envelope import LATEST
from domain.facts.samples import sample
from domain.facts.wagers import WagerPlaced
from tests.facts.events import to_cloudevent

FACT = WagerPlaced(2, "blind", 1000, at=1_795_036_205_000_001, source="T7-chips", source_key="T7-chips:9")
EVENT = to_cloudevent(FACT)


def test_a_fact_spoken_as_a_cloudevent() -> None:
    assert EVENT == {
        "specversion": "1.0",
        "type": "catwalk.wager-placed.1",
        "time": "2026-11-18T21:10:05.000001Z",
        "source": "T7-chips",
        "id": "T7-chips:9",
        "datacontenttype": "application/json",
        "data": {"seat": 2, "wager": "blind", "cents": 1000},
    }


@pytest.mark.parametrize("name", TYPES)
def test_there_and_back_gives_the_same_bytes(name: str) -> None:
    full = sample(TYPES[name])
    assert encode(from_cloudevent(to_cloudevent(full))) == encode(full)


def test_a_time_with_another_offset_is_the_same_moment() -> None:
    assert from_cloudevent({**EVENT, "time": "2026-11-18T16:10:05.000001-05:00"}) == FACT


def test_noughts_behind_the_microseconds_lose_nothing() -> None:
    assert from_cloudevent({**EVENT, "time": "2026-11-18T21:10:05.000001000Z"}) == FACT


def test_the_last_moment_there_is_goes_there_and_back() -> None:
    last = WagerPlaced(2, "blind", 1000, at=LATEST, source="T7-chips", source_key="T7-chips:9")
    assert to_cloudevent(last)["time"] == "9999-12-29T23:59:59.999999Z"
    assert from_cloudevent(to_cloudevent(last)) == last


FOREIGN: dict[str, Any] = {
    "dataschema": "https://example.com/schemas/wager",
    "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "tracestate": "a=b",
    "partitionkey": "T7",
    "comexampleextension1": 17,
    "expirytime": None,
}


@pytest.mark.parametrize("name", FOREIGN)
def test_an_attribute_that_others_add_is_accepted_and_changes_nothing(name: str) -> None:
    """So the same event with another trace is the same fact."""
    assert from_cloudevent(EVENT | {name: FOREIGN[name]}) == FACT


@pytest.mark.parametrize("time", ["2026-11-18t21:10:05.000001z", "2026-11-18t16:10:05.000001-05:00"])
def test_a_time_may_be_written_with_small_letters(time: str) -> None:
    """RFC 3339 allows it."""
    assert from_cloudevent(EVENT | {"time": time}) == FACT


@pytest.mark.parametrize("round_", ["12", 12], ids=["as text", "as a number"])
def test_a_number_may_be_text_or_a_number(round_: object) -> None:
    """CloudEvents has both: JSON writes an Integer as a number, and a header is text."""
    assert from_cloudevent(EVENT | {"round": round_}).round == 12


def test_null_is_an_attribute_left_out() -> None:
    assert from_cloudevent(EVENT | {"camera": None, "subject": None}) == FACT


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("another version", {"specversion": "0.3"}, "specversion is '0.3', and only 1.0 is supported"),
    ("another's type", {"type": "com.example.bet"}, "write it like catwalk.wager-placed.1"),
    ("data elsewhere", {"dataref": "x"}, "'dataref' says that the data is elsewhere: send it in the event"),
    ("a name of no CloudEvent", {"trace_parent": "x"}, "'trace_parent' is no name of CloudEvents: use lowercase"),
    ("capitals in a name", {"partitionKey": "x"}, "'partitionKey' is no name of CloudEvents"),
    ("the stream by its name in a fact", {"stream": "T7"}, "attribute 'stream' is unknown: write it as 'subject'"),
    ("the time by its name in a fact", {"at": "1"}, "attribute 'at' is unknown: write it as 'time'"),
    ("a part of the fact beside its data", {"form": "cash"}, "'form' is a field of wager-placed.1, not an attribute"),
    ("a time without a zone", {"time": "2026-11-18T21:10:05"}, "add a time zone"),
    ("a time in nanoseconds", {"time": "2026-11-18T21:10:05.000001001Z"}, "write at most six digits after the second"),
    (
        "the same behind a comma",
        {"time": "2026-11-18T21:10:05,0000010009Z"},
        "write at most six digits after the second",
    ),
    ("a time after 9999-12-29", {"time": "9999-12-31T23:59:59-05:00"}, "after 9999-12-29"),
    ("a time before 1970", {"time": "1969-12-31T23:59:59Z"}, "Expected `int` >= 0 - at `$.at`"),
    ("no time", {"time": None}, "time is None"),
    ("a sequence that is no number", {"sequence": "twelve"}, "attribute 'sequence' is 'twelve'"),
    ("data that is no object", {"data": [1]}, "data is not an object"),
    (
        "a field said twice",
        {"data": {**EVENT["data"], "source": "x"}},
        "source is in the data: write it as an attribute",
    ),
    (
        "an attribute hidden in the data",
        {"data": {**EVENT["data"], "stream": "T8"}},
        "stream is in the data: write it as an attribute",
    ),
    ("half a letter", {"data": {**EVENT["data"], "wager": "\ud83d"}}, "its data cannot be written as a fact"),
    ("a payload that is no fact", {"data": {"seat": 2}}, "missing required field `wager`"),
]


@pytest.mark.parametrize(("_what", "change", "says"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_is_no_fact_is_refused_saying_why(_what: str, change: dict[str, Any], says: str) -> None:
    with pytest.raises(UnreadableFactError) as refused:
        from_cloudevent(EVENT | change)
    assert says in str(refused.value)
