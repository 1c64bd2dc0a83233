"""The canonical form of every type of fact, as tables of numbers with which compiled code checks bytes.

They follow from the types alone. A form says less than the types: plain letters only, no escapes, no nested objects.
Bytes that no form describes are refused, and go to the strict decoder.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from msgspec import inspect
from numpy.typing import NDArray

from domain.facts.codec import UnreadableFactError, as_written
from domain.facts.envelope import Fact

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

# The shapes of a value.
TEXT, WHOLE, FLAG, WORD, TEXTS, WORDS = range(6)
# The roles of the envelope's fields.
NO_ROLE, AT, SOURCE, SOURCE_KEY, STREAM, SEQUENCE, PREVIOUS, REFUSED = range(8)
ROLES: Final = {
    "at": AT,
    "source": SOURCE,
    "source_key": SOURCE_KEY,
    "stream": STREAM,
    "sequence": SEQUENCE,
    "previous": PREVIOUS,
    "source_signature": REFUSED,
}
# The columns of a field.
NAME, NAME_LENGTH, SHAPE, REQUIRED, LOW, HIGH, HAS_DEFAULT, DEFAULT, DEFAULT_LENGTH, WORD_TABLE, WORD_MASK, ROLE = (
    range(12)
)
# The columns of a type.
TAG, TAG_LENGTH, FIRST, LAST = range(4)
OPENING: Final = b'{"type":"'
_MOST_DIGITS: Final = 10**18 - 1
FACTOR: Final = 0x9E3779B97F4A7C15  # odd, and its bits look random: the golden ratio
_EIGHT_BYTES: Final = 2**64 - 1


class Forms(NamedTuple):
    """All forms: their letters, and tables of places among those letters."""

    letters: Bytes
    kinds: Ints  # a row a type
    fields: Ints  # a row a field, those of a type in the order they are written in
    words: Ints  # a row a word of a list: where it is, how long
    word_tables: Ints  # by the hash of a word: its row, or -1
    kind_table: Ints  # by the hash of a type's name: its row, or -1


class _NoFormError(Exception):
    """A type that cannot be described by such a form."""


def name_hash(name: bytes) -> int:
    """The hash of a name for a lookup, made of all its bytes, eight at a time."""
    found = FACTOR ^ len(name)
    for at in range(0, len(name), 8):
        product = (found ^ int.from_bytes(name[at : at + 8], "little")) * FACTOR
        found = (product ^ product >> 64) & _EIGHT_BYTES
    return found


class _Maker:
    def __init__(self) -> None:
        self.letters = bytearray()
        self.fields: list[list[int]] = []
        self.words: list[tuple[int, int]] = []
        self.tables: list[int] = []
        self._tables: dict[tuple[str, ...], tuple[int, int]] = {}

    def written(self, text: bytes) -> tuple[int, int]:
        """The place of these letters among all letters, and their number."""
        self.letters += text
        return len(self.letters) - len(text), len(text)

    def form(self, name: str, kind: type[Fact]) -> list[list[int]]:
        """The fields of a type."""
        told = inspect.type_info(kind)
        if not isinstance(told, inspect.StructType) or told.tag_field != "type" or not told.forbid_unknown_fields:
            raise _NoFormError
        least = {field.encode_name: _least(_optional(field.type)) for field in told.fields if field.required}
        return [self._field(field, lambda said: _as_written(name, told.fields, least | said)) for field in told.fields]

    def _field(self, field: inspect.Field, written: Callable[[dict[str, object]], bool]) -> list[int]:
        row = [0] * 12
        row[NAME], row[NAME_LENGTH] = self.written(b',"%b":' % field.encode_name.encode())
        row[ROLE] = ROLES.get(field.encode_name, NO_ROLE)
        row[REQUIRED] = int(field.required)
        shape = _optional(field.type)
        row[SHAPE] = self._shaped(shape, row)
        if field.default_factory is not msgspec.NODEFAULT or not written({}):
            raise _NoFormError
        if not field.required and field.default is not None and not written({field.encode_name: field.default}):
            self._default(field.default, row)
        return row

    def _shaped(self, shape: inspect.Type, row: list[int]) -> int:
        """The shape of a value, whose limits go into the row."""
        if isinstance(shape, inspect.StrType) and shape.pattern is None:
            row[LOW], row[HIGH] = shape.min_length or 0, _MOST_DIGITS if shape.max_length is None else shape.max_length
            return TEXT
        if isinstance(shape, inspect.IntType) and (shape.gt, shape.lt, shape.multiple_of) == (None, None, None):
            row[LOW] = -_MOST_DIGITS if shape.ge is None else shape.ge
            row[HIGH] = _MOST_DIGITS if shape.le is None else shape.le
            return WHOLE
        if isinstance(shape, inspect.BoolType):
            return FLAG
        if isinstance(shape, inspect.LiteralType) and all(isinstance(word, str) for word in shape.values):
            row[WORD_TABLE], row[WORD_MASK] = self._word_table(tuple(str(word) for word in shape.values))
            return WORD
        if isinstance(shape, inspect.VarTupleType) and (shape.min_length, shape.max_length) == (None, None):
            item = self._shaped(shape.item_type, row)
            if item in (TEXT, WORD):
                return TEXTS if item == TEXT else WORDS
        raise _NoFormError

    def _default(self, default: Any, row: list[int]) -> None:
        """The default of a field, which canonical bytes omit: written out, it is refused."""
        row[HAS_DEFAULT] = 1
        if isinstance(default, bool | int) and row[SHAPE] in (FLAG, WHOLE):
            row[DEFAULT] = int(default)
        elif isinstance(default, str) and row[SHAPE] in (TEXT, WORD):
            row[DEFAULT], row[DEFAULT_LENGTH] = self.written(default.encode())
        elif default != ():
            raise _NoFormError

    def _word_table(self, words: tuple[str, ...]) -> tuple[int, int]:
        """The begin of the table of these words, and the mask of its places."""
        if words in self._tables:
            return self._tables[words]
        rows = []
        for word in words:
            rows.append(len(self.words))
            self.words.append(self.written(word.encode()))
        table = hashed({word.encode(): row for word, row in zip(words, rows, strict=True)})
        self._tables[words] = len(self.tables), len(table) - 1
        self.tables += table
        return self._tables[words]


def _optional(shape: inspect.Type) -> inspect.Type:
    """The type of an optional value without its null, which is never written."""
    if not isinstance(shape, inspect.UnionType):
        return shape
    rest = [each for each in shape.types if not isinstance(each, inspect.NoneType)]
    if len(rest) != 1:
        raise _NoFormError
    return rest[0]


def _least(shape: inspect.Type) -> object:
    """A value of this type."""
    if isinstance(shape, inspect.StrType):
        return "x" * (shape.min_length or 0)
    if isinstance(shape, inspect.IntType):
        return shape.ge or 0
    if isinstance(shape, inspect.LiteralType):
        return shape.values[0]
    if isinstance(shape, inspect.BoolType | inspect.VarTupleType):
        return False if isinstance(shape, inspect.BoolType) else ()
    raise _NoFormError


def _as_written(kind: str, fields: Iterable[inspect.Field], said: Mapping[str, object]) -> bool:
    """Whether a fact with these values is canonical: which defaults are omitted depends on how they are held."""
    told = {"type": kind} | {each.encode_name: said[each.encode_name] for each in fields if each.encode_name in said}
    try:
        as_written(msgspec.json.encode(told))
    except UnreadableFactError:
        return False
    return True


def hashed(rows: Mapping[bytes, int], least: int = 4) -> list[int]:
    """A table of rows by the hash of their names, with at least half of its places empty; -1 stands for none."""
    size = 4
    while size < max(least, 2 * len(rows)):
        size *= 2
    table = [-1] * size
    for name, row in rows.items():
        put(table, name, row)
    return table


def put(table: list[int] | Ints, name: bytes, row: int) -> None:
    """Put a row into the first empty place from the one that its name's hash gives."""
    last = len(table) - 1
    at = name_hash(name) & last
    while table[at] >= 0:
        at = (at + 1) & last
    table[at] = row


def forms(kinds: Mapping[str, type[Fact]], strict: Collection[type[Fact]]) -> tuple[Forms, list[str]]:
    """The forms of these types by their names, and the names in the order of the forms; `strict` ones have none."""
    maker, rows, names = _Maker(), [], []
    maker.written(OPENING)  # at the very beginning of all letters
    for name, kind in kinds.items():
        if kind in strict:
            continue
        try:
            fields = maker.form(name, kind)
        except _NoFormError:
            continue
        rows.append([*maker.written(name.encode()), len(maker.fields), len(maker.fields) + len(fields)])
        maker.fields += fields
        names.append(name)
    table = hashed({name.encode(): row for row, name in enumerate(names)})
    made = Forms(
        np.frombuffer(bytes(maker.letters) + bytes(8), np.uint8).copy(),
        np.array(rows, np.int64),
        np.array(maker.fields, np.int64),
        np.array(maker.words, np.int64).reshape(-1, 2),
        np.array(maker.tables, np.int64),
        np.array(table, np.int64),
    )
    return made, names
