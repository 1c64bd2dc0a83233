"""The arrays that compiled code and its caller share, and the meaning of their places."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consumers.bulk.forms import Bytes, Ints

# Where a run stands.
ROW, ROWS, POSITION, FILLED, TAKEN, LATEST_AT, SINCE, DIGESTED, HELD, INPUTS, SIGNERS = range(11)
# What is kept of each stream.
NEXT, CLOSED, LAST_AT, WAITING, WAITING_SINCE, LAST_POSITION, UNTOLD, LIMIT, NEW = range(9)
CUT_OUT = 1  # of a type: its bytes contain what the source said as one piece
# The columns of a row in a batch: the begin and end of its fact, its stream and its type; a row that is too long for a
# batch begins at -1.
FACT, FACT_END, PLACE, PLACE_END, KIND, KIND_END, NUMBER, SEQUENCE = range(8)
LONGEST = 8_192  # bytes of a row

PIECE = 16  # the first bytes of a hash, by which a repeat is known


class RowBatch(NamedTuple):
    """Some rows of a log, one behind the other; each fact has room behind it for the end of a message."""

    letters: Bytes
    rows: Ints


class Streams(NamedTuple):
    """The known streams, one row each."""

    letters: Bytes  # their names, one after the other
    spans: Ints
    table: Ints
    kept: Ints
    heads: Bytes  # 64 letters each


class PendingRows(NamedTuple):
    """The rows that were taken and are not reported yet."""

    hashes: Bytes  # the first bytes of each, one behind the other
    streams: NDArray[np.int16]


class Run(NamedTuple):
    """The state of a run that belongs to no stream."""

    state: Ints
    digest: Bytes  # of everything written
    input_sum: NDArray[np.uint64]
    salts: NDArray[np.uint64]
    cut_out: NDArray[np.uint8]  # by type
    signers: Bytes  # sources that sign: their names, and where each is
    signer_spans: Ints
    signer_table: Ints
    own: Bytes  # the hash of the fact just scanned
    writing: Bytes  # a row as the digest of everything written takes it
    bare: Bytes  # a fact without its place, from the first block on that differs from the fact's
    said: Bytes  # an input, as its mark takes it
    states: NDArray[np.uint32]  # of SHA-256, one row each
    told: Ints
