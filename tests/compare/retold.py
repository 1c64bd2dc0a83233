"""Findings of the earlier code, put as this code puts them on purpose; every other field must then be equal."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from tests.compare.intended import Record

# A state that lasts over rounds is one finding, which is revised: these codes, and rounds so far apart at most.
_STATES: Final = frozenset(
    {
        *("cover-all-device-mode-wrong", "marker-misplaced", "positions-not-adjacent", "positions-too-many"),
        *("progressive-system-missing", "shuffle-missing", "wager-unseated"),
    }
)
_APART: Final = 2
# That a deck stays at its table is a state now (decision 0104); before, each wrong count told it once, in the round behind it.
_STAYS: Final = frozenset({"bad-deck-in-play", "deck-not-removed"})
_OF_THE_STRETCH: Final = frozenset({"evidence", "known_by"})
_UNSEEN: Final = re.compile(r" has not shown .* in \d+ rounds, from round (\d+) to round (\d+)")

State = tuple[object, ...]


def retold(records: Iterable[Record]) -> list[Record]:
    """Return the records of the earlier code, with four changes made to its findings."""
    held = [_without_foreign_clause(record) for record in records]
    return _states_once(_strangers_once(_judged_by_shuffled_cards(held)))


def _without_foreign_clause(record: Record) -> Record:
    """Take the clause from an option that the book does not have: it was that of some other option."""
    if record.fields.get("code") != "house-option-unknown":
        return record
    return record._replace(fields={**record.fields, "clauses": []})


def first_of_decks(records: Iterable[Record]) -> Iterator[Record]:
    """Keep the first finding that a deck stays at its table, without the facts that show its stretch; for both codes."""
    found = set[State]()
    for record in sorted(records, key=lambda each: each.fields.get("round") or 0):
        fields = record.fields
        which = (record.kind, record.place, fields.get("stream"), fields.get("code"), _bare(fields.get("says")))
        if fields.get("code") not in _STAYS or fields.get("state") == "withdrawn":
            yield record
        elif fields.get("type") != "finding-revised.1" and which not in found:
            found.add(which)
            bare = {name: value for name, value in fields.items() if name not in _OF_THE_STRETCH}
            yield Record(record.kind, record.place, bare)


def _bare(says: object) -> str:
    """Return a sentence without the length of its stretch."""
    return str(says).partition(" It lasted for ")[0]


def _judged_by_shuffled_cards(records: list[Record]) -> Iterator[Record]:
    """Leave out unseen cards of a deck that nobody shuffled in those rounds: their chance is unknown."""
    unshuffled = {
        (record.kind, record.fields["stream"], record.fields["round"])
        for record in records
        if record.fields.get("code") == "shuffle-missing" and record.fields.get("round") is not None
    }
    for record in records:
        code, says = record.fields.get("code"), str(record.fields.get("says"))
        unseen = _UNSEEN.search(says) if code == "deck-composition-wrong" else None
        rounds = range(int(unseen[1]), int(unseen[2]) + 1) if unseen else ()
        if not any((record.kind, record.fields["stream"], number) in unshuffled for number in rounds):
            yield record


def _strangers_once(records: Iterable[Record]) -> Iterator[Record]:
    """Keep the first of the wagers that a person who is not seated places at a seat in a round."""
    found = set[State]()
    for record in sorted(records, key=lambda each: each.fields.get("trigger") or 0):
        fields = record.fields
        who = (record.kind, record.place, *map(fields.get, ("type", "stream", "round", "seat")))
        if fields.get("code") != "wager-unseated" or who not in found:
            yield record
        if fields.get("code") == "wager-unseated":
            found.add(who)


def _states_once(records: Iterable[Record]) -> list[Record]:
    """Make one finding of each stretch of rounds that show one state under one dealer.

    In the log it is revised; the row is its last revision.
    """
    told: list[Record] = []
    first: dict[State, tuple[int, Record]] = {}  # the first finding of a stretch, and its place in `told`
    last: dict[State, int] = {}
    dealers: dict[tuple[State, int], set[object]] = {}  # who dealt in the rounds that show a state
    for record in sorted(records, key=lambda each: each.fields.get("round") or 0):
        state, number = _state(record), record.fields.get("round")
        if state is None or number is None:
            told.append(record)
            continue
        *of_all, dealer = state
        dealers.setdefault((tuple(of_all), number), set()).add(dealer)
        since = last.get(state, -_APART)
        between = (dealers.get((tuple(of_all), each), set()) for each in range(since + 1, number))
        if 0 < number - since <= _APART and all(dealt <= {dealer} for dealt in between):
            last[state] = number
            place, began = first[state]
            evidence = sorted({*began.fields["evidence"], record.fields["trigger"]})
            fields = {**began.fields, "known_by": record.fields["known_by"], "evidence": evidence}
            if record.kind == "row":
                told[place] = Record(record.kind, record.place, fields)
            else:
                told.append(Record(record.kind, record.place, {**fields, "type": "finding-revised.1"}))
        else:
            first[state], last[state] = (len(told), record), number
            told.append(record)
    return told


def _state(record: Record) -> State | None:
    """Return the state that a raised finding, or the row of a standing one, is about."""
    fields = record.fields
    stands = fields.get("type" if record.kind == "finding" else "state") in ("finding-raised.1", "standing")
    if fields.get("code") not in _STATES or not stands:
        return None
    return (record.kind, record.place, *map(fields.get, ("stream", "code", "seat", "wager", "says", "dealer")))
