"""The opening of a deck before its first round, and again after idling: inspect, show, turn, wash, stack.

The detectors check the steps when the first card is dealt. A step counts only after the steps before it, and steps that
this table does not record are skipped.
"""

from collections.abc import Iterable, Sequence

from domain.facts.decks import (
    CardsSpread,
    CardsStacked,
    CardsTurned,
    CardsWashed,
    DeckInspected,
    DeckReceived,
    DeckSorted,
    InspectionVerified,
)
from domain.facts.envelope import Fact
from domain.facts.players import InspectionOffered
from domain.table.day import TableDay
from domain.table.deck import IDLE, OPENING, Deck
from domain.watch.deck_queries import in_service, raised, two_decks
from domain.watch.detecting import DealBegins, Found, name_of, watch
from domain.watch.laws import law

STEP = law(
    "opening-step-missing",
    {
        "opening": "UTH-MA 3(a); PIK 39.5(a); COL 4(a)",
        "inspected": "UTH-MA 3(b) s1; UTH-MD 4.A; FAH (d)(1)",
        "verified": "UTH-MA 3(b) s1; UTH-MD 4.A; FAH (d)(1)",
        "sorted": "FAH (d)(1)",
        "spread": "UTH-MA 3(b) s1; UTH-MD 4.B",
        "turned": "UTH-MA 3(c) s1; UTH-MD 4.C(1); PIK 39.5(c)/s1; COL 4(c)/s1; FAH (d)(3)/s1",
        "stacked": "UTH-MA 3(c) s1; UTH-MD 4.C(3); PIK 39.5(c)/s1; COL 4(c)/s1; FAH (d)(3)/s1",
        "two decks": "UTH-MA 3(d); PIK 39.5(d); COL 4(d); FAH (d)(4)",
        "two decks turned": "UTH-MD 4.E",
        "two decks stacked": "UTH-MD 4.E",
        "idle": "UTH-MA 4(e) s3; UTH-MD 5.H(2)",
        "idle turned": "PIK 39.5(c)/s1; COL 4(c)/s1; FAH (e)(8)/s3",
        "idle stacked": "PIK 39.5(c)/s1; COL 4(c)/s1; FAH (d)(3)/s1",
    },
)
WASH = law(
    "wash-missing",
    {
        "opening": "UTH-MA 3(c) s1; UTH-MD 4.C(2); PIK 39.5(c)/s1; COL 4(c)/s1; FAH (d)(3)/s1",
        "idle": "UTH-MA 4(e) s3; UTH-MD 5.H(2); PIK 39.6(e)/s3; COL 5(e)/s3; FAH (e)(8)(i)",
    },
)
SHOWN = law(
    "inspection-not-offered",
    {
        "opening": "UTH-MA 3(b) s1; UTH-MD 4.B; PIK 39.5(b)/s1; COL 4(b)/s1; FAH (d)(2)/s1",
        "idle": "UTH-MA 4(e) s2; UTH-MD 4.B; PIK 39.6(e)/s2; COL 5(e)/s2; FAH (e)(8)/s2",
    },
)
BY_BATCH = law("opening-by-batch", "FAH (d)(4)")

SORTED, INSPECTED, VERIFIED, SPREAD, SHOWED, TURNED, WASHED, STACKED = (
    *("sorted", "inspected", "verified", "spread", "shown to a player", "turned", "washed", "stacked"),
)
TURNED_UP = "turned face up"
_KINDS: dict[str, type[Fact]] = {
    SORTED: DeckSorted,
    INSPECTED: DeckInspected,
    VERIFIED: InspectionVerified,
    SPREAD: CardsSpread,
    TURNED_UP: CardsTurned,
    SHOWED: InspectionOffered,
    TURNED: CardsTurned,
    WASHED: CardsWashed,
    STACKED: CardsStacked,
}
_SAID = {TURNED: "turned face down", SPREAD: "spread face up"}
_VERIFY = frozenset({"floorperson", "supervisor", "shift-manager"})


def is_step(step: str, fact: Fact) -> bool:
    """Whether this fact is that step, done by a person who may do it."""
    if type(fact) is not _KINDS[step]:
        return False
    if isinstance(fact, CardsTurned):
        return fact.face_up is (step == TURNED_UP)
    if isinstance(fact, CardsSpread):
        return fact.face_up is not False
    if isinstance(fact, DeckInspected):
        return fact.by == "dealer"
    return fact.by in _VERIFY if isinstance(fact, InspectionVerified) else True


def due(day: TableDay, deck: Deck) -> tuple[str, ...]:
    """Return the steps these cards need before they are dealt, in order."""
    if deck.cycle == IDLE:
        return _due_after_idling(day, deck)
    if deck.cycle != OPENING or deck.received is None or not inspected_here(day, deck.received):
        return ()
    first = (SORTED,) if day.game.many_rounds_a_shoe or (two_here(day) and not day.game.inspects_all) else ()
    return (*first, INSPECTED, VERIFIED, SPREAD, SHOWED, TURNED, WASHED, STACKED)


def _due_after_idling(day: TableDay, deck: Deck) -> tuple[str, ...]:
    spread = next((fact for fact in deck.steps if isinstance(fact, CardsSpread)), None)
    face_down = spread is not None and spread.face_up is False
    if face_down and day.game.idle_face_down:  # cards already face down need no turning
        return (SHOWED, WASHED, STACKED)
    up = (TURNED_UP,) if face_down else ()
    # Fast Action's machine takes the cards unwashed: compare (e)(8)(ii) with (e)(8)(i).
    wash = () if day.game.many_rounds_a_shoe and in_service(day, "shuffler") else (WASHED,)
    return (*up, SHOWED, TURNED, *wash, STACKED)


