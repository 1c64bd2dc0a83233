"""The room: rights where the data is asked for, a trace of every look, and the journey of a finding to its end."""

import json
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from consumers.room.decks import _csv
from consumers.room.hands import seen
from consumers.room.looking import RoomVisit
from consumers.room.numbers import _configuration
from consumers.room.readings import FRESH_SECONDS, Readings
from consumers.room.room import Room
from domain.desk.access import Accessed, AccessRefused
from domain.desk.acting import RefusedError
from domain.desk.records import decode
from domain.desk.roles import ROLES, ForbiddenError, Person, Right, Role
from domain.facts.envelope import Fact
from domain.facts.words import Book
from domain.rulebooks import house, newest
from domain.table.scene import FACE_DOWN
from domain.watch.verifier import Verifier
from projections.changes import Changes
from projections.folding.rounds import digest_of
from projections.questions.blast import Affected, Repayment
from projections.questions.findings import FindingFilter
from projections.questions.rounds import Handle
from projections.store import Store
from tests.room.conftest import Rooms
from tests.watch.harness import recorded
from tests.watch.lawful import day

pytestmark = pytest.mark.xdist_group("record")

ANY = FindingFilter()
SOMEBODY = RoomVisit(Person("somebody", ("manager",)), "visit of somebody")


def a_dealer(room: Room) -> str:
    """A dealer there is."""
    return room.dealers(SOMEBODY).value[0].dealer


def a_player(room: Room) -> str:
    """A player there is."""
    return room.players(SOMEBODY).value[0].player


# What is asked, and the right it takes.
ASKED: dict[str, tuple[Callable[[Room, RoomVisit, str, str], Any], Right]] = {
    "floor": (lambda room, visit, *_: room.floor(visit), "see-floor"),
    "queue": (lambda room, visit, *_: room.queue(visit, ANY), "see-findings"),
    "finding": (lambda room, visit, finding, _: room.finding(visit, finding), "see-findings"),
    "incidents": (lambda room, visit, *_: room.incidents(visit), "see-findings"),
    "incident": (lambda room, visit, finding, _: room.incident(visit, finding), "see-findings"),
    "claim all": (lambda room, visit, finding, _: room.claim_incident(visit, [finding], "k"), "review"),
    "take over all": (
        lambda room, visit, finding, _: room.claim_incident(visit, [finding], "k", take_over=True),
        "take-over",
    ),
    "note on all": (lambda room, visit, finding, _: room.note_incident(visit, [finding], "k", "a note"), "review"),
    "escalate all": (
        lambda room, visit, finding, _: room.escalate_incident(visit, [finding], "k", "manager", "why"),
        "review",
    ),
    "close all": (
        lambda room, visit, finding, _: room.close_incident(visit, [finding], "k", "no-error", "why"),
        "review",
    ),
    "agree to all": (lambda room, visit, finding, _: room.agree_incident(visit, [finding], "k"), "second-review"),
    "reject all": (lambda room, visit, finding, _: room.reject_incident(visit, [finding], "k", "why"), "second-review"),
    "set apart": (lambda room, visit, finding, _: room.set_apart(visit, [finding], [finding], "k", "why"), "review"),
    "join": (lambda room, visit, finding, _: room.join(visit, [[finding]], "k", "why"), "review"),
    "hand": (lambda room, visit, _, stream: room.hand(visit, stream, 1), "see-hands"),
    "search": (lambda room, visit, *_: room.find_hands(visit, Handle(table="T1", round=1)), "see-hands"),
    "by player": (lambda room, visit, *_: room.find_hands(visit, Handle(player="p-1")), "see-players"),
    "by card": (lambda room, visit, *_: room.find_hands(visit, Handle(table="T1", card="Ah")), "see-hidden-cards"),
    "record health": (lambda room, visit, *_: room.record_health(visit), "see-record"),
    "tables": (lambda room, visit, *_: room.tables(visit), "see-floor"),
    "table": (lambda room, visit, *_: room.table_day(visit, "T1"), "see-floor"),
    "decks": (lambda room, visit, *_: room.decks(visit, table="T1"), "see-floor"),
    "blast": (lambda room, visit, *_: room.blast_radius(visit, Affected(deck="T1-deck-1")), "see-players"),
    "repayments": (lambda room, visit, *_: room.repayment_list(visit, Affected(deck="T1-deck-1")), "order-exports"),
    "dealers": (lambda room, visit, *_: room.dealers(visit), "see-people"),
    "dealer": (lambda room, visit, *_: room.dealer(visit, a_dealer(room)), "see-people"),
    "players": (lambda room, visit, *_: room.players(visit), "see-players"),
    "player": (lambda room, visit, *_: room.player(visit, a_player(room)), "see-players"),
    "numbers": (lambda room, visit, *_: room.numbers(visit), "see-money"),
    "pay tables": (lambda room, visit, *_: room.pay_tables(visit), "see-money"),
    "cases": (lambda room, visit, *_: room.cases(visit), "see-cases"),
    "case": (lambda room, visit, *_: room.case(visit, "2026-0001"), "see-cases"),
    "link": (lambda room, visit, finding, _: room.link_finding(visit, "2026-0001", "k", finding), "keep-cases"),
    "seal": (lambda room, visit, *_: room.seal_case(visit, "2026-0001", "k", ["ann"], "why"), "seal-cases"),
    "claim": (lambda room, visit, finding, _: room.claim(visit, finding, "k"), "review"),
    "take over": (lambda room, visit, finding, _: room.claim(visit, finding, "k", take_over=True), "take-over"),
    "agree": (lambda room, visit, finding, _: room.agree(visit, finding, "k"), "second-review"),
    "reopen": (lambda room, visit, finding, _: room.reopen(visit, finding, "k", "why"), "second-review"),
}


