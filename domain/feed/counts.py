"""Counts of what a table's feed says in the finished rounds of a day: the state from which doubts follow.

They come from the folded day alone, so two folds of the same facts count the same.
"""

from collections.abc import Callable, Mapping

import msgspec

from domain.facts.catalogue import TYPES
from domain.facts.deal import RoundOpened
from domain.facts.envelope import Fact
from domain.feed import questions
from domain.feed.due import AT_ONCE, due
from domain.feed.questions import Answer
from domain.table.day import TableDay
from domain.table.round import RoundInPlay

REMEMBERED_ROUNDS = 64  # the newest rounds that a doubt looks at
_MASK = (1 << REMEMBERED_ROUNDS) - 1
_EXAMPLES = 5
# A source that speaks in nine of ten rounds misses ten once in 10^10.
SILENT_ROUNDS, HEARD_ROUNDS, LEAST_HEARD = 10, 32, 29

ASKED = {
    "wagers-100-times-too-small": questions.wagers_too_small,
    "wagers-100-times-too-large": questions.wagers_too_large,
    "payouts-100-times-too-small": questions.payouts_too_small,
    "payouts-100-times-too-large": questions.payouts_too_large,
    "meters-100-times-off": questions.meters_off,
    "cards-never-seen": questions.cards_unseen,
    "cards-all-alike": questions.cards_alike,
    "seats-from-the-wrong-side": questions.seats_reversed,
    "wagers-after-the-deal": questions.wagers_late,
    "clock-of-another-zone": questions.clocks_apart,
}
ALIKE, UNNAMED = "hands-announced-alike", "announcements-name-no-hand"
Owed = Callable[[RoundInPlay], Mapping[str, Answer]]
# Questions whose answers need the amounts owed: the watch answers them, and each round is counted with its answers.
OWED = ("winnings-100-times-too-small", "winnings-100-times-too-large", "stake-in-winnings")
_NAMES = {kind: name for name, kind in TYPES.items()}


class RoundTally(msgspec.Struct):
    """The answers to one question: which of the newest rounds look wrong, and how many of all."""

    newest: int = 0  # a bit for each round that could tell, the newest lowest; set if it looks wrong
    told: int = 0  # rounds that could tell
    wrong: int = 0
    words: dict[str, int] = {}  # what looked wrong, and how often
    facts: list[str] = []  # the first facts of some rounds that look wrong

    def take(self, answer: Answer, fact: str) -> None:
        """Count the answer of one more round."""
        if answer is None:
            return
        self.told += 1
        self.newest = (self.newest << 1 | bool(answer)) & _MASK
        if answer:
            self.wrong += 1
            if answer in self.words or len(self.words) < _EXAMPLES:
                self.words[answer] = self.words.get(answer, 0) + 1
            if len(self.facts) < _EXAMPLES:
                self.facts.append(fact)

    def among(self, many: int) -> int:
        """Return how many of the newest rounds that could tell look wrong."""
        return (self.newest & ((1 << many) - 1)).bit_count()


class LastTold(msgspec.Struct, frozen=True):
    """The last round in which something was said: how many were finished by then, its number, and when."""

    finished: int
    number: int
    at: int
    source: str


class FeedCounts(msgspec.Struct):
    """A table's day as its feed tells it."""

    rounds: int = 0  # finished rounds
    newest: int = 0  # the number of the last one
    first_fact: str = ""  # of that round
    said: dict[str, int] = {}  # types of fact, and the number of rounds that have one
    spoke: set[str] = set()  # devices of the opening that sent any fact of a round
    # Sources of facts that every round has, heard in the newest rounds: a bit for each round in which one spoke.
    sources: dict[str, int] = {}
    last_heard: dict[str, LastTold] = {}  # of the same sources
    stopped: dict[str, LastTold] = {}  # those that spoke in nearly every round, and then no more
    last_told: dict[str, LastTold] = {}  # by type of fact that rounds must have
    tallies: dict[str, RoundTally] = msgspec.field(
        default_factory=lambda: {code: RoundTally() for code in (*ASKED, UNNAMED, *OWED, ALIKE)}
    )
    announced: str = ""  # the last announcement of a hand
    announcements: int = 0
    unnamed: int = 0  # announcements that name no hand
    reopened: int = 0  # times that a finished round was opened again
    reopened_rounds: list[int] = []  # the first of those rounds
    reopened_facts: list[str] = []

    @property
    def amounts_told(self) -> int:
        """The number of rounds with a wager whose minimum is known."""
        return self.tallies["wagers-100-times-too-small"].told


