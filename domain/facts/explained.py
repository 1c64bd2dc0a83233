"""Explanations why a line is not a fact: the first wrong field, what came, what is allowed, and the nearest value.

The codec decides whether a line is a fact; this module only explains. An opening may lack the digest of its rule book
unless its source signs it. It reads members unread and looks at one field at
a time, so a long line takes little more memory than its bytes.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from domain.cards import RANKS, SUITS
from domain.facts import nearest
from domain.facts.catalogue import FILLED_IN, TYPES
from domain.facts.envelope import MOST_CENTS, Cents, Fact, Microseconds
from domain.facts.other_forms import not_json, other_form, unreadable
from domain.facts.refused import Refused
from domain.facts.words import CardText
from domain.games import BOOKS, GAMES

_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ITEMS = msgspec.json.Decoder(list[msgspec.Raw])
_LONGEST = 10_000  # bytes of a value that is looked at closely
_SHOWN = 60  # letters of a value that a sentence quotes
_WORDS_SHOWN = 30
_NEAR_NAME = 0.75  # a field is renamed only for a near name: comment is not cents
_LEAST_PART = 4  # letters of a name that is part of the right one, such as least for least_cents
_WRITERS_OWN = frozenset({"sequence", "previous"})
_TIME = "a time is in whole microseconds since 1970-01-01 UTC, up to 9999-12-29"
_MONEY = f"an amount is in whole cents, from 0 to {MOST_CENTS:,}"
_CARD = f"a card is a rank of {RANKS} and a suit of {SUITS}, or ?? if it was not seen"
# Names that other systems use. A field counts only where the type has it and the line does not.
_ALIASES = {
    "at": ("time", "timestamp", "ts", "datetime", "occurredat", "occurred", "when", "date", "moment"),
    "cents": ("amount", "value", "stake", "bet", "amountcents", "dollars", "money", "total"),
    "source_key": ("id", "key", "eventid", "uuid", "messageid", "externalid", "sourceid"),
    "source": ("device", "deviceid", "sender", "origin", "reader"),
    "stream": ("table", "tableid", "tablename", "topic"),
    "seat": ("position", "spot", "seatno", "seatnumber", "box", "player"),
    "round": ("hand", "game", "roundid", "roundno", "roundnumber", "handid", "gameid"),
    "type": ("kind", "event", "eventtype", "facttype"),
    "card": ("cards", "cardcode", "face"),
    "to": ("place", "target", "destination", "receiver"),
    "table": ("tableid", "tablename", "name"),
}


class _Wrong(msgspec.Struct, frozen=True):
    """The wrong value of a field: its path, its bytes, and the kind of value that the field has."""

    field: str
    raw: bytes
    kind: Any
    code: str = ""  # of an object within a fact: a field unknown or missing
    words: tuple[str, ...] = ()


def explained(stored: bytes, otherwise: str) -> Refused:
    """Return why this line is not a fact; `otherwise` is the codec's sentence, for what this module does not know."""
    try:
        return _explained(stored, otherwise)
    except RecursionError:
        return Refused("nested-too-deeply", "it is nested too deeply")


def _explained(stored: bytes, otherwise: str) -> Refused:
    if says := other_form(stored):
        return Refused("not-json", says, allowed="one JSON object in UTF-8")
    try:
        members = _members(stored)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return unreadable(stored, error)
    if members is None and (says := not_json(stored)):
        return Refused("not-json", says, allowed="one JSON object in UTF-8")
    if members is None:
        came = shown(stored)
        says = f"the line is {came}, and a fact is one JSON object"
        return Refused("not-an-object", says, came=came, allowed="one JSON object")
    kind = _kind(members)
    if isinstance(kind, Refused):
        return kind
    name = str(kind.__struct_config__.tag)
    fields = _fields(kind)
    due = tuple(field for field in _required(kind) if field not in FILLED_IN or "source_signature" in members)
    wrong = _names(members, {**fields, "type": str}, due) or next(_values(members, fields), None)
    return (
        _told(name, wrong, members, kind) if wrong is not None else Refused("value-wrong", f"{name}: {otherwise}", name)
    )


