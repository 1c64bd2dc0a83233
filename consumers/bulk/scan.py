"""A scan of one fact's bytes: whether they are canonical, and what the envelope says.

For numba: plain loops without objects, over eight bytes at once where that is possible. Behind the end of a fact there
is a byte that no canonical fact holds, so no loop runs past it. Every doubt is a refusal, which costs a strict decoding
and nothing else.
"""

from typing import Any, Final

import numpy as np

from consumers.bulk.forms import (
    DEFAULT,
    DEFAULT_LENGTH,
    FACTOR,
    FIRST,
    FLAG,
    HAS_DEFAULT,
    HIGH,
    LAST,
    LOW,
    NAME,
    NAME_LENGTH,
    NO_ROLE,
    OPENING,
    PREVIOUS,
    REFUSED,
    REQUIRED,
    ROLE,
    SHAPE,
    TEXT,
    WHOLE,
    WORD,
    WORD_MASK,
    WORD_TABLE,
    WORDS,
    Bytes,
    Forms,
    Ints,
)
from consumers.bulk.hot import folded, hot, load_eight, zeros_below

QUOTE, COMMA, MINUS, ZERO, NINE = 34, 44, 45, 48, 57
LIST, LIST_END, OBJECT_END = 91, 93, 125
_BEGIN: Final = len(OPENING)
_DIGITS: Final = 18
_HASH: Final = 66  # letters of a hash in quotes
EIGHT: Final = 8


def each(byte: int) -> Any:
    """A number of eight such bytes."""
    return np.uint64(byte * 0x0101_0101_0101_0101)


_NONE, _HIGHEST, _LOWEST = each(0), each(128), each(1)
_QUOTES, _STROKES, _DELETES, _SPACES = each(QUOTE), each(92), each(127), each(32)
_ZEROS, _SIX, _UPPER = each(ZERO), each(6), each(0xF0)
_SHIFT, _PAIR, _FOUR = np.uint64(8), np.uint64(16), np.uint64(32)
_TENS, _HUNDREDS, _TEN_THOUSANDS = np.uint64(10), np.uint64(100), np.uint64(10_000)
_BY_TWO, _BY_FOUR, _BY_EIGHT = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF), np.uint64(0xFFFFFFFF)
_ONE, _FACTOR = np.uint64(1), np.uint64(FACTOR)
_HUNDRED_MILLION: Final = 100_000_000


@hot
def eight(text: Bytes, at: int) -> Any:
    """Eight bytes as one number, the first one lowest; every array has room for eight behind its last letter."""
    return load_eight(text, at)


@hot
def same(one: Bytes, at: int, other: Bytes, there: int, length: int) -> bool:
    """Whether so many letters are the same in both places; both arrays go on for seven more."""
    while length > EIGHT:
        if eight(one, at) != eight(other, there):
            return False
        at, there, length = at + EIGHT, there + EIGHT, length - EIGHT
    if length <= 0:
        return True
    return bool((eight(one, at) ^ eight(other, there)) << np.uint64(8 * (EIGHT - length)) == 0)


@hot
def short_hash(text: Bytes, at: int, end: int) -> Any:
    """The hash by which `forms.put` puts names into a table."""
    found = _FACTOR ^ np.uint64(end - at)
    while end - at >= EIGHT:
        found = folded(found ^ eight(text, at), _FACTOR)
        at += EIGHT
    if end > at:
        rest = eight(text, at) & ((_ONE << np.uint64(8 * (end - at))) - _ONE)
        found = folded(found ^ rest, _FACTOR)
    return np.int64(found)


@hot
def looked_up(text: Bytes, name: Any, rows: Any, first: int, mask: int) -> int:
    """The row of a name in a table that begins at `first`, or -1; `rows` are letters, their places, the table."""
    at, end = name
    letters, spans, table = rows
    step = short_hash(text, at, end) & mask
    while True:
        row = table[first + step]
        if row < 0:
            return -1
        if spans[row, 1] == end - at and same(text, at, letters, spans[row, 0], end - at):
            return int(row)
        step = (step + 1) & mask


@hot
def _not_plain(letters: Any) -> Any:
    """Mark the letters, of eight, that JSON does not write as they are; only the lowest mark counts.

    Bytes above it may be marked wrongly, because a subtraction borrows from them.
    """
    marked = (letters - _SPACES) | ((letters ^ _QUOTES) - _LOWEST)
    marked |= ((letters ^ _STROKES) - _LOWEST) | ((letters ^ _DELETES) - _LOWEST)
    return ((marked & ~letters) | letters) & _HIGHEST


@hot
def text_end(text: Bytes, at: int) -> int:
    """The place of the quote that ends a text of plain letters, or -1."""
    place: Any = np.int64(at)
    marked = _not_plain(eight(text, place))
    while marked == _NONE:
        place += EIGHT
        marked = _not_plain(eight(text, place))
    place += zeros_below(marked) >> 3
    return place if text[place] == QUOTE else -1


