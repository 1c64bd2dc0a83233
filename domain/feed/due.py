"""The types of fact that the rounds of a table must have, by its game, its dealing method and its sensors."""

from collections.abc import Callable
from functools import cache

from domain.games import GAMES, Game
from domain.table.day import TableDay

AT_ONCE = 10  # rounds without a fact that three of four rounds have or more: a chance of one in a million
IN_TIME = 49  # the same for a fact that one of four rounds has or more
_Has = Callable[[Game, str], bool]  # of a game and its dealing method


def _always(_: Game, __: str) -> bool:
    return True


def _dealt_from_stacks(_: Game, method: str) -> bool:
    return method == "automated-shoe"


def _dealt_singly(_: Game, method: str) -> bool:
    return method != "automated-shoe"


def _decided(game: Game, _: str) -> bool:
    return not game.fast_action


def _set(game: Game, _: str) -> bool:
    return game.fast_action


# Types of fact, the games and methods that have them, and after how many rounds without one they are missed.
_DUE: dict[str, tuple[_Has, int]] = {
    "wager-placed.1": (_always, AT_ONCE),
    "bets-closed.1": (_always, AT_ONCE),
    "card-dealt.1": (_dealt_singly, AT_ONCE),
    "stack-delivered.1": (_dealt_from_stacks, AT_ONCE),
    "decision-made.1": (_decided, AT_ONCE),
    "hand-set.1": (_set, AT_ONCE),
    "round-completed.1": (_always, AT_ONCE),
    "hand-revealed.1": (_always, IN_TIME),
    "wager-collected.1": (_always, IN_TIME),
    "wager-paid.1": (_always, IN_TIME),
    "wager-returned.1": (_always, IN_TIME),
}

# The same for types that come only a few times a day: every lawful day of these games and methods has them.
_DAILY: dict[str, _Has] = {
    "hands-collected": _always,
    "player-seated": _always,
    "shoe-loaded": lambda _, method: method.endswith("-shoe"),
    "shuffle-completed": lambda _, method: method != "continuous-shoe",
    "hand-revealed": _decided,
    "deck-removed": _decided,
    "stub-discarded": _decided,
    "discard-rack-emptied": _decided,
    "hand-announced": lambda game, _: not game.fast_action and not game.colorado,
    "three-designated": lambda game, _: game.pik_it,
    "marker-placed": _set,
    "cards-washed": _set,
    "discards-collected": _set,
    "card-burned": lambda game, _: game.always_burns,
    "deck-received": lambda game, _: game.fast_action or game.inspects_all,
}


def expected(day: TableDay, rounds: int) -> frozenset[str]:
    """Return the types of fact, without versions, that a lawful day of so many rounds at this table must have."""
    if day.book not in GAMES:
        return frozenset()
    daily = {name for name, has in _DAILY.items() if has(GAMES[day.book], day.method)} if rounds else set()
    of_rounds = {name.rpartition(".")[0] for name, many in due(day).items() if rounds >= many}
    return frozenset((daily - day.unrecorded) | of_rounds)


def due(day: TableDay) -> dict[str, int]:
    """Return the types of fact that this table's rounds have and it records, each with the rounds to wait for one."""
    return _due(day.book, day.method, day.unrecorded, day.unseen_wagers)


@cache
def _due(book: str, method: str, unrecorded: frozenset[str], unseen_wagers: frozenset[str]) -> dict[str, int]:
    if book not in GAMES:
        return {}
    game = GAMES[book]
    unseen = set(game.required) <= unseen_wagers
    return {
        name: rounds
        for name, (has, rounds) in _DUE.items()
        if has(game, method)
        and name.rpartition(".")[0] not in unrecorded
        and not (unseen and name.startswith("wager-"))
    }
