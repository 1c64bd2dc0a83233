"""A house: one rule book with this licensee's options, checked when it is loaded.

An unreadable option (an unknown name, a letter no table has) makes loading fail, with a finding for each. An option
that is readable but breaks a rule (a cap below the lowest allowed) loads with a finding, because rounds were played
under it.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from domain.facts import nearest
from domain.facts.envelope import MOST_CENTS
from domain.games import GAMES, Game
from domain.hands.standard import CATEGORIES
from domain.money import BadOddsError, Odds, odds
from domain.rulebooks.book import OFFERED, Option, PayTable, RuleBook
from domain.rulebooks.house_rules import own_options

# The wagers that a house may leave out: by an option, or by selecting no pay table.
_OFFERED_BY = {"cover_all": "cover_all", "progressive": "progressive", "bonus": "bonus_offered"}
_OFFERED_BY_TABLE = frozenset({"six_card", "ultimate_pairs", "bad_beat", "play_the_board"})


class HouseFinding(msgspec.Struct, frozen=True):
    """A problem in a house configuration: a code, its clause, and a sentence."""

    code: str
    clause: str  # empty if no clause speaks of it: an unknown option that is like no option of the book
    says: str
    cure: str = ""  # the nearest name, or the values that the option may have


class BadHouseError(ValueError):
    """A house configuration that cannot be read; `findings` names each problem."""

    def __init__(self, findings: list[HouseFinding]) -> None:
        super().__init__("; ".join(map(_with_clause, findings)))
        self.findings = tuple(findings)


def _with_clause(finding: HouseFinding) -> str:
    return f"{finding.says} ({finding.clause})" if finding.clause else finding.says


class House:
    """A rule book and the options in force, with all defaults filled in."""

    def __init__(self, book: RuleBook, options: dict[str, Any]) -> None:
        self.book = book
        self.game: Game = GAMES[book.book]
        self.options = options
        self.tables = {name: _selected(book, options, name) for name in book.tables}
        self.findings: tuple[HouseFinding, ...] = ()

    def __getitem__(self, path: str) -> Any:
        try:
            return self.options[path]
        except KeyError:
            if path in own_options():
                return None  # a rule of the house's own that is not in force
            raise

    def table(self, name: str) -> PayTable | None:
        """Return the pay table in force for a wager, or None if the house does not offer it."""
        return self.tables[name]

    def offers(self, name: str) -> bool:
        """Return whether the house has a pay table for this wager."""
        return self.tables.get(name) is not None

    def takes(self, wager: str) -> bool:
        """Return whether the house accepts this wager of its book, by its options."""
        if wager in _OFFERED_BY:
            return bool(self.options.get(_OFFERED_BY[wager], True))
        return wager not in _OFFERED_BY_TABLE or self.offers(wager)

    def finding(self, code: str, option: str, says: str, clause: str = "") -> HouseFinding:
        """Return a finding on one option; the clause is the option's own unless another decides."""
        return HouseFinding(code, clause or self.book.options[option].clause, says)


def house(edition: RuleBook, config: Mapping[str, Any] | None = None, dealing_method: str | None = None) -> House:
    """Return the house that plays this edition with `config`; the same configuration gives the same object."""
    given = dict(config or {})
    if dealing_method is not None:
        given["dealing_method"] = dealing_method
    return _house(edition, msgspec.json.encode(given, order="sorted"))


@lru_cache(maxsize=4096)
def _house(edition: RuleBook, encoded: bytes) -> House:
    from domain.rulebooks.house_checks import findings  # noqa: PLC0415 - the checks need a finished House

    made = House(edition, _options(edition, msgspec.json.decode(encoded)))
    made.findings = findings(made)
    return made


def _options(book: RuleBook, given: dict[str, Any]) -> dict[str, Any]:
    """Return every option of the book by its path, as given or by default, and those of the house's own rules given."""
    wrong: list[HouseFinding] = []
    chosen: dict[str, Any] = {}
    flat = _flattened(book, given)
    own = {path: option for path, option in own_options().items() if flat.get(path) is not None}
    known = {**book.options, **own_options()}
    for path in flat.keys() - known.keys():
        near, has = nearest.word(path, known), f"it has {', '.join(sorted(known))}"
        says = f"{path!r} is not an option of {book.book}{f', nearest name: {near!r}' if near else ''}: {has}"
        cure, clause = (f"write {near!r}", known[near].clause) if near else (has, "")
        wrong.append(HouseFinding("house-option-unknown", clause, says, cure))
    for path, option in {**book.options, **own}.items():
        if path not in flat:
            chosen[path] = _default(option)
            continue
        try:
            chosen[path] = _READERS[option.kind](option, flat[path])
        except _UnreadableError as error:
            says = f"{path} cannot be {msgspec.json.encode(flat[path]).decode()}: {error}"
            wrong.append(HouseFinding("house-option-invalid", option.clause, says, f"{path}: {error}"))
    if wrong:
        raise BadHouseError(sorted(wrong, key=lambda finding: finding.says))
    return chosen


