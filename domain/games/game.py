"""The declaration of a game: one per rule text, for all other modules to query."""

from collections.abc import Mapping
from typing import Literal

import msgspec

Kind = Literal["ultimate", "pik-it", "fast-action", "colorado", "unknown"]


class Game(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A game under one rule text. It is pure data; `domain.settlement` has the functions of each kind."""

    kind: Kind  # which of the four kinds of game
    text: str  # the rule book whose clauses and code it follows
    title: str
    cards: tuple[int, int, int]  # of a seat, the dealer, the community
    required: tuple[str, ...]  # wagers without which no hand is dealt
    optional: tuple[str, ...] = ()  # other wagers placed before the deal
    choices: frozenset[str]  # the possible last decisions of a hand
    decisions: tuple[str, ...] = ()  # the words of `decision-made` at its tables
    keeps: frozenset[str] = frozenset()  # the decisions that leave a hand of two cards
    keeping_says: str = ""  # the decision that two kept cards imply
    beside: Mapping[str, tuple[str, ...]] = {}  # a wager and the wagers it must accompany
    kept_open_by: tuple[str, ...] = ()  # wagers that keep a folded hand on the table
    settled_in_turn: frozenset[str] = frozenset()  # the other wagers have no turn of their own, or come after all turns
    side: tuple[str, tuple[str, ...]] | None = None  # a side wager, and the main wagers that do not affect it
    most_positions: int | None = None  # betting positions at a table
    cover_cards: int = 0  # of a deck
    cover_colors: tuple[str, ...] = ()  # if empty, any
    cover_is_enough: bool = False  # a device that failed is covered or marked; elsewhere any device goes
    idle_face_down: bool = False  # idle cards stay face down unless a player asks, and need not be turned up
    inspects_all: bool = False  # unless they arrive shuffled, all decks are inspected here, and two of them unsorted
    recut_by: frozenset[str] = frozenset({"supervisor", "shift-manager"})  # who may order one
    equal: tuple[str, str] | None = None  # two wagers of equal amount
    base: tuple[str, ...]  # the wagers measured together, by the stake of the first
    base_odds: str = "base"  # the name of their odds
    odds_named: Mapping[str, str] = {}  # odds with another name than their wager
    many_rounds_a_shoe: bool = False  # a shoe of several decks, dealt from over many rounds, without a stub
    dealers_cards_down: bool = False  # until all have decided; if seen before, the hands are void
    stub_aside: bool = False  # the stub is put aside once the hands are dealt
    takes_preshuffled: bool = False
    counts_completed_rounds: bool = False  # void rounds do not count toward the next stub count
    always_burns: bool = False  # whatever the dealing method
    burns_by_hand: bool = False  # only when dealt by hand
    device_count_excuses: bool = True  # a device's count of the deck replaces the stub count
    has_meters: bool = False  # progressive awards come from meters, and other players' hands earn an envy bonus
    stacks_board_first: bool = False  # by a dealing device, in which the dealer's stack may wait
    serves_board_in_turn: bool = False  # the community cards are dealt in turn with the hands
    settles_like: Mapping[str, str] = {}  # wagers a house added, each judged like another wager under its own pay table

    @property
    def placed(self) -> tuple[str, ...]:
        """The wagers placed before the deal, first the one that decides who plays."""
        return (*self.required, *self.optional, *self.settles_like)

    @property
    def holdem(self) -> bool:
        """Whether two cards and a board of five play against the dealer's."""
        return self.kind == "ultimate"

    @property
    def fast_action(self) -> bool:
        """Whether it is Fast Action Hold'em, the only game with its shoe, splits and short hands."""
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
        """Return the printed wager whose rules apply to a wager: itself, unless a house added it."""
        return self.settles_like.get(wager, wager)


def following(game: Game, settles_like: Mapping[str, str] | None = None) -> Game:
    """Return the game with a house's added wagers, each judged like a printed one."""
    return msgspec.structs.replace(game, settles_like={**game.settles_like, **(settles_like or {})})
