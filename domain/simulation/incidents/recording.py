"""Errors of the record itself: an unreadable correction, an unknown edition, a deck issued elsewhere."""

from domain.facts.decks import DeckReceived
from domain.facts.streams import PROPERTY
from domain.facts.table_day import TableOpened
from domain.facts.wagers import WagerPlaced
from domain.simulation.edits import said
from domain.simulation.incidents.changes import after, told
from domain.simulation.incidents.incident import ALL_BOOKS, incident
from domain.simulation.incidents.scene import Scene, Woven
from domain.simulation.property_stream import VAULT

_FAR = 1_000_000  # more facts than any day has


def _other_table(scene: Scene) -> str:
    return "T2" if scene.setup.table == "T1" else "T1"


@incident(
    "correction-unreadable",
    ALL_BOOKS,
    "A wager is corrected at this table and its number is that of another table's record, or of none.",
)
def corrected_elsewhere(scene: Scene) -> Woven:
    """Return the stretch with a correction that names another table's record, or none."""
    wager = scene.any_of(WagerPlaced)
    elsewhere = f"{_other_table(scene)}/{scene.setup.gaming_day}"
    about = scene.choose([(elsewhere, scene.chance.randint(10, 400)), (scene.stream, _FAR)])
    correction = said("corrected", *about, {"cents": (wager.cents or 0) + 500}, "misread", round=scene.round)
    return scene.woven(after(wager, correction))


@incident(
    "rule-book-unknown",
    ALL_BOOKS,
    "The table opens under an edition of its rule book that is not here.",
    stretch="day",
)
def another_edition(scene: Scene) -> Woven:
    """Return the day opened under an edition that is not installed, so that it cannot be judged."""
    digest = f"{scene.chance.getrandbits(256):064x}"
    return scene.woven(told(scene.first(TableOpened), book_digest=digest), anywhere=True)


@incident(
    "deck-elsewhere",
    ALL_BOOKS,
    "A deck is played with that the vault wrote down as gone to another table.",
    stretch="opening",
    across=True,
)
def issued_to_another_table(scene: Scene) -> Woven:
    """Return the day with the vault's issue of its deck entered again for another table."""
    deck = scene.choose(scene.all(DeckReceived))
    slip = said("deck-issued", deck.deck, _other_table(scene), source=VAULT, stream=PROPERTY)
    return scene.woven(after(deck, slip), anywhere=True)
