"""Branches for the fuzzer to see. Decoding is done in C, which is not instrumented: to libFuzzer each answer would be alike.

A generated function has a branch for each kind of answer, so that an input whose answer is new is kept.
"""

import re
from collections.abc import Callable
from zlib import crc32

_KINDS = 1024
_VALUES = re.compile(r"\d+|'[^']*'|\"[^\"]*\"|`\$[^`]*`")


def _generated() -> Callable[[int], int]:
    tree = _tree(0, _KINDS, 1)
    scope: dict[str, Callable[[int], int]] = {}
    exec("def branch(number):\n" + "\n".join(tree), scope)  # noqa: S102 - our own text, a few lines above
    return scope["branch"]


def _tree(low: int, high: int, depth: int) -> list[str]:
    indent = " " * depth
    if high - low == 1:
        return [f"{indent}return {low}"]
    middle = (low + high) // 2
    return [
        f"{indent}if number < {middle}:",
        *_tree(low, middle, depth + 1),
        f"{indent}else:",
        *_tree(middle, high, depth + 1),
    ]


BRANCH = [_generated()]  # in a list, so that the worker can put the instrumented one in its place


def seen(answer: str) -> None:
    """Take the branch of this answer, whatever values it names."""
    BRANCH[0](crc32(_VALUES.sub("", answer).encode("utf-8", "replace")) % _KINDS)
