"""Loading of the compiled pass: numba, a folder for its compiled code, and the libraries of C that it calls.

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

from consumers.bulk import database

_TRANSFORM: Final = "SHA256_Transform"
_log = logging.getLogger(__name__)


class Compiled(NamedTuple):
    """The functions of `chaining` and `fetching`, compiled; the last two need SQLite's library."""

    take: Callable[..., None]
    mark: Callable[..., Any]
    rows: Callable[..., tuple[int, int]]
    inputs: Callable[..., tuple[int, Any]]
    sqlite: Any  # the library, or None


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
    sha = importlib.import_module("consumers.bulk.sha")
    sqlite = database.library()
    symbols = {} if sqlite is None else {f"catwalk_{name}": getattr(sqlite, name) for name in database.STEPPED}
    if not sha.in_processor():
        symbols["catwalk_sha256_transform"] = _transform()
    for name, function in symbols.items():
        binding.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
    folder = cache_folder()
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)
    try:
        return _proved(numba, sqlite, keep=folder is not None)
    except UnusableError:
        raise
    except Exception:  # the cached code cannot be read or written
        return _proved(numba, sqlite, keep=False)


def _proved(numba: Any, sqlite: Any, *, keep: bool) -> Compiled:
    """The functions, once they hash and chain an example as hashlib and the strict way do."""
    # Nothing compiled makes an array. With references counted, at a call for each use, a scan takes six times as long.
    jit = numba.njit(cache=keep, _nrt=False)
    chaining, fetching = (importlib.import_module(f"consumers.bulk.{name}") for name in ("chaining", "fetching"))
    made = Compiled(jit(chaining.take), jit(chaining.mark), jit(fetching.rows), jit(fetching.inputs), sqlite)
    if not importlib.import_module("consumers.bulk.proof").works(made):
        raise UnusableError("it reads, hashes or chains an example incorrectly")
    return made


def _transform() -> Any:
    """OpenSSL's function for one block, in the library that hashlib uses or in the system's."""
    for library in _libraries():
        with suppress(AttributeError):
            return getattr(library, _TRANSFORM)
    raise UnusableError(
        f"the processor has no instructions for SHA-256, and there is no OpenSSL library for {_TRANSFORM}"
    )


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
