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
    came: str = ""  # the value that came, as JSON; a long one is cut and ends with …
    allowed: str = ""  # the words, the unit or the bounds
    cure: str = ""  # what to write instead: a value or name as JSON, or words; empty if nothing is near


class RefusedGroup(msgspec.Struct):
    """The refusals with one cause: how many, and the first one as the example."""

    code: str
    type: str
    field: str
    count: int
    first: Refused
    example: str = ""  # where the first one came from, such as devices.jsonl:7
    because: str = ""  # where the refused opening came from, without which these lines have no day

    @property
    def opens(self) -> bool:
        """Whether these lines would have opened a day."""
        return _opens(self.first)

    @property
    def says(self) -> str:
        """Return the first one's sentence, or which refused opening to mend first."""
        if not self.because:
            return self.first.says
        return (
            f"they follow from {self.because}, the opening of {_bare(self.first.came)}, which is refused: mend it first"
        )


MOST_GROUPS = 100  # in one report; the causes beyond it are counted together
MANY = "other-causes"
_NO_DAY = "day-not-open"
_TIME = "time-unit"
_BY_WORD = frozenset({"type-unknown", "word-unknown"})
_MOST_WORDS = 10  # of one field; the others are counted together
_OPENINGS = frozenset({"table-opened.1", "property-opened.1"})
_Cause = tuple[str, str, str, str]  # the code, the type, the field and the word


class _RefusedOpening(msgspec.Struct):
    """The stream of a refused opening."""

    table: str = "property"


_OPENING = msgspec.json.Decoder(_RefusedOpening)


def _opens(refused: Refused) -> bool:
    return refused.type in _OPENINGS or _bare(refused.cure) in _OPENINGS


def _bare(text: str) -> str:
    """Return a text without the quotes that it has as JSON."""
    return text.strip('"')


def _stream_of(line: bytes) -> str:
    """Return the stream that a refused opening names, or an empty string if it cannot be read."""
    try:
        return _OPENING.decode(line).table if line else ""
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""


class RefusedGroups:
    """Refusals grouped by cause, in the order in which the causes came; bounded, whatever is sent."""

    def __init__(self) -> None:
        self._of: dict[_Cause, RefusedGroup] = {}
        self._words: dict[tuple[str, str, str], int] = {}
        self._openings: dict[str, str] = {}  # by stream, where its newest refused opening came from

    def add(self, refused: Refused, example: str = "", count: int = 1, line: bytes = b"") -> bool:
        """Count one refusal, or several with the same cause, and return whether the cause is new."""
        cause, because = self._cause(refused), ""
        if _opens(refused) and (opened := _stream_of(line)) and len(self._openings) < MOST_GROUPS:
            self._openings[opened] = example
        if refused.code == _NO_DAY:
            because = self._openings.get(_bare(refused.came).partition("/")[0], "")
        is_new = cause not in self._of
        if is_new and len(self._of) >= MOST_GROUPS:
            cause, is_new = (MANY, "", "", ""), False
        if is_new and cause[3]:
            self._words[cause[:3]] = self._words.get(cause[:3], 0) + 1
        held = self._of.setdefault(cause, RefusedGroup(cause[0], cause[1], cause[2], 0, refused, example, because))
        held.count += count
        return is_new

    def _cause(self, refused: Refused) -> _Cause:
        """Return the key of a group: the stream of lines without a day, or the word that is unknown.

        Times in another unit are one cause for every type of fact.
        """
        if refused.code == _NO_DAY:
            return refused.code, "", "stream", refused.came
        if refused.code == _TIME:
            return refused.code, "", refused.field, ""
        known = refused.code, refused.type, bare_field(refused.field)
        if refused.code not in _BY_WORD:
            return *known, ""
        word = *known, refused.came
        return word if word in self._of or self._words.get(known, 0) < _MOST_WORDS else (*known, "")

    def add_all(self, groups: Iterable[RefusedGroup]) -> None:
        """Add groups counted elsewhere."""
        for group in groups:
            self.add(group.first, group.example, group.count)
            if group.because:
                self._of[self._cause(group.first)].because = group.because

    def all(self) -> list[RefusedGroup]:
        """Return the groups: openings first, because lines follow from them, then the largest first."""
        return sorted(self._of.values(), key=lambda group: (not group.opens, -group.count))


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
    return f"{many} refused, {group.code}{what}{where}: {group.says}"
