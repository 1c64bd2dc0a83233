"""Errors of the record itself: an unreadable correction, an unknown edition, a deck issued elsewhere."""

from domain.facts.decks import DeckReceived
from domain.facts.property_day import OptionsApproved
from domain.facts.streams import PROPERTY
from domain.facts.table_day import TableOpened
from domain.facts.wagers import WagerPlaced
from domain.simulation.edits import said
from domain.simulation.incidents.changes import after, gone, told
from domain.simulation.incidents.incident import ALL_BOOKS, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import with_options
from domain.simulation.property_stream import VAULT
from domain.simulation.table import Setup

# On a simulated floor nothing hangs on these.
_HARMLESS = ("match_play", "idle_jam_returns_wagers", "concealing_card")
_FAR = 1_000_000  # more facts than any day has


def _another_option(setup: Setup) -> Setup:
    """Set an option that changes nothing on a simulated floor, against its default."""
    name, option = next((name, held) for name in _HARMLESS if (held := setup.edition.options.get(name)) is not None)
    return with_options(setup, {name: option.kind == "group" or not option.default})


def _other_table(scene: PlayedStretch) -> str:
    return "T2" if scene.setup.table == "T1" else "T1"


@incident(
    "correction-unreadable",
    ALL_BOOKS,
    "A wager is corrected at this table and its number is that of another table's record, or of none.",
)
def corrected_elsewhere(scene: PlayedStretch) -> Woven:
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
def another_edition(scene: PlayedStretch) -> Woven:
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
def issued_to_another_table(scene: PlayedStretch) -> Woven:
    """Return the day with the vault's issue of its deck entered again for another table."""
    deck = scene.choose(scene.all(DeckReceived))
    slip = said("deck-issued", deck.deck, _other_table(scene), source=VAULT, stream=PROPERTY)
    return scene.woven(after(deck, slip), anywhere=True)


@incident(
    "options-not-approved",
    ALL_BOOKS,
    "The table opens with another option than was approved for its game.",
    stretch="opening",
    setting=_another_option,
    only_named=True,
)
def opened_without_approval(scene: PlayedStretch) -> Woven:
    """The pit plays what it asked for; the answer has not come."""
    return scene.woven(gone(scene.first(OptionsApproved)), anywhere=True)
