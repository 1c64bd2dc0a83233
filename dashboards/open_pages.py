"""The open pages by session: when a session ends, its pages are drawn again and show the sign-in.

Streamlit draws a page again on user input, or when a file of the program changes. This module triggers the latter, so
that the contents of a page disappear within seconds even without input.
"""

import asyncio
import logging
from collections.abc import Callable
from threading import Lock
from typing import Any, Final

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

_EVERY_SECONDS: Final = 1.0
_LOG: Final = logging.getLogger("catwalk.room")
_pages: dict[str, str] = {}  # Streamlit's id of an open page, our id of its session
_held: Final = Lock()


def belongs(session: str) -> None:
    """Assign the page being drawn to this session."""
    context = get_script_run_ctx()
    if context is not None:
        with _held:
            _pages[context.session_id] = session


async def watch(over: Callable[[set[str]], set[str]]) -> None:
    """Redraw each page whose session has ended, until canceled; `over` returns the ended ones of some sessions."""
    while True:
        await asyncio.sleep(_EVERY_SECONDS)
        try:
            for page in await asyncio.to_thread(_ended, over):
                _draw_again(page)
        except Exception:
            _LOG.exception("the check for ended sessions failed; it will be tried again")


def _ended(over: Callable[[set[str]], set[str]]) -> list[str]:
    with _held:
        held = dict(_pages)
    if not held:
        return []
    done = over(set(held.values()))
    found = [page for page, session in held.items() if session in done]
    with _held:
        for page in found:
            if _pages.get(page) == held[page]:
                del _pages[page]
    return found


def _draw_again(page: str) -> None:
    """Ask Streamlit to redraw a page, unless it was closed meanwhile."""
    manager: Any = runtime.get_instance()._session_mgr
    found = manager.get_session_info(page)
    if found is not None:
        found.session.request_rerun(None)
