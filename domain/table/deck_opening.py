"""Steps outside rounds: decks received, opened, spread at an idle table and removed; devices installed and failing."""

from domain.facts.decks import (
    CardsSpread,
    CardsStacked,
    CardsTurned,
    CardsWashed,
    DeckChanged,
    DeckInspected,
    DeckReceived,
    DeckRemoved,
    DeckSorted,
    InspectionVerified,
)
from domain.facts.devices import (
    DeviceCovered,
    DeviceEmptied,
    DeviceFailed,
    DeviceInstalled,
    DeviceRemoved,
    DeviceRestored,
    DeviceSigned,
)
from domain.facts.envelope import Fact
from domain.facts.players import InspectionOffered, PlayerArrived, PlayerAsked
from domain.facts.table_day import MethodChanged, TableIdled, TableOpened
from domain.table.deck import IDLE, OPENING, Deck
from domain.table.decks import Decks, Step

OfDeck = DeckSorted | DeckInspected | InspectionVerified | CardsSpread | CardsTurned | CardsWashed | CardsStacked


def _received(state: Decks, fact: DeckReceived) -> None:
    state.known[fact.deck] = Deck(fact.deck, received=fact, cycle=OPENING)


def _removed(state: Decks, fact: DeckRemoved) -> None:
    _goes(state, fact.deck, fact)


def _changed(state: Decks, fact: DeckChanged) -> None:
    _goes(state, fact.old, fact)
    state.of(fact.new)
    state.rounds_since_count = 0


def _goes(state: Decks, name: str, fact: Fact) -> None:
    deck = state.of(name)
    deck.gone = fact
    if name in state.rack:
        state.rack.remove(name)
    if deck is state.last:
        state.rounds_since_count = 0


def _step(state: Decks, fact: OfDeck) -> None:
    """Record a step with a deck, or with one deck of a batch, whose name is the batch, a slash and a number."""
    batch, slash, _ = fact.deck.partition("/")
    if slash and fact.deck not in state.known and batch in state.known:
        if state.known[batch].shuffled is None:
            state.known[batch].parts.setdefault(fact.deck, []).append(fact)
        return
    deck = state.of(fact.deck)
    if state.idled is not None and isinstance(fact, CardsSpread) and (not deck.cycle or _came_ready(deck)):
        deck.cycle, deck.steps, deck.parts = IDLE, [], {}
    if isinstance(fact, CardsSpread | CardsWashed):
        deck.shuffled = deck.stacked = deck.cut = None
        if deck.name in state.rack:
            state.rack.remove(deck.name)
        if isinstance(fact, CardsSpread) and state.idled is not None:
            state.idle_spread = True
    if deck.cycle and deck.shuffled is None:  # steps after the shuffle do not open any cards
        deck.steps.append(fact)
    if isinstance(fact, CardsStacked):
        deck.stacked = fact


def _came_ready(deck: Deck) -> bool:
    """Return whether a new deck needed no opening here; one spread at an idle table is mixed like any other."""
    return not deck.steps and deck.received is not None and deck.received.route != "inspect"


def _offered(state: Decks, fact: InspectionOffered) -> None:
    """Record that cards were shown to a player: those of the named deck, or all that are spread for inspection."""
    shown = [state.of(fact.deck)] if fact.deck else state.here()
    for deck in shown:
        if deck.cycle and deck.shuffled is None:
            deck.steps.append(fact)


def _idled(state: Decks, fact: TableIdled) -> None:
    state.idled, state.idle_spread, state.idle_ended, state.idle_asked = fact, False, False, []
    state.began = False
    for deck in state.here():
        if deck.cycle == IDLE:
            deck.cycle = ""


def _asked(state: Decks, fact: PlayerAsked) -> None:
    state.idle_asked.append(fact)


def _arrived(state: Decks, fact: PlayerArrived) -> None:
    state.idle_ended, state.began, state.first_player = True, False, fact.player


def _opened(state: Decks, fact: TableOpened) -> None:
    state.methods = [fact.dealing_method]


def _method(state: Decks, fact: MethodChanged) -> None:
    if fact.dealing_method is not None and fact.dealing_method not in state.methods[-1:]:
        state.methods.append(fact.dealing_method)
        state.rounds_by_method, state.installed_since = 0, set()


def _installed(state: Decks, fact: DeviceInstalled) -> None:
    state.installed_since.add(fact.device)
    state.out_of_use.discard(fact.device)


def _failed(state: Decks, fact: DeviceFailed) -> None:
    """Record a device jam: the deck in it must be taken out and shuffled again."""
    _uncounted(state, fact.kind)
    if fact.kind not in ("shuffler", "shoe"):
        return
    state.failing[fact.device] = fact
    state.device_lost = True
    deck = _inside(state, fact)
    if deck is not None:
        deck.jammed, deck.emptied = fact, None
        deck.reshuffle[fact.kind] = fact
        deck.shuffled = deck.started = None


def _uncounted(state: Decks, kind: str) -> None:
    """Note that cards may be stuck in a shoe, or leave it unread; the deck of a shuffler is counted when loaded."""
    if kind not in ("shuffler", "chip-reader"):
        for deck in state.known.values():
            deck.outside = None


def _inside(state: Decks, fact: DeviceFailed) -> Deck | None:
    """Return the deck in a failing device; a shuffler that stops holds none."""
    told = state.told
    if fact.kind == "shoe":
        return state.at_hand if told is not None and not told.over else None
    held = [deck for deck in state.here() if deck.started is not None]
    return next((deck for deck in held if fact.deck in ("", deck.name)), None)


def _emptied(state: Decks, fact: DeviceEmptied) -> None:
    for deck in state.here():
        if deck.jammed is not None and deck.jammed.device == fact.device:
            deck.emptied = fact


def _restored(state: Decks, fact: DeviceRestored) -> None:
    failed = state.failing.pop(fact.device, None)
    _uncounted(state, failed.kind if failed is not None else "")
    state.out_of_use.discard(fact.device)


def _taken_away(state: Decks, fact: DeviceRemoved) -> None:
    state.device_lost = True
    state.failing.pop(fact.device, None)
    state.out_of_use.discard(fact.device)


def _out_of_use(state: Decks, fact: DeviceCovered | DeviceSigned) -> None:
    state.device_lost = True
    state.out_of_use.add(fact.device)


STEPS: dict[type[Fact], Step] = {
    DeckReceived: _received,
    DeckRemoved: _removed,
    DeckChanged: _changed,
    DeckSorted: _step,
    DeckInspected: _step,
    InspectionVerified: _step,
    CardsSpread: _step,
    CardsTurned: _step,
    CardsWashed: _step,
    CardsStacked: _step,
    InspectionOffered: _offered,
    TableIdled: _idled,
    PlayerAsked: _asked,
    PlayerArrived: _arrived,
    TableOpened: _opened,
    MethodChanged: _method,
    DeviceInstalled: _installed,
    DeviceFailed: _failed,
    DeviceEmptied: _emptied,
    DeviceRestored: _restored,
    DeviceRemoved: _taken_away,
    DeviceCovered: _out_of_use,
    DeviceSigned: _out_of_use,
}
