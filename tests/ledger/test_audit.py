"""Damage to a record: every kind found, and laid on the record it was done to."""

import random
from collections.abc import Callable
from itertools import pairwise

import msgspec
import pytest

from domain.facts.codec import decode, encode
from domain.facts.property_day import KeyRegistered
from domain.facts.seals import ChainSealed
from domain.ledger.audit import HARMLESS, Audit, Found
from domain.ledger.chain import digest
from domain.ledger.seals import fold, words
from domain.ledger.writer import Writer, located, place
from tests.gateway.floor import day
from tests.ledger.test_seals import PRIVATE, PUBLIC, verify

REGISTER = fold([KeyRegistered("k7", PUBLIC, "T7", at=1, source="vault", source_key="vault:1")])
Record = list[bytes]


def sealed_record(dates: tuple[str, ...] = ("2026-11-18", "2026-11-19"), rounds: int = 4) -> Record:
    """Two days of one table, sealed wherever a seal is due."""
    writer = Writer(1)
    record: Record = []
    for date in dates:
        for fact in day("T7", rounds, date):
            whole = located(writer, fact)
            record.append(place(writer, whole).stored)  # type: ignore[arg-type]
            state = writer.days["T7"]
            if state.seal_due:
                signature = PRIVATE.sign(words(state.stream, state.sequence, state.head)).hex()
                seal = ChainSealed(
                    "k7", state.sequence, signature, at=fact.at, source="g", source_key=state.head, stream=state.stream
                )
                record.append(place(writer, seal).stored)
    return record


def audited(record: Record, heads: dict[str, tuple[int, str]] | None = None) -> list[Found]:
    audit = Audit(REGISTER, verify)
    found = [trouble for number, stored in enumerate(record) for trouble in audit.take(stored, str(number))]
    return [*found, *audit.finish(heads)]


GOOD = sealed_record()
HEADS = {"T7/2026-11-19": (decode(GOOD[-1]).sequence, digest(GOOD[-1]))}


def test_a_whole_record_has_no_trouble() -> None:
    assert audited(GOOD, HEADS) == []


def test_facts_no_seal_covers_are_told_and_no_damage() -> None:
    cut = GOOD[:-3]
    found = audited(cut)
    assert [trouble.kind for trouble in found] == ["unsealed"]
    assert found[0].kind in HARMLESS


def forged(record: Record, at: int) -> Record:
    """A record changed, and everything behind it chained anew: only the seals can tell."""
    changed = list(record)
    fact = msgspec.structs.replace(decode(changed[at]), camera="another")
    changed[at] = encode(fact)
    for before, after in pairwise(range(at, len(changed))):
        follower = decode(changed[after])
        if follower.stream != fact.stream:
            break
        changed[after] = encode(msgspec.structs.replace(follower, previous=digest(changed[before])))
    return changed


def with_previous(record: Record, at: int, previous: str) -> Record:
    return [*record[:at], encode(msgspec.structs.replace(decode(record[at]), previous=previous)), *record[at + 1 :]]


def by_another_key(record: Record, at: int) -> Record:
    seal = next(n for n in range(at, len(record)) if isinstance(decode(record[n]), ChainSealed))
    return [*record[:seal], encode(msgspec.structs.replace(decode(record[seal]), key="k8")), *record[seal + 1 :]]


def second_opening(record: Record) -> Record:
    """Another writer opens the stream again in mid-day."""
    opening = msgspec.structs.replace(decode(record[0]), sequence=6, previous=digest(record[4]))
    return [*record[:5], encode(opening), *record[5:]]