def told(rooms: Rooms) -> list[Fact]:
    """Everything in the access log of the day."""
    return [decode(bytes(row.state)) for row in rooms.desk.recorder.select_events("access/2026-11-18")]


def a_finding(rooms: Rooms, code: str = "wager-overpaid") -> str:
    """The name of a finding of this code."""
    queue = rooms.room.queue(rooms.visit("somebody", "manager"), FindingFilter(code=code)).value
    return queue[0].finding.finding


@pytest.mark.parametrize("what", ASKED)
@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_what_its_rights_are_for_and_nothing_else(rooms: Rooms, what: str, role: Role) -> None:
    ask, right = ASKED[what]
    finding = a_finding(rooms)
    visit = rooms.visit("ann", role)
    try:
        ask(rooms.room, visit, finding, "T1/2026-11-18")
        refused = False
    except ForbiddenError:
        refused = True
    except RefusedError:
        refused = False  # a right to ask, and nothing to be done
    assert refused == (not visit.person.may(right))
    traces = [record for record in told(rooms) if getattr(record, "by", "") == "ann"]
    if refused:
        assert [type(record) for record in traces] == [AccessRefused]


def test_nobody_without_a_role_gets_anything(rooms: Rooms) -> None:
    finding = a_finding(rooms)
    for ask, _ in ASKED.values():
        with pytest.raises(ForbiddenError):
            ask(rooms.room, rooms.visit("eve"), finding, "T1/2026-11-18")


def test_a_look_is_written_down_once_a_visit_and_names_what_was_seen(rooms: Rooms) -> None:
    visit = rooms.visit("ivan", "investigator")
    for _ in range(3):
        rooms.room.hand(visit, "T1/2026-11-18", 2)
    rooms.room.hand(rooms.visit("adam", "auditor"), "T1/2026-11-18", 2)
    looks = [record for record in told(rooms) if isinstance(record, Accessed) and record.what == "hand"]
    assert [(look.by, look.of, look.role) for look in looks] == [
        ("ivan", "T1/2026-11-18 round 2", "investigator"),
        ("adam", "T1/2026-11-18 round 2", "auditor"),
    ]


def test_a_finding_is_shown_by_the_facts_of_its_hand_in_words_and_no_more_cards_than_the_hand_shows(
    rooms: Rooms,
) -> None:
    operator, investigator = rooms.visit("olga", "operator"), rooms.visit("ivan", "investigator")
    for code in ("wager-overpaid", "winner-collected"):
        row = rooms.room.finding(operator, a_finding(rooms, code)).value.queued.finding
        for visit in (operator, investigator):
            said = {scene.sequence: scene.says for scene in rooms.room.hand(visit, row.stream, row.round or 0).scenes}
            shown = rooms.room.evidence(visit, row)
            assert shown
            assert {step.sequence for step in shown} <= set(row.evidence or ())
            assert [step.says for step in shown] == [said[step.sequence] for step in shown]
    assert rooms.room.evidence(rooms.visit("dave", "device-admin"), row) == ()
    assert rooms.room.evidence(investigator, msgspec.structs.replace(row, round=None)) == ()
    looks = [each.by for each in told(rooms) if isinstance(each, Accessed) and each.what == "hand"]
    assert looks == ["olga", "ivan"] * 2


