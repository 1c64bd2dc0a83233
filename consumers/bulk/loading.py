"""Loading of the compiled pass: numba, a folder for its compiled code, and the SHA-256 of OpenSSL's library.

Nothing here may stop the caller. If a part is missing or gives other results than Python's hashlib, there is no
compiled pass, and the caller gets the same answers without it.
"""

import ctypes
import ctypes.util
import hashlib
import importlib
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

_FUNCTIONS: Final = {"catwalk_sha256_init": "SHA256_Init", "catwalk_sha256_update": "SHA256_Update"} | {
    "catwalk_sha256_final": "SHA256_Final"
}
_TRIED: Final = [bytes(range(256))[:length] * 3 for length in (0, 1, 55, 56, 63, 64, 65, 119, 120, 250)]
_log = logging.getLogger(__name__)


class Compiled(NamedTuple):
    """The functions of `chaining`, compiled."""

    take: Callable[..., None]
    lines: Callable[..., int]
    marks: Callable[..., tuple[int, int]]
    hashes: Callable[..., None]


class UnusableError(Exception):
    """The reason why there is no compiled pass."""


@cache
def compiled() -> Compiled | None:
    """The compiled pass, or None if it cannot run here."""
    try:
        return _compiled()
    except UnusableError as error:
        _log.info("facts are checked one by one: %s", error)
    except Exception as error:
        _log.info("facts are checked one by one: the compiled check cannot be used: %r", error)
    return None


def _compiled() -> Compiled:
    try:
        numba = importlib.import_module("numba")
        binding = importlib.import_module("llvmlite.binding")
    except ImportError as error:
        raise UnusableError(f"numba is not installed ({error})") from error
    for name, address in _addresses().items():
        binding.add_symbol(name, address)
    chaining = importlib.import_module("consumers.bulk.chaining")
    folder = cache_folder()
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)
    try:
        return _proved(numba, chaining, keep=folder is not None)
    except UnusableError:
        raise
    except Exception:  # the cached code cannot be read or written
        return _proved(numba, chaining, keep=False)


def _proved(numba: Any, chaining: Any, *, keep: bool) -> Compiled:
    """The functions, once their hashes are those of hashlib."""
    # Nothing compiled makes an array. With references counted, at a call for each use, a scan takes six times as long.
    jit = numba.njit(cache=keep, _nrt=False)
    made = Compiled(*(jit(getattr(chaining, name)) for name in Compiled._fields))
    numpy = importlib.import_module("numpy")
    text = numpy.frombuffer(b"".join(_TRIED), numpy.uint8)
    ends = numpy.cumsum(numpy.array([len(piece) for piece in _TRIED], numpy.int64))
    out = numpy.zeros((len(_TRIED), 32), numpy.uint8)
    made.hashes(text, ends, out, numpy.zeros(32, numpy.uint64))
    if out.tobytes() != b"".join(hashlib.sha256(piece).digest() for piece in _TRIED):
        raise UnusableError("the OpenSSL library of this machine and hashlib compute different hashes")
    if not importlib.import_module("consumers.bulk.fact_pass").works(made):
        raise UnusableError("it chains an example incorrectly")
    return made


def _addresses() -> dict[str, int]:
    """The addresses of OpenSSL's functions, in the library that hashlib uses or in the system's."""
    for library in _libraries():
        with suppress(AttributeError):
            return {
                name: ctypes.cast(getattr(library, own), ctypes.c_void_p).value or 0 for name, own in _FUNCTIONS.items()
            }
    raise UnusableError("no OpenSSL library with SHA256_Init was found")


def _libraries() -> Iterator[ctypes.CDLL]:
    with suppress(ImportError, OSError, AttributeError, TypeError):
        # The libraries that a library is linked with are found through it.
        yield ctypes.CDLL(importlib.import_module("_hashlib").__file__)
    if sys.platform != "darwin":  # there, opening the system's own ends the process
        name = ctypes.util.find_library("crypto")
        with suppress(OSError):
            if name is not None:
                yield ctypes.CDLL(name)


def cache_folder() -> Path | None:
    """The user's folder for code compiled from these files, or None if it cannot be written."""
    try:
        named = os.environ.get("NUMBA_CACHE_DIR")
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        folder = (Path(named) if named else Path(base) / "catwalk" / "numba") / _sources()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            return None  # code from this folder is run, so another user's folder is refused
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):
        return None


def _sources() -> str:
    """A name for the sources of the compiled code, because numba looks at only one of the files."""
    found = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]
