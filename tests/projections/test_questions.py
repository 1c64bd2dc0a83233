"""Each question over a few rows written by hand."""

from datetime import UTC, date, datetime, timedelta

import pytest

from projections.questions.asking import AskedWronglyError, NothingFitsError
from projections.questions.coverage import open_wagers, undecided
from projections.questions.dealers import dealer_record
from projections.questions.decks import deck_ledger
from projections.questions.findings import FindingFilter, findings
from projections.questions.floor import floor_now
from projections.questions.people import dealers_of
from projections.questions.players import evening
from projections.questions.posts import meters, staff
from projections.questions.table_day import found_of
from projections.questions.troubles import quality
from tests.projections.hand_made import DAY, HandMade, at

BEFORE = date(2026, 11, 17)


def _tables(made: HandMade) -> HandMade:
    """Two tables; T7 has an earlier day, T8 is closed."""
    made.put("tables", gaming_day=BEFORE, state="closed", book="UTH-MD", sequence=90, sealed_to=90)
    made.put(
        "tables", state="playing", book="UTH-MD", pit="B", deck="d1", round=9, hands=20, sequence=200, sealed_to=180
    )
    made.put("tables", table="T8", state="closed", book="PIK", pit="A", sequence=50, sealed_to=50)
    return made


def test_the_floor_is_each_tables_newest_day_with_what_is_open_there() -> None:
    with _tables(HandMade()) as made:
        made.put("verified", up_to=195).put("verified", table="T8", up_to=50).put(
            "verified", gaming_day=BEFORE, up_to=90
        )
        made.put("findings", finding="a", expected_cents=500, observed_cents=3_500)
        made.put("findings", finding="b", severity="procedure")
        made.put("findings", finding="c", state="withdrawn", expected_cents=0, observed_cents=9_900)
        made.put("findings", finding="d", gaming_day=BEFORE, expected_cents=0, observed_cents=100)
        made.put("coverage", what="decided", wagers=40).put("coverage", what="a card was not seen", wagers=2)
        made.put("decks", deck="d1", count_due=True).put("decks", deck="d2", count_due=False)
        told = floor_now(made)
        open_alone = floor_now(made, closed=False)
    assert [(row.table, row.gaming_day, row.state) for row in told] == [("T8", DAY, "closed"), ("T7", DAY, "playing")]
    table = told[1]
    assert (table.findings, table.money_findings, table.at_risk_cents) == (2, 1, 3_000)
    assert (table.unverified, table.unsealed, table.decided, table.undecided) == (5, 20, 40, 2)
    assert table.count_due
    assert [row.table for row in open_alone] == ["T7"]


def _queue() -> HandMade:
    made = _tables(HandMade())
    made.rows(
        "findings",
        """
        finding code           severity  table round seat dealer expected_cents observed_cents state
        f1      wager-overpaid money     T7    3     2    D-1    1000           3000           standing
        f2      wager-after-close integrity T7    5     1    D-1    -              -              standing
        f3      wager-short    money     T8    1     1    D-2    500            400            standing
        f4      wager-overpaid money     T7    6     2    D-2    0              100            withdrawn
        """,
        at=at("20:00"),
    )
    made.put(
        "findings",
        finding="f0",
        code="stub-count-overdue",
        severity="procedure",
        gaming_day=BEFORE,
        at=at("20:00", BEFORE),
    )
    for table, number, seat, player in (
        ("T7", 3, 2, "p-1"),
        ("T7", 5, 1, "p-2"),
        ("T8", 1, 1, "p-1"),
        ("T7", 6, 2, "p-1"),
    ):
        made.put("rounds", table=table, round=number, hands=1)
        made.put("hands", table=table, round=number, seat=seat, player=player)
    return made


# what is asked for, which findings come
QUEUE = [
    ({}, "f1 f2 f3 f0"),
    ({"table": "T7"}, "f1 f2 f0"),
    ({"table": "T7", "first": DAY}, "f1 f2"),
    ({"last": BEFORE}, "f0"),
    ({"game": "PIK"}, "f3"),
    ({"dealer": "D-1"}, "f1 f2"),
    ({"player": "p-1"}, "f1 f3"),
    ({"player": "p-1", "state": "any"}, "f1 f3 f4"),
    ({"player": "nobody"}, ""),
    ({"code": "wager-after-close"}, "f2"),
    ({"severity": "money"}, "f1 f3"),
    ({"state": "withdrawn"}, "f4"),
    ({"at_least_cents": 1_000}, "f1"),
    ({"begin": datetime(2026, 11, 18, 21, tzinfo=UTC)}, ""),
    ({"begin": datetime(2026, 11, 18, 19, 59, tzinfo=UTC), "table": "T8"}, "f3"),
    (
        {"begin": datetime(2026, 11, 18, 14, 59, tzinfo=datetime.fromisoformat("2026-01-01T00:00-05:00").tzinfo)},
        "f1 f2 f3",
    ),
    ({"end": datetime(2026, 11, 18, 19, tzinfo=UTC)}, "f0"),
]


