"""What somebody asked for stands in the address: a field shows what the address says, and a choice goes into it.

A field keeps one key for as long as its page is open. With another key, or another beginning, it would be another field
to Streamlit, and what was just chosen in it would be lost.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any, TypeVar

import streamlit as st

from dashboards import navigation

Value = TypeVar("Value", bound=str)


class Field:
    """One field of a page, and the name it has in the address; `usual` is what it says where the address is silent."""

    def __init__(self, page: str, name: str, usual: str = "") -> None:
        self.name = name
        self.held = navigation.asked(name, usual)
        self._before = navigation.before(name, usual)
        self.usual = usual
        self._key = f"{page}, {name}"
        self._told = f"{page}, {name} as told"
        self._taken = f"{page}, {name} as chosen"

    def key(self, shows: Callable[[str], object]) -> str:
        """The key to draw it with, by what it shows for what the address says.

        It begins anew where the address changed by itself, by a link or by going back. What comes along with a click of
        before is what it showed then, and nobody's choice. It is said again while the browser may not have heard of it.
        """
        held, before = st.session_state, self._before
        if before is None:
            anew = held.get(self._told) != self.held
        else:  # unless it was chosen in that browser, which then has taken the choice back
            anew = held.get(self._taken) != self.held and held.get(self._key) == shows(before)
        if anew or self._key not in held:
            held[self._key], held[self._taken] = shows(self.held), None
            navigation.said()
        elif navigation.unheard():
            held[self._key] = held[self._key]
        held[self._told] = self.held
        return self._key

    def take(self, said: str) -> bool:
        """Puts what was chosen into the address; tells whether it is something new."""
        if said == self.held:
            return False
        navigation.put(self.name, "" if said == self.usual else said)
        self.held = st.session_state[self._told] = st.session_state[self._taken] = said
        return True


def text(where: Any, field: Field, label: str, **look: Any) -> str:
    """A field to write in; what is written stands in the address at once."""
    said: str = where.text_input(label, key=field.key(str), **look).strip()
    field.take(said)
    return said


def switch(where: Any, field: Field, label: str, **look: Any) -> bool:
    """A field that is on or off: `yes` in the address, or nothing."""
    on: bool = where.toggle(label, key=field.key("yes".__eq__), **look)
    field.take("yes" if on else "")
    return on


def one_of(where: Any, field: Field, label: str, of: Mapping[str, Value], **look: Any) -> Value:
    """One of a few, by its words; the first where the address names none of them. It stands in the address at once."""
    value = chosen(where, field, label, of, **look)
    field.take(value)
    return value


def chosen(where: Any, field: Field, label: str, of: Mapping[str, Value], **look: Any) -> Value:
    """The same in a form."""
    words = list(of)

    def named(said: str) -> str:
        return next((each for each in words if of[each] == said), words[0])

    return of[where.selectbox(label, words, key=field.key(named), **look)]


def texts(page: str, asked: Mapping[str, tuple[str, str]], places: Sequence[Any]) -> list[tuple[Field, str]]:
    """Fields of a form, each with its label and a hint; what is written goes into the address when the form is sent."""
    fields = [Field(page, name) for name in asked]
    told = zip(fields, asked.values(), cycle(places), strict=False)
    return [
        (field, place.text_input(label, key=field.key(str), placeholder=hint).strip())
        for field, (label, hint), place in told
    ]


def one_in_a_row(where: Any, field: Field, label: str, of: Sequence[Value]) -> Value:
    """One of very few, all of them in sight; the usual one where the address names none of them."""

    def named(said: str) -> str:
        return said if said in of else field.usual

    asked = where.segmented_control(label, of, key=field.key(named), required=True) or named(field.held)
    value = next(each for each in of if each == asked)
    field.take(value)
    return value


def take(said: Iterable[tuple[Field, str]]) -> None:
    """Puts what a form says into the address."""
    for field, value in said:
        field.take(value)
