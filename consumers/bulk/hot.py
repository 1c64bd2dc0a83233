"""Tools for compiled code: a decorator for its functions, and functions of OpenSSL."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba.types
from numba.extending import register_jitable

Function = TypeVar("Function", bound=Callable[..., Any])
_types: Any = numba.types


def hot(function: Function) -> Function:
    """Mark a function for inlining into the compiled code that calls it."""
    return register_jitable(forceinline=True)(function)


def outside(name: str, arguments: int) -> Any:
    """A C function that is registered under this name, with this many addresses or sizes as arguments."""
    return _types.ExternalFunction(name, _types.int32(*[_types.uintp] * arguments))
