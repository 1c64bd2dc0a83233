"""The question an export answers: the part of the record, the recipient and the purpose, bound to one checkpoint.

Its stored form gives the export its name: the same question has the same name, and any change gives another export.
"""

import re
from datetime import date
from hashlib import sha256
from typing import Final, Literal

import msgspec

from domain.clauses import BOOKS
from domain.facts.streams import BadStreamError
from domain.facts.streams import stream as taken_apart

VERSION: Final = 4  # of the format
Identities = Literal["tokens", "named"]
_MOST_LETTERS = 1_000
_HAND = re.compile(r"(?P<stream>[^:]+):(?P<round>[1-9][0-9]{0,6})")


class BadQuestionError(ValueError):
    """A question that cannot be asked, and how to ask it."""


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """The requested part of the record. Player, case, finding and hand select rounds; the rest selects whole days."""

    days: tuple[str, str] | None = None
    tables: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    player: str = ""
    case: str = ""
    finding: str = ""
    hand: str = ""
    access: bool = False
    to_date: bool = False  # also the month and year to date, beside the year before

    @property
    def in_part(self) -> bool:
        """True if rounds are requested rather than days."""
        return bool(self.player or self.case or self.finding or self.hand)

    def has_day(self, day: str) -> bool:
        """Return whether a gaming day is within the range."""
        return self.days is None or self.days[0] <= day <= self.days[1]

    def has_table(self, table: str) -> bool:
        """Return whether a table is among those requested."""
        return not self.tables or table in self.tables

    @property
    def round(self) -> tuple[str, int] | None:
        """The stream and round of the requested hand, if any."""
        found = _HAND.fullmatch(self.hand)
        return None if found is None else (found["stream"], int(found["round"]))


class NamedEdition(msgspec.Struct, frozen=True, omit_defaults=True):
    """An edition of a rule book that decides amounts owed, by the digest that openings name."""

    book: str
    digest: str
    title: str
    shipped: bool = True  # it came with the software; otherwise the property installed it


class BoundCheckpoint(msgspec.Struct, frozen=True):
    """The checkpoint: the head of the property's tree, and the cosignatures in the export."""

    origin: str
    size: int
    root: str
    time: str
    cosigned_by: tuple[str, ...] = ()
    earlier: dict[str, tuple[int, ...]] = {}  # by witness, the earlier heads it cosigned


class Holds(msgspec.Struct, frozen=True):
    """A kind of file, and its contents."""

    path: str
    holds: str


class ExportQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """The whole question. Every field is part of the name."""

    scope: Scope
    purpose: str
    recipient: str
    ordered_by: str
    signed_by: str
    checkpoint: BoundCheckpoint
    zone: str
    software: str
    books: tuple[NamedEdition, ...]
    files: tuple[Holds, ...]
    identities: Identities = "tokens"
    version: int = VERSION

    @property
    def stored(self) -> bytes:
        """Return the bytes of `data/question.json`."""
        return canonical(self) + b"\n"

    @property
    def name(self) -> str:
        """Return the export's name."""
        return name_of(self.stored)


def canonical(told: object) -> bytes:
    """Return canonical JSON: sorted keys, no spaces."""
    return msgspec.json.encode(told, order="sorted")


def name_of(stored: bytes) -> str:
    """Return the name of the export that answers the question in these bytes."""
    return f"export-{sha256(stored).hexdigest()[:16]}"


def parsed(stored: bytes) -> ExportQuestion:
    """Return the question in these bytes."""
    return msgspec.json.decode(stored, type=ExportQuestion)


def checked(scope: Scope) -> Scope:
    """Return the scope with its lists in order; raise if it is invalid."""
    one_of = [name for name in ("case", "finding", "hand") if getattr(scope, name)]
    if len(one_of) > 1:
        raise BadQuestionError(f"{' and '.join(one_of)} cannot be combined: ask for one at a time")
    if one_of and (scope.days or scope.tables or scope.games or scope.player):
        raise BadQuestionError(f"a {one_of[0]} already selects its rounds: leave out days, tables, games and player")
    if scope.player and scope.games:
        raise BadQuestionError("a player's rounds are selected by days and tables: leave out games")
    if not (one_of or scope.days or scope.tables or scope.games or scope.player):
        raise BadQuestionError("nothing is requested: name days, tables, games, a player, a case, a finding or a hand")
    if scope.access and (scope.in_part or scope.days is None):
        raise BadQuestionError("the access log is exported by days: name the days")
    if scope.to_date and scope.in_part:
        raise BadQuestionError("figures to date need whole days: name days, tables or games")
    _check_days(scope)
    _check_hand(scope)
    _check_letters(scope)
    for game in scope.games:
        if game not in BOOKS:
            raise BadQuestionError(f"there is no game {game!r}: name one of {', '.join(BOOKS)}")
    return msgspec.structs.replace(
        scope, tables=tuple(sorted(set(scope.tables))), games=tuple(sorted(set(scope.games)))
    )


def _check_days(scope: Scope) -> None:
    for day in scope.days or ():
        try:
            right = date.fromisoformat(day).isoformat() == day
        except ValueError:
            right = False
        if not right:
            raise BadQuestionError(f"{day!r} is not a gaming day: write it like 2026-11-18")
    if scope.days is not None and scope.days[0] > scope.days[1]:
        raise BadQuestionError(f"the days end before they begin: {scope.days[0]} to {scope.days[1]}")


def _check_hand(scope: Scope) -> None:
    if not scope.hand:
        return
    how = f"{scope.hand!r} is not a hand: write table, gaming day and round like T7/2026-11-18:142"
    if scope.round is None:
        raise BadQuestionError(how)
    try:
        taken_apart(scope.round[0])
    except BadStreamError as error:
        raise BadQuestionError(how) from error


def _check_letters(scope: Scope) -> None:
    """Refuse control characters: a player's token may have any characters, but a question must be readable."""
    for name in ("player", "case", "finding"):
        text = getattr(scope, name)
        if not text.isprintable():
            raise BadQuestionError(f"{name} {text!r} has control characters: ask for the whole days instead")


def line_of(text: str, what: str) -> str:
    """Return text typed by a person as one line; raise if it is empty or too long."""
    found = " ".join(text.split())
    if not found.isprintable():
        raise BadQuestionError(f"say {what} without control characters")
    if not found:
        raise BadQuestionError(f"say {what}")
    if len(found) > _MOST_LETTERS:
        raise BadQuestionError(f"say {what} in at most {_MOST_LETTERS} letters")
    return found