@pytest.mark.parametrize(("wanted", "found"), QUEUE, ids=[str(row[0]) for row in QUEUE])
def test_the_queue_is_filtered(wanted: dict[str, object], found: str) -> None:
    with _queue() as made:
        told = findings(made, FindingFilter(**wanted))
    assert " ".join(row.finding for row in told) == found


def test_a_state_is_found_by_a_time_at_which_it_lasts_and_names_its_rounds() -> None:
    with _tables(HandMade()) as made:
        made.put("findings", finding="a", round=3, to_round=9, at=at("20:00"))
        made.put("findings", finding="b", round=3, at=at("20:00"))
        for number, began, ended in ((3, "19:59", "20:01"), (4, "20:02", "20:30"), (9, "20:59", "21:10")):
            made.put("rounds", round=number, began_at=at(began), ended_at=at(ended))
        late = [
            [row.place for row in findings(made, FindingFilter(begin=datetime(2026, 11, 18, 21, minute, tzinfo=UTC)))]
            for minute in (5, 15)
        ]
        early = findings(made, FindingFilter(end=datetime(2026, 11, 18, 20, 30, tzinfo=UTC)))
        (day,) = [row for row in found_of(made, "T7", DAY) if row.finding == "a"]
    assert late == [["T7 rounds 3 to 9"], []]
    assert [row.place for row in early] == ["T7 rounds 3 to 9", "T7 round 3"]
    assert (day.round, day.to_round) == (3, 9)


def test_a_player_is_shown_the_state_that_their_wagers_began() -> None:
    with _dealt() as made:
        made.put("findings", finding="f", code="wager-unseated", round=1, to_round=3, seat=1)
        (found,) = evening(made, "p-1").findings
    assert (found.finding, found.round, found.to_round) == ("f", 1, 3)


def test_the_queue_by_money_has_the_most_at_risk_first_and_tells_the_player() -> None:
    with _queue() as made:
        told = findings(made, FindingFilter(), order="money", limit=2)
    assert [(row.finding, row.at_risk_cents, row.player) for row in told] == [("f1", 2_000, "p-1"), ("f3", 100, "p-1")]


def _dealt() -> HandMade:
    """Two rounds of T7 by D-1, one by D-2: p-1 plays all three, p-2 the last."""
    made = _tables(HandMade())
    for number, dealer in ((1, "D-1"), (2, "D-1"), (3, "D-2")):
        times = {"began_at": at(f"20:0{number}"), "ended_at": at(f"20:0{number}:30")}
        made.put(
            "rounds",
            round=number,
            dealer=dealer,
            hands=2 if number == 3 else 1,
            house="h",
            decided=3,
            undecided=0,
            **times,
        )
    made.rows(
        "hands",
        """
        round seat player staked_cents back_cents owed_cents difference_cents
        1     1    p-1    2000         3000       2500       500
        2     1    p-1    2000         0          -          -
        3     1    p-1    2000         4000       4000       0
        3     2    p-2    2000         1000       1200       -200
        3     0    -      -            -          -          -
        """,
    )
    made.rows(
        "wagers",
        """
        round seat player wager staked_cents back_cents owed_cents difference_cents undecided
        1     1    p-1    ante  1000         2000       2000       0                -
        1     1    p-1    blind 1000         1000       500        500              -
        2     1    p-1    ante  1000         0          -          -                card
        2     1    p-1    blind 1000         -          -          -                card
        3     1    p-1    ante  2000         4000       4000       0                -
        3     2    p-2    ante  2000         1000       1200       -200             -
        """,
    )
    return made.put(
        "houses",
        house="h",
        book="UTH-MD",
        wager="base",
        unit="ante",
        edge=0.02,
        deviation=5.0,
        fixed_cents=0,
        crossed=0,
        fixed_variance=0,
    )


def test_a_players_evening_has_every_hand_and_what_the_odds_would_have_kept() -> None:
    with _dealt() as made:
        made.put("seatings", number=1, seat=1, player="p-1", bought_in_cents=50_000, seated_at=at("19:50"))
        made.put("findings", finding="f1", round=1, seat=1).put("findings", finding="f2", round=3, seat=2)
        told = evening(made, "p-1")
    assert (told.rounds, told.hands, told.staked_cents, told.back_cents, told.won_cents) == (3, 3, 6_000, 7_000, 1_000)
    assert (told.over_cents, told.under_cents, told.open) == (500, 0, 1)
    # of hand 2 an amount was not seen: both sides are of hands 1 and 3, antes of $10 and $20
    assert told.against_cents == 3_000
    assert told.expected_cents == pytest.approx(-0.02 * 3_000)
    assert told.high_cents == pytest.approx(-60 + 1.96 * 5 * (1_000**2 + 2_000**2) ** 0.5)
    assert [hand.round for hand in told.hands_played] == [1, 2, 3]
    assert [sitting.bought_in_cents for sitting in told.sittings] == [50_000]
    assert [found.finding for found in told.findings] == ["f1"]


