"""The record that exports are made from, once for all tests of them."""

import pytest

from tests.export import pits
from tests.export.pits import Pit


@pytest.fixture(scope="session")
def pit(tmp_path_factory: pytest.TempPathFactory) -> Pit:
    return pits.made(tmp_path_factory.mktemp("export") / "pit")


@pytest.fixture(autouse=True)
def passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in pits.ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
