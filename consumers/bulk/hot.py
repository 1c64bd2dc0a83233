"""Building blocks of compiled code: a mark for its functions, functions of C, and eight or more bytes moved at once."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba.types
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic, register_jitable
from numba.np.arrayobj import make_array

Function = TypeVar("Function", bound=Callable[..., Any])
_types: Any = numba.types
_cgutils: Any = cgutils
_make_array: Any = make_array
_BYTE: Any = ir.IntType(8)
_EIGHT: Any = ir.IntType(64)
_SIXTEEN: Any = ir.IntType(128)


def hot(function: Function) -> Function:
    """Mark a function for inlining into the compiled code that calls it."""
    return register_jitable(forceinline=True)(function)


def outside(name: str, arguments: int, result: str = "int32") -> Any:
    """A C function that is registered under this name, with this many addresses or sizes as arguments."""
    return _types.ExternalFunction(name, getattr(_types, result)(*[_types.uintp] * arguments))


def written(function: Callable[..., Any]) -> Any:
    """Numba's mark for a function that writes machine code itself."""
    return intrinsic(function)


def _place(context: Any, builder: Any, kind: Any, values: Any) -> Any:
    """The address of a place in an array of bytes, as that of eight bytes."""
    data = _make_array(kind)(context, builder, values[0]).data
    return builder.bitcast(_cgutils.gep_inbounds(builder, data, values[1]), _EIGHT.as_pointer())


@written
def load_eight(_: Any, letters: Any, at: Any) -> Any:
    """Eight bytes of an array as one number, the first one lowest; all eight have to be inside it."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        loaded = builder.load(_place(context, builder, signature.args[0], values))
        loaded.align = 1
        return loaded

    return _types.uint64(letters, _types.int64), generate


@written
def store_eight(_: Any, letters: Any, at: Any, number: Any) -> Any:
    """Write a number as eight bytes into an array, which has room for all eight."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        stored = builder.store(values[2], _place(context, builder, signature.args[0], values))
        stored.align = 1
        return context.get_dummy_value()

    return _types.void(letters, _types.int64, _types.uint64), generate


@written
def copy(_: Any, target: Any, source: Any, length: Any) -> Any:
    """Copy bytes from one address to another; the two do not overlap."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        letters = _BYTE.as_pointer()
        copying = builder.module.declare_intrinsic("llvm.memcpy", [letters, letters, _EIGHT])
        target, source = (builder.inttoptr(each, letters) for each in values[:2])
        builder.call(copying, [target, source, values[2], _cgutils.false_bit])
        return context.get_dummy_value()

    return _types.void(_types.uintp, _types.uintp, _types.int64), generate


@written
def folded(_: Any, one: Any, other: Any) -> Any:
    """The two halves of a product of 128 bits, combined."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        product = builder.mul(*(builder.zext(each, _SIXTEEN) for each in values))
        high = builder.lshr(product, _SIXTEEN(64))
        return builder.trunc(builder.xor(product, high), _EIGHT)

    return _types.uint64(_types.uint64, _types.uint64), generate


@written
def turned(_: Any, number: Any) -> Any:
    """A number with its eight bytes in the opposite order."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.bswap(values[0])

    return _types.uint64(_types.uint64), generate


@written
def zeros_below(_: Any, number: Any) -> Any:
    """The number of zero bits below the lowest set bit of a number other than 0."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], _cgutils.true_bit)

    return _types.int64(_types.uint64), generate
