"""Rule books as data: each value stands beside the clause it comes from, or it does not load."""

from domain.rulebooks.book import BOOKS, BadRuleBookError, Option, PayTable, RuleBook, TableGroup, parse, rulebook
from domain.rulebooks.house import BadHouseError, House, HouseFinding, house

__all__ = [
    "BOOKS",
    "BadHouseError",
    "BadRuleBookError",
    "House",
    "HouseFinding",
    "Option",
    "PayTable",
    "RuleBook",
    "TableGroup",
    "house",
    "parse",
    "rulebook",
]
