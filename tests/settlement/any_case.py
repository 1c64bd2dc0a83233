"""Case lines drawn from a seed: every irregularity of a book, at every stage, with cards, amounts and decisions left out.

Each round is written down as a person would write it, so it goes through everything `catwalk settle` does. Only the
options come from the edition; the rest is `FORMAT.md` read by other code, so that a field nobody thought of is drawn
too.
"""

import random
from collections.abc import Iterator
from typing import Any, get_args

from domain.cards import DECK, show
from domain.games import GAMES
from domain.rulebooks import newest
from domain.settlement import KINDS
from domain.settlement.case_line import Stage

Case = dict[str, Any]

_UNSEEN = "??"
_MANY_DECKS = 8
_DEALING = {"fast-action": ("manual-shoe", "continuous-shoe")}
_METHODS = ("manual-shoe", "hand", "automated-shoe")
_METERS = {"A": ("main",), "B": ("major", "minor"), "C": ("mega", "major", "minor"), "D": ("mega", "major", "minor")}
_CATEGORIES = ("flush", "full_house", "four_of_a_kind", "straight_flush", "royal_flush")


def any_case(book: str, seed: str) -> Case:
    """The case of this seed."""
    return _Maker(book, random.Random(f"{book} {seed}")).case()  # noqa: S311 - repeatable