def test_a_player_nobody_saw_has_no_evening() -> None:
    with _dealt() as made, pytest.raises(NothingFitsError, match="no hand of player p-9"):
        evening(made, "p-9")


def test_a_dealers_record_counts_hands_pace_and_errors_by_direction() -> None:
    with _dealt() as made:
        row = {"dealer": "D-1", "at": at("20:01"), "code": "wager-overpaid"}
        made.put("findings", finding="f1", expected_cents=500, observed_cents=1_000, **row)
        made.put("findings", finding="f2", expected_cents=900, observed_cents=800, **row)
        made.put("findings", finding="f3", expected_cents=900, observed_cents=500, **row | {"state": "withdrawn"})
        made.put("findings", finding="f4", **row | {"code": "stub-count-overdue", "severity": "procedure"})
        told = dealer_record(made, "D-1")
        other = dealer_record(made, "D-2")
    assert (told.rounds, told.hands, told.decided) == (2, 2, 6)
    assert told.rounds_an_hour == 120  # thirty seconds each
    assert (told.over, told.over_cents, told.under, told.under_cents) == (1, 500, 0, 0)
    assert (other.over, other.under, other.under_cents) == (0, 1, 200)
    assert [(each.code, each.direction, each.count, each.at_risk_cents) for each in told.errors] == [
        ("wager-overpaid", "to the player", 1, 500),
        ("wager-overpaid", "to the house", 1, 100),
        ("stub-count-overdue", "neither", 1, 0),
    ]
    assert told.wrong_share == pytest.approx(1 / 6)
    assert told.wrong_low is not None
    assert told.wrong_high is not None
    assert 0 < told.wrong_low < 1 / 6 < told.wrong_high < 0.6


def test_a_round_left_open_counts_and_says_nothing_of_the_pace() -> None:
    """The round's length is unknown."""
    with _dealt() as made:
        made.put("rounds", round=4, dealer="D-1", hands=1, decided=0, undecided=0, began_at=at("20:04"))
        made.put("rounds", round=5, dealer="D-3", hands=1, decided=0, undecided=0, began_at=at("20:05"))
        told, other = dealer_record(made, "D-1"), dealer_record(made, "D-3")
        listed = {row.dealer: row.rounds_an_hour for row in dealers_of(made)}
    assert (told.rounds, told.days[0].completed, told.days[0].seconds, told.rounds_an_hour) == (3, 2, 60, 120)
    assert (other.rounds, other.days[0].completed, other.days[0].seconds, other.rounds_an_hour) == (1, 0, 0, None)
    assert listed == {"D-1": 120, "D-2": 120, "D-3": None}


def test_a_dealer_nobody_saw_has_no_record() -> None:
    with _dealt() as made, pytest.raises(NothingFitsError, match="no round dealt by 'D-9'"):
        dealer_record(made, "D-9")


def test_the_deck_ledger_says_which_counts_are_overdue() -> None:
    with _tables(HandMade()) as made:
        made.put(
            "decks",
            deck="d1",
            first_round=1,
            last_round=9,
            rounds=9,
            counts_done=0,
            rounds_since_count=9,
            count_every=5,
            count_due=True,
        )
        made.put(
            "decks",
            deck="d2",
            first_round=10,
            last_round=14,
            rounds=5,
            rounds_since_count=2,
            count_due=False,
            received_at=at("18:00"),
        )
        made.put("decks", deck="d3", rounds=9, rounds_since_count=9, count_every=3, count_due=True, gone_at=at("19:00"))
        made.put("decks", gaming_day=BEFORE, deck="d0", rounds=1)
        made.put("decks", table="T8", deck="d8", rounds=1, rounds_since_count=6, count_every=5, count_due=True)
        made.put("findings", finding="f", code="stub-count-overdue", round=7)
        made.put("findings", finding="g", code="deck-not-removed", round=8, to_round=12)
        told = deck_ledger(made, "T7")
        overdue = deck_ledger(made, overdue=True)
        everywhere = deck_ledger(made, deck="d0")
    assert {row.deck: row.overdue_rounds for row in told} == {"d1": 4, "d2": 0, "d3": 6}
    assert {row.deck: row.findings for row in told} == {"d1": 2, "d2": 1, "d3": 0}
    assert [row.deck for row in overdue] == ["d1", "d8"]
    assert [row.gaming_day for row in everywhere] == [BEFORE]


