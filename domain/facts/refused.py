"""The refusal of an input: what came in which field, what is allowed there, and what to write instead.

Every way in gives the same refusal for the same input: the gateway, `catwalk ingest`, dead letters and their topic.
A code is permanent, and says what is wrong; the sentence may get better words.
"""

from collections.abc import Iterable
from types import MappingProxyType

import msgspec

# Every code that a reader of one line gives, in order of precedence: the first that applies is given.
READING = MappingProxyType(
    {
        "line-cut": "The line was cut before its end.",
        "line-too-long": "The line is longer than any fact.",
        "nested-too-deeply": "The line has more brackets within brackets than any fact.",
        "number-too-long": "The line has a number with more digits than any fact.",
        "not-json": "The line is not JSON.",
        "not-an-object": "The line is JSON, but not an object.",
        "event-wrong": "An attribute of a CloudEvent is missing, unknown or has a wrong value.",
        "type-unknown": "No type of fact has this name.",
        "field-unknown": "This type of fact has no field of this name.",
        "field-missing": "A field that this type of fact must have is missing.",
        "time-wrong": "A time is not in whole microseconds since 1970.",
        "money-wrong": "An amount is not in whole cents, or is beyond every limit.",
        "card-unknown": "A card is not written as rank and suit, such as Th.",
        "word-unknown": "A word is not among those this field allows.",
        "value-wrong": "A value has a type or size that its field does not allow.",
    }
)


class Refused(msgspec.Struct, frozen=True, omit_defaults=True):
    """One refused input: `says` is the whole sentence, and the other fields are its parts."""

    code: str
    says: str
    type: str = ""  # of the fact, such as card-dealt.1; empty if the line names none
    field: str = ""  # such as cents, or cards[2]; empty if the line as a whole is refused
    came: str = ""  # the value that came, as JSON, shortened
    allowed: str = ""  # the words, the unit or the bounds
    cure: str = ""  # what to write instead; empty if nothing is near


class RefusedGroup(msgspec.Struct):
    """The refusals with one cause: how many, and the first one as the example."""

    code: str
    type: str
    field: str
    count: int
    first: Refused
    example: str = ""  # where the first one came from, such as devices.jsonl:7


MOST_GROUPS = 100  # in one report; the causes beyond it are counted together
MANY = "other-causes"


class RefusedGroups:
    """Refusals grouped by cause, in the order in which the causes came; bounded, whatever is sent."""

    def __init__(self) -> None:
        self._of: dict[tuple[str, str, str], RefusedGroup] = {}

    def add(self, refused: Refused, example: str = "", count: int = 1) -> None:
        """Count one refusal, or several with the same cause."""
        cause = (refused.code, refused.type, bare_field(refused.field))
        if cause not in self._of and len(self._of) >= MOST_GROUPS:
            cause = (MANY, "", "")
        held = self._of.setdefault(cause, RefusedGroup(*cause, 0, refused, example))
        held.count += count

    def add_all(self, groups: Iterable[RefusedGroup]) -> None:
        """Add groups counted elsewhere."""
        for group in groups:
            self.add(group.first, group.example, group.count)

    def all(self) -> list[RefusedGroup]:
        """Return the groups, the largest first; equal ones in the order in which they came."""
        return sorted(self._of.values(), key=lambda group: -group.count)


def grouped(refusals: Iterable[tuple[Refused, str]]) -> list[RefusedGroup]:
    """Return refusals by cause, each with the place it came from, the largest group first."""
    groups = RefusedGroups()
    for refused, example in refusals:
        groups.add(refused, example)
    return groups.all()


def bare_field(field: str) -> str:
    """Return a field without the places in its lists, so that cards[0] and cards[3] are one cause."""
    return "".join(part.rpartition("]")[2] for part in field.split("["))


def in_words(group: RefusedGroup) -> str:
    """Return one group as a person reads it: the count, the example with its place, and the sentence."""
    where = f" (first: {group.example})" if group.example else ""
    many = "1 line" if group.count == 1 else f"{group.count:,} lines"
    what = f" in {group.field}" if group.field else ""
    what += f" of {group.type}" if group.type else ""
    return f"{many} refused, {group.code}{what}{where}: {group.first.says}"
