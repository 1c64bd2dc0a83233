"""SHA-256 of two texts at once, block by block, for numba.

A processor with instructions for SHA-256 waits for the result of each one. Two texts in turns take half the time of two
texts one after the other, and no library offers that. Other processors call OpenSSL for each block.
"""

from collections.abc import Iterator
from itertools import count, islice
from typing import Any, Final

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from consumers.bulk.forms import Bytes
from consumers.bulk.hot import hot, outside, store_eight, turned, written

BLOCK: Final = 64
ROOM: Final = BLOCK + 8  # bytes that the end of a message takes behind its letters, at most
_END: Final = 9  # bytes that it takes at least: a mark and the length
_WORDS: Final = 8  # of a state
_MASK: Final = 2**32 - 1
_MARK, _NONE, _UPPER = np.uint64(0x80), np.uint64(0), np.uint64(32)

_types: Any = numba.types
_WORD: Any = ir.IntType(32)
_FOUR: Any = ir.VectorType(_WORD, 4)
_CLEAR: Final = "llvm.x86.avx.vzeroupper"
_transform: Any = outside("catwalk_sha256_transform", 2)


def in_processor() -> bool:
    """Whether the code that numba makes here may use the processor's instructions for SHA-256."""
    ours: Any = numba.config
    return ours.CPU_NAME is None and ours.CPU_FEATURES is None and _features().get("sha", False)


def _features() -> dict[str, bool]:
    """The names of the processor's instructions that may be used."""
    ours: Any = llvm
    found: dict[str, bool] = ours.get_host_cpu_features()
    return found


def _root(number: int, degree: int) -> int:
    """The first 32 bits behind the point of a root, from which SHA-256 takes its constants."""
    low, high = 0, number << 32
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= number << 32 * degree else (low, middle)
    return low & _MASK


_PRIMES: Final = list(islice((each for each in count(2) if all(each % low for low in range(2, each))), 64))
FIRST: Final = np.array([_root(prime, 2) for prime in _PRIMES[:_WORDS]], np.uint32)
_ADDED: Final = [_root(prime, 3) for prime in _PRIMES]


def _four(numbers: list[int]) -> Any:
    return ir.Constant(_FOUR, [ir.Constant(_WORD, number) for number in numbers])


def _function(builder: Any, name: str, kind: Any) -> Any:
    """The function of this name, declared in the module once."""
    return builder.module.globals.get(name) or ir.Function(builder.module, kind, name)


def _block(builder: Any, state: Any, data: Any) -> Iterator[None]:
    """Write the code for one block of one text, in pieces: the result of each takes the processor some time."""

    def call(name: str, *values: Any) -> Any:
        return builder.call(_function(builder, name, ir.FunctionType(_FOUR, [_FOUR] * len(values))), values)

    def place(address: Any, number: int) -> Any:
        return builder.gep(builder.inttoptr(address, _FOUR.as_pointer()), [ir.Constant(_WORD, number)])

    def load(address: Any, number: int) -> Any:
        loaded = builder.load(place(address, number))
        loaded.align = 1
        return loaded

    def mixed(one: Any, other: Any, *places: int) -> Any:
        return builder.shuffle_vector(one, other, _four(list(places)))

    low, high = load(state, 0), load(state, 1)
    one, other = mixed(low, high, 5, 4, 1, 0), mixed(low, high, 7, 6, 3, 2)
    begun = one, other
    words: list[Any] = []
    for step in range(16):
        if step < 4:
            words.append(call("llvm.bswap.v4i32", load(data, step)))
        else:
            before = builder.add(call("llvm.x86.sha256msg1", *words[-4:-2]), mixed(words[-2], words[-1], 1, 2, 3, 4))
            words.append(call("llvm.x86.sha256msg2", before, words[-1]))
        added = builder.add(words[-1], _four(_ADDED[4 * step : 4 * step + 4]))
        other = call("llvm.x86.sha256rnds2", other, one, added)
        yield
        one = call("llvm.x86.sha256rnds2", one, other, mixed(added, added, 2, 3, 2, 3))
        yield
    one, other = builder.add(one, begun[0]), builder.add(other, begun[1])
    for number, half in enumerate((mixed(one, other, 3, 2, 7, 6), mixed(one, other, 1, 0, 5, 4))):
        builder.store(half, place(state, number)).align = 1


@written
def _by_processor(_: Any, state: Any, data: Any, other_state: Any, other_data: Any) -> Any:
    """Take one block of each of two texts into its state."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        if _features().get("avx"):
            # The instructions for SHA-256 have no form of AVX. While a register holds more than 128 bits, some
            # processors take 70 ns to change between the two forms.
            builder.call(_function(builder, _CLEAR, ir.FunctionType(ir.VoidType(), [])), [])
        both = [_block(builder, *values[:2]), _block(builder, *values[2:])]
        while both:
            both = [each for each in both if next(each, both) is None]
        return context.get_dummy_value()

    return _types.void(*[_types.uintp] * 4), generate


@hot
def _by_library(state: Any, data: Any, other_state: Any, other_data: Any) -> None:
    _transform(state, data)
    _transform(other_state, other_data)


two_blocks: Any = _by_processor if in_processor() else _by_library


@hot
def finished(text: Bytes, at: int, length: int) -> int:
    """Write the end of a message of this length, whose last letters end here; return the place behind it."""
    last = at + _END + (-(length + _END) % BLOCK)
    store_eight(text, at, _MARK)
    place = at + 8
    while place < last - 8:
        store_eight(text, place, _NONE)
        place += 8
    store_eight(text, last - 8, turned(np.uint64(8 * length)))
    return last


@hot
def begun(states: NDArray[np.uint32], lane: int) -> None:
    """Set a state to that of a text without letters."""
    for step in range(_WORDS):
        states[lane, step] = FIRST[step]


@hot
def put_digest(out: Bytes, at: int, states: NDArray[np.uint32], lane: int) -> None:
    """Write the hash that a state stands for."""
    for step in range(0, _WORDS, 2):
        both = (np.uint64(states[lane, step]) << _UPPER) | np.uint64(states[lane, step + 1])
        store_eight(out, at + 4 * step, turned(both))