def test_an_operator_sees_the_hand_without_the_cards_the_table_had_not_seen(rooms: Rooms) -> None:
    operator, investigator = rooms.visit("olga", "operator"), rooms.visit("ivan", "investigator")
    hidden = 0
    for number in range(1, 30):
        seen = rooms.room.hand(operator, "T1/2026-11-18", number)
        whole = rooms.room.hand(investigator, "T1/2026-11-18", number)
        assert seen.veiled
        assert not whole.veiled
        for scene, bare in zip(seen.scenes, whole.scenes, strict=True):
            places = (scene.dealer, scene.community, scene.box, *scene.seats.values())
            bares = (bare.dealer, bare.community, bare.box, *bare.seats.values())
            for place, open_place in zip(places, bares, strict=True):
                for card, face in zip(place.cards, open_place.cards, strict=True):
                    assert card.face == (face.face if face.open else FACE_DOWN)
                    hidden += not face.open
        for seat, open_seat in zip(seen.told.seats, whole.told.seats, strict=True):
            if "--" in seat.cards.split():
                assert not seat.hand
                assert "--" not in open_seat.cards.split()
    assert hidden


@pytest.mark.parametrize(
    ("book", "method"), [("UTH-MA", "manual-shoe"), ("UTH-MD", "automated-shoe"), ("FAH", "manual-shoe")]
)
def test_of_a_hand_that_is_played_nobody_is_told_what_will_be_owed_nor_a_card_nobody_has_seen(
    book: Book, method: str
) -> None:
    """Amounts owed follow from cards the shoe has read and no one at the table has."""
    facts = recorded(day(book, method)())
    verifier = Verifier(facts[0].stream, remembers=None)
    lived = 0
    for fact in facts:
        verifier.take(fact)
        hand = verifier.day.rounds.get(1)
        if hand is None or hand.over:
            continue
        lived += 1
        told = seen(Person("mara", ("manager",)), verifier, hand)
        assert told.live
        lines = [line for seat in told.told.seats for line in seat.wagers]
        assert {(line.owed_cents, line.clause, line.basis, line.difference_cents) for line in lines} <= {
            (None, "", "", None)
        }
        assert told.told.undecided == ()
        named = set(re.findall(r"\b[2-9TJQKA][cdhs]\b", " ".join(step.says for step in told.told.steps)))
        assert named <= told.scenes[-1].seen
    assert lived > 20
    over = seen(Person("mara", ("manager",)), verifier, verifier.day.rounds[1])
    assert not over.live
    assert all(line.clause for seat in over.told.seats for line in seat.wagers)


def test_a_finding_goes_from_the_queue_to_its_end_by_two_people(rooms: Rooms) -> None:
    room, name = rooms.room, a_finding(rooms)
    ivan, mara = rooms.visit("ivan", "investigator"), rooms.visit("mara", "manager")
    before = room.queue(ivan, ANY).value
    room.claim(ivan, name, "k1")
    with pytest.raises(RefusedError, match="ivan has claimed it"):
        room.claim(mara, name, "k2")
    room.note(ivan, name, "k3", "looked at camera 14")
    assert room.close_finding(ivan, name, "k4", "dealer-error", "overpaid by a unit").state == "proposed"
    with pytest.raises(RefusedError, match="another person"):
        room.agree(ivan, name, "k5")
    assert room.agree(mara, name, "k6").state == "closed"
    after = room.queue(ivan, ANY).value
    assert {row.finding.finding for row in before} - {row.finding.finding for row in after} == {name}
    assert name in {row.finding.finding for row in room.queue(ivan, ANY, closed=True).value}
    shown = room.finding(mara, name).value
    assert [note.text for note in shown.queued.review.notes] == ["looked at camera 14"]
    assert all(shown.clauses.values())


def test_another_room_on_the_same_desk_sees_the_same_reviews(rooms: Rooms, record: Any, tmp_path: Any) -> None:
    name = a_finding(rooms)
    rooms.room.claim(rooms.visit("ivan", "investigator"), name, "k1")
    other = Rooms(record, tmp_path)
    try:
        found = other.room.finding(other.visit("mara", "manager"), name).value
        assert found.queued.review.holder == "ivan"
    finally:
        other.close()


