"""Setups of the simulated tables: any lawful mix of game, dealing method, devices, options and sensors.

Everything drawn here is allowed by a rule book, and the parts fit together: a house with a finding is drawn again.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from domain.facts.table_day import WagerLimits
from domain.facts.words import Book, Dealing, Wager
from domain.rulebooks import house, newest
from domain.simulation.property_time import ZONE
from domain.simulation.sensors import Reading
from domain.simulation.table import Setup

GAMES: tuple[Book, ...] = ("UTH-MA", "UTH-MD", "PIK", "FAH", "COL")
METHODS: dict[Book, tuple[Dealing, ...]] = {
    **dict.fromkeys(GAMES, ("manual-shoe", "hand", "automated-shoe")),
    "FAH": ("manual-shoe", "continuous-shoe"),
}
Options = dict[str, Any]

_ANTES = (500, 1_000, 1_500, 2_500)
_MOST = 60  # the most antes a player may wager
# What partial sensors omit: unrecorded kinds of fact, and wagers without a sensor.
_NOBODY_RECORDS = (
    "card-burned",
    "cards-stacked",
    "cover-card-placed",
    "cover-card-removed",
    "decision-asked",
    "deck-sorted",
    "discard-rack-emptied",
    "discards-collected",
    "hand-announced",
    "hands-collected",
    "inspection-offered",
    "stub-discarded",
    "stub-removed",
    "three-designated",
)
# Also omitted now and then. Void hands, device failures and rulings are always recorded.
_SELDOM_RECORDS = (
    "bets-closed",
    "bought-in",
    "card-dealt",
    "cards-spread",
    "cards-turned",
    "cards-washed",
    "community-revealed",
    "cut-performed",
    "decision-made",
    "device-configured",
    "hand-revealed",
    "hand-set",
    "hands-determined",
    "inspection-verified",
    "marker-placed",
    "person-came",
    "player-seated",
    "progressive-locked-out",
    "shoe-loaded",
    "shuffle-completed",
    "slot-assigned",
    "stack-delivered",
    "stub-counted",
    "wager-collected",
    "wager-placed",
    "wager-returned",
)
_READINGS: tuple[Reading, ...] = ("all", "all", "all", "shown", "none")
_SENSORS: dict[Book, tuple[tuple[Wager, ...], ...]] = {
    "UTH-MA": (("trips",), ("ante", "blind", "play"), ("cover_all", "progressive")),
    "UTH-MD": (("trips",), ("ante", "blind", "play"), ("six_card", "ultimate_pairs", "bad_beat", "play_the_board")),
    "PIK": (("bonus3",), ("ante", "bonus5", "play3", "play5")),
    "FAH": (("split",), ("original", "split")),
    "COL": (("bonus",), ("ante", "bet")),
}


def setup_of(table: str, book: Book, method: Dealing, chance: Random, version: str) -> Setup:
    """Return a table's permanent setup; `version` is Colorado's, one for all tables of a property."""
    while True:
        options, parts = _DRAWN[book](method, chance)
        if book == "COL":
            options["version"] = version
        if not house(newest(book), options, method).findings:
            break
    return Setup(
        book,
        options,
        method,
        table,
        zone=ZONE,
        positions=chance.choice((5, 6)),
        limits=limits_of(book, options),
        opener_cents=chance.choice((4_000_000, 5_000_000, 7_500_000)),
        **parts,
        **_sensors(book, chance),
    )


def limits_of(book: Book, options: Options) -> dict[str, WagerLimits]:
    """Return the posted minimum and maximum of each wager whose amount a player may choose."""
    if book == "FAH":
        return {"original": WagerLimits(_ANTES[1], _ANTES[1] * _MOST)}
    least = options.get("ante_min", _ANTES[1])
    limits: dict[str, WagerLimits] = {"ante": WagerLimits(least, options.get("ante_max", least * _MOST))}
    if book.startswith("UTH"):
        limits["trips"] = WagerLimits(options["trips_min"], 10_000)
    if book == "PIK" and options.get("bonus3_table"):
        limits["bonus3"] = WagerLimits(options["bonus3_min"], options["bonus3_max"])
    return limits


def _uth_ma(method: Dealing, chance: Random) -> tuple[Options, Options]:
    cover_all = chance.random() < 0.35
    machine = cover_all or method == "hand" or chance.random() < 0.6
    shuffler = "cover-all" if cover_all else "automated" if machine else "none"
    options: Options = {
        "ante_min": chance.choice(_ANTES),
        "trips_min": 500,
        "trips_table": chance.choice("ABCD"),
        "cover_all": cover_all,
        "match_play": {"accepted": chance.random() < 0.8, "returned_on_win": chance.random() < 0.3},
        **_decks(shuffler, chance),
    }
    if chance.random() < 0.4:
        flush = chance.choice((2_000, 2_500))
        options["progressive"] = {
            "house_awards": {
                "straight": 1_500,
                "flush": flush,
                "full_house": 5_000,
                "four_of_a_kind": 20_000,
                "straight_flush": 100_000,
                "royal_flush": 1_000_000,
            }
        }
    if chance.random() < 0.2:
        options["payout_cap"] = 6_000_000
    return options, _parts("UTH-MA", method, options, chance)


def _uth_md(method: Dealing, chance: Random) -> tuple[Options, Options]:
    shuffler = chance.choice(("automated", "counting") if method == "hand" else ("none", "automated", "counting"))
    options: Options = {
        "ante_min": chance.choice(_ANTES),
        "trips_min": 500,
        "trips_table": chance.choice("ABCDE"),
        "blind_table": chance.choice("AAB"),
        "abandoned_wagers_lose": chance.random() < 0.5,
        **_decks(shuffler, chance),
    }
    if method == "automated-shoe" and chance.random() < 0.6:
        options["six_card_table"] = chance.choice("AB")
    for side, letters in (("ultimate_pairs", "ABCDEF"), ("bad_beat", "ABC"), ("play_board", "ABC")):
        if chance.random() < 0.35:
            options[f"{side}_table"] = chance.choice(letters)
    parts = _parts("UTH-MD", method, options, chance)
    if chance.random() < 0.5:
        letter = chance.choice("ABCD")
        options["progressive"] = {
            "table": letter,
            "envy_table": chance.choice("ABCD"),
            "allowed": chance.choice(([100, 500], [500], [100])),
            "cards": chance.choice(("best-of-seven", "hole-and-flop")),
            "envy_holder_must_wager": chance.random() < 0.3,
        }
        resets = house(newest("UTH-MD"), options, method).book.value(f"least_resets_cents_{letter}")
        parts["meters_cents"] = {meter: cents + chance.randrange(cents) for meter, cents in resets.items()}
        shares = (15, 6, 3) if len(resets) == 3 else (20, 8)
        parts["contribution_percent"] = dict(zip(resets, shares, strict=False))
    if chance.random() < 0.3:
        options["payout_cap"] = 7_500_000
        options["cap_includes_side_wagers"] = chance.random() < 0.5
    return options, parts


def _pikit(method: Dealing, chance: Random) -> tuple[Options, Options]:
    shuffler = chance.choice(("automated", "counting") if method == "hand" else ("none", "automated", "counting"))
    least = chance.choice(_ANTES)
    options: Options = {
        "ante_min": least,
        "ante_max": least * _MOST,
        "bonus3_min": 100,
        "bonus3_max": 5_000,
        "dealer_qualifies": chance.random() < 0.5,
        "play3_multiple": chance.choice((1, 1, 2)),
        "bonus5_table": chance.choice((1, 2)),
        "bonus3_table": chance.choice((1, 2, 3, None)),
        "settlement_procedure": chance.choice((1, 2)),
        "max_positions": chance.choice((1, 2, 3)),
        "match_play": {"accepted": chance.random() < 0.8, "returned_on_win": chance.random() < 0.3},
        **_decks(shuffler, chance),
    }
    if method == "automated-shoe":
        options["dealer_stack_delivery"] = chance.choice(("at-deal", "after-decisions"))
    return options, _parts("PIK", method, options, chance)


def _fast_action(method: Dealing, chance: Random) -> tuple[Options, Options]:
    shuffler = "continuous" if method == "continuous-shoe" else chance.choice(("none", "batch"))
    options: Options = {
        "decks": chance.choice((6, 8)),
        "shuffler": shuffler,
        "copy_hand_rule": chance.choice(("lose", "push")),
        "house_way": {"viii": chance.choice(("both", "high-only")), "ix": chance.choice(("both", "high-only"))},
        "surrender_rounding": chance.choice(("exact", "house", "player")),
        "surrender_unit": chance.choice((1, 50)),
        "marker_skips_empty": chance.random() < 0.5,
        "concealing_card": method == "manual-shoe" and chance.random() < 0.3,
    }
    return options, {"shuffler_loads_shoe": shuffler == "batch" and chance.random() < 0.5}


def _colorado(method: Dealing, chance: Random) -> tuple[Options, Options]:
    shuffler = chance.choice(("automated", "counting") if method == "hand" else ("none", "automated", "counting"))
    options: Options = {
        "max_positions": chance.choice((1, 2)),
        "bonus_offered": chance.random() < 0.8,
        "v2_pair_of_tens": chance.choice(("push", "pay")),
        "fold_bonus": chance.choice(("collect", "return")),
        "erroneous_declaration_bonus": chance.choice(("return", "collect")),
        "instant_winner_ace_low": chance.random() < 0.3,
        "match_play": {"accepted": chance.random() < 0.8, "returned_on_win": chance.random() < 0.3},
        **_decks(shuffler, chance),
    }
    if chance.random() < 0.3:
        options["payout_cap"] = 5_000_000
    return options, _parts("COL", method, options, chance)


_DRAWN: dict[Book, Callable[[Dealing, Random], tuple[Options, Options]]] = {
    "UTH-MA": _uth_ma,
    "UTH-MD": _uth_md,
    "PIK": _pikit,
    "FAH": _fast_action,
    "COL": _colorado,
}


def _decks(shuffler: str, chance: Random) -> Options:
    return {"shuffler": shuffler, "decks": 2 if shuffler != "none" and chance.random() < 0.6 else 1}


def _parts(book: Book, method: Dealing, options: Options, chance: Random) -> Options:
    """Return the other dealing options: a second deck needs its machine, and so does a self-loading shoe."""
    route = chance.choice(("", "", "preinspected", "preshuffled"))
    parts: Options = {route: True} if route else {}
    if options["shuffler"] != "none" and method != "hand":
        parts["shuffler_loads_shoe"] = chance.random() < 0.4
    if book == "UTH-MD" and method == "automated-shoe":
        parts["dealer_stack"] = chance.choice(("at-deal", "after-decisions"))
        parts["shoe_reshuffles"] = options["shuffler"] == "none" and chance.random() < 0.5
    return parts


def _sensors(book: Book, chance: Random) -> Options:
    """Return what is recorded: everything at half of the tables."""
    return {} if chance.random() < 0.5 else some_sensors(book, chance)


def some_sensors(book: Book, chance: Random) -> Options:
    """Return sensors that see only a part."""
    silent = chance.sample(_NOBODY_RECORDS, chance.randrange(4))
    silent += chance.sample(_SELDOM_RECORDS, chance.choice((0, 0, 1)))
    unseen = chance.choice(_SENSORS[book]) if chance.random() < 0.4 else ()
    return {"reading": chance.choice(_READINGS), "unrecorded": tuple(sorted(silent)), "unseen_wagers": unseen}
