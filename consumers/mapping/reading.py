"""The mapping file: what it may say, read strictly."""

import codecs
import tomllib
from datetime import tzinfo
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec


class Not(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A condition: the column holds none of these words."""

    none_of: list[str]


Where = dict[str, str | list[str] | Not]  # a column and what it must hold; "*" is anything, "" is nothing


class RowForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The form of the file that is mapped."""

    format: Literal["csv", "jsonl"] = "csv"
    delimiter: Annotated[str, msgspec.Meta(min_length=1, max_length=1)] = ","
    encoding: str = "utf-8"


class Times(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Notation of times in the file: a pattern of strptime, or a unit since 1970."""

    format: str = "iso"
    zone: str = ""  # of times that name none
    # Of the hour that clocks repeat in fall: which of the two is meant, or that the order of each table's rows says it.
    repeated_hour: Literal["refused", "first", "second", "by-order"] = "refused"


class CardNotation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Notation of cards in the file: the suit after the rank or before it, and its own words for ranks and suits."""

    suit_first: bool = False
    ranks: dict[str, str] = {}
    suits: dict[str, str] = {}
    unseen: list[str] = []
    between: str = " "  # between the cards of a list; empty if they follow one another


class MappingStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Facts that a row becomes: under a condition, and once for each value of its loops."""

    facts: list[dict[str, Any]]
    when: Where = {}
    each: dict[str, list[Any] | dict[str, Any]] = {}
    first: bool = False  # only at the first row of the file that meets the condition


class Mapping(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Content of a mapping file."""

    key: str
    every: dict[str, Any]  # fields of every fact: at, source, stream
    step: list[MappingStep]
    rows: RowForm = RowForm()
    times: Times = Times()
    cards: CardNotation = CardNotation()
    codes: dict[str, dict[str, Any]] = {}
    ignore: list[Where] = []

    @property
    def zone(self) -> tzinfo | None:
        """The zone of times that name none."""
        return ZoneInfo(self.times.zone) if self.times.zone else None


class MappingError(ValueError):
    """A mapping file that cannot be used; the message says where and why."""


def read(path: Path) -> Mapping:
    """Return the mapping in a file."""
    try:
        found = msgspec.convert(tomllib.loads(path.read_text("utf-8")), Mapping)
        _ = found.zone
        codecs.lookup(found.rows.encoding)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MappingError(f"{path} is not TOML: {error}") from error
    except msgspec.ValidationError as error:
        raise MappingError(f"{path}: {error}. docs/mapping.md lists what a mapping may say") from error
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise MappingError(f"{path}: times.zone is no time zone: {error}. Write it like America/New_York") from error
    except LookupError as error:
        raise MappingError(f"{path}: rows.encoding: {error}. Write it like utf-8 or cp1252") from error
    return found
