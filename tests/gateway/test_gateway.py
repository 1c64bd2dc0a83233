"""The gateway over an outbox, a key store and a log that can fail at any moment."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from consumers.gateway.clients import REGISTRAR
from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.gateway import QUIET, Gateway, InputLine
from consumers.gateway.keys import PASSPHRASE, KeyStore, KeyTroubleError, NewKey, verify
from consumers.gateway.outbox import Outbox, OutboxTakenError
from consumers.logs.log import StoredFact
from domain.facts.codec import decode, encode
from domain.facts.property_day import KeyRegistered, PropertyOpened
from domain.facts.seals import ChainSealed
from domain.ledger.chain import ChainReader, digest
from domain.ledger.seals import fold, trouble
from tests.gateway.floor import START, day, lines


class CrashError(Exception):
    """The machine went away."""


class MemoryLog:
    """A log that keeps what it is given, and can crash before or after it did."""

    def __init__(self) -> None:
        self.events: dict[tuple[str, int], bytes] = {}
        self.appended = 0
        self.crash = ""

    def append_once(self, facts: Sequence[StoredFact]) -> None:
        if self.crash == "before":
            raise CrashError
        for event in facts:
            key = (event.stream, event.sequence)
            assert self.events.setdefault(key, event.stored) == event.stored, "a fork"
            self.appended += 1
        if self.crash == "after":
            raise CrashError

    def stream(self, name: str) -> list[bytes]:
        return [stored for (stream, _), stored in sorted(self.events.items()) if stream == name]


@pytest.fixture(autouse=True)
def passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")


def gateway(folder: Path, log: MemoryLog) -> Gateway:
    ticks = iter(range(1, 10**9))
    return Gateway(
        Outbox(folder / "outbox.sqlite"),
        log,
        KeyStore(folder / "keys"),
        DeadLetters(folder / "dead.sqlite"),
        lambda: next(ticks),
    )


def closed(one: Gateway) -> None:
    one.outbox.close()
    one.dead.close()


def sent(inputs: Sequence[bytes], name: str = "devices.jsonl") -> list[InputLine]:
    return [InputLine(name, number, stored) for number, stored in enumerate(inputs, start=1)]


def keyed(one: Gateway) -> NewKey:
    """A key of table 7, made here and on record."""
    made = one.keys.make("T7", "T7-2026")
    told = KeyRegistered("T7-2026", made.public_key, "T7", at=1, source="keys", source_key="key:1", stream="property")
    opened = PropertyOpened("2026-11-18", 0, "Test House", at=START, source="office", source_key="office:1")
    one.take([InputLine("keys", number, encode(fact), REGISTRAR) for number, fact in enumerate((opened, told), 1)])
    return made


def whole(log: MemoryLog, stream: str) -> list[bytes]:
    """The stream's bytes, after proving that they are one chain."""
    chain = ChainReader(stream)
    stored = log.stream(stream)
    for one in stored:
        fact = decode(one)
        assert chain.follow(fact.sequence, fact.previous, digest(one)).kind == "next"
    return stored


def in_batches(inputs: list[InputLine], size: int) -> Iterator[list[InputLine]]:
    return (inputs[start : start + size] for start in range(0, len(inputs), size))


def test_inputs_become_a_chain_and_the_same_inputs_again_become_nothing(tmp_path: Path) -> None:
    log = MemoryLog()
    one = gateway(tmp_path, log)
    inputs = sent(lines(day()))
    one.take(inputs)
    stored = whole(log, "T7/2026-11-18")
    one.take(inputs)
    assert whole(log, "T7/2026-11-18") == stored
    assert (one.report.placed, one.report.repeated, one.report.dead) == (len(inputs), len(inputs), 0)


def test_what_cannot_be_placed_is_kept_with_its_bytes_place_and_reason_and_the_rest_arrives(tmp_path: Path) -> None:
    log = MemoryLog()
    one = gateway(tmp_path, log)
    good = lines(day())
    bad = [b"{no json", good[1].replace(b'"deck-1"', b"17"), b'{"specversion":"1.0","type":"x"}']
    mixed = [*good[:5], bad[0], *good[5:9], bad[1], bad[2], *good[9:]]
    one.take(sent(mixed))
    assert len(whole(log, "T7/2026-11-18")) == len(good)
    kept = [entry.letter for entry in one.dead.all()]
    assert [letter.stored for letter in kept] == bad
    assert [letter.place for letter in kept] == [6, 11, 12]
    assert 'deck is 17, and a text is expected: write "17"' in kept[1].says
    assert one.report.read == one.report.placed + one.report.repeated + one.report.dead


