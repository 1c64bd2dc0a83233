"""The arrays that compiled code and its caller share, and the meaning of their places."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consumers.bulk.forms import Bytes, Ints

# Where a run stands.
FACT_AT, PLACE_AT, NUMBER_AT, ROW, ROWS, POSITION, FILLED, TAKEN, LATEST_AT = range(9)
SINCE, DIGESTED, HELD, INPUTS, SIGNERS = range(9, 14)
# What is kept of each stream.
NEXT, CLOSED, LAST_AT, WAITING, WAITING_SINCE, LAST_POSITION, UNTOLD, LIMIT, NEW = range(9)
CUT_OUT = 1  # of a type: its bytes contain what the source said as one piece


PIECE = 16  # the first bytes of a hash, by which a repeat is known


class RowTexts(NamedTuple):
    """Some rows as three texts of lines: their facts, their streams and types in turns, and their sequences."""

    facts: Bytes
    places: Bytes
    numbers: Bytes


class Streams(NamedTuple):
    """The known streams, one row each."""

    letters: Bytes  # their names, one after the other
    spans: Ints
    table: Ints
    kept: Ints
    heads: Bytes  # 64 letters each
    sums: NDArray[np.uint64]  # of the marks of their rows


class PendingRows(NamedTuple):
    """The rows that were taken and are not reported yet."""

    hashes: Bytes  # the first bytes of each, one behind the other
    streams: NDArray[np.int16]


class Run(NamedTuple):
    """The state of a run that belongs to no stream."""

    state: Ints
    digest: NDArray[np.uint8]  # of everything written
    input_sum: NDArray[np.uint64]
    salts: NDArray[np.uint64]
    cut_out: NDArray[np.uint8]  # by type
    signers: Bytes  # sources that sign: their names, and where each is
    signer_spans: Ints
    signer_table: Ints
    own: Bytes  # the hash of the fact just scanned
    scratch: Bytes
    context: NDArray[np.uint64]
    told: Ints
