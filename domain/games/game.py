"""What makes a game a game: one declaration per rule text, and everything else asks it."""

from collections.abc import Mapping
from typing import Literal

import msgspec

Kind = Literal["ultimate", "pik-it", "fast-action", "colorado", "unknown"]


class Game(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A game as one rule text has it. It is pure data; `domain.settlement` has the functions of each kind."""

    kind: Kind  # which of the four games it is
    text: str  # the rule book whose clauses and code it goes by
    title: str
    cards: tuple[int, int, int]  # for a seat, the dealer, the community
    required: tuple[str, ...]  # wagers without which no hand is dealt
    optional: tuple[str, ...] = ()  # others that are placed before the deal
    choices: frozenset[str]  # what a hand's last decision may be
    keeps: frozenset[str] = frozenset()  # the decisions that leave two cards of the hand
    keeping_says: str = ""  # the decision that two cards kept tell of
    beside: Mapping[str, tuple[str, ...]] = {}  # what a wager is taken beside, and never without
    kept_open_by: tuple[str, ...] = ()  # wagers under which a folded hand stays on the table
    settled_in_turn: frozenset[str] = frozenset()  # the others have no place of their own, or one behind all turns
    side: tuple[str, tuple[str, ...]] | None = None  # a side wager, and the main ones on which it has no bearing
    most_positions: int | None = None  # betting positions at a table
    cover_cards: int = 0  # of a deck
    cover_colors: tuple[str, ...] = ()  # any, where there are none
    cover_is_enough: bool = False  # a device that failed is covered or marked; elsewhere any device goes
    idle_face_down: bool = False  # idle cards lie face down unless a player asks, and need not be turned up
    inspects_all: bool = False  # unless they came shuffled, all decks are inspected here, two of them unsorted
    recut_by: frozenset[str] = frozenset({"supervisor", "shift-manager"})  # who may order one
    equal: tuple[str, str] | None = None  # two wagers of the same amount
    base: tuple[str, ...]  # the wagers measured together, by the stake of the first
    base_odds: str = "base"  # the name of their odds
    odds_named: Mapping[str, str] = {}  # odds of a wager that go by another name
    many_rounds_a_shoe: bool = False  # of several decks, dealt from over many rounds; there is no stub
    dealers_cards_down: bool = False  # until all have decided: seeing them voids the hands
    stub_aside: bool = False  # the stub is put aside once the hands are dealt
    takes_preshuffled: bool = False
    counts_completed_rounds: bool = False  # void rounds do not bring the next count of the stub nearer
    always_burns: bool = False  # however the cards are dealt
    burns_by_hand: bool = False  # only where they are dealt by hand
    device_count_excuses: bool = True  # a device's count of the deck stands for the count of the stub
    has_meters: bool = False  # progressive awards come off meters, and others' hands earn an envy bonus
    stacks_board_first: bool = False  # by a dealing device; the dealer's stack may wait in it
    serves_board_in_turn: bool = False  # the community cards are dealt in turn with the hands
    settles_like: Mapping[str, str] = {}  # wagers a house added, each judged like another by a pay table of its own

    @property
    def placed(self) -> tuple[str, ...]:
        """The wagers placed before the deal, the one that says who plays first."""
        return (*self.required, *self.optional, *self.settles_like)

    @property
    def holdem(self) -> bool:
        """Whether two cards and a board of five play against the dealer's."""
        return self.kind == "ultimate"

    @property
    def fast_action(self) -> bool:
        """Whether it is Fast Action Hold'em, whose shoe, splits and short hands no other game has."""
        return self.kind == "fast-action"

    @property
    def pik_it(self) -> bool:
        """Whether it is Pik-it, whose players play three cards or five."""
        return self.kind == "pik-it"

    @property
    def colorado(self) -> bool:
        """Whether it is Colorado Hold'em, which has no dealer's hand and two versions."""
        return self.kind == "colorado"

    def like(self, wager: str) -> str:
        """The printed wager by whose rules a wager goes: itself, unless a house added it."""
        return self.settles_like.get(wager, wager)


def following(game: Game, settles_like: Mapping[str, str] | None = None) -> Game:
    """The same game by the same text, with wagers a house added, each judged like a printed one."""
    return msgspec.structs.replace(game, settles_like={**game.settles_like, **(settles_like or {})})
