"""Pages run by Streamlit's own test, over the small record of the room, for whoever is signed in."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import UnknownElement
from streamlit.util import calc_hash

from dashboards import says
from domain.desk.roles import Person, Role
from tests.citations import ROOT
from tests.room.conftest import record

__all__ = ["Opening", "record", "texts", "unmarked"]

Opening = Callable[..., AppTest]


@pytest.fixture
def opening(record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opening]:
    """Opens a page as somebody with these roles, at a desk nobody has worked at."""
    st.cache_resource.clear()
    monkeypatch.setattr(says, "unforeseen", _raised)  # a page nobody sees drawn is a test that fails
    monkeypatch.setenv("CATWALK_DATA", str(record))
    monkeypatch.setenv("CATWALK_STATE", str(tmp_path))
    (tmp_path / "read").symlink_to(record / "read")

    def page(path: str, *roles: Role, name: str = "ann", **named: str) -> AppTest:
        test = AppTest.from_file(str(ROOT / "dashboards" / "app.py"), default_timeout=30)
        test.session_state["person"] = Person(name, roles)
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
    """Words as somebody reads them: without what keeps them from being taken for markup."""
    return text.replace("\\", "").replace("\u2060", "")


def _raised(error: Exception) -> None:
    raise error


def _html(element: UnknownElement) -> str:
    found = json.loads(element.proto.mixed.json or element.proto.json or "{}")
    return str(found.get("html", ""))
