"""The house at a table: options nobody can read, tables and limits the book does not allow, changes without notice."""

from collections.abc import Iterator, Mapping
from typing import Any

from domain.facts.table_day import DeviceHere
from domain.rulebooks import BOOKS, newest
from domain.rulebooks.book import TableGroup
from domain.simulation.edits import Edit, change, insert_after, said, where
from domain.simulation.scripted import round_, seat
from tests.watch.harness import Case
from tests.watch.lawful import day

DAYS = {book: day(book, rounds=[round_(seat(1))]) for book in BOOKS}
SHUFFLER = DeviceHere("T7-shuffler", "shuffler")
UNREADABLE = -1  # a value no kind of option can be
GENERAL = {"permissible": {"COL 12(b)": "COL 13(b)", "COL 12(d)": "COL 13(d)"}}


def _opens(options: Mapping[str, Any]) -> Edit:
    """The table opens with these options besides those it has."""
    return change("table-opened", to={"options": lambda held: {**held, **options}})


def _changes(option: str, value: Any, notice: bool | None = None) -> Edit:
    return insert_after(where("game-commenced"), said("option-changed", option, value, notice))


def _nested(name: str, value: Any) -> dict[str, Any]:
    group, _, option = name.rpartition(".")
    return {group: {option: value}} if group else {option: value}


def _unreadable() -> Iterator[Case]:
    for book in BOOKS:
        for name, option in newest(book).options.items():
            edit = _opens(_nested(name, UNREADABLE))
            if name == "dealing_method":
                edit = change("table-opened", to={"dealing_method": "hand" if book == "FAH" else "continuous-shoe"})
            yield Case(option.clause, "house-option-invalid", DAYS[book], edit)
        name, first = next(iter(newest(book).options.items()))
        yield Case(first.clause, "house-option-unknown", DAYS[book], _opens({f"{name}s": "red"}))


def _contradicted() -> Iterator[Case]:
    """Options that contradict the table's own dealing method, or a device that shuffles here."""
    for book in BOOKS:
        method, shuffler = (newest(book).options[name].clause for name in ("dealing_method", "shuffler"))
        other = "continuous-shoe" if book == "FAH" else "hand"
        yield Case(method, "house-option-invalid", DAYS[book], _opens({"dealing_method": other}))
        yield Case(method, "house-option-invalid", DAYS[book], _changes("dealing_method", other))
        stands = change("table-opened", to={"devices": lambda held: (*held, SHUFFLER)})
        yield Case(shuffler, "house-option-invalid", DAYS[book], stands)
        yield Case(shuffler, "house-option-invalid", DAYS[book], change("shuffle-completed", to={"method": "device"}))


def _selected(group: TableGroup, letter: str) -> dict[str, Any]:
    """The options that select this table of a group."""
    if not group.option:
        return {}
    value: Any = int(letter) if letter.isdigit() else letter
    return _nested(group.option, value)


def _altered() -> Iterator[Case]:
    """Every printed table with one line posted otherwise: where the text is exact, and where it prints a floor."""
    for book in BOOKS:
        for wager, group in newest(book).tables.items():
            for letter, table in group.tables.items():
                hand = next(iter(table.lines))
                chosen = _selected(group, letter)
                general = GENERAL.get(letter, {}).get(group.clause, group.clause)
                clauses = f"{table.clause}; {general}" if general != table.clause else table.clause
                other = {**chosen, "posted_odds": {wager: {hand if group.exact else "seven_twos": "9 to 2"}}}
                yield Case(clauses, "pay-table-altered", DAYS[book], _opens(other))
                if not group.exact:
                    low = {**chosen, "posted_odds": {wager: {hand: "1 to 9"}}}
                    yield Case(clauses, "pay-table-below-floor", DAYS[book], _opens(low))


def _low_resets() -> Iterator[Case]:
    for clause, letter, meter in (
        ("(i)", "A", "main"),
        ("(ii)(1)", "B", "major"),
        ("(ii)(2)", "B", "minor"),
        ("(iii)(1)", "C", "mega"),
        ("(iii)(2)", "C", "major"),
        ("(iii)(3)", "C", "minor"),
        ("(iv)(1)", "D", "mega"),
        ("(iv)(2)", "D", "major"),
        ("(iv)(3)", "D", "minor"),
    ):
        low = {"progressive": {"table": letter, "resets": {meter: 100}}}
        yield Case(f"UTH-MD 12.D(3)(b){clause}", "meter-reset-too-low", DAYS["UTH-MD"], _opens(low))