@hot
def whole(text: Bytes, at: int) -> tuple[int, int]:
    """The end of a whole number in JSON, or -1, and the number."""
    negative = text[at] == MINUS
    if negative:
        at += 1
    begin = at
    number: Any = 0
    while at - begin <= _DIGITS:
        letters = eight(text, at)
        if (letters & _UPPER) != _ZEROS or ((letters + _SIX) & _UPPER) != _ZEROS:
            break
        pairs = ((letters - _ZEROS) * _TENS + ((letters - _ZEROS) >> _SHIFT)) & _BY_TWO
        fours = (pairs * _HUNDREDS + (pairs >> _PAIR)) & _BY_FOUR
        all_of_it = (fours * _TEN_THOUSANDS + (fours >> _FOUR)) & _BY_EIGHT
        number = number * _HUNDRED_MILLION + np.int64(all_of_it)
        at += EIGHT
    while ZERO <= text[at] <= NINE:
        number = number * 10 + np.int64(text[at]) - ZERO
        at += 1
        if at - begin > _DIGITS:
            return -1, 0
    if at == begin or at - begin > _DIGITS or (text[begin] == ZERO and (at - begin > 1 or negative)):
        return -1, 0
    return at, -number if negative else number


@hot
def _item(text: Bytes, at: int, forms: Forms, field: int, of_list: bool) -> int:
    """The end of a text or word in quotes, or -1."""
    fields = forms.fields
    if text[at] != QUOTE:
        return -1
    end = text_end(text, at + 1)
    if end < 0:
        return -1
    if of_list:
        words = (forms.letters, forms.words, forms.word_tables)
        found = looked_up(text, (at + 1, end), words, fields[field, WORD_TABLE], fields[field, WORD_MASK])
        return -1 if found < 0 else end + 1
    return end + 1 if fields[field, LOW] <= end - at - 1 <= fields[field, HIGH] else -1


@hot
def _items(text: Bytes, at: int, forms: Forms, field: int) -> int:
    """The end of a list of texts or words, or -1."""
    fields = forms.fields
    of_list = fields[field, SHAPE] == WORDS
    if text[at] != LIST:
        return -1
    at += 1
    if text[at] == LIST_END:
        return -1 if fields[field, HAS_DEFAULT] else at + 1
    while True:
        at = _item(text, at, forms, field, of_list)
        if at < 0:
            return -1
        if text[at] == LIST_END:
            return at + 1
        if text[at] != COMMA:
            return -1
        at += 1


@hot
def _flag(text: Bytes, at: int) -> tuple[int, int]:
    """The end of `true` or `false`, or -1, and its number."""
    if text[at] == 116 and text[at + 1] == 114 and text[at + 2] == 117 and text[at + 3] == 101:
        return at + 4, 1
    if text[at] == 102 and text[at + 1] == 97 and text[at + 2] == 108 and text[at + 3] == 115 and text[at + 4] == 101:
        return at + 5, 0
    return -1, 0


@hot
def _value(text: Bytes, at: int, forms: Forms, field: int) -> tuple[int, int]:
    """The end of a field's value, or -1 if it is refused, and the value if it is a number."""
    fields = forms.fields
    shape = fields[field, SHAPE]
    if shape in (TEXT, WORD):
        end = _item(text, at, forms, field, shape == WORD)
        length = fields[field, DEFAULT_LENGTH]
        if end > 0 and fields[field, HAS_DEFAULT] and end - at - 2 == length:
            usual = same(text, at + 1, forms.letters, fields[field, DEFAULT], length)
            return -1 if usual else end, 0
        return end, 0
    if shape in (WHOLE, FLAG):
        if shape == WHOLE:
            end, number = whole(text, at)
            if number < fields[field, LOW] or number > fields[field, HIGH]:
                return -1, 0
        else:
            end, number = _flag(text, at)
        return -1 if fields[field, HAS_DEFAULT] and number == fields[field, DEFAULT] else end, number
    return _items(text, at, forms, field), 0


@hot
def scanned(text: Bytes, at: int, forms: Forms, told: Ints) -> int:
    """The end of a canonical fact, or -1; fill `told` with its row, and two numbers for each role of the envelope.

    For a text they are its begin and end; for a number, the number and its end. An absent field has -1.
    """
    if not same(text, at, forms.letters, 0, _BEGIN):
        return -1
    at += _BEGIN
    end = text_end(text, at)
    if end < 0:
        return -1
    kinds = (forms.letters, forms.kinds, forms.kind_table)
    kind = looked_up(text, (at, end), kinds, 0, len(forms.kind_table) - 1)
    if kind < 0:
        return -1
    for place in range(len(told)):
        told[place] = -1
    told[0] = kind
    fields, at = forms.fields, end + 1
    for field in range(forms.kinds[kind, FIRST], forms.kinds[kind, LAST]):
        if not same(text, at, forms.letters, fields[field, NAME], fields[field, NAME_LENGTH]):
            if fields[field, REQUIRED]:
                return -1
            continue
        begin = at + fields[field, NAME_LENGTH]
        role = fields[field, ROLE]
        if role == PREVIOUS and begin + _HASH < len(text) and text[begin] == QUOTE:
            at, number = begin + _HASH, 0  # the caller compares it, letter by letter, with the head of the stream
            if text[at - 1] != QUOTE:
                return -1
        else:
            at, number = _value(text, begin, forms, field)
        if at < 0 or role == REFUSED:
            return -1
        if role != NO_ROLE:
            is_text = fields[field, SHAPE] == TEXT
            told[2 * role] = begin + 1 if is_text else number
            told[2 * role + 1] = at - 1 if is_text else at
    at += 1
    return at if text[at - 1] == OBJECT_END else -1


__all__ = ["EIGHT", "each", "eight", "looked_up", "same", "scanned", "text_end", "whole"]
