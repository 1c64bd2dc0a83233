"""Buttons that do something: each press is done, and done once; what was typed for it stays until it was.

Streamlit breaks the drawing of a page off where the next click comes, and what that drawing was about to do is left
undone. So a press is kept until it was answered. And once something was done its button and its fields are others: the
second click of an impatient hand falls on a button that is gone.
"""

from collections.abc import Callable
from functools import partial
from time import time
from typing import Any

import streamlit as st

from dashboards import navigation, page_errors, session
from dashboards.navigation import Place

_PRESSED, _TIMES = "pressed", "times"
Leads = Callable[[], tuple[str, dict[str, str]]]  # the page that shows what was done, and what its address says
_KEPT_SECONDS = 10  # whoever left before it was answered is not to find it done when they come back much later


class Act:
    """Something that can be done here, as often as somebody wants to."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._times: dict[str, int] = st.session_state.setdefault(_TIMES, {})
        self._pressed: dict[str, float] = st.session_state.setdefault(_PRESSED, {})
        self._way, self._here = navigation.way(), navigation.here()

    def key(self, field: str) -> str:
        """The key of a field or a button of it: another one, and so empty, after each time."""
        return f"{self._name}, {field}, {self._times.get(self._name, 0)}"

    def once(self, part: str = "") -> str:
        """The key by which this time, or a part of it, is on record: broken off and begun anew it is still one."""
        return session.act(self.key(f"once {part}"))

    def draw(self, where: Any, label: str, **look: Any) -> None:
        """Its button."""
        key = self.key(label)
        where.button(label, key=key, on_click=_press, args=(key,), **look)

    def button(self, where: Any, label: str, **look: Any) -> bool:
        """Its button, and whether it was pressed and is still to be answered."""
        self.draw(where, label, **look)
        return self.pressed(label)

    def sends(self, label: str) -> None:
        """The button of a form."""
        key = self.key(label)
        st.form_submit_button(label, key=key, type="primary", on_click=_press, args=(key,))

    def pressed(self, label: str) -> bool:
        """Whether a press of this button is still to be answered."""
        return time() - self._pressed.get(self.key(label), 0.0) < _KEPT_SECONDS

    def done(self, label: str, do: Callable[[], object], leads: Leads | None = None) -> bool:
        """Answers a press, and goes where it leads; where it is refused, why stands below, and what was typed stays."""
        done = page_errors.done(partial(self._answer, label, do, leads))
        if done and leads is not None:
            navigation.go_on()
        return done

    def _answer(self, label: str, do: Callable[[], object], leads: Leads | None) -> None:
        try:
            do()
        except Exception:  # refused; where Streamlit breaks it off, which is no Exception, it stays to be answered
            self._pressed.pop(self.key(label), None)
            raise
        # What Streamlit holds is not asked here, for it breaks off there too.
        self._times[self._name] = self._times.get(self._name, 0) + 1
        if leads is not None:
            self._way.lead(self._here, Place(*leads()))


def answered() -> None:
    """A page was drawn to its end: a press on what is not on it is not to be found done when somebody comes back."""
    st.session_state.get(_PRESSED, {}).clear()


def _press(key: str) -> None:
    st.session_state.setdefault(_PRESSED, {})[key] = time()
