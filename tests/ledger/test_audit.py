"""Damage to a record: every kind found, and laid on the record it was done to."""

import random
from collections.abc import Callable
from itertools import islice, pairwise
from typing import NamedTuple

import msgspec
import pytest

from domain.facts.codec import decode, encode
from domain.facts.property_day import KeyRegistered
from domain.facts.seals import ChainSealed
from domain.ledger.audit import HARMLESS, Audit, ChainTrouble
from domain.ledger.chain import digest
from domain.ledger.seals import PATIENCE, fold, words
from domain.ledger.writer import Writer, located, place
from tests.gateway.floor import day, opening
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


def audited(record: Record, heads: dict[str, tuple[int, str]] | None = None) -> list[ChainTrouble]:
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


def test_a_seal_in_bytes_that_say_it_in_a_second_way_seals_nothing() -> None:
    """In an export it is a record that nobody can read."""
    assert b"chain-sealed" in GOOD[-1]
    found = audited([*GOOD[:-1], GOOD[-1].replace(b"chain-sealed", b"chain\\u002dsealed", 1)])
    assert [trouble.kind for trouble in found] == ["not-as-stored", "unsealed"]


def forged(record: Record, at: int) -> Record:
    """A record changed, and everything behind it chained to fit: only the seals can tell."""
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
    ("bytes that are no fact", lambda r: [*r[:5], b"\x00" + r[5][1:], *r[6:]], "unreadable", 6),
    ("bytes that name no place either", lambda r: [*r[:5], b"\x00" * 99, *r[6:]], "unreadable", 0),
    ("a record dropped", lambda r: [*r[:5], *r[6:]], "gap", 6),
    ("two records swapped", lambda r: [*r[:5], r[6], r[5], *r[7:]], "gap", 6),
    ("a record twice", lambda r: [*r[:6], r[5], *r[6:]], "repeat", 6),
    ("another record at a place taken", lambda r: [*r[:6], r[4].replace(b"1000", b"9000"), *r[6:]], "fork", 5),
    ("a forged previous hash", lambda r: with_previous(r, 5, "0" * 64), "break", 5),
    ("a record changed and all behind it chained to fit", lambda r: forged(r, 5), "seal-bad", 12),
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


# A record's bytes, and where they stop being a fact's; nothing if no byte is named.
FACT = encode(decode(GOOD[2]))
BYTES: list[tuple[str, bytes, str, int | None]] = [
    ("no JSON from the start", b"\x00" + FACT[1:], "unreadable", 0),
    ("a byte that is no text", FACT.replace(b"T7-reader", b"T7-r\xffader", 1), "unreadable", FACT.index(b"eader")),
    ("cut off in a word", FACT[:30], "unreadable", 30),
    ("cut off behind a number", FACT[: FACT.index(b",", 40)], "unreadable", FACT.index(b",", 40)),
    ("something behind it", FACT + b"{", "unreadable", len(FACT)),
    ("two commas", FACT.replace(b",", b",,", 1), "unreadable", FACT.index(b",") + 1),
    ("a type nobody knows", FACT.replace(b"wager-placed.1", b"wager-placed.9"), "unreadable", FACT.index(b'"wager')),
    ("a word where a number is due", FACT.replace(b'"seat":1', b'"seat":"x"'), "unreadable", FACT.index(b'"seat":') + 7),
    ("a field nobody knows", FACT.replace(b'"seat":1', b'"sitz":1'), "unreadable", FACT.index(b'"seat"')),
    ("a field missing", FACT.replace(b'"seat":1,', b""), "unreadable", len(FACT) - len(b'"seat":1,') - 1),
    ("a field wrong and told twice", FACT.replace(b'"seat":1', b'"seat":"x","seat":1'), "unreadable", None),
    ("a wrong word behind an umlaut", FACT.replace(b"T7-reader", "T7-ä".encode(), 1).replace(b'"round":1', b'"round":[]'), "unreadable", FACT.index(b'"round":') + 8 - 4),
    ("a stream nobody has", FACT.replace(b"T7/2026", b"T7:2026"), "unreadable", FACT.index(b'"T7/2026')),
    ("no stream named", FACT.replace(b'"stream":"T7/2026-11-18",', b""), "unreadable", len(FACT) - 26),
    ("a number of five thousand digits", FACT.replace(b'"seat":1', b'"seat":' + b"9" * 5000), "unreadable", None),
    ("nested too deeply", b'{"type":"option-changed.1","option":"x","value":' + b"[" * 9999, "unreadable", None),
    ("a spare space", FACT.replace(b":", b": ", 1), "not-as-stored", FACT.index(b":") + 1),
    ("two fields changed round", FACT.replace(b'"seat":1,"wager":"ante"', b'"wager":"ante","seat":1'), "not-as-stored", FACT.index(b"seat")),
    ("a space behind it", FACT + b" ", "not-as-stored", len(FACT)),
    ("another amount", FACT.replace(b"1000", b"9000"), "break", None),
]  # fmt: skip


@pytest.mark.parametrize(("_what", "stored", "kind", "byte"), BYTES, ids=[row[0] for row in BYTES])
def test_the_byte_is_named_where_the_bytes_themselves_tell_it(
    _what: str, stored: bytes, kind: str, byte: int | None
) -> None:
    found = audited([*GOOD[:2], stored, *GOOD[3:]], HEADS)
    assert (kind, byte) in [(trouble.kind, trouble.byte) for trouble in found]
    if kind == "break":
        assert "a hash does not show which byte changed" in found[0].says


