"""Conversion between facts and stored bytes, strict, with one decode per fact.

The stored form is one flat JSON object. Its fields keep the order of the type, and defaults are left out. An unknown
field, a wrong type, a word outside the list and an amount with a decimal point are refused, with the place of the
error. When a type changes, its old form stays readable and is converted to the current form as it is read.
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

# Former forms of a type: the struct that reads it, and the function that converts it. None has been retired yet.
FORMER: dict[type[Fact], Lift] = {}


class UnreadableFactError(ValueError):
    """Bytes that are not a fact; the message says what is wrong and where, and `field` names the place if known."""

    def __init__(self, says: str, field: str = "") -> None:
        super().__init__(says)
        self.field = field


class Codec:
    """Reader and writer for types of facts or other records; `former` holds types that are read but not written."""

    def __init__(self, kinds: Iterable[type[Fact]], former: Mapping[type[Fact], Lift] | None = None) -> None:
        self.former = former or {}
        self._kinds = frozenset(kinds)
        self._reader: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_any_of((*self._kinds, *self.former)))

    def decode(self, stored: bytes | str) -> Fact:
        """Return the fact these bytes hold, in its current form."""
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
        """Return the fact these bytes hold, provided that encoding it again gives the same bytes.

        Two readers could take other bytes for two different facts: a repeated field, an escaped name, another order. So
        proofs accept only canonical bytes. `decode` accepts the others too, because sources send them; stored bytes are
        always canonical.
        """
        fact = self.decode(stored)
        try:
            written = _ENCODER.encode(fact if not self.former else self._reader.decode(stored))
        except RecursionError as error:
            raise UnreadableFactError("it is nested too deeply") from error
        if written != stored:
            raise UnreadableFactError("the bytes are not in canonical form")
        return fact

    def readable(self, stored: Iterable[bytes]) -> Iterator[tuple[Fact, bytes]]:
        """Yield the facts among these bytes; unreadable ones are skipped, because the watch reports them separately."""
        for each in stored:
            try:
                fact = self.decode(each)
            except UnreadableFactError:
                continue
            yield fact, each

    def encode(self, fact: Fact) -> bytes:
        """Return the stored form of a fact."""
        if type(fact) not in self._kinds:
            raise TypeError(f"{type(fact).__name__} is no longer written: use its newer form")
        return _ENCODER.encode(fact)


def _any_of(kinds: tuple[type[Fact], ...]) -> Any:
    return Union[kinds]  # noqa: UP007 - made from the types it is given


def _plainly(error: msgspec.ValidationError) -> str:
    """Return msgspec's message with the field named once and the top of the object left out."""
    says = str(error).replace(" - at `$.type`", "").replace(" - at `$`", "").replace(_TOO_LATE, _AFTER_9999)
    return says.replace("Invalid value", "There is no fact of type") if says.startswith("Invalid value") else says


_TODAY = Codec(TYPES.values(), FORMER)
decode = _TODAY.decode
encode = _TODAY.encode
readable = _TODAY.readable
as_written = _TODAY.as_written


class _InStream(msgspec.Struct, gc=False):
    stream: str = ""


_IN_STREAM = msgspec.json.Decoder(_InStream)


def stream_in(stored: bytes) -> str:
    """Return the stream that a stored fact or record names; empty if it names none."""
    try:
        return _IN_STREAM.decode(stored).stream
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""


def name_of(fact: Fact) -> str:
    """Return the name a fact's type is stored under, such as `wager-placed.1`."""
    tag = type(fact).__struct_config__.tag
    return str(tag)
