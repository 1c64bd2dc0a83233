"""The tray at the close: the counts against the rounds, by a tolerance of the house, and undecided without a record."""

import re
from collections.abc import Sequence

import msgspec
import pytest

from domain.clauses import BOOKS
from domain.facts.envelope import Fact
from domain.facts.payments import WagerPaid
from domain.facts.table_day import TableClosed, TableOpened
from domain.facts.table_money import DropCounted
from domain.facts.watching import Corrected
from domain.simulation.edits import Edit, broken, change, drop, insert_after, insert_before, said, where
from domain.simulation.floor import SimulatedFloor
from domain.simulation.houses import GAMES
from domain.simulation.scripted import round_, seat, wrong
from domain.simulation.seed import World
from domain.watch.corrected import corrected
from domain.watch.finding import Finding
from domain.watch.verifier import Verifier
from tests.simulation.seeds import recorded as recorded_floor
from tests.watch.cases_chips import DAYS, TOLERATED, counted, moved
from tests.watch.harness import recorded, verified
from tests.watch.lawful import day, edits

FREE = day("UTH-MD", rounds=[round_(seat(1), seat(3))])


def _off(facts: Sequence[Fact]) -> list[Finding]:
    return [one for one in verified(facts) if one.code == "tray-off"]


def _about_the_tray(facts: Sequence[Fact]) -> dict[str, int]:
    """The reasons why the tray was not judged."""
    numbered = recorded(facts)
    verifier = Verifier(numbered[0].stream)
    for fact in numbered:
        verifier.take(fact)
    return {why: count for why, count in verifier.undecided.items() if "the tray:" in why or "the_tray" in why}


@pytest.mark.parametrize("book", BOOKS)
def test_a_difference_within_the_tolerance_is_silent(book: str) -> None:
    for by in (-TOLERATED, 0, TOLERATED):
        facts = broken(DAYS[book](), counted(by))
        assert (_about_the_tray(facts), verified(facts)) == ({}, [])


@pytest.mark.parametrize("book", BOOKS)
def test_a_larger_difference_says_both_wins(book: str) -> None:
    """The sentence adds up, and its amounts are those of the finding."""
    (found,) = verified(broken(DAYS[book](), counted(-50_000)))
    assert (found.clauses, found.severity, found.basis) == (("HOUSE 1 (Tray)",), "money", "certain")
    assert found.expected_cents is not None
    assert found.observed_cents == found.expected_cents - 50_000
    assert found.says.startswith("The tray and the drop are $500 short: closer ")
    told = [
        round(float(text.replace(",", "").replace("$", "")) * 100) for text in re.findall(r"-?\$[\d,.]*\d", found.says)
    ]
    short, closer, credits_, drop_, opener, fills, win, rounds, allowed = told
    assert closer + credits_ + drop_ - opener - fills == win == found.observed_cents
    assert (short, rounds, allowed) == (50_000, found.expected_cents, TOLERATED)


def test_without_a_tolerance_there_is_no_such_rule() -> None:
    assert verified(broken(FREE(), counted(-50_000))) == []
    uncounted = broken(FREE(), counted(-50_000), drop("drop-counted"))
    assert (_about_the_tray(uncounted), _off(uncounted)) == ({}, [])


def test_the_tolerance_at_the_close_counts() -> None:
    """An option that changes during the day is in force from then on."""
    facts = broken(FREE(), counted(-50_000))
    changed = insert_after(where("round-completed"), said("option-changed", "tray_tolerance", 10_000, None))
    assert [one.expected_cents for one in _off(broken(facts, changed))] != []
    enough = insert_after(where("round-completed"), said("option-changed", "tray_tolerance", 50_000, None))
    assert verified(broken(facts, enough)) == []


def test_slips_and_buy_ins_are_in_the_sum() -> None:
    """A fill and a credit explain the chips they move, and a buy-in puts as much into the drop."""
    lawful = DAYS["PIK"]()
    for kind, by in (("fill-received", 100_000), ("credit-sent", -100_000)):
        assert verified(broken(lawful, moved(kind, "S-1", 100_000), counted(by))) == []
        assert len(_off(broken(lawful, moved(kind, "S-1", 100_000)))) == 1
    bought = insert_after(where("round-completed"), said("bought-in", 1, "player-1", 20_000))
    more = change("drop-counted", to={"cents": lambda held: held + 20_000})
    assert verified(broken(lawful, bought, more, counted(-20_000))) == []


LEFT_OPEN = "a round was left open, or an amount in it was not seen"
# | what was not recorded | the reason that is counted
UNDECIDED: list[tuple[Edit, str]] = [
    (change("table-opened", to={"opener_cents": None}), "the opener is not on record"),
    (change("table-closed", to={"closer_cents": None}), "the closer is not on record"),
    (drop("drop-counted"), "the drop was not counted"),
    (change("wager-collected", nth=1, to={"cents": None}), LEFT_OPEN),
    (change("wager-placed", nth=1, to={"cents": None}), LEFT_OPEN),
    (drop("round-completed"), LEFT_OPEN),
    (
        change("table-opened", to={"unseen_wagers": ("bonus",)}),
        LEFT_OPEN,
    ),
    (change("table-closed", to={"rounds": 7}), "some rounds are not on record"),
    (
        edits(
            insert_before(where("bets-closed"), said("device-failed", "T7-chips", "chip-reader", "offline")),
            insert_after(where("round-completed"), said("device-restored", "T7-chips")),
        ),
        LEFT_OPEN,
    ),
]


