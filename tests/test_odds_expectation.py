"""Expectations of a house agree with the odds of each wager, and cover every wager that is staked."""

from hashlib import sha256
from math import isclose, sqrt

import pytest
from msgspec import json

from domain.odds import odds_of
from domain.odds.expectation import BASE_GAMES, edition_of_house, expectations, game_of, house_digest
from domain.rulebooks import BOOKS, house, newest
from tests.simulation.incidents.bases import BASES

AWARDS = {"royal_flush": 1_000_000, "straight_flush": 230_000, "full_house": 4_000}
EVERYTHING = [
    ("UTH-MA", {"cover_all": True, "shuffler": "cover-all", "progressive": {"house_awards": AWARDS}}),
    (
        "UTH-MD",
        {
            "shuffler": "counting",
            "six_card_table": "A",
            "ultimate_pairs_table": "A",
            "bad_beat_table": "A",
            "play_board_table": "A",
            "progressive": {"table": "C", "meters": {"mega": 5_000_000}},
        },
    ),
    ("PIK", {}),
    ("FAH", {}),
    ("COL", {}),
]


@pytest.mark.parametrize("book", BOOKS)
def test_a_wager_is_measured_alone_or_in_the_base_game(book):
    offers = dict(EVERYTHING)[book]
    made = house(newest(book), offers)
    held = expectations(made)
    measured = {wager for entry in held.values() for wager in entry.wagers}
    unstaked = {"envy"} if book == "UTH-MA" else set()  # Massachusetts has no envy bonus
    assert measured == set(made.book.wagers) - unstaked
    assert set(game_of(book)) == set(BASE_GAMES[book].wagers)


# book, wager, the odds it must equal, the stake
SAME = [
    ("UTH-MA", "base", "base", 1_000),
    ("UTH-MA", "trips", "trips", 500),
    ("UTH-MA", "progressive", "progressive", 500),
    ("UTH-MA", "cover_all@3", "cover_all@3", 500),
    ("UTH-MD", "six_card", "six_card", 500),
    ("UTH-MD", "six_card", "six_card@100", 100),
    ("UTH-MD", "progressive", "progressive", 100),
    ("UTH-MD", "progressive", "progressive@500", 500),
    ("UTH-MD", "bad_beat", "bad_beat", 2_500),
    ("PIK", "base", "base_with_bonus5", 700),
    ("PIK", "bonus3", "bonus3", 700),
    ("FAH", "base", "original", 700),
    ("COL", "base", "base", 700),
    ("COL", "bonus", "bonus_at_base_play", 100),
]


def _kept_cents(entry, count, staked_cents):
    """The house's share as the module's words define it."""
    return entry.edge * staked_cents + entry.fixed_cents * count


def _spread_cents(entry, count, stake):
    return sqrt(entry.deviation**2 * stake * stake + entry.crossed * stake + entry.fixed_variance * count)


@pytest.mark.parametrize(("book", "wager", "odds", "stake"), SAME)
def test_what_is_expected_of_a_stake_is_what_the_odds_of_that_stake_say(book, wager, odds, stake):
    made = house(newest(book), dict(EVERYTHING)[book])
    entry, told = expectations(made)[wager], odds_of(made).wagers[odds]
    kept, spread = _kept_cents(entry, 1, stake), _spread_cents(entry, 1, stake)
    assert isclose(kept, float(told.house_edge) * stake, rel_tol=1e-9)
    assert isclose(spread, told.standard_deviation * stake, rel_tol=1e-9)


def _of_maryland():
    book, options = EVERYTHING[1]
    return house(newest(book), options)


def test_flat_awards_count_once_a_wager_and_not_by_the_stake():
    entry = expectations(_of_maryland())["six_card"]
    one, two = _kept_cents(entry, 1, 1_000), _kept_cents(entry, 2, 1_000)
    assert two - one == pytest.approx(entry.fixed_cents)
    assert entry.fixed_cents < 0


def test_an_envy_bonus_costs_the_house_for_each_other_player():
    held = expectations(_of_maryland())
    assert held["envy@500"].unit == "progressive"
    assert held["envy@500"].edge < 0


def test_odds_nobody_has_stored_are_left_open():
    entry = expectations(house(newest("UTH-MD"), {"posted_odds": {"blind": {"flush": "2 to 1"}}}))["base"]
    assert (entry.edge, entry.deviation) == (None, None)
    assert entry.note.startswith("not stored")


def test_a_house_is_named_by_what_it_plays_and_not_by_how_that_was_said():
    assert house_digest(house(newest("PIK"), {})) == house_digest(house(newest("PIK"), {"play3_multiple": 1}))
    assert house_digest(house(newest("PIK"), {})) != house_digest(house(newest("PIK"), {"play3_multiple": 2}))
    assert house_digest(house(newest("UTH-MA"), {})) != house_digest(house(newest("UTH-MA"), {}, "hand"))
    assert house_digest(house(newest("UTH-MA"), {})) != house_digest(house(newest("UTH-MD"), {}))


def test_a_kept_house_tells_its_edition_under_whichever_digest_it_was_kept():
    made = _of_maryland()
    options = json.encode(made.options, order="sorted")
    for digest in (made.book.digest, *made.book.former):
        kept = sha256(json.encode([digest, made.options], order="sorted")).hexdigest()
        assert edition_of_house(kept, "UTH-MD", options.decode()) is made.book
    assert edition_of_house("00" * 32, "UTH-MD", options.decode()) is None


@pytest.mark.parametrize("book", BOOKS)
def test_every_house_of_the_floor_has_an_expectation(book):
    for setup in BASES[book]:
        assert expectations(house(newest(book), setup.options, setup.method))["base"].edge is not None
