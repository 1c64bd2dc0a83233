"""Tables whose options, odds, limits or devices break the rule book, or change without notice."""

from typing import Any

import msgspec

from domain.facts.devices import DeviceConfigured
from domain.facts.table_day import GameCommenced, OptionChanged, TableOpened
from domain.simulation import opening
from domain.simulation.edits import said
from domain.simulation.incidents.changes import after, told
from domain.simulation.incidents.incident import ALL_BOOKS, ONE_DECK, Setting, StretchUnfitError, incident
from domain.simulation.incidents.owed import paying
from domain.simulation.incidents.progressives import offered
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import (
    both,
    by_book,
    choosing,
    chosen,
    dealing,
    shuffled_by_hand,
    with_options,
)
from domain.simulation.incidents.stage import plain
from domain.simulation.plans import RoundPlan
from domain.simulation.table import Setup, TableInPlay

_ODDS = ("odds-favour-the-player",)


def _found_at_the_opening(scene: PlayedStretch, *clauses: str) -> Woven:
    return scene.woven(anywhere=True, clauses=clauses, keys=_version(scene))


def _version(scene: PlayedStretch) -> tuple[str, ...]:
    """Return the key of Colorado's version, because its two versions are in two chapters."""
    return (str(scene.house["version"]),) if scene.book == "COL" else ()


def posting(odds: dict[str, dict[str, str]]) -> Setting:
    """Return the setting with these posted odds added to those already posted."""

    def setting(setup: Setup) -> Setup:
        held = dict(setup.options.get("posted_odds") or {})
        for wager, lines in odds.items():
            held[wager] = {**held.get(wager, {}), **lines}
        return with_options(setup, {"posted_odds": held})

    return setting


# A table that the text prints exactly, with one line posted at other odds.
_ALTERED = {
    "UTH-MA": {"blind": {"flush": "2 to 1"}},
    "UTH-MD": {"blind": {"flush": "2 to 1"}},
    "PIK": {"play5": {"any_win": "2 to 1"}},
    "FAH": {"original": {"any_win": "2 to 1"}},
    "COL": {"main": {"nine_twos": "9 to 2"}},
}


@incident(
    "pay-table-altered",
    ALL_BOOKS,
    "A pay table is posted with other odds than the text prints, or with a line it does not have.",
    clauses={
        "": "UTH-MA 11(c); UTH-MD 12.B; PIK 39.11(a)/s1; FAH (h)(12)/s1",
        "required": "COL 12(b)/Payout Odds",
        "permissible": "COL 13(b)/Payout Odds",
    },
    setting=by_book({book: posting(odds) for book, odds in _ALTERED.items()}),
    stretch="day",
    besides=("odds-favour-the-player",),
)
def altered(scene: PlayedStretch) -> Woven:
    """Return a day with a pay table that differs from the printed one."""
    return _found_at_the_opening(scene)


# A table with a printed floor, with one line posted below it.
_LOW = {
    "UTH-MA": {"trips": {"flush": "1 to 9"}},
    "PIK": {"bonus5": {"flush": "1 to 9"}},
    "COL": {"main": {"flush": "1 to 9"}},
}


@incident(
    "pay-table-below-floor",
    tuple(_LOW),
    "Odds are posted below the least the text allows.",
    clauses={
        "": "UTH-MA 11(d); PIK 39.11(b)/s1",
        "required": "COL 12(b)/Payout Odds",
        "permissible": "COL 13(b)/Payout Odds",
    },
    setting=by_book({book: posting(odds) for book, odds in _LOW.items()}),
    stretch="day",
)
def below_the_floor(scene: PlayedStretch) -> Woven:
    """Return a day with odds posted below the floor."""
    wager = {"UTH-MA": "trips", "PIK": "bonus5"}.get(scene.book)
    return _found_at_the_opening(scene, *(paying(scene, wager) if wager is not None else ()))


_GENEROUS = {
    "UTH-MA": {"trips": {"flush": "20 to 1"}},
    "PIK": {"bonus5": {"two_pair": "20 to 1", "three_of_a_kind": "40 to 1"}},
    "COL": {"main": {"two_pair": "9 to 1"}},
}


@incident(
    "odds-favour-the-player",
    tuple(_GENEROUS),
    "The odds posted return more than is staked in the long run.",
    clauses={"": "UTH-MA 11(d); PIK 39.11(b)/s1", "required": "COL 12(b)", "permissible": "COL 13(b)"},
    setting=both(
        by_book({"COL": choosing(v2_pair_of_tens="push")}),  # paying a pair of tens already favors the player
        by_book({book: posting(odds) for book, odds in _GENEROUS.items()}),
    ),
    stretch="day",
)
def too_generous(scene: PlayedStretch) -> Woven:
    """Return a day with posted odds that favor the player."""
    return _found_at_the_opening(scene)


