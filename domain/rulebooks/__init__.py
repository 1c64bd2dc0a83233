"""Rule books as data, in dated editions; each value cites its clause, or the edition does not load."""

from domain.games import BOOKS
from domain.rulebooks.book import BadRuleBookError, Option, PayTable, RuleBook, TableGroup, canonical, parse
from domain.rulebooks.differences import ValueDifference, differences
from domain.rulebooks.editions import edition, edition_on, editions, first_file, install, newest
from domain.rulebooks.house import BadHouseError, House, HouseFinding, house
from domain.rulebooks.house_rules import TRAY_TOLERANCE, own_options
from domain.rulebooks.installing import not_shipped

__all__ = [
    "BOOKS",
    "TRAY_TOLERANCE",
    "BadHouseError",
    "BadRuleBookError",
    "House",
    "HouseFinding",
    "Option",
    "PayTable",
    "RuleBook",
    "TableGroup",
    "ValueDifference",
    "book",
    "canonical",
    "differences",
    "edition",
    "edition_on",
    "editions",
    "first_file",
    "house",
    "house_checks",
    "install",
    "newest",
    "not_shipped",
    "overlay",
    "own_options",
    "parse",
]
