"""A state that lasts over rounds is one finding, found where it begins, with the length of its stretch."""

from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest

from domain.clauses import BOOKS
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.table_day import DeviceHere, PersonCame, PersonWent
from domain.facts.wagers import WagerPlaced
from domain.simulation.edits import Edit, broken, change, drop
from domain.simulation.scripted import round_, seat
from domain.watch.finding import Finding
from domain.watch.lasting import LastingFindings, State, key_of, stretches
from domain.watch.verifier import Verifier
from tests.watch.harness import recorded, verified
from tests.watch.lawful import day

MANY = 6
ROUNDS = [round_(seat(1), seat(3)) for _ in range(MANY)]


def _of(code: str, facts: Sequence[Fact]) -> list[Finding]:
    return [one for one in verified(facts) if one.code == code]


@pytest.mark.parametrize("book", BOOKS)
def test_a_person_who_is_not_seated_is_told_once(book: str) -> None:
    """One finding for all wagers of all rounds, at the first wager; it names the last round."""
    (found,) = _of("wager-unseated", broken(day(book, rounds=ROUNDS)(), drop("player-seated", seat=3)))
    assert (found.round, found.seat) == (1, 3)
    assert found.says.endswith(f"not seated at the table. It lasted for {MANY} rounds, up to round {MANY}.")


def test_the_finding_is_raised_at_once_and_then_revised() -> None:
    facts = recorded(broken(day("COL", rounds=ROUNDS)(), drop("player-seated", seat=3)))
    verifier = Verifier(facts[0].stream)
    changes = [change for fact in facts for change in verifier.take(fact) if change.finding.code == "wager-unseated"]
    assert [change.kind for change in changes] == ["raised", *["revised"] * (MANY - 1)]
    assert {change.finding.id for change in changes} == {changes[0].finding.id}
    assert len({change.after.sequence for change in changes}) == MANY


def test_a_marker_that_nobody_placed_is_told_once() -> None:
    (found,) = _of("marker-misplaced", broken(day("FAH", rounds=ROUNDS)(), drop("marker-placed")))
    assert found.says == (
        f"Cards were dealt without a marker at the dealer. It lasted for {MANY} rounds, up to round {MANY}."
    )


def test_a_deck_that_nobody_shuffles_is_told_once() -> None:
    unshuffled = broken(
        day("UTH-MA", rounds=ROUNDS)(),
        *(drop(kind, nth=-1) for _ in range(MANY - 1) for kind in ("shuffle-started", "shuffle-completed")),
    )
    (found,) = _of("shuffle-missing", unshuffled)
    assert found.round == 2
    assert found.says.endswith(f"It lasted for {MANY - 1} rounds, up to round {MANY}.")


def test_a_device_in_the_wrong_mode_is_told_once() -> None:
    rounds = [round_(seat(1, cover_all=500), seat(3))] * MANY
    lawful = day("UTH-MA", "automated-shoe", {"shuffler": "cover-all", "cover_all": True}, rounds)()
    mode = change("device-configured", to={"mode": "standard"}, device="T7-shuffler")
    (found,) = _of("cover-all-device-mode-wrong", broken(lawful, mode))
    assert found.round == 1
    assert found.says.endswith(f"It lasted for {MANY} rounds, up to round {MANY}.")


def test_a_missing_progressive_system_is_told_once() -> None:
    rounds = [round_(seat(1, progressive=100), seat(3))] * MANY
    lawful = day("UTH-MD", options={"progressive": {"table": "A"}}, rounds=rounds)()
    devices = change("table-opened", to={"devices": (DeviceHere("T7-cards", "table-reader"),)})
    (found,) = _of("progressive-system-missing", broken(lawful, devices))
    assert found.says.endswith(f"It lasted for {MANY} rounds, up to round {MANY}.")


COUNTED = [round_(seat(1), seat(3), count_stub=True), *[round_(seat(1), seat(3))] * (MANY - 1)]
ONE_SHORT = change("stub-counted", 1, to={"cards": lambda cards: cards - 1})


@pytest.mark.parametrize("book", [book for book in BOOKS if book != "FAH"])
def test_a_deck_that_stays_after_a_wrong_count_is_told_once(book: str) -> None:
    """From the first round that is dealt from it to the last; the wrong count and the round that it voids are findings of their own."""
    raised = verified(broken(day(book, rounds=COUNTED)(), ONE_SHORT))
    assert Counter(one.code for one in raised) >= Counter(
        ["deck-not-removed", "round-not-voided", "stub-count-mismatch", "stub-discrepancy-unresolved"]
    )
    (found,) = [one for one in raised if one.code == "deck-not-removed"]
    assert found.round == 2
    assert found.says.endswith(f"It lasted for {MANY - 1} rounds, up to round {MANY}.")


