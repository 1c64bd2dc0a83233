"""Breaches in the house configuration, when the table opens and when an option changes.

The options may also contradict what the table says of itself: its dealing method, or a device that shuffles.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from domain.clauses import BOOKS
from domain.clauses import findings as vocabulary
from domain.facts.shuffles import ShuffleCompleted
from domain.facts.table_day import DeviceHere, MethodChanged, OptionChanged, TableOpened
from domain.money import dollars
from domain.odds.report import odds_of
from domain.rulebooks import House, HouseFinding, RuleBook, edition, edition_on, editions, own_options
from domain.rulebooks.house_checks import contradicted
from domain.spoken import in_words
from domain.table.day import TableDay, edition_of, in_force, with_option
from domain.watch.deck_queries import standing, the_house
from domain.watch.detecting import Found, watch
from domain.watch.finding import found
from domain.watch.laws import Law, law

_EDITIONS = tuple(each for book in BOOKS for each in editions(book))
# Colorado's second version has a general clause of its own.
_GENERAL = {"COL 13(b)/Payout Odds": "COL 13(b)", "COL 13(d)/Bonus Payout": "COL 13(d)"}


def _table_clauses(*, exact: bool) -> dict[str, str]:
    """Return each pay table's clause with its general clause; a matrix has one clause for all its columns."""
    rows: dict[str, str] = {}
    for book in _EDITIONS:
        for group in book.tables.values():
            if not exact and group.exact:
                continue
            for table in group.tables.values():
                rows[table.clause] = "; ".join(dict.fromkeys((table.clause, _GENERAL.get(table.clause, group.clause))))
            if not group.option and "only" not in group.tables:
                rows[group.clause] = "; ".join((group.clause, *(table.clause for table in group.tables.values())))
    return rows


def _options(book: RuleBook) -> Iterator[str]:
    yield from dict.fromkeys(option.clause for option in book.options.values())


def _one_by_one(clauses: Iterable[str]) -> dict[str, str]:
    return {clause: clause for clause in clauses}


def _odds_clauses(code: str) -> dict[str, str]:
    """Return the clauses of a wager's odds and of each of its tables, if the vocabulary lists them for this code."""
    known = set(vocabulary()[code].clauses)
    rows = {clause: clause for clause in known}
    for clause, row in _table_clauses(exact=True).items():
        general = next((each for each in row.split("; ") if each in known), "")
        if general:
            rows[clause] = general
    return rows


def _of_vocabulary(code: str) -> dict[str, str]:
    return _one_by_one(vocabulary()[code].clauses)


_LAWS: dict[str, Law] = {
    one.code: one
    for one in (
        law("pay-table-altered", _table_clauses(exact=True)),
        law("pay-table-below-floor", _table_clauses(exact=False)),
        law(
            "house-option-invalid",
            _one_by_one(
                [
                    *(clause for book in _EDITIONS for clause in _options(book)),
                    *(option.clause for option in own_options().values()),
                ]
            ),
        ),
        law("house-option-unknown", ""),
        law("odds-favour-the-player", _odds_clauses("odds-favour-the-player")),
        law("odds-far-outside", _odds_clauses("odds-far-outside")),
        law("payout-cap-too-low", _of_vocabulary("payout-cap-too-low")),
        law("meter-reset-too-low", _of_vocabulary("meter-reset-too-low")),
        law("cap-conflict", _one_by_one(["UTH-MA 14(d)"])),
        law("progressive-amount-invalid", _one_by_one(["UTH-MA 14(a)", "UTH-MD 7.F(3)(a)"])),
        law("cover-all-device-mode-wrong", _one_by_one(["UTH-MA 13(d)"])),
        law("bonus-cannot-be-dealt", {"UTH-MD 10.B(1)": "UTH-MD 10.B(1); UTH-MD 7.F(4)"}),
        law(
            "envy-amount-unprinted",
            {"UTH-MD 7.F(3)(a)": "UTH-MD 7.F(3)(a); UTH-MD 12.D(5)(a); UTH-MD 12.D(6)(a); UTH-MD 12.D(7)(a)"},
        ),
        law("play-multiple-two", _one_by_one(['PIK 39.1 "Play 5 wager"'])),
        law(
            "second-deck-without-shuffler",
            {
                **_one_by_one(["UTH-MA 2(b)", "PIK 39.2(b)", "COL 2(b)"]),
                "UTH-MD 3.B": "UTH-MD 3.B; UTH-MD 3.A(1)",
            },
        ),
        law(
            "hand-deal-without-shuffler",
            _one_by_one(["UTH-MA 8(b)(1)", "UTH-MD 9.A(1)", "PIK 39.8(b)1", "COL 8(b)(1)"]),
        ),
    )
}
_OF_ODDS = frozenset({"odds-favour-the-player", "odds-far-outside"})
NOTICE = law(
    "notice-missing",
    {"bonus_offered": "COL 6a(a)", "payout_cap required": "COL 12(c)/s2", "payout_cap permissible": "COL 13(c)/s2"},
)


