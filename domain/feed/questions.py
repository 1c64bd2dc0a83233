"""Questions that each finished round answers about its feed.

An answer is None if the round cannot tell, an empty string if it looks right, and otherwise a few words on what looks
wrong. No answer is a judgment of people: one wrong round is a finding, and only many of them say something of the feed.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from domain.cards import UNKNOWN
from domain.facts.deal import CardDealt, StackDelivered, StackDispensed
from domain.facts.decisions import HandAnnounced
from domain.facts.envelope import MOST_CENTS, Fact
from domain.facts.payments import WagerCollected, WagerReturned
from domain.facts.table_day import WagerLimits
from domain.facts.wagers import MeterIncremented, WagerPlaced
from domain.facts.words import Meter
from domain.hands.heard import heard
from domain.table.day import TableDay
from domain.table.round import RoundInPlay

Answer = str | None
HUNDRED = 100
_QUARTER = 15 * 60_000_000  # microseconds; every zone is a multiple of it from every other
_NEAR = 5 * 60_000_000  # the facts of one round lie this close together, whatever their sources
_FEWEST_CARDS = 5  # read cards that can tell whether cards are all alike
_FAR = 50  # a meter falls at a reset and rises by shares of wagers, but never to fifty times or a fiftieth
READER = "table-reader"


class _Bounded(NamedTuple):
    """A wager with its minimum and maximum; without a maximum, nothing is too large."""

    cents: int
    least: int
    most: int | None

    @property
    def fits_multiplied(self) -> bool:
        return self.cents < self.least <= self.cents * HUNDRED <= (self.most or MOST_CENTS)

    @property
    def fits_divided(self) -> bool:
        most = self.most or 0
        return most < self.cents <= most * HUNDRED and self.least * HUNDRED <= self.cents

    @property
    def says(self) -> str:
        bounds = f"the minimum {self.least}" if self.most is None else f"limits from {self.least} to {self.most}"
        return f"a wager of {self.cents} cents with {bounds}"


def wagers_too_small(day: TableDay, told: RoundInPlay) -> Answer:
    """Whether wagers fit their limits only when they are multiplied by 100."""
    bounds = list(_bounded(day, told))
    return _most([each for each in bounds if each.fits_multiplied], len(bounds))


def wagers_too_large(day: TableDay, told: RoundInPlay) -> Answer:
    """Whether wagers fit their limits only when they are divided by 100."""
    bounds = [each for each in _bounded(day, told) if each.most is not None]
    return _most([each for each in bounds if each.fits_divided], len(bounds))


def _bounded(day: TableDay, told: RoundInPlay) -> Iterator[_Bounded]:
    """Yield each wager that has a posted minimum, or one among the options that the house chose."""
    for fact in told.of(WagerPlaced):
        least, most = _limits(day, told.limits, fact.wager)
        if least and fact.cents:
            yield _Bounded(fact.cents, least, most)


def _limits(day: TableDay, posted: Mapping[str, WagerLimits], wager: str) -> tuple[int | None, int | None]:
    """Return a wager's minimum and maximum: as posted, or else as the house's own options say."""
    limits = posted.get(wager, WagerLimits())
    least, most = limits.least_cents, limits.most_cents
    return least or _option(day, f"{wager}_min"), most or _option(day, f"{wager}_max")


def _option(day: TableDay, name: str) -> int | None:
    """Return an amount that the house chose; a default says nothing of this table."""
    given = day.options.get(name)
    return given if isinstance(given, int) and not isinstance(given, bool) and given > 0 else None


def _most(some: list[_Bounded], of_all: int) -> Answer:
    if not of_all:
        return None
    return some[0].says if 2 * len(some) > of_all else ""


def payouts_too_small(_: TableDay, told: RoundInPlay) -> Answer:
    """Whether what is collected or returned is a hundredth of the wager."""
    return _moved(told, 1, HUNDRED)


def payouts_too_large(_: TableDay, told: RoundInPlay) -> Answer:
    """Whether what is collected or returned is a hundred times the wager."""
    return _moved(told, HUNDRED, 1)


def _moved(told: RoundInPlay, top: int, bottom: int) -> Answer:
    off, all_of_them = [], 0
    for spot in told.wagering:
        for wagered in spot.wagers.values():
            if wagered.staked:
                for move in wagered.moves:
                    if isinstance(move, WagerCollected | WagerReturned) and move.cents:
                        all_of_them += 1
                        if move.cents * bottom == wagered.staked * top:
                            off.append(f"{move.cents} cents moved on a wager of {wagered.staked} cents")
    if not all_of_them:
        return None
    return off[0] if 2 * len(off) > all_of_them else ""


def meters_off(day: TableDay, told: RoundInPlay) -> Answer:
    """Whether a progressive meter is far from what the opening says."""
    risen = [fact for fact in told.of(MeterIncremented) if fact.cents]
    if not risen:
        return None
    start: dict[str, int] = {str(name): cents for name, cents in _opened_meters(day).items()}
    for fact in risen:
        opened = start.get(fact.meter, 0)
        if opened and fact.cents and not opened <= fact.cents * _FAR <= opened * _FAR * _FAR:
            return f"the meter {fact.meter} at {fact.cents} cents, and {opened} cents in the opening"
    return "" if any(fact.meter in start for fact in risen) else None


def _opened_meters(day: TableDay) -> Mapping[Meter, int]:
    return day.opened.meters_cents if day.opened is not None else {}


def cards_unseen(day: TableDay, told: RoundInPlay) -> Answer:
    """Whether no card was read at a table whose opening says that a reader is in service."""
    has_reader = day.opened is not None and any(device.kind == READER for device in day.opened.devices)
    if not has_reader or READER in day.blind.values() or not (cards := _cards(told)):
        return None
    return "" if any(card != UNKNOWN for card in cards) else f"{len(cards)} cards, and none was read"


def cards_alike(_: TableDay, told: RoundInPlay) -> Answer:
    """Whether all cards read in the round have one suit or one rank."""
    read = [card for card in _cards(told) if card != UNKNOWN]
    if len(read) < _FEWEST_CARDS:
        return None
    if len({card & 3 for card in read}) == 1:
        return f"{len(read)} cards of one suit"
    return f"{len(read)} cards of one rank" if len({card >> 2 for card in read}) == 1 else ""


def _cards(told: RoundInPlay) -> list[int]:
    spots = (told.dealer, told.community, told.box, *told.seats.values())
    return [card for spot in spots for card in spot.cards]


def seats_reversed(_: TableDay, told: RoundInPlay) -> Answer:
    """Whether the cards were dealt from the dealer's right; every game deals from the left."""
    order = _dealt_order(told)
    if len(order) < (3 if told.game.fast_action else 2):  # only a circle of three or more has a direction
        return None
    start = order.index(min(order)) if told.game.fast_action else 0  # its marker says where the deal begins
    turned = order[start:] + order[:start]
    rest = turned[1:] if told.game.fast_action else turned
    return f"dealt to seats {', '.join(map(str, order))}" if rest == sorted(rest, reverse=True) else ""


