"""Edits that break a lawful list of facts: small, composable, each giving a new list.

`broken(facts, drop("card-burned"), change("wager-paid", nth=1, to={"cents": 900}))`. A fact is named by its kind, the
type or `card-burned`, and by any of its fields; a value may be a predicate. An edit that finds nothing raises an error,
because a case that breaks nothing proves nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from domain.facts.catalogue import TYPES
from domain.facts.codec import name_of
from domain.facts.envelope import Fact
from domain.simulation.post import of_a_round, post_of

Facts = list[Fact]
Edit = Callable[[Sequence[Fact]], Facts]
Kind = type[Fact] | str

EVERY = 0


class NothingToEditError(ValueError):
    """Raised for an edit that matches no fact; the message says what it looked for."""


class FactSelector(msgspec.Struct, frozen=True):
    """A locator of facts: kind, fields, and which match (from 1, from the end below 0, 0 for all)."""

    kind: Kind
    nth: int
    fields: Mapping[str, Any]

    def all_in(self, facts: Sequence[Fact]) -> list[int]:
        """Return the places of the matching facts; at least one."""
        name = _name(self.kind)
        found = [place for place, fact in enumerate(facts) if name_of(fact) == name and self._fits(fact)]
        if self.nth:
            place = self.nth - 1 if self.nth > 0 else self.nth
            found = found[place:][:1] if place >= -len(found) else []
        if not found:
            raise NothingToEditError(f"there is no {name} {dict(self.fields)} number {self.nth or 'any'}")
        return found

    def one_in(self, facts: Sequence[Fact]) -> int:
        """Return the place of the one matching fact, the first if there are several."""
        return self.all_in(facts)[0]

    def _fits(self, fact: Fact) -> bool:
        for field, wanted in self.fields.items():
            held = getattr(fact, field)
            if not (wanted(held) if callable(wanted) else held == wanted):
                return False
        return True


def where(kind: Kind, nth: int = 1, **fields: Any) -> FactSelector:
    """Return a locator of a fact: the first match, unless `nth` names another."""
    return FactSelector(kind, nth, fields)


class PlannedFact(msgspec.Struct, frozen=True):
    """A new fact: its kind and fields; time, source and key come from the place of insertion."""

    kind: Kind
    values: tuple[Any, ...]
    fields: Mapping[str, Any]


def said(kind: Kind, *values: Any, **fields: Any) -> PlannedFact:
    """Return a new fact for `insert`, by its kind and fields."""
    return PlannedFact(kind, values, fields)


def broken(facts: Sequence[Fact], *edits: Edit) -> Facts:
    """Return the facts after these edits, in order."""
    for edit in edits:
        facts = edit(facts)
    return list(facts)


def drop(kind: Kind, nth: int = EVERY, **fields: Any) -> Edit:
    """Return the edit that removes every matching fact, or the `nth`."""
    which = FactSelector(kind, nth, fields)

    def edit(facts: Sequence[Fact]) -> Facts:
        gone = set(which.all_in(facts))
        return [fact for place, fact in enumerate(facts) if place not in gone]

    return edit


def change(kind: Kind, nth: int = EVERY, *, to: Mapping[str, Any], **fields: Any) -> Edit:
    """Return the edit that changes fields of every matching fact, or the `nth`; a value may map the old one."""
    which = FactSelector(kind, nth, fields)

    def edit(facts: Sequence[Fact]) -> Facts:
        edited = list(facts)
        for place in which.all_in(facts):
            new = {
                name: value(getattr(edited[place], name)) if callable(value) else value for name, value in to.items()
            }
            edited[place] = _checked(msgspec.structs.replace(edited[place], **new))
        return edited

    return edit


def insert_before(place: FactSelector, *new: PlannedFact) -> Edit:
    """Return the edit that puts new facts before another."""
    return lambda facts: _inserted(facts, place.one_in(facts), place.one_in(facts), new)


def insert_after(place: FactSelector, *new: PlannedFact) -> Edit:
    """Return the edit that puts new facts after another."""
    return lambda facts: _inserted(facts, place.one_in(facts) + 1, place.one_in(facts), new)


def move_before(what: FactSelector, place: FactSelector) -> Edit:
    """Return the edit that moves the facts in `what`, in their order, before another."""
    return _move(what, place, 0)


def move_after(what: FactSelector, place: FactSelector) -> Edit:
    """Return the edit that moves the facts in `what`, in their order, after another."""
    return _move(what, place, 1)


def repeat(what: FactSelector, after: FactSelector | None = None) -> Edit:
    """Return the edit that repeats a fact with a key of its own, right after itself or after another."""

    def edit(facts: Sequence[Fact]) -> Facts:
        again = facts[what.one_in(facts)]
        place = (after or what).one_in(facts) + 1
        return _put(facts, place, [_keyed(again, facts)])

    return edit


def swap(one: FactSelector, other: FactSelector) -> Edit:
    """Return the edit that exchanges two facts and their times."""

    def edit(facts: Sequence[Fact]) -> Facts:
        first, second = one.one_in(facts), other.one_in(facts)
        edited = list(facts)
        edited[first] = msgspec.structs.replace(facts[second], at=facts[first].at)
        edited[second] = msgspec.structs.replace(facts[first], at=facts[second].at)
        return edited

    return edit


def delay(place: FactSelector, microseconds: int) -> Edit:
    """Return the edit that delays this fact and all later ones by this much."""

    def edit(facts: Sequence[Fact]) -> Facts:
        start = place.one_in(facts)
        later = [msgspec.structs.replace(fact, at=fact.at + microseconds) for fact in facts[start:]]
        return [*facts[:start], *later]

    return edit


def until(place: FactSelector) -> Edit:
    """Return the edit that ends the day before this fact."""
    return lambda facts: list(facts[: place.one_in(facts)])


def _name(kind: Kind) -> str:
    if not isinstance(kind, str):
        return str(kind.__struct_config__.tag)
    name = kind if kind in TYPES else f"{kind}.1"
    if name not in TYPES:
        raise NothingToEditError(f"there is no kind of fact called {kind!r}")
    return name


def _checked(fact: Fact) -> Fact:
    """Return the fact if its fields have their types: an edited fact must still be recordable."""
    return msgspec.convert(msgspec.to_builtins(fact), type(fact))


def _keyed(fact: Fact, facts: Sequence[Fact]) -> Fact:
    taken = {each.source_key for each in facts}
    number = 1
    while (key := f"{fact.source_key}+{number}") in taken:
        number += 1
    return msgspec.structs.replace(fact, source_key=key)


def _move(what: FactSelector, place: FactSelector, behind: int) -> Edit:
    def edit(facts: Sequence[Fact]) -> Facts:
        places = what.all_in(facts)
        target = place.one_in(facts)
        if target in places:
            raise NothingToEditError("a fact cannot be moved before or after itself")
        taken = [facts[at] for at in places]
        rest = [fact for at, fact in enumerate(facts) if at not in set(places)]
        return _put(rest, target - sum(at < target for at in places) + behind, taken)

    return edit


def _inserted(facts: Sequence[Fact], at: int, beside: int, new: Sequence[PlannedFact]) -> Facts:
    neighbour = facts[beside]
    made: Facts = []
    for each in new:
        kind = TYPES[_name(each.kind)]
        source = f"{neighbour.stream.partition('/')[0]}-{post_of(kind)}"
        envelope = {
            "at": neighbour.at,
            "source": source,
            "source_key": f"{source}:said",
            "stream": neighbour.stream,
            "round": neighbour.round if of_a_round(kind) else None,
        }
        made.append(_keyed(_checked(kind(*each.values, **{**envelope, **each.fields})), [*facts, *made]))
    return _put(facts, at, made)


def _put(facts: Sequence[Fact], at: int, new: Sequence[Fact]) -> Facts:
    """Return the facts with new ones inserted, their times spread between those of the neighbors."""
    before = facts[at - 1].at if at else facts[0].at if facts else new[0].at
    after = facts[at].at if at < len(facts) else before + len(new) + 1
    step = (after - before) // (len(new) + 1)
    timed = [msgspec.structs.replace(fact, at=before + step * (n + 1)) for n, fact in enumerate(new)]
    return [*facts[:at], *timed, *facts[at:]]
