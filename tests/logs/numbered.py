"""Facts by the million: one payload, numbered."""

from collections.abc import Iterator

from consumers.logs import StoredFact
from domain.facts.wagers import WagerPlaced
from tests.logs.stored import stored_fact

_SAMPLE = stored_fact(
    WagerPlaced(
        at=1_795_036_205_000_001,
        source="T7-reader",
        source_key="T7-reader:991",
        stream="<stream>",
        sequence=987_654_321,
        previous="0123456789abcdef" * 4,
        round=3,
        camera="cam-14",
        time_code="21:10:05:07",
        seat=4,
        wager="ante",
        cents=2500,
        player="p-1007",
    )
)
TYPE = _SAMPLE.type
_HEAD, _REST = _SAMPLE.stored.split(b"<stream>")
_MIDDLE, _TAIL = _REST.split(b"987654321")


def numbered(stream: str, sequence: int) -> StoredFact:
    """The fact of that place."""
    stored = b"%b%b%b%d%b" % (_HEAD, stream.encode(), _MIDDLE, sequence, _TAIL)
    return StoredFact(stream, sequence, TYPE, stored)


def run(stream: str, first: int, last: int) -> list[StoredFact]:
    """Facts of one stream from one sequence to another."""
    return [numbered(stream, sequence) for sequence in range(first, last + 1)]


def crowd(tables: int, count: int, day: str, first: int = 1) -> Iterator[StoredFact]:
    """Facts of that many tables on one day, in turns, as a busy floor sends them."""
    streams = [f"C{table}/{day}" for table in range(tables)]
    return (numbered(streams[number % tables], first + number // tables) for number in range(count))