def test_a_record_of_a_type_nobody_knows_yet_is_unreadable_and_the_chain_goes_on_over_it() -> None:
    writer = Writer(1)
    told = [place(writer, located(writer, fact)).stored for fact in islice(day(), 4)]  # type: ignore[arg-type]
    strange = told[3].replace(b"wager-placed.1", b"wager-placed.9")
    writer.days["T7"].head = digest(strange)
    last = place(writer, located(writer, next(islice(day(), 4, None)))).stored  # type: ignore[arg-type]
    found = audited([*told[:3], strange, last])
    assert [(trouble.kind, trouble.sequence) for trouble in found] == [("unreadable", 4), ("unsealed", 5)]


def test_facts_that_stay_unsealed_are_trouble_by_later_facts_or_by_the_moment_asked_for() -> None:
    """Three facts of the first table wait for a seal; the other table's facts, or a moment asked for, tell how long."""
    waiting = GOOD[:-3]
    begun = decode(GOOD[-3]).at

    def kinds(record: Record, as_of: int | None = None) -> list[str]:
        audit = Audit(REGISTER, verify)
        return [
            *(trouble.kind for stored in record for trouble in audit.take(stored, "")),
            *(trouble.kind for trouble in audit.finish(None, as_of)),
        ]

    writer = Writer(1)
    other = opening("T8", at=begun + PATIENCE + 10_000_000)
    elsewhere = place(writer, located(writer, other)).stored  # type: ignore[arg-type]
    assert kinds(waiting) == ["unsealed"]
    assert kinds([*waiting, elsewhere]) == ["unsealed-long", "unsealed"]
    assert kinds(waiting, begun + PATIENCE // 2) == ["unsealed"]
    assert kinds(waiting, begun + PATIENCE + 10_000_000) == ["unsealed-long"]
    assert kinds(GOOD, begun + 100 * PATIENCE) == []


def flipped(stored: bytes, bit: int) -> bytes:
    changed = bytearray(stored)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


class Mutation(NamedTuple):
    """A change to the good record: its kind, the record, and its new place."""

    kind: str
    at: int
    other: int


def mutant(chance: random.Random) -> tuple[Mutation, Record]:
    """One random mutation of the good record."""
    record = list(GOOD)
    at, other = chance.randrange(len(record)), chance.randrange(len(record))
    kind = chance.choice(("flip", "drop", "swap", "repeat", "cut", "previous", "move"))
    if kind == "flip":
        record[at] = flipped(record[at], chance.randrange(len(record[at]) * 8))
    elif kind == "previous":
        record = with_previous(record, at, f"{chance.getrandbits(256):064x}")
    elif kind == "repeat":
        record.insert(chance.randint(at + 1, len(record)), record[at])
    else:
        record = rearranged(record, Mutation(kind, at, other))
    return Mutation(kind, at, other), record


def rearranged(record: Record, done: Mutation) -> Record:
    """The same records, some elsewhere or nowhere."""
    kind, at, other = done
    if kind == "drop":
        del record[at]
    elif kind == "swap":
        record[at], record[other] = record[other], record[at]
    elif kind == "cut":
        return record[: max(1, at)]
    else:
        record.insert(other, record.pop(at))
    return record


PLACES = [(fact.stream, fact.sequence) for fact in map(decode, GOOD)]
OPENING = next(n for n, (stream, _) in enumerate(PLACES) if stream != PLACES[0][0])  # of the second day


def laid_on(done: Mutation) -> tuple[str, int]:
    """The place a mutation is to be laid on: the changed record's own, but for these."""
    kind, at, other = done
    if kind == "cut":  # what is cut off behind a day is known to its writer of the newest day alone
        return PLACES[max(at, OPENING)]
    if kind == "swap":  # both are elsewhere: the later one comes too soon, and the earlier one is missed at its place
        at, other = sorted((at, other))
        if at == OPENING - 1 < OPENING < other:  # nothing of its day follows to miss it, so it is the one too soon
            return PLACES[OPENING]
    if kind == "move" and other < at:  # it comes too soon: what it passes over is missed, and itself is not wrong
        if at != OPENING:
            return PLACES[max(other, OPENING) if at > OPENING else other]
        return PLACES[other - 1 if other else at]  # an opening passes over nothing; the head it names is not there yet
    if (
        kind in ("drop", "move", "swap") and at == OPENING - 1
    ):  # the last of a day: the next opening names its hash, and
        return PLACES[at - 1]  # the record at the end now has another
    return PLACES[at]


def test_three_thousand_random_mutations_are_all_laid_on_the_record_they_were_done_to() -> None:
    chance = random.Random(20_261_118)  # noqa: S311 - the same mutations every time
    tried = 0
    while tried < 3000:
        done, record = mutant(chance)
        if record == GOOD:
            continue
        tried += 1
        found = audited(record, HEADS)
        assert laid_on(done) in [(trouble.stream, trouble.sequence) for trouble in found], done


def test_years_are_read_in_the_memory_of_two_days() -> None:
    """Sealed days behind an owner's last one are released; days with facts no seal covers are kept for the report."""
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
