"""Refused inputs, counted so that one fact reports many: a flood of refusals does not fill the record.

The first refusal of a kind is recorded at once, and then one fact a minute with the count while more arrive. Kinds
beyond a fixed number in a minute are counted together. The counts are durable (`unsaid.py`), but the times of the last
facts are not, so a restarted gateway reports waiting counts at once.
"""

import msgspec

from consumers.gateway.unsaid import RefusalCount, RefusalKind, Unsaid
from domain.facts.sources import InputRefused

EVERY = 60_000_000  # microseconds between two facts about the same kind
MOST = 16  # separate kinds in that time
_LONGEST = 64


class Refusals:
    """The kinds of refusals of the last minute, and the time of each kind's last fact."""

    def __init__(self, unsaid: Unsaid) -> None:
        self._unsaid = unsaid
        self._told_at: dict[RefusalKind, int | None] = {counted.kind: None for counted in unsaid.refused()}

    def folded(self, kind: RefusalKind) -> RefusalKind:
        """The kind that one more refusal counts toward."""
        kind = msgspec.structs.replace(kind, claimed=_short(kind.claimed), about=_short(kind.about))
        if kind not in self._told_at and len(self._told_at) >= MOST:
            kind = RefusalKind(kind.rule, "many")
        self._told_at.setdefault(kind, None)
        return kind

    def due(self, now: int, *, all_of_it: bool = False) -> list[tuple[InputRefused, str]]:
        """The facts to record now, without their places, each with its token; with `all_of_it`, every count so far."""
        quiet = {kind for kind, at in self._told_at.items() if all_of_it or at is None or not 0 <= now - at < EVERY}
        due = [counted for counted in self._unsaid.refused() if counted.kind in quiet] if quiet else []
        for kind in quiet:
            del self._told_at[kind]
        self._told_at.update({counted.kind: now for counted in due})
        return [(_fact(counted, now), counted.token) for counted in due]


def _fact(counted: RefusalCount, now: int) -> InputRefused:
    kind = counted.kind
    return InputRefused(
        *(kind.rule, kind.client, kind.claimed, kind.about, counted.count, counted.letter),
        at=now,
        source="",
        source_key="",
    )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
