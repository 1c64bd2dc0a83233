"""Tables and figures of a panel as plain HTML: all text escaped, numbers on the right, the age at the top."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode

from dashboards import formatting, navigation, session
from dashboards.pick_list import choices


class Go(NamedTuple):
    """A cell that links to another page, by the names in its address."""

    text: str
    page: str
    named: tuple[tuple[str, str], ...]


class Badge(NamedTuple):
    """A severity."""

    severity: str


Cell = str | Go | Badge


def go(text: str, page: str, **named: str) -> Go:
    """Return a cell that links to a page."""
    return Go(text, page, tuple(named.items()))


def table(
    title: str, head: Sequence[str], rows: Iterable[Sequence[Cell]], *, right: Collection[str] = (), nothing: str = ""
) -> str:
    """Return a table with a heading; `nothing` is shown if it has no rows."""
    kinds = ["num" if name in right else "" for name in head]
    top = "".join(f'<th scope="col" class="{kind}">{escape(name)}</th>' for name, kind in zip(head, kinds, strict=True))
    body = "".join(f"<tr>{_cells(row, kinds)}</tr>" for row in rows)
    if not body:
        return f"{_title(title)}<p>{escape(nothing or 'None.')}</p>"
    label = escape(title or head[0])
    return (
        f'{_title(title)}<div class="cw-wide" tabindex="0" role="region" aria-label="{label}">'
        f'<table class="cw-table"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def figures(*told: tuple[str, str, str]) -> str:
    """Return large figures in a row, each from its name, its value, and calm, warn or bad."""
    each = "".join(
        f'<div class="cw-figure {escape(kind)}"><div>{escape(name)}</div>'
        f'<div class="cw-number">{escape(value)}</div></div>'
        for name, value, kind in told
    )
    return f'<div class="cw-figures">{each}</div>'


def panel(made_at: datetime | None, *parts: str, key: str, follows: bool = False) -> None:
    """Draw the parts under their age, and follow a clicked link; with `follows`, warn when nothing new comes."""
    age = "" if made_at is None else formatting.age(made_at, follows=follows)
    html = f"{age}{''.join(parts)}"
    chosen = choices(html, session.now().timestamp(), key=key)
    if chosen:
        page, _, names = chosen.partition("?")
        navigation.go_to(page, names)


def _title(title: str) -> str:
    return f'<div class="cw-pit" role="heading" aria-level="2">{escape(title)}</div>' if title else ""


def _cells(row: Sequence[Cell], kinds: Sequence[str]) -> str:
    return "".join(
        f'<td class="{kind}{_short(cell)}">{_cell(cell)}</td>' for cell, kind in zip(row, kinds, strict=True)
    )


def _short(cell: Cell) -> str:
    """Return the style that keeps short cells on one line: days, names, amounts."""
    text = cell if isinstance(cell, str) else cell.text if isinstance(cell, Go) else ""
    return " short" if len(text) <= _SHORT_LETTERS else ""


def _cell(cell: Cell) -> str:
    if isinstance(cell, Badge):
        return formatting.severity(cell.severity)
    if isinstance(cell, Go):
        link = escape(f"{cell.page}?{urlencode(cell.named)}")
        return f'<a href="{link}" data-go="{link}">{escape(cell.text)}</a>'
    return escape(cell)


_SHORT_LETTERS = 30
