"""Exports in the room: ordering, signing and downloading them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from consumers.exporting.making import MadeExport
from consumers.exporting.orders import Shelf, WantedExport, names_players
from consumers.room.looking import Looking, RoomVisit, ShownAnswer
from consumers.signing import asking
from consumers.signing.asking import NoSignerError
from consumers.signing.words import TROUBLE, in_words
from domain import games
from domain.desk.acting import DeskAct
from domain.desk.export import Export
from domain.rulebooks import newest
from projections.export.question import Scope

Told = Callable[[str], object]  # the progress, in words
# The games there are and what each is called; one that goes by the text of another says so itself.
GAMES = {book: game.title if game.text == book else newest(book).title for book, game in games.GAMES.items()}


class NoExportError(Exception):
    """An export that cannot be ordered, made or handed out; the message says why."""


class ExportLine(msgspec.Struct, frozen=True):
    """An export in the list."""

    export: Export
    at: datetime  # when it was ordered
    named: bool = False  # it names its players


class ExportAsked(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of an order's form."""

    first: str = ""
    last: str = ""
    tables: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    player: str = ""
    case: str = ""
    finding: str = ""
    hand: str = ""
    access: bool = False
    to_date: bool = False
    named: bool = False  # with the names of its players
    purpose: str = ""
    recipient: str = ""

    @property
    def wanted(self) -> WantedExport:
        """The order in the form that the shelf takes."""
        days = (self.first, self.last or self.first) if self.first else None
        scope = Scope(
            days=days,
            tables=self.tables,
            games=self.games,
            player=self.player,
            case=self.case,
            finding=self.finding,
            hand=self.hand,
            access=self.access,
            to_date=self.to_date,
        )
        return WantedExport(scope, self.purpose, self.recipient, identities="named" if self.named else "tokens")


class ExportsRoom(Looking):
    """Orders, signatures and files."""

    shelf: Shelf | None = None
    signer: Path | None = None  # the socket of the process with the property's key; None if this process has it

    def exports(self, visit: RoomVisit) -> ShownAnswer[list[ExportLine]]:
        """Every order, the newest first."""
        with self._allowed(visit, "order-exports", "page", "exports"):
            held = self._shelf().all()
        self._looked(visit, "page", "exports")
        lines = [ExportLine(each, _at(each), names_players(each)) for each in held]
        return ShownAnswer(lines, datetime.fromtimestamp(self._clock() / 1_000_000, UTC))

    def order_export(self, visit: RoomVisit, key: str, asked: ExportAsked) -> Export:
        """Place an order."""
        with self._allowed(visit, "order-exports", "export", "a new one"), _trouble():
            return self._shelf().order(visit.person, self._act_of(visit, key), asked.wanted)

    def sign_export(self, visit: RoomVisit, order: str, key: str, told: Told) -> MadeExport:
        """Make the export and sign it."""

        def tell(what: str, done: int, total: int, facts: int) -> None:
            of = f" of {total:,}" if total else ""
            told(f"{done:,}{of} streams, {facts:,} facts" if what == "streams" else f"{what} of {facts:,} facts")

        with self._allowed(visit, "sign-exports", "export", order), _trouble():
            act = self._act_of(visit, key)
            if self.signer is not None:
                return asking.sign(self.signer, visit.person, act, order, tell)
            return self._shelf().sign(visit.person, act, order, tell)

    def decline_export(self, visit: RoomVisit, order: str, key: str, why: str) -> Export:
        """Decline an order."""
        with self._allowed(visit, "sign-exports", "export", order), _trouble():
            return self._shelf().decline(visit.person, self._act_of(visit, key), order, why)

    def export_file(self, visit: RoomVisit, order: str) -> Path:
        """The path of a signed export's file."""
        with self._allowed(visit, "order-exports", "export", order), _trouble():
            return self._shelf().file(visit.person, order)

    def export_taken(self, visit: RoomVisit, order: str) -> bytes:
        """The file itself, for a download, which the access log records each time."""
        file = self.export_file(visit, order)
        signed = next((each.signed for each in self._shelf().all() if each.order == order), None)
        said = f"{signed.export} SHA-256 {signed.digest}" if signed is not None else order
        self._taken(visit, said, signed.facts if signed is not None else 0)
        return file.read_bytes()

    def _act_of(self, visit: RoomVisit, key: str) -> DeskAct:
        return DeskAct(visit.person.name, self._clock(), key)

    def _shelf(self) -> Shelf:
        if self.shelf is None:
            raise NoExportError("This dashboard has no record to export from. Start it with the record's folder.")
        return self.shelf


def _at(held: Export) -> datetime:
    at = held.ordered.at if held.ordered is not None else 0
    return datetime.fromtimestamp(at / 1_000_000, UTC)


@contextmanager
def _trouble() -> Iterator[None]:
    try:
        yield
    except NoSignerError as error:
        raise NoExportError(str(error)) from error
    except TROUBLE as error:
        raise NoExportError(in_words(error)) from error
