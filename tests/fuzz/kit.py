"""Parts of every target: a function of bytes that raises when a property does not hold, and the folder of its seeds."""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import msgspec
from referencing import Registry, Resource

from tests.citations import ROOT

SEEDS = Path(__file__).parent / "seeds"
SCHEMAS = ROOT / "docs/facts/schemas"
SLOWEST = 30  # seconds for one input, on a machine that does other things too

Run = Callable[[bytes], None]
Mutate = Callable[[bytes, random.Random], bytes]


class BrokenError(Exception):
    """A property does not hold for this input."""


class Target(NamedTuple):
    """One edge of the project. `made` gets a folder for scratch files and returns what takes an input."""

    name: str
    made: Callable[[Path], Run]
    mutate: Mutate | None = None  # a structure-aware change, where turning bytes would not get past the first check
    bytes: int = 4096  # the longest input
    share: int = 1  # of the time, beside the other targets
    kept: int = 40  # inputs in the repository, found by fuzzing, beside those written by hand

    @property
    def seeds(self) -> list[Path]:
        """The inputs that are kept, in order."""
        return sorted((SEEDS / self.name).iterdir())


def memory() -> str | None:
    """A folder for scratch files in memory, if there is one: thousands of small records are made a minute."""
    folder = Path("/dev/shm")
    return str(folder) if folder.is_dir() else None


def require(holds: object, says: str) -> None:
    """Raise if a property does not hold."""
    if not holds:
        raise BrokenError(says)


@cache
def _schema(name: str) -> Any:
    file = SCHEMAS / f"{name}.json"
    # An independent reader of the published schemas: it shares nothing with the codec.
    if not file.is_file():
        return None
    return jsonschema.Draft202012Validator(msgspec.json.decode(file.read_bytes()), registry=_shared())


@cache
def _shared() -> Registry[Any]:
    return Resource.from_contents(msgspec.json.decode((SCHEMAS / "shared.json").read_bytes())) @ Registry()


def require_schema(value: Any, where: str) -> None:
    """Raise if an accepted fact does not fit the published JSON Schema of its type."""
    require(isinstance(value, dict), f"{where}: a fact was accepted that is no object: {value!r}")
    schema = _schema(str(value.get("type"))) if isinstance(value.get("type"), str) else None
    require(schema is not None, f"{where}: a fact was accepted whose type {value.get('type')!r} has no schema")
    errors = [error.message for error in schema.iter_errors(value)]
    require(not errors, f"{where}: accepted against the schema of {value.get('type')}: {errors[:1]}")


class Choices:
    """Choices read off the bytes of an input, so that each input is one sequence of them; past its end all are the first."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        """Number of bytes not read yet."""
        return len(self._data) - self._at

    def below(self, count: int) -> int:
        """A number from 0 to one less than this."""
        width = 1 if count <= 256 else 2 if count <= 65_536 else 4
        taken = self._data[self._at : self._at + width]
        self._at += len(taken)
        return int.from_bytes(taken, "big") % count if taken and count else 0

    def one_of(self, things: Any) -> Any:
        """One of these."""
        return things[self.below(len(things))]

    def rest(self, most: int) -> bytes:
        """The next bytes as they are."""
        taken = self._data[self._at : self._at + most]
        self._at += len(taken)
        return taken
