"""Tables watched together: the same is found and written however their facts come in between one another."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from random import Random

import msgspec
import pytest

from consumers.watching.kept_claims import KeptClaims
from domain.facts.codec import encode
from domain.facts.deal import CardDealt
from domain.facts.decks import DeckReceived, DeckRemoved
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.property_day import DeckIssued, DeckReturned, PropertyOpened
from domain.facts.table_day import TableOpened
from domain.facts.wagers import WagerPlaced
from domain.facts.watching import Corrected
from domain.rulebooks import newest
from domain.watch.corrected import WatchedRecord
from domain.watch.finding import Finding
from domain.watch.pairs_following import PairsWatch
from domain.watch.record import FindingWithdrawn
from domain.watch.table_claims import KINDS, TableClaims
from tests.watch.together import Together, from_day, together
from tests.watching.memory import MemoryLog
from tests.watching.pits import Pit

DAY, NEXT = "2026-11-18", "2026-11-19"
MINUTE = 60_000_000


def opened(table: str, at: int, version: str, day: str = DAY) -> Fact:
    digest = newest("COL").digest
    return TableOpened(
        table, day, 1, "COL", digest, {"version": version}, "manual-shoe", 6,
        at=at, source="pit", source_key=f"{table}:1", stream=f"{table}/{day}", sequence=1,
    )  # fmt: skip


class Said:
    """One table's day said by hand."""

    def __init__(self, table: str, day: str = DAY, at: int = 0) -> None:
        self.table, self.day, self.facts = table, day, [opened(table, at, "required", day)]

    def say(self, kind: type[Fact], at: int, **fields: object) -> "Said":
        number = len(self.facts) + 1
        place = {"source": "pit", "source_key": f"{self.table}:{self.day}:{number}"}
        stream = f"{self.table}/{self.day}"
        self.facts.append(kind(**fields, **place, at=at, stream=stream, sequence=number))  # type: ignore[arg-type]
        return self

    def wager(self, at: int, player: str, number: int = 1) -> "Said":
        return self.say(WagerPlaced, at, seat=1, wager="ante", cents=500, player=player, round=number)

    def card(self, at: int, number: int = 1) -> "Said":
        return self.say(CardDealt, at, to="seat", card="??", seat=1, round=number)

    def over(self, at: int, number: int = 1) -> "Said":
        return self.say(RoundCompleted, at, round=number)


def at_two_tables() -> tuple[Said, Said]:
    """Ann holds cards at T1 from 2 to 5, and wagers at T2 at 3."""
    here = Said("T1").wager(1, "ann").card(2).over(5)
    return here, Said("T2").wager(3, "ann").card(4).over(6)


def codes(found: Iterable[Finding]) -> list[tuple[str, str, str]]:
    return [(one.code, one.stream, one.beside) for one in found]


def test_a_player_at_two_tables_is_found_whichever_table_is_told_first() -> None:
    here, there = at_two_tables()
    expected = [("wager-unseated", "T2/2026-11-18", "T1/2026-11-18:3")]
    assert codes(together([*here.facts, *there.facts])) == expected
    assert codes(together([*there.facts, *here.facts])) == expected


def test_nothing_is_said_before_both_tables_have_come_so_far() -> None:
    """Whether the round at the first table was over by then, only its next fact can tell."""
    here, there = at_two_tables()
    assert together([*here.facts[:3], *there.facts]) == []
    assert len(together([*here.facts, *there.facts[:2]])) == 1


def test_a_table_that_says_nothing_more_holds_up_nobody_else() -> None:
    here, there = at_two_tables()
    silent = Said("T3").wager(1, "ann").card(2)
    assert codes(together([*silent.facts, *here.facts, *there.facts])) == codes(together([*here.facts, *there.facts]))


def test_a_round_nobody_ended_claims_nothing_behind_the_last_that_was_said_of_it() -> None:
    """The device stopped in mid-round; the next day it is on again."""
    here, there = at_two_tables()
    cut = [*here.facts[:3], *Said("T1", NEXT, 100).facts]
    assert together([*cut, *there.facts]) == []


def test_where_nobody_records_who_leaves_a_player_may_have_left() -> None:
    here, there = at_two_tables()
    blind = msgspec.structs.replace(here.facts[0], unrecorded=("player-left",))
    assert together([blind, *here.facts[1:], *there.facts]) == []


