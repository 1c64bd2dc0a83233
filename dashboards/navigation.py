"""Navigation between pages, and the contents of the address: a page is drawn where it was last led.

A click made before the browser received a new address brings the old one along. If Streamlit drew that one, the latest
choice would be undone, and an opened item would not be shown although the address names it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import time
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_PAGES, _WAY, _DRAWN = "pages", "way", "drawn"
_UNHEARD_SECONDS = 1  # time in which an aborted drawing may not have been sent
_MIXED_SECONDS = 3  # time in which a browser may still be opening the previous page
_UNDER_WAY_SECONDS = 10  # the longest delay of a click on a slow line


class PageAddress(NamedTuple):
    """A page and its address."""

    page: str
    names: dict[str, str]


@dataclass
class Way:
    """The place of a session. Recording it uses no Streamlit call, because that may abort a drawing."""

    page: str | None = None
    came: float = 0.0  # when this page was opened, or a field was set by the program
    late: dict[str, str] | None = None  # the address that came with an earlier click
    turned: float = 0.0  # when this page was opened, or led to another
    mixed: bool = False  # True if the browser may show it under another page's address
    to: PageAddress | None = None
    left: list[tuple[PageAddress, float]] = field(default_factory=list)  # earlier places, and when each was left

    def lead(self, at: PageAddress, to: PageAddress) -> None:
        """Move from one place to another, so that a click made at the old one does not lead back.

        Only earlier places of the same page count: a person may want to go back to another page.
        """
        now = time()
        known = [*self.left, (self.to, now)] if self.to is not None and at.page == to.page else []
        fresh = [(place, until) for place, until in known if now - until < _UNDER_WAY_SECONDS and place != at]
        self.left = [(place, until) for place, until in (*fresh, (at, now)) if place != to]
        self.to, self.turned = to, now

    def forget(self) -> None:
        """Accept any place from now on."""
        self.to = None

    def astray(self, at: PageAddress) -> PageAddress | None:
        """Return the right place for a drawing that an earlier click asked for."""
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
    """Return the navigation state of this session."""
    held: Way = st.session_state.setdefault(_WAY, Way())
    return held


def here() -> PageAddress:
    """Return the place of this drawing."""
    return PageAddress(way().page or "", st.query_params.to_dict())


def turn() -> None:
    """Stop the parts of the previous page if a new page is drawn; call this first.

    A click on such a part, or its timer, would be answered after the new page is drawn. There is nothing left to answer
    it with, but the browser, told that it is on the old page, would remove the new one.
    """
    context = get_script_run_ctx()
    if context is not None and st.session_state.get(_DRAWN) != context.page_script_hash:
        context.fragment_storage.clear()
        st.session_state[_DRAWN] = context.page_script_hash


def begin(pages: Mapping[str, Any], path: str) -> None:
    """Begin to draw a page: one of these, at its right place."""
    st.session_state[_PAGES] = pages
    known = way()
    if path != known.page:
        now = time()
        known.mixed = known.mixed or now - known.turned < _MIXED_SECONDS
        known.page, known.came, known.turned = path, now, now
    _arrive()


def end() -> None:
    """Finish drawing a page.

    A browser that is led quickly from page to page mixes up their addresses or loses one. So the address is sent again
    at the end; earlier, while it opens a page, the browser would apply it to the previous page.
    """
    if way().mixed:
        st.query_params.from_dict(st.query_params.to_dict())
        way().mixed = False


def part() -> None:
    """Begin a part of a page that uses the address, drawn with its page or by itself."""
    context = get_script_run_ctx()
    if context is not None and context.fragment_ids_this_run:
        _arrive()


def _arrive() -> None:
    """Move a drawing to its right place if an earlier click asked for it."""
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
    """Return the value of this name in the address."""
    return st.query_params.get(name, usual)


def before(name: str, usual: str = "") -> str | None:
    """Return the value in the address this drawing came with, if it has changed since."""
    late = way().late
    return None if late is None else late.get(name, usual)


def said() -> None:
    """Note that the program set a field."""
    way().came = time()


def unheard() -> bool:
    """Return whether that may be lost: Streamlit never sends the unsent part of an aborted drawing."""
    return time() - way().came < _UNHEARD_SECONDS


def put(name: str, value: str) -> None:
    """Put a value into the address; an empty value removes the name."""
    names = {**st.query_params.to_dict(), name: value}
    put_all({each: words for each, words in names.items() if each != name or value})


def put_all(names: Mapping[str, str]) -> None:
    """Replace the address of this page."""
    at = here()
    way().lead(at, PageAddress(at.page, dict(names)))
    st.query_params.from_dict(names)


def page(path: str) -> Any:
    """Return a page of this session by its path."""
    return st.session_state[_PAGES][path]


def go(path: str, /, **named: str) -> None:
    """Open a page, like a link with these names; a click on the page being left may lead back there."""
    at, to = here(), PageAddress(path, named)
    if path == at.page:
        way().lead(at, to)
    else:
        way().forget()
    _switch(to)


def go_to(path: str, query: str) -> None:
    """Open a page by its path and the query of an address; a page outside the list stays closed."""
    if path in st.session_state[_PAGES]:
        go(path, **dict(parse_qsl(query)))


def go_on() -> None:
    """Open the page that shows the result of an act."""
    if (to := way().to) is not None:
        _switch(to)


def _switch(to: PageAddress) -> None:
    st.switch_page(page(to.page), query_params=to.names)