@incident(
    "odds-far-outside",
    ("FAH",),
    "The odds posted leave the house an edge far from any printed one.",
    clauses="FAH (h)(12)/s1",
    setting=posting({"original": {"any_win": "1 to 2"}}),
    stretch="day",
    besides=("pay-table-altered",),
)
def too_mean(scene: PlayedStretch) -> Woven:
    """Return a day with posted odds far below any printed ones."""
    return _found_at_the_opening(scene)


@incident(
    "payout-cap-too-low",
    ("UTH-MA", "UTH-MD", "COL"),
    "The payout limit of the house is below the least the text allows.",
    clauses={
        "": "UTH-MA 11(e); UTH-MD 12.F(1)",
        "required": "COL 12(c)/s1",
        "permissible": "COL 13(c)/s1",
    },
    setting=choosing(payout_cap=4_000_000),
    stretch="day",
)
def capped_too_low(scene: PlayedStretch) -> Woven:
    """Return a day with a payout cap of $40,000."""
    keys = (str(scene.house["version"]),) if scene.book == "COL" else ()
    return scene.woven(anywhere=True, keys=keys)


@incident(
    "cap-conflict",
    ("UTH-MA",),
    "Two payout limits of the text contradict each other at this table.",
    clauses="UTH-MA 14(d)",
    setting=choosing(payout_cap=8_000_000),
    stretch="day",
)
def two_limits(scene: PlayedStretch) -> Woven:
    """Return a day on which two payout limits of the text conflict."""
    return _found_at_the_opening(scene)


def _progressive(**parts: Any) -> Setting:
    """Return the setting of Maryland's progressive with these parts; its meters begin at their resets."""

    def setting(setup: Setup) -> Setup:
        held = dict(setup.options.get("progressive") or {"table": "B"})
        if all(held.get(name) == value for name, value in parts.items()):
            return setup
        made = with_options(setup, {"progressive": {**held, **parts}})
        return msgspec.structs.replace(made, meters_cents={}, contribution_percent={})

    return setting


@incident(
    "meter-reset-too-low",
    ("UTH-MD",),
    "A progressive meter falls back below the least its pay table allows.",
    clauses="UTH-MD 12.D(3)(b)(ii)(2)",
    setting=_progressive(table="B", resets={"minor": 100}),
    stretch="day",
)
def falls_too_low(scene: PlayedStretch) -> Woven:
    """Return a day with a meter that resets to one dollar."""
    return _found_at_the_opening(scene)


@incident(
    "bonus-cannot-be-dealt",
    ("UTH-MD",),
    "The six card bonus is offered where its box is never dealt.",
    clauses="UTH-MD 7.F(4); UTH-MD 10.B(1)",
    setting=both(dealing("manual-shoe", "hand"), choosing(six_card_table="A")),
    stretch="day",
)
def no_box_here(scene: PlayedStretch) -> Woven:
    """Return a day with the six card bonus at a table that never deals its box."""
    return _found_at_the_opening(scene)


@incident(
    "envy-amount-unprinted",
    ("UTH-MD",),
    "A progressive amount is allowed for which no envy bonus is printed.",
    clauses="UTH-MD 7.F(3)(a); UTH-MD 12.D(5)(a)",
    setting=_progressive(allowed=[100, 1_000]),
    stretch="day",
)
def ten_dollars(scene: PlayedStretch) -> Woven:
    """Return a day with a $10 progressive wager, which has no printed envy bonus."""
    return scene.woven(anywhere=True)


@incident(
    "play-multiple-two",
    ("PIK",),
    "Play 5 is set to twice the ante.",
    clauses='PIK 39.1 "Play 5 wager"',
    setting=choosing(play5_multiple=2),
    stretch="day",
)
def twice_the_ante(scene: PlayedStretch) -> Woven:
    """Return a day with play 5 at twice the ante."""
    return _found_at_the_opening(scene)


@incident(
    "progressive-amount-invalid",
    ("UTH-MA",),
    "The table takes progressive wagers of another amount than the rules allow.",
    clauses="UTH-MA 14(a)",
    setting=offered,
    stretch="opening",
    besides=_ODDS,
)
def a_dollar(scene: PlayedStretch) -> Woven:
    """Return a day with a progressive wager of one dollar."""
    opened = scene.first(TableOpened)
    held = dict(opened.options.get("progressive") or {})
    return scene.woven(told(opened, options={**opened.options, "progressive": {**held, "amount": 100}}), anywhere=True)


