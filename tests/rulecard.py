"""Rule cards: settlement tests as text tables a dealer could check against the printed card.

A card is a table of lines with `|` between its cells; the first line names the columns, a line of dashes under
it is for the eye. Columns:

    clause    the clauses the line shows, `;` between them, ids as in the register
    says      one sentence of behavior (with `clause` it names the test)
    house     options: `blind_table=B progressive.table=A`, values as JSON or bare words
    dealer    cards as dealt; `community`, `box` (six card box), `dealer_kept` likewise
    seats     `1: Jc Td ante 10 blind 10 play 4x`, seats parted by `/`; money in dollars
    wrong     an irregularity: `card-exposed of=dealer stage=flop pending_seats=[2]`
    returns   `1 ante 20 blind 10 play 80 / 3 ante -`; `-` is null, `?` undecidable without an unseen card
    by        optional: `1 blind UTH-MD 11.H(3)(c)`: the deciding clause of single wagers, `/` between them
    sure      optional: the basis of every wager, or `1 blind reading / 1 ante certain` for single ones
    void      optional: `yes` where the round is void (`no` is the default)
    meters    optional: `main 10000 minor 250`: the meters afterwards, in dollars

Words of a seat: cards come first, then wagers (`ante 10`, `trips 5c10` for a wager of 5 with a coupon of 10 in
it is written `trips 15 coupon trips 10`), then what was decided:

    UTH   `play 4x` `play 3x` (before the flop) `play 2x` (after it) `play 1x` (at the river), `fold`; `play ?`
    PIK   `select 9h 8c 7d`, `play3`, `play5`, `fold`
    FAH   `set Ah 9h`, `split Kh 9d & Ad Qs`, `surrender`, `natural`, `short-void`, `short-complete`
    COL   `keep Ts 7d bet` or `keep Ts 7d` (no bet), `declare`, `fold`
    any   `left`; `?` after a play, split or bet wager of the last three whose amount nobody saw
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from domain.clauses import clause as clause_of
from domain.settlement import Settlement, settle
from domain.settlement.case_format import WorkedCase, from_object
from domain.settlement.outcome import UNDECIDABLE

_CARD = re.compile(r"^([2-9TJQKA][cdhs]|\?\?)$")


def lines(book: str, card: str) -> list[Any]:
    """The lines of a card as pytest parameters, each named by its clause and sentence."""
    rows = [row for row in map(str.strip, card.strip().splitlines()) if row and set(row) - set("-|+ ")]
    columns = [name.strip() for name in rows[0].split("|")]
    named = []
    for row in rows[1:]:
        cells = [cell.strip() for cell in row.split("|")]
        assert len(cells) == len(columns), f"{len(cells)} cells under {len(columns)} columns: {row}"
        line = dict(zip(columns, cells, strict=True)) | {"book": book}
        for cited in line["clause"].split(";"):
            clause_of(cited.strip())
        named.append(pytest.param(line, id=f"{line['clause']}: {line['says']}"))
    return named


def check(line: dict[str, str]) -> Settlement:
    """Settles the round of a line and compares everything the line states."""
    case = case_of(line)
    settlement = settle(case.house, case.played)
    wanted = dict(_returns(line["returns"]))
    got = {
        seat: {wager: "?" if one.basis == UNDECIDABLE else one.returned for wager, one in held.items()}
        for seat, held in settlement.seats.items()
    }
    named_only = {
        seat: {wager: got[seat].get(wager, "no such wager") for wager in wagers} for seat, wagers in wanted.items()
    }
    assert named_only == wanted
    for seat, wager, clause in _triples(line.get("by", "")):
        assert settlement.seats[seat][wager].clause == clause
    _check_sureness(line.get("sure", ""), settlement)
    assert settlement.round_void == (line.get("void", "") == "yes"), "whether the round is void"
    if line.get("meters"):
        words = line["meters"].split()
        meters = {name: _cents(amount) for name, amount in zip(words[::2], words[1::2], strict=True)}
        assert {name: (settlement.meters_after or {}).get(name) for name in meters} == meters
    return settlement


def case_of(line: dict[str, str]) -> WorkedCase:
    """The case a line describes."""
    raw: dict[str, Any] = {"id": line["says"], "rulebook": line["book"], "config": {}}
    for name, value in _assignments(line.get("house", "")):
        if name == "dealing_method":
            raw["dealing_method"] = value
            continue
        group, _, option = name.partition(".")
        if option:
            raw["config"].setdefault(group, {})[option] = value
        else:
            raw["config"][name] = value
    for column, field in (
        ("dealer", "dealer"),
        ("community", "community"),
        ("box", "six_card_box"),
        ("dealer_kept",) * 2,
    ):
        raw[field] = line.get(column, "").split()
    raw["seats"] = [_seat(line["book"], text.strip()) for text in line["seats"].split("/")]
    if line.get("wrong"):
        raw["irregularity"] = _irregularity(line["wrong"])
    return from_object(raw)


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def _assignments(text: str) -> Iterator[tuple[str, Any]]:
    for part in text.split():
        name, _, value = part.partition("=")
        yield name, _value(value)


def _cents(text: str) -> int | None:
    return None if text in ("-", "?") else int(Decimal(text.replace(",", "")) * 100)


def _irregularity(text: str) -> dict[str, Any]:
    kind, _, rest = text.partition(" ")
    what: dict[str, Any] = {"kind": kind}
    for name, value in _assignments(rest):
        if name in ("stage", "at_seat", "at_dealt"):
            what.setdefault("at", {})[name.removeprefix("at_")] = value
        else:
            what[name] = value
    return what


def _seat(book: str, text: str) -> dict[str, Any]:
    number, _, rest = text.partition(":")
    seat: dict[str, Any] = {"seat": int(number), "wagers": {}, "cards": [], "actions": [], "coupons": {}}
    words = rest.split()
    while words and _CARD.match(words[0]):
        seat["cards"].append(words.pop(0))
    while words:
        _word(book, seat, words)
    return seat


def _take_cards(words: list[str]) -> list[str]:
    taken = []
    while words and _CARD.match(words[0]):
        taken.append(words.pop(0))
    return taken


def _word(book: str, seat: dict[str, Any], words: list[str]) -> None:
    word = words.pop(0)
    actions = seat["actions"]
    if word == "coupon":
        wager = words.pop(0)
        seat["coupons"][wager] = _cents(words.pop(0))
    elif word == "left":
        actions.append({"action": "abandon"})
    elif word == "play":
        actions += _uth_play(seat, words.pop(0))
    elif word in ("fold", "surrender", "natural", "short-void", "declare", "short-complete"):
        actions.append({"action": word, "street": "river"})
    elif word == "select":
        actions.append({"action": "select3", "selected": _take_cards(words)})
    elif word in ("play3", "play5"):
        actions.append({"action": word} | _unseen_amount(words))
    elif word == "set":
        actions.append({"action": "set", "kept": _take_cards(words)})
    elif word == "split":
        first = _take_cards(words)
        assert words.pop(0) == "&"
        actions.append({"action": "split", "first": first, "second": _take_cards(words)} | _unseen_amount(words))
    elif word == "keep":
        actions.append({"action": "play", "kept": _take_cards(words)})
    elif word == "bet":
        actions[-1] |= {"cents": seat["wagers"]["ante"]} | _unseen_amount(words)
    else:
        seat["wagers"][word] = None if words[0] == "?" else _cents(words[0])
        words.pop(0)


def _unseen_amount(words: list[str]) -> dict[str, None]:
    """`bet ?`: the wager was placed and nobody saw how much."""
    if words[:1] != ["?"]:
        return {}
    words.pop(0)
    return {"cents": None}


def _uth_play(seat: dict[str, Any], multiple: str) -> list[dict[str, Any]]:
    """The checks that came before a play wager of this multiple, and the wager."""
    ante = seat["wagers"]["ante"]
    if multiple == "?":
        return [{"street": "preflop", "action": "play", "cents": None}]
    times = int(multiple.removesuffix("x"))
    streets = {4: ["preflop"], 3: ["preflop"], 2: ["preflop", "flop"], 1: ["preflop", "flop", "river"]}[times]
    checks = [{"street": street, "action": "check"} for street in streets[:-1]]
    return [*checks, {"street": streets[-1], "action": "play", "cents": ante * times}]


def _returns(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for part in text.split("/"):
        number, *words = part.split()
        wagers = zip(words[::2], words[1::2], strict=True)
        yield int(number), {wager: "?" if amount == "?" else _cents(amount) for wager, amount in wagers}


def _triples(text: str) -> Iterator[tuple[int, str, str]]:
    for part in filter(None, re.split(r" / ", text)):
        number, wager, rest = part.strip().split(maxsplit=2)
        yield int(number), wager, rest


def _check_sureness(text: str, settlement: Settlement) -> None:
    if " " in text:
        for seat, wager, basis in _triples(text):
            assert settlement.seats[seat][wager].basis == basis
    elif text:
        assert {one.basis for held in settlement.seats.values() for one in held.values()} == {text}
