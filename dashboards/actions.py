"""Buttons that act: each press counts exactly once, and its fields keep their text until it succeeds.

Streamlit aborts the drawing of a page at the next click, and with it the act that the drawing was about to run. So a
press is stored until it is answered. After an act, its button and fields get new keys: a second, impatient click hits a
button that no longer exists.
"""

from collections.abc import Callable
from functools import partial
from time import time
from typing import Any

import streamlit as st

from dashboards import navigation, page_errors, session
from dashboards.navigation import PageAddress

_PRESSED, _TIMES = "pressed", "times"
Leads = Callable[[], tuple[str, dict[str, str]]]  # the page that shows the result, and its address
_KEPT_SECONDS = 10  # a press left unanswered longer than this is dropped


class PageAction:
    """An action that can be repeated on a page."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._times: dict[str, int] = st.session_state.setdefault(_TIMES, {})
        self._pressed: dict[str, float] = st.session_state.setdefault(_PRESSED, {})
        self._way, self._here = navigation.way(), navigation.here()

    def key(self, field: str) -> str:
        """Return the key of one of its fields or buttons; it changes, and so empties the field, after each act."""
        return f"{self._name}, {field}, {self._times.get(self._name, 0)}"

    def once(self, part: str = "") -> str:
        """Return the idempotency key of this act, or of a part of it; it stays the same if the drawing is repeated."""
        return session.act(self.key(f"once {part}"))

    def draw(self, where: Any, label: str, **look: Any) -> None:
        """Draw its button."""
        key = self.key(label)
        where.button(label, key=key, on_click=_press, args=(key,), **look)

    def button(self, where: Any, label: str, **look: Any) -> bool:
        """Draw its button, and return whether a press waits to be answered."""
        self.draw(where, label, **look)
        return self.pressed(label)

    def sends(self, label: str) -> None:
        """Draw the submit button of a form."""
        key = self.key(label)
        st.form_submit_button(label, key=key, type="primary", on_click=_press, args=(key,))

    def pressed(self, label: str) -> bool:
        """Return whether a press of this button waits to be answered."""
        return time() - self._pressed.get(self.key(label), 0.0) < _KEPT_SECONDS

    def done(self, label: str, do: Callable[[], object], leads: Leads | None = None) -> bool:
        """Answer a press and open the resulting page; if it is refused, show the reason and keep the fields."""
        done = page_errors.done(partial(self._answer, label, do, leads))
        if done and leads is not None:
            navigation.go_on()
        return done

    def _answer(self, label: str, do: Callable[[], object], leads: Leads | None) -> None:
        try:
            do()
        except Exception:  # refused; if Streamlit aborts it, which is not an Exception, the press stays
            self._pressed.pop(self.key(label), None)
            raise
        # No Streamlit state is read here, because that may abort the drawing as well.
        self._times[self._name] = self._times.get(self._name, 0) + 1
        if leads is not None:
            self._way.lead(self._here, PageAddress(*leads()))


def answered() -> None:
    """Drop presses of buttons that are not on the page, once it is drawn to its end."""
    st.session_state.get(_PRESSED, {}).clear()


def _press(key: str) -> None:
    st.session_state.setdefault(_PRESSED, {})[key] = time()
