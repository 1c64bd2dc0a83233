"""Decisions of people about incidents: findings that belong apart, and findings that belong together.

A decision names findings, never an incident, so regrouping cannot undo it: the findings named here stay as people put
them. A later decision about the same finding replaces an earlier one.
"""

from collections.abc import Iterable, Mapping

import msgspec


class KeptApart(msgspec.Struct, frozen=True, tag="apart"):
    """The findings taken out of an incident, and those that stayed in it."""

    taken: tuple[str, ...]
    left: tuple[str, ...]


class Joined(msgspec.Struct, frozen=True, tag="together"):
    """Findings joined into one incident."""

    findings: tuple[str, ...]


Decision = KeptApart | Joined


def places(decisions: Iterable[Decision]) -> Mapping[str, int]:
    """Return where people put findings: those with one number belong together, those with two apart."""
    found: dict[str, int] = {}
    number = 0
    for decision in decisions:
        sides = (decision.taken, decision.left) if isinstance(decision, KeptApart) else (decision.findings,)
        for side in sides:
            number += 1
            found.update(dict.fromkeys(side, number))
    return found
