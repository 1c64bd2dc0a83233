"""Edits that change how a wager was settled: taken instead of paid, paid instead of taken, left."""

from collections.abc import Callable, Sequence

import msgspec

from domain.facts.envelope import Fact
from domain.facts.payments import WagerCollected, WagerPaid, WagerReturned
from domain.simulation.edits import Edit, Facts, NothingToEditError

MOVES = (WagerCollected, WagerPaid, WagerReturned)


def handled(seat: int, wager: str, make: Callable[[Fact], list[Fact]]) -> Edit:
    """Put other movements in the place of a wager's first, and leave out the rest of its own."""

    def edit(facts: Sequence[Fact]) -> Facts:
        edited: Facts = []
        done = False
        for fact in facts:
            if isinstance(fact, MOVES) and (fact.seat, fact.wager) == (seat, wager):
                if not done:
                    edited += make(fact)
                done = True
            else:
                edited.append(fact)
        if not done:
            raise NothingToEditError(f"seat {seat}'s {wager} never moves")
        return edited

    return edit


def _envelope(fact: Fact, suffix: str = "+") -> dict[str, object]:
    return {
        "at": fact.at,
        "source": fact.source,
        "source_key": f"{fact.source_key}{suffix}",
        "stream": fact.stream,
        "round": fact.round,
    }


def taken(seat: int, wager: str, cents: int, reason: str = "") -> Edit:
    """The stake is collected, whatever it was owed."""

    def make(fact: Fact) -> list[Fact]:
        return [WagerCollected(seat=seat, wager=wager, cents=cents, reason=reason, **_envelope(fact))]

    return handled(seat, wager, make)


def parted(seat: int, wager: str, collected: int, returned: int) -> Edit:
    """So much of the stake is collected, and so much goes back."""

    def make(fact: Fact) -> list[Fact]:
        return [
            WagerCollected(seat=seat, wager=wager, cents=collected, **_envelope(fact)),
            WagerReturned(seat=seat, wager=wager, cents=returned, **_envelope(fact, "++")),
        ]

    return handled(seat, wager, make)


def left(seat: int, wager: str, cents: int) -> Edit:
    """The stake goes back and nothing with it."""
    return handled(seat, wager, lambda fact: [WagerReturned(seat=seat, wager=wager, cents=cents, **_envelope(fact))])


def paid(seat: int, wager: str, cents: int, stake: int) -> Edit:
    """So much is paid, and the stake goes back."""

    def make(fact: Fact) -> list[Fact]:
        return [
            WagerPaid(seat=seat, wager=wager, cents=cents, **_envelope(fact)),
            WagerReturned(seat=seat, wager=wager, cents=stake, **_envelope(fact, "++")),
        ]

    return handled(seat, wager, make)


def after(what: Callable[[Fact], bool], place: Callable[[Fact], bool]) -> Edit:
    """Moves every fact meant, in their order, right behind the last fact of a place."""

    def edit(facts: Sequence[Fact]) -> Facts:
        moved = [fact for fact in facts if what(fact)]
        rest = [fact for fact in facts if not what(fact)]
        places = [at for at, fact in enumerate(rest) if place(fact)]
        if not moved or not places:
            raise NothingToEditError("there is nothing to move, or nowhere to move it to")
        at = places[-1] + 1
        timed = [msgspec.structs.replace(fact, at=rest[at - 1].at) for fact in moved]
        return [*rest[:at], *timed, *rest[at:]]

    return edit


def edits(*each: Edit) -> Edit:
    """One edit after the other."""

    def edit(facts: Sequence[Fact]) -> Facts:
        for one in each:
            facts = one(facts)
        return list(facts)

    return edit
