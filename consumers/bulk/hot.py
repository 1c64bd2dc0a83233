"""What compiled code is written with: a mark for its functions, and functions of OpenSSL."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba.types
from numba.extending import register_jitable

Function = TypeVar("Function", bound=Callable[..., Any])
_types: Any = numba.types


def hot(function: Function) -> Function:
    """The function, which becomes part of whatever compiled code calls it."""
    return register_jitable(forceinline=True)(function)


def outside(name: str, arguments: int) -> Any:
    """A function of C that is registered under this name, with so many addresses or sizes."""
    return _types.ExternalFunction(name, _types.int32(*[_types.uintp] * arguments))
