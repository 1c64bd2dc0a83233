"""The messages of a page that cannot do what was requested, all in one module.

Unexpected errors go to the dashboard's log in full, and the page shows a plain sentence. A stack trace does not help
its reader and may reveal data that the reader may not see.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec

import streamlit as st

from consumers.room import (
    ForbiddenError,
    NoExportError,
    NoSuchHandError,
    OutOfReachError,
    RefusedError,
    SignInOverError,
)
from dashboards import formatting
from projections.questions.asking import AskedWronglyError, NothingFitsError
from projections.troubles import ReadModelsError

_FORESEEN = (
    *(AskedWronglyError, NothingFitsError, NoSuchHandError, ReadModelsError),
    *(NoExportError, RefusedError, ForbiddenError, SignInOverError),
)
UNFORESEEN = (
    "Something went wrong while showing this page. Load the page again. If the problem remains, tell the "
    "administrator: the dashboard's log has the cause and the time."
)
OUT_OF_REACH = (
    "The data store is unavailable. Nothing was changed. Try again in a moment. If the problem remains, tell the "
    "administrator: the dashboard's log has the cause."
)
_LOG = logging.getLogger("catwalk.room")
Given = ParamSpec("Given")


def sentence(error: Exception | str) -> str:
    """Return an error as a sentence."""
    said = str(error).strip()
    begins = said[:1] if isinstance(error, ForbiddenError) else said[:1].upper()  # it begins with a person's name
    return f"{begins}{said[1:]}{'' if said.endswith(('.', '?', '!')) else '.'}"


@contextmanager
def said() -> Iterator[None]:
    """Show a message instead of the rest of the drawing if something is missing or not allowed."""
    try:
        yield
    except _FORESEEN as error:
        st.error(formatting.plain(sentence(error)))
    except OutOfReachError as error:
        st.error(_out_of_reach(error))


def done(act: Callable[[], object]) -> bool:
    """Return whether an act was done; if it was refused, show the reason."""
    try:
        act()
    except _FORESEEN as error:
        st.warning(formatting.plain(sentence(error)))
        return False
    except OutOfReachError as error:
        st.warning(_out_of_reach(error))
        return False
    return True


def _out_of_reach(error: Exception) -> str:
    """Log why a desk or a log is unavailable, for the administrator, and return the page's message."""
    _LOG.error("the data store could not be reached", exc_info=error)
    return OUT_OF_REACH


def guarded(draw: Callable[Given, None]) -> Callable[Given, None]:
    """Return the function with unexpected errors shown in plain words and logged in full."""

    @wraps(draw)
    def drawn(*given: Given.args, **named: Given.kwargs) -> None:
        try:
            with said():
                draw(*given, **named)
        except Exception as error:
            unforeseen(error)

    return drawn


def told_and_logged(error: Exception) -> None:
    """Show that something went wrong, and log the error."""
    _LOG.error("a page could not be drawn", exc_info=error)
    st.error(UNFORESEEN)


unforeseen = told_and_logged  # a separate name, so that a test may replace it and raise instead