MA, MD, PIK, FAH, COL = (DAYS[book] for book in BOOKS)
COL_FREE = day("COL", options={"version": "permissible"}, rounds=[round_(seat(1))])
COL_CAPPED = day("COL", options={"payout_cap": 9_000_000}, rounds=[round_(seat(1))])
ENVY = "UTH-MD 7.F(3)(a); UTH-MD 12.D(5)(a); UTH-MD 12.D(6)(a); UTH-MD 12.D(7)(a)"

CASES = [
    *_unreadable(),
    *_contradicted(),
    *_altered(),
    *_low_resets(),
    # limits
    Case("UTH-MA 11(e)", "payout-cap-too-low", MA, _opens({"payout_cap": 4_000_000})),
    Case("UTH-MD 12.F(1)", "payout-cap-too-low", MD, _opens({"payout_cap": 4_999_999})),
    Case("COL 12(c)/s1", "payout-cap-too-low", COL, _opens({"payout_cap": 4_999_999})),
    Case("COL 13(c)/s1", "payout-cap-too-low", COL_FREE, _opens({"payout_cap": 4_999_999})),
    Case("COL 12(c)/s1", "payout-cap-too-low", COL_CAPPED, _changes("payout_cap", 4_000_000, notice=True)),
    Case("UTH-MA 14(d)", "cap-conflict", MA, _opens({"payout_cap": 8_000_000})),
    # what is offered
    Case("UTH-MA 14(a)", "progressive-amount-invalid", MA, _opens({"progressive": {"amount": 100}})),
    Case("UTH-MA 13(d)", "cover-all-device-mode-wrong", MA, _opens({"cover_all": True})),
    Case("UTH-MD 7.F(4); UTH-MD 10.B(1)", "bonus-cannot-be-dealt", MD, _opens({"six_card_table": "A"})),
    Case(ENVY, "envy-amount-unprinted", MD, _opens({"progressive": {"allowed": [100, 1_000]}})),
    Case('PIK 39.1 "Play 5 wager"', "play-multiple-two", PIK, _opens({"play5_multiple": 2})),
    Case("PIK 39.3(a)/s1-limits", "house-option-invalid", PIK, _opens({"ante_max": 100})),
    # decks and dealing
    Case("UTH-MA 2(b)", "second-deck-without-shuffler", MA, _opens({"decks": 2})),
    Case("UTH-MD 3.A(1); UTH-MD 3.B", "second-deck-without-shuffler", MD, _opens({"decks": 2})),
    Case("PIK 39.2(b)", "second-deck-without-shuffler", PIK, _changes("decks", 2)),
    Case("COL 2(b)", "second-deck-without-shuffler", COL, _changes("decks", 2)),
    Case("UTH-MA 8(b)(1)", "hand-deal-without-shuffler", MA, change("table-opened", to={"dealing_method": "hand"})),
    *(
        Case(
            clause,
            "hand-deal-without-shuffler",
            DAYS[clause.split()[0]],
            insert_after(where("round-completed"), said("method-changed", "hand")),
        )
        for clause in ("UTH-MA 8(b)(1)", "UTH-MD 9.A(1)", "PIK 39.8(b)1", "COL 8(b)(1)")
    ),
    # odds of the house's own
    Case("UTH-MA 11(d)", "odds-favour-the-player", MA, _opens({"posted_odds": {"trips": {"flush": "20 to 1"}}})),
    Case(
        "PIK 39.11(b)/s1",
        "odds-favour-the-player",
        PIK,
        _opens({"posted_odds": {"bonus5": {"two_pair": "20 to 1", "three_of_a_kind": "40 to 1"}}}),
    ),
    Case("COL 12(d)", "odds-favour-the-player", COL, _opens({"posted_odds": {"bonus": {"two_pair": "9 to 1"}}})),
    Case(
        "UTH-MA 14(c)",
        "odds-favour-the-player",
        MA,
        _opens({"progressive": {"house_awards": {"royal_flush": 5_000_000, "straight": 9_000, "flush": 9_000}}}),
    ),
    Case("FAH (h)(12)/s1", "odds-far-outside", FAH, _opens({"posted_odds": {"original": {"any_win": "1 to 2"}}})),
    Case("FAH (h)(12)/s1", "odds-favour-the-player", FAH, _opens({"posted_odds": {"original": {"any_win": "2 to 1"}}})),
    Case("COL 12(b)", "odds-favour-the-player", COL, _opens({"posted_odds": {"main": {"two_pair": "9 to 1"}}})),
    # notice
    Case("COL 6a(a)", "notice-missing", COL, _changes("bonus_offered", value=False, notice=False)),
    Case("COL 12(c)/s2", "notice-missing", COL_CAPPED, _changes("payout_cap", 6_000_000, notice=False)),
    Case("COL 13(c)/s2", "notice-missing", COL_FREE, _changes("payout_cap", 6_000_000, notice=False)),
]
