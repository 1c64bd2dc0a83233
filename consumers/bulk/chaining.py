"""A loop over rows of a log that takes each one if it is the next canonical fact of a known stream.

For numba. A row is taken if its columns agree with its bytes, its bytes are canonical, and it follows the head of its
stream. At the first other row the loop stops, and every row before it is taken.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from consumers.bulk.forms import AT, PREVIOUS, SEQUENCE, SOURCE, SOURCE_KEY, STREAM, TAG, TAG_LENGTH, Bytes, Forms
from consumers.bulk.hot import copy, folded, hot, store_eight
from consumers.bulk.scan import EIGHT, eight, looked_up, same, scanned
from consumers.bulk.sha import BLOCK, begun, finished, put_digest, two_blocks
from consumers.bulk.tables import (
    CLOSED,
    CUT_OUT,
    DIGESTED,
    FACT,
    FACT_END,
    FILLED,
    HELD,
    INPUTS,
    KIND,
    KIND_END,
    LAST_AT,
    LAST_POSITION,
    LATEST_AT,
    LIMIT,
    NEW,
    NEXT,
    NUMBER,
    PIECE,
    PLACE,
    PLACE_END,
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
    RowBatch,
    Run,
    Streams,
)
from consumers.bulk.tables import SEQUENCE as ROW_SEQUENCE
from consumers.bulk.writing import put_hex, put_number

_STROKE, _SPACE, _QUOTE = 47, 32, 34
_HASH, _HEX = 32, 64
_WRITTEN, _OWN, _BARE, _IDLE = range(4)  # the states of SHA-256


@hot
def _copied(target: Bytes, at: int, source: Bytes, begin: int, end: int) -> int:
    copy(target.ctypes.data + np.uintp(at), source.ctypes.data + np.uintp(begin), end - begin)
    return at + end - begin


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
def _columns(batch: RowBatch, row: int, forms: Forms, run: Run) -> bool:
    """Whether the columns of a row say what its bytes say."""
    told, text = run.told, batch.letters
    place, place_end = batch.rows[row, PLACE], batch.rows[row, PLACE_END]
    kind, kind_end = batch.rows[row, KIND], batch.rows[row, KIND_END]
    begin, length = told[2 * STREAM], told[2 * STREAM + 1] - told[2 * STREAM]
    if place_end - place != length or not same(text, begin, text, place, length):
        return False
    tag, length = forms.kinds[told[0], TAG], forms.kinds[told[0], TAG_LENGTH]
    if kind_end - kind != length or not same(forms.letters, tag, text, kind, length):
        return False
    return bool(batch.rows[row, ROW_SEQUENCE] == told[2 * SEQUENCE])


@hot
def _written(batch: RowBatch, row: int, run: Run) -> int:
    """Lay out what the digest of everything written takes of a row; the number of its blocks."""
    out, state, told, text = run.writing, run.state, run.told, batch.letters
    place, place_end = batch.rows[row, PLACE], batch.rows[row, PLACE_END]
    kind, kind_end = batch.rows[row, KIND], batch.rows[row, KIND_END]
    at = _copied(out, 0, run.digest, 0, _HASH) if state[DIGESTED] else 0
    at = put_number(out, at, batch.rows[row, NUMBER])
    out[at] = _SPACE
    at = put_number(out, at + 1, told[2 * SEQUENCE])
    out[at] = _SPACE
    at = put_number(out, at + 1, place_end - place)
    out[at] = _SPACE
    at = put_number(out, at + 1, kind_end - kind)
    out[at] = _SPACE
    at = _copied(out, at + 1, text, place, place_end)
    at = _copied(out, at, text, kind, kind_end)
    at = _copied(out, at, text, batch.rows[row, FACT], batch.rows[row, FACT_END])
    return finished(out, at, at) // BLOCK


@hot
def _bare(text: Bytes, begin: int, end: int, run: Run) -> tuple[int, int]:
    """Lay out a fact without its place, as the outbox knows it.

    The first number is that of its blocks that are the fact's own, and are not laid out; the second of the others.
    """
    told, out = run.told, run.bare
    stroke = told[2 * STREAM]
    while text[stroke] != _STROKE:
        stroke += 1
    shared = (stroke - begin) // BLOCK
    at = _copied(out, 0, text, begin + BLOCK * shared, stroke)
    out[at] = _QUOTE
    # It goes on behind the quote that ends the hash of the fact before.
    at = _copied(out, at + 1, text, told[2 * PREVIOUS + 1] + 1, end)
    return shared, finished(out, at, BLOCK * shared + at) // BLOCK


@hot
def _hashed(text: Bytes, begin: int, blocks: Any, run: Run) -> None:
    """Hash a fact and what was laid out of it: at most two texts at a time, and the bare one behind the fact."""
    written, own, shared, bare = blocks
    states, idle = run.states, run.writing.ctypes.data
    base, fact = states.ctypes.data, text.ctypes.data + np.uintp(begin)
    begun(states, _WRITTEN)
    begun(states, _OWN)
    for step in range(max(written, own + bare)):
        if step == shared:
            for word in range(8):
                states[_BARE, word] = states[_OWN, word]
        at = np.uintp(BLOCK * step)
        lane, data = (_WRITTEN, idle + at) if step < written else (_IDLE, idle)
        other: Any = _IDLE
        other_data: Any = idle
        if step < own:
            other, other_data = _OWN, fact + at
        elif step < own + bare:
            other, other_data = _BARE, run.bare.ctypes.data + np.uintp(BLOCK * (step - own))
        two_blocks(base + np.uintp(_HASH * lane), data, base + np.uintp(_HASH * other), other_data)
    put_digest(run.own, 0, states, _OWN)


@hot
def mark(said: Bytes, length: int, salts: NDArray[np.uint64]) -> Any:
    """A number for letters, with eight zeros behind them; the salts are new in each run, so nobody can foresee it."""
    found = folded(salts[0] + np.uint64(length), salts[1])
    for step in range(0, length, EIGHT):
        found = folded(found ^ eight(said, step), salts[1])
    return found


@hot
def _said(text: Bytes, run: Run) -> Any:
    """The mark of what the source said."""
    told, out = run.told, run.said
    name, name_end = told[2 * STREAM], told[2 * STREAM + 1]
    source, source_end = told[2 * SOURCE], told[2 * SOURCE + 1]
    key, key_end = told[2 * SOURCE_KEY], told[2 * SOURCE_KEY + 1]
    store_eight(out, 0, np.uint64(source_end - source))
    store_eight(out, 8, np.uint64(key_end - key))
    store_eight(out, 16, np.uint64(name_end - name))
    store_eight(out, 24, np.uint64(told[2 * SEQUENCE]))
    at = _copied(out, 32 + _HEX, text, source, source_end)
    at = _copied(out, at, text, key, key_end)
    at = _copied(out, at, text, name, name_end)
    put_digest(run.own, 0, run.states, _BARE)
    put_hex(out, 32, run.own)
    store_eight(out, at, np.uint64(0))
    return mark(out, at, run.salts)


@hot
def _keep(streams: Streams, window: PendingRows, run: Run, stream: int, position: int) -> None:
    """Make the fact scanned last the head of its stream."""
    kept, told, state = streams.kept, run.told, run.state
    filled, happened = state[FILLED], told[2 * AT]
    window.streams[filled] = stream
    put_hex(streams.heads, _HEX * stream, run.own)
    for step in range(0, PIECE, EIGHT):
        store_eight(window.hashes, PIECE * filled + step, eight(run.own, step))
    if kept[stream, NEW] == 0:
        kept[stream, NEW], kept[stream, UNTOLD] = 1, filled
    kept[stream, LAST_AT] = max(kept[stream, LAST_AT], happened)
    kept[stream, WAITING_SINCE] = min(kept[stream, WAITING_SINCE], happened) if kept[stream, WAITING] else happened
    kept[stream, WAITING] += 1
    kept[stream, NEXT] += 1
    kept[stream, LAST_POSITION] = position
    state[LATEST_AT] = max(state[LATEST_AT], happened)
    state[FILLED] = filled + 1
    state[TAKEN] += 1
    state[POSITION] = position


def take(batch: RowBatch, forms: Forms, streams: Streams, window: PendingRows, run: Run) -> None:
    """Take rows until one is refused or the batch ends; `run.state` has the row reached."""
    state, told, text = run.state, run.told, batch.letters
    while state[ROW] < state[ROWS]:
        row = state[ROW]
        begin, end, position = batch.rows[row, FACT], batch.rows[row, FACT_END], batch.rows[row, NUMBER]
        if begin < 0 or position != state[POSITION] + 1:
            return
        own = (finished(text, end, end - begin) - begin) // BLOCK
        if scanned(text, begin, forms, told) != end:
            return
        if state[INPUTS] and run.cut_out[told[0]] != CUT_OUT:
            return
        stream = _follows(text, streams, run, position)
        if stream < 0 or not _columns(batch, row, forms, run):
            return
        written, shared, bare = 0, 0, 0
        if position > state[SINCE]:
            written = _written(batch, row, run)
        if state[INPUTS]:
            shared, bare = _bare(text, begin, end, run)
        _hashed(text, begin, (written, own, shared, bare), run)
        _keep(streams, window, run, stream, position)
        if written:
            put_digest(run.digest, 0, run.states, _WRITTEN)
            state[DIGESTED] = 1
        if bare:
            run.input_sum[0] += _said(text, run)
        state[ROW] += 1
