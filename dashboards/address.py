"""Fields whose values are in the address: a field shows the address, and a choice changes it.

A field keeps one key for as long as its page is open. With another key, or another initial value, it would be a new
field to Streamlit, and the latest choice would be lost.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any, TypeVar

import streamlit as st

from dashboards import navigation

Value = TypeVar("Value", bound=str)


class Field:
    """One field of a page and its name in the address; `usual` is its value if the address has none."""

    def __init__(self, page: str, name: str, usual: str = "") -> None:
        self.name = name
        self.held = navigation.asked(name, usual)
        self._before = navigation.before(name, usual)
        self.usual = usual
        self._key = f"{page}, {name}"
        self._told = f"{page}, {name} as addressed"
        self._taken = f"{page}, {name} as chosen"

    def key(self, shows: Callable[[str], object]) -> str:
        """Return the key to draw it with, given the widget's value for a text of the address.

        The field resets if the address changes by itself, through a link or the back button. A click made before that
        brings the old value along; it is not a choice. The value is set again until the browser has surely received it.
        """
        held, before = st.session_state, self._before
        if before is None:
            moved = held.get(self._told) != self.held
        else:  # unless the browser itself chose it and then reverted the choice
            moved = held.get(self._taken) != self.held and held.get(self._key) == shows(before)
        if moved or self._key not in held:
            held[self._key], held[self._taken] = shows(self.held), None
            navigation.said()
        elif navigation.unheard():
            held[self._key] = held[self._key]
        held[self._told] = self.held
        return self._key

    def take(self, said: str) -> bool:
        """Put a choice into the address; return whether it is new."""
        if said == self.held:
            return False
        navigation.put(self.name, "" if said == self.usual else said)
        self.held = st.session_state[self._told] = st.session_state[self._taken] = said
        return True


def text(where: Any, field: Field, label: str, **look: Any) -> str:
    """Draw a text field; its text goes into the address at once."""
    said: str = where.text_input(label, key=field.key(str), **look).strip()
    field.take(said)
    return said


def switch(where: Any, field: Field, label: str, **look: Any) -> bool:
    """Draw a switch: `yes` in the address, or nothing."""
    on: bool = where.toggle(label, key=field.key("yes".__eq__), **look)
    field.take("yes" if on else "")
    return on


def one_of(where: Any, field: Field, label: str, of: Mapping[str, Value], **look: Any) -> Value:
    """Draw a list of labeled options; the first is the default. The choice goes into the address at once."""
    value = chosen(where, field, label, of, **look)
    field.take(value)
    return value


def chosen(where: Any, field: Field, label: str, of: Mapping[str, Value], **look: Any) -> Value:
    """Draw a list of options inside a form."""
    words = list(of)

    def named(said: str) -> str:
        return next((each for each in words if of[each] == said), words[0])

    return of[where.selectbox(label, words, key=field.key(named), **look)]


def texts(page: str, asked: Mapping[str, tuple[str, str]], places: Sequence[Any]) -> list[tuple[Field, str]]:
    """Draw the text fields of a form, each with a label and a hint; they go into the address on submit."""
    fields = [Field(page, name) for name in asked]
    told = zip(fields, asked.values(), cycle(places), strict=False)
    return [
        (field, place.text_input(label, key=field.key(str), placeholder=hint).strip())
        for field, (label, hint), place in told
    ]


def one_in_a_row(where: Any, field: Field, label: str, of: Sequence[Value]) -> Value:
    """Draw a few options side by side, with the usual one as default."""

    def named(said: str) -> str:
        return said if said in of else field.usual

    asked = where.segmented_control(label, of, key=field.key(named), required=True) or named(field.held)
    value = next(each for each in of if each == asked)
    field.take(value)
    return value


def take(said: Iterable[tuple[Field, str]]) -> None:
    """Put the fields of a form into the address."""
    for field, value in said:
        field.take(value)
