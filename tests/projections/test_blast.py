"""The blast radius: exactly the rounds that were touched, and what each player is owed either way."""

from datetime import UTC, datetime

import pytest

from projections.questions.asking import AskedWronglyError, NothingFitsError
from projections.questions.blast import Affected, blast_radius
from tests.projections.hand_made import HandMade, at


def _floor() -> HandMade:
    """T7 deals rounds 1 to 6 from two decks; the machine m-1 shuffles until it is replaced before round 5."""
    made = HandMade().put("tables", book="PIK").put("tables", table="T8", book="PIK")
    for number in range(1, 7):
        deck = "d1" if number % 2 else "d2"
        times = {"began_at": at(f"20:0{number}"), "ended_at": at(f"20:0{number}:30"), "last": 100 * number + 90}
        made.put("rounds", round=number, deck=deck, dealer="D-1" if number < 4 else "D-2", **times)
        device = "m-1" if number < 5 else "m-2"
        row = {"what": "shuffle-completed", "deck": deck, "device": device}
        made.put("handling", round=number, sequence=100 * number, **row)
        made.put("handling", round=number, sequence=100 * number + 5, what="cut-performed", deck=deck, by="D-1")
    made.put("rounds", table="T8", round=1, deck="d9", dealer="D-1", began_at=at("23:01"), ended_at=at("23:02"))
    made.put("decks", deck="d1").put("decks", deck="d2").put("decks", table="T8", deck="d9")
    made.rows(
        "hands",
        """
        round seat player staked_cents back_cents owed_cents
        1     1    p-1    1000         0          0
        1     2    p-2    1000         3000       2000
        2     1    p-1    1000         1000       1000
        3     1    p-1    1000         2500       3000
        4     1    p-1    1000         0          -
        5     2    -      1000         -          -
        6     2    p-2    1000         0          0
        3     0    -      -            -          -
        """,
    )
    return made.rows("hands", "round seat player staked_cents back_cents owed_cents\n1 1 p-3 1000 0 500", table="T8")


# what was bad, rounds, hands, to players, by players, as void
AFFECTED = [
    ({"deck": "d1"}, [1, 3, 5], 4, 1_000, 3_500),
    ({"deck": "d1", "last_round": 3}, [1, 3], 3, 1_000, 3_500),
    ({"device": "m-1"}, [1, 2, 3, 4], 5, 2_000, 3_500),
    ({"device": "m-2"}, [5, 6], 2, 1_000, 0),
    ({"device": "m-1", "deck": "d2"}, [2, 4], 2, 1_000, 0),
    ({"dealer": "D-1", "table": "T7"}, [1, 2, 3], 4, 1_000, 3_500),
]


@pytest.mark.parametrize(("affected", "rounds", "hands", "to_players", "by_players"), AFFECTED)
def test_what_was_touched_is_handed_back_where_it_is_of_no_effect(
    affected: dict[str, object], rounds: list[int], hands: int, to_players: int, by_players: int
) -> None:
    with _floor() as made:
        told = blast_radius(made, Affected(**affected), basis="void")
    assert [each.round for each in told.affected_rounds] == rounds
    assert (told.rounds, told.hands) == (len(rounds), hands)
    assert (told.to_players_cents, told.by_players_cents) == (to_players, by_players)


def test_a_dealers_errors_go_by_the_rules_and_a_decks_by_the_stakes() -> None:
    with _floor() as made:
        dealer = blast_radius(made, Affected(dealer="D-1"))
        deck = blast_radius(made, Affected(deck="d2"))
    assert (dealer.basis, deck.basis) == ("rules", "void")
    repaid = {each.player: (each.to_player_cents, each.by_player_cents, each.net_cents) for each in dealer.repayments}
    assert repaid == {"p-1": (500, 0, 500), "p-2": (0, 1_000, -1_000), "p-3": (500, 0, 500)}


def test_a_hand_nobody_can_settle_is_counted_and_not_guessed() -> None:
    with _floor() as made:
        told = blast_radius(made, Affected(deck="d2"), basis="rules")
        nobody = blast_radius(made, Affected(device="m-2"))
    assert [(each.player, each.undecided) for each in told.repayments] == [("p-1", 1), ("p-2", 0)]
    assert [(each.player, each.undecided) for each in nobody.repayments] == [
        ("p-2", 0),
        ("unknown at T7/2026-11-18 seat 2", 1),
    ]


def test_a_stretch_of_time_is_every_round_that_was_on_in_it() -> None:
    begin, end = datetime(2026, 11, 18, 20, 2, 15, tzinfo=UTC), datetime(2026, 11, 18, 20, 4, 10, tzinfo=UTC)
    with _floor() as made:
        told = blast_radius(made, Affected(begin=begin, end=end))
    assert [each.round for each in told.affected_rounds] == [2, 3, 4]


def test_a_round_left_open_goes_on_until_the_next_one_begins() -> None:
    """The end of the round is unknown; that it was on is certain."""
    asked = [
        (("20:05", "20:06"), [1]),
        (("20:10:30", "20:10:40"), [2]),
        (("20:12", "20:13"), [3]),
        (("20:11", ""), [3]),
    ]
    with _floor() as made:
        for number, began, ended in ((1, "20:00", ""), (2, "20:10", "20:10:50"), (3, "20:11:30", "")):
            over = at(ended) if ended else None
            made.put("rounds", table="T9", round=number, began_at=at(began), ended_at=over)
        for (begin, end), rounds in asked:
            told = blast_radius(made, Affected(table="T9", begin=at(begin), end=at(end) if end else None))
            assert [each.round for each in told.affected_rounds] == rounds, begin


# what was said, what is answered
WRONG = [
    ({}, AskedWronglyError, "name a deck, a device, a dealer"),
    ({"table": "T7"}, AskedWronglyError, "name a deck, a device, a dealer"),
    ({"deck": "d"}, NothingFitsError, "there are d1, d2, d9"),
    ({"device": "m-9"}, NothingFitsError, "there are m-1, m-2"),
    ({"dealer": "D-9"}, NothingFitsError, "dealt by 'D-9'"),
]


@pytest.mark.parametrize(("affected", "error", "says"), WRONG)
def test_what_touched_nothing_says_what_there_is(affected: dict[str, str], error: type[Exception], says: str) -> None:
    with _floor() as made, pytest.raises(error, match=says):
        blast_radius(made, Affected(**affected))


def test_sums_go_by_void_or_by_rules() -> None:
    with _floor() as made, pytest.raises(AskedWronglyError, match="must be void or rules"):
        blast_radius(made, Affected(deck="d1"), basis="luck")  # type: ignore[arg-type]
