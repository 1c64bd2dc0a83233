"""Devices not removed, systems missing, and dealing methods the house has not chosen."""

from domain.facts.deal import CardDealt
from domain.facts.shuffles import ShuffleCompleted, ShuffleStarted
from domain.facts.table_day import TableOpened
from domain.simulation.edits import Edit, said
from domain.simulation.incidents.changes import after, before, told
from domain.simulation.incidents.incident import ALL_BOOKS, ONE_DECK, incident
from domain.simulation.incidents.progressives import offered
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import both, dealing, shuffled_by_machine
from domain.simulation.incidents.shuffling import one_deck


@incident(
    "device-not-removed",
    ONE_DECK,
    "The shuffler is out of order and stands at the table while the cards are shuffled by hand.",
    clauses="UTH-MA 15(g); UTH-MD 13.J(1); PIK 38.12(g); COL 14(g)",
    setting=both(dealing("manual-shoe"), shuffled_by_machine, one_deck),
    besides=("cut-missing", "reshuffle-missing"),
)
def still_there(scene: PlayedStretch) -> Woven:
    """Return the stretch with a failed shuffler still at the table for one round."""
    started, completed = scene.first(ShuffleStarted), scene.first(ShuffleCompleted)
    device = scene.table.device("shuffler")
    by_hand = {"method": "manual", "device": ""}
    edits: list[Edit] = [told(started, **by_hand), told(completed, **by_hand, counted=None)]
    failed = said("device-failed", device, "shuffler", "stopped")
    edits += [before(started, failed), after(scene.facts[-1], said("device-restored", device))]
    return scene.woven(*edits, anywhere=True)


@incident(
    "progressive-system-missing",
    ("UTH-MD",),
    "Progressive wagers are taken at a table without a progressive system.",
    clauses="UTH-MD 2.C",
    setting=offered,
    stretch="day",
)
def no_system(scene: PlayedStretch) -> Woven:
    """Return the day without the progressive system."""
    opened = scene.first(TableOpened)
    scene.wants(scene.wagers(wager="progressive"))
    devices = tuple(here for here in opened.devices if here.kind != "progressive")
    return scene.woven(told(opened, devices=devices), anywhere=True)


@incident(
    "option-not-chosen",
    ALL_BOOKS,
    "A card is dealt in a way this house has not chosen.",
    clauses={"": "UTH-MA 8(a); PIK 39.8(a); COL 8(a); UTH-MD 5.I; FAH (k)(1)"},
    setting=dealing("manual-shoe"),
)
def another_way(scene: PlayedStretch) -> Woven:
    """Return the stretch with a card dealt from the hand, or from a continuous shoe, against the options."""
    source = "continuous-shoe" if scene.book in ("UTH-MD", "FAH") else "hand"
    return scene.woven(told(scene.first(CardDealt), source_of_card=source))
