"""How a table has to be set up so that an incident can happen there; a table that fits already stays as it is."""

from collections.abc import Mapping
from typing import Any

import msgspec

from domain.facts.words import Dealing
from domain.rulebooks import house
from domain.simulation.incidents.incident import NotHereError, Setting
from domain.simulation.table import Setup


def chosen(setup: Setup, option: str) -> Any:
    """What is in force of an option here: what the house chose, or the default."""
    return (
        setup.options[option] if option in setup.options else house(setup.edition, setup.options, setup.method)[option]
    )


def seen(setup: Setup) -> Setup:
    """Everything is recorded: what nobody writes down nobody finds."""
    if setup.reading == "all" and not setup.unrecorded and not setup.unseen_wagers:
        return setup
    return msgspec.structs.replace(setup, reading="all", unrecorded=(), unseen_wagers=())


def with_options(setup: Setup, options: Mapping[str, Any]) -> Setup:
    """The table with these options."""
    other = {name: value for name, value in options.items() if chosen(setup, name) != value}
    return msgspec.structs.replace(setup, options={**setup.options, **other}) if other else setup


def with_parts(setup: Setup, **parts: Any) -> Setup:
    """The table with these parts."""
    if all(getattr(setup, name) == value for name, value in parts.items()):
        return setup
    return msgspec.structs.replace(setup, **parts)


def choosing(**options: Any) -> Setting:
    """The house chose these options."""
    return lambda setup: with_options(setup, options)


def of_the_property(**options: Any) -> Setting:
    """The property chose these options for all its tables: at one table alone they are not changed."""

    def setting(setup: Setup) -> Setup:
        if any(chosen(setup, name) != value for name, value in options.items()):
            raise NotHereError("the property chose otherwise")
        return setup

    return setting


def dealing(*methods: Dealing) -> Setting:
    """Cards are dealt by one of these methods, the first where it has to be changed."""
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
        options.pop("six_card_table", None)  # its box is dealt by the automated shoe alone
        options.pop("dealer_stack_delivery", None)
    return msgspec.structs.replace(setup, method=method, options=options, **parts)


def shuffled_by_hand(setup: Setup) -> Setup:
    """The dealer shuffles, and so there is one deck, and nothing that only a shuffler makes possible."""
    if setup.book == "FAH":
        return with_parts(with_options(dealing("manual-shoe")(setup), {"shuffler": "none"}), shuffler_loads_shoe=False)
    held = dealing("manual-shoe", "automated-shoe")(setup)
    options = {"shuffler": "none", "decks": 1} | ({"cover_all": False} if setup.book == "UTH-MA" else {})
    return with_parts(with_options(held, options), shuffler_loads_shoe=False, shoe_reshuffles=False)


def shuffled_by_machine(setup: Setup) -> Setup:
    """A device shuffles."""
    if setup.book == "FAH":
        held = with_options(dealing("manual-shoe")(setup), {"shuffler": "batch"})
        return held if chosen(setup, "shuffler") == "batch" else with_options(held, {"concealing_card": False})
    if chosen(setup, "shuffler") != "none":
        return setup
    return with_parts(with_options(setup, {"shuffler": "automated"}), shoe_reshuffles=False)


def two_decks(setup: Setup) -> Setup:
    """Two decks, or batches, take turns."""
    held = shuffled_by_machine(setup)
    return held if setup.book == "FAH" else with_options(held, {"decks": 2})


def opened_here(setup: Setup) -> Setup:
    """Decks come neither inspected nor shuffled, and are opened at the table."""
    return with_parts(setup, preinspected=False, preshuffled=False)


def both(*settings: Setting) -> Setting:
    """All of these, one after the other."""

    def setting(setup: Setup) -> Setup:
        for each in settings:
            setup = each(setup)
        return setup

    return setting


def by_book(books: Mapping[str, Setting]) -> Setting:
    """What each book needs of its own."""
    return lambda setup: books[setup.book](setup) if setup.book in books else setup
