"""The definition of an incident, and the list of all incidents.

An incident is an error or a cheat at a table: it changes a lawful stretch of rounds, and its label says which finding
it must raise and which others it may cause. `setting` opens a table so that the incident can happen, `staging` arranges
each of its rounds before the deal, and `edit` changes the facts afterward. If a stretch does not qualify, any of them
raises `StretchUnfitError`, and another stretch is tried.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

import msgspec

from domain.clauses import HOUSE
from domain.scoring import DETERMINISTIC
from domain.simulation.plans import RoundPlan
from domain.simulation.table import Setup, TableInPlay

if TYPE_CHECKING:
    from domain.simulation.incidents.scene import PlayedStretch, Woven

ALL_BOOKS = ("UTH-MA", "UTH-MD", "PIK", "FAH", "COL")
ULTIMATE = ("UTH-MA", "UTH-MD")
ONE_DECK = ("UTH-MA", "UTH-MD", "PIK", "COL")  # the games dealt from one deck a round

Stretch = Literal["round", "opening", "day"]
Setting = Callable[[Setup], Setup]
Staging = Callable[[TableInPlay, RoundPlan, int], RoundPlan]
Edit = Callable[["PlayedStretch"], "Woven"]


class StretchUnfitError(ValueError):
    """Raised if a stretch does not qualify; the message says what it lacks."""


class Incident(msgspec.Struct, frozen=True, kw_only=True):
    """One incident. A stretch is some rounds with what happens before each, the opening with the first, or the day."""

    name: str
    code: str  # the code of its own finding
    books: tuple[str, ...]
    says: str
    edit: Edit
    clauses: Mapping[str, tuple[str, ...]] = {}  # by dealing method, or by another key
    kind: str = DETERMINISTIC
    besides: tuple[str, ...] = ()  # codes it may also cause in its rounds
    stretch: Stretch = "round"
    setting: Setting | None = None
    staging: Staging | None = None
    rounds: int = 1
    before: int = 0  # rounds of the day that must come before
    quiet: int = 1  # quiet rounds behind it
    void: bool = False  # whether a void round qualifies
    across: bool = False  # whether another table of the same game must be open
    only_named: bool = False  # not part of `all`, so that existing seeds draw what they drew before

    def cites(self, book: str, *keys: str) -> tuple[str, ...]:
        """Return the clauses of a book that its finding must cite: those for these keys, and those always cited."""
        held = [name for key in ("", *keys) for name in self.clauses.get(key, ())]
        return tuple(name for name in dict.fromkeys(held) if name.startswith((f"{book} ", f"{HOUSE} ")))


_ALL: dict[str, Incident] = {}


def incident(
    name: str,
    books: tuple[str, ...],
    says: str,
    *,
    clauses: str | Mapping[str, str] = "",
    code: str = "",
    kind: str = DETERMINISTIC,
    besides: tuple[str, ...] = (),
    stretch: Stretch = "round",
    setting: Setting | None = None,
    staging: Staging | None = None,
    rounds: int = 1,
    before: int = 0,
    quiet: int = 1,
    void: bool = False,
    across: bool = False,
    only_named: bool = False,
) -> Callable[[Edit], Edit]:
    """Register an edit in the list. Its code is its name up to a slash, unless given; clauses as in a law."""
    rows = {"": clauses} if isinstance(clauses, str) else clauses

    def enter(edit: Edit) -> Edit:
        if name in _ALL:
            raise ValueError(f"two incidents are called {name}")
        _ALL[name] = Incident(
            name=name,
            code=code or name.partition("/")[0],
            books=books,
            says=says,
            edit=edit,
            clauses={key: tuple(filter(None, map(str.strip, row.split(";")))) for key, row in rows.items()},
            kind=kind,
            besides=besides,
            stretch=stretch,
            setting=setting,
            staging=staging,
            rounds=rounds,
            before=before,
            quiet=quiet,
            void=void,
            across=across,
            only_named=only_named,
        )
        return edit

    return enter


def all_incidents() -> Mapping[str, Incident]:
    """Return every incident by its name."""
    return _ALL
