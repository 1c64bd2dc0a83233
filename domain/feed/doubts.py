"""The doubts about a table's feed: each follows from the counts by one small function, with its cure.

A doubt is raised where a lawful table reaches the count at most once in a million times. Each row says how often a
lawful table may show a round like that, far more often than any real one does.
"""

from collections.abc import Iterator

import msgspec

from domain.facts.table_day import TableOpened
from domain.feed.chance import least
from domain.feed.counts import ALIKE, REMEMBERED_ROUNDS, FeedCounts, regular
from domain.feed.due import AT_ONCE, due
from domain.table.day import TableDay

DOUBTFUL, WRONG = "doubtful", "wrong"
_SUFFIXES = (16, REMEMBERED_ROUNDS)  # the newest rounds looked at: few, to notice early, or many, to notice some
_SILENT, _HEARD, _LEAST_HEARD = 10, 32, 29  # a source that speaks in nine of ten rounds misses ten once in 10^10
_READS = {"table-reader": "cards", "chip-reader": "wagers"}


class Doubt(msgspec.Struct, frozen=True):
    """A reason to think that a feed is mapped wrongly, and its cure. `facts` are the ids of some facts that show it."""

    code: str
    severity: str
    says: str
    cure: str
    facts: tuple[str, ...] = ()
    about: str = ""  # the source or the type of fact, if a code may have several doubts


class DoubtKind(msgspec.Struct, frozen=True):
    """A kind of doubt about rounds: how often a lawful table shows such a round at most, and how to mend it."""

    severity: str
    lawful: tuple[int, int]  # one round in so many, at most
    says: str
    cure: str


_ONE_IN_FOUR = (1, 4)  # no lawful table does it: room for dealers' errors and for sensors that miss or repeat
# Five cards have no pair in 50.1% of deals, and no category of seven cards is as frequent. Each round's announcements
# include a hand of five or seven cards, so a round repeats the last announcement with a chance below three in five.
_THREE_IN_FIVE = (3, 5)

ROUND_DOUBTS: dict[str, DoubtKind] = {
    "wagers-100-times-too-small": DoubtKind(
        *(WRONG, _ONE_IN_FOUR, "wagers fit the limits only if multiplied by 100"),
        "Send every amount in cents: $25 is 2500. If the wagers are right, the limits in the opening are not in cents.",
    ),
    "wagers-100-times-too-large": DoubtKind(
        *(WRONG, _ONE_IN_FOUR, "wagers fit the limits only if divided by 100"),
        "Amounts are multiplied by 100 twice: $25 is 2500. If the wagers are right, the limits in the opening are not "
        "in cents.",
    ),
    "payouts-100-times-too-small": DoubtKind(
        *(WRONG, _ONE_IN_FOUR, "a hundredth of the wager is collected or returned"),
        "Send the amounts of wager-paid, wager-collected and wager-returned in cents, as in wager-placed.",
    ),
    "payouts-100-times-too-large": DoubtKind(
        *(WRONG, _ONE_IN_FOUR, "a hundred times the wager is collected or returned"),
        "Send the amounts of wager-paid, wager-collected and wager-returned in cents, as in wager-placed.",
    ),
    "meters-100-times-off": DoubtKind(
        *(WRONG, _ONE_IN_FOUR, "a progressive meter is far from its amount in the opening"),
        "Send the meters in cents, in the opening and from the progressive system, under the same names.",
    ),
    "cards-never-seen": DoubtKind(
        *(DOUBTFUL, _ONE_IN_FOUR, "no card is read, although a table-reader is in service"),
        "Map the reader's cards to `card` and `cards`, such as Th or 9c. If the table reads no cards, leave the "
        "table-reader out of the opening's `devices`.",
    ),
    "cards-all-alike": DoubtKind(
        *(WRONG, _ONE_IN_FOUR, "all cards read have the same suit or the same rank"),
        "Check the table of codes for ranks and suits: each must become one of 23456789TJQKA and one of cdhs.",
    ),
    "seats-from-the-wrong-side": DoubtKind(
        *(WRONG, _ONE_IN_FOUR, "the cards are dealt from the highest seat down"),
        "Number the seats from the dealer's left: seat 1 gets the first card and is settled last.",
    ),
    "wagers-after-the-deal": DoubtKind(
        *(WRONG, _ONE_IN_FOUR, "the wagers that decide who plays come after the first card"),
        "Send wager-placed when the wager lies on the layout, before bets-closed and the deal, not with the round's "
        "result.",
    ),
    "clock-of-another-zone": DoubtKind(
        *(WRONG, _ONE_IN_FOUR, "the times of one source are whole quarters of an hour from the others'"),
        "Send `at` in UTC from every source: microseconds since 1970-01-01T00:00:00Z.",
    ),
    ALIKE: DoubtKind(
        *(WRONG, _THREE_IN_FIVE, "every hand is announced like the one before"),
        "Map the words of each announcement to `hand`, such as `pair of kings`, and send no fixed text. If nobody "
        "records announcements, name hand-announced in the opening's `unrecorded`.",
    ),
}
SILENT, NEVER = "device-silent", "fact-never-said"
ALL_DOUBTS: tuple[str, ...] = (*ROUND_DOUBTS, SILENT, NEVER)


