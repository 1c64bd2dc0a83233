"""Numbers, letters and hashes written into an array of bytes, eight bytes at once.

For numba. What is written may be followed by up to seven bytes without meaning, so an array needs that much more room.
"""

from typing import Any

import numpy as np

from consumers.bulk.forms import Bytes
from consumers.bulk.hot import hot, store_eight
from consumers.bulk.scan import each, eight

_DIGITS_IN_EIGHT = 10**8
_HASH = 32
_FOUR, _TWO, _ONE = np.uint64(2**32 - 1), np.uint64(0x0000FFFF0000FFFF), np.uint64(0x00FF00FF00FF00FF)
_TWO_BYTES = np.uint64(16)
_SHIFT, _HALF = np.uint64(8), np.uint64(4)
_LOW_HALVES, _ONES, _SIXES, _ZEROS = each(15), each(1), each(6), each(ord("0"))
_TEN, _ZERO = np.uint64(10), np.uint64(48)
_TO_LETTERS = np.uint64(ord("a") - ord("9") - 1)


@hot
def put_number(out: Bytes, at: int, number: int) -> int:
    """Write a whole number from 0 on, and return its end."""
    if number >= _DIGITS_IN_EIGHT:
        length, more = 1, number // 10
        while more:
            length, more = length + 1, more // 10
        for step in range(length):
            out[at + length - 1 - step] = 48 + number % 10
            number //= 10
        return at + length
    left: Any = np.uint64(number)
    letters: Any = np.uint64(0)
    length = 0
    while left or not length:
        tens = left // _TEN
        letters = (letters << _SHIFT) | (left - tens * _TEN + _ZERO)
        left, length = tens, length + 1
    store_eight(out, at, letters)
    return at + length


@hot
def put_hex(out: Bytes, at: int, digest: Bytes) -> None:
    """Write the 32 bytes of a hash as 64 letters, four bytes at a time."""
    for step in range(0, _HASH, 4):
        apart: Any = eight(digest, step) & _FOUR
        apart = (apart | (apart << _TWO_BYTES)) & _TWO
        apart = (apart | (apart << _SHIFT)) & _ONE
        halves = ((apart >> _HALF) & _LOW_HALVES) | ((apart & _LOW_HALVES) << _SHIFT)
        letters = ((halves + _SIXES) >> _HALF) & _ONES
        store_eight(out, at + 2 * step, halves + _ZEROS + letters * _TO_LETTERS)
