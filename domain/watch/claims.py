"""The claims of one table's day that another table can contradict: who holds cards, and which version is played.

The vault's record of each deck is in the property's stream, which is one of these days too. A claim holds from one fact
to another. A question is a fact that contradicts certain claims of another table. Both use the table's own time, so a
clock that is set back changes no order.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from domain.facts.deal import CardDealt, RoundOpened, StackDelivered
from domain.facts.decks import DeckReceived, DeckRemoved
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.players import PlayerLeft
from domain.facts.property_day import DeckIssued, DeckReturned, OptionsApproved, PropertyClosed, PropertyOpened
from domain.facts.streams import PROPERTY, owner
from domain.facts.table_day import OptionChanged, TableClosed, TableOpened
from domain.facts.wagers import WagerPlaced
from domain.games import GAMES
from domain.rulebooks import Option
from domain.table.day import edition_of

Key = tuple[int, str, int]  # a table's time, stream and sequence, the only order between tables

START: Key = (0, "", 0)
VERSION = "version of COL"
DECK = "deck "
OPTIONS = "options of "  # of a rule book: those approved, and those a table opens with
PLAYER = "player "
_ENDS_A_STAY = frozenset({"player-left", "round-completed"})


class Claim(msgspec.Struct, gc=False, array_like=True):
    """A state that holds at a table, from one fact to another."""

    begins: Key
    value: str
    shown_by: int  # the sequence of the fact that shows it
    ends: Key | None = None


class OpenClaim(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A fact that contradicts a different value claimed by another table, with all that a finding needs of it."""

    key: Key  # the time of the question: a deck's question comes when a round was played with it
    value: str
    sequence: int
    at: int
    round: int | None
    seat: int = 0
    wager: str = ""
    deck: str = ""

    @property
    def stream(self) -> str:
        """The stream of the fact."""
        return self.key[1]


class OpenedOptions(msgspec.Struct, frozen=True):
    """The options a table opened with, and what is needed to read them."""

    book: str
    book_digest: str
    gaming_day: str
    dealing_method: str
    options: dict[str, Any]


Approved = dict[str, str]  # options as JSON, by submission; a later approval of a submission replaces the earlier one


class DayClaims(msgspec.Struct):
    """One table's day, as far as other tables can contradict it."""

    stream: str
    clock: int = 0  # the table's time at its last fact
    sequence: int = 0  # the sequence of that fact
    book: str = ""
    choice: Option | None = None  # the option for versions of Colorado's game, if its edition has one
    unsure: bool = False  # the end of a stay is unrecorded, so no stay is claimed
    closed: bool = False
    claims: dict[str, list[Claim]] = {}  # by subject, in order
    questions: dict[str, list[OpenClaim]] = {}
    wagered: dict[int, str] = {}  # by seat, the player with a wager in the current round
    served: set[int] = set()  # seats whose further cards add no claim
    arrived: dict[str, DeckReceived] = {}  # decks without a completed round
    held: dict[str, Claim] = {}  # claims that have not ended
    approved: dict[str, Approved] = {}  # by rule book, what is approved so far

    @property
    def last(self) -> Key:
        """The place of its last fact."""
        return (self.clock, self.stream, self.sequence) if self.sequence else START

    def take(self, fact: Fact, clock: int) -> Sequence[str]:
        """Process the next fact, given its table's time, and return the subjects that may concern other tables."""
        self.clock, self.sequence = clock, fact.sequence
        step = STEPS.get(type(fact))
        if step is None or self.closed or (not self.book and not isinstance(fact, TableOpened | PropertyOpened)):
            return ()
        found = step(self, fact) or ()
        return (found,) if isinstance(found, str) else found

    def cut(self) -> None:
        """End all claims at the day's last fact, because the next day began without a close of this one."""
        for claim in self.held.values():
            claim.ends = self.last
        self.held.clear()
        self.served.clear()

    def claim(self, what: str, value: str, fact: Fact) -> str:
        """Claim a value from this fact on, unless it is already claimed."""
        if what in self.held:
            return ""
        made = self.held[what] = Claim(self.last, value, fact.sequence)
        self.claims.setdefault(what, []).append(made)
        return what

    def ask(self, what: str, value: str, fact: Fact, *, seat: int = 0, wager: str = "", deck: str = "") -> str:
        """Ask about a value that this fact contradicts."""
        asked = OpenClaim(self.last, value, fact.sequence, fact.at, fact.round, seat, wager, deck)
        self.questions.setdefault(what, []).append(asked)
        return what

    def end(self, what: str) -> None:
        """End a claim."""
        claim = self.held.pop(what, None)
        if claim is not None:
            claim.ends = self.last


def contradicting(question: OpenClaim, claims: list[Claim]) -> Claim | None:
    """Return the claim that holds at the time of a question with a different value."""
    before = bisect_left(claims, question.key, key=lambda claim: claim.begins)
    if not before:
        return None
    claim = claims[before - 1]
    over = claim.ends is not None and claim.ends <= question.key
    return None if over or claim.value == question.value else claim


def concern(what: str, one: str, other: str) -> bool:
    """Return whether two tables that speak of a subject have to do with each other by it.

    Tables do not contradict each other's options: only the property's stream says which are approved.
    """
    return not what.startswith(OPTIONS) or PROPERTY in (one, other)


def alike(one: DayClaims, other: DayClaims) -> bool:
    """Whether two versions of a day have the same claims and questions, whatever their amounts."""
    return one.claims == other.claims and _asking(one) == _asking(other) and one.closed == other.closed