def test_what_could_not_be_decided_is_counted_with_its_reason() -> None:
    with _dealt() as made:
        made.put("coverage", what="decided", wagers=90).put("coverage", what="a card was not seen", wagers=10)
        made.put("coverage", table="T8", what="decided", wagers=50)
        floor = undecided(made)
        games = undecided(made, by="game", first=DAY)
        left = open_wagers(made, "T7", DAY)
        none = open_wagers(made, "T7", DAY, what="amount")
    assert [(row.what, row.wagers, round(row.share, 3)) for row in floor] == [
        ("decided", 140, 0.933),
        ("a card was not seen", 10, 0.067),
    ]
    assert [(row.of, row.what, row.share) for row in games] == [
        ("PIK", "decided", 1.0),
        ("UTH-MD", "decided", 0.9),
        ("UTH-MD", "a card was not seen", 0.1),
    ]
    assert [(row.round, row.wager, row.undecided) for row in left] == [(2, "ante", "card"), (2, "blind", "card")]
    assert none == []


def test_meters_and_staff_are_those_of_the_last_day_unless_a_day_is_named() -> None:
    with _tables(HandMade()) as made:
        made.put("meters", meter="mega", stands_cents=200).put(
            "meters", meter="mega", gaming_day=BEFORE, stands_cents=100
        )
        made.put("staff", number=1, person="D-1", role="dealer", came_at=at("18:00"), went_at=at("19:00"))
        made.put("staff", number=2, person="D-2", role="dealer", came_at=at("19:00"))
        made.put("staff", gaming_day=BEFORE, number=1, person="D-1", role="dealer", came_at=at("18:00", BEFORE))
        assert [row.stands_cents for row in meters(made)] == [200]
        assert [row.stands_cents for row in meters(made, first=BEFORE, last=BEFORE)] == [100]
        assert [row.person for row in staff(made, table="T7")] == ["D-1", "D-2"]
        assert [row.gaming_day for row in staff(made, person="D-1")] == [BEFORE, DAY]
        moment = datetime(2026, 11, 18, 18, 30, tzinfo=UTC)
        assert [row.person for row in staff(made, table="T7", at=moment, first=DAY)] == ["D-1"]
        assert [row.person for row in staff(made, table="T7", at=moment + timedelta(hours=3), first=DAY)] == ["D-2"]


def test_the_quality_of_the_data_is_told_with_its_age() -> None:
    with _tables(HandMade()) as made:
        made.put("tables", table="T9", sequence=70, unread_from=61, unread_says="nobody can read fact 61", sealed_to=60)
        made.put("verified", up_to=190).put("verified", gaming_day=BEFORE, up_to=90).put(
            "verified", table="T8", up_to=50
        )
        made.put("troubles", log="facts", partition=0, position=7, kind="gap", mended=True)
        made.put("troubles", log="facts", partition=0, position=9, kind="unreadable")
        told = quality(made, now=made.made_at + timedelta(seconds=4))
        all_of_them = quality(made, mended=True)
    assert (told.age_seconds, told.troubles_open, told.unread_tables) == (4, 1, 1)
    assert [(row.stream, row.unverified, row.unsealed) for row in told.behind] == [
        ("T9/2026-11-18", 70, 10),
        ("T7/2026-11-18", 10, 20),
    ]
    assert [row.position for row in told.troubles] == [9]
    assert [row.position for row in all_of_them.troubles] == [9, 7]


@pytest.mark.parametrize(
    ("sealed_to", "up_to", "behind"),
    [
        (51, 50, None),  # verified to the closing, which its seal follows
        (51, 49, (2, 0)),
        (49, 50, (1, 2)),
        (0, 50, (1, 51)),
    ],
)
def test_a_whole_day_that_ends_in_its_seal_is_not_behind(
    sealed_to: int, up_to: int, behind: tuple[int, int] | None
) -> None:
    with HandMade() as made:
        made.put("tables", state="closed", sequence=51, sealed_to=sealed_to).put("verified", up_to=up_to)
        told, (row,) = quality(made), floor_now(made)
    assert [(each.unverified, each.unsealed) for each in told.behind] == ([behind] if behind else [])
    assert (row.unverified, row.unsealed) == (told.unverified, told.unsealed) == (behind or (0, 0))


def test_a_record_whose_facts_are_ahead_of_the_clock_is_not_behind_by_less_than_nothing() -> None:
    with HandMade() as made:
        made.put("tables", state="open", sequence=1, last_at=made.made_at.replace(tzinfo=None) + timedelta(hours=1))
        told = quality(made)
    assert (told.lag_seconds, told.ahead_seconds) == (0, 3_600)


def test_a_question_that_says_nothing_is_told_how_to_say_it() -> None:
    with _tables(HandMade()) as made, pytest.raises(NothingFitsError, match="there are T7, T8"):
        deck_ledger(made, "T77")
    assert issubclass(AskedWronglyError, ValueError)
