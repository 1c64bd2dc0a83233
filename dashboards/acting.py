"""Buttons that do something: each press is done, and done once; what was typed for it stays until it was.

Streamlit breaks the drawing of a page off where the next click comes, and what that drawing was about to do is left
undone. So a press is kept until it was answered. And once something was done its button and its fields are others: the
second click of an impatient hand falls on a button that is gone.
"""

from collections.abc import Callable
from time import time
from typing import Any

import streamlit as st

from dashboards import says

_PRESSED = "pressed"
_KEPT_SECONDS = 10  # whoever left before it was answered is not to find it done when they come back much later


class Act:
    """Something that can be done here, as often as somebody wants to."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._times = f"{name}, times"

    def key(self, field: str) -> str:
        """The key of a field or a button of it: another one, and so empty, after each time."""
        return f"{self._name}, {field}, {st.session_state.get(self._times, 0)}"

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

    def waits(self, label: str) -> bool:
        """Whether a press of this button is still to be answered."""
        return time() - _pressed().get(self.key(label), 0.0) < _KEPT_SECONDS

    def pressed(self, label: str) -> bool:
        """The same, told once."""
        waits = self.waits(label)
        _pressed().pop(self.key(label), None)
        return waits

    def done(self, do: Callable[[], object]) -> bool:
        """Does it; where it is refused, why stands below it, and what was typed stays."""
        if not says.done(do):
            return False
        self.over()
        return True

    def over(self) -> None:
        """It was done: what comes next is another time."""
        st.session_state[self._times] = st.session_state.get(self._times, 0) + 1


def _pressed() -> dict[str, float]:
    pressed: dict[str, float] = st.session_state.setdefault(_PRESSED, {})
    return pressed


def _press(key: str) -> None:
    _pressed()[key] = time()
