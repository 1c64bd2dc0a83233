"""What can be wrong with the read models: each says what, where, and what to do. The record itself is never touched."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

REBUILD = "The record is not affected; `catwalk rebuild` makes the read models anew from it."
_FULL = ("No space left", "File too large", "Disk quota", "Could not write", "Cannot write")
_DAMAGED = (
    duckdb.IOException,
    duckdb.FatalException,
    duckdb.InternalException,
    duckdb.SerializationException,
    duckdb.TransactionException,
)
# What DuckDB says of Parquet files that were cut off or spoilt, under classes that also stand for mistakes of ours.
_SPOILT = (".parquet", "magic bytes", "too small to be a Parquet file", "TProtocolException", "Corrupt")
_FULL_ERRORS = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}


class ReadModelsError(Exception):
    """The read models cannot be written or read: what is wrong, where, and what to do."""

    def __init__(self, where: Path, what: str, do: str) -> None:
        super().__init__(f"{where}: {what}. {do}")
        self.where = where


class NothingPublishedError(ReadModelsError):
    """There is nothing to read yet."""

    def __init__(self, where: Path) -> None:
        super().__init__(
            where,
            "no read models are published here",
            "`catwalk project` publishes them; if it did and they are gone, `catwalk rebuild` makes them anew.",
        )


class OwnedError(ReadModelsError):
    """Another process keeps these read models."""

    def __init__(self, where: Path) -> None:
        super().__init__(where, "another projector keeps the read models here", "Stop it first, or read beside it.")


class ReplacedError(ReadModelsError):
    """A rebuild has taken the place of what this process keeps."""

    def __init__(self, where: Path) -> None:
        super().__init__(where, "a rebuild has taken the place of these read models", "Start `catwalk project` again.")


class OtherVersionError(ReadModelsError):
    """These read models have the tables of another version."""

    def __init__(self, where: Path) -> None:
        super().__init__(where, "these read models were made by a version with other tables", REBUILD)


class DamagedError(ReadModelsError):
    """What is on the disk cannot be read or is not all there."""

    def __init__(self, where: Path, what: object) -> None:
        super().__init__(where, f"the read models are damaged ({_first_line(what)})", REBUILD)


class DoubledError(ReadModelsError):
    """What was made anew holds a row twice: a fault of ours, for the record holds each fact once."""

    def __init__(self, where: Path, what: str) -> None:
        super().__init__(
            where,
            f"what was made anew is not taken, for {what}",
            "The record and the present read models are what they were. This is a fault of this version of Catwalk:"
            " show this sentence to whoever maintains it.",
        )


class NotAllowedError(ReadModelsError):
    """This user may not read or write here."""

    def __init__(self, where: Path, what: object) -> None:
        super().__init__(
            where,
            f"this user may not do here what is needed ({_first_line(what)})",
            "Who keeps the read models must own the folder; who reads them must be allowed to read it.",
        )


class DiskFullError(ReadModelsError):
    """There is no room to write."""

    def __init__(self, where: Path, what: object) -> None:
        super().__init__(
            where,
            f"there is no room to write ({_first_line(what)})",
            "Nothing is lost: make room and start `catwalk project` again, which goes on where it was.",
        )


@contextmanager
def told_plainly(where: Path) -> Iterator[None]:
    """What DuckDB or the system says of these files becomes one of the errors above."""
    try:
        yield
    except PermissionError as error:
        raise NotAllowedError(where, error) from error
    except OSError as error:
        raise (DiskFullError if error.errno in _FULL_ERRORS else DamagedError)(where, error) from error
    except duckdb.Error as error:
        if any(sign in str(error) for sign in _FULL):
            raise DiskFullError(where, error) from error
        if "Permission denied" in str(error):
            raise NotAllowedError(where, error) from error
        if isinstance(error, _DAMAGED) or any(sign in str(error) for sign in _SPOILT):
            raise DamagedError(where, error) from error
        raise


def _first_line(what: object) -> str:
    return str(what).strip().partition("\n")[0].rstrip(".")
