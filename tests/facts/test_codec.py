"""Facts to bytes and back, and everything that is refused on the way."""

from typing import Literal

import msgspec
import pytest

from domain.facts.catalogue import TYPES
from domain.facts.codec import Codec, UnreadableFactError, decode, encode
from domain.facts.envelope import Cents, Fact, Seat
from domain.facts.samples import sample
from domain.facts.wagers import WagerPlaced

PLACED = WagerPlaced(
    2, "blind", 1000, at=1, source="T7-chips", source_key="T7-chips:9", stream="T7/2026-11-18", sequence=3, round=1
)
STORED = encode(PLACED)


def test_a_fact_is_one_flat_json_object_with_its_defaults_left_out() -> None:
    assert STORED == (
        b'{"type":"wager-placed.1","seat":2,"wager":"blind","cents":1000,"at":1,"source":"T7-chips",'
        b'"source_key":"T7-chips:9","stream":"T7/2026-11-18","sequence":3,"round":1}'
    )


@pytest.mark.parametrize("name", TYPES)
def test_what_is_written_reads_back_the_same(name: str) -> None:
    full = sample(TYPES[name])
    assert decode(encode(full)) == full


REFUSED = [
    ("an unknown field", STORED[:-1] + b',"colour":"red"}', "Object contains unknown field `colour`"),
    (
        "money with a decimal point",
        STORED.replace(b"1000", b"10.5"),
        "Expected `int | null`, got `float` - at `$.cents`",
    ),
    ("money as a text", STORED.replace(b"1000", b'"10"'), "Expected `int | null`, got `str` - at `$.cents`"),
    ("less than nothing", STORED.replace(b"1000", b"-1"), "Expected `int` >= 0 - at `$.cents`"),
    ("a seat no table has", STORED.replace(b'"seat":2', b'"seat":13'), "Expected `int` <= 12 - at `$.seat`"),
    (
        "a time after 9999-12-29",
        STORED.replace(b'"at":1', b'"at":253402300800000000'),
        "It is a time after 9999-12-29, and microseconds since 1970 are expected - at `$.at`",
    ),
    ("a time of thirty digits", STORED.replace(b'"at":1', b'"at":' + b"9" * 30), "after 9999-12-29"),
    ("a time before 1970", STORED.replace(b'"at":1', b'"at":-1'), "Expected `int` >= 0 - at `$.at`"),
    ("a wager nobody knows", STORED.replace(b"blind", b"blnd"), "Invalid enum value 'blnd' - at `$.wager`"),
    ("a type nobody knows", STORED.replace(b"placed.1", b"placed.9"), "There is no fact of type 'wager-placed.9'"),
    ("no type", b'{"seat":2}', "Object missing required field `type`"),
    ("a missing field", STORED.replace(b'"seat":2,', b""), "Object missing required field `seat`"),
    ("no object", b"[1]", "Expected `object`, got `array`"),
    ("half a fact", STORED[:40], "it is not JSON"),
    ("two facts", STORED + STORED, "it is not JSON"),
    ("no text", b"\xff\xfe", "it is not JSON"),
    ("nothing", b"", "it is not JSON"),
]


@pytest.mark.parametrize(("_what", "stored", "says"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_is_no_fact_is_refused_saying_where(_what: str, stored: bytes, says: str) -> None:
    with pytest.raises(UnreadableFactError) as refused:
        decode(stored)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    "other",
    [
        STORED.replace(b'"seat":2', b'"seat":1,"seat":2'),
        STORED.replace(b":1000", b": 1000"),
        STORED[:-1] + b',"previous":""}',
    ],
    ids=["a doubled field", "a spare space", "a default written out"],
)
def test_bytes_that_say_the_same_otherwise_are_not_the_stored_form(other: bytes) -> None:
    assert decode(other) == PLACED
    assert encode(decode(other)) == STORED != other


class OldWagerPlaced(Fact, frozen=True, tag="wager-placed.0"):
    """A wager as an old version might have stored it: dollars, and one word for two wagers."""

    seat: Seat
    kind: Literal["main", "side"]
    dollars: Cents


def lifted(old: OldWagerPlaced) -> WagerPlaced:
    envelope = {name: getattr(old, name) for name in Fact.__struct_fields__}
    return WagerPlaced(old.seat, "ante" if old.kind == "main" else "trips", old.dollars * 100, **envelope)


def test_an_old_form_is_lifted_as_it_is_read_and_never_written() -> None:
    codec = Codec(TYPES.values(), {OldWagerPlaced: lifted})
    old = OldWagerPlaced(4, "side", 5, at=7, source="a", source_key="a:1", stream="T1/2020-01-01", sequence=9)
    read = codec.decode(msgspec.json.encode(old))
    assert read == WagerPlaced(4, "trips", 500, at=7, source="a", source_key="a:1", stream="T1/2020-01-01", sequence=9)
    assert codec.decode(STORED) == PLACED
    with pytest.raises(TypeError):
        codec.encode(old)