def _asking(told: DayClaims) -> list[tuple[Any, ...]]:
    return [
        (what, each.key, each.value, each.round, each.seat, each.wager)
        for what, questions in told.questions.items()
        for each in questions
    ]


def _opened(told: DayClaims, fact: TableOpened) -> list[str]:
    told.book = fact.book
    told.unsure = not _ENDS_A_STAY.isdisjoint(fact.unrecorded)
    opened = OpenedOptions(fact.book, fact.book_digest, fact.gaming_day, fact.dealing_method, fact.options)
    asked = [told.ask(OPTIONS + fact.book, _in_json(opened), fact)]
    if not GAMES[fact.book].colorado:
        return asked
    told.choice = edition_of(fact).options["version"]
    asked.append(_plays(told, fact, _version(told.choice, fact.options)))
    return [what for what in asked if what]


def _in_json(value: Any) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


def _version(option: Option, options: dict[str, Any]) -> str:
    value = options.get("version", option.default)
    return str(value) if value in option.allowed else ""


def _plays(told: DayClaims, fact: Fact, version: str) -> str:
    told.end(VERSION)
    if not version:
        return ""
    told.claim(VERSION, version, fact)
    return told.ask(VERSION, version, fact)


def _option(told: DayClaims, fact: OptionChanged) -> str:
    if told.choice is None or fact.option != "version":
        return ""
    return _plays(told, fact, _version(told.choice, {"version": fact.value}))


def _closed(told: DayClaims, _: TableClosed | PropertyClosed) -> None:
    told.cut()
    told.closed = True


def _left(told: DayClaims, fact: PlayerLeft) -> None:
    told.end(PLAYER + (fact.player or told.wagered.get(fact.seat, "")))
    told.served.clear()


def _round(told: DayClaims, _: RoundOpened | RoundCompleted) -> None:
    told.wagered.clear()
    told.served.clear()
    for what in [what for what in told.held if what.startswith(PLAYER)]:
        told.end(what)


def _completed(told: DayClaims, fact: RoundCompleted) -> list[str]:
    """Ask about each deck once a round was played with it, because until then the vault may still record it."""
    _round(told, fact)
    table = owner(told.stream)
    found = [told.ask(DECK + name, table, arrived, deck=name) for name, arrived in told.arrived.items()]
    told.arrived.clear()
    return found


def _received(told: DayClaims, fact: DeckReceived) -> None:
    told.arrived[fact.deck] = fact


def _removed(told: DayClaims, fact: DeckRemoved) -> None:
    told.arrived.pop(fact.deck, None)


def _property(told: DayClaims, fact: PropertyOpened) -> list[str]:
    """Claim what earlier days approved."""
    told.book = PROPERTY
    return [_in_force(told, book, fact) for book in sorted(told.approved)]


def _approved(told: DayClaims, fact: OptionsApproved) -> str:
    told.approved.setdefault(fact.book, {})[fact.submission] = _in_json(fact.options)
    return _in_force(told, fact.book, fact)


def _in_force(told: DayClaims, book: str, fact: Fact) -> str:
    told.end(OPTIONS + book)
    return told.claim(OPTIONS + book, "\n".join(told.approved[book].values()), fact)


def _issued(told: DayClaims, fact: DeckIssued) -> str:
    told.end(DECK + fact.deck)
    return told.claim(DECK + fact.deck, owner(fact.table), fact)


def _returned(told: DayClaims, fact: DeckReturned) -> None:
    told.end(DECK + fact.deck)


def _placed(told: DayClaims, fact: WagerPlaced) -> str:
    if not fact.player or told.wagered.get(fact.seat) == fact.player:
        return ""
    told.wagered[fact.seat] = fact.player
    told.served.discard(fact.seat)
    return told.ask(PLAYER + fact.player, owner(told.stream), fact, seat=fact.seat, wager=fact.wager)


def _served(told: DayClaims, fact: CardDealt | StackDelivered) -> str:
    seat = fact.seat
    if seat is None or seat in told.served or told.unsure:
        return ""
    player = told.wagered.get(seat)
    if not player:
        return ""
    told.served.add(seat)
    return told.claim(PLAYER + player, owner(told.stream), fact)


STEPS: dict[type[Fact], Callable[[DayClaims, Any], str | list[str] | None]] = {
    TableOpened: _opened,
    OptionChanged: _option,
    TableClosed: _closed,
    PlayerLeft: _left,
    RoundOpened: _round,
    RoundCompleted: _completed,
    DeckReceived: _received,
    DeckRemoved: _removed,
    PropertyOpened: _property,
    PropertyClosed: _closed,
    OptionsApproved: _approved,
    DeckIssued: _issued,
    DeckReturned: _returned,
    WagerPlaced: _placed,
    CardDealt: _served,
    StackDelivered: _served,
}


def approvals(facts: Iterable[Fact]) -> dict[str, Approved]:
    """Return what these facts of the property approve, by rule book and submission."""
    found: dict[str, Approved] = {}
    for fact in facts:
        if isinstance(fact, OptionsApproved):
            found.setdefault(fact.book, {})[fact.submission] = _in_json(fact.options)
    return found


def asked_within(told: DayClaims, what: str, after: tuple[Key, int], before: tuple[Key, int]) -> Iterator[OpenClaim]:
    """Return the questions on one subject between two places, each a key and whether its own fact comes before it."""
    found = told.questions.get(what, ())
    first = bisect_left(found, after, key=lambda question: (question.key, 1))
    for question in found[first:]:
        if (question.key, 1) > before:
            return
        if (question.key, 1) != after:
            yield question
