"""What a page says where it cannot do what somebody asked: one place, so that all of it reads as sentences.

What nobody foresaw goes to the log of the room, whole, and the page says so in plain words: a trace of calls helps
nobody who looks at cards, and may tell what is not theirs to see.
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
    """What an error says, as a sentence."""
    said = str(error).strip()
    begins = said[:1] if isinstance(error, ForbiddenError) else said[:1].upper()  # it begins with somebody's name
    return f"{begins}{said[1:]}{'' if said.endswith(('.', '?', '!')) else '.'}"


@contextmanager
def said() -> Iterator[None]:
    """Says what is not there or not allowed in place of what was to be drawn from here on."""
    try:
        yield
    except _FORESEEN as error:
        st.error(formatting.plain(sentence(error)))
    except OutOfReachError as error:
        st.error(_out_of_reach(error))


def done(act: Callable[[], object]) -> bool:
    """Whether an act was done; where it was refused, why stands below it."""
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
    """A desk or a log that another holds: why is for whoever looks after the room."""
    _LOG.error("what is kept could not be reached", exc_info=error)
    return OUT_OF_REACH


def guarded(draw: Callable[Given, None]) -> Callable[Given, None]:
    """The same, and what nobody foresaw is told in plain words and logged whole."""

    @wraps(draw)
    def drawn(*given: Given.args, **named: Given.kwargs) -> None:
        try:
            with said():
                draw(*given, **named)
        except Exception as error:
            unforeseen(error)

    return drawn


def told_and_logged(error: Exception) -> None:
    """Tells that something went wrong here, and logs what."""
    _LOG.error("a page could not be drawn", exc_info=error)
    st.error(UNFORESEEN)


unforeseen = told_and_logged  # by a name of its own, so that a test may have it raised instead
