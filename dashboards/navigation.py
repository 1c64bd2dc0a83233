"""Ways from page to page, and what the address says: a page is drawn where it was led last.

A click that was made before the browser knew of a new address brings the old one along. Streamlit would draw that one:
what was chosen a moment ago would be undone, and what was opened would not be shown though the address names it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import time
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_PAGES, _WAY, _DRAWN = "pages", "way", "drawn"
_UNHEARD_SECONDS = 1  # in which a drawing that is broken off may not have been sent yet
_MIXED_SECONDS = 3  # in which a browser may still be on its way to the page before
_UNDER_WAY_SECONDS = 10  # so long a click may take to come, where everything is slow


class Place(NamedTuple):
    """A page and what its address says."""

    page: str
    names: dict[str, str]


@dataclass
class Way:
    """Where a session is; to write it down asks Streamlit for nothing, for that may break a drawing off."""

    page: str | None = None
    came: float = 0.0  # when this page was opened, or something said in it that nobody chose there
    late: dict[str, str] | None = None  # the address that came along with a click of before
    turned: float = 0.0  # when this page was opened, or led on
    mixed: bool = False  # whether the browser may show it under the address of another
    to: Place | None = None
    left: list[tuple[Place, float]] = field(default_factory=list)  # places where it was, and until when

    def lead(self, at: Place, to: Place) -> None:
        """It goes on from here to there, and is not led back by a click that was made here.

        Of the places before only those of the same page count: to another page somebody may want to go back.
        """
        now = time()
        known = [*self.left, (self.to, now)] if self.to is not None and at.page == to.page else []
        fresh = [(place, until) for place, until in known if now - until < _UNDER_WAY_SECONDS and place != at]
        self.left = [(place, until) for place, until in (*fresh, (at, now)) if place != to]
        self.to, self.turned = to, now

    def forget(self) -> None:
        """Wherever it is asked for from now on is meant."""
        self.to = None

    def astray(self, at: Place) -> Place | None:
        """Where it belongs, for a drawing that was asked for by a click of before."""
        if self.to is None or at == self.to:
            return None
        now = time()
        late = any(place == at and now - until < _UNDER_WAY_SECONDS for place, until in self.left)
        if late and not _went_back():
            return self.to
        self.forget()
        return None


def _went_back() -> bool:
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def way() -> Way:
    """That of this session."""
    held: Way = st.session_state.setdefault(_WAY, Way())
    return held


def here() -> Place:
    """Where this drawing is."""
    return Place(way().page or "", st.query_params.to_dict())


def turn() -> None:
    """Called first of all: where another page is drawn than before, the parts of that one are asked for no more.

    A click on such a part, or its own clock, that comes while the new page is drawn would be answered after it. By then
    there is nothing to answer it with; but the browser, told that it is on the old page, would take the new one away.
    """
    context = get_script_run_ctx()
    if context is not None and st.session_state.get(_DRAWN) != context.page_script_hash:
        context.fragment_storage.clear()
        st.session_state[_DRAWN] = context.page_script_hash


def begin(pages: Mapping[str, Any], path: str) -> None:
    """A page is drawn: one of these, where it belongs."""
    st.session_state[_PAGES] = pages
    known = way()
    if path != known.page:
        now = time()
        known.mixed = known.mixed or now - known.turned < _MIXED_SECONDS
        known.page, known.came, known.turned = path, now, now
    _arrive()


def end() -> None:
    """A page was drawn to its end.

    A browser that is led from page to page quickly keeps what the address of one says for the other, or loses it: it is
    told anew, at the end, for while it opens a page it would take that for the one before.
    """
    if way().mixed:
        st.query_params.from_dict(st.query_params.to_dict())
        way().mixed = False


def part() -> None:
    """A part of a page that reads or writes the address is drawn: with its page, or by itself."""
    context = get_script_run_ctx()
    if context is not None and context.fragment_ids_this_run:
        _arrive()


def _arrive() -> None:
    """Puts a drawing where it belongs, if a click of before asked for it."""
    known, at = way(), here()
    known.late, to = None, known.astray(at)
    if to is None:
        return
    if to.page == at.page:
        known.late = at.names
        st.query_params.from_dict(to.names)
    else:
        _switch(to)


def asked(name: str, usual: str = "") -> str:
    """What the address says under this name."""
    return st.query_params.get(name, usual)


def before(name: str, usual: str = "") -> str | None:
    """What the address said with which this drawing was asked for, where it is another one since."""
    late = way().late
    return None if late is None else late.get(name, usual)


def said() -> None:
    """A field was given what nobody chose in it."""
    way().came = time()


def unheard() -> bool:
    """Whether that may have been lost: what Streamlit has not sent when a drawing is broken off it never sends."""
    return time() - way().came < _UNHEARD_SECONDS


def put(name: str, value: str) -> None:
    """Puts it into the address; an empty value takes the name out."""
    names = {**st.query_params.to_dict(), name: value}
    put_all({each: words for each, words in names.items() if each != name or value})


def put_all(names: Mapping[str, str]) -> None:
    """The address of this page says this and nothing else."""
    at = here()
    way().lead(at, Place(at.page, dict(names)))
    st.query_params.from_dict(names)


def page(path: str) -> Any:
    """A page of this session by its path."""
    return st.session_state[_PAGES][path]


def go(path: str, /, **named: str) -> None:
    """Opens a page, as a link with these names would; a click on the page that is left by it may lead back there."""
    at, to = here(), Place(path, named)
    if path == at.page:
        way().lead(at, to)
    else:
        way().forget()
    _switch(to)


def go_to(path: str, query: str) -> None:
    """Opens a page by its path and the names of an address; one that is not in the list stays shut."""
    if path in st.session_state[_PAGES]:
        go(path, **dict(parse_qsl(query)))


def go_on() -> None:
    """Goes to where something that was done has led."""
    if (to := way().to) is not None:
        _switch(to)


def _switch(to: Place) -> None:
    st.switch_page(page(to.page), query_params=to.names)