def test_a_key_used_for_something_else_is_refused_in_the_batch_and_after_it(tmp_path: Path) -> None:
    log = MemoryLog()
    one = gateway(tmp_path, log)
    good = lines(day(close=False))
    other = good[2].replace(b"1000", b"9000")
    one.take(sent([*good, other]))
    one.take(sent([other], name="later.jsonl"))
    assert [entry.letter.reason for entry in one.dead.all()] == ["key used for another fact"] * 2
    assert len(log.stream("T7/2026-11-18")) == len(good)


def test_a_batch_sent_again_after_a_crash_is_dead_lettered_once(tmp_path: Path) -> None:
    log = MemoryLog()
    one = gateway(tmp_path, log)
    one.take(sent([b"junk"]))
    one.take(sent([b"junk"]))
    assert len(list(one.dead.all())) == 1


def test_rounds_are_sealed_with_the_table_key_that_lives_here(tmp_path: Path) -> None:
    log = MemoryLog()
    one = gateway(tmp_path, log)
    public = keyed(one)
    one.take(sent(lines(day("T7"))) + sent(lines(day("T8")), name="other.jsonl"))
    register = fold([KeyRegistered("T7-2026", public.public_key, "T7", at=1, source="vault", source_key="vault:1")])
    facts = [decode(stored) for stored in whole(log, "T7/2026-11-18")]
    seals = [fact for fact in facts if isinstance(fact, ChainSealed)]
    assert len(seals) == 4 == one.report.sealed  # three rounds and the close
    assert [trouble(register, seal, verify) for seal in seals] == [""] * 4
    assert isinstance(facts[-1], ChainSealed)
    assert not [fact for fact in map(decode, log.stream("T8/2026-11-18")) if isinstance(fact, ChainSealed)]


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_crash_around_the_append_loses_nothing_and_doubles_nothing(tmp_path: Path, when: str) -> None:
    log = MemoryLog()
    one = gateway(tmp_path, log)
    inputs = sent(lines(day()))
    one.take(inputs[:10])
    log.crash = when
    with pytest.raises(CrashError):
        one.take(inputs[10:20])
    closed(one)
    log.crash = ""
    again = gateway(tmp_path, log)
    assert len(log.stream("T7/2026-11-18")) == 20
    for batch in in_batches(inputs, 7):
        again.take(batch)
    assert len(whole(log, "T7/2026-11-18")) == len(inputs)


@pytest.mark.parametrize("seed", range(6))
def test_many_crashes_at_random_leave_one_whole_chain(tmp_path: Path, seed: int) -> None:
    """Three devices' inputs interleaved, batches of random size, a crash before or after every other append."""
    log = MemoryLog()
    chance = random.Random(seed)  # noqa: S311 - the same crashes every time
    three = [lines(day(table, rounds=8)) for table in ("T7", "T8", "T9")]
    inputs = sent([line for trio in zip(*three, strict=True) for line in trio])
    crashes = 0
    while sum(len(log.stream(f"{table}/2026-11-18")) for table in ("T7", "T8", "T9")) < len(inputs):
        log.crash = ""
        one = gateway(tmp_path, log)
        try:
            for batch in in_batches(inputs, chance.randint(1, 40)):
                log.crash = chance.choice(("", "", "before", "after"))
                one.take(batch)
        except CrashError:
            crashes += 1
        closed(one)
    log.crash = ""
    gateway(tmp_path, log).take(inputs)
    assert crashes >= 4
    for table, sent_in in zip(("T7", "T8", "T9"), three, strict=True):
        assert len(whole(log, f"{table}/2026-11-18")) == len(sent_in)


def test_each_start_of_a_gateway_is_a_new_epoch_written_into_what_it_opens(tmp_path: Path) -> None:
    log = MemoryLog()
    for epoch, date in enumerate(("2026-11-18", "2026-11-19"), start=1):
        one = gateway(tmp_path, log)
        one.take(sent(lines(day(date=date))))
        closed(one)
        assert decode(log.stream(f"T7/{date}")[0]).writer_epoch == epoch  # type: ignore[attr-defined]


def test_a_second_gateway_on_the_same_outbox_is_refused(tmp_path: Path) -> None:
    one = gateway(tmp_path, MemoryLog())
    one.take(sent(lines(day())))
    with pytest.raises(OutboxTakenError, match="A gateway is running"):
        gateway(tmp_path, MemoryLog())


def test_a_key_needs_its_passphrase_and_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = KeyStore(tmp_path)
    store.make("T7", "T7-2026")
    assert (tmp_path / "T7.pem").stat().st_mode & 0o777 == 0o600
    with pytest.raises(KeyTroubleError, match="already exists"):
        store.make("T7", "T7-2027")
    monkeypatch.setenv(PASSPHRASE, "another")
    with pytest.raises(KeyTroubleError, match="does not open"):
        KeyStore(tmp_path).signer("T7", "T7/2026-11-18", 5, START)
    monkeypatch.delenv(PASSPHRASE)
    with pytest.raises(KeyTroubleError, match="no passphrase"):
        KeyStore(tmp_path).signer("T7", "T7/2026-11-18", 5, START)