@pytest.mark.parametrize(("edit", "why"), UNDECIDED, ids=[why for _, why in UNDECIDED])
def test_what_was_not_recorded_leaves_it_undecided(edit: Edit, why: str) -> None:
    facts = broken(DAYS["COL"](), counted(-50_000), edit)
    assert (_about_the_tray(facts), _off(facts)) == ({f"the tray: {why}": 1}, [])


def _counted_late(facts: Sequence[Fact], cents: int, verifier: Verifier) -> None:
    """A fold of the day with the closing corrected by the drop that was counted afterwards."""
    numbered = recorded(facts)
    closing = numbered[-1]
    assert isinstance(closing, TableClosed)
    told = Corrected(
        *(closing.stream, closing.sequence, {"drop_cents": cents}),
        at=closing.at,
        source="count-room",
        source_key="c:1",
        stream="T1/2026-11-19",
        sequence=2,
    )
    for fact in numbered:
        read = corrected(fact, [told] if fact is closing else [])
        assert read is not None
        verifier.take(read)


@pytest.mark.parametrize(("by", "found"), [(0, []), (-50_000, ["tray-off"]), (50_000, ["tray-off"])])
def test_a_drop_that_is_counted_after_the_close_corrects_the_closing(by: int, found: list[str]) -> None:
    lawful = DAYS["UTH-MD"]()
    (drops,) = [fact.cents for fact in lawful if isinstance(fact, DropCounted)]
    late = broken(lawful, drop("drop-counted"))
    assert _about_the_tray(late) == {"the tray: the drop was not counted": 1}
    verifier = Verifier(recorded(late)[0].stream)
    _counted_late(late, drops + by, verifier)
    assert [one.code for one in verifier.standing.values()] == found
    assert not [why for why in verifier.undecided if "tray" in why]


@pytest.mark.parametrize("kind", ["fill-received", "credit-sent", "drop-counted", "wager-paid", "wager-placed"])
def test_a_type_that_nobody_records_leaves_it_undecided(kind: str) -> None:
    """The tray is counted as undecided once."""
    facts = broken(DAYS["COL"](), counted(-50_000), change("table-opened", to={"unrecorded": (kind,)}))
    assert (_about_the_tray(facts), _off(facts)) == ({"the_tray_holds_what_the_record_explains": 1}, [])


def test_a_reader_that_is_out_at_the_close_leaves_it_undecided_once() -> None:
    out = insert_before(where("bets-closed"), said("device-failed", "T7-chips", "chip-reader", "offline"))
    facts = broken(DAYS["COL"](), counted(-50_000), out)
    assert (_about_the_tray(facts), _off(facts)) == ({f"the tray: {LEFT_OPEN}": 1}, [])


def test_a_house_without_a_tolerance_leaves_nothing_undecided() -> None:
    """A rule that is not in force is no open question, whatever the table records."""
    facts = recorded(broken(FREE(), change("table-opened", to={"unrecorded": ("wager-paid",)})))
    verifier = Verifier(facts[0].stream)
    for fact in facts:
        verifier.take(fact)
    assert not [name for name in verifier.undecided if "tray" in name]


def test_a_table_that_records_no_rounds_is_undecided() -> None:
    """The closing names no number of rounds, and the chips are counted."""
    facts = [fact for fact in DAYS["COL"]() if fact.round is None]
    bare = broken(
        facts,
        change("table-opened", to={"unrecorded": ("round-opened", "round-completed")}),
        change("table-closed", to={"rounds": None, "closer_cents": 1}),
    )
    assert (_about_the_tray(bare), _off(bare)) == ({"the_tray_holds_what_the_record_explains": 1}, [])


BANKED = day(
    "UTH-MD",
    options={"progressive": {"table": "A"}, "tray_tolerance": 0},
    rounds=[round_(seat(1, progressive=100), seat(3, progressive=100)), round_(seat(1, progressive=100))],
)
VOID = day(
    "UTH-MD",
    options={"tray_tolerance": 0},
    rounds=[round_(seat(1), seat(3), irregularity=wrong("card-exposed", of="dealer"))],
)


@pytest.mark.parametrize("lawful", [BANKED, VOID], ids=["banked", "void"])
def test_banked_chips_and_void_rounds_add_up(lawful: object) -> None:
    assert callable(lawful)
    assert verified(lawful()) == []


@pytest.mark.parametrize("seed", [3, 8])
def test_whole_days_with_mishaps_add_up_to_the_cent(seed: int) -> None:
    """Every table of a simulated floor agrees without a tolerance, or says why it cannot be judged."""
    verifiers: dict[str, Verifier] = {}
    for fact, _ in recorded_floor(SimulatedFloor(World(seed, 8, 1, GAMES, "2026-03-07", 3, 60))):
        if fact.stream.startswith("property"):
            continue
        if isinstance(fact, TableOpened):
            fact = msgspec.structs.replace(fact, options={**fact.options, "tray_tolerance": 0})  # noqa: PLW2901
        verifiers.setdefault(fact.stream, Verifier(fact.stream)).take(fact)
    judged = [each for each in verifiers.values() if each.day.money.off is not None]
    assert len(judged) >= len(verifiers) // 2
    assert {each.day.money.off for each in judged} == {0}
    assert [one for each in verifiers.values() for one in each.standing.values()] == []


def test_a_payment_on_no_wager_comes_from_the_tray() -> None:
    """The chips left the tray, so the tray agrees with the record; the payment is the finding."""
    paid = insert_before(where("round-completed"), said("wager-paid", 1, "bonus3", 5_000))
    facts = broken(DAYS["PIK"](), paid, counted(-5_000))
    assert sum(isinstance(fact, WagerPaid) and fact.wager == "bonus3" for fact in facts) == 1
    assert "tray-off" not in [one.code for one in verified(facts)]
