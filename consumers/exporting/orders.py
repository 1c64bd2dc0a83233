"""The exports of a property: ordered, signed, made, listed and handed out, all recorded at the desk.

A signed export is first made and recorded, and only then moved to its place, so that the desk knows the digest of every
file.
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

import msgspec

from consumers.desk.application import Desk
from consumers.desk.kept_up import KeptUp
from consumers.exporting.asking import bound_to, editions, question_of
from consumers.exporting.making import MadeExport, Tell, make
from consumers.exporting.record import ExportableRecord
from consumers.exporting.reporting import in_words
from consumers.exporting.selecting import NothingThereError, selected
from consumers.gateway.keys import passphrase
from consumers.logs.log import Log
from consumers.logs.opening import FINDINGS_FILE, findings_log, open_log
from consumers.trust.keeper import Keeper, open_keeper
from consumers.trust.tree_file import TREE_FILE
from consumers.vault.people import VAULT_FILE, Vault
from domain.desk import access, export
from domain.desk.acting import DeskAct, RefusedError
from domain.desk.export import Export
from domain.desk.roles import Person, require
from domain.facts.envelope import Fact
from projections.export.identities import Names, unnamed
from projections.export.question import VERSION, ExportQuestion, Identities, Scope, checked, name_of, parsed

EXPORTS: Final = "exports"  # in the data or state folder


class ExportMissingError(Exception):
    """An export whose file is not at its place."""


class WantedExport(msgspec.Struct, frozen=True):
    """The content of an order."""

    scope: Scope
    purpose: str
    recipient: str
    checkpoint: int | None = None
    cosigned_by: tuple[str, ...] | None = None
    identities: Identities = "tokens"


class Home(msgspec.Struct, frozen=True):
    """The folder of a record, with its tree and its exports."""

    folder: Path
    data: Path | None = None
    kafka: Path | None = None
    exports: Path | None = None  # the folder of exports, if it is elsewhere


class Shelf:
    """The exports of one record. `desk` records the acts."""

    def __init__(self, home: Home, desk: Desk) -> None:
        self._home = home
        self._desk = desk
        self._orders: KeptUp[Export] = KeptUp(desk, export.PREFIX, _taken)

    def order(self, person: Person, act: DeskAct, wanted: WantedExport) -> Export:
        """Order an export; an order that matches nothing on record is refused now, not when it is signed."""
        require(person, "order-exports")
        if wanted.identities == "named":
            require(person, "see-identities")
        with self._opened() as (keeper, facts, findings):
            bound = bound_to(keeper, wanted.checkpoint, wanted.cosigned_by)
            record = ExportableRecord(keeper, bound.size, facts, findings, self._desk)
            selection = selected(record, checked(wanted.scope), person.name)
            question = question_of(
                keeper,
                facts,
                scope=wanted.scope,
                purpose=wanted.purpose,
                recipient=wanted.recipient,
                ordered_by=person.name,
                signed_by=UNSIGNED,
                bound=bound,
                books=editions(record, selection),
                identities=wanted.identities,
            )
        question = msgspec.structs.replace(question, signed_by="")
        return self._desk.on_export(
            order_of(question),
            lambda state: export.order(
                state,
                act,
                question.stored.decode(),
                asked=in_words(question),
                purpose=question.purpose,
                recipient=question.recipient,
                checkpoint=bound.size,
            ),
        )

    def sign(self, person: Person, act: DeskAct, order: str, tell: Tell, file: Path | None = None) -> MadeExport:
        """Make and sign another person's order; by default the file goes to the shelf."""
        require(person, "sign-exports")
        ordered = export.may_sign(self._desk.export(order), person.name)
        # An order under an older format is made in today's, which is the one that its program knows.
        question = msgspec.structs.replace(parsed(ordered.question.encode()), signed_by=person.name, version=VERSION)
        if question.identities == "named":
            require(person, "see-identities")

        def recorded(made: MadeExport) -> None:
            self._desk.on_export(
                order,
                lambda state: export.sign(state, act, made.name, digest=made.digest, size=made.size, facts=made.facts),
            )
            self._desk.looked(
                [
                    access.looked(
                        act,
                        "export",
                        f"{made.name} SHA-256 {made.digest}",
                        role=", ".join(person.roles),
                        why=question.purpose,
                        shown=made.facts,
                    )
                ]
            )

        with self._opened() as (keeper, facts, findings), self._names(question) as names:
            keeper.sign(b"")  # a key that does not open fails now, not after everything else is made
            record = ExportableRecord(keeper, question.checkpoint.size, facts, findings, self._desk)
            return make(question, record, file or self._file(question.name), tell, names=names, recorded=recorded)

    @contextmanager
    def _names(self, question: ExportQuestion) -> Iterator[Names]:
        """The players' names, if the recipient may know them."""
        if question.identities == "tokens":
            yield unnamed
            return
        with Vault(self._home.folder / VAULT_FILE, passphrase()) as vault:
            yield vault.name

    def decline(self, person: Person, act: DeskAct, order: str, why: str) -> Export:
        """Decline an order."""
        require(person, "sign-exports")
        return self._desk.on_export(order, lambda state: export.decline(state, act, why))

    def all(self) -> list[Export]:
        """Every order, the newest first."""
        held = [each for each in self._orders.now().values() if each.ordered is not None]
        return sorted(held, key=_ordered_at, reverse=True)

    def file(self, person: Person, order: str) -> Path:
        """The file of a signed export on the shelf; one with players' names needs the right to know identities."""
        held = self._desk.export(order)
        signed = held.signed
        if signed is None:
            raise RefusedError("open", f"{order} is not signed yet.")
        if names_players(held):
            require(person, "see-identities")
        file = self._file(signed.export)
        if not file.is_file():
            says = f"{file} does not exist: it was made on another machine, or moved"
            raise ExportMissingError(f"{says}. {signed.by} can make it again.")
        return file

    def _file(self, name: str) -> Path:
        return (self._home.exports or self._home.folder / EXPORTS) / f"{name}.tar"

    @contextmanager
    def _opened(self) -> Iterator[tuple[Keeper, Log, Log | None]]:
        home = self._home
        if not (home.folder / TREE_FILE).is_file():
            raise NothingThereError(
                f"an export needs a checkpoint, and {home.folder} has none yet: run catwalk checkpoint"
            )
        with ExitStack() as held:
            keeper = held.enter_context(open_keeper(home.folder))
            facts = held.enter_context(closing(open_log(data=home.data, kafka=home.kafka)))
            findings: Log | None = None
            if home.kafka is not None or (home.data is not None and (home.data / FINDINGS_FILE).is_file()):
                findings = findings_log(data=home.data, kafka=home.kafka, create=False)
                held.enter_context(closing(findings))
            yield keeper, facts, findings


UNSIGNED: Final = "(whoever signs it)"  # the signer in an unsigned question; no account has this name


def names_players(held: Export) -> bool:
    """Whether an export names its players."""
    return held.ordered is not None and parsed(held.ordered.question.encode()).identities == "named"


def order_of(question: ExportQuestion) -> str:
    """The name of an order: a digest of the question without its signer."""
    return name_of(question.stored).replace("export", "order")


def _taken(held: Export | None, order: str, record: Fact) -> Export | None:
    state = held or export.initial(order)
    if record.sequence != state.version + 1:
        return None
    return export.evolve(msgspec.structs.replace(state, keys=set(state.keys)), record)


def _ordered_at(state: Export) -> tuple[int, str]:
    return (state.ordered.at if state.ordered else 0, state.order)
