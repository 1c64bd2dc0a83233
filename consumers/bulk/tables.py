"""The arrays that compiled code and its caller share, and the meaning of their places."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consumers.bulk.forms import Bytes, Ints

# The state of a run.
TEXT_AT, ROW, ROWS, POSITION, FILLED, TAKEN, LATEST_AT, SINCE, DIGESTED, HELD, INPUTS, SIGNERS = range(12)
# The state of each stream.
NEXT, CLOSED, LAST_AT, WAITING, WAITING_SINCE, LAST_POSITION, UNTOLD, LIMIT, NEW = range(9)
CUT_OUT = 1  # of a type: its bytes contain what the source said as one piece


class Streams(NamedTuple):
    """The known streams, one row each."""

    letters: Bytes  # their names, one after the other
    spans: Ints
    table: Ints
    kept: Ints
    heads: NDArray[np.uint8]  # 32 bytes each
    sums: NDArray[np.uint64]  # of the marks of their rows


class PendingRows(NamedTuple):
    """The rows that were taken and are not reported yet."""

    hashes: NDArray[np.uint8]
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
    scratch: Bytes
    context: NDArray[np.uint64]
    told: Ints
