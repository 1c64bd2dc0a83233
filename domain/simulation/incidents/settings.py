"""Setups that let an incident happen; a table that qualifies already stays as it is."""

from collections.abc import Mapping
from typing import Any

import msgspec

from domain.facts.words import Dealing
from domain.rulebooks import house
from domain.simulation.incidents.incident import Setting, StretchUnfitError
from domain.simulation.table import Setup


def chosen(setup: Setup, option: str) -> Any:
    """Return an option in force: the house's choice, or the default."""
    return (
        setup.options[option] if option in setup.options else house(setup.edition, setup.options, setup.method)[option]
    )


def seen(setup: Setup) -> Setup:
    """Return the setup with everything recorded, because nothing unrecorded can be found."""
    if setup.reading == "all" and not setup.unrecorded and not setup.unseen_wagers:
        return setup
    return msgspec.structs.replace(setup, reading="all", unrecorded=(), unseen_wagers=())


def with_options(setup: Setup, options: Mapping[str, Any]) -> Setup:
    """Return the table with these options."""
    other = {name: value for name, value in options.items() if chosen(setup, name) != value}
    return msgspec.structs.replace(setup, options={**setup.options, **other}) if other else setup


def with_parts(setup: Setup, **parts: Any) -> Setup:
    """Return the table with these parts."""
    if all(getattr(setup, name) == value for name, value in parts.items()):
        return setup
    return msgspec.structs.replace(setup, **parts)


def choosing(**options: Any) -> Setting:
    """Return the setting in which the house chooses these options."""
    return lambda setup: with_options(setup, options)


def of_the_property(**options: Any) -> Setting:
    """Return the setting in which the property chooses these options for all tables; one table cannot change them."""

    def setting(setup: Setup) -> Setup:
        if any(chosen(setup, name) != value for name, value in options.items()):
            raise StretchUnfitError("the property chose otherwise")
        return setup

    return setting


def dealing(*methods: Dealing) -> Setting:
    """Return the setting with one of these dealing methods, the first if it has to change."""
    return lambda setup: setup if setup.method in methods else _by(setup, methods[0])


def _by(setup: Setup, method: Dealing) -> Setup:
    options = dict(setup.options)
    parts: dict[str, Any] = {"shoe_reshuffles": False, "dealer_stack": "", "shuffler_loads_shoe": False}
    if setup.book == "FAH":
        options |= {"shuffler": "continuous" if method == "continuous-shoe" else "none", "concealing_card": False}
    elif method == "hand" and chosen(setup, "shuffler") == "none":
        options["shuffler"] = "automated"
    if method == "automated-shoe" and setup.book == "UTH-MD":
        parts["dealer_stack"] = "at-deal"
    if method != "automated-shoe":
        options.pop("six_card_table", None)  # only the automated shoe deals its box
        options.pop("dealer_stack_delivery", None)
    return msgspec.structs.replace(setup, method=method, options=options, **parts)


def shuffled_by_hand(setup: Setup) -> Setup:
    """Return the setup with a shuffle by hand: one deck, and nothing that needs a shuffler."""
    if setup.book == "FAH":
        return with_parts(with_options(dealing("manual-shoe")(setup), {"shuffler": "none"}), shuffler_loads_shoe=False)
    held = dealing("manual-shoe", "automated-shoe")(setup)
    options = {"shuffler": "none", "decks": 1} | ({"cover_all": False} if setup.book == "UTH-MA" else {})
    return with_parts(with_options(held, options), shuffler_loads_shoe=False, shoe_reshuffles=False)


def shuffled_by_machine(setup: Setup) -> Setup:
    """Return the setup with a shuffling device."""
    if setup.book == "FAH":
        held = with_options(dealing("manual-shoe")(setup), {"shuffler": "batch"})
        return held if chosen(setup, "shuffler") == "batch" else with_options(held, {"concealing_card": False})
    if chosen(setup, "shuffler") != "none":
        return setup
    return with_parts(with_options(setup, {"shuffler": "automated"}), shoe_reshuffles=False)


def two_decks(setup: Setup) -> Setup:
    """Return the setup with two decks, or batches, in turn."""
    held = shuffled_by_machine(setup)
    return held if setup.book == "FAH" else with_options(held, {"decks": 2})


def opened_here(setup: Setup) -> Setup:
    """Return the setup with decks that are opened at the table, neither inspected nor shuffled before."""
    return with_parts(setup, preinspected=False, preshuffled=False)


def both(*settings: Setting) -> Setting:
    """Return the setting that applies all of these in order."""

    def setting(setup: Setup) -> Setup:
        for each in settings:
            setup = each(setup)
        return setup

    return setting


def by_book(books: Mapping[str, Setting]) -> Setting:
    """Return the setting that applies each book's own."""
    return lambda setup: books[setup.book](setup) if setup.book in books else setup
