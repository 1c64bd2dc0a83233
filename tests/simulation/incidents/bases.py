"""Houses of each game: every dealing method, one deck and two, by hand and by machine, plain and with all bonuses."""

from domain.simulation.table import Setup

_MA_PROGRESSIVE = {
    "house_awards": {
        "straight": 1_500,
        "flush": 2_000,
        "full_house": 4_000,
        "four_of_a_kind": 30_000,
        "straight_flush": 230_000,
        "royal_flush": 1_000_000,
    }
}
_MD_PROGRESSIVE = {"table": "B", "envy_table": "A", "allowed": [100, 500]}

BASES: dict[str, tuple[Setup, ...]] = {
    "UTH-MA": (
        Setup("UTH-MA", {"shuffler": "none"}),
        Setup("UTH-MA", {"shuffler": "automated", "decks": 2, "progressive": _MA_PROGRESSIVE}, "hand"),
        Setup("UTH-MA", {"shuffler": "cover-all", "cover_all": True, "trips_table": "C"}, "automated-shoe"),
    ),
    "UTH-MD": (
        Setup("UTH-MD", {"shuffler": "none", "blind_table": "B", "bad_beat_table": "A"}),
        Setup("UTH-MD", {"shuffler": "automated", "decks": 2, "progressive": _MD_PROGRESSIVE}, "hand"),
        Setup(
            "UTH-MD",
            {"shuffler": "counting", "six_card_table": "A", "ultimate_pairs_table": "A", "play_board_table": "A"},
            "automated-shoe",
            dealer_stack="after-decisions",
        ),
    ),
    "PIK": (
        Setup("PIK", {"shuffler": "none", "dealer_qualifies": True, "settlement_procedure": 1}),
        Setup("PIK", {"shuffler": "automated", "decks": 2, "settlement_procedure": 2}, "hand"),
        Setup("PIK", {"shuffler": "counting", "dealer_stack_delivery": "after-decisions"}, "automated-shoe"),
    ),
    "FAH": (
        Setup("FAH", {"shuffler": "none"}),
        Setup("FAH", {"shuffler": "batch", "decks": 8, "copy_hand_rule": "push"}),
        Setup("FAH", {"shuffler": "continuous"}, "continuous-shoe"),
    ),
    "COL": (
        Setup("COL", {"shuffler": "none", "version": "required", "max_positions": 2}),
        Setup("COL", {"shuffler": "automated", "decks": 2, "version": "permissible"}, "hand"),
        Setup("COL", {"shuffler": "counting", "version": "required"}, "automated-shoe"),
    ),
}
