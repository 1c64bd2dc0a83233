"""A stretch of a table's day as an incident sees it: its facts, and helpers to change them."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

import msgspec

from domain.facts.envelope import Fact
from domain.facts.payments import RulingGiven, WagerCollected, WagerPaid, WagerReturned
from domain.facts.wagers import WagerPlaced
from domain.rulebooks import House
from domain.scoring import Label, Trace
from domain.simulation.edits import Edit as FactsEdit
from domain.simulation.edits import FactSelector, broken, where
from domain.simulation.incidents.incident import Incident, StretchUnfitError
from domain.simulation.table import Setup, TableInPlay
from domain.table.spots import CODE

Kind = TypeVar("Kind", bound=Fact)
Chosen = TypeVar("Chosen")
Beside = str | Trace


class Woven(msgspec.Struct, frozen=True):
    """An incident's result on its stretch."""

    facts: tuple[Fact, ...]
    labels: tuple[Label, ...]


class UntouchedWager(msgspec.Struct, frozen=True):
    """A wager's original course, before any edit."""

    seat: int
    wager: str
    stake: int
    paid: int = 0
    returned: int = 0
    collected: int = 0
    moves: tuple[Fact, ...] = ()
    coupon: int = 0

    @property
    def back(self) -> int:
        """The total its player got."""
        return self.paid + self.returned


class PlayedStretch:
    """The stretch. `facts` are those of its rounds and of what happened around them."""

    def __init__(self, incident: Incident, table: TableInPlay, facts: Sequence[Fact], chance: Random) -> None:
        self.incident = incident
        self.table = table
        self.facts = list(facts)
        self.chance = chance
        self.rounds = tuple(dict.fromkeys(fact.round for fact in facts if fact.round is not None))

    @property
    def setup(self) -> Setup:
        """The table's setup."""
        return self.table.setup

    @property
    def house(self) -> House:
        """The house in force."""
        return self.table.house

    @property
    def book(self) -> str:
        """The rule book."""
        return self.table.book

    @property
    def method(self) -> str:
        """The dealing method."""
        return self.table.method

    @property
    def stream(self) -> str:
        """The table's day, as findings name it."""
        return f"{self.setup.table}/{self.setup.gaming_day}"

    @property
    def round(self) -> int:
        """The round concerned: the first of the stretch."""
        if not self.rounds:
            raise StretchUnfitError("no round was dealt")
        return self.rounds[0]

    def all(self, kind: type[Kind], **fields: Any) -> list[Kind]:
        """Return the facts of one type with these fields; a value may be a predicate."""
        return [fact for fact in self.facts if type(fact) is kind and fits(fact, fields)]

    def first(self, kind: type[Kind], **fields: Any) -> Kind:
        """Return the first of them."""
        return self.nth(0, kind, **fields)

    def last(self, kind: type[Kind], **fields: Any) -> Kind:
        """Return the last of them."""
        return self.nth(-1, kind, **fields)

    def nth(self, at: int, kind: type[Kind], **fields: Any) -> Kind:
        """Return one of them, counted from 0 or from the end."""
        found = self.all(kind, **fields)
        if not -len(found) <= at < len(found):
            raise StretchUnfitError(f"no {kind.__name__} {fields} number {at}")
        return found[at]

    def any_of(self, kind: type[Kind], **fields: Any) -> Kind:
        """Return a random one of them."""
        return self.choose(self.all(kind, **fields))

    def choose(self, found: Sequence[Chosen]) -> Chosen:
        """Return a random one of these; raise if there is none, because the stretch does not qualify."""
        if not found:
            raise StretchUnfitError("nothing here is like that")
        return self.chance.choice(found)

    def has(self, kind: type[Fact], **fields: Any) -> bool:
        """Return whether there is one."""
        return bool(self.all(kind, **fields))

    def wants(self, condition: object) -> None:
        """Raise unless this condition for the stretch is true."""
        if not condition:
            raise StretchUnfitError("what it needs is not here")

    def place(self, fact: Fact) -> int:
        """Return a fact's place in the stretch."""
        return self.facts.index(fact)

    def seats(self) -> list[int]:
        """Return the seats with a wager, from the dealer's left."""
        return sorted({fact.seat for fact in self.all(WagerPlaced)})

    def wagers(self, **fields: Any) -> list[UntouchedWager]:
        """Return every wager with its course, in the order placed; envy, which is never placed, comes last."""
        placed: dict[tuple[int, str], WagerPlaced] = {}
        for each in self.all(WagerPlaced):
            placed[each.seat, each.wager] = each
        moves: dict[tuple[int, str], list[Fact]] = {key: [] for key in placed}
        for fact in self.facts:
            if isinstance(fact, WagerCollected | WagerPaid | WagerReturned):
                moves.setdefault((fact.seat, fact.wager), []).append(fact)
        found = [_wager(seat, wager, placed.get((seat, wager)), held) for (seat, wager), held in moves.items()]
        return [each for each in found if fits(each, fields)]

    def ruled(self, held: UntouchedWager) -> bool:
        """Return whether a supervisor ruled on this wager."""
        return self.has(RulingGiven, seat=held.seat, wager=held.wager)

    def woven(
        self,
        *edits: FactsEdit,
        seat: int | None = None,
        wager: str = "",
        expected: int | None = None,
        observed: int | None = None,
        keys: Iterable[str] = (),
        clauses: tuple[str, ...] = (),
        round: int | None = None,  # noqa: A002 - the field's own word
        until: int | None = None,
        besides: Iterable[Beside] = (),
        labels: Iterable[Label] = (),
        anywhere: bool = False,
        touches: Sequence[int] = (),
    ) -> Woven:
        """Return the stretch with these edits and the label of its finding; `labels` are additional ones.

        The finding is in its round, or in a round up to `until`, or anywhere in the day. The label touches the rounds
        of the stretch, unless others are given.
        """
        facts = broken(self.facts, *edits)
        cited = (*self.incident.cites(self.book, self.method, *keys), *clauses)
        own = self.trace(
            self.incident.code,
            seat=seat,
            wager=wager,
            expected=expected,
            observed=observed,
            clauses=cited,
            round=round if round is not None or anywhere else self.round,
            anywhere=anywhere,
        )
        if until is not None:
            own = msgspec.structs.replace(own, last_round=until)
        return Woven(tuple(facts), (self.label(own, besides, touches), *labels))

    def label(self, own: Trace, besides: Iterable[Beside] = (), touches: Sequence[int] = ()) -> Label:
        """Return the label of this incident with this finding of its own."""
        held = [*self.incident.besides, *besides]
        rounds = touches or (self.rounds if self.incident.stretch == "round" else ())
        return Label(
            incident=self.incident.name,
            kind=self.incident.kind,
            own=own,
            besides=tuple(self._beside(each) for each in held),
            first_round=rounds[0] if rounds else None,
            last_round=rounds[-1] if rounds else None,
            says=self.incident.says,
        )

    def trace(
        self,
        code: str,
        *,
        seat: int | None = None,
        wager: str = "",
        expected: int | None = None,
        observed: int | None = None,
        clauses: tuple[str, ...] = (),
        round: int | None = None,  # noqa: A002 - the field's own word
        anywhere: bool = False,
    ) -> Trace:
        """Return the trace of a finding at this table: in one round, or anywhere in its day."""
        return Trace(
            code=code,
            stream=self.stream,
            first_round=None if anywhere else round if round is not None else self.round,
            seat=seat,
            wager=wager,
            clauses=clauses,
            expected_cents=expected,
            observed_cents=observed,
        )

    def _beside(self, beside: Beside) -> Trace:
        """Return the trace of another finding: in the stretch and the quiet rounds behind it, or in the whole day."""
        if isinstance(beside, Trace):
            return beside
        if self.incident.stretch != "round":
            return Trace(code=beside, stream=self.stream)
        last = self.rounds[-1] + self.incident.quiet
        return Trace(code=beside, stream=self.stream, first_round=self.round, last_round=last)


