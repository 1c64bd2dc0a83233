"""The question: it gives the export its name, and the contents must match it."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any, NamedTuple

from projections.export.verifier.texts import canonical, parsed
from projections.export.verifier.trouble import UnreadableError

_TEXTS = ("ordered_by", "purpose", "recipient", "signed_by", "software")
DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
HAND = re.compile("[A-Za-z0-9_.-]{1,40}/[0-9]{4}-[0-9]{2}-[0-9]{2}:[1-9][0-9]{0,6}")
MOST_LETTERS = 1000
QUESTION_KEYS = {
    *("books", "checkpoint", "files", "identities", "ordered_by", "signed_by", "purpose", "recipient", "scope"),
    *("software", "version", "zone"),
}
FORM = 4  # of exports


class Scope(NamedTuple):
    """The part of the record that is requested."""

    access: bool
    case: str
    days: list[str] | None
    finding: str
    games: list[str]
    hand: str
    player: str
    tables: list[str]
    to_date: bool

    @property
    def in_part(self) -> bool:
        """True if rounds are requested rather than days."""
        return bool(self.player or self.case or self.finding or self.hand)

    def has_day(self, day: str) -> bool:
        """Return whether a day is within the range."""
        return self.days is None or self.days[0] <= day <= self.days[1]

    def has(self, table: str, day: str, book: str) -> bool:
        """Return whether a table's day, with this game, is requested whole."""
        if self.in_part or not self.has_day(day):
            return False
        if table == "property":
            return not self.tables and not self.games
        return (not self.tables or table in self.tables) and (not self.games or book in self.games)

    @property
    def said(self) -> str:
        """The request, in words."""
        days = "all days to the checkpoint" if self.days is None else " to ".join(dict.fromkeys(self.days))
        of = {"table": " ".join(self.tables), "game": " ".join(self.games), "hand": self.hand, "player": self.player}
        of.update({"case": self.case, "finding": self.finding})
        words = [] if self.in_part and self.days is None else [days]
        words += [f"{name} {value}" for name, value in of.items() if value]
        words += ["every table"] if not words[1:] and not self.in_part else []
        return ", ".join([*words, *(["to date"] if self.to_date else []), *(["access log"] if self.access else [])])


class Question(NamedTuple):
    """The question: the scope, who asked, for whom, and the terms."""

    scope: Scope
    zone: str
    identities: str
    books: set[tuple[str, str]]  # each with the digest of its edition
    installed: list[str]  # editions that did not come with the software
    checkpoint: Any
    texts: dict[str, str]
    earlier: dict[str, list[int]]  # by witness, the sizes of the earlier heads that carry their cosignature

    @property
    def said(self) -> str:
        """The whole question, in words."""
        who = "players named" if self.identities == "named" else "players as tokens"
        texts = {name: json.dumps(text, ensure_ascii=False) for name, text in self.texts.items()}
        return (
            f"{self.scope.said}; {who}; times of {self.zone}; for {texts['recipient']}, purpose {texts['purpose']}; "
            f"ordered by {texts['ordered_by']}, signed by {texts['signed_by']}; made by {texts['software']}"
        )


def question_of(stored: bytes) -> Question:
    """Return the question in these bytes; raise unless it is valid and in the canonical form."""
    asked = parsed(stored)
    if not isinstance(asked, dict) or canonical(asked).encode() + b"\n" != stored or set(asked) != QUESTION_KEYS:
        raise ValueError("it is not written like a question")
    if type(asked["version"]) is not int or asked["version"] != FORM:
        raise UnreadableError(f"it has form {asked['version']!r}, but this verifier knows form {FORM}")
    texts = {name: asked[name] for name in _TEXTS}
    if not all(isinstance(text, str) for text in (*texts.values(), asked["zone"])):
        raise ValueError("a field that must be text is not")
    for name, text in texts.items():
        if not text or len(text) > MOST_LETTERS or " ".join(text.split()) != text or not text.isprintable():
            raise ValueError(f"{name} must be one line of 1 to {MOST_LETTERS} letters")
    if asked["ordered_by"] == asked["signed_by"]:
        raise ValueError("the same person ordered and signed it")
    if asked["identities"] not in ("tokens", "named"):
        raise ValueError(f"identities are tokens or named, not {asked['identities']!r}")
    _check_listed(_texts_of(asked["books"]), {"book", "digest", "title"})
    _check_listed(asked["files"], {"holds", "path"})
    books = {(each["book"], each["digest"]) for each in asked["books"]}
    if len(books) != len(asked["books"]):
        raise ValueError("it names an edition of a book twice")
    earlier = asked["checkpoint"]["earlier"]
    if not isinstance(earlier, dict) or not all(map(_ascends, earlier.values())):
        raise ValueError("its part about earlier checkpoints is not written like one")
    scope = _scope_of(asked["scope"])
    installed = [f"{each['book']} {each['digest']}" for each in asked["books"] if "shipped" in each]
    return Question(scope, asked["zone"], asked["identities"], books, installed, asked["checkpoint"], texts, earlier)


def _texts_of(said: Any) -> Any:
    """The editions, without the field that marks an edition as installed by the property."""
    if not isinstance(said, list) or not all(isinstance(each, dict) for each in said):
        return said
    return [
        {
            name: held for name, held in each.items() if not (name == "shipped" and held is False)
        }  # 0 is a different value
        for each in said
    ]


def _ascends(said: Any) -> bool:
    """Return whether these are numbers in ascending order."""
    good = isinstance(said, list) and said != [] and all(type(each) is int for each in said)
    return good and all(one < other for one, other in zip(said, said[1:]))


def _check_listed(said: Any, fields: set[str]) -> None:
    good = isinstance(said, list) and all(isinstance(each, dict) and set(each) == fields for each in said)
    if not good or not all(isinstance(text, str) for each in said for text in each.values()):
        raise ValueError("its books or files are not written like such lists")


def _scope_of(said: Any) -> Scope:
    if not isinstance(said, dict) or set(said) != set(Scope._fields):
        raise ValueError("its scope does not have the fields of a scope")
    scope = Scope(**said)
    days, lists = scope.days, (scope.games, scope.tables)
    texts = (scope.case, scope.finding, scope.hand, scope.player)
    good = type(scope.access) is type(scope.to_date) is bool and all(isinstance(text, str) for text in texts)
    for each in (*lists, days or []):
        good = good and isinstance(each, list) and all(isinstance(text, str) and text for text in each)
    good = good and all(each == sorted(set(each)) for each in lists)
    if good and days is not None:
        good = len(days) == 2 and days[0] <= days[1] and all(map(DAY.fullmatch, days))
        good = good and all(datetime.fromisoformat(day) for day in days)
    if not good or not all(text.isprintable() and "\n" not in text for text in (*texts, *scope.games, *scope.tables)):
        raise ValueError("its scope is not written like a scope")
    one_of = [text for text in (scope.case, scope.finding, scope.hand) if text]
    if len(one_of) > 1 or (one_of and (days or scope.tables or scope.games or scope.player)):
        raise ValueError("it combines two requests that cannot be combined")
    if not (one_of or days or scope.tables or scope.games or scope.player):
        raise ValueError("it asks for nothing")
    if (scope.player and scope.games) or (scope.in_part and (scope.access or scope.to_date)):
        raise ValueError("it combines two requests that cannot be combined")
    if scope.hand and not HAND.fullmatch(scope.hand):
        raise ValueError(f"{scope.hand!r} is not a hand")
    return scope
