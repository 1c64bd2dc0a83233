"""The file of dead letters: the letters kept, those due for the topic, and the topic read back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.letter_records import (
    LONGEST,
    DeadLetter,
    DeadLetterRetried,
    Letter,
    LetterRecord,
    decode,
    digest,
    encode,
    record_of,
)
from consumers.gateway.letters_read import letters_in
from consumers.gateway.quarantine import Quarantine
from consumers.logs.log import Batch
from consumers.logs.sqlite import SqliteLog
from tests.bench.chained import chained
from tests.following.reading import Reading
from tests.logs.numbered import run

JUNK = Letter("pit-1 socket 3", 7, "unreadable", "it is not JSON", b"\x00junk\xff", 1_795_000_000_000_000)
EARLY = Letter("pit-1 devices.jsonl", 2, "day not open", "no day of T7 is open", b'{"stream":"T7"}', 5)
STILL = Letter(EARLY.came_from, EARLY.place, "day closed", "T7/2026-11-18 is closed", EARLY.stored, 9)


@pytest.fixture
def woken() -> list[str]:
    return []


@pytest.fixture
def letters(tmp_path: Path, woken: list[str]) -> Iterator[DeadLetters]:
    made = DeadLetters(tmp_path / "dead-letters.sqlite", lambda: woken.append("woken"))
    yield made
    made.close()


def to_publish(letters: DeadLetters) -> list[LetterRecord | None]:
    return [decode(stored) for _, stored in letters.unpublished(100)]


def test_a_letter_is_kept_and_stands_to_be_published_until_that_is_acknowledged(
    letters: DeadLetters, woken: list[str], tmp_path: Path
) -> None:
    letters.put([JUNK, EARLY])
    letters.put([JUNK])
    assert woken
    assert [kept.letter for kept in letters.all()] == [JUNK, EARLY]
    assert to_publish(letters) == [record_of(JUNK), record_of(EARLY)]
    letters.close()
    again = DeadLetters(tmp_path / "dead-letters.sqlite")
    (first, _), *_ = again.unpublished(1)
    again.published([first])
    assert to_publish(again) == [record_of(EARLY)]
    assert again.count_unpublished() == 1
    again.close()


def test_an_embedded_record_has_nothing_to_publish(tmp_path: Path) -> None:
    letters = DeadLetters(tmp_path / "dead-letters.sqlite")
    letters.put([JUNK])
    letters.tried([(JUNK, None)], 9)
    assert letters.count_unpublished() == 0
    letters.close()


def test_a_retry_is_published_whether_it_was_taken_or_not(letters: DeadLetters) -> None:
    letters.put([EARLY])
    letters.tried([(EARLY, STILL)], 9)
    assert [(kept.retried_at, kept.letter.reason) for kept in letters.all()] == [(None, "day closed")]
    letters.tried([(EARLY, None)], 11)
    assert [kept.retried_at for kept in letters.all()] == [11]
    assert to_publish(letters)[1:] == [
        DeadLetterRetried(EARLY.name, 9, taken=False, reason=STILL.reason, says=STILL.says),
        DeadLetterRetried(EARLY.name, 11, taken=True),
    ]


def test_a_letter_that_is_refused_once_more_after_it_was_taken_is_open_again(letters: DeadLetters) -> None:
    """`list` and `retry all` passed over it: what nobody reads is lost."""
    letters.put([EARLY])
    letters.tried([(EARLY, None)], 7)
    letters.put([EARLY])
    assert [kept.retried_at for kept in letters.all(open_only=True)] == [None]
    letters.tried([(EARLY, None)], 8)
    letters.put([STILL])
    assert [(kept.letter.reason, kept.retried_at) for kept in letters.all(open_only=True)] == [("day closed", None)]
    letters.tried([(EARLY, None)], 10)
    letters.adopt([STILL])
    assert list(letters.all(open_only=True)) == []
    letters.tried([(EARLY, STILL)], 11)
    assert [kept.retried_at for kept in letters.all(open_only=True)] == [None]


def test_a_letter_of_another_machine_is_kept_here_and_not_published_again(letters: DeadLetters) -> None:
    letters.adopt([JUNK])
    assert [kept.letter for kept in letters.all()] == [JUNK]
    assert to_publish(letters) == []


def test_bytes_too_long_for_the_topic_are_cut_there_and_whole_here(letters: DeadLetters) -> None:
    long = Letter("pit-1 socket 3", 8, "unreadable", "says " * 1000, b"x" * (LONGEST + 5), 5)
    letters.put([long])
    (told,) = to_publish(letters)
    assert isinstance(told, DeadLetter)
    assert (len(told.bytes), told.size, told.digest) == (LONGEST, LONGEST + 5, digest(long.stored))
    assert len(encode(told)) < 4 * 1024 * 1024
    assert len(told.says) == 1000
    assert told.letter == long.name == next(letters.all()).name
    assert next(letters.all()).letter.stored == long.stored


def test_long_letters_are_published_a_few_at_a_time(letters: DeadLetters) -> None:
    letters.put([msgspec.structs.replace(JUNK, place=place, stored=b"x" * 1000) for place in range(10)])
    assert len(letters.unpublished(100)) == 10
    assert len(letters.unpublished(100, most_bytes=5000)) == 3
    assert len(letters.unpublished(100, most_bytes=1)) == 1


class Topic:
    """A topic of these bytes."""

    name, partitions = "dead-letters", (0,)

    def __init__(self, *stored: bytes) -> None:
        self.stored = stored

    def drain(self, after: dict[int, int]) -> Iterator[Batch]:
        yield Batch(0, list(enumerate(self.stored, start=1)))


def read(*stored: bytes, open_only: bool = False) -> list[Any]:
    found = letters_in(Topic(*stored), open_only=open_only)  # type: ignore[arg-type]
    return [(kept.number, kept.name, kept.letter.reason, kept.letter.stored, kept.retried_at) for kept in found]


def retried(letter: Letter, at: int, refused: Letter | None = None) -> bytes:
    if refused is None:
        return encode(DeadLetterRetried(letter.name, at, taken=True))
    return encode(DeadLetterRetried(letter.name, at, taken=False, reason=refused.reason, says=refused.says))


J, E = encode(record_of(JUNK)), encode(record_of(EARLY))
OF_J = (JUNK.name, "unreadable", JUNK.stored)
OF_E = (EARLY.name, "day not open", EARLY.stored)
S = encode(record_of(STILL))
FORGED = encode(record_of(JUNK)).replace(JUNK.name.encode(), EARLY.name.encode())
# records in the topic, and the letters a reader of it has: number, name, reason, bytes, when it was taken
TOPICS = [
    ("nothing", [], []),
    ("two letters", [J, E], [(1, *OF_J, None), (2, *OF_E, None)]),
    ("one sent again after a crash", [J, J, E, J], [(1, *OF_J, None), (3, *OF_E, None)]),
    ("one taken later", [E, J, retried(EARLY, 9)], [(1, *OF_E, 9), (2, *OF_J, None)]),
    ("one refused again for another reason", [E, retried(EARLY, 9, STILL)], [(1, EARLY.name, "day closed", EARLY.stored, None)]),
    ("one refused again and then taken", [E, retried(EARLY, 9, STILL), retried(EARLY, 11)], [(1, EARLY.name, "day closed", EARLY.stored, 11)]),
    ("taken twice", [E, retried(EARLY, 9), retried(EARLY, 11)], [(1, *OF_E, 9)]),
    ("taken before it was reported", [retried(EARLY, 9), E], [(2, *OF_E, 9)]),
    ("refused once more after it was taken", [E, retried(EARLY, 7), S], [(1, EARLY.name, "day closed", EARLY.stored, None)]),
    ("refused once more, and all of it sent twice", [E, retried(EARLY, 7), S, E, retried(EARLY, 7), S], [(1, EARLY.name, "day closed", EARLY.stored, None)]),
    ("refused once more and taken once more", [E, retried(EARLY, 7), S, retried(EARLY, 11), S], [(1, EARLY.name, "day closed", EARLY.stored, 11)]),
    ("kept again with another reason", [E, encode(record_of(STILL))], [(1, EARLY.name, "day closed", EARLY.stored, None)]),
]  # fmt: skip


@pytest.mark.parametrize(("_what", "stored", "expected"), TOPICS, ids=[row[0] for row in TOPICS])
def test_a_topic_is_read_as_letters(_what: str, stored: list[bytes], expected: list[Any]) -> None:
    assert read(*stored) == expected
    assert read(*stored, open_only=True) == [row for row in expected if row[-1] is None]


@pytest.mark.parametrize("stranger", [b"", b"\xff", b"{}", b"[" * 100_000, b'{"type":"dead-letter.9"}', FORGED])
def test_a_record_of_the_topic_that_is_no_letter_is_one_itself_and_stops_nobody(stranger: bytes) -> None:
    found = read(J, stranger, E)
    assert [row[0] for row in found] == [1, 2, 3]
    assert found[1][2:4] == ("no dead letter", stranger)


def test_a_reader_keeps_what_is_no_fact_by_its_place_and_goes_on(tmp_path: Path, letters: DeadLetters) -> None:
    log = SqliteLog(tmp_path / "facts.sqlite", create=True)
    good, beside = chained(3, "2026-11-18", tables=1), run("T8/2026-11-18", 1, 3)
    bad = {
        2: b"\x00",
        4: beside[1].stored.replace(b"T8/2026", b"T8:2026"),
        6: beside[2].stored.replace(b'"sequence":3,', b""),
    }
    spoilt = [fact._replace(stored=stored) for fact, stored in zip(beside, bad.values(), strict=True)]
    log.append([fact for pair in zip(good, spoilt, strict=True) for fact in pair])
    for _ in range(2):
        reading = Reading(log, Quarantine(log, letters, lambda: 5))
        assert [fact.id for batch in log.drain({}) for fact in reading.take(batch)] == [
            f"C0/2026-11-18:{sequence}" for sequence in (1, 2, 3)
        ]
    kept = [one.letter for one in letters.all()]
    assert [(one.came_from, one.place, one.reason, one.stored) for one in kept] == [
        ("facts/0", place, "unreadable", stored) for place, stored in bad.items()
    ]
    assert ["is not the name of a stream" in kept[1].says, "so it was never recorded" in kept[2].says] == [
        True,
        True,
    ]
    assert len(to_publish(letters)) == 3
    log.close()
