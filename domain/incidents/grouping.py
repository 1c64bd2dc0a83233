"""The grouping of findings by their root cause. It follows from the findings alone, so every reader groups them alike.

Findings of one round belong together. Between rounds, links follow from what a detector knows of the cause: the same
deck with the same number of missing cards, a deck that stays after its count was wrong, a shuffle of one deck that is
missing again, gifts to one seat, or one dealer's same mistake again. People's decisions come before every link.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from domain.incidents.decisions import Decision, places
from domain.incidents.item import Item

# Rounds that may lie between two findings of one cause. Measured on labelled floors; see docs/incidents.md.
DECK_ROUNDS = 5  # a stub is counted every five rounds
SHUFFLE_ROUNDS = 1  # two decks alternate
GIFT_ROUNDS, GIFTS = 5, 3  # rounds between gifts, and how many it takes to call them one cause
AGAIN_ROUNDS, AGAIN = 5, 3  # rounds between the same mistakes of one dealer, and how many it takes

_APART = frozenset({"cap-exceeded"})  # it weighs the payouts of a whole hand, whichever of them was wrong
_STUB = "stub-count-mismatch"
_LATE_CHANGE = "wager-changed-after-close"  # it explains why too much was paid: no gift

Link = tuple[Item, Item]


class _Chain(NamedTuple):
    """Findings that may follow from one cause: how many rounds may lie between them, and how many it takes."""

    items: list[Item]
    rounds: int
    least: int


def groups(items: Iterable[Item], decisions: Iterable[Decision] = ()) -> list[list[Item]]:
    """Return the findings by incident, each in their order, and the incidents in the order of their first finding."""
    ordered = sorted(items, key=lambda item: item.order)
    place = places(decisions)
    sets = _Sets(ordered, place)
    for one, other in _links(ordered):
        sets.join(one, other)
    found: dict[str, list[Item]] = {}
    for item in ordered:
        found.setdefault(sets.of(item.finding), []).append(item)
    return list(found.values())


def _links(items: Sequence[Item]) -> Iterator[Link]:
    """Yield the links, the surest ones first."""
    rounds: dict[tuple[str, int], list[Item]] = {}
    for item in items:
        if item.round is not None and item.to_round is None and item.code not in _APART and not _never_seen(item):
            rounds.setdefault((item.stream, item.round), []).append(item)
    for together in rounds.values():
        yield from pairwise(together)
    yield from _counted_wrong(items)
    for chain in _chains(items, rounds).values():
        yield from _along(chain)


def _never_seen(item: Item) -> bool:
    """Whether this is about cards that a deck did not show over many rounds, told in the last of them."""
    return item.code == "deck-composition-wrong" and item.seat is None


def _counted_wrong(items: Sequence[Item]) -> Iterator[Link]:
    """Yield the links between a wrong count and what its evidence shows it led to: the deck stayed."""
    counts = {item.trigger: item for item in items if item.code == _STUB}
    for item in items:
        if item.cause == "deck" and item.code != _STUB:
            yield from ((counts[fact], item) for fact in item.evidence if fact in counts)


def _chains(items: Sequence[Item], rounds: dict[tuple[str, int], list[Item]]) -> dict[tuple[object, ...], _Chain]:
    chains: dict[tuple[object, ...], _Chain] = {}

    def add(item: Item, between: int, least: int, *key: object) -> None:
        chains.setdefault((item.stream, *key), _Chain([], between, least)).items.append(item)

    for item in items:
        match item.cause:
            case "deck":
                if item.code == _STUB or _never_seen(item):
                    add(item, DECK_ROUNDS, 1, "deck", item.deck, (item.short_cards or 1) > 0)
            case "shuffle":
                add(item, SHUFFLE_ROUNDS, 1, "shuffle", item.deck, item.code, item.clauses[:1])
            case "other":
                pass
            case cause:
                wager = item.wager if item.severity == "money" else ""
                least = 1 if item.round is None else AGAIN
                add(item, AGAIN_ROUNDS, least, "again", item.code, item.seat, wager, item.dealer)
                if cause == "gift" and not _changed_late(item, rounds):
                    add(item, GIFT_ROUNDS, GIFTS, "gift", item.seat)
    return chains


def _changed_late(item: Item, rounds: dict[tuple[str, int], list[Item]]) -> bool:
    beside = rounds.get((item.stream, item.round), ()) if item.round is not None else ()
    return any(each.code == _LATE_CHANGE and each.seat == item.seat for each in beside)


def _along(chain: _Chain) -> Iterator[Link]:
    """Yield the links of each run: few rounds lie between two findings, and counts miss the same number of cards."""
    run: list[Item] = []
    last: int | None = None
    short: int | None = None
    for item in chain.items:
        near = item.round is None or last is None or item.round - last - 1 <= chain.rounds
        if run and not (near and (short is None or item.short_cards in (None, short))):
            yield from _run(run, chain.least)
            run, short = [], None
        run.append(item)
        short = item.short_cards if short is None else short
        if item.last_round is not None:
            last = item.last_round if len(run) == 1 or last is None else max(last, item.last_round)
    yield from _run(run, chain.least)


def _run(run: Sequence[Item], least: int) -> Iterator[Link]:
    if len({item.round for item in run}) >= least:
        yield from pairwise(run)


class _Sets:
    """Findings in sets that are joined, each under the finding that it is found by."""

    def __init__(self, items: Sequence[Item], place: Mapping[str, int]) -> None:
        self._over = {item.finding: item.finding for item in items}
        self._place: dict[str, int] = {}
        heads: dict[int, str] = {}
        for item in items:
            number = place.get(item.finding)
            if number is not None:
                self._over[item.finding] = heads.setdefault(number, item.finding)
                self._place[self._over[item.finding]] = number

    def of(self, finding: str) -> str:
        """Return the finding under which this one's set is found."""
        while self._over[finding] != finding:
            self._over[finding] = finding = self._over[self._over[finding]]
        return finding

    def join(self, one: Item, other: Item) -> None:
        """Join two sets, unless people put both in places of their own."""
        head, joins = self.of(one.finding), self.of(other.finding)
        if head == joins or (head in self._place and joins in self._place):
            return
        if joins in self._place:
            head, joins = joins, head
        self._over[joins] = head