def shown(raw: bytes) -> str:
    """Return a value as it came, shortened."""
    text = raw[: 4 * _SHOWN].decode(errors="backslashreplace").strip()
    return text if len(text) <= _SHOWN and len(raw) <= 4 * _SHOWN else f"{text[: _SHOWN - 1]}…"


def _members(stored: bytes) -> dict[str, msgspec.Raw] | None:
    try:
        return _MEMBERS.decode(stored)
    except msgspec.ValidationError:
        return None


def _kind(members: Mapping[str, msgspec.Raw]) -> type[Fact] | Refused:
    """Return the type of fact, or why there is none of this name."""
    raw = members.get("type")
    if raw is None:
        near = next((name for name in members if _plain(name) in _ALIASES["type"]), "")
        cure = f"rename {near!r} to 'type'" if near else 'add one, such as "type":"wager-placed.1"'
        says = f"the line names no type of fact: {cure}"
        return Refused("field-missing", says, field="type", allowed="a name of docs/facts", cure=cure)
    try:
        given = msgspec.json.decode(bytes(raw), type=str) if len(raw) <= _LONGEST else ""
    except (msgspec.DecodeError, UnicodeDecodeError):
        given = ""
    if given in TYPES:
        return TYPES[given]
    near = nearest.type_name(given, TYPES)
    came, cure = shown(bytes(raw)), f'"{near}"' if near else ""
    says = f"type is {came}, and no type of fact has this name: " + (
        f"write {cure}" if cure else "docs/facts has the names"
    )
    return Refused("type-unknown", says, field="type", came=came, allowed="a name of docs/facts", cure=cure)


@cache
def _fields(kind: Any) -> dict[str, Any]:
    return {field.encode_name: field.type for field in msgspec.structs.fields(kind)}


@cache
def _required(kind: Any) -> tuple[str, ...]:
    return tuple(field.encode_name for field in msgspec.structs.fields(kind) if field.required)


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def _names(members: Mapping[str, Any], fields: Mapping[str, Any], due: tuple[str, ...], at: str = "") -> _Wrong | None:
    """Return the first name that is unknown, or else the first one missing."""
    for name, raw in members.items():
        if name not in fields:
            return _Wrong(at + name, bytes(raw), None, "field-unknown", tuple(fields))
    missing = tuple(name for name in due if name not in members)
    return _Wrong(at + missing[0], b"", fields[missing[0]], "field-missing", missing) if missing else None


def _values(members: Mapping[str, msgspec.Raw], fields: Mapping[str, Any], at: str = "") -> Iterator[_Wrong]:
    """Yield the values that their fields do not allow, in the order of the type."""
    for name, kind in fields.items():
        if name in members:
            yield from _value(kind, bytes(members[name]), at + name)


def _value(kind: Any, raw: bytes, at: str) -> Iterator[_Wrong]:
    try:
        _decoder(kind).decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = next(_within(kind, raw, at), None)
        yield found if found is not None else _Wrong(at, raw, kind)


def _within(kind: Any, raw: bytes, at: str) -> Iterator[_Wrong]:
    """Yield the wrong parts of a list or an object."""
    origin, parts = get_origin(kind), get_args(kind)
    try:
        if origin in (Union, UnionType):
            some = [part for part in parts if part not in (NoneType, msgspec.UnsetType)]
            if len(some) == 1:
                yield from _value(some[0], raw, at)
        elif origin is tuple:
            for place, item in enumerate(_ITEMS.decode(raw)):
                yield from _value(parts[0], bytes(item), f"{at}[{place}]")
        elif origin is dict:
            for name, item in _MEMBERS.decode(raw).items():
                yield from _value(parts[0], msgspec.json.encode(name), f"{at} (name)")
                yield from _value(parts[1], bytes(item), f"{at}.{name[:_SHOWN]}")
        elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            members = _MEMBERS.decode(raw)
            wrong = _names(members, _fields(kind), _required(kind), f"{at}.")
            yield from [wrong] if wrong is not None else _values(members, _fields(kind), f"{at}.")
    except (msgspec.DecodeError, UnicodeDecodeError):
        return  # it is no list or object, so it is wrong as a whole


