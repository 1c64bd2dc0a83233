"""Choose the facts of a stream to show if the question asks for rounds: those rounds and the facts they rest on."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from domain.facts.devices import DeviceFailed, DeviceRestored
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.property_day import KeyRegistered, KeyRevoked, KeyRotated
from domain.facts.seals import ChainSealed
from domain.facts.sources import SourceRegistered, SourceRevoked
from domain.facts.table_day import LimitsPosted, MethodChanged, OptionChanged, PersonCame, PersonWent
from domain.watch.record import FindingRaised, FindingWithdrawn, is_about
from projections.export.day import FoldedStream
from projections.export.told import ACTS

_IN_FORCE: tuple[type[Fact], ...] = (
    *(OptionChanged, MethodChanged, LimitsPosted, PersonCame, PersonWent),
    *(DeviceFailed, DeviceRestored),  # they decide what is unrecorded
)
KEYS: tuple[type[Fact], ...] = (KeyRegistered, KeyRotated, KeyRevoked, SourceRegistered, SourceRevoked)


def rounds_with(day: FoldedStream, player: str) -> set[int]:
    """Return the rounds in which a player had a hand or a wager."""
    return {
        number
        for number, told in day.rounds.items()
        if any(spot.player == player and (spot.cards or spot.wagers) for spot in told.seats.values())
    }


def round_at(day: FoldedStream, sequences: Iterable[int]) -> set[int]:
    """Return the rounds these facts belong to."""
    return {number for sequence in sequences if (number := day.round_of.get(sequence, 0))}


def shown_of(day: FoldedStream, facts: Sequence[Fact], rounds: Collection[int], besides: Collection[int]) -> set[int]:
    """Return the sequences of a table's stream to show for these rounds, plus those in `besides`."""
    own = {fact.sequence for number in rounds if number in day.rounds for fact in day.rounds[number].facts}
    shown = {1, *besides, *own, *_spans(day, facts, rounds)}
    ends = sorted(day.rounds[number].last for number in rounds if number in day.rounds)
    for fact in facts:
        acts = type(fact) in ACTS and day.round_of.get(fact.sequence) in rounds
        if acts or fact.round in rounds or isinstance(fact, _IN_FORCE):
            shown.add(fact.sequence)
        if isinstance(fact, ChainSealed) and ends and fact.covers >= ends[0]:
            shown.add(fact.sequence)
            ends = [last for last in ends if last > fact.covers]
    return shown & {fact.sequence for fact in facts}


def gaps_of(day: FoldedStream, places: Sequence[int], rounds: Collection[int]) -> set[int]:
    """Return the first sequence of each gap within these rounds."""
    found = set[int]()
    for number in rounds:
        told = day.rounds.get(number)
        if told is not None and (completed := told.of(RoundCompleted)):
            within = places[bisect_left(places, told.first) : bisect_right(places, completed[0].sequence)]
            found.update(one + 1 for one, other in pairwise(within) if other > one + 1)
    return found


def _spans(day: FoldedStream, facts: Sequence[Fact], rounds: Collection[int]) -> set[int]:
    """Return all sequences from the opening of each round to its end and the seal over it.

    So a verifier sees that no fact of the round is missing, and which device wrote it.
    """
    seals = [fact.sequence for fact in facts if isinstance(fact, ChainSealed)]
    begins = sorted(told.first for told in day.rounds.values())
    shown = set[int]()
    for number in rounds:
        told = day.rounds.get(number)
        completed = told.of(RoundCompleted) if told is not None else ()
        if told is None or not completed:
            continue
        end = completed[0].sequence
        sealed = next(iter(seals[bisect_right(seals, end) :]), end)
        following = next(iter(begins[bisect_right(begins, end) :]), sealed + 1)
        shown.update(range(told.first, (sealed if sealed < following else end) + 1))
    return shown


def keys_of(facts: Iterable[Fact]) -> set[int]:
    """Return the sequences of the property's facts about keys."""
    return {fact.sequence for fact in facts if isinstance(fact, KEYS)}


def placed_by_us(day: FoldedStream, facts: Iterable[Fact], rounds: Collection[int]) -> list[tuple[int, int]]:
    """Return sequence and round of facts in these rounds that name no round, for readers of a stream in part."""
    held = {fact.sequence: number for number in rounds if number in day.rounds for fact in day.rounds[number].facts}
    return [
        (fact.sequence, number)
        for fact in facts
        if fact.round is None and (number := _round_of(day, fact, held)) in rounds
    ]


def _round_of(day: FoldedStream, fact: Fact, held: Mapping[int, int]) -> int:
    """Return the round of a fact: the round that holds it, or for an act the newest round."""
    return day.round_of.get(fact.sequence, 0) if type(fact) in ACTS else held.get(fact.sequence, 0)


def findings_of(records: Iterable[Fact], rounds: dict[str, set[int]], named: Collection[str]) -> set[int]:
    """Return the sequences of all records of findings about these rounds, by stream of facts, or of these findings.

    A finding whose stretch of rounds grew into a chosen round is shown from its first record on.
    """
    told = [record for record in records if isinstance(record, FindingRaised | FindingWithdrawn)]
    raised = [record for record in told if isinstance(record, FindingRaised)]
    about = {each.finding for each in raised if is_about(each, rounds.get(each.about or each.stream, ()))}
    return {record.sequence for record in told if record.finding in about or record.finding in named}
