"""What an incident is, and the list of them all.

An incident is something that goes wrong at a table, or is done there on purpose: how a lawful stretch of rounds is
changed, and the label that says which finding it must raise and what it rightly causes besides. `setting` opens a
table so that it can happen, `staging` arranges each of its rounds before it is dealt, `edit` changes the facts
afterwards. Where a stretch does not qualify any of them says so by `NotHereError`, and another is tried.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

import msgspec

from domain.scoring import DETERMINISTIC
from domain.simulation.plans import RoundPlan
from domain.simulation.table import Setup, Table

if TYPE_CHECKING:
    from domain.simulation.incidents.scene import Scene, Woven

ALL_BOOKS = ("UTH-MA", "UTH-MD", "PIK", "FAH", "COL")
ULTIMATE = ("UTH-MA", "UTH-MD")
ONE_DECK = ("UTH-MA", "UTH-MD", "PIK", "COL")  # the games dealt from one deck a round

Stretch = Literal["round", "opening", "day"]
Setting = Callable[[Setup], Setup]
Staging = Callable[[Table, RoundPlan, int], RoundPlan]
Edit = Callable[["Scene"], "Woven"]


class NotHereError(ValueError):
    """This stretch does not qualify: what it lacks."""


class Incident(msgspec.Struct, frozen=True, kw_only=True):
    """One incident. A stretch is some rounds with what happens before each, the opening with the first, or the day."""

    name: str
    code: str  # of the finding that is its own
    books: tuple[str, ...]
    says: str
    edit: Edit
    clauses: Mapping[str, tuple[str, ...]] = {}  # by dealing method, or by what else they depend on
    kind: str = DETERMINISTIC
    besides: tuple[str, ...] = ()  # codes it may rightly cause in its rounds
    stretch: Stretch = "round"
    setting: Setting | None = None
    staging: Staging | None = None
    rounds: int = 1
    before: int = 0  # rounds of the day that must have been played
    quiet: int = 1  # rounds behind it in which nothing else happens
    void: bool = False  # whether a void round may be a place for it
    across: bool = False  # whether another table of the same game must be open meanwhile
    only_named: bool = False  # no part of `all`: what a seed drew before this came, it draws still

    def cites(self, book: str, *keys: str) -> tuple[str, ...]:
        """The clauses of a book its finding must cite: those for these keys, and those that always hold."""
        held = [name for key in ("", *keys) for name in self.clauses.get(key, ())]
        return tuple(name for name in dict.fromkeys(held) if name.startswith(f"{book} "))


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
    """Enters an edit into the list. Its code is its name up to a slash, unless told; clauses as in a law."""
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
    """Every incident by its name."""
    return _ALL