_ADVICE = {"round": ": number the rounds of each table from 1 every gaming day"}


def _told(name: str, wrong: _Wrong, members: Mapping[str, Any], kind: type[Fact]) -> Refused:
    field, came = wrong.field, shown(wrong.raw)
    if wrong.code == "field-unknown":
        cure, allowed = _right_name(field, wrong.words, members), f"its fields are {_listed(_to_send(wrong.words))}"
        says = f"{name} has no field {field[:_SHOWN]!r}, which came with {came}: " + (
            f'write "{cure}"' if cure else allowed
        )
        return Refused("field-unknown", says, name, field[:_SHOWN], came, allowed, f'"{cure}"' if cure else "")
    if wrong.code == "field-missing":
        allowed = _allowed(wrong.kind)
        says = f"{name} must have {_listed(wrong.words, 'and')}: add the field `{field}`: {_as_noun(allowed)}"
        return Refused("field-missing", says, name, field, "", allowed, f"add the field `{field}`")
    code, cure = _cured(wrong)
    allowed = _allowed(wrong.kind)
    says = f"{name}: {field} is {came}, and {allowed}" + (f": write {cure}" if cure else _ADVICE.get(field, ""))
    return Refused(code, says, name, field, came, allowed, cure)


def _to_send(fields: tuple[str, ...]) -> tuple[str, ...]:
    """Return the fields without those that only the writer fills in."""
    return tuple(name for name in fields if name not in _WRITERS_OWN)


def _right_name(field: str, fields: tuple[str, ...], members: Mapping[str, Any]) -> str:
    at, _, last = field.rpartition(".")
    free = [name for name in _to_send(fields) if at or name not in members]
    plain = _plain(last)
    known = next((name for name in free if plain in _ALIASES.get(name, ())), "")
    near = nearest.word(last, free)
    is_part = len(plain) >= _LEAST_PART and plain in _plain(near)
    return known or (near if is_part or SequenceMatcher(None, plain, _plain(near)).ratio() >= _NEAR_NAME else "")


def _plain(name: str) -> str:
    return "".join(letter for letter in name[:_SHOWN].lower() if letter.isalnum())


def _leaf(kind: Any) -> Any:
    """Return the kind of value without the choice to leave it out."""
    if get_origin(kind) in (Union, UnionType):
        some = [part for part in get_args(kind) if part not in (NoneType, msgspec.UnsetType)]
        return some[0] if some else kind
    return kind


