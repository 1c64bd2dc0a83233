"""One fact read off its bytes against the forms: whether it is written canonically, and what its envelope says.

For numba: plain loops over bytes, no objects. A text ends with a line end, which no canonical fact holds, so no loop
runs past it. Every doubt is a refusal, which costs a strict decoding and nothing else.
"""

from typing import Final

import numpy as np
from numba.extending import register_jitable

from consumers.bulk.forms import (
    DEFAULT,
    DEFAULT_LENGTH,
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
    REFUSED,
    REQUIRED,
    ROLE,
    SHAPE,
    TAG,
    TAG_LENGTH,
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

QUOTE, BACKSLASH, COMMA, MINUS, ZERO, NINE = 34, 92, 44, 45, 48, 57
LINE_END, LIST, LIST_END, OBJECT_END, LEAST, MOST = 10, 91, 93, 125, 32, 126
_BEGIN: Final = len(OPENING)
_DIGITS: Final = 18
_SEED, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)


@register_jitable(forceinline=True)  # type: ignore[untyped-decorator]
def same(one: Bytes, at: int, other: Bytes, there: int, length: int) -> bool:
    """Whether so many letters are the same in both places."""
    for step in range(length):  # noqa: SIM110 - numba compiles a loop into what it is
        if one[at + step] != other[there + step]:
            return False
    return True


@register_jitable(forceinline=True)  # type: ignore[untyped-decorator]
def looked_up(text: Bytes, at: int, end: int, letters: Bytes, spans: Ints, table: Ints, first: int, mask: int) -> int:
    """The row of a name in a table that begins at `first`, or -1."""
    found = _SEED
    for place in range(at, end):
        found = (found ^ np.uint64(text[place])) * _PRIME
    step = np.int64(found & np.uint64(mask))
    while True:
        row = table[first + step]
        if row < 0:
            return -1
        if spans[row, 1] == end - at and same(text, at, letters, spans[row, 0], end - at):
            return int(row)
        step = (step + 1) & mask


@register_jitable(forceinline=True)  # type: ignore[untyped-decorator]
def text_end(text: Bytes, at: int) -> int:
    """The place of the quote that ends a text of plain letters, or -1."""
    while True:
        letter = text[at]
        if letter == QUOTE:
            return at
        if letter < LEAST or letter > MOST or letter == BACKSLASH:
            return -1
        at += 1


@register_jitable(forceinline=True)  # type: ignore[untyped-decorator]
def whole(text: Bytes, at: int) -> tuple[int, int]:
    """The end of a whole number as JSON writes it, or -1, and the number."""
    negative = text[at] == MINUS
    if negative:
        at += 1
    begin, number = at, 0
    while ZERO <= text[at] <= NINE:
        number = number * 10 + np.int64(text[at]) - ZERO
        at += 1
        if at - begin > _DIGITS:
            return -1, 0
    if at == begin or (text[begin] == ZERO and (at - begin > 1 or negative)):
        return -1, 0
    return at, -number if negative else number


@register_jitable(forceinline=True)  # type: ignore[untyped-decorator]
def _item(text: Bytes, at: int, forms: Forms, field: int, of_list: bool) -> int:
    """The end of a text or word in quotes, or -1."""
    fields = forms.fields
    if text[at] != QUOTE:
        return -1
    end = text_end(text, at + 1)
    if end < 0:
        return -1
    if of_list:
        found = looked_up(
            text, at + 1, end, forms.letters, forms.words, forms.word_tables, fields[field, WORD_TABLE], fields[field, WORD_MASK]
        )
        return -1 if found < 0 else end + 1
    return end + 1 if fields[field, LOW] <= end - at - 1 <= fields[field, HIGH] else -1


@register_jitable(forceinline=True)  # type: ignore[untyped-decorator]
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


@register_jitable(forceinline=True)  # type: ignore[untyped-decorator]
def _flag(text: Bytes, at: int) -> tuple[int, int]:
    """The end of a yes or no, or -1, and which."""
    if text[at] == 116 and text[at + 1] == 114 and text[at + 2] == 117 and text[at + 3] == 101:
        return at + 4, 1
    if text[at] == 102 and text[at + 1] == 97 and text[at + 2] == 108 and text[at + 3] == 115 and text[at + 4] == 101:
        return at + 5, 0
    return -1, 0


@register_jitable(forceinline=True)  # type: ignore[untyped-decorator]
def _value(text: Bytes, at: int, forms: Forms, field: int) -> tuple[int, int]:
    """The end of a field's value, or -1 where it is refused, and its number if it is one."""
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


@register_jitable(forceinline=True)  # type: ignore[untyped-decorator]
def scanned(text: Bytes, at: int, forms: Forms, told: Ints) -> int:
    """The end of a canonical fact, or -1; in `told` its row, and two numbers for each role of the envelope.

    Of a text they are where it begins and ends; of a number, the number and its end. What is left out is -1.
    """
    if not same(text, at, forms.letters, 0, _BEGIN):
        return -1
    at += _BEGIN
    end = text_end(text, at)
    if end < 0:
        return -1
    kind = looked_up(text, at, end, forms.letters, forms.kinds, forms.kind_table, 0, len(forms.kind_table) - 1)
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
        at, number = _value(text, begin, forms, field)
        role = fields[field, ROLE]
        if at < 0 or role == REFUSED:
            return -1
        if role != NO_ROLE:
            is_text = fields[field, SHAPE] == TEXT
            told[2 * role] = begin + 1 if is_text else number
            told[2 * role + 1] = at - 1 if is_text else at
    return at + 1 if text[at] == OBJECT_END and text[at + 1] == LINE_END else -1


__all__ = ["TAG", "TAG_LENGTH", "looked_up", "same", "scanned", "text_end", "whole"]
