"""Tables and figures of a panel, drawn as plain HTML: every word escaped, numbers to the right, its age above it."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode

from dashboards import look, session
from dashboards.choices import choices


class Go(NamedTuple):
    """A cell that leads to another page, by the names that stand in its address."""

    text: str
    page: str
    named: tuple[tuple[str, str], ...]


class Badge(NamedTuple):
    """A severity."""

    severity: str


Cell = str | Go | Badge


def go(text: str, page: str, **named: str) -> Go:
    """A cell that leads to a page."""
    return Go(text, page, tuple(named.items()))


def table(
    title: str, head: Sequence[str], rows: Iterable[Sequence[Cell]], *, right: Collection[str] = (), nothing: str = ""
) -> str:
    """A table with a heading; `nothing` is said where it has no row."""
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
    """Large figures in a row: what it is, the figure, and calm, warn or bad."""
    each = "".join(
        f'<div class="cw-figure {escape(kind)}"><div>{escape(name)}</div>'
        f'<div class="cw-number">{escape(value)}</div></div>'
        for name, value, kind in told
    )
    return f'<div class="cw-figures">{each}</div>'


def panel(made_at: datetime, *parts: str, key: str) -> None:
    """Draws them under their age, and follows the link that was chosen."""
    html = f"<style>{_STYLE}</style>{look.age(made_at)}{''.join(parts)}"
    chosen = choices(html, session.now().timestamp(), key=key)
    if chosen:
        page, _, names = chosen.partition("?")
        session.go_to(page, names)


def _title(title: str) -> str:
    return f'<div class="cw-pit" role="heading" aria-level="2">{escape(title)}</div>' if title else ""


def _cells(row: Sequence[Cell], kinds: Sequence[str]) -> str:
    return "".join(
        f'<td class="{kind}{_short(cell)}">{_cell(cell)}</td>' for cell, kind in zip(row, kinds, strict=True)
    )


def _short(cell: Cell) -> str:
    """What is short stays on one line: days, names, amounts."""
    text = cell if isinstance(cell, str) else cell.text if isinstance(cell, Go) else ""
    return " short" if len(text) <= _SHORT_LETTERS else ""


def _cell(cell: Cell) -> str:
    if isinstance(cell, Badge):
        return look.severity(cell.severity)
    if isinstance(cell, Go):
        link = escape(f"{cell.page}?{urlencode(cell.named)}")
        return f'<a href="{link}" data-go="{link}">{escape(cell.text)}</a>'
    return escape(cell)


_SHORT_LETTERS = 24
_STYLE = """
.cw-table .short{white-space:nowrap}
.cw-wide{overflow-x:auto;max-height:34rem;overflow-y:auto;margin:.2rem 0 1rem}
.cw-table{border-collapse:collapse;width:100%;font-size:1.05rem}
.cw-table th{position:sticky;top:0;text-align:left;padding:.35rem .7rem;border-bottom:2px solid currentColor;
font-weight:650;white-space:nowrap;background:color-mix(in srgb,Canvas 0%,transparent);backdrop-filter:blur(12px)}
.cw-table td{padding:.3rem .7rem;border-bottom:1px solid color-mix(in srgb,currentColor 16%,transparent);
vertical-align:top}
.cw-table .num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.cw-table a{color:inherit;font-weight:600}
.cw-figures{display:flex;flex-wrap:wrap;gap:.8rem;margin:.6rem 0 1rem}
.cw-figure{border:1px solid color-mix(in srgb,currentColor 22%,transparent);border-radius:.6rem;padding:.6rem 1rem;
border-left:.45rem solid var(--calm);min-width:9rem}
.cw-figure.ok{border-left-color:var(--ok)}.cw-figure.warn{border-left-color:var(--warn)}
.cw-figure.bad{border-left-color:var(--bad)}
.cw-number{font-size:1.7rem;font-weight:700;font-variant-numeric:tabular-nums}
"""
