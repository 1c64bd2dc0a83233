"""The desk of a command or of the room: beside the record, or in the PostgreSQL that the environment names."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from consumers.desk.application import Desk, desk_of
from consumers.private import SecretError, read_secret

# The event-sourcing library's own variables; the database's name decides.
DATABASE: Final = "POSTGRES_DBNAME"
PASSWORD_FILE: Final = "CATWALK_DESK_PASSWORD_FILE"  # noqa: S105 - the name of a variable
_PREFIX: Final = "POSTGRES_"


class DeskPlaceError(ValueError):
    """A desk that cannot be opened with the environment's settings."""


def open_desk(folder: Path, environment: Mapping[str, str] = os.environ) -> Desk:
    """The desk in the data or state folder, or in PostgreSQL if `POSTGRES_DBNAME` is set."""
    if not environment.get(DATABASE):
        return desk_of(data=folder)
    settings = {name: value for name, value in environment.items() if name.startswith(_PREFIX)}
    if (found := password(environment)) is not None:
        settings["POSTGRES_PASSWORD"] = found
    return desk_of(postgres=settings)


def password(environment: Mapping[str, str]) -> str | None:
    """The password of the database's user, if the environment names its file."""
    named = environment.get(PASSWORD_FILE)
    if not named:
        return None
    try:
        return read_secret(Path(named)).decode().strip()
    except (SecretError, UnicodeDecodeError) as error:
        raise DeskPlaceError(f"no password for the database of the desk: {error}") from error


def database(environment: Mapping[str, str] = os.environ) -> str:
    """The database of the desk, for people; empty if the desk is a file in the folder."""
    name = environment.get(DATABASE, "")
    return f"{name} on {environment.get('POSTGRES_HOST', '')}" if name else ""
