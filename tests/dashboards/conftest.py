"""Pages run by Streamlit's own test, over the small record of the room, for the user who is signed in."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from time import time

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import UnknownElement
from streamlit.util import calc_hash

from consumers.accounts import accounts
from dashboards import page_errors, session
from domain.desk.roles import Person, Role
from tests.citations import ROOT
from tests.room.conftest import record, recorded

__all__ = ["FAR", "Opening", "record", "texts", "unmarked"]

FAR = "Asia/Kathmandu"  # 5 hours and 45 minutes before UTC: no time there reads like one of the property's own zone

Opening = Callable[..., AppTest]

# Each AppTest reads the description of every installed package again: half the time of a page.
_installed = cache(manifest_scanner.scan_component_manifests)


@pytest.fixture(scope="session")
def far(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The room's record, of a house far away whose amounts are euros."""
    opened = '"type":"table-opened.1",'
    euros = f'{opened}"currency":"EUR",'
    return recorded(tmp_path_factory.mktemp("far"), FAR, lambda day: day.replace(opened, euros))


@pytest.fixture
def opening(record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opening]:
    """Open a page as a user with these roles, at a desk nobody has worked at."""
    st.cache_resource.clear()
    monkeypatch.setattr(page_errors, "unforeseen", _raised)  # a page nobody sees drawn is a test that fails
    monkeypatch.setattr(accounts, "_COST", 2**4)  # each room makes one password that nobody has
    monkeypatch.setattr(session, "cookie_here", str)  # there is no browser that could bring one, ...
    monkeypatch.setattr(session, "address", lambda: "192.0.2.1")  # ... and none that comes from anywhere
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", _installed)
    monkeypatch.setenv("CATWALK_DATA", str(record))
    monkeypatch.setenv("CATWALK_STATE", str(tmp_path))
    (tmp_path / "read").symlink_to(record / "read")

    def page(path: str, *roles: Role, name: str = "ann", **named: str) -> AppTest:
        test = AppTest.from_file(str(ROOT / "dashboards" / "app.py"), default_timeout=30)
        test.session_state["session"] = session.sessions().begin(Person(name, roles), time() + 36_000)
        for key, value in named.items():
            test.query_params[key] = value
        test._page_hash = calc_hash(path)  # AppTest itself goes to pages that are files only
        return test.run()

    yield page
    st.cache_resource.clear()


def texts(test: AppTest) -> str:
    """All that a page says: Streamlit's own words and the HTML of our panels."""
    said: list[str] = []
    for kind in ("title", "subheader", "markdown", "caption", "info", "warning", "error", "success"):
        said += [str(each.value) for each in getattr(test, kind)]
    for element in test.main:
        if isinstance(element, UnknownElement) and element.type == "bidi_component":
            said.append(_html(element))
    return unmarked("\n".join(said))


def unmarked(text: str) -> str:
    """Words as a reader sees them: without the marks that keep them from being read as markup."""
    return text.replace("\\", "").replace("\u2060", "")


def _raised(error: Exception) -> None:
    raise error


def _html(element: UnknownElement) -> str:
    found = json.loads(element.proto.mixed.json or element.proto.json or "{}")
    return str(found.get("html", ""))
