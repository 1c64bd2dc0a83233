"""An answer in three forms: a table for people, JSON for programs, CSV for spreadsheets.

An answer is rows of one kind, or one object with its own figures and several parts, each of them rows. JSON and CSV
have every field, in whole cents and UTC. The table has the columns that fit, in dollars and the property's time.
"""

import csv
import io
from collections.abc import Sequence
from datetime import date, datetime, tzinfo
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click
import msgspec

from domain.money import dollars

Form = Literal["table", "json", "csv"]
Answer = msgspec.Struct | Sequence[msgspec.Struct]
_MOST_IN_A_CELL = 60


class AnswerLayout(msgspec.Struct, frozen=True):
    """The layout of an answer: each part's columns in a table, the part that CSV has, and the number of rows shown."""

    columns: dict[str, str] = {}  # part (empty if the answer is rows): its columns; a part that is not named has all
    row: type[msgspec.Struct] | None = None  # the kind of row, if the answer is rows
    main: str = ""  # the part that CSV has by default
    most: int = 40


class AnswerPart(msgspec.Struct, frozen=True):
    """Rows of one kind; the kind is known even without rows."""

    rows: Sequence[msgspec.Struct]
    kind: type[msgspec.Struct] | None

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the rows' fields."""
        kind = type(self.rows[0]) if self.rows else self.kind
        return kind.__struct_fields__ if kind else ()


def parts_of(answer: Answer, row: type[msgspec.Struct] | None) -> dict[str, AnswerPart]:
    """The parts of an answer by name; if the answer is rows, its only part has an empty name."""
    if not isinstance(answer, msgspec.Struct):
        return {"": AnswerPart(answer, row)}
    kinds = {name: _rows_of(told) for name, told in get_type_hints(type(answer)).items()}
    return {name: AnswerPart(getattr(answer, name), kind) for name, kind in kinds.items() if kind is not None}


def _rows_of(told: Any) -> type[msgspec.Struct] | None:
    """The kind of row in a list field."""
    inner = get_args(told)[0] if get_origin(told) is tuple else None
    return inner if isinstance(inner, type) and issubclass(inner, msgspec.Struct) else None


def shown(answer: Answer, form: Form, layout: AnswerLayout, *, part: str = "", zone: tzinfo | None = None) -> str:
    """The answer in this form, or only its part `part`."""
    parts = parts_of(answer, layout.row)
    if part and part not in parts:
        raise click.BadParameter(f"{part!r}: this answer has {', '.join(parts) or 'no parts'}", param_hint="--part")
    if form == "json":
        rows = parts[part].rows if part else answer
        whole = [rows] if isinstance(rows, msgspec.Struct) else rows
        return "".join(msgspec.json.encode(row).decode() + "\n" for row in whole)
    if form == "csv":
        return _csv(parts[part or (layout.main if isinstance(answer, msgspec.Struct) else "")])
    if part or not isinstance(answer, msgspec.Struct):
        return _table(parts[part], layout.columns.get(part, ""), zone)
    texts = [_figures(answer, parts, zone)]
    for name, held in parts.items():
        if held.rows:
            left = len(held.rows) - layout.most
            more = f"... and {left} more: --part {name}\n" if left > 0 else ""
            first = AnswerPart(held.rows[: layout.most], held.kind)
            title = name.replace("_", " ").capitalize()
            texts.append(f"{title}\n{_table(first, layout.columns.get(name, ''), zone)}{more}")
    return "\n".join(texts)


def _csv(part: AnswerPart) -> str:
    """CSV of every field of every row, in whole cents and UTC; the header is there even without rows."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(part.fields)
    for row in part.rows:
        lines.writerow([_plain(getattr(row, name)) for name in part.fields])
    return written.getvalue()


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else value


def _table(part: AnswerPart, columns: str, zone: tzinfo | None) -> str:
    rows = part.rows
    if not rows:
        return f"No {'findings' if 'finding' in part.fields[:1] else 'rows'} match these filters\n"
    names = columns.split() or list(part.fields)
    cells = [[cell(name, getattr(row, name), zone) for name in names] for row in rows]
    heads = [heading(name, names) for name in names]
    widths = [max(len(row[place]) for row in [heads, *cells]) for place in range(len(names))]
    right = [_is_number(rows, name) for name in names]
    lines = [
        "  ".join(
            text.rjust(width) if to_right else text.ljust(width)
            for text, width, to_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in [heads, *cells]
    ]
    return "\n".join(lines) + "\n"


def _is_number(rows: Sequence[msgspec.Struct], name: str) -> bool:
    found = next((getattr(row, name) for row in rows if getattr(row, name) is not None), None)
    return isinstance(found, int | float) and not isinstance(found, bool)


def _figures(answer: msgspec.Struct, parts: dict[str, AnswerPart], zone: tzinfo | None) -> str:
    """The answer's own figures, one per line; a part that is one object is included."""
    told: list[tuple[str, str]] = []
    for name in answer.__struct_fields__:
        value = getattr(answer, name)
        if name in parts:
            continue
        if isinstance(value, msgspec.Struct):
            fields = value.__struct_fields__
            told += [(heading(inner, fields), cell(inner, getattr(value, inner), zone)) for inner in fields]
        else:
            told.append((heading(name, answer.__struct_fields__), cell(name, value, zone)))
    told = [(name, text) for name, text in told if text != "-"]
    width = max((len(name) for name, _ in told), default=0)
    return "".join(f"{name.ljust(width)}  {text}\n" for name, text in told)


def heading(name: str, among: Sequence[str] = ()) -> str:
    """A field's name as a heading, made distinct if another heading reads the same."""
    short = name.removesuffix("_cents").removesuffix("_at")
    return (short + "_$" if short != name and short in among else short).replace("_", " ")


def cell(name: str, value: Any, zone: tzinfo | None) -> str:
    """A value in the form people read."""
    if value is None or value in ("", ()):
        return "-"
    if name.endswith("_cents"):
        return dollars(round(value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return f"{value:.1%}" if _is_share(name) else f"{value:,.1f}"
    text = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return (
        text
        if len(text) <= _MOST_IN_A_CELL or name in ("says", "undecided", "note")
        else text[: _MOST_IN_A_CELL - 3] + "..."
    )


def _is_share(name: str) -> bool:
    return name in ("hold", "share") or name.startswith("wrong_") or name.endswith("_hold")
