"""Rollups: what rounds come to in a day, by hand; the same while the day is open, in segments and sealed."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from projections.changes import Changes, Dead, Row
from projections.schema import SCHEMA
from projections.store import Store
from tests.projections.rows import row
from tests.projections.segments import close_segment

DAY = "T7/2026-11-18"
MINUTE = 60_000_000

# round, dealer, deck, staked, back: null is not seen
ROUNDS = (
    (1, "L1", "A", 3_000, 2_000),
    (2, "L1", "A", 1_000, 4_000),
    (3, "L2", "B", None, 500),
)
# round, seat, player, staked, back, difference
HANDS = (
    (1, 1, "p1", 1_000, 0, 0),
    (1, 2, "p2", 2_000, 2_000, None),
    (2, 1, "p1", 1_000, 4_000, 500),
    (2, 0, "", None, None, None),
    (3, 1, "p1", None, 500, -200),
)
# sequence, round, what, device
HANDLING = (
    (1, 1, "shuffle-completed", "m1"),
    (2, 2, "deck-loaded", "m1"),
    (3, 3, "shuffle-completed", "m1"),
    (4, 3, "cut-performed", ""),
)
# round, seat, player, wager, staked, back, difference
WAGERS = (
    (1, 1, "p1", "ante", 500, 0, 0),
    (1, 1, "p1", "trips", 500, 0, 0),
    (1, 2, "p2", "ante", 2_000, 2_000, None),
    (2, 1, "p1", "ante", 500, 2_000, 300),
    (2, 1, "p1", "blind", 500, 2_000, 200),
    (3, 1, "p1", "trips", None, 500, -200),
)


def told(*, only: Sequence[int] = (1, 2, 3), edition: int = 0) -> Changes:
    """Rounds, under another edition in the place of the earlier ones."""
    changes = Changes()
    for name, rows in _rows(edition).items():
        place = SCHEMA[name].names.index("round")
        changes.rows[name] = [each for each in rows if each[place] in only]
    if edition:
        changes.dead = [Dead(DAY, number, edition) for number in only]
    return changes


def _rows(edition: int) -> dict[str, list[Row]]:
    changes = Changes()
    for number, dealer, deck, staked, back in ROUNDS:
        at = number * 10 * MINUTE
        named: dict[str, Any] = {"round": number, "edition": edition or number, "house": "h", "book": "UTH-MD"}
        named |= {"dealer": dealer, "deck": deck, "staked_cents": staked, "back_cents": back, "voided": number == 3}
        named |= {"hands": 2 if number == 1 else 1, "decided": 2, "undecided": 1}
        changes.append("rounds", row("rounds", DAY, **named, began_at=at, ended_at=at + MINUTE))
    for number, seat, player, staked, back, difference in HANDS:
        paid = {"staked_cents": staked, "back_cents": back, "difference_cents": difference}
        held: dict[str, Any] = {
            "round": number,
            "edition": edition or number,
            "seat": seat,
            "player": player,
            "cards": "As Kd",
        }
        changes.append("hands", row("hands", DAY, **held, **paid))
    for number, seat, player, wager, staked, back, difference in WAGERS:
        paid = {"staked_cents": staked, "back_cents": back, "difference_cents": difference, "wager": wager}
        changes.append(
            "wagers", row("wagers", DAY, round=number, edition=edition or number, seat=seat, player=player, **paid)
        )
    for sequence, number, what, device in HANDLING:
        done: dict[str, Any] = {"round": number, "edition": edition or number, "sequence": sequence, "what": what}
        changes.append("handling", row("handling", DAY, **done, device=device))
    return changes.rows


def wrong(changes: Changes) -> Changes:
    """The same rounds with other stakes than they had."""
    for name in ("rounds", "hands", "wagers"):
        place = SCHEMA[name].names.index("staked_cents")
        changes.rows[name] = [(*each[:place], 77, *each[place + 1 :]) for each in changes.rows[name]]
    return changes


EXPECTED = {
    "SELECT rounds, voided, hands, staked_cents, known, win_cents, win_squares, decided, undecided FROM table_days": [
        (3, 1, 4, 4_000, 2, -2_000, 1_000**2 + 3_000**2, 6, 3)
    ],
    "SELECT entry, units, unit_cents, squares, result_cents, open FROM wager_days ORDER BY entry": [
        ("base", 3, 3_000, 500**2 + 2_000**2 + 500**2, -2_500, 0),
        ("trips", 1, 500, 500**2, 500, 1),
    ],
    "SELECT player, entry, units, result_cents FROM player_wagers ORDER BY player, entry": [
        ("p1", "base", 2, -2_500),
        ("p1", "trips", 1, 500),
        ("p2", "base", 1, 0),
    ],
    "SELECT player, rounds, hands, known, result_cents, over_cents, under_cents, open, first_round, last_round"
    " FROM player_days ORDER BY player": [
        ("p1", 3, 3, 2, 2_000, 500, 200, 0, 1, 3),
        ("p2", 1, 1, 1, 0, 0, 0, 1, 1, 1),
    ],
    "SELECT dealer, rounds, completed, hands, over, over_cents, under, under_cents, seconds"
    " FROM dealer_days ORDER BY dealer": [
        ("L1", 2, 2, 3, 2, 500, 0, 0, 120),
        ("L2", 1, 1, 1, 0, 0, 1, 200, 60),
    ],
    "SELECT player, round, seat, dealer, cards, staked_cents, back_cents FROM player_hands ORDER BY player, round": [
        ("p1", 1, 1, "L1", "As Kd", 1_000, 0),
        ("p1", 2, 1, "L1", "As Kd", 1_000, 4_000),
        ("p1", 3, 1, "L2", "As Kd", None, 500),
        ("p2", 1, 2, "L1", "As Kd", 2_000, 2_000),
    ],
    "SELECT seat, player, first_round, last_round FROM stays ORDER BY seat": [(1, "p1", 1, 3), (2, "p2", 1, 1)],
    "SELECT device, what, uses, first_round, last_round FROM device_days ORDER BY what": [
        ("m1", "deck-loaded", 1, 2, 2),
        ("m1", "shuffle-completed", 2, 1, 3),
    ],
    "SELECT deck, rounds, first_round, last_round FROM deck_days ORDER BY deck": [("A", 2, 1, 2), ("B", 1, 3, 3)],
}


def _in_two_stretches(store: Store) -> None:
    for number in (1, 2):
        store.commit(told(only=[number]))
        close_segment(store, kept=0)
    store.commit(told(only=[3]))


def _remade(store: Store) -> None:
    """One round as it lies in a segment is superseded by one in the next."""
    store.commit(told(only=[1, 3]))
    store.commit(wrong(told(only=[2])))
    close_segment(store, kept=1)
    again = told(only=[2], edition=9)
    del again.rows["handling"]  # what was done with the cards is no round's own
    store.commit(again)
    close_segment(store, kept=0)


def _opened_again(store: Store) -> None:
    """A day is sealed, remade when it is open again, cut into a segment and sealed once more."""
    store.commit(wrong(told()))
    close_segment(store, kept=1)
    store.seal(DAY)
    again = told(edition=9)
    again.dead = [Dead(DAY, None, 9)]
    store.commit(again)
    close_segment(store, kept=1)


LAID: dict[str, Callable[[Store], object]] = {
    "open": lambda store: store.commit(told()),
    "a segment": lambda store: (store.commit(told()), close_segment(store, kept=1)),
    "two stretches": _in_two_stretches,
    "remade": _remade,
    "sealed": lambda store: (store.commit(told()), store.seal(DAY)),
    "opened again": _opened_again,
    "sealed again": lambda store: (_opened_again(store), store.seal(DAY)),
}


@pytest.fixture(scope="module", params=LAID)
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(Path(tmp_path_factory.mktemp("laid"))) as made:
        LAID[request.param](made)
        yield made


@pytest.mark.parametrize("query", EXPECTED, ids=lambda query: query.partition(" FROM ")[2].split()[0])
def test_a_rollup_is_what_its_rounds_come_to(store: Store, query: str) -> None:
    table = query.partition(" FROM ")[2].split()[0]
    assert store.query(query.replace(f" FROM {table}", f" FROM {store.source(table)}")) == EXPECTED[query]
