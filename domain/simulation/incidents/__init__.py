"""Labeled incidents: errors and cheats at tables, woven into the simulated floor.

`names()` lists them. `chosen("all")` or `chosen("wager-overpaid,sugarhouse-sorted-deck")` selects some, by the code of
their finding or by their own name, and `IncidentWeave` puts them into a floor. Labels never enter the facts.
"""

from difflib import get_close_matches

# isort: off
# Each enters its incidents into the list, and the order of the list decides what a seed draws.
from domain.simulation.incidents import (  # noqa: F401
    amounts,
    community_cards,
    by_eye,
    configured,
    cutting,
    dealing,
    deciding,
    devices,
    idling,
    judging,
    late,
    missing_cards,
    money,
    opening_table,
    patterns,
    payments,
    placing,
    progressives,
    real,
    recording,
    setting_hands,
    settling_order,
    showing,
    shuffling,
    sleeves,
    stubs,
    unshuffled,
    voids,
    chips,
)

# isort: on
from domain.simulation.incidents.incident import Incident, all_incidents
from domain.simulation.incidents.weaving import IncidentWeave

__all__ = ["Incident", "IncidentWeave", "UnknownIncidentError", "by_code", "chosen", "names"]


class UnknownIncidentError(ValueError):
    """A name that is not an incident, with the incidents of similar names."""


def names() -> tuple[str, ...]:
    """Return every incident's name."""
    return tuple(sorted(all_incidents()))


def by_code(code: str) -> tuple[Incident, ...]:
    """Return the incidents whose own finding has this code."""
    return tuple(each for each in all_incidents().values() if each.code == code)


def chosen(asked: str) -> tuple[Incident, ...]:
    """Return the incidents in a request: `all` that seeds draw, or names and codes separated by commas."""
    if asked == "all":
        return tuple(each for each in all_incidents().values() if not each.only_named)
    found: dict[str, Incident] = {}
    for word in filter(None, map(str.strip, asked.split(","))):
        held = by_code(word)
        if word in all_incidents() and not held:
            held = (all_incidents()[word],)
        if not held:
            known = {*all_incidents(), *(each.code for each in all_incidents().values())}
            near = get_close_matches(word, sorted(known), n=4)
            hint = f": similar names are {', '.join(near)}" if near else ""
            raise UnknownIncidentError(f"{word!r} is not an incident{hint}")
        found |= {each.name: each for each in held}
    return tuple(found.values())