def initial() -> FeedCounts:
    """Return the counts before the first round."""
    return FeedCounts()


def evolve(state: FeedCounts, day: TableDay, told: RoundInPlay, owed: Owed | None = None) -> bool:
    """Count a finished round, and return whether it was new: a later fact of an old round counts nothing.

    `owed` answers the questions that need the amounts owed; it is asked once a round.
    """
    if told.number <= state.newest:
        return False
    state.rounds += 1
    state.newest, state.first_fact = told.number, f"{told.stream}:{told.first}"
    spoke: set[str] = set()
    expected = due(day)
    devices = {each.device for each in day.opened.devices} if day.opened is not None else set()
    for kind, facts in told.told.items():
        name = _NAMES[kind]
        state.said[name] = state.said.get(name, 0) + 1
        if facts[0].source in devices:
            state.spoke.add(facts[0].source)
        if name in expected:
            state.last_told[name] = _last(state, told, facts[-1])
        if expected.get(name) == AT_ONCE:
            for fact in facts:
                spoke.add(fact.source)
                state.last_heard[fact.source] = _last(state, told, fact)
    _heard(state, spoke)
    for code, ask in ASKED.items():
        state.tallies[code].take(ask(day, told), state.first_fact)
    for code, answer in (owed(told) if owed is not None else {}).items():
        state.tallies[code].take(answer, state.first_fact)
    _announced(state, told)
    return True


def _last(state: FeedCounts, told: RoundInPlay, fact: Fact) -> LastTold:
    return LastTold(state.rounds, told.number, fact.at, fact.source)


def opened_again(state: FeedCounts, fact: RoundOpened, told: RoundInPlay | None) -> bool:
    """Count a second opening of a finished round, and return whether this is one."""
    if told is None or told.number > state.newest or len(told.of(RoundOpened)) < 2:
        return False
    state.reopened += 1
    if len(state.reopened_facts) < _EXAMPLES:
        state.reopened_rounds.append(told.number)
        state.reopened_facts.append(fact.id)
    return True


def _heard(state: FeedCounts, spoke: set[str]) -> None:
    """Note who spoke in one more round and who stopped, and forget the sources that were silent in all newest ones."""
    sources = state.sources
    for source in sources.keys() | spoke:
        sources[source] = (sources.get(source, 0) << 1 | (source in spoke)) & _MASK
        if not sources[source]:
            del sources[source], state.last_heard[source]
    for source in regular(sources, SILENT_ROUNDS, HEARD_ROUNDS, LEAST_HEARD):
        state.stopped[source] = state.last_heard[source]
    for source in spoke & state.stopped.keys():
        del state.stopped[source]


def _announced(state: FeedCounts, told: RoundInPlay) -> None:
    """Count a round's announcements: how many name no hand, and whether all repeat the last one before it."""
    of_all, unnamed = questions.named(told)
    state.announcements += len(of_all)
    state.unnamed += len(unnamed)
    if of_all:
        state.tallies[UNNAMED].take(unnamed[0] if 2 * len(unnamed) > len(of_all) else "", state.first_fact)
    words = questions.announced(told)
    if not words:
        return
    if state.announced:
        alike = f"{words[0]!r}" if words == (state.announced,) else ""
        state.tallies[ALIKE].take(alike, state.first_fact)
    state.announced = words[-1]


def regular(sources: Mapping[str, int], silent: int, heard: int, least: int) -> list[str]:
    """Return the sources heard in at least `least` of `heard` rounds, and in none of the `silent` rounds after them."""
    newest, before = (1 << silent) - 1, (1 << heard) - 1
    return sorted(
        source
        for source, rounds in sources.items()
        if not rounds & newest and (rounds >> silent & before).bit_count() >= least
    )