def test_a_stream_that_falls_quiet_is_sealed_without_waiting_for_its_next_fact(tmp_path: Path) -> None:
    log = MemoryLog()
    one = gateway(tmp_path, log)
    keyed(one)
    one.take(sent(lines(day())[:4]))
    one.seal_quiet(QUIET)
    assert one.report.sealed == 0, "a second has not gone by"
    one.seal_quiet()
    one.seal_quiet()
    assert one.report.sealed == 1
    last = decode(whole(log, "T7/2026-11-18")[-1])
    assert isinstance(last, ChainSealed)
    assert (last.covers, last.at) == (4, decode(log.stream("T7/2026-11-18")[-2]).at)


def test_what_a_crash_left_unsealed_is_sealed_after_the_next_start(tmp_path: Path) -> None:
    log = MemoryLog()
    one = gateway(tmp_path, log)
    keyed(one)
    one.take(sent(lines(day())[:4]))
    closed(one)
    again = gateway(tmp_path, log)
    again.seal_quiet()
    assert isinstance(decode(whole(log, "T7/2026-11-18")[-1]), ChainSealed)


def test_a_day_left_open_is_sealed_before_the_next_one_names_its_head(tmp_path: Path) -> None:
    log = MemoryLog()
    one = gateway(tmp_path, log)
    keyed(one)
    one.take(sent(lines(day())[:4] + lines(day(date="2026-11-19"))[:1]))
    last, opened = log.stream("T7/2026-11-18")[-1], decode(log.stream("T7/2026-11-19")[0])
    assert isinstance(decode(last), ChainSealed)
    assert opened.previous_head == digest(last)  # type: ignore[attr-defined]
    whole(log, "T7/2026-11-18")


EVENT = b'{"specversion":"1.0","type":"catwalk.option-changed.1","source":"s","id":"i","time":"2026-11-18T00:00:00Z",'
CHANGED = b'{"type":"option-changed.1","at":1,"source":"s","source_key":"k","stream":"T7","option":"x","value":'
# lines that would stop a careless reader, and why each is a dead letter
MONSTERS = [
    ("two megabytes", CHANGED + b'"' + b"x" * 2_000_000 + b'"}', "a fact has at most 1,000,000"),
    ("nested a hundred thousand deep", CHANGED + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested deeper than 100"),
    ("nested two hundred deep", CHANGED + b"[" * 200 + b"]" * 200 + b"}", "nested deeper than 100"),
    ("an event nested deep", EVENT + b'"data":' + b'{"a":' * 5000 + b"1" + b"}" * 5001, "nested deeper than 100"),
    ("an attribute of huge digits", EVENT + b'"round":"' + b"9" * 5000 + b'"}', "write a number of at most 18 digits"),
    ("an event of two types", EVENT + b'"data":{"type":"bets-closed.1"}}', "type is in the data"),
    ("a surrogate alone", CHANGED + b'"\\ud800"}', "it has half of a surrogate pair"),
    (
        "a time in nanoseconds",
        CHANGED.replace(b'"at":1', b'"at":1795035601500000000') + b"1}",
        "write 1795035601500000",
    ),
    ("a time no clock says", CHANGED.replace(b'"at":1', b'"at":' + b"9" * 26) + b"1}", "up to 9999-12-29"),
    ("a number of four thousand digits", CHANGED + b"9" * 4000 + b"}", "a number of more than 1,000 digits"),
    (
        "a number too large",
        CHANGED.replace(b'"at":1', b'"at":1e400') + b"1}",
        "at is 1e400, and a time is in whole microseconds",
    ),
]


@pytest.mark.parametrize(("_what", "monster", "says"), MONSTERS, ids=[row[0] for row in MONSTERS])
def test_a_monstrous_line_is_a_dead_letter_and_the_next_line_arrives(
    tmp_path: Path, _what: str, monster: bytes, says: str
) -> None:
    log = MemoryLog()
    one = gateway(tmp_path, log)
    good = lines(day())
    one.take(sent([good[0], monster, *good[1:]]))
    (kept,) = [entry.letter for entry in one.dead.all()]
    assert says in kept.says
    assert kept.stored == monster
    assert len(whole(log, "T7/2026-11-18")) == len(good)


def test_many_brackets_that_are_not_nested_are_a_fact(tmp_path: Path) -> None:
    log = MemoryLog()
    one = gateway(tmp_path, log)
    value = b'["' + b"[" * 500 + b'",' + b",".join([b"[]"] * 500) + b"]"
    one.take(sent([lines(day())[0], CHANGED + value + b"}"]))
    assert one.report.dead == 0
    assert len(whole(log, "T7/2026-11-18")) == 2
