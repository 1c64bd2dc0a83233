"""Shuffling, cutting and loading, by the dealer and by the machine, as each book prescribes."""

from collections.abc import Sequence

from domain.cards import DECK
from domain.facts import decks as deck_facts
from domain.facts import shuffles
from domain.simulation.table import DealtDeck, TableInPlay

# A depth no rule calls shallow: the dealer's usual cut, in cards from the top of a single deck.
USUAL_CUT = 24
_LIFTED = ("UTH-MA", "PIK", "COL")  # the cut stack goes on a cover card in front of the deck


def by_hand(table: TableInPlay, deck: DealtDeck) -> None:
    """Shuffle by hand."""
    post = table.post
    post.say(shuffles.ShuffleStarted, deck.name, "manual", source=f"{table.setup.table}-pit")
    post.say(shuffles.ShuffleCompleted, deck.name, "manual", source=f"{table.setup.table}-pit")
    post.say(deck_facts.CardsStacked, deck.name, stacks=1)
    deck.ready = deck.cut_due = True


def by_machine(table: TableInPlay, deck: DealtDeck, *, started: bool = False) -> None:
    """Shuffle by the device, which reports a count if it counts cards."""
    post, device = table.post, table.shuffling_device
    if not started:
        start_machine(table, deck)
    counted = len(deck.cards) if table.machine_counts else None
    post.say(shuffles.ShuffleCompleted, deck.name, "device", device=device, counted=counted)
    if not (table.setup.shuffler_loads_shoe and table.method != "hand"):
        post.say(deck_facts.CardsStacked, deck.name, stacks=1)
    if table.book == "FAH":
        post.say(shuffles.BatchSecured, deck.name, device)  # until it is released for play (FAH (e)(8)(ii)(B))
    deck.ready, deck.cut_due = True, False


def start_machine(table: TableInPlay, deck: DealtDeck) -> None:
    """Put the cards into the device, which begins to shuffle them."""
    table.post.say(shuffles.ShuffleStarted, deck.name, "device", device=table.shuffling_device)


def shuffle(table: TableInPlay, deck: DealtDeck) -> None:
    """Shuffle by this table's method."""
    if table.machine_shuffles:
        by_machine(table, deck)
    else:
        by_hand(table, deck)


def cut(table: TableInPlay, deck: DealtDeck, depth: int = USUAL_CUT) -> None:
    """Have the dealer cut."""
    post = table.post
    lifted = table.book in _LIFTED
    post.say(deck_facts.CoverCardPlaced, "before-deck" if lifted else "in-deck", card=f"{deck.name}-cover-1")
    post.say(shuffles.CutPerformed, deck.name, depth=depth, of_cards=len(deck.cards))
    post.say(shuffles.CutCompleted, deck.name)
    if lifted:
        post.say(deck_facts.CoverCardRemoved, "discard-rack", card=f"{deck.name}-cover-1")
    else:
        post.say(deck_facts.CoverCardPlaced, "bottom", card=f"{deck.name}-cover-1")
    deck.cut_due = False


def offer_cut(table: TableInPlay, deck: DealtDeck, asked: Sequence[int], taken_by: int | None, depth: int) -> None:
    """Offer the cut to players in order until one accepts; otherwise the dealer cuts (FAH (e)(3), (e)(4))."""
    post, of_cards = table.post, len(deck.cards)
    for seat in asked:
        post.say(shuffles.CutOffered, seat)
        if seat == taken_by:
            post.say(shuffles.CutPerformed, deck.name, depth, of_cards, by="player", seat=seat)
            break
        post.say(shuffles.CutRefused, seat)
    else:
        post.say(shuffles.CutPerformed, deck.name, depth, of_cards, by="dealer")
    post.say(shuffles.CutCompleted, deck.name)
    deck.cut_due = False


def recut(table: TableInPlay, deck: DealtDeck, reason: str = "improper cut", depth: int = USUAL_CUT) -> None:
    """Have a supervisor order another cut before a card is dealt."""
    by = "supervisor" if table.book in _LIFTED else "floorperson"
    table.post.say(shuffles.RecutOrdered, by, reason=reason)
    cut(table, deck, depth)


def load(table: TableInPlay, deck: DealtDeck) -> None:
    """Load the cards into the shoe; held in the hand they need no loading."""
    if table.method == "hand":
        return
    by = "device" if table.setup.shuffler_loads_shoe and table.machine_shuffles else "dealer"
    shoe, many = table.device("shoe"), len(deck.cards)
    counted = many if many == len(DECK) * deck.decks else None  # nobody counts a short deck, or it would be noticed
    table.post.say(shuffles.ShoeLoaded, deck.name, by, device=shoe, cards=counted)


def make_ready(table: TableInPlay, deck: DealtDeck, *, recut_for: str = "") -> None:
    """Prepare a single deck for a round: shuffled unless it is already, cut unless by machine, loaded."""
    if not deck.ready:
        shuffle(table, deck)
    if deck.cut_due:
        cut(table, deck)
        if recut_for:
            recut(table, deck, recut_for)
    load(table, deck)
    deck.ready = False


def order_shuffle(table: TableInPlay, deck: DealtDeck, reason: str = "directed") -> None:
    """Have a supervisor order a shuffle (UTH-MD 5.A(3))."""
    table.post.say(shuffles.ShuffleOrdered, "floorperson", deck=deck.name, reason=reason)
    deck.ready = False
    shuffle(table, deck)
