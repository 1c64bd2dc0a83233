"""The pages that are open, by the session each belongs to: where one ends they are drawn again, as the sign-in.

Streamlit draws a page again where somebody does something on it, or where a file of the program changes. This asks for
the latter: what a page shows is gone within seconds also where nobody touches it.
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
_pages: dict[str, str] = {}  # Streamlit's name of an open page, our name of its session
_held: Final = Lock()


def belongs(session: str) -> None:
    """The page that is drawn here is of this session."""
    context = get_script_run_ctx()
    if context is not None:
        with _held:
            _pages[context.session_id] = session


async def watch(over: Callable[[set[str]], set[str]]) -> None:
    """Draw each page again whose session is over, until this is cancelled; `over` tells which of some are."""
    while True:
        await asyncio.sleep(_EVERY_SECONDS)
        try:
            for page in await asyncio.to_thread(_ended, over):
                _draw_again(page)
        except Exception:
            _LOG.exception("it could not be seen which sessions are over; it is looked for again")


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
    """Ask Streamlit to draw a page; one that was closed meanwhile is none any more."""
    manager: Any = runtime.get_instance()._session_mgr
    found = manager.get_session_info(page)
    if found is not None:
        found.session.request_rerun(None)