def test_two_versions_at_one_time_are_found_at_the_table_that_opened_later() -> None:
    facts = [opened("T2", 500, "required"), opened("T1", 400, "permissible"), Said("T1").over(600).facts[1]]
    for told in (facts, [facts[1], facts[2], facts[0]]):
        assert codes(together(told)) == [("versions-mixed", "T2/2026-11-18", "T1/2026-11-18:1")]


@pytest.mark.parametrize("day", [DAY, NEXT], ids=["the same day", "the next day"])
def test_a_correction_withdraws_what_it_explains(day: str) -> None:
    """The correction names another player's wager."""
    here, there = at_two_tables()
    assert len(together([*here.facts, *there.facts])) == 1
    later = there if day == DAY else Said("T2", NEXT, 100)
    later.say(Corrected, 110, corrects_stream="T2/2026-11-18", corrects_sequence=2, reads={"player": "bob"})
    later.over(120, 2)
    here.over(130, 2)
    watch = Together()
    for fact in [*here.facts, *there.facts, *(later.facts if later is not there else [])]:
        watch.take(fact)
    assert watch.found() == []
    gone = [made.record for made in watch.written if isinstance(made.record, FindingWithdrawn)]
    assert [(one.stream, one.explained_in) for one in gone] == [("T1+T2/2026-11-18", f"T2/{day}")]


def test_a_correction_raises_what_it_shows() -> None:
    here, there = Said("T1").wager(1, "bob").card(2).over(5), Said("T2").wager(3, "ann").card(4).over(6)
    here.say(Corrected, 7, corrects_stream="T1/2026-11-18", corrects_sequence=2, reads={"player": "ann"})
    here.over(8, 2)
    there.over(9, 2)
    assert codes(together([*here.facts, *there.facts])) == [("wager-unseated", "T2/2026-11-18", "T1/2026-11-18:3")]


def test_what_comes_after_the_next_day_began_is_judged_as_if_it_had_come_in_time() -> None:
    here, there = at_two_tables()
    later = Said("T1", NEXT, 100).over(110)
    facts = [*here.facts[:2], *there.facts, later.facts[0], *here.facts[2:], later.facts[1]]
    facts += Said("T2", NEXT, 120).facts
    assert codes(together(facts)) == [("wager-unseated", "T2/2026-11-18", "T1/2026-11-18:3")]


class Vault(Said):
    """The property's day, and where its decks are."""

    def __init__(self, at: int = 0) -> None:
        self.table, self.day = "property", DAY
        self.facts = [
            PropertyOpened(DAY, 1, "Pit", at=at, source="p", source_key="1", stream=f"property/{DAY}", sequence=1)
        ]

    def issues(self, at: int, deck: str, table: str) -> "Vault":
        self.say(DeckIssued, at, deck=deck, table=table)
        return self


DECKS = [
    ("issued to this table", lambda vault: vault.issues(1, "d", "T2"), []),
    ("issued to another", lambda vault: vault.issues(1, "d", "T1"), ["T2/2026-11-18"]),
    ("back in the vault", lambda vault: vault.issues(1, "d", "T1").say(DeckReturned, 2, deck="d"), []),
    ("another deck", lambda vault: vault.issues(1, "e", "T1"), []),
    ("written down a little later", lambda vault: vault.issues(1, "d", "T1").issues(4, "d", "T2"), []),
    (
        "only written down after a round",
        lambda vault: vault.issues(1, "d", "T1").issues(9, "d", "T2"),
        ["T2/2026-11-18"],
    ),
    ("nothing is known of it", lambda vault: vault, []),
]


@pytest.mark.parametrize(("what", "told", "expected"), DECKS, ids=[row[0] for row in DECKS])
def test_a_deck_played_with_is_where_the_vault_has_it(
    what: str, told: Callable[[Vault], object], expected: list[str]
) -> None:
    """The deck comes at 3 and the first round with it is over at 7."""
    vault = Vault()
    told(vault)
    vault.issues(20, "last", "T9")
    table = Said("T2").say(DeckReceived, 3, deck="d").wager(5, "ann").card(6).over(7)
    found = together([*table.facts, *vault.facts])
    assert [one.stream for one in found] == expected, what
    assert {one.code for one in found} <= {"deck-elsewhere"}
    assert {one.beside for one in found} <= {"property/2026-11-18:2"}


def test_a_deck_that_goes_before_a_round_was_played_with_it_is_nobodys_business() -> None:
    vault = Vault().issues(1, "d", "T1").issues(20, "last", "T9")
    table = Said("T2").say(DeckReceived, 3, deck="d").say(DeckRemoved, 4, deck="d").over(7)
    assert together([*table.facts, *vault.facts]) == []


