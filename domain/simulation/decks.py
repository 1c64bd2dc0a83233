"""Decks on their way to, at and from a table, by the route of their inspection."""

from collections.abc import Sequence

from domain.facts import decks as deck_facts
from domain.facts import players
from domain.simulation.pace import HOUR, MINUTE
from domain.simulation.table import COLORS, DealtDeck, Setup, TableInPlay

COVER_COLOR = "yellow"
# The number of cover cards of a deck; Fast Action's cutting card is not one of them.
_COVER_CARDS = {"UTH-MA": 2, "UTH-MD": 2, "PIK": 1, "COL": 1, "FAH": 0}
CARDS = 52
_A_ROUND = 10 * MINUTE  # longer than any round, its shuffle and a change of decks included
VAULT = "vault"
# Books in which cards shuffled beforehand need no shuffle at the table (UTH-MD 5.A, PIK 39.6(a)/s1-start, COL
# 5(a)/s1-start); the other texts have no such exception.
_TAKES_PRESHUFFLED = ("UTH-MD", "PIK", "COL")


def skips_inspection(setup: Setup) -> bool:
    """Return whether decks come by a route without inspection, spread and wash at the table.

    Maryland requires both, inspected and shuffled before (UTH-MD 4.F); Fast Action has no such route.
    """
    if setup.book == "FAH":
        return False
    return setup.preshuffled or (setup.preinspected and setup.book != "UTH-MD")


def in_service(table: TableInPlay) -> int:
    """Return how many decks, or batches, this house alternates."""
    if table.book == "FAH":
        return 2 if table.house["shuffler"] == "batch" else 1
    return int(table.house["decks"])


def receive(table: TableInPlay, color: str = "") -> DealtDeck:
    """Bring a deck to the table, with its cover cards."""
    setup, post = table.setup, table.post
    table.decks_seen += 1
    many = int(table.house["decks"]) if table.book == "FAH" else 1
    name = f"{setup.table}-{'batch' if many > 1 else 'deck'}-{table.decks_seen}"
    deck = DealtDeck(name, many, color or COLORS[(table.decks_seen - 1) % len(COLORS)])
    deck.cards = tuple(sorted(deck.cards * many))
    covers = _COVER_CARDS[table.book]
    if table.book == "PIK" and table.method == "automated-shoe":
        covers += 1  # the one placed on the dealer's stack (PIK 39.2(c))
    received = post.say(
        deck_facts.DeckReceived,
        name,
        cards=CARDS * many,
        decks=many,
        cover_cards=covers,
        cover_color=COVER_COLOR if covers else "",
        back_color=deck.color,
        design="house",
        route="preinspected" if setup.preinspected or setup.preshuffled else "inspect",
        preshuffled=setup.preshuffled,
        from_place=VAULT,
    )
    deck.since = received.at
    # Cards dealt from the hand must be shuffled by a machine in any case (UTH-MD 9.A(1)).
    deck.ready = deck.cut_due = setup.preshuffled and setup.book in _TAKES_PRESHUFFLED and table.method != "hand"
    for number in range(1, covers + 1):
        post.say(deck_facts.CoverCardIntroduced, f"{name}-cover-{number}", color=COVER_COLOR)
    if table.book == "FAH":
        post.say(deck_facts.CoverCardIntroduced, f"{name}-cutting", color=COVER_COLOR, role="cutting")
    return deck


def opened_as(table: TableInPlay, deck: DealtDeck) -> tuple[str, ...]:
    """Return the units opened separately: a deck, and with a shuffler each deck of a batch (FAH (d)(4))."""
    if table.book == "FAH" and table.house["shuffler"] == "batch":
        return tuple(f"{deck.name}/{number}" for number in range(1, deck.decks + 1))
    return (deck.name,)


def inspect(table: TableInPlay, deck: DealtDeck) -> None:
    """Sort and inspect the deck, have the floorperson verify it, and spread it face up for the first player."""
    post = table.post
    for name in opened_as(table, deck):
        post.say(deck_facts.DeckSorted, name)
        post.say(deck_facts.DeckInspected, name, by="dealer", defects=0)
        post.say(deck_facts.InspectionVerified, name, by="floorperson")
        post.say(deck_facts.CardsSpread, name, face_up=True)


def mix(table: TableInPlay, deck: DealtDeck) -> None:
    """Turn the cards face down, wash and stack them; then they are ready to be shuffled."""
    _mix(table, (deck.name,))
    deck.ready = False


def _mix(table: TableInPlay, names: Sequence[str]) -> None:
    post = table.post
    for name in names:
        post.say(deck_facts.CardsTurned, name, face_up=False)
        post.say(deck_facts.CardsWashed, name)
        post.say(deck_facts.CardsStacked, name, stacks=1)


def prepare(table: TableInPlay, deck: DealtDeck, player: str) -> None:
    """Do what the table does with a new deck: show it to a player, and mix it.

    Decks inspected or shuffled beforehand come ready to be shuffled or cut.
    """
    if skips_inspection(table.setup):
        return
    table.post.say(players.InspectionOffered, player=player, deck=deck.name)
    _mix(table, opened_as(table, deck))
    deck.ready = False


def remove(table: TableInPlay, deck: DealtDeck, reason: str, to: str = "destroyed") -> None:
    """Remove a deck from the table for good."""
    table.post.say(deck_facts.DeckRemoved, deck.name, to=to, reason=reason)
    table.decks.remove(deck)


def remove_and_replace(table: TableInPlay, deck: DealtDeck, reason: str) -> DealtDeck:
    """Remove a deck that must not be played any more, and bring another."""
    place = table.decks.index(deck)
    remove(table, deck, reason)
    return replace(table, place, deck, reason)


def overdue(table: TableInPlay) -> list[DealtDeck]:
    """Return decks whose time at the table ends before the next round does (UTH-MD 3.C); other texts have no time."""
    if table.book != "UTH-MD":
        return []
    by_hand = "hand" in (table.method, table.setup.method)  # cards once dealt from the hand keep the shorter time
    life = table.house.book.value("deck_life_hours_by_hand" if by_hand else "deck_life_hours_from_shoe")
    return [deck for deck in table.decks if table.post.at + _A_ROUND > deck.since + life * HOUR]


def change(table: TableInPlay, old: DealtDeck, reason: str) -> DealtDeck:
    """Replace an old deck with a new one of the same color, brought in and shown like the first."""
    place = table.decks.index(old)
    table.post.say(deck_facts.DeckRemoved, old.name, to=VAULT, reason=reason)
    return replace(table, place, old, reason)


def replace(table: TableInPlay, place: int, old: DealtDeck, reason: str) -> DealtDeck:
    """Bring the deck that replaces a removed one, inspected and mixed before the seated players."""
    new = receive(table, old.color)
    table.post.say(deck_facts.DeckChanged, old.name, new.name, reason=reason)
    if not skips_inspection(table.setup):
        inspect(table, new)
    prepare(table, new, next(iter(table.seated.values()), ""))
    if table.decks and old in table.decks:
        table.decks.remove(old)
    table.decks.insert(place, new)
    return new