class _Maker:
    """One case in the making; `rare` is how often it leaves the usual path."""

    def __init__(self, book: str, chance: random.Random) -> None:
        self.chance = chance
        self.book = book
        self.game = GAMES[book]
        self.rare = chance.choice((0.0, 0.03, 0.15, 0.5))
        self.holes = chance.choice((0.0, 0.0, 0.1, 0.3, 0.9))
        decks = _MANY_DECKS if self.game.fast_action else 1
        # A narrow deck makes pairs, trips and naturals common.
        ranks = chance.choice((13, 13, 4, 2)) if decks > 1 else 13
        pack = [card for card in DECK if card >> 2 >= 13 - ranks] * decks
        self.pack = chance.sample(pack, min(len(pack), 70))
        self.what = self._irregularity() if chance.random() < 0.85 else None

    def case(self) -> Case:
        """The whole line."""
        _, dealers, communal = self.game.cards
        seats = [self._seat(n) for n in sorted(self.chance.sample(range(1, 9), self.chance.choice((1, 1, 2, 3, 5))))]
        if self.what is not None:
            self._about(seats)
        made: Case = {"id": "drawn", "rulebook": self.book, "config": self._config(), "seats": seats}
        made["dealing_method"] = self.chance.choice(_DEALING.get(self.game.kind, _METHODS))
        if dealers and not self._rarely(4):
            made["dealer"] = dealer = self._hand(dealers, "dealer")
            if self.game.fast_action and self.chance.random() < 0.8:
                made["dealer_kept"] = self._some_of(dealer)
        if communal and not self._rarely(4):
            made["community"] = self._hand(communal, "community")
        if self.game.stacks_board_first and self.chance.random() < 0.4:
            made["six_card_box"] = self._hand(4, "six-card-box")
        if self.what is not None:
            made["irregularity"] = self.what
        return made

    def _rarely(self, times: float = 1) -> bool:
        return self.chance.random() < self.rare * times / 4

    def _hand(self, usual: int, of: str) -> list[str]:
        """The cards of one place: too many or few if the irregularity is about it, with holes."""
        size = usual
        what = self.what or {}
        if what.get("of") == of and what["kind"] in ("wrong-count", "stub-count", "short-hand", "long-hand"):
            size = what["dealt"] if self.chance.random() < 0.8 else usual + self.chance.choice((-2, -1, 1, 2))
        elif self._rarely():
            size = self.chance.randint(0, usual)
        drawn = [self.pack.pop() for _ in range(max(0, min(size, len(self.pack))))]
        return [_UNSEEN if self.chance.random() < self.holes else show([card]) for card in drawn]

    def _cents(self, least: int = 1) -> int | None:
        if self.chance.random() < self.holes / 3:
            return None
        return self.chance.choice((least, 1, 500, 2500, 2550, 100 * self.chance.randint(5, 400), 10**7))

    def _some_of(self, hand: list[str], size: int = 2) -> list[str]:
        kept = self.chance.sample(hand, min(size, len(hand)))
        if self._rarely():
            kept = kept[: self.chance.randint(0, size)]
        return [_UNSEEN if self.chance.random() < self.holes / 2 else card for card in kept]

    def _seat(self, number: int) -> Case:
        wagers = {wager: self._cents() for wager in self.game.required}
        if self.game.equal and not self._rarely():
            wagers[self.game.equal[1]] = wagers[self.game.equal[0]]
        wagers |= {wager: self._cents(100) for wager in self.game.optional if self.chance.random() < 0.5}
        hand = self._hand(self.game.cards[0], f"seat:{number}")
        made: Case = {"seat": number, "wagers": wagers, "cards": hand}
        made["actions"] = [] if self.chance.random() < 0.15 else list(self._actions(hand))
        if self._rarely():
            made["actions"].append({"action": "abandon"})
        if self.chance.random() < 0.5:
            made["player"] = f"P{self.chance.randint(1, 3)}"
        if self._rarely():
            made["coupons"] = {wager: self.chance.randint(0, cents or 0) for wager, cents in wagers.items()}
        return made

    def _actions(self, hand: list[str]) -> Iterator[Case]:
        """The decisions of a seat."""
        paid = {} if self.chance.random() < 0.5 else {"cents": self._cents()}
        if self.game.holdem:
            street = self.chance.choice(("preflop", "flop", "river"))
            yield {"action": self.chance.choice(("play", "play", "fold")), "street": street, **paid}
        elif self.game.pik_it:
            yield {"action": "select3", "selected": self._some_of(hand, 3)}
            chosen = self.chance.choice(("play3", "play5", "fold"))
            yield {"action": chosen} if chosen == "fold" else {"action": chosen, **paid}
            if self._rarely() and chosen != "fold":
                yield {"action": {"play3": "play5", "play5": "play3"}[chosen], **paid}
        elif self.game.fast_action:
            yield from self._set(hand, paid)
        else:
            kept = self._some_of(hand)
            play = {"action": "play", "kept": kept, **paid}
            yield self.chance.choice((play, play, {"action": "fold"}, {"action": "declare", "cards": hand}))

    def _set(self, hand: list[str], paid: Case) -> Iterator[Case]:
        if self.what and self.what["kind"] == "short-hand":
            if self.chance.random() < 0.4:
                yield {"action": "short-void"}
                return
            yield {"action": "short-complete", "dealt": hand, "added": [show([self.pack.pop()])] if self.pack else []}
            hand = hand[:2]
        mixed = self.chance.sample(hand, len(hand))
        first, second = mixed[:2], mixed[2:4]
        split = {"action": "split", "first": first, "second": second, **paid}
        plain = {"action": "set", "kept": first}
        yield self.chance.choice((plain, plain, split, split, {"action": "surrender"}, {"action": "natural"}))

    def _irregularity(self) -> Case:
        chance, kind = self.chance, self.chance.choice(KINDS[self.game.kind])
        what: Case = {"kind": kind}
        of = chance.choice(("dealer", "community", "six-card-box", "seat"))
        each, dealers, communal = self.game.cards
        usual = {"dealer": dealers, "community": communal, "six-card-box": 4, "seat": each}[of]
        if kind in ("short-hand", "long-hand"):
            of, usual = "seat", each
        if kind in ("wrong-count", "stub-count", "card-exposed", "short-hand", "long-hand") and not self._rarely():
            what["of"] = of
            off = {"short-hand": (-3, -2, -1), "long-hand": (1, 2)}.get(kind, (-3, -2, -1, 0, 1, 2))
            what["dealt"] = max(0, usual + chance.choice(off))
        at: Case = {"stage": chance.choice(get_args(Stage))}
        if chance.random() < 0.3:
            at["seat"] = chance.randint(1, 8)
        if chance.random() < 0.2:
            at["dealt"] = chance.randint(0, 30)
        if chance.random() < 0.8:
            what["at"] = at
        if kind == "card-face-up" or self._rarely():
            what["found"] = [self._found() for _ in range(chance.randint(0, 3))]
        if kind == "jam" or self._rarely():
            what["device"] = chance.choice(("shoe", "shuffler"))
            what["deck"] = chance.choice(("playing", "idle", None))
        for field, values in _FIELDS.items():
            if chance.random() < 0.25:
                what[field] = chance.choice(values)
        return what

    def _found(self) -> Case:
        found: Case = {"card": self.chance.choice((_UNSEEN, show([self.chance.choice(DECK)])))}
        if self.chance.random() < 0.5:
            found["after_cards"] = self.chance.randint(0, 40)
        if self.chance.random() < 0.5:
            found["when"] = self.chance.choice(("before-initial", "after-initial"))
        return found

    def _about(self, seats: list[Case]) -> None:
        """Let the irregularity name a seat of this round; its hand is drawn again with the miscount."""
        what = self.what or {}
        seat = self.chance.choice(seats)
        if what.get("of") == "seat":
            what["of"] = f"seat:{seat['seat']}"
            again = self._seat(seat["seat"])
            seat.update(again)
        elif self.chance.random() < 0.3:
            what["seat"] = seat["seat"]
        if what["kind"] in ("short-hand", "long-hand"):
            what["seat"] = seat["seat"]
        if self.chance.random() < 0.3:
            what["pending_seats"] = [each["seat"] for each in seats if self.chance.random() < 0.5]

    def _config(self) -> Case:
        """Options as the edition allows them, most left at their default."""
        made: Case = {}
        for name, option in newest(self.book).options.items():
            if self.chance.random() < 0.5 or "." in name or name in ("dealing_method", "posted_odds"):
                continue
            if option.allowed:
                made[name] = self.chance.choice(option.allowed)
            elif option.kind == "flag":
                made[name] = self.chance.random() < 0.5
            elif option.kind == "cents":
                made[name] = self.chance.choice((1, 500, 2_500_000, 10_000_000))
        if self.game.has_meters and self.chance.random() < 0.5:
            made["progressive"] = self._progressive()
        elif self.game.holdem and not self.game.has_meters and self.chance.random() < 0.5:
            awards = {name: 100 * self.chance.randint(1, 9999) for name in _CATEGORIES if self.chance.random() < 0.7}
            made["progressive"] = {"amount": 100, "house_awards": self.chance.choice((None, awards))}
        return made

    def _progressive(self) -> Case:
        table = self.chance.choice("ABCD")
        made: Case = {"table": table, "envy_holder_must_wager": self.chance.random() < 0.5}
        made["cards"] = self.chance.choice(("best-of-seven", "hole-and-flop"))
        if self.chance.random() < 0.7:
            made["meters"] = {name: 100 * self.chance.randint(30_000, 200_000) for name in _METERS[table]}
        return made


_FIELDS: dict[str, tuple[Any, ...]] = {
    "ruling": ("stands", "reversed", "collect", "return", None),
    "card": (_UNSEEN, "Ah", "2c"),
    "cards": (["Ah"], [_UNSEEN], []),
    "exposed": (True, False),
    "used_as": ("dealer", "community", "seat", "seat:1", "box", ""),
    "missing_card_face_up": (True, False, None),
    "deck_correct": (True, False, None),
    "election": ("complete", "void"),
    "finding": ("misdealt", "not-misdealt"),
    "count": (51, 52, 53),
    "stub": (0, 33, 40),
    "expected_stub": (34,),
    "deck_total": (51, 52),
    "marker_stayed_at": (3, "dealer"),
}