def _allowed(kind: Any) -> str:
    """Return what a field of this kind may hold, as a clause of a sentence."""
    kind = _leaf(kind)
    if kind == Microseconds:
        return _TIME
    if kind == Cents:
        return _MONEY
    if kind == CardText:
        return _CARD
    if get_origin(kind) is Literal:
        return f"it is one of {_listed(get_args(kind), 'or')}"
    if get_origin(kind) is tuple:
        return "a list is expected"
    if get_origin(kind) is dict or (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return "an object is expected"
    return _plainly(kind)


def _as_noun(allowed: str) -> str:
    """Return the clause of `_allowed` without its verb: `one of seat or dealer`, `a whole number from 1 to 12`."""
    noun = allowed.removeprefix("it is ").removesuffix(" is expected")
    return noun.replace("a time is in", "a time in", 1).replace("an amount is in", "an amount in", 1)


def _plainly(kind: Any) -> str:
    meta = next((part for part in getattr(kind, "__metadata__", ()) if isinstance(part, msgspec.Meta)), msgspec.Meta())
    base = getattr(kind, "__origin__", kind)
    if base is bool:
        return "it is true or false"
    if base is int:
        bounds = f" from {meta.ge:,} to {meta.le:,}" if meta.ge is not None and meta.le is not None else ""
        return f"a whole number{bounds} is expected"
    if meta.min_length is not None and meta.min_length == meta.max_length:
        return f"a text of {meta.min_length} characters is expected"
    bounds = f" of {meta.min_length} to {meta.max_length} characters" if meta.min_length is not None else ""
    return f"a text{bounds} is expected"


def _cured(wrong: _Wrong) -> tuple[str, str]:
    """Return the code of a wrong value, and what to write instead."""
    kind, text = _leaf(wrong.kind), _text(wrong.raw)
    if kind == Microseconds:
        return "time-wrong", _right_time(text or "")
    if kind == Cents:
        return "money-wrong", _right_amount(text or "")
    if kind == CardText:
        near = nearest.card(text) if text is not None else ""
        return "card-unknown", f'"{near}"' if near else ""
    if get_origin(kind) is Literal:
        words = get_args(kind)
        near = nearest.word(text or "", words) or (_book_titled(text or "") if words == BOOKS else "")
        return "word-unknown", f'"{near}"' if near else ""
    if get_origin(kind) is tuple and get_args(kind)[0] == CardText:
        held = nearest.cards(text or "")
        return "card-unknown", msgspec.json.encode(held).decode() if held else ""
    return "value-wrong", _right_value(kind, wrong.raw, text or "")


def _book_titled(given: str) -> str:
    """Return the only book whose game has these words in its title, such as COL for Colorado."""
    said = _plain(given)
    found = [book for book, game in GAMES.items() if len(said) >= _LEAST_PART and said in _plain(game.title)]
    return found[0] if len(found) == 1 else ""


def _text(raw: bytes) -> str | None:
    """Return a value as text: a string's letters, a number's digits; None for a list, an object or a long value."""
    if len(raw) > _LONGEST:
        return None
    try:
        value = msgspec.json.decode(raw, type=str)
    except (msgspec.DecodeError, UnicodeDecodeError):
        text = raw.decode(errors="replace").strip()
        return text if re.fullmatch(r"[-+0-9.eE]+|null|true|false", text) else None
    return value


def _right_time(given: str) -> str:
    found = nearest.time(given)
    if found is None:
        return ""
    at, unit = found
    return f"{at}, if the time is in UTC" if unit == "text without a zone" else str(at)


def _right_amount(given: str) -> str:
    found = nearest.cents(given)
    if found is None or not 0 <= found[0] <= MOST_CENTS:
        return ""
    if not found[1]:
        return str(found[0])
    if given.endswith(".0"):  # as a program writes a whole number of cents that it holds as a fraction
        return f"{given[:-2]}, if it is in cents, or {found[0]}, if it is in dollars"
    return f"{found[0]}, if {given} is in dollars"


def _right_value(kind: Any, raw: bytes, given: str) -> str:
    """Return a number without its quotes or its decimal point, or a number or word as text, if the field takes it."""
    tried: list[bytes] = []
    number = nearest.decimal(given)
    if number is not None and number == int(number):
        tried = [b"%d" % int(number), b'"%d"' % int(number)]
    elif given.lower() in ("true", "false"):
        tried = [given.lower().encode()]
    for each in tried:
        if each == raw:
            continue
        try:
            _decoder(kind).decode(each)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        return each.decode()
    return ""


def _listed(words: tuple[Any, ...], joined: str = "and") -> str:
    some = [str(each) or '""' for each in words[:_WORDS_SHOWN]]
    if len(words) > _WORDS_SHOWN:
        return f"{', '.join(some)} …"
    return some[0] if len(some) == 1 else f"{', '.join(some[:-1])} {joined} {some[-1]}"