DAMAGE: list[tuple[str, Callable[[Record], Record], str, int]] = [
    ("a bit flipped in the payload", lambda r: [*r[:4], r[4].replace(b"1000", b"9000"), *r[5:]], "break", 5),
    ("bytes that are no fact", lambda r: [*r[:5], b"\x00" + r[5][1:], *r[6:]], "unreadable", 0),
    ("a record dropped", lambda r: [*r[:5], *r[6:]], "gap", 6),
    ("two records swapped", lambda r: [*r[:5], r[6], r[5], *r[7:]], "gap", 6),
    ("a record twice", lambda r: [*r[:6], r[5], *r[6:]], "repeat", 6),
    ("another record at a place taken", lambda r: [*r[:6], r[4].replace(b"1000", b"9000"), *r[6:]], "fork", 5),
    ("a forged previous hash", lambda r: with_previous(r, 5, "0" * 64), "break", 5),
    ("a record changed and all behind it chained anew", lambda r: forged(r, 5), "seal-bad", 12),
    ("a seal by a key nobody registered", lambda r: by_another_key(r, 5), "seal-bad", 12),
    ("a spare space", lambda r: [*r[:5], r[5].replace(b":", b": ", 1), *r[6:]], "not-as-stored", 6),
    ("the tail of the first day cut", lambda r: r[:40] + [x for x in r if b"/2026-11-19" in x], "day-unlinked", 40),
    (
        "a second opening",
        second_opening,
        "second-writer",
        6,
    ),
    ("the first record gone", lambda r: r[1:], "gap", 1),
    ("the tail of the last day cut", lambda r: r[:-2], "tail-cut", len(GOOD) // 2 - 1),
    ("the last record changed", lambda r: [*r[:-1], r[-1].replace(b'"g"', b'"h"')], "break", len(GOOD) // 2),
]


@pytest.mark.parametrize(("_what", "damage", "kind", "sequence"), DAMAGE, ids=[row[0] for row in DAMAGE])
def test_damage_is_found_and_laid_on_its_record(
    _what: str, damage: Callable[[Record], Record], kind: str, sequence: int
) -> None:
    found = audited(damage(GOOD), HEADS)
    assert found, "nothing was found"
    assert (kind, sequence) in [(trouble.kind, trouble.sequence) for trouble in found]


def flipped(stored: bytes, bit: int) -> bytes:
    changed = bytearray(stored)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def mutant(chance: random.Random) -> tuple[str, Record]:
    """One random mutation of the good record."""
    record = list(GOOD)
    at, other = chance.randrange(len(record)), chance.randrange(len(record))
    kind = chance.choice(("flip", "drop", "swap", "repeat", "cut", "previous", "move"))
    if kind == "flip":
        record[at] = flipped(record[at], chance.randrange(len(record[at]) * 8))
    elif kind == "drop":
        del record[at]
    elif kind == "swap":
        record[at], record[other] = record[other], record[at]
    elif kind == "repeat":
        record.insert(chance.randint(at + 1, len(record)), record[at])
    elif kind == "cut":
        record = record[: max(1, at)]
    elif kind == "previous":
        record = with_previous(record, at, f"{chance.getrandbits(256):064x}")
    else:
        record.insert(other, record.pop(at))
    return f"{kind} at {at}, {other}", record


def test_three_thousand_random_mutations_are_all_found() -> None:
    chance = random.Random(20_261_118)  # noqa: S311 - the same mutations every time
    tried = 0
    while tried < 3000:
        what, record = mutant(chance)
        if record == GOOD:
            continue
        tried += 1
        assert audited(record, HEADS), what


def test_years_are_read_in_the_memory_of_two_days() -> None:
    """Sealed days behind an owner's last one are let go; days with facts no seal covers are kept to be told."""
    dates = tuple(f"2026-11-{number:02d}" for number in range(1, 29))
    audit = Audit(REGISTER, verify)
    record = sealed_record(dates, rounds=1)
    assert [found for n, stored in enumerate(record) for found in audit.take(stored, str(n))] == []
    assert len(audit.streams) == 2
    assert audit.begun == 28
    assert list(audit.finish()) == []


def test_a_day_that_was_never_sealed_is_told_however_old() -> None:
    writer = Writer(1)
    record = []
    for number in range(1, 6):
        for fact in day("T7", 1, f"2026-11-{number:02d}"):
            record.append(place(writer, located(writer, fact)).stored)  # type: ignore[arg-type] # noqa: PERF401
    assert [found.stream for found in audited(record)] == [f"T7/2026-11-{number:02d}" for number in range(1, 6)]