def test_a_count_that_is_right_ends_it_and_another_wrong_one_continues_it() -> None:
    every = [round_(seat(1), seat(3), count_stub=True)] * MANY
    lawful = day("UTH-MA", rounds=every)()
    (found,) = _of("deck-not-removed", broken(lawful, ONE_SHORT))
    assert (found.round, found.says.count("It lasted")) == (2, 0)
    short = change("stub-counted", to={"cards": lambda cards: cards - 1})
    (found,) = _of("deck-not-removed", broken(lawful, short))
    assert found.says.endswith(f"It lasted for {MANY - 1} rounds, up to round {MANY}.")
    counts = [one for one in verified(broken(lawful, short)) if one.code == "stub-count-mismatch"]
    assert [one.round for one in counts] == list(range(1, MANY + 1)), "each count is a finding of its own"


def test_a_deck_that_the_shuffler_counts_wrong_each_time_is_told_once() -> None:
    lawful = day("UTH-MD", options={"shuffler": "counting"}, rounds=ROUNDS)()
    (found,) = _of("deck-not-removed", broken(lawful, change("shuffle-completed", to={"counted": 51})))
    assert found.round == 1
    assert found.says.endswith(f"It lasted for {MANY} rounds, up to round {MANY}.")


def _wagered_by(player: str, since: int) -> Edit:
    """Let this person wager at seat 3 from a round on."""

    def edit(facts: Sequence[Fact]) -> Sequence[Fact]:
        return [
            msgspec.structs.replace(fact, player=player)
            if isinstance(fact, WagerPlaced) and fact.seat == 3 and (fact.round or 0) >= since
            else fact
            for fact in facts
        ]

    return edit


def test_another_person_at_the_seat_is_another_finding() -> None:
    facts = broken(day("COL", rounds=ROUNDS)(), drop("player-seated", seat=3), _wagered_by("P-1", 1))
    assert [(one.round, one.to_round) for one in _of("wager-unseated", facts)] == [(1, MANY)]
    another = _wagered_by("P-2", 4)(facts)
    assert [(one.round, one.to_round) for one in _of("wager-unseated", another)] == [(1, 3), (4, MANY)]


def _relieved(facts: Sequence[Fact], after: int) -> Sequence[Fact]:
    """Let another dealer come after a round."""
    came = next(fact for fact in facts if isinstance(fact, PersonCame) and fact.role == "dealer")
    found: list[Fact] = []
    for fact in facts:
        found.append(fact)
        if isinstance(fact, RoundCompleted) and sum(isinstance(one, RoundCompleted) for one in found) == after:
            parts = {"role": "dealer", "at": fact.at + 1, "source": fact.source, "stream": fact.stream}
            found.append(PersonWent(came.person, **parts, source_key="went"))
            found.append(PersonCame("dealer-2", **parts, source_key="came"))
    return found


def test_another_dealer_is_another_finding() -> None:
    unshuffled = broken(
        day("UTH-MA", rounds=ROUNDS)(),
        *(drop(kind, nth=-1) for _ in range(MANY - 1) for kind in ("shuffle-started", "shuffle-completed")),
    )
    found = _of("shuffle-missing", _relieved(unshuffled, 3))
    assert [(one.round, one.to_round, one.dealer) for one in found] == [(2, 3, "dealer-1"), (4, MANY, "dealer-2")]


SHOWN = Finding(
    code="wager-unseated", clauses=("COL 6(b)/s1",), says="Shown.", stream="T7/2026-11-18", trigger=9, at=1, seat=3
)


def _in(number: int) -> Finding:
    return msgspec.structs.replace(SHOWN, round=number, trigger=10 * number, evidence=(10 * number,))


def _by(who: str, number: int) -> State:
    return State((who, ""), msgspec.structs.replace(_in(number), dealer=who))


def test_a_state_that_comes_again_later_is_another_one() -> None:
    found = list(stretches({number: [_by("", number)] for number in (1, 2, 4, 7, 8)}).values())
    assert [(one.round, one.says) for one in found] == [
        (1, "Shown. It lasted for 3 rounds, up to round 4."),
        (7, "Shown. It lasted for 2 rounds, up to round 8."),
    ]
    assert [one.evidence for one in found] == [(10, 40), (70, 80)]
    assert [one.to_round for one in found] == [4, 8]
    assert [number for number in range(10) if found[0].is_in(number)] == [1, 2, 3, 4]