def by_stream(watch: Together) -> dict[str, list[bytes]]:
    """The records of each stream of findings."""
    found: dict[str, list[bytes]] = {}
    for made in watch.written:
        found.setdefault(made.record.stream, []).append(made.stored)
    return found


def in_between(chance: Random, tables: Sequence[Sequence[Fact]], most: int) -> list[Fact]:
    """The tables' facts, each in its order, in stretches of chance length."""
    rest = [list(table) for table in tables]
    found: list[Fact] = []
    while rest := [table for table in rest if table]:
        table = chance.choice(rest)
        count = chance.randint(1, most)
        found += table[:count]
        del table[:count]
    return found


@pytest.mark.parametrize("seed", range(6))
def test_the_same_is_written_however_the_tables_come_and_whenever_it_is_asked_for(seed: int) -> None:
    """Corrections among them; a table may be days ahead of another, and some of its facts come late."""
    pit = Pit(seed, tables=3, days=3, rounds=3, corrections=12)
    pit.record()
    chance = Random(seed)  # noqa: S311 - a seed, so that an order repeats
    tables = [_some_late(chance, pit.told[name]) for name in pit.names]
    results = []
    for most in (1, 5, 50, 400):
        facts = in_between(chance, tables, most)
        watch = followed(facts, lambda: chance.random() < 0.05)
        results.append(by_stream(watch))
        assert by_day(facts) == results[-1], "compared by day, when all of it was read"
    assert results[0] == results[1] == results[2] == results[3]
    assert sum(len(records) for records in results[0].values()) > 20


def followed(facts: Iterable[Fact], asked: Callable[[], bool]) -> Together:
    """The tables compared as a log of these facts is followed; now and then it is asked what was found."""
    watch = Together()
    for _ in _follow(facts, watch.take):
        if asked():
            watch.found()
    watch.found()
    return watch


def _follow(facts: Iterable[Fact], take: Callable[[Fact], None]) -> Iterator[None]:
    """A log of these facts, followed fact by fact."""
    log, at = MemoryLog(), {0: 0}
    following = PairsWatch(take, lambda stream: log.stream_before(stream, at[0]), at)
    for position, fact in enumerate(facts, start=1):
        log.stored.append(encode(fact))
        following.take([(position, log.stored[-1])])
        yield


def by_day(facts: Iterable[Fact]) -> dict[str, list[bytes]]:
    """The records of each stream, from what each table's days claim and ask."""
    told: dict[str, list[Fact]] = {}
    kept = KeptClaims()
    claims = TableClaims(WatchedRecord(lambda stream: told.get(stream, []), partial(from_day, told)), kept.add)

    def take(fact: Fact) -> None:
        if type(fact) in KINDS:
            claims.take(fact)
        told.setdefault(fact.stream, []).append(fact)

    for _ in _follow(facts, take):
        pass
    kept.latest = claims.end()
    found: dict[str, list[bytes]] = {}
    for made in kept.compared():
        found.setdefault(made.record.stream, []).append(made.stored)
    return found


def test_a_table_that_goes_on_with_a_day_let_go_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tables are days behind the others; what was found before stands, and later days are compared."""
    monkeypatch.setattr("domain.watch.table_pairs._KEPT", 3)
    days = [f"2026-11-{day}" for day in range(18, 23)]
    behind = at_two_tables()
    ahead = [fact for day in days for fact in Said("T3", day, 10).wager(11, "eve").over(12).facts]
    watch = Together()
    for fact in [*behind[0].facts, *behind[1].facts, *ahead]:
        watch.take(fact)
    assert codes(watch.found()) == [("wager-unseated", "T2/2026-11-18", "T1/2026-11-18:3")]
    for table in behind:
        for fact in table.wager(20, "bob", 2).card(21, 2).over(22, 2).facts[-3:]:
            watch.take(fact)
    assert len(watch.found()) == 1
    later = [Said("T1", days[-1], 30).wager(31, "eve").card(32), Said("T2", days[-1], 33).wager(34, "eve").over(36)]
    for fact in [*later[0].over(37).facts, *later[1].facts]:
        watch.take(fact)
    assert len(watch.found()) == 2


def _some_late(chance: Random, facts: Sequence[Fact]) -> list[Fact]:
    found = list(facts)
    for _ in range(3):
        fact = found.pop(chance.randrange(len(found)))
        found.insert(chance.randrange(len(found)), fact)
    return found