def _default(option: Option) -> Any:
    """Return an option's default, in the form its reader would return."""
    if option.kind == "group":
        return option.default == OFFERED
    return tuple(option.default) if option.kind == "amounts" else option.default


def _flattened(book: RuleBook, given: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in given.items():
        option = book.options.get(name)
        if option is not None and option.kind == "group" and isinstance(value, dict):
            flat[name] = True
            flat |= {f"{name}.{part}": held for part, held in value.items()}
        else:
            flat[name] = value
    return flat


class _UnreadableError(ValueError):
    """The reason why one option's value cannot be read."""


def _choice(option: Option, value: Any) -> Any:
    if value is None and option.optional:
        return None
    if not any(value == allowed and type(value) is type(allowed) for allowed in option.allowed):
        raise _UnreadableError(f"it must be one of {', '.join(map(str, option.allowed))}")
    return value


def _flag(_: Option, value: Any) -> bool:
    if value is not None and not isinstance(value, bool):
        raise _UnreadableError("it must be true or false")
    return bool(value)


def _cents(option: Option, value: Any) -> int | None:
    if value is None and option.optional:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise _UnreadableError("it must be an amount in whole cents, more than zero")
    _require_payable([value])
    return value


def _amounts(_: Option, value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not value or not all(type(amount) is int and amount > 0 for amount in value):
        raise _UnreadableError("it must be a list of amounts in whole cents")
    _require_payable(value)
    return tuple(value)


def _require_payable(amounts: Iterable[int]) -> None:
    if max(amounts, default=0) > MOST_CENTS:
        raise _UnreadableError(f"an amount may be at most {MOST_CENTS} cents")


def _percent(_: Option, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 100:
        raise _UnreadableError("it must be a whole number of percent, 0 to 100")
    return value


def _tolerance(_: Option, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _UnreadableError("it must be an amount in whole cents, zero or more")
    _require_payable([value])
    return value


def _group(option: Option, value: Any) -> bool:
    if value is not None and value is not True:
        raise _UnreadableError("it must be an object, or null if not offered")
    return value is True


def _cents_by_name(_: Option, value: Any) -> dict[str, int] | None:
    if value is None:
        return None
    if not isinstance(value, dict) or not all(type(cents) is int and cents >= 0 for cents in value.values()):
        raise _UnreadableError("it must be an object of names and whole cents")
    _require_payable(value.values())
    return dict(value)


def _awards(option: Option, value: Any) -> dict[str, int] | None:
    awards = _cents_by_name(option, value)
    if unknown := (awards or {}).keys() - set(CATEGORIES):
        raise _UnreadableError(f"{min(unknown)!r} is not a hand: choose from {', '.join(reversed(CATEGORIES))}")
    return awards


def _odds_by_wager(_: Option, value: Any) -> dict[str, dict[str, Odds]] | None:
    if value is None:
        return None
    try:
        return {wager: {hand: odds(text) for hand, text in lines.items()} for wager, lines in value.items()}
    except BadOddsError as error:
        raise _UnreadableError(f"it must be wager, then hand, then odds such as 3 to 2 ({error})") from error
    except (AttributeError, TypeError) as error:
        raise _UnreadableError("it must be wager, then hand, then odds such as 3 to 2, as text") from error


_READERS: dict[str, Callable[[Option, Any], Any]] = {
    "choice": _choice,
    "flag": _flag,
    "cents": _cents,
    "amounts": _amounts,
    "percent": _percent,
    "tolerance": _tolerance,
    "group": _group,
    "meters": _cents_by_name,
    "awards": _awards,
    "odds": _odds_by_wager,
}


def _selected(book: RuleBook, options: dict[str, Any], name: str) -> PayTable | None:
    """Return the table the house selected, with posted odds replacing the printed ones.

    Where the text sets a floor, odds posted below it do not take effect.
    """
    group = book.tables[name]
    if group.option:
        letter = options[group.option]
        table = group.tables[str(letter)] if letter is not None else None
        if not options.get(group.option.split(".")[0], True):
            table = None
    elif "only" in group.tables:
        table = group.tables["only"]
    else:
        return None  # a matrix, such as Cover All's: the round decides the column
    posted = (options["posted_odds"] or {}).get(name)
    if table is None or not posted:
        return table
    floor = {} if group.exact else table.lines
    holding = {hand: odds for hand, odds in posted.items() if hand not in floor or not odds.less_than(floor[hand])}
    return msgspec.structs.replace(table, lines={**table.lines, **holding})
