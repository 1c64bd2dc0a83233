"""The desk on both places its records may lie in."""

import itertools
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from consumers.desk.application import Desk, desk_of
from tests.desk.postgres import NoPostgresError, server

_COUNT = itertools.count(1)
Opened = Callable[[], Desk]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Mapping[str, str]]:
    """A PostgreSQL server, or a plain reason why there is none."""
    folder = Path(tempfile.mkdtemp(prefix="catwalk-postgres-", dir="/var/tmp"))
    with ExitStack() as running:
        try:
            settings = running.enter_context(server(folder))
        except NoPostgresError as error:
            shutil.rmtree(folder, ignore_errors=True)
            if os.environ.get("CI"):
                pytest.fail(f"no PostgreSQL can be run here: {error}")
            pytest.skip(f"no PostgreSQL can be run here: {error}")
        yield settings
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """Open the desk, as often as it is called: each is another process's view of one place."""
    desks: list[Desk] = []
    settings: Mapping[str, str] | None = None
    if request.param == "postgres":
        settings = {**request.getfixturevalue("postgres"), "POSTGRES_DBNAME": f"desk{next(_COUNT)}"}
        with psycopg.connect(_words(settings, "postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(settings["POSTGRES_DBNAME"])))

    def another() -> Desk:
        desk = desk_of(postgres=settings) if settings is not None else desk_of(data=tmp_path)
        desks.append(desk)
        return desk

    yield another
    for desk in desks:
        desk.close()


def _words(settings: Mapping[str, str], database: str) -> str:
    return f"host={settings['POSTGRES_HOST']} user={settings['POSTGRES_USER']} dbname={database}"