# Codes about the record itself, because no rule book speaks of its own editions.
UNKNOWN_EDITION = law("rule-book-unknown", "")
OTHER_EDITION = law("rule-book-not-in-force", "")


@watch(TableOpened, OptionChanged, MethodChanged, laws=(*_LAWS.values(), UNKNOWN_EDITION, OTHER_EDITION))
def house_in_order(day: TableDay, fact: TableOpened | OptionChanged | MethodChanged) -> Found:
    """Check that a table opens with a configuration its book allows, and that every change keeps it so."""
    if isinstance(fact, TableOpened):
        if edition(fact.book, fact.book_digest) is None:
            yield found(UNKNOWN_EDITION, (), fact, _missing(fact))
            return
        if edition_of(fact) is not edition_on(fact.book, fact.gaming_day):
            yield found(OTHER_EDITION, (), fact, _not_in_force(fact))
        book, was = str(fact.book), set[HouseFinding]()
    else:
        book, was = day.book, {*wrong_with(the_house(day), day.refused), *_contradicted(day, None)}
    now = [one for one in (*wrong_with(*_after(day, fact)), *_contradicted(day, fact)) if one not in was]
    for code in dict.fromkeys(one.code for one in now):
        held = [one for one in now if one.code == code]
        cited = tuple(dict.fromkeys(clause for one in held for clause in _cited(code, book, one.clause)))
        if not cited and code in _OF_ODDS:  # odds of a table printed in full: its own clause reports any change
            continue
        says = "; ".join(dict.fromkeys(_to_the_point(one) for one in held))
        yield found(_LAWS[code], cited, fact, f"{says[0].upper()}{says[1:]}.")


def _cited(code: str, book: str, clause: str) -> tuple[str, ...]:
    """Return the clauses of the law; for an unknown option or an edition later than this law, those of the value."""
    held = _LAWS[code].cites(book, clause)
    return held if held or code in _OF_ODDS or not clause else (clause,)


def _missing(fact: TableOpened) -> str:
    return (
        f"The table opened under the edition of {fact.book} with digest {fact.book_digest}, which"
        " is not installed, so no round of this day is judged. Install the release of Catwalk, or the file, that"
        " contains this edition."
    )


def _not_in_force(fact: TableOpened) -> str:
    named, due = edition_of(fact), edition_on(fact.book, fact.gaming_day)
    return (
        f"The table opened under the edition {named.name} of {fact.book}, but on {fact.gaming_day} the edition"
        f" {due.name} is in force. Its rounds are judged by the edition it opened under."
    )


def _after(day: TableDay, fact: TableOpened | OptionChanged | MethodChanged) -> tuple[House, tuple[HouseFinding, ...]]:
    """Return the house once this fact is in force."""
    if isinstance(fact, TableOpened):
        return in_force(edition_of(fact), fact.options, fact.dealing_method)
    book = the_house(day).book
    if isinstance(fact, OptionChanged):
        return in_force(book, with_option(day.options, fact.option, fact.value), day.method)
    return in_force(book, day.options, fact.dealing_method or day.method)


