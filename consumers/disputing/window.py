"""A hand's stretch of its table's day: its facts, the facts around it outside other hands, and their stored bytes."""

from collections.abc import Iterable, Sequence

import msgspec

from consumers.logs.log import Log
from domain.facts.codec import name_of, readable
from domain.facts.envelope import Fact
from domain.facts.payments import RulingGiven
from domain.facts.seals import ChainSealed
from domain.facts.streams import owner
from domain.facts.watching import Corrected
from domain.following import Link, chain_of
from domain.table.fact_text import told as in_words
from domain.table.round import RoundInPlay
from domain.watch.reconstruction import Step


class DisputeWindow(msgspec.Struct, frozen=True):
    """The part of the record with a hand and its surroundings."""

    stored: tuple[bytes, ...]  # opening, stretch between the neighboring hands, seal, corrections
    around: tuple[Step, ...]
    rulings: tuple[Step, ...]
    facts: tuple[Fact, ...]  # of the stretch
    last: int  # of the day's unbroken chain
    head: str
    last_at: int


def window(log: Log, told: RoundInPlay, before: RoundInPlay | None, after: RoundInPlay | None) -> DisputeWindow:
    """The stretch of this hand between its neighbors."""
    chain = chain_of(readable(log.read_stream(told.stream)))
    first = before.facts[-1].sequence + 1 if before is not None and before.facts else 1
    last = after.facts[0].sequence - 1 if after is not None and after.facts else chain[-1].fact.sequence
    within = [link for link in chain if first <= link.fact.sequence <= last]
    own = {fact.sequence for fact in told.facts}
    aside = [link.fact for link in within if link.fact.sequence not in own and not isinstance(link.fact, ChainSealed)]
    kept = {link.own: link for link in [chain[0], *within, *_seal(chain, last), *_corrections(chain, own)]}
    ordered = sorted(kept.values(), key=lambda link: link.fact.sequence)
    later = _later(log, told.stream, own)
    return DisputeWindow(
        stored=(*(link.stored for link in ordered), *later),
        around=tuple(_step(fact) for fact in aside if not isinstance(fact, RulingGiven)),
        rulings=tuple(_step(link.fact) for link in within if isinstance(link.fact, RulingGiven)),
        facts=tuple(link.fact for link in within),
        last=chain[-1].fact.sequence,
        head=chain[-1].own,
        last_at=chain[-1].fact.at,
    )


def _seal(chain: Sequence[Link], last: int) -> list[Link]:
    """The first seal that covers the stretch."""
    return next(([link] for link in chain if link.fact.sequence >= last and isinstance(link.fact, ChainSealed)), [])


def _corrections(chain: Iterable[Link], own: set[int]) -> list[Link]:
    """Corrections of the hand on the same day."""
    return [link for link in chain if _corrects(link.fact, link.fact.stream, own)]


def _later(log: Log, stream: str, own: set[int]) -> list[bytes]:
    """Corrections of the hand on later days of the table."""
    days = (name for name in log.streams(owner(stream)) if name > stream)
    chain = (link for name in days for link in chain_of(readable(log.read_stream(name))))
    return [link.stored for link in chain if _corrects(link.fact, stream, own)]


def _corrects(fact: Fact, stream: str, own: set[int]) -> bool:
    return isinstance(fact, Corrected) and fact.corrects_stream == stream and fact.corrects_sequence in own


def _step(fact: Fact) -> Step:
    return Step(
        fact=fact.id,
        sequence=fact.sequence,
        at=fact.at,
        source=fact.source,
        kind=name_of(fact).rpartition(".")[0],
        says=in_words(fact),
        seat=getattr(fact, "seat", None),
        camera=fact.camera,
        time_code=fact.time_code,
    )
