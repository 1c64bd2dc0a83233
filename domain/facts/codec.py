"""Facts to bytes and back: strict, one decode a fact.

The stored form is one flat JSON object, written with its fields in the order of the type and its defaults left out.
A field nobody knows, a wrong type, a word that is not in the list, an amount with a decimal point: refused, saying
where. A type that has changed keeps its old form for ever and is lifted to today's as it is read.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar, Union

import msgspec

from domain.facts.catalogue import TYPES
from domain.facts.envelope import LATEST, Fact

_ENCODER = msgspec.json.Encoder()
_TOO_LATE = f"Expected `int` <= {LATEST}"
_AFTER_9999 = "It is a time after 9999-12-29, and microseconds since 1970 are expected"

Old = TypeVar("Old", bound=Fact)
Lift = Callable[[Any], Fact]

# Former forms of a type: the struct that reads it, and what it is called now. None has been retired yet.
FORMER: dict[type[Fact], Lift] = {}


class UnreadableFactError(ValueError):
    """Bytes that are no fact: what is wrong with them, and where."""


class Codec:
    """Reads and writes types of facts, or of other records; `former` are those still read and no longer written."""

    def __init__(self, kinds: Iterable[type[Fact]], former: Mapping[type[Fact], Lift] | None = None) -> None:
        self.former = former or {}
        self._kinds = frozenset(kinds)
        self._reader: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_any_of((*self._kinds, *self.former)))

    def decode(self, stored: bytes | str) -> Fact:
        """The fact these bytes hold, in today's form."""
        try:
            fact: Fact = self._reader.decode(stored)
        except msgspec.ValidationError as error:
            raise UnreadableFactError(_plainly(error)) from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise UnreadableFactError(f"it is not JSON: {error}") from error
        except RecursionError as error:
            raise UnreadableFactError("it is nested too deeply") from error
        if self.former and (lift := self.former.get(type(fact))) is not None:
            return lift(fact)
        return fact

    def as_written(self, stored: bytes) -> Fact:
        """The fact these bytes hold, where they are the very bytes such a fact is written as.

        Two readers may take other bytes for two facts: a field said twice, an escaped name, another order. So a proof
        rests on these alone. `decode` takes the others too, for sources write them; what is stored never is one.
        """
        fact = self.decode(stored)
        try:
            written = _ENCODER.encode(fact if not self.former else self._reader.decode(stored))
        except RecursionError as error:
            raise UnreadableFactError("it is nested too deeply") from error
        if written != stored:
            raise UnreadableFactError("the bytes say the same otherwise than they are written")
        return fact

    def readable(self, stored: Iterable[bytes]) -> Iterator[tuple[Fact, bytes]]:
        """The facts among these bytes; what is none was reported when it passed."""
        for each in stored:
            try:
                fact = self.decode(each)
            except UnreadableFactError:
                continue
            yield fact, each

    def encode(self, fact: Fact) -> bytes:
        """The stored form of a fact."""
        if type(fact) not in self._kinds:
            raise TypeError(f"{type(fact).__name__} is not written any more: it has a newer form")
        return _ENCODER.encode(fact)


def _any_of(kinds: tuple[type[Fact], ...]) -> Any:
    return Union[kinds]  # noqa: UP007 - made from the types it is given


def _plainly(error: msgspec.ValidationError) -> str:
    """msgspec's sentence, with the field named once and the top of the object left out."""
    says = str(error).replace(" - at `$.type`", "").replace(" - at `$`", "").replace(_TOO_LATE, _AFTER_9999)
    return says.replace("Invalid value", "There is no fact of type") if says.startswith("Invalid value") else says


_TODAY = Codec(TYPES.values(), FORMER)
decode = _TODAY.decode
encode = _TODAY.encode
readable = _TODAY.readable
as_written = _TODAY.as_written


def name_of(fact: Fact) -> str:
    """The name a fact's type is stored under: `wager-placed.1`."""
    tag = type(fact).__struct_config__.tag
    return str(tag)
