"""What was turned away by a rule, gathered so that one fact tells of many: whoever floods the door fills no record.

The first of a kind goes on record at once, and then one a minute as long as more come, each with its count. Kinds
beyond a fixed number in a minute are counted together. The counts are durable (`unsaid.py`); when each kind was on
record last is not, so a gateway that starts again tells of what waits at once.
"""

import msgspec

from consumers.gateway.unsaid import Counted, Kind, Unsaid
from domain.facts.sources import InputRefused

EVERY = 60_000_000  # microseconds between two facts about the same
MOST = 16  # kinds told apart in that time
_LONGEST = 64


class Refusals:
    """The kinds of refusals of the last minute, and when each was on record last."""

    def __init__(self, unsaid: Unsaid) -> None:
        self._unsaid = unsaid
        self._told_at: dict[Kind, int | None] = {counted.kind: None for counted in unsaid.refused()}

    def folded(self, kind: Kind) -> Kind:
        """The kind that one more refusal counts to."""
        kind = msgspec.structs.replace(kind, claimed=_short(kind.claimed), about=_short(kind.about))
        if kind not in self._told_at and len(self._told_at) >= MOST:
            kind = Kind(kind.rule, "many")
        self._told_at.setdefault(kind, None)
        return kind

    def due(self, now: int, *, all_of_it: bool = False) -> list[tuple[InputRefused, str]]:
        """What is to go on record now, without its place, each with its token; at the end whatever was not told yet."""
        quiet = {kind for kind, at in self._told_at.items() if all_of_it or at is None or not 0 <= now - at < EVERY}
        due = [counted for counted in self._unsaid.refused() if counted.kind in quiet] if quiet else []
        for kind in quiet:
            del self._told_at[kind]
        self._told_at.update({counted.kind: now for counted in due})
        return [(_fact(counted, now), counted.token) for counted in due]


def _fact(counted: Counted, now: int) -> InputRefused:
    kind = counted.kind
    return InputRefused(
        *(kind.rule, kind.client, kind.claimed, kind.about, counted.count, counted.letter),
        at=now,
        source="",
        source_key="",
    )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
