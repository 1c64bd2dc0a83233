"""The games of the five texts."""

import msgspec

from domain.games.game import Game

MASSACHUSETTS = Game(
    kind="ultimate",
    text="UTH-MA",
    title="Ultimate Texas Hold'em · MA",
    cards=(2, 2, 5),
    required=("ante", "blind"),
    optional=("trips", "cover_all", "progressive"),
    choices=frozenset({"fold", "play"}),
    decisions=("check", "play", "fold"),
    beside={"trips": ("ante", "blind"), "progressive": ("ante", "blind", "trips")},
    equal=("ante", "blind"),
    base=("ante", "blind", "play"),
    dealers_cards_down=True,
    kept_open_by=("trips",),
    settled_in_turn=frozenset({"ante", "blind", "play", "trips", "progressive"}),
    side=("trips", ("ante", "blind", "play")),
    cover_cards=2,
    cover_colors=("yellow", "green"),  # UTH-MA 2(a)
    always_burns=True,  # UTH-MA 10(b) s1
    device_count_excuses=False,
)
MARYLAND = msgspec.structs.replace(
    MASSACHUSETTS,
    text="UTH-MD",
    title="Ultimate Texas Hold'em · MD",
    optional=("trips", "progressive", "six_card", "ultimate_pairs", "bad_beat", "play_the_board"),
    beside={
        "trips": ("ante", "blind"),
        "progressive": ("ante", "blind"),
        "six_card": ("ante", "blind", "trips"),
    },
    always_burns=False,
    burns_by_hand=True,  # UTH-MD 11.C(1)
    takes_preshuffled=True,
    has_meters=True,
    kept_open_by=("trips", "six_card"),
    settled_in_turn=frozenset({"ante", "blind", "play", "trips", "six_card"}),
    side=None,
    most_positions=6,  # UTH-MD 2.A
    cover_colors=(),
    cover_is_enough=True,
    idle_face_down=True,
    inspects_all=True,  # UTH-MD 4.F
    recut_by=frozenset({"supervisor", "shift-manager", "floorperson"}),
    stacks_board_first=True,
    device_count_excuses=True,
)
PIK_IT = Game(
    kind="pik-it",
    text="PIK",
    title="Pik-it",
    cards=(5, 5, 0),
    required=("ante", "bonus5"),
    optional=("bonus3",),
    choices=frozenset({"fold", "play3", "play5"}),
    decisions=("play3", "play5", "fold"),
    beside={"bonus3": ("ante", "bonus5")},
    equal=("ante", "bonus5"),
    base=("ante", "bonus5", "play3", "play5"),  # the five card bonus is compulsory and equal to the ante
    base_odds="base_with_bonus5",
    dealers_cards_down=True,
    stub_aside=True,
    takes_preshuffled=True,
    cover_cards=1,
    counts_completed_rounds=True,  # PIK 39.7(e)/s1
)
FAST_ACTION = Game(
    kind="fast-action",
    text="FAH",
    title="Fast Action Hold'em",
    cards=(4, 4, 5),
    required=("original",),
    choices=frozenset({"set", "split", "surrender", "natural", "short-void"}),
    decisions=("split", "surrender", "natural", "void", "complete"),
    keeps=frozenset({"set", "split"}),
    keeping_says="set",
    base=("original", "split"),
    many_rounds_a_shoe=True,
    always_burns=True,
)
COLORADO = Game(
    kind="colorado",
    text="COL",
    title="Colorado Hold'em",
    cards=(3, 0, 3),
    required=("ante",),
    optional=("bonus",),
    choices=frozenset({"fold", "play", "declare"}),
    decisions=("play", "fold", "declare"),
    keeps=frozenset({"play"}),
    keeping_says="play",
    beside={"bonus": ("ante",)},
    base=("ante", "bet"),
    odds_named={"bonus": "bonus_at_base_play"},  # under the best play of the base game
    stub_aside=True,
    takes_preshuffled=True,
    cover_cards=1,
    side=("bonus", ("ante", "bet")),
    counts_completed_rounds=True,  # COL 7(e)/s1
    serves_board_in_turn=True,
)
# Used while no rule book can be read.
UNKNOWN = Game(kind="unknown", text="", title="", cards=(0, 0, 0), required=(), choices=frozenset(), base=())