def fits(held: object, fields: Mapping[str, Any]) -> bool:
    """Return whether an object has these fields; a value may be a predicate."""
    for field, wanted in fields.items():
        value = getattr(held, field)
        if not (wanted(value) if callable(wanted) else value == wanted):
            return False
    return True


def this(fact: Fact) -> FactSelector:
    """Return a locator of exactly this fact, for an edit."""
    return where(type(fact), source_key=fact.source_key)


def _wager(seat: int, wager: str, placed: WagerPlaced | None, moves: Sequence[Fact]) -> UntouchedWager:
    return UntouchedWager(
        seat,
        wager,
        (placed.cents or 0) if placed is not None else 0,
        _cents(moves, WagerPaid),
        _cents(moves, WagerReturned),
        _cents(moves, WagerCollected),
        tuple(moves),
        placed.coupon_cents if placed is not None else 0,
    )


def _cents(moves: Sequence[Fact], kind: type[Fact]) -> int:
    return sum(cents_of(move) for move in moves if type(move) is kind)


def cents_of(fact: Fact) -> int:
    """Return the amount in a fact."""
    return getattr(fact, "cents", 0) or 0


def cards_of(fact: Fact) -> tuple[str, ...]:
    """Return the cards in a fact."""
    held: list[str] = []
    for name in ("card", "cards", "kept", "second"):
        told = getattr(fact, name, ())
        held += [told] if isinstance(told, str) else told if isinstance(told, tuple) else []
    return tuple(card for card in held if card in CODE and card != "??")