def test_looks_share_one_generation_and_let_it_go(rooms: Rooms) -> None:
    with rooms.readings.look() as first, rooms.readings.look() as second:
        assert first.generation == second.generation
        assert first.connection is not second.connection
        assert first.connection.execute("SELECT count(*) FROM rounds").fetchone() != (0,)


def test_a_confirmed_generation_is_the_same_one_and_younger(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.commit(Changes(positions={"facts/0": 1}))
        store.publish(datetime(2026, 11, 18, 21, tzinfo=UTC))
        readings = Readings(tmp_path)
        with readings.look() as first:
            store.confirm(datetime(2026, 11, 18, 22, tzinfo=UTC))
            time.sleep(2 * FRESH_SECONDS)
            with readings.look() as second:
                assert second.generation == first.generation
                assert second.made_at - first.made_at == timedelta(hours=1)
        readings.close()


def test_each_repayment_list_taken_away_is_written_down_with_its_reason_and_its_length(rooms: Rooms) -> None:
    visit, bad = rooms.visit("ivan", "investigator"), Affected(deck="T1-deck-1")
    found = rooms.room.blast_radius(visit, bad).value
    lists = [rooms.room.repayment_list(visit, bad, why="case 7").decode().splitlines() for _ in range(2)]
    assert lists[0] == lists[1]
    assert len(lists[0]) == found.players + 1
    taken = [record for record in told(rooms) if isinstance(record, Accessed) and record.what == "export"]
    assert [(each.by, each.why, each.shown) for each in taken] == [("ivan", "case 7", found.players)] * 2
    assert all("T1-deck-1" in each.of for each in taken)


@pytest.mark.parametrize("typed", ["=1+1", "+1", "-2", "@SUM(A1)"])
def test_what_a_player_typed_is_no_formula_in_the_list(typed: str) -> None:
    numbers = {name: 0 for name in Repayment.__struct_fields__ if name != "player"}
    assert _csv((Repayment(player=typed, **numbers),)).decode().splitlines()[1].startswith("'")


def test_a_dealer_s_lines_add_up_to_their_record_and_the_share_lies_in_its_interval(rooms: Rooms) -> None:
    visit = rooms.visit("mara", "manager")
    for line in rooms.room.dealers(visit).value:
        record = rooms.room.dealer(visit, line.dealer).value.record
        same = ("rounds", "hands", "decided", "over", "over_cents", "under", "under_cents", "wrong_share", "wrong_high")
        assert [getattr(line, name) for name in same] == [getattr(record, name) for name in same]
        if line.wrong_share is not None and line.wrong_low is not None and line.wrong_high is not None:
            assert line.wrong_low <= line.wrong_share <= line.wrong_high


def test_a_player_s_line_says_what_their_days_say(rooms: Rooms) -> None:
    visit = rooms.visit("mara", "manager")
    for line in rooms.room.players(visit).value:
        told = rooms.room.player(visit, line.player).value
        assert (line.hands, line.staked_cents, line.result_cents) == (told.hands, told.staked_cents, told.against_cents)
        assert line.expected_cents == pytest.approx(told.expected_cents)
        assert line.low_cents == pytest.approx(told.low_cents)
    looked = {record.of for record in told_players(rooms)}
    assert "all players" in looked
    assert len(looked) > 1


def told_players(rooms: Rooms) -> list[Accessed]:
    """The looks at players."""
    return [record for record in told(rooms) if isinstance(record, Accessed) and record.what == "player"]


def test_each_house_in_force_has_the_odds_its_own_options_give(rooms: Rooms) -> None:
    found = rooms.room.pay_tables(rooms.visit("mara", "manager")).value
    assert found
    for audit in found:
        assert audit.house.tables
        assert audit.wagers
        assert not [line.wager for line in audit.wagers if "_" in line.wager]  # as people call them
        configured = house(newest(audit.house.book), _configuration(json.loads(audit.house.options)))
        assert digest_of(configured) == audit.house.house


@pytest.mark.parametrize("line", ["20 to 1", "3 to 2", "50 for 1", "$100,000", "push"])
def test_a_house_as_it_is_kept_is_the_house_that_was_in_force(line: str) -> None:
    """Odds a house posts are kept apart into their parts, and an offer that is not made as false."""
    posted = house(newest("UTH-MA"), {"posted_odds": {"trips": {"flush": line}}, "progressive": None})
    kept = json.loads(msgspec.json.encode(posted.options))
    assert digest_of(house(newest("UTH-MA"), _configuration(kept))) == digest_of(posted)