def doubts(counts: FeedCounts, day: TableDay) -> Iterator[Doubt]:
    """Yield each doubt that the newest rounds of a table raise."""
    for code, kind in ROUND_DOUBTS.items():
        many = _too_many(counts, code, kind)
        if many is not None:
            yield _of_rounds(counts, code, kind, many)
    if day.opened is not None:
        for question in (_stopped, _never_spoke, _never_said):
            yield from question(counts, day, day.opened)


def _too_many(counts: FeedCounts, code: str, kind: DoubtKind) -> int | None:
    """Return the number of newest rounds in which too many look wrong."""
    tally = counts.tallies[code]
    if not tally.newest & 1:  # the last one looks right
        return None
    for suffix in _SUFFIXES:
        many = min(suffix, tally.told)
        if tally.among(many) >= least(many, *kind.lawful):
            return many
    return None


def _of_rounds(counts: FeedCounts, code: str, kind: DoubtKind, many: int) -> Doubt:
    tally = counts.tallies[code]
    example = max(tally.words, key=lambda words: tally.words[words])
    says = f"In {tally.among(many)} of {many} rounds, {kind.says}: {example}."
    return Doubt(code, kind.severity, says, kind.cure, tuple(tally.facts))


def _stopped(counts: FeedCounts, day: TableDay, _: TableOpened) -> Iterator[Doubt]:
    """Yield sources of facts that every round has, which spoke in nearly every round and then no more."""
    for source in regular(counts.sources, _SILENT, _HEARD, _LEAST_HEARD):
        if source not in day.blind:
            says = f"{source} spoke in nearly every round until {_SILENT} rounds ago, and not since."
            cure = "Look at the device and its adapter. If the device failed, send device-failed."
            yield Doubt(SILENT, DOUBTFUL, says, cure, (counts.first_fact,), source)


def _never_spoke(counts: FeedCounts, day: TableDay, opened: TableOpened) -> Iterator[Doubt]:
    """Yield readers in service that sent nothing, if the table's sources are named like its devices."""
    if counts.rounds < AT_ONCE or not any(device.device in counts.spoke for device in opened.devices):
        return
    for device in opened.devices:
        what = _READS.get(device.kind)
        if what is None or device.device in counts.spoke or device.device in day.blind:
            continue
        if what == "wagers" and set(day.game.required) <= day.unseen_wagers:
            continue
        says = f"{device.device}, in service to read {what}, sent no fact in {counts.rounds} rounds."
        cure = "Look at the device and its adapter. If it is not in service, leave it out of the opening's `devices`."
        yield Doubt(SILENT, DOUBTFUL, says, cure, (counts.first_fact,), device.device)


def _never_said(counts: FeedCounts, day: TableDay, __: TableOpened) -> Iterator[Doubt]:
    """Yield the types of fact that rounds of this game have, and this feed never."""
    for name, rounds in due(day).items():
        if counts.rounds >= rounds and name not in counts.said:
            says = f"{name} was never said in {counts.rounds} rounds of {day.game.title}."
            bare = name.rpartition(".")[0]
            cure = f"Map the table system's word for it to {name}, or name {bare} in the opening's `unrecorded`."
            yield Doubt(NEVER, DOUBTFUL, says, cure, (counts.first_fact,), name)