def inspected_here(day: TableDay, received: DeckReceived) -> bool:
    """Whether the deck arrived by a route that requires inspecting and showing it at the table.

    Maryland skips this only for decks inspected and shuffled in advance (UTH-MD 4.F). Fast Action has no other route.
    """
    if received.route == "inspect" or day.game.many_rounds_a_shoe:
        return True
    return day.game.inspects_all and not received.preshuffled


def two_here(day: TableDay) -> bool:
    """Whether two decks came to a table with a shuffler, so that each is opened separately."""
    return two_decks(day) and len(day.decks.here()) > 1


def left_out(day: TableDay, steps: Sequence[Fact], wanted: Iterable[str]) -> list[tuple[str, bool]]:
    """Return the steps not done after the steps before them, with True for a step done too early."""
    missing, at = [], 0
    for step in wanted:
        if name_of(_KINDS[step]) in day.unrecorded:
            continue
        place = next((n for n in range(at, len(steps)) if is_step(step, steps[n])), None)
        if place is None:
            missing.append((step, any(is_step(step, fact) for fact in steps)))
        else:
            at = place + 1
    return missing


def troubles(day: TableDay, deck: Deck) -> list[tuple[str, bool]]:
    """Return the steps left out of this deck's opening, or of any single deck's in a batch."""
    wanted = due(day, deck)
    if not deck.parts:
        return left_out(day, deck.steps, wanted)
    found: dict[str, bool] = {}
    for steps in deck.parts.values():
        whole = sorted((*deck.steps, *steps), key=lambda fact: fact.sequence)
        found |= dict(left_out(day, whole, wanted))
    if len(deck.parts) < deck.decks:
        found |= {step: False for step, _ in left_out(day, deck.steps, wanted)}
    return [(step, found[step]) for step in wanted if step in found]


@watch(DealBegins, laws=(STEP,))
def every_step_is_done(day: TableDay, deals: Fact) -> Found:
    """Check that cards are sorted, inspected, verified, turned and stacked, in that order."""
    deck = day.decks.at_hand
    if deck is None:
        return
    missing = [(step, early) for step, early in troubles(day, deck) if not _of_showing(day, step, early=early)]
    missing = [(step, early) for step, early in missing if step != WASHED]
    if missing:
        done = " and ".join(f"{_SAID.get(step, step)}{' in order' if early else ''}" for step, early in missing)
        keys = _keys(day, deck, [step for step, _ in missing])
        says = f"{deck.called} was dealt before it was {done}."
        yield from raised(day, STEP, keys, deals, says, evidence=_shows(deck))


def _of_showing(day: TableDay, step: str, *, early: bool) -> bool:
    """Whether this step shows the cards; cards spread too early were still seen."""
    return step in (SHOWED, TURNED_UP) or (step == SPREAD and (not early or day.game.many_rounds_a_shoe))


def _keys(day: TableDay, deck: Deck, steps: Sequence[str]) -> list[str]:
    if deck.cycle == IDLE:
        return ["idle", *(f"idle {step}" for step in steps)]
    two = ["two decks", *(f"two decks {step}" for step in steps)] if two_here(day) else []
    return ["opening", *steps, *two]


def _shows(deck: Deck) -> list[Fact]:
    return [fact for fact in (deck.received, *deck.steps) if fact is not None]


@watch(DealBegins, laws=(WASH,), needs=(CardsWashed,))
def cards_are_washed(day: TableDay, deals: Fact) -> Found:
    """Check that the cards are washed before they are stacked and shuffled."""
    deck = day.decks.at_hand
    if deck is None:
        return
    early = dict(troubles(day, deck)).get(WASHED)
    if early is not None:
        how = "washed before they were shown and turned" if early else "dealt without being washed"
        says = f"The cards of {deck.name} were {how}."
        yield from raised(day, WASH, deck.cycle, deals, says, evidence=_shows(deck))


@watch(DealBegins, laws=(SHOWN,), needs=(InspectionOffered, CardsSpread, CardsTurned))
def cards_are_shown(day: TableDay, deals: Fact) -> Found:
    """Check that the cards are spread face up for the first player before they are mixed."""
    deck = day.decks.at_hand
    if deck is None:
        return
    missing = [(step, early) for step, early in troubles(day, deck) if _of_showing(day, step, early=early)]
    if missing:
        what = " and ".join(f"{_SAID.get(step, step)}{' in order' if early else ''}" for step, early in missing)
        says = f"The cards of {deck.name} were not {what} before they were mixed and dealt."
        yield from raised(day, SHOWN, deck.cycle, deals, says, evidence=_shows(deck))


@watch(DealBegins, laws=(BY_BATCH,))
def each_deck_is_opened_by_itself(day: TableDay, deals: Fact) -> Found:
    """Report an opening recorded for a whole batch, because with a shuffler each deck is opened separately."""
    deck = day.decks.at_hand
    if deck is None or deck.cycle != OPENING or deck.parts or deck.decks < 2 or not two_decks(day):
        return
    if not troubles(day, deck):
        says = f"The opening of {deck.name} is recorded for the whole batch and not for each of its {deck.decks} decks."
        yield from raised(day, BY_BATCH, "", deals, says, evidence=_shows(deck))