_UNREADABLE = {
    "UTH-MA": ("ante_min", "UTH-MA 11(e)"),
    "UTH-MD": ("ante_min", "UTH-MD 12.F(1)"),
    "PIK": ("ante_min", "PIK 39.3(a)/s1-limits"),
    "FAH": ("surrender_unit", "FAH (h)(6)/s2"),
    "COL": ("payout_cap", "COL 12(c)/s1"),  # both versions share this option
}


@incident(
    "house-option-invalid",
    ALL_BOOKS,
    "An option of the house has a value nobody can read.",
    stretch="opening",
)
def unreadable(scene: PlayedStretch) -> Woven:
    """Return a day with an unreadable option that does not affect play."""
    option, clause = _UNREADABLE[scene.book]
    opened = scene.first(TableOpened)
    scene.wants(scene.book != "FAH" or scene.house["surrender_unit"] == scene.house.book.options[option].default)
    scene.wants(scene.book != "COL" or not opened.options.get("payout_cap"))
    edit = told(opened, options={**opened.options, option: -1})
    return scene.woven(edit, anywhere=True, clauses=(clause,))


@incident(
    "house-option-unknown",
    ALL_BOOKS,
    "The configuration names an option the rule book does not have.",
    stretch="opening",
)
def unknown(scene: PlayedStretch) -> Woven:
    """Return a day with an option that belongs to another game."""
    opened = scene.first(TableOpened)
    return scene.woven(told(opened, options={**opened.options, "side_bet_21": True}), anywhere=True)


@incident(
    "second-deck-without-shuffler",
    ONE_DECK,
    "A second deck is entered for a table that shuffles by hand, and taken back.",
    clauses="UTH-MA 2(b); UTH-MD 3.A(1); UTH-MD 3.B; PIK 39.2(b); COL 2(b)",
    setting=shuffled_by_hand,
    stretch="opening",
)
def a_second_deck(scene: PlayedStretch) -> Woven:
    """Return a stretch with a second deck in force for five minutes, without a shuffler."""
    words = said("option-changed", "decks", 2, True), said("option-changed", "decks", 1, True)
    return scene.woven(after(scene.first(GameCommenced), *words), anywhere=True)


@incident(
    "cover-all-device-mode-wrong",
    ("UTH-MA",),
    "Cover All is offered while the shuffler is in another mode.",
    clauses="UTH-MA 13(d)",
    setting=choosing(cover_all=True, shuffler="cover-all"),
    stretch="day",
)
def another_mode(scene: PlayedStretch) -> Woven:
    """Return a day with the shuffler in another mode than Cover All needs."""
    mode = scene.first(DeviceConfigured, device=scene.table.device("shuffler"))
    placed = scene.wagers(wager="cover_all")
    scene.wants(placed)
    return scene.woven(told(mode, mode="standard"), anywhere=True)


def _limited(setup: Setup) -> Setup:
    cap = chosen(setup, "payout_cap")
    return setup if cap is not None and cap >= 6_000_000 else with_options(setup, {"payout_cap": 9_000_000})


def _changed_in_silence(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Lower the limit before this round, without posting it."""
    if not table.options.get("payout_cap"):
        raise StretchUnfitError("there is no limit of the house's own")
    plain(plan)
    opening.choose(table, "payout_cap", int(table.options["payout_cap"]) - 500_000, posted=False)
    return plan


@incident(
    "notice-missing",
    ("COL",),
    "The payout limit is lowered without notice.",
    clauses={"required": "COL 12(c)/s2", "permissible": "COL 13(c)/s2"},
    setting=_limited,
    staging=_changed_in_silence,
)
def without_notice(scene: PlayedStretch) -> Woven:
    """Return the stretch without the notice of the lowered limit."""
    scene.wants(scene.has(OptionChanged))
    return scene.woven(anywhere=True, keys=(str(scene.house["version"]),))


def _another_version(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Put the other version in force for a moment between two rounds."""
    plain(plan)
    version = str(table.house["version"])
    other = "permissible" if version == "required" else "required"
    opening.choose(table, "version", other)
    opening.choose(table, "version", version)
    return plan


@incident(
    "versions-mixed",
    ("COL",),
    "A table changes to the other version of the game while another plays the first.",
    clauses="COL 6(f)/s2",
    staging=_another_version,
    across=True,
)
def one_version_here_another_there(scene: PlayedStretch) -> Woven:
    """Return the stretch with the other version in force, and then changed back."""
    return scene.woven(anywhere=True)