def _contradicted(day: TableDay, fact: TableOpened | OptionChanged | MethodChanged | None) -> Iterator[HouseFinding]:
    """Yield the options that contradict the dealing method or the devices of the table, once this fact is in force."""
    stated, stands = None, standing(day, "shuffler")
    here, method = the_house(day) if fact is None else _after(day, fact)[0], day.method
    if isinstance(fact, TableOpened):
        stated, method = fact.options.get("dealing_method"), fact.dealing_method
        stands = [each for each in fact.devices if each.kind == "shuffler"]
    elif isinstance(fact, OptionChanged) and fact.option == "dealing_method":
        stated = fact.value
    yield from contradicted(here, stated, method, stands[0].device if stands else "")


@watch(ShuffleCompleted, laws=(_LAWS["house-option-invalid"],))
def shuffled_as_the_options_say(day: TableDay, fact: ShuffleCompleted) -> Found:
    """Check that no machine shuffles where the options say so, if the opening names no shuffler.

    A dealing shoe may shuffle without being a shuffler. The first of several such shuffles is the finding.
    """
    house = the_house(day)
    if fact.method != "device" or house["shuffler"] != "none" or standing(day, "shuffler"):
        return
    last = day.decks.last_shuffle
    if last is not None and last.method == "device":
        return
    if _may_be_a_shoe(day, day.layout.devices.get(fact.device)):
        return
    law_of = _LAWS["house-option-invalid"]
    one = house.finding("house-option-invalid", "shuffler", "")
    says = "The options state that no machine shuffles, but a device shuffled the cards."
    yield found(law_of, law_of.cites(day.book, one.clause), fact, says, dealer=day.dealer_person)


def _may_be_a_shoe(day: TableDay, device: DeviceHere | None) -> bool:
    return device.kind == "shoe" if device is not None else day.method in ("automated-shoe", "continuous-shoe")


def _to_the_point(one: HouseFinding) -> str:
    """Return the sentence in readable names, but an unknown option as it was written and without the list of all."""
    if one.code == "house-option-unknown":
        return one.says.partition(": it has ")[0].replace("'", '"')
    return in_words(one.says)


def wrong_with(house: House, refused: Iterable[HouseFinding]) -> list[HouseFinding]:
    """Return everything in a configuration to review: unknown options, breaches, and odds of the house's own."""
    return [*refused, *house.findings, *_odds(house)]


def _odds(house: House) -> list[HouseFinding]:
    """Return the findings on the edge that the house's own odds leave it; printed tables have none."""
    own = [name for name in ("posted_odds", "progressive.house_awards") if house.options.get(name)]
    if not own:
        return []
    printed = House(house.book, {**house.options, **dict.fromkeys(own)})
    known = {(one.code, one.clause, one.says.split()[0]) for one in odds_of(printed).warnings}
    return [
        one
        for one in odds_of(house).warnings
        if (one.code, one.clause, one.says.split()[0]) not in known and (one.code, one.clause) not in _NO_MEASURE
    ]


# No rule prints a Massachusetts progressive table, so there is nothing to compare its edge with.
_NO_MEASURE = {("odds-far-outside", "UTH-MA 14(c)")}


@watch(OptionChanged, laws=(NOTICE,))
def notice_given(day: TableDay, fact: OptionChanged) -> Found:
    """Check that Colorado's players get notice before the bonus is withdrawn or the payout limit is lowered."""
    if fact.notice_posted is not False:
        return
    house = the_house(day)
    if fact.option == "bonus_offered" and fact.value is False and house["bonus_offered"]:
        says = "The bonus wager was withdrawn without notice to the players."
        yield found(NOTICE, NOTICE.cites(day.book, "bonus_offered"), fact, says)
    on_layout = day.layout.signs.get("payout_cap") == "layout"
    if fact.option == "payout_cap" and not on_layout and _lowered(house["payout_cap"], fact.value):
        key = f"payout_cap {house['version']}"
        says = f"The payout limit was lowered to {dollars(fact.value)} without notice to the players."
        yield found(NOTICE, NOTICE.cites(day.book, key), fact, says)


def _lowered(was: int | None, now: Any) -> bool:
    return isinstance(now, int) and (was is None or now < was)
