"""A loop over rows of a log that takes each one if it is the next canonical fact of a known stream.

For numba. A row is taken if its columns agree with its bytes, its bytes are canonical, and it follows the head of its
stream. At the first other row the loop stops, and every row before it is taken.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from consumers.bulk.forms import AT, PREVIOUS, SEQUENCE, SOURCE, SOURCE_KEY, STREAM, TAG, TAG_LENGTH, Bytes, Forms, Ints
from consumers.bulk.hot import hot, outside
from consumers.bulk.scan import LINE_END, looked_up, same, scanned, whole
from consumers.bulk.tables import (
    CLOSED,
    CUT_OUT,
    DIGESTED,
    FILLED,
    HELD,
    INPUTS,
    LAST_AT,
    LAST_POSITION,
    LATEST_AT,
    LIMIT,
    NEW,
    NEXT,
    POSITION,
    ROW,
    ROWS,
    SIGNERS,
    SINCE,
    TAKEN,
    TEXT_AT,
    UNTOLD,
    WAITING,
    WAITING_SINCE,
    PendingRows,
    Run,
    Streams,
)

# OpenSSL's functions, under names that are registered before anything here is compiled.
_init = outside("catwalk_sha256_init", 1)
_update = outside("catwalk_sha256_update", 3)
_final = outside("catwalk_sha256_final", 2)

_STROKE, _SPACE = 47, 32
_FIRST_HEX = np.array([b"0123456789abcdef"[number >> 4] for number in range(256)], np.uint8)
_SECOND_HEX = np.array([b"0123456789abcdef"[number & 15] for number in range(256)], np.uint8)
_ONE, _TWO = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
_HALF = np.uint64(33)


@hot
def _hashed(run: Run, address: Any, length: int, out: Any) -> None:
    context = run.context.ctypes.data
    _init(context)
    _update(context, address, np.uintp(length))
    _final(out, context)


@hot
def _put_number(out: Bytes, at: int, number: int) -> int:
    """Write a whole number, 0 or above, and return its end."""
    length, left = 1, number // 10
    while left:
        length, left = length + 1, left // 10
    for step in range(length):
        out[at + length - 1 - step] = 48 + number % 10
        number //= 10
    return at + length


@hot
def _put(out: Bytes, at: int, text: Bytes, begin: int, end: int) -> int:
    for step in range(end - begin):
        out[at + step] = text[begin + step]
    return at + end - begin


@hot
def mark(sequence: int, position: int, salts: NDArray[np.uint64]) -> Any:
    """A number for a sequence and a position; its sums differ for two different sets of them."""
    found = (np.uint64(sequence) + salts[0]) * _ONE
    found = (found ^ (found >> _HALF)) + np.uint64(position) * _TWO + salts[1]
    found = (found ^ (found >> _HALF)) * _ONE
    return (found ^ (found >> _HALF)) * _TWO


@hot
def _is_head(text: Bytes, at: int, heads: Bytes, stream: int) -> bool:
    other = 0
    for step in range(32):
        number = heads[stream, step]
        other |= text[at + 2 * step] ^ _FIRST_HEX[number]
        other |= text[at + 2 * step + 1] ^ _SECOND_HEX[number]
    return other == 0


@hot
def _line(text: Bytes, at: int) -> int:
    """The place of the next line end."""
    while text[at] != LINE_END:
        at += 1
    return at


@hot
def _follows(text: Bytes, streams: Streams, run: Run, position: int) -> int:
    """The stream whose next fact was scanned last, or -1."""
    told, state = run.told, run.state
    if told[2 * STREAM] < 0 or told[2 * SEQUENCE + 1] < 0 or told[2 * PREVIOUS] < 0:
        return -1
    begin, end = told[2 * STREAM], told[2 * STREAM + 1]
    stream = looked_up(text, (begin, end), (streams.letters, streams.spans, streams.table), 0, len(streams.table) - 1)
    if stream < 0:
        return -1
    kept, sequence = streams.kept, told[2 * SEQUENCE]
    if sequence != kept[stream, NEXT] or sequence < 2 or kept[stream, CLOSED]:
        return -1
    if position <= state[HELD] and sequence > kept[stream, LIMIT]:
        return -1
    if told[2 * PREVIOUS + 1] - told[2 * PREVIOUS] != 64 or not _is_head(
        text, told[2 * PREVIOUS], streams.heads, stream
    ):
        return -1
    if state[SIGNERS]:
        begin, end = told[2 * SOURCE], told[2 * SOURCE + 1]
        mask = len(run.signer_table) - 1
        if looked_up(text, (begin, end), (run.signers, run.signer_spans, run.signer_table), 0, mask) >= 0:
            return -1
    return stream


@hot
def _written(text: Bytes, columns: Any, fact: Any, run: Run, position: int) -> None:
    """Add a row to the digest of everything written."""
    scratch, state = run.scratch, run.state
    name, number, kind = columns
    begin, end = fact
    length = 32 if state[DIGESTED] else 0
    at = _put(scratch, 0, run.digest, 0, length)
    at = _put_number(scratch, at, position)
    scratch[at] = _SPACE
    at = _put(scratch, at + 1, text, name[1] + 1, number[1])
    scratch[at] = _SPACE
    at = _put_number(scratch, at + 1, name[1] - name[0])
    scratch[at] = _SPACE
    at = _put_number(scratch, at + 1, kind[1] - kind[0])
    scratch[at] = _SPACE
    at = _put(scratch, at + 1, text, name[0], name[1])
    at = _put(scratch, at, text, kind[0], kind[1])
    context = run.context.ctypes.data
    _init(context)
    _update(context, scratch.ctypes.data, np.uintp(at))
    _update(context, text.ctypes.data + np.uintp(begin), np.uintp(end - begin))
    _final(run.digest.ctypes.data, context)
    state[DIGESTED] = 1


@hot
def _input(text: Bytes, begin: int, end: int, run: Run) -> None:
    """Add what the source said to the sum of inputs: the fact without its place, as the outbox knows it."""
    told, scratch = run.told, run.scratch
    name, name_end = told[2 * STREAM], told[2 * STREAM + 1]
    stroke = name
    while text[stroke] != _STROKE:
        stroke += 1
    behind = told[2 * PREVIOUS + 1] + 1  # the quote that ends the hash of the fact before
    context, data = run.context.ctypes.data, text.ctypes.data
    _init(context)
    _update(context, data + np.uintp(begin), np.uintp(stroke - begin))
    _update(context, data + np.uintp(name_end), np.uintp(1))
    _update(context, data + np.uintp(behind), np.uintp(end - behind))
    _final(scratch.ctypes.data, context)
    source, key = told[2 * SOURCE], told[2 * SOURCE_KEY]
    source_end, key_end = told[2 * SOURCE + 1], told[2 * SOURCE_KEY + 1]
    at = _put_number(scratch, 32, source_end - source)
    scratch[at] = _SPACE
    at = _put_number(scratch, at + 1, key_end - key)
    scratch[at] = _SPACE
    at = _put_number(scratch, at + 1, name_end - name)
    scratch[at] = _SPACE
    at = _put_number(scratch, at + 1, told[2 * SEQUENCE])
    scratch[at] = _SPACE
    for step in range(32):
        scratch[at + 1 + 2 * step] = _FIRST_HEX[scratch[step]]
        scratch[at + 2 + 2 * step] = _SECOND_HEX[scratch[step]]
    at = _put(scratch, at + 65, text, source, source_end)
    at = _put(scratch, at, text, key, key_end)
    at = _put(scratch, at, text, name, name_end)
    _hashed(run, scratch.ctypes.data + np.uintp(32), at - 32, scratch.ctypes.data)
    found = np.uint64(0)
    for step in range(8):
        found = (found << np.uint64(8)) | np.uint64(scratch[step])
    run.input_sum[0] += found


@hot
def _keep(streams: Streams, window: PendingRows, run: Run, stream: int, position: int) -> None:
    """Make the fact scanned last the head of its stream."""
    kept, told, state = streams.kept, run.told, run.state
    filled, happened = state[FILLED], told[2 * AT]
    window.streams[filled] = stream
    for step in range(32):
        streams.heads[stream, step] = window.hashes[filled, step]
    if kept[stream, NEW] == 0:
        kept[stream, NEW], kept[stream, UNTOLD] = 1, filled
    kept[stream, LAST_AT] = max(kept[stream, LAST_AT], happened)
    kept[stream, WAITING_SINCE] = min(kept[stream, WAITING_SINCE], happened) if kept[stream, WAITING] else happened
    kept[stream, WAITING] += 1
    kept[stream, NEXT] += 1
    kept[stream, LAST_POSITION] = position
    streams.sums[stream] += mark(told[2 * SEQUENCE], position, run.salts)
    state[LATEST_AT] = max(state[LATEST_AT], happened)
    state[FILLED] = filled + 1
    state[TAKEN] += 1


def take(text: Bytes, forms: Forms, streams: Streams, window: PendingRows, run: Run) -> None:
    """Take rows until one is refused or the text ends; `run.state` has the place reached.

    A row is `stream LINE_END sequence LINE_END type LINE_END fact LINE_END`.
    """
    state, told = run.state, run.told
    while state[ROW] < state[ROWS]:
        at = state[TEXT_AT]
        name = (at, _line(text, at))
        number = (name[1] + 1, _line(text, name[1] + 1))
        kind = (number[1] + 1, _line(text, number[1] + 1))
        begin = kind[1] + 1
        end = scanned(text, begin, forms, told)
        if end < 0:
            return
        position = state[POSITION] + state[ROW]
        tag, tag_length = forms.kinds[told[0], TAG], forms.kinds[told[0], TAG_LENGTH]
        place_end, sequence = whole(text, number[0])
        as_said = (
            kind[1] - kind[0] == tag_length
            and same(text, kind[0], forms.letters, tag, tag_length)
            and place_end == number[1]
            and sequence == told[2 * SEQUENCE]
            and name[1] - name[0] == told[2 * STREAM + 1] - told[2 * STREAM]
            and same(text, name[0], text, told[2 * STREAM], name[1] - name[0])
        )
        if not as_said or (state[INPUTS] and run.cut_out[told[0]] != CUT_OUT):
            return
        stream = _follows(text, streams, run, position)
        if stream < 0:
            return
        _hashed(
            run,
            text.ctypes.data + np.uintp(begin),
            end - begin,
            window.hashes.ctypes.data + np.uintp(32 * state[FILLED]),
        )
        if position > state[SINCE]:
            _written(text, (name, number, kind), (begin, end), run, position)
        if state[INPUTS]:
            _input(text, begin, end, run)
        _keep(streams, window, run, stream, position)
        state[TEXT_AT] = end + 1
        state[ROW] += 1


def lines(text: Bytes) -> int:
    """The number of line ends in a text."""
    found = 0
    for at in range(len(text)):
        found += text[at] == LINE_END
    return found


def hashes(text: Bytes, ends: Ints, out: NDArray[np.uint8], context: NDArray[np.uint64]) -> None:
    """Write the SHA-256 of each piece of a text into `out`, one after the other."""
    begin = 0
    for row in range(len(ends)):
        _init(context.ctypes.data)
        _update(context.ctypes.data, text.ctypes.data + np.uintp(begin), np.uintp(ends[row] - begin))
        _final(out.ctypes.data + np.uintp(32 * row), context.ctypes.data)
        begin = ends[row]


def marks(numbers: Bytes, salts: NDArray[np.uint64], positions: Bytes) -> tuple[int, Any]:
    """The count of numbers in a text, paired with as many positions, and the sum of their marks.

    Each number is followed by a line end, in both texts. The count is -1 if the texts differ from that.
    """
    count, total, one, other = 0, np.uint64(0), 0, 0
    while one < len(numbers) and other < len(positions):
        one, sequence = whole(numbers, one)
        if one < 0 or numbers[one] != LINE_END:
            return -1, total
        other, position = whole(positions, other)
        if other < 0 or positions[other] != LINE_END:
            return -1, total
        total += mark(sequence, position, salts)
        one, other, count = one + 1, other + 1, count + 1
    return (count, total) if one == len(numbers) and other == len(positions) else (-1, total)