def test_a_finding_of_one_round_has_no_last_one() -> None:
    (found,) = stretches({3: [_by("", 3)]}).values()
    assert found.to_round is None
    assert [found.is_in(number) for number in (2, 3, 4)] == [False, True, False]


@pytest.mark.parametrize(
    ("dealers", "stretches_of"),
    [
        ("AABB", [("A", 1, 2), ("B", 3, 4)]),
        ("ABA", [("A", 1, None), ("B", 2, None), ("A", 3, None)]),
        ("A.A", [("A", 1, 3)]),
        ("A..A", [("A", 1, None), ("A", 4, None)]),
        ("A.B", [("A", 1, None), ("B", 3, None)]),
    ],
)
def test_a_stretch_is_of_one_dealer(dealers: str, stretches_of: list[tuple[str, int, int | None]]) -> None:
    shown = {number: [_by(who, number)] for number, who in enumerate(dealers, 1) if who != "."}
    assert [(one.dealer, one.round, one.to_round) for one in stretches(shown).values()] == stretches_of


def test_two_findings_of_one_round_are_two_stretches() -> None:
    first, second = _by("A", 1), State(("A", ""), msgspec.structs.replace(_by("A", 1).finding, trigger=12))
    assert len(LastingFindings().judged(1, [first, second])[1]) == 2
    shown = LastingFindings()
    key = key_of(first.finding)
    assert key is not None
    shown.add(key, first)
    assert len(shown.add(key, second)[1]) == 2
    assert len(shown.add(key, second)[1]) == 2, "the same one again"
    assert [(one.trigger, one.to_round) for one in shown.add(key, _by("A", 2))[1].values()] == [(10, 2), (12, None)]


def test_two_persons_of_one_round_have_a_stretch_each() -> None:
    beside = {
        number: State(("B", ""), msgspec.structs.replace(_by("B", number).finding, trigger=10 * number + 5))
        for number in (1, 2)
    }
    found = stretches({number: [_by("A", number), beside[number]] for number in (1, 2)})
    assert [(one.dealer, one.round, one.to_round) for one in found.values()] == [("A", 1, 2), ("B", 1, 2)]


def test_a_deck_may_rest_while_the_other_is_dealt() -> None:
    """A round of it may be void before its deal; after more rounds, its stub was due to be counted again."""
    stays = {
        number: [State(("", ""), msgspec.structs.replace(_in(number), code="deck-not-removed"))]
        for number in (1, 3, 7, 13)
    }
    assert [one.round for one in stretches(stays).values()] == [1, 13]


def test_a_round_that_is_judged_again_moves_the_stretch() -> None:
    """A late fact explains the first round: the finding is then about the second."""
    shown = LastingFindings()
    for number in (1, 2, 3):
        shown.judged(number, [_by("", number)])
    before, now = shown.judged(1, [])
    assert [one.round for one in before.values()] == [1]
    assert [(one.round, one.says) for one in now.values()] == [(2, "Shown. It lasted for 2 rounds, up to round 3.")]
    assert shown.judged(5, [])[1] == {}


def test_a_round_that_is_judged_again_revises_what_stood() -> None:
    """A late fact shows the same state by another wager."""
    shown = LastingFindings()
    for number in (1, 2):
        shown.judged(number, [_by("", number)])
    before, now = shown.judged(2, [State(("", ""), msgspec.structs.replace(_in(2), trigger=25, evidence=(25,)))])
    assert [one.evidence for one in before.values()] == [(10, 20)]
    assert [one.evidence for one in now.values()] == [(10, 25)]


def test_what_happened_once_is_no_state() -> None:
    assert key_of(_in(3)) is not None
    assert key_of(msgspec.structs.replace(_in(3), code="wager-overpaid")) is None


def test_each_marker_put_down_wrongly_between_rounds_is_told() -> None:
    """Each is an act of its own, and of no round: no stretch of rounds."""
    wrong = change("marker-placed", to={"position": "seat", "seat": 4})
    first, *found = _of("marker-misplaced", broken(day("FAH", rounds=ROUNDS)(), wrong))
    assert "At the start of the game" in first.says
    assert [(one.round, one.says) for one in found] == [
        (None, "The marker was placed at seat 4 instead of seat 5.")
    ] * MANY