def _dealt_order(told: RoundInPlay) -> list[int]:
    """Return the places in the order of their first cards; the dealer is 0 and counts at Fast Action only."""
    order: list[int] = []
    dealt: Sequence[CardDealt | StackDelivered] = told.of(CardDealt) or told.of(StackDelivered)
    for fact in dealt:
        place = fact.seat if fact.to == "seat" else 0 if fact.to == "dealer" and told.game.fast_action else None
        if place is not None:
            if place in order:
                break
            order.append(place)
    return order


def wagers_late(_: TableDay, told: RoundInPlay) -> Answer:
    """Whether the wagers that decide who plays come after the first card."""
    dealt = [facts[0].sequence for kind in (CardDealt, StackDispensed, StackDelivered) if (facts := told.of(kind))]
    wagers = [fact for fact in told.of(WagerPlaced) if fact.wager in told.game.required]
    if not dealt or not wagers:
        return None
    late = [fact for fact in wagers if fact.sequence > min(dealt)]
    return f"{late[0].wager} of seat {late[0].seat} after the first card" if 2 * len(late) > len(wagers) else ""


def clocks_apart(_: TableDay, told: RoundInPlay) -> Answer:
    """Whether one source's times are whole quarters of an hour away from the others' of the same round."""
    at: dict[str, int] = {}
    for facts in told.told.values():
        first: Fact = facts[0]
        at[first.source] = min(first.at, at.get(first.source, first.at))
    if len(at) < 2:
        return None
    earliest = min(at.values())
    if max(at.values()) - earliest < _QUARTER - _NEAR:
        return ""
    return _apart({source: _quarters(when - earliest) for source, when in at.items()}, told)


def _quarters(span: int) -> int | None:
    """Return a span in quarters of an hour, or None if it is not near a whole number of them."""
    many = (span + _QUARTER // 2) // _QUARTER
    return many if abs(span - many * _QUARTER) <= _NEAR else None


def _apart(off: dict[str, int | None], told: RoundInPlay) -> Answer:
    """Return the source that differs from most; with two sources, the one with fewer facts."""
    if None in off.values():
        return ""
    facts: dict[int, int] = {}
    for kind in told.told.values():
        quarters = off[kind[0].source] or 0
        facts[quarters] = facts.get(quarters, 0) + len(kind)
    usual = max(facts, key=lambda quarters: (facts[quarters], -quarters))
    for source, away in sorted(off.items()):
        if away is not None and away != usual:
            many, word = abs(away - usual) * 15, "ahead of" if away > usual else "behind"
            return f"{source} is {many // 60} h {many % 60:02} min {word} the other sources"
    return ""


def announced(told: RoundInPlay) -> tuple[str, ...]:
    """Return the different announcements of hands in a round."""
    return tuple(dict.fromkeys(fact.hand for fact in told.of(HandAnnounced)))


def named(told: RoundInPlay) -> tuple[list[str], list[str]]:
    """Return the announcements of a round, and those of them that name no hand."""
    said = [fact.hand for fact in told.of(HandAnnounced)]
    return said, [words for words in said if heard(words) is None]
