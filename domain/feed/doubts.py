"""The doubts about a table's feed: each follows from the counts by one small function, with its cure.

A doubt is raised where a lawful table reaches the count at most once in a million times. Each row says how often a
lawful table may show a round like that, far more often than any real one does.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from domain.facts.table_day import TableOpened
from domain.feed.chance import least
from domain.feed.counts import ALIKE, OWED, REMEMBERED_ROUNDS, UNNAMED, FeedCounts, LastTold, RoundTally
from domain.feed.due import AT_ONCE, due
from domain.table.day import TableDay

DOUBTFUL, WRONG = "doubtful", "wrong"
_SUFFIXES = (16, REMEMBERED_ROUNDS)  # the newest rounds looked at: few, to notice early, or many, to notice some
_LEAST_SUSPECT = 3  # rounds that look wrong, of as many
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
    "winnings-100-times-too-small": DoubtKind(
        *(WRONG, _ONE_IN_FOUR, "a hundredth of the winnings is paid"),
        "Send the amount of wager-paid in cents, as in wager-placed: $25 is 2500.",
    ),
    "winnings-100-times-too-large": DoubtKind(
        *(WRONG, _ONE_IN_FOUR, "a hundred times the winnings is paid"),
        "Send the amount of wager-paid in cents, as in wager-placed: $25 is 2500.",
    ),
    "stake-in-winnings": DoubtKind(
        *(WRONG, _ONE_IN_FOUR, "the amount paid is the winnings and the wager together"),
        "Send the winnings alone in wager-paid, and the player's own wager in wager-returned.",
    ),
    UNNAMED: DoubtKind(
        *(WRONG, _ONE_IN_FOUR, "announcements name no hand"),
        "Map each code of a hand to its words in `hand`: high card, pair, two pair, three of a kind, straight, flush, "
        "full house, four of a kind, straight flush or royal flush, with ranks, such as `pair of kings`; or "
        "`qualifies` and `does not qualify`.",
    ),
    ALIKE: DoubtKind(
        *(WRONG, _THREE_IN_FIVE, "every hand is announced like the one before"),
        "Map the words of each announcement to `hand`, such as `pair of kings`, and send no fixed text. If nobody "
        "records announcements, name hand-announced in the opening's `unrecorded`.",
    ),
}
SILENT, NEVER, STOPPED = "device-silent", "fact-never-said", "fact-no-longer-said"
REOPENED = "rounds-opened-again"
ALL_DOUBTS: tuple[str, ...] = (*ROUND_DOUBTS, SILENT, NEVER, STOPPED, REOPENED)
# A doubt that another one explains.
_EXPLAINED = {
    ALIKE: (UNNAMED,),
    **dict.fromkeys(OWED, tuple(code for code in ROUND_DOUBTS if code.startswith(("wagers-100", "payouts-100")))),
}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def doubts(counts: FeedCounts, day: TableDay) -> Iterator[Doubt]:
    """Yield each doubt that the newest rounds of a table raise."""
    found = {code: many for code, kind in ROUND_DOUBTS.items() if (many := _too_many(counts, code, kind)) is not None}
    for code, many in found.items():
        if found.keys().isdisjoint(_EXPLAINED.get(code, ())):
            yield _of_rounds(counts, code, ROUND_DOUBTS[code], many)
    yield from _opened_again(counts)
    if day.opened is not None:
        for question in (_stopped, _never_spoke, _never_said, _no_longer_said):
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


def suspects(counts: FeedCounts) -> Iterator[str]:
    """Yield what looks wrong in every round that could tell, three or more, at a table with few rounds."""
    for code, kind in ROUND_DOUBTS.items():
        tally = counts.tallies[code]
        if code != ALIKE and tally.told == tally.wrong >= _LEAST_SUSPECT:
            yield f"In {tally.wrong} of {tally.told} rounds, {kind.says}: {_example(tally)}. {kind.cure}"


def _of_rounds(counts: FeedCounts, code: str, kind: DoubtKind, many: int) -> Doubt:
    tally = counts.tallies[code]
    says = f"In {tally.among(many)} of {many} rounds, {kind.says}: {_example(tally)}."
    if code == UNNAMED:
        some = ", ".join(map(repr, tally.words))
        says = f"{counts.unnamed} of {counts.announcements} announcements name no hand, such as {some}."
    return Doubt(code, kind.severity, says, kind.cure, tuple(tally.facts))


def _example(tally: RoundTally) -> str:
    return max(tally.words, key=lambda words: tally.words[words])


def _stopped(counts: FeedCounts, day: TableDay, _: TableOpened) -> Iterator[Doubt]:
    """Yield sources of facts that every round has, which spoke in nearly every round and then no more."""
    for source, last in counts.stopped.items():
        if source not in day.blind:
            says = f"{source} spoke in nearly every round until {_since(counts, last)}."
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


def _no_longer_said(counts: FeedCounts, day: TableDay, _: TableOpened) -> Iterator[Doubt]:
    """Yield the types of fact that rounds of this game have, and this feed said until some rounds ago."""
    for name, rounds in due(day).items():
        last = counts.last_told.get(name)
        if last is None or counts.rounds - last.finished < rounds:
            continue
        if last.source not in day.blind and last.source not in counts.stopped:
            says = f"{name} was said until {_since(counts, last)}."
            cure = f"Look at {last.source}, which said it last, and at its adapter. If it failed, send device-failed."
            yield Doubt(STOPPED, DOUBTFUL, says, cure, (counts.first_fact,), name)


def _since(counts: FeedCounts, last: LastTold) -> str:
    moment = (_EPOCH + timedelta(microseconds=last.at)).isoformat(timespec="seconds").replace("+00:00", "Z")
    silent = counts.rounds - last.finished
    return f"round {last.number} at {moment}, and not in the {silent} rounds since"


def _opened_again(counts: FeedCounts) -> Iterator[Doubt]:
    """Yield a doubt if finished rounds were opened again: their facts are mixed with those of other rounds."""
    if counts.reopened:
        more = f", and so in {counts.reopened - 1} more cases" if counts.reopened > 1 else ""
        says = f"Round {counts.reopened_rounds[0]} was opened again after it was completed{more}."
        cure = (
            "Number the rounds of a gaming day upward without a restart. If the table system counts again from 1, such "
            "as for each shoe or dealer, leave `round` out: each round-opened begins the next round."
        )
        yield Doubt(REOPENED, WRONG, says, cure, tuple(counts.reopened_facts))
