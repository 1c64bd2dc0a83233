"""What was turned away by a rule, gathered so that one fact tells of many: whoever floods the door fills no record.

The first of a kind goes on record at once, and then one a minute as long as more come, each with its count. Kinds
beyond a fixed number in a minute are counted together.
"""

import msgspec

from domain.facts.sources import InputRefused, Rule

EVERY = 60_000_000  # microseconds between two facts about the same
MOST = 16  # kinds told apart in that time
_LONGEST = 64


class Kind(msgspec.Struct, frozen=True):
    """What refusals have in common that one fact tells of."""

    rule: Rule
    client: str
    claimed: str = ""
    about: str = ""


class _Held(msgspec.Struct):
    count: int = 0
    letter: str = ""
    told_at: int | None = None


class Refusals:
    """The refusals that are not on record yet, and when each kind was last."""

    def __init__(self) -> None:
        self._held: dict[Kind, _Held] = {}

    def add(self, kind: Kind, letter: str) -> None:
        """One more."""
        kind = msgspec.structs.replace(kind, claimed=_short(kind.claimed), about=_short(kind.about))
        if kind not in self._held and len(self._held) >= MOST:
            kind = Kind(kind.rule, "many")
        held = self._held.setdefault(kind, _Held())
        held.letter = held.letter or letter
        held.count += 1

    def due(self, now: int, *, all_of_it: bool = False) -> list[InputRefused]:
        """What is to go on record now, without its place; at the end whatever was not told yet."""
        found = []
        for kind, held in list(self._held.items()):
            quiet = all_of_it or held.told_at is None or not 0 <= now - held.told_at < EVERY
            if held.count and quiet:
                found.append(
                    InputRefused(
                        kind.rule, kind.client, kind.claimed, kind.about, held.count, held.letter,
                        at=now, source="", source_key="",
                    )
                )  # fmt: skip
                self._held[kind] = _Held(told_at=now)
            elif quiet:
                del self._held[kind]
        return found


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
