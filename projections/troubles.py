"""Errors of the read models: each says what, where, and what to do next. The record itself is never changed."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

REBUILD = "The record is not affected. Run `catwalk rebuild` to make the read models from it again."
_FULL = ("No space left", "File too large", "Disk quota", "Could not write", "Cannot write")
_DAMAGED = (
    duckdb.IOException,
    duckdb.FatalException,
    duckdb.InternalException,
    duckdb.SerializationException,
    duckdb.TransactionException,
)
# DuckDB's messages about truncated or corrupt Parquet files, under classes that also stand for mistakes of ours.
_SPOILT = (".parquet", "magic bytes", "too small to be a Parquet file", "TProtocolException", "Corrupt")
_FULL_ERRORS = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}


class ReadModelsError(Exception):
    """The read models cannot be written or read: what is wrong, where, and what to do next."""

    def __init__(self, where: Path, what: str, do: str) -> None:
        super().__init__(f"{where}: {what}. {do}")
        self.where = where


class NothingPublishedError(ReadModelsError):
    """No read models are published yet."""

    def __init__(self, where: Path) -> None:
        super().__init__(
            where,
            "no read models are published here",
            "Run `catwalk project` to publish them. If they were published before and are gone, run `catwalk rebuild`.",
        )


class OwnedError(ReadModelsError):
    """Another process owns these read models."""

    def __init__(self, where: Path) -> None:
        super().__init__(where, "another projector owns the read models here", "Stop it first. Readers need not wait.")


class ReplacedError(ReadModelsError):
    """A rebuild has replaced the read models of this process."""

    def __init__(self, where: Path) -> None:
        super().__init__(where, "a rebuild has replaced these read models", "Start `catwalk project` again.")


class OtherVersionError(ReadModelsError):
    """The read models have the tables of another version."""

    def __init__(self, where: Path) -> None:
        super().__init__(where, "these read models were made by a Catwalk version with different tables", REBUILD)


class DamagedError(ReadModelsError):
    """The files on disk are unreadable or incomplete."""

    def __init__(self, where: Path, what: object) -> None:
        super().__init__(where, f"the read models are damaged ({_first_line(what)})", REBUILD)


class DoubledError(ReadModelsError):
    """A rebuild holds a row twice: a mistake in Catwalk, because the record holds each fact once."""

    def __init__(self, where: Path, what: str) -> None:
        super().__init__(
            where,
            f"the rebuilt read models are rejected because {what}",
            "The record and the current read models are unchanged. This is a fault of this version of Catwalk:"
            " report this message to its maintainers.",
        )


class NotAllowedError(ReadModelsError):
    """The user may not read or write here."""

    def __init__(self, where: Path, what: object) -> None:
        super().__init__(
            where,
            f"this user lacks permission here ({_first_line(what)})",
            "The projector's user must own the folder. Other users need permission to read it.",
        )


class DiskFullError(ReadModelsError):
    """The disk is full."""

    def __init__(self, where: Path, what: object) -> None:
        super().__init__(
            where,
            f"the disk is full ({_first_line(what)})",
            "Nothing is lost. Free some space and start `catwalk project` again. It resumes where it stopped.",
        )


@contextmanager
def told_plainly(where: Path) -> Iterator[None]:
    """Turn errors of DuckDB or the system about these files into one of the errors above."""
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
