"""One contract for what leaves the desk, wherever its records lie: exports ordered and signed there, and the tree."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from consumers.desk.application import Desk
from consumers.exporting.orders import Home, Shelf
from consumers.gateway.keys import PASSPHRASE
from consumers.trust.gathering import DeskSource
from consumers.trust.keeper import begin, open_keeper
from domain.desk import access, export
from domain.desk.acting import DeskAct, RefusedError
from domain.desk.export import Export
from domain.desk.records import decode
from domain.facts.envelope import Fact
from domain.ledger.stretches import check_proven, check_records
from tests.desk.conftest import Opened

pytestmark = pytest.mark.xdist_group("postgres")

NOON = 1_795_003_200_000_000
ORDER = "order-0123456789abcdef"
Decide = Callable[[Export], list[Fact]]


def ordered(who: str = "ann", key: str = "k1") -> Decide:
    return lambda state: export.order(
        state, DeskAct(who, NOON, key), "{}", asked="Tables: T1", purpose="audit", recipient="Board", checkpoint=22
    )


def signed(who: str, key: str = "") -> Decide:
    act = DeskAct(who, NOON + 1, key or f"{who}-signs")
    return lambda state: export.sign(state, act, "export-1", digest="a" * 64, size=10, facts=3)


def stored(desk: Desk, stream: str) -> list[bytes]:
    return [bytes(row.state) for row in desk.recorder.select_events(stream)]


def test_what_one_orders_another_process_signs_once(opened: Opened) -> None:
    opened().on_export(ORDER, ordered())
    opened().on_export(ORDER, ordered())
    with pytest.raises(RefusedError, match="another person has to sign"):
        opened().on_export(ORDER, signed("ann"))
    opened().on_export(ORDER, signed("bob"))
    opened().on_export(ORDER, signed("bob"))
    held = opened().export(ORDER)
    assert held.ordered is not None
    assert held.signed is not None
    assert (held.ordered.by, held.signed.by, held.signed.digest) == ("ann", "bob", "a" * 64)
    records = [decode(each) for each in stored(opened(), export.stream_of(ORDER))]
    assert [type(each).__name__ for each in records] == ["ExportOrdered", "ExportSigned"]


def test_of_two_who_sign_at_once_one_has_signed(opened: Opened) -> None:
    opened().on_export(ORDER, ordered())
    desks = {who: opened() for who in ("bob", "cho")}
    at_once, told = threading.Barrier(len(desks)), dict[str, str]()

    def sign(who: str) -> None:
        def decide(state: Export) -> list[Fact]:
            if who not in told:
                told[who] = "read"
                at_once.wait(90)  # both have read that nobody has signed it
            return signed(who)(state)

        try:
            desks[who].on_export(ORDER, decide)
            told[who] = "signed"
        except RefusedError as refused:
            told[who] = str(refused)

    threads = [threading.Thread(target=sign, args=(who,)) for who in desks]
    for each in threads:
        each.start()
    for each in threads:
        each.join(180)
    winners = [who for who, what in told.items() if what == "signed"]
    assert len(winners) == 1, told
    found = opened().export(ORDER).signed
    assert found is not None
    assert found.by == winners[0]


def test_a_shelf_lists_what_others_ordered_as_soon_as_it_stands(opened: Opened, tmp_path: Path) -> None:
    """The list follows the desk's log, with every writer and beside all other entries."""
    shelf, other = Shelf(Home(tmp_path), opened()), opened()
    assert shelf.all() == []
    other.on_export(ORDER, ordered())
    other.looked([access.looked(DeskAct("ann", NOON, "l1"), "page", "exports")])
    assert [(each.order, each.signed) for each in shelf.all()] == [(ORDER, None)]
    other.on_export(ORDER, signed("bob"))
    (held,) = shelf.all()
    assert held.signed is not None
    assert held.signed.by == "bob"


def test_what_was_done_stands_in_the_tree_record_by_record(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Orders, signatures and looks, as another process wrote them; what comes later is in a later head."""
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    other = opened()
    begin(tmp_path, "catwalk/test", NOON)
    with open_keeper(tmp_path) as keeper:
        gatherers = keeper.gatherers([DeskSource(opened().recorder)])
        looks = [access.looked(DeskAct("ann", NOON, f"l{number}"), "page", "exports") for number in range(3)]
        acts: list[Callable[[], object]] = [
            lambda: other.on_export(ORDER, ordered()),
            lambda: other.looked(looks),
            lambda: other.on_export(ORDER, signed("bob")),
        ]
        for act in acts:
            act()
            for one in gatherers:
                one.read(NOON)
            assert keeper.checkpoint(gatherers, NOON) is not None
        sizes = keeper.sizes()
        assert len(sizes) == 3
        head = keeper.head(sizes[-1]).checkpoint
        told = {stream: last for kind, stream, last in keeper.streams(sizes[-1]) if kind == "desk"}
        assert told == {export.stream_of(ORDER): 2, access.stream_of(NOON): 3}
        for stream in told:
            records = stored(opened(), stream)
            for each in keeper.proven(sizes[-1], "desk", stream):
                check_proven(each, head.size, head.root)
                check_records(each.stretch, records[each.stretch.first - 1 : each.stretch.last])
