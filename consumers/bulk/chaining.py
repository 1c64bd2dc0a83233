"""A loop over rows of a log that takes each one if it is the next canonical fact of a known stream.

For numba. A row is taken if its columns agree with its bytes, its bytes are canonical, and it follows the head of its
stream. At the first other row the loop stops, and every row before it is taken.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from consumers.bulk.forms import AT, PREVIOUS, SEQUENCE, SOURCE, SOURCE_KEY, STREAM, TAG, TAG_LENGTH, Bytes, Forms, Ints
from consumers.bulk.hot import hot, outside
from consumers.bulk.scan import LINE_END, ends, looked_up, same, scanned, whole
from consumers.bulk.tables import (
    CLOSED,
    CUT_OUT,
    DIGESTED,
    FACT_AT,
    FILLED,
    HELD,
    INPUTS,
    LAST_AT,
    LAST_POSITION,
    LATEST_AT,
    LIMIT,
    NEW,
    NEXT,
    NUMBER_AT,
    PIECE,
    PLACE_AT,
    POSITION,
    ROW,
    ROWS,
    SIGNERS,
    SINCE,
    TAKEN,
    UNTOLD,
    WAITING,
    WAITING_SINCE,
    PendingRows,
    RowTexts,
    Run,
    Streams,
)
from consumers.bulk.writing import put, put_hex, put_number

# OpenSSL's functions, under names that are registered before anything here is compiled.
_init = outside("catwalk_sha256_init", 1)
_update = outside("catwalk_sha256_update", 3)
_final = outside("catwalk_sha256_final", 2)

_STROKE, _SPACE = 47, 32
_HASH, _HEX = 32, 64
_ONE, _TWO = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
_HALF = np.uint64(33)


@hot
def _hashed(run: Run, address: Any, length: int, out: Any) -> None:
    context = run.context.ctypes.data
    _init(context)
    _update(context, address, np.uintp(length))
    _final(out, context)


@hot
def mark(sequence: int, position: int, salts: NDArray[np.uint64]) -> Any:
    """A number for a sequence and a position; its sums differ for two different sets of them."""
    found = (np.uint64(sequence) + salts[0]) * _ONE
    found = (found ^ (found >> _HALF)) + np.uint64(position) * _TWO + salts[1]
    found = (found ^ (found >> _HALF)) * _ONE
    return (found ^ (found >> _HALF)) * _TWO


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
    begin = told[2 * PREVIOUS]
    if told[2 * PREVIOUS + 1] - begin != _HEX or not same(text, begin, streams.heads, _HEX * stream, _HEX):
        return -1
    if state[SIGNERS]:
        begin, end = told[2 * SOURCE], told[2 * SOURCE + 1]
        mask = len(run.signer_table) - 1
        if looked_up(text, (begin, end), (run.signers, run.signer_spans, run.signer_table), 0, mask) >= 0:
            return -1
    return stream


@hot
def _written(text: Bytes, fact: Any, kind: Any, run: Run, position: int) -> None:
    """Add a row to the digest of everything written; its columns agree with its bytes."""
    scratch, state, told = run.scratch, run.state, run.told
    begin, end = fact
    letters, tag, tag_length = kind
    name, name_end = told[2 * STREAM], told[2 * STREAM + 1]
    at = put(scratch, 0, run.digest, 0, _HASH) if state[DIGESTED] else 0
    at = put_number(scratch, at, position)
    scratch[at] = _SPACE
    at = put_number(scratch, at + 1, told[2 * SEQUENCE])
    scratch[at] = _SPACE
    at = put_number(scratch, at + 1, name_end - name)
    scratch[at] = _SPACE
    at = put_number(scratch, at + 1, tag_length)
    scratch[at] = _SPACE
    at = put(scratch, at + 1, text, name, name_end)
    at = put(scratch, at, letters, tag, tag + tag_length)
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
    at = put_number(scratch, 32, source_end - source)
    scratch[at] = _SPACE
    at = put_number(scratch, at + 1, key_end - key)
    scratch[at] = _SPACE
    at = put_number(scratch, at + 1, name_end - name)
    scratch[at] = _SPACE
    at = put_number(scratch, at + 1, told[2 * SEQUENCE])
    scratch[at] = _SPACE
    put_hex(scratch, at + 1, scratch, 0)
    at = put(scratch, at + 1 + _HEX, text, source, source_end)
    at = put(scratch, at, text, key, key_end)
    at = put(scratch, at, text, name, name_end)
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
    put_hex(streams.heads, _HEX * stream, run.own, 0)
    put(window.hashes, PIECE * filled, run.own, 0, PIECE)
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


@hot
def _columns(rows: RowTexts, forms: Forms, run: Run) -> Any:
    """The ends of a row's columns in their texts, if they match its bytes; otherwise -1."""
    told, state, places = run.told, run.state, rows.places
    name, length = told[2 * STREAM], told[2 * STREAM + 1] - told[2 * STREAM]
    place = state[PLACE_AT]
    if not same(rows.facts, name, places, place, length) or places[place + length] != LINE_END:
        return -1, -1
    place += length + 1
    tag, length = forms.kinds[told[0], TAG], forms.kinds[told[0], TAG_LENGTH]
    if not same(forms.letters, tag, places, place, length) or not ends(places, place + length):
        return -1, -1
    number, sequence = whole(rows.numbers, state[NUMBER_AT])
    if number < 0 or sequence != told[2 * SEQUENCE] or not ends(rows.numbers, number):
        return -1, -1
    return place + length, number


def take(rows: RowTexts, forms: Forms, streams: Streams, window: PendingRows, run: Run) -> None:
    """Take rows until one is refused or the texts end; `run.state` has the places reached."""
    state, told, text = run.state, run.told, rows.facts
    while state[ROW] < state[ROWS]:
        begin = state[FACT_AT]
        end = scanned(text, begin, forms, told)
        if end < 0:
            return
        position, kind = state[POSITION] + state[ROW], told[0]
        if state[INPUTS] and run.cut_out[kind] != CUT_OUT:
            return
        stream = _follows(text, streams, run, position)
        if stream < 0:
            return
        place, number = _columns(rows, forms, run)
        if place < 0:
            return
        _hashed(run, text.ctypes.data + np.uintp(begin), end - begin, run.own.ctypes.data)
        if position > state[SINCE]:
            tag = (forms.letters, forms.kinds[kind, TAG], forms.kinds[kind, TAG_LENGTH])
            _written(text, (begin, end), tag, run, position)
        if state[INPUTS]:
            _input(text, begin, end, run)
        _keep(streams, window, run, stream, position)
        state[FACT_AT], state[PLACE_AT], state[NUMBER_AT] = end + 1, place + 1, number + 1
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

    Each number stands in a line of its own, in both texts.
    """
    count, total, one, other = 0, np.uint64(0), 0, 0
    while one < len(numbers) and other < len(positions):
        one, sequence = whole(numbers, one)
        if one < 0 or not ends(numbers, one):
            return -1, total
        other, position = whole(positions, other)
        if other < 0 or not ends(positions, other):
            return -1, total
        total += mark(sequence, position, salts)
        one, other, count = one + 1, other + 1, count + 1
    return (count, total) if one > len(numbers) and other > len(positions) else (-1, total)
