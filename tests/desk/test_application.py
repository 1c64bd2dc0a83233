"""One contract for the desk, wherever its records lie: one winner, nothing twice, a whole chain."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from eventsourcing.application import Application

from consumers.desk.application import CrowdedError, Desk
from consumers.desk.mapper import DeskMapper
from domain.desk import access, case, regrouping, review
from domain.desk.acting import DeskAct, RefusedError
from domain.desk.records import decode
from domain.facts.envelope import Fact
from domain.incidents import Joined
from domain.ledger.chain import digest
from tests.desk.conftest import Opened

pytestmark = pytest.mark.xdist_group("postgres")

NOON = 1_795_003_200_000_000


def claims(who: str, key: str = "") -> Callable[[review.Review], list[Fact]]:
    """The person who claims the finding."""
    return lambda state: review.claim(state, DeskAct(who, NOON, key or f"{who}-claims"))


def rows(desk: Desk, stream: str) -> list[Any]:
    """The stored rows of a stream."""
    return list(desk.recorder.select_events(stream))


def test_what_one_process_records_another_reads(opened: Opened) -> None:
    opened().on_finding("f1", claims("ann"))
    assert opened().review("f1").holder == "ann"


def test_the_same_act_again_records_nothing(opened: Opened) -> None:
    desk = opened()
    desk.on_finding("f1", claims("ann"))
    desk.on_finding("f1", claims("ann"))
    opened().on_finding("f1", claims("ann"))
    assert len(rows(desk, "review/f1")) == 1


def test_an_act_on_several_findings_is_on_all_or_on_none(opened: Opened) -> None:
    desk = opened()
    desk.on_finding("f2", claims("bob"))
    with pytest.raises(RefusedError, match="bob has claimed it"):
        desk.on_findings(["f1", "f2", "f3"], claims("ann"))
    assert [opened().review(name).holder for name in ("f1", "f2", "f3")] == ["", "bob", ""]
    made = desk.on_findings(["f1", "f3"], claims("ann"))
    assert [state.holder for state in made] == ["ann", "ann"]
    assert [opened().review(name).holder for name in ("f1", "f2", "f3")] == ["ann", "bob", "ann"]
    desk.on_findings(["f1", "f3"], claims("ann"))
    assert len(rows(desk, "review/f1")) == 1


def test_two_who_claim_overlapping_findings_at_once_never_share_them(opened: Opened) -> None:
    wanted = {"ann": ["f1", "f2", "f3"], "bob": ["f3", "f2"]}
    desks, at_once = {who: opened() for who in wanted}, threading.Barrier(len(wanted))
    read, told = dict[str, bool](), dict[str, str]()

    def claim(who: str) -> None:
        def decide(state: review.Review) -> list[Fact]:
            if not read.get(who):
                read[who] = True
                at_once.wait(90)  # both have read a finding that nobody has
            return claims(who)(state)

        try:
            desks[who].on_findings(wanted[who], decide)
            told[who] = "won"
        except RefusedError as refused:
            told[who] = refused.code

    threads = [threading.Thread(target=claim, args=(who,)) for who in wanted]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    assert sorted(told.values()) == ["claimed-by-another", "won"]
    (winner,) = (who for who, how in told.items() if how == "won")
    assert [opened().review(name).holder for name in wanted[winner]] == [winner] * len(wanted[winner])


def test_what_people_regroup_is_read_by_another_process(opened: Opened) -> None:
    act = DeskAct("ann", NOON, "ann-joins")
    opened().on_regrouping("2026-11-18", lambda state: regrouping.join(state, act, [["a"], ["b"]], "one dealer"))
    assert opened().regrouping("2026-11-18").decisions == (Joined(("a", "b")),)
    assert opened().regrouping("2026-11-19").decisions == ()


def test_of_two_who_claim_one_finding_at_once_one_wins_and_the_other_is_told_who_has_it(opened: Opened) -> None:
    desks = {who: opened() for who in ("ann", "bob", "cho", "dia")}
    at_once, told = threading.Barrier(len(desks)), dict[str, str]()

    def claim(who: str) -> None:
        def decide(state: review.Review) -> list[Fact]:
            if who not in told:
                told[who] = "read"
                at_once.wait(90)  # all have read that nobody has it
            return claims(who)(state)

        try:
            desks[who].on_finding("f1", decide)
            told[who] = "won"
        except RefusedError as refused:
            told[who] = str(refused)

    threads = [threading.Thread(target=claim, args=(who,)) for who in desks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(180)
    winners = [who for who, what in told.items() if what == "won"]
    assert len(winners) == 1, told
    assert opened().review("f1").holder == winners[0]
    others = [what for what in told.values() if what != "won"]
    assert all(what.startswith(f"{winners[0]} has claimed it.") for what in others)
    assert len(rows(opened(), "review/f1")) == 1


def test_each_record_names_the_hash_of_the_bytes_before_it(opened: Opened) -> None:
    desk = opened()
    desk.on_finding("f1", claims("ann"))
    opened().on_finding("f1", lambda state: review.note(state, DeskAct("ann", NOON, "n1"), "looked at it — “twice”"))
    desk.on_finding(
        "f1", lambda state: review.close(state, DeskAct("ann", NOON, "c1"), "no-error", "fine", severity="", edition=0)
    )
    stored = [bytes(row.state) for row in rows(desk, "review/f1")]
    facts = [decode(each) for each in stored]
    assert [fact.sequence for fact in facts] == [1, 2, 3]
    assert [fact.previous for fact in facts] == ["", digest(stored[0]), digest(stored[1])]


def test_cases_get_the_year_s_numbers_in_order_and_one_act_one_number(opened: Opened) -> None:
    desk = opened()
    first = desk.open_case(DeskAct("ann", NOON, "k1"), "dispute", "A flush")
    again = opened().open_case(DeskAct("ann", NOON, "k1"), "dispute", "A flush")
    second = opened().open_case(DeskAct("bob", NOON, "k2"), "irregularity", "A short deck")
    assert [first.number, again.number, second.number] == ["2026-0001", "2026-0001", "2026-0002"]
    assert opened().cases(2026) == ["2026-0001", "2026-0002"]
    assert opened().cases(2025) == []


def test_a_refused_act_records_nothing(opened: Opened) -> None:
    desk = opened()
    number = desk.open_case(DeskAct("ann", NOON, "k1"), "dispute", "A flush").number
    with pytest.raises(RefusedError, match="not sealed"):
        desk.on_case(number, lambda state: case.unseal(state, DeskAct("ann", NOON, "k2"), "no need"))
    assert len(rows(desk, f"case/{number}")) == 1


def test_every_look_is_on_record_in_its_day_whoever_writes_at_once(opened: Opened) -> None:
    desks = [opened() for _ in range(4)]

    def look(number: int) -> None:
        for count in range(5):
            at = NOON + count
            desks[number].looked([access.looked(DeskAct(f"u{number}", at, f"{number}-{count}"), "hand", "T7 round 3")])

    threads = [threading.Thread(target=look, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(180)
    found = [decode(bytes(row.state)) for row in rows(desks[0], "access/2026-11-18")]
    assert {record.source_key for record in found} == {f"{n}-{c}" for n in range(4) for c in range(5)}
    assert [record.sequence for record in found] == list(range(1, 21))


def test_a_hundred_who_look_at_once_in_one_room_are_all_on_record(opened: Opened) -> None:
    """A hundred people open the floor at the change of shifts; another process writes beside them."""
    room, beside, many = opened(), opened(), 100
    at_once, died = threading.Barrier(many + 1), list[BaseException]()

    def look(desk: Desk, who: str, times: int) -> None:
        at_once.wait()
        try:
            for number in range(times):
                desk.looked([access.looked(DeskAct(who, NOON, f"{who}-{number}"), "page", "floor")])
        except BaseException as error:
            died.append(error)

    people = [threading.Thread(target=look, args=(room, f"p{number}", 1)) for number in range(many)]
    people.append(threading.Thread(target=look, args=(beside, "command", 20)))
    for each in people:
        each.start()
    for each in people:
        each.join()
    assert not died, died[0]
    assert len(rows(room, access.stream_of(NOON))) == many + 20


def test_where_others_always_come_first_it_says_so_and_ends(opened: Opened) -> None:
    desk, other = opened(), opened()
    count = iter(range(1_000))

    def overtaken(state: review.Review) -> list[Fact]:
        key = f"o{next(count)}"
        other.on_finding("f1", lambda now: review.note(now, DeskAct("bob", NOON, key), "first"))
        return review.note(state, DeskAct("ann", NOON, "a1"), "second")

    with pytest.raises(CrowdedError):
        desk.on_finding("f1", overtaken)


def test_the_mapper_takes_records_of_the_desk_and_nothing_else(opened: Opened) -> None:
    desk = opened()
    with pytest.raises(TypeError, match="not a record of the desk"):
        desk.mapper.to_stored_event(Fact(at=0, source="x", source_key="y"))
    assert isinstance(desk.mapper, DeskMapper)
    assert isinstance(desk, Application)
