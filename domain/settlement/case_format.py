"""The case format: one round as a person could write it down, a JSON object a line.

Reading turns the written actions into what settlement looks at: the last decision of each seat, and the wagers
that ride on it. Cards nobody wrote down are unknown, never absent.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from domain.cards import UNKNOWN, BadCardError, card, cards, show
from domain.rulebooks import BOOKS, BadHouseError, House, house
from domain.settlement import KINDS
from domain.settlement.fast_action import is_natural
from domain.settlement.played import Cards, Found, Irregularity, Round, Seat, all_cards

FIELDS = frozenset(
    (
        *("id", "tags", "note", "rulebook", "config", "dealing_method", "layout", "marker", "seats", "dealer"),
        *("community", "six_card_box", "burns", "burn_reasons", "dealer_kept", "irregularity", "round_void"),
        *("expected", "expected_aggregates", "expected_alternatives", "expected_meters_after"),
    )
)
PLACED = {
    "UTH-MA": frozenset(["ante", "blind", "trips", "cover_all", "progressive"]),
    "UTH-MD": frozenset(
        ["ante", "blind", "trips", "progressive", "six_card", "ultimate_pairs", "bad_beat", "play_the_board"]
    ),
    "PIK": frozenset(["ante", "bonus5", "bonus3"]),
    "FAH": frozenset(["original"]),
    "COL": frozenset(["ante", "bonus"]),
}
# Cards of (a hand, the dealer, the community) in a round that went to its end.
_COUNTS = {"UTH-MA": (2, 2, 5), "UTH-MD": (2, 2, 5), "PIK": (5, 5, 0), "FAH": (4, 4, 5), "COL": (3, 0, 3)}
_MISCOUNTED = frozenset({"wrong-count", "stub-count", "long-hand", "short-hand", "insufficient-cards", "jam"})


class BadCaseError(ValueError):
    """A case line that cannot be read: what is wrong, and where."""


class Case(msgspec.Struct):
    """One line read: the round, the house it was played under, and what its writer expects of it."""

    id: str
    house: House
    played: Round
    raw: dict[str, Any]
    unread: tuple[str, ...] = ()


def read(line: bytes | str) -> Case:
    """Reads one line; BadCaseError says what is wrong with it."""
    try:
        raw = msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        raise BadCaseError(f"it is not JSON: {error}") from error
    if not isinstance(raw, dict):
        raise BadCaseError("it is not a JSON object")
    return from_object(raw)


def from_object(raw: dict[str, Any]) -> Case:
    """Reads a case that is already an object."""
    book = raw.get("rulebook")
    if book not in BOOKS:
        raise BadCaseError(f"rulebook is {book!r}: choose one of {', '.join(BOOKS)}")
    config = _as(dict, raw.get("config") or {}, "config")
    try:
        chosen = house(book, config, raw.get("dealing_method"))
    except BadHouseError as error:
        raise BadCaseError(f"config: {error}") from error
    try:
        played = _round(book, chosen, raw)
    except BadCardError as error:
        raise BadCaseError(str(error)) from error
    _refuse_doubles(chosen, played)
    return Case(
        id=str(raw.get("id", "")),
        house=chosen,
        played=played,
        raw=raw,
        unread=tuple(sorted(raw.keys() - FIELDS)),
    )


def _as(kind: type, value: Any, where: str) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise BadCaseError(f"{where} is {msgspec.json.encode(value).decode()}, not {_WORDS[kind]}")
    return value


_WORDS = {dict: "an object", list: "a list", int: "a whole number", str: "a text"}


def _cards(raw: dict[str, Any], field: str, where: str) -> Cards:
    held = raw.get(field)
    return cards(_as(list, held, f"{where}{field}")) if held is not None else ()


def _padded(held: Cards, size: int) -> Cards:
    return held + (UNKNOWN,) * (size - len(held))


def _round(book: str, chosen: House, raw: dict[str, Any]) -> Round:
    a_hand, dealers, communal = _COUNTS[book]
    dealer, community = _cards(raw, "dealer", ""), _cards(raw, "community", "")
    what = _irregularity(book, raw.get("irregularity"))
    seats = [_seat(book, chosen, _as(dict, entry, "a seat"), a_hand) for entry in _as(list, raw.get("seats"), "seats")]
    if not seats:
        raise BadCaseError("seats is empty: a round has at least one player")
    numbers = [seat.seat for seat in seats]
    if len(set(numbers)) != len(numbers):
        raise BadCaseError(f"seat {max(numbers, key=numbers.count)} stands there twice")
    counted = [("the dealer", dealer, dealers), ("the community area", community, communal)]
    counted += [(f"seat {seat.seat}", seat.cards, a_hand) for seat in seats]
    for whose, held, most in counted:
        if len(held) > most and (what is None or what.kind not in _MISCOUNTED):
            raise BadCaseError(f"{whose} has {len(held)} cards, {most} are dealt, and no irregularity says why")
    ended_early = book == "FAH" and UNKNOWN not in dealer and len(dealer) == dealers and is_natural(dealer)
    return Round(
        book=book,
        seats=tuple(sorted(seats, key=lambda seat: seat.seat)),
        dealer=_padded(dealer, dealers),
        community=community if ended_early else _padded(community, communal),
        six_card_box=_cards(raw, "six_card_box", ""),
        dealer_kept=_cards(raw, "dealer_kept", ""),
        irregularity=what,
    )


def _refuse_doubles(chosen: House, played: Round) -> None:
    """One deck holds each card once, six decks six times: more is a slip of the pen."""
    copies = chosen["decks"] if played.book == "FAH" else 1
    seen = [held for held in all_cards(played) if held != UNKNOWN]
    for held in set(seen):
        if seen.count(held) > copies:
            raise BadCaseError(f"{show([held])} stands there {seen.count(held)} times, and there are {copies}")


def _seat(book: str, chosen: House, raw: dict[str, Any], a_hand: int) -> Seat:
    number = _as(int, raw.get("seat"), "seat")
    where = f"seat {number}: "
    wagers = dict(_as(dict, raw.get("wagers"), f"{where}wagers"))
    for wager, cents in wagers.items():
        if wager not in PLACED[book]:
            raise BadCaseError(f"{where}{book} knows no wager {wager!r}: it knows {', '.join(sorted(PLACED[book]))}")
        _amount(cents, f"{where}{wager}")
    needed = "original" if book == "FAH" else "ante"
    if needed not in wagers:
        raise BadCaseError(f"{where}there is no {needed} wager")
    fields: dict[str, Any] = {
        "seat": number,
        "wagers": wagers,
        "cards": _padded(_cards(raw, "cards", where), a_hand),
        "player": str(raw.get("player", "")),
        "coupons": _coupons(raw, wagers, where),
    }
    for action in _as(list, raw.get("actions") or [], f"{where}actions"):
        _act(book, _Turn(chosen, _as(dict, action, f"{where}an action"), fields, where))
    return Seat(**fields)


def _amount(cents: Any, where: str) -> int | None:
    if cents is not None and (_as(int, cents, where) < 0):
        raise BadCaseError(f"{where} is {cents}: an amount is whole cents, or null where nobody saw it")
    return None if cents is None else int(cents)


def _coupons(raw: dict[str, Any], wagers: dict[str, Any], where: str) -> dict[str, int]:
    coupons = dict(_as(dict, raw.get("coupons") or {}, f"{where}coupons"))
    for wager, face in coupons.items():
        stake = wagers.get(wager)
        if wager not in wagers or _as(int, face, f"{where}coupons.{wager}") < 0 or (stake is not None and face > stake):
            raise BadCaseError(f"{where}the coupon on {wager} is {face}: it is part of a wager that was placed")
    return coupons


class _Turn(msgspec.Struct):
    """One action of a seat, and the fields of that seat as they are being read."""

    house: House
    action: dict[str, Any]
    fields: dict[str, Any]
    where: str

    def cards(self, field: str) -> Cards:
        return _cards(self.action, field, self.where)

    def stake(self, wager: str, multiple: int | None, of: str = "ante") -> None:
        """Places the wager that rides on this action; left out, it is the one amount the rules allow."""
        base = self.fields["wagers"].get(of)
        otherwise = None if multiple is None or base is None else base * multiple
        given = "cents" in self.action
        self.fields["wagers"][wager] = _amount(self.action["cents"], self.where + wager) if given else otherwise

    def choose(self, choice: str, **parts: Cards) -> None:
        self.fields |= {"choice": choice, **parts}


Act = Callable[[_Turn], None]


def _act(book: str, turn: _Turn) -> None:
    name, acts = turn.action.get("action"), _ACTIONS[book]
    if name == "abandon":
        turn.fields["left"] = True
    elif name in acts:
        acts[name](turn)
    else:
        raise BadCaseError(f"{turn.where}{book} knows no action {name!r}: it knows {', '.join(sorted(acts))}, abandon")


def _check(_: _Turn) -> None:
    """A check defers the decision and changes nothing."""


def _chosen(choice: str) -> Act:
    """An action that is nothing but a decision."""
    return lambda turn: turn.choose(choice)


def _uth_play(turn: _Turn) -> None:
    """After the flop one multiple is allowed, and one at the river; before the flop there are two."""
    turn.stake("play", {"flop": 2, "river": 1}.get(turn.action.get("street", "")))
    turn.choose("play")


def _pik_select(turn: _Turn) -> None:
    turn.fields["selected"] = turn.cards("selected")


def _pik_play(wager: str) -> Act:
    def play(turn: _Turn) -> None:
        turn.stake(wager, turn.house[f"{wager}_multiple"])
        turn.choose(wager)

    return play


def _kept(turn: _Turn) -> Cards:
    """The two cards kept: written down, or what the discards leave of the hand."""
    if "kept" in turn.action:
        return _two(turn.cards("kept"), turn.where)
    left = list(turn.fields["cards"]) if "discarded" in turn.action else []
    for gone in turn.cards("discarded"):
        if gone not in left:
            raise BadCaseError(f"{turn.where}{show([gone])} was discarded and never dealt")
        left.remove(gone)
    return _two(tuple(left), turn.where)


def _two(held: Cards, where: str) -> Cards:
    if len(held) > 2:
        raise BadCaseError(f"{where}{show(held)} are {len(held)} cards: two are kept")
    return _padded(held, 2)


def _fah_set(turn: _Turn) -> None:
    turn.choose("set", kept=_kept(turn))


def _fah_split(turn: _Turn) -> None:
    turn.stake("split", 1, of="original")
    first, second = (_two(turn.cards(half), turn.where) for half in ("first", "second"))
    turn.choose("split", kept=first, second=second)


def _fah_completed(turn: _Turn) -> None:
    """A short hand made whole: cards still missing from the hand are the ones that were added."""
    held = tuple(known for known in turn.fields["cards"] if known != UNKNOWN)
    if len(held) < 4 and isinstance(turn.action.get("added"), list):
        turn.fields["cards"] = _padded((*held, *turn.cards("added")), 4)


def _col_play(turn: _Turn) -> None:
    """The required version always has its bet; the permissible one where it was placed."""
    if turn.house["version"] == "required" or "cents" in turn.action:
        turn.stake("bet", 1)
    turn.choose("play", kept=_kept(turn))


_UTH: dict[str, Act] = {"check": _check, "play": _uth_play, "fold": _chosen("fold")}
_ACTIONS: dict[str, dict[str, Act]] = {
    "UTH-MA": _UTH,
    "UTH-MD": _UTH,
    "PIK": {
        "select3": _pik_select,
        "play3": _pik_play("play3"),
        "play5": _pik_play("play5"),
        "fold": _chosen("fold"),
    },
    "FAH": {
        "set": _fah_set,
        "split": _fah_split,
        "surrender": _chosen("surrender"),
        "natural": _chosen("natural"),
        "short-void": _chosen("short-void"),
        "short-complete": _fah_completed,
    },
    "COL": {"play": _col_play, "fold": _chosen("fold"), "declare": _chosen("declare")},
}


def _irregularity(book: str, raw: Any) -> Irregularity | None:
    if raw is None:
        return None
    what = _as(dict, raw, "irregularity")
    kind = what.get("kind")
    if kind not in KINDS[book]:
        raise BadCaseError(f"irregularity: {book} knows no {kind!r}: it knows {', '.join(KINDS[book])}")
    at = what.get("at") or {}
    if isinstance(at, str):
        at = {"stage": at}
    ruled = what.get("ruling")
    if ruled not in (None, "stands", "reversed", "collect", "return"):
        raise BadCaseError(f"irregularity: ruling is {ruled!r}: stands, reversed, collect, return or null")
    pending = what.get("pending_seats")
    return Irregularity(
        kind=kind,
        of=what.get("of") or "",
        cards=_cards(what, "cards", "irregularity: "),
        found=tuple(_found(entry) for entry in what.get("found") or ()),
        pending_seats=None if pending is None else tuple(pending),
        stage=at.get("stage") or "",
        at_seat=at.get("seat"),
        at_dealt=at.get("dealt"),
        ruling=ruled,
        has_ruling="ruling" in what,
        card=card(what["card"]) if what.get("card") else None,
        exposed=bool(what.get("exposed")),
        used_as=what.get("used_as") or "",
        dealt=what.get("dealt"),
        missing_card_face_up=bool(what.get("missing_card_face_up")),
        deck_correct=what.get("deck_correct") is not False,
        seat=what.get("seat"),
        election=what.get("election") or "",
        finding=what.get("finding") or "",
        device=what.get("device") or "",
        deck=what.get("deck") or "",
        count=what.get("count"),
    )


def _found(raw: Any) -> Found:
    entry = _as(dict, raw, "irregularity: found")
    return Found(card=card(entry.get("card", "??")), after_cards=entry.get("after_cards"), when=entry.get("when") or "")
