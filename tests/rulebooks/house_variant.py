"""A sixth book, made up for a test: Maryland's Ultimate as one house plays it, in a copy of the program.

It has another pay table for trips and one more wager, `pocket`, on the player's first two cards. What is laid into the
copy is all that a book needs: one folder, and one line of the registry.
"""

import re
import shutil
from pathlib import Path
from typing import Final

from domain.rulebooks import first_file
from tests.citations import ROOT

BOOK: Final = "UTH-HV"
FOLDER: Final = Path("domain/rulebooks/uth-hv")
REGISTRY: Final = Path("domain/games/__init__.py")
PACKAGES: Final = ("domain", "projections", "consumers", "dashboards")
EDITION: Final = "2026-11-18.toml"
LINE: Final = '        "UTH-HV": following(MARYLAND, {"pocket": "ultimate_pairs"}),\n'
_LAST_LINE: Final = '        "COL": COLORADO,\n'

_TRIPS: Final = """\
[tables.trips.H]
clause = "UTH-HV 1(a)"
royal_flush = "50 to 1"
straight_flush = "40 to 1"
four_of_a_kind = "30 to 1"
full_house = "8 to 1"
flush = "9 to 1"
straight = "4 to 1"
three_of_a_kind = "2 to 1"

[tables.pocket]
option = "pocket_table"
clause = "UTH-HV 2"
rule = "exact"
[tables.pocket.H]
clause = "UTH-HV 2(a)"
pair_of_aces = "25 to 1"
pair_of_jacks_to_kings = "8 to 1"
pair_of_tens_or_less = "4 to 1"

"""
_OPTION: Final = """
[options.pocket_table]
clause = "UTH-HV 2"
allowed = ["H"]
default = "not offered"
says = "The pocket pay table."
"""
_PAID: Final = "wager-overpaid;wager-underpaid;winner-unpaid;winner-collected;loser-paid;loser-not-collected"
_CLAUSES: Final = f"""\
clause,kind,gist,observable,evidence,finding,option,reading
UTH-HV 1,option,Trips is paid by the house's own table.,events,TableOpened,house-option-invalid,trips_table,
UTH-HV 1(a),paytable,"Trips H: full house 8:1, flush 9:1, straight 4:1, three-of-a-kind 2:1.",events,WagerPaid,{_PAID},trips_table,
UTH-HV 2,option,A player may wager on a pair in the first two cards.,events,TableOpened,house-option-invalid,pocket_table,
UTH-HV 2(a),paytable,"Pocket H: aces 25:1, jacks to kings 8:1, tens or less 4:1.",events,WagerPaid,{_PAID},pocket_table,
"""


def edition() -> str:
    """The edition: Maryland's, with one table of trips instead of five, and the wager pocket."""
    text = first_file("UTH-MD").decode()
    text = text.replace('book = "UTH-MD"', f'book = "{BOOK}"').replace("Hold'em, Maryland", "Hold'em, our house")
    text = text.replace('"play_the_board"]', '"play_the_board", "pocket"]', 1)
    before, _, rest = text.partition("[tables.trips.A]\n")
    text = before + _TRIPS + rest[rest.index("[tables.progressive]") :]
    option = re.compile(r'(\[options\.trips_table\]\nclause = )"UTH-MD 12\.C"\nallowed = .*\ndefault = "A"')
    text = option.sub(r'\1"UTH-HV 1"\nallowed = ["H"]\ndefault = "H"', text)
    return text.rstrip() + "\n" + _OPTION


def copied(folder: Path) -> Path:
    """The program as it stands, copied into this folder."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def added(program: Path) -> None:
    """Add the book to a copy of the program."""
    (program / FOLDER).mkdir()
    (program / FOLDER / EDITION).write_text(edition())
    (program / FOLDER / "clauses.csv").write_text(_CLAUSES)
    registry = program / REGISTRY
    registry.write_text(registry.read_text().replace(_LAST_LINE, _LAST_LINE + LINE))
