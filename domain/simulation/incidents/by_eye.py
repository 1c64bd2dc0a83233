"""Breaches that only a person sees: an operator watching the video names the broken clause."""

from collections.abc import Mapping

from domain.facts.deal import CardDealt, StackDelivered
from domain.facts.decks import CardsSpread
from domain.facts.envelope import Fact
from domain.facts.shuffles import CutPerformed
from domain.simulation.edits import insert_after, said
from domain.simulation.incidents.incident import Setting, Stretch, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven, this
from domain.simulation.incidents.settings import dealing, opened_here, shuffled_by_hand

# Code: what was seen, at which moment, and the clauses; after a colon, those of one dealing method.
_DEAL = (CardDealt, StackDelivered)
SEEN: Mapping[str, tuple[str, tuple[type[Fact], ...], str]] = {
    "cards-out-of-view": (
        "the player held the cards below the edge of the table",
        _DEAL,
        "UTH-MD 11.A(2); FAH (h)(4)/s2; COL 10(a)(2)",
    ),
    "cards-shown-to-others": ("the player turned the cards towards the neighbour", _DEAL, "UTH-MA 10(a) s1"),
    "cards-touched": (
        "a neighbour took the player's cards and looked at them",
        _DEAL,
        "UTH-MD 11.A(1); PIK 39.3(f); FAH (h)(4)/s1; COL 10(a)(1)",
    ),
    "cards-nonconforming": (
        "one card has a crease across its back",
        _DEAL,
        "UTH-MD 3.A(2); PIK 39.2(a)/s2; COL 2(a)/s2",
    ),
    "deck-out-of-position": (
        "the dealer rested the deck on the rail, away from the chip tray",
        _DEAL,
        "UTH-MA 8(b)(2)(ii); UTH-MD 9.A(2)(b); PIK 39.8(b)2ii; COL 8(b)(2)(ii)",
    ),
    "cut-technique-wrong": (
        "the dealer cut with both hands",
        (CutPerformed,),
        "UTH-MA 4(c)(1); PIK 39.6(c)1; COL 5(c)(1)",
    ),
    "spread-out-of-sequence": (
        "the hearts lay between the clubs",
        (CardsSpread,),
        "UTH-MA 3(b) s2-3; PIK 39.5(b)/s2; FAH (d)(2)/s2; COL 4(b)/s2",
    ),
    "dealing-technique-wrong": (
        "the dealer drew the cards with the far hand",
        _DEAL,
        "UTH-MA 7(c); UTH-MD 8.D(1); PIK 39.7(b)/s2; FAH (g)(3)/s1; COL 7(c)/s1",
    ),
    "dealing-technique-wrong/hand": (
        "the dealer changed the hand holding the deck",
        _DEAL,
        "UTH-MA 8(b)(2)(i); UTH-MD 9.A(2)(a); PIK 39.8(b)2i; COL 8(b)(2)(i)",
    ),
    "deck-not-stacked/seen": ("the dealer left the cards in two stacks", _DEAL, "UTH-MA 4(a) s2; UTH-MD 5.B"),
    "cover-card-misplaced/seen": (
        "the cover card stayed on the layout",
        (CutPerformed,),
        "UTH-MA 4(c)(1)(iv)",
    ),
}
_SETTINGS: Mapping[str, Setting] = {
    "deck-out-of-position": dealing("hand"),
    "dealing-technique-wrong": dealing("manual-shoe"),
    "dealing-technique-wrong/hand": dealing("hand"),
    "cut-technique-wrong": shuffled_by_hand,
    "cover-card-misplaced/seen": shuffled_by_hand,
    "spread-out-of-sequence": opened_here,
}
_OF_A_SEAT = ("cards-out-of-view", "cards-shown-to-others", "cards-touched")


def _enter(name: str, seen: str, moments: tuple[type[Fact], ...], clauses: str) -> None:
    stretch: Stretch = "opening" if moments == (CardsSpread,) else "round"
    books = tuple(dict.fromkeys(clause.split()[0] for clause in clauses.split("; ")))

    says, setting = f"Somebody watching saw that {seen}.", _SETTINGS.get(name)

    @incident(name, books, says, clauses=clauses, stretch=stretch, setting=setting)
    def observed(scene: PlayedStretch) -> Woven:
        fact = scene.choose([fact for kind in moments for fact in scene.all(kind)])
        clause = scene.incident.cites(scene.book)[0]
        seat = scene.choose(scene.seats()) if name in _OF_A_SEAT else None
        word = said("observed", clause, seen, seat)
        return scene.woven(insert_after(this(fact), word), seat=seat, anywhere=fact.round is None)


for _name, _row in SEEN.items():
    _enter(_name, *_row)
