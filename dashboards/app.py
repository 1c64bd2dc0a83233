"""The dashboard in the browser: sign-in, and the pages that a person's roles allow.

A page that a person may not open says so at its address, and the attempt is recorded.
"""

from collections.abc import Callable
from functools import partial
from typing import Literal

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from consumers.room import Person, Right
from dashboards import cookie, formatting, navigation, page_errors, session, sign_in
from dashboards.actions import answered
from dashboards.reopen_page import again
from dashboards.views import (
    cases,
    decks,
    exports,
    findings,
    floor,
    hand,
    incidents,
    numbers,
    people,
    record,
    table,
)

Page = Callable[[], None]

# Each page with the right that lists it in the menu; the page itself checks the right again.
PAGES: tuple[tuple[str, str, str, Right, Page], ...] = (
    ("Floor", "floor", ":material/grid_view:", "see-floor", floor.page),
    ("Incidents", "incidents", ":material/report:", "see-findings", incidents.page),
    ("Table", "table", ":material/table_bar:", "see-floor", table.page),
    ("Findings", "findings", ":material/inbox:", "see-findings", findings.page),
    ("Hand", "hand", ":material/playing_cards:", "see-hands", hand.page),
    ("Decks and devices", "decks", ":material/style:", "see-floor", decks.page),
    ("People", "people", ":material/groups:", "see-people", people.page),
    ("Numbers", "numbers", ":material/monitoring:", "see-money", numbers.page),
    ("Cases", "cases", ":material/folder_shared:", "see-cases", cases.page),
    ("Exports", "exports", ":material/archive:", "order-exports", exports.page),
    ("Record health", "record", ":material/health_and_safety:", "see-record", record.page),
)
# The address without a path is the floor page too.
HOME = ("Floor", "", ":material/grid_view:", PAGES[0][3], floor.page)


def main() -> None:
    """Draw the requested page."""
    navigation.turn()
    st.set_page_config(page_title="Catwalk", page_icon=formatting.ICON, layout="wide")
    st.html(formatting.STYLE)
    who = session.person()
    if who is None:
        # Every address leads to the sign-in and stays as it is, so that a link restores its page afterwards.
        _door(sign_in.page)
        session.gone()
        return
    st.empty()  # clears the sign-in at once, not when the page is drawn to its end
    st.logo(formatting.LOGO, size="large")
    formatting.PropertyFormat.currency = session.currency()
    pages, shut = _pages(who)
    chosen = st.navigation([*pages.values(), *shut]) if pages else None
    if chosen is not None:
        navigation.begin(pages, chosen.url_path)
    session.ends()
    with st.sidebar:
        st.caption(formatting.plain(f"{who.name} · {', '.join(who.roles)}"))
        st.caption(formatting.plain(f"Times: {session.room().zone()}"))
        st.button("Sign out", on_click=session.leave, width="stretch")
        if chosen is not None and chosen.url_path in pages:
            again(chosen.url_path)
        cookie.keep()
    if chosen is None:
        _door(sign_in.no_role)
        return
    asked = session.asked_for()
    if asked is not None and asked[0] in pages:
        navigation.go(asked[0], **asked[1])
    chosen.run()
    answered()
    navigation.end()


def _pages(who: Person) -> tuple[dict[str, StreamlitPage], list[StreamlitPage]]:
    """Return the pages a person may open, and those that refuse at their address."""
    open_, shut = {}, []
    for title, path, icon, right, page in (*PAGES, HOME):
        if who.may(right):
            drawn, seen = page_errors.guarded(page), _seen(path)
            open_[path] = st.Page(drawn, title=title, icon=icon, url_path=path, default=not path, visibility=seen)
        elif path:
            barred = page_errors.guarded(partial(_barred, title, path, right))
            shut.append(st.Page(barred, title=title, url_path=path, visibility="hidden"))
    return open_, shut


def _barred(title: str, path: str, right: Right) -> None:
    """Refuse a page; the check of its right records the attempt."""
    st.title("Not for your roles")
    session.room().require(session.visit(), right, "page", path)


def _door(page: Page) -> None:
    """Return the same page for every address."""
    doors = [st.Page(page, title=title, url_path=path, default=not path) for title, path, *_ in (*PAGES, HOME)]
    chosen = st.navigation(doors, position="hidden")
    sign_in.at(chosen.url_path)
    chosen.run()


def _seen(path: str) -> Literal["visible", "hidden"]:
    return "visible" if path else "hidden"


if __name__ == "__main__":
    page_errors.guarded(main)()
