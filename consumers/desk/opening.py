"""Which desk a command or the room works at: beside the record, or in the PostgreSQL the environment names."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from consumers.desk.application import Desk, desk_of
from consumers.private import SecretError, read_secret

# The event-sourcing library's own names; the database is what decides.
DATABASE: Final = "POSTGRES_DBNAME"
PASSWORD_FILE: Final = "CATWALK_DESK_PASSWORD_FILE"  # noqa: S105 - a name in the environment
_PREFIX: Final = "POSTGRES_"


class DeskPlaceError(ValueError):
    """A desk that cannot be opened as the environment has it."""


def open_desk(folder: Path, environment: Mapping[str, str] = os.environ) -> Desk:
    """The desk in the data or state folder, or in PostgreSQL where `POSTGRES_DBNAME` and its like are set."""
    if not environment.get(DATABASE):
        return desk_of(data=folder)
    settings = {name: value for name, value in environment.items() if name.startswith(_PREFIX)}
    if (found := password(environment)) is not None:
        settings["POSTGRES_PASSWORD"] = found
    return desk_of(postgres=settings)


def password(environment: Mapping[str, str]) -> str | None:
    """The password of the database's user, where the environment names its file."""
    named = environment.get(PASSWORD_FILE)
    if not named:
        return None
    try:
        return read_secret(Path(named)).decode().strip()
    except (SecretError, UnicodeDecodeError) as error:
        raise DeskPlaceError(f"no password for the database of the desk: {error}") from error


def database(environment: Mapping[str, str] = os.environ) -> str:
    """Where the desk of this environment lies, for people; nothing where it is a file in the folder."""
    name = environment.get(DATABASE, "")
    return f"{name} on {environment.get('POSTGRES_HOST', '')}" if name else ""
