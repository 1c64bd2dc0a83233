"""The house's own rules, which no law prints: their options, each under its clause of HOUSE.

They are options of every table, whatever its rule book. An option that an opening leaves out has no value, and the rule
that needs it is not in force.
"""

import tomllib
from functools import cache
from importlib.resources import files

from domain.clauses import HOUSE
from domain.rulebooks.book import Option, options_of

TRAY_TOLERANCE = "tray_tolerance"


@cache
def own_options() -> dict[str, Option]:
    """Return the options of the house's own rules by their names."""
    text = (files(__package__) / "house-rules" / "options.toml").read_text("utf-8")
    return options_of(HOUSE, tomllib.loads(text))
