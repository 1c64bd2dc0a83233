"""The checks of a house configuration at loading, each finding under its clause."""

from collections.abc import Callable, Iterator

from domain.money import Odds, dollars
from domain.rulebooks.book import TableGroup
from domain.rulebooks.house import House, HouseFinding

Check = Callable[[House], Iterator[HouseFinding]]


def findings(house: House) -> tuple[HouseFinding, ...]:
    """Return everything in this configuration that its rule book does not allow."""
    return tuple(finding for check in CHECKS[house.game.text] for finding in check(house))


def contradicted(house: House, stated: object, method: str, shuffler: str = "") -> Iterator[HouseFinding]:
    """Yield the options that contradict the table: its dealing method, or a shuffler that stands there."""
    code = "house-option-invalid"
    if stated is not None and stated != method:
        says = f"the options state the dealing method {stated}, but the table deals by {method}"
        cure = f"leave dealing_method out of the options, or write {method!r}"
        yield HouseFinding(code, house.book.options["dealing_method"].clause, says, cure)
    if shuffler and house["shuffler"] == "none":
        option = house.book.options["shuffler"]
        others = ", ".join(str(word) for word in option.allowed if word != "none")
        says = f"the options state that no machine shuffles, but the shuffler {shuffler} does"
        yield HouseFinding(code, option.clause, says, f"write one of {others} as shuffler")


def most_at_minimum_cents(house: House) -> int:
    """Return the most one player can win in a round at the table minimums: ante, greatest play, blind and trips.

    UTH-MA 11(e) and UTH-MD 12.F(1) name this figure without computing it: 505 antes and 50 trips as printed.
    """
    play = max(house.book.value("preflop_play_multiples"))
    blind, trips = house.table("blind"), house.table("trips")
    best_blind = max(odds.wins // odds.per for odds in blind.lines.values()) if blind else 0
    best_trips = max(odds.wins // odds.per for odds in trips.lines.values()) if trips else 0
    ante_min, trips_min = house["ante_min"], house["trips_min"]
    return int((1 + play + best_blind) * ante_min + best_trips * trips_min)


def posted_odds(house: House) -> Iterator[HouseFinding]:
    """Yield posted odds below a floor, or different from the printed figure where the text is exact."""
    for wager, lines in (house["posted_odds"] or {}).items():
        group = house.book.tables.get(wager)
        if group is None:
            clause = house.book.options["posted_odds"].clause
            yield HouseFinding("house-option-invalid", clause, f"odds are posted for {wager}, which has no pay table")
            continue
        if not group.option and "only" not in group.tables:
            says = f"one set of odds is posted for {wager}, whose odds change with the hands dealt"
            yield HouseFinding("pay-table-altered", group.clause, says)
            continue
        yield from _posted_lines(house, wager, group, lines)


def _posted_lines(house: House, wager: str, group: TableGroup, lines: dict[str, Odds]) -> Iterator[HouseFinding]:
    letter = str(house[group.option]) if group.option else "only"
    table = group.tables.get(letter)
    if table is None:
        return
    for hand, posted in lines.items():
        printed = table.lines.get(hand)
        if printed is None:
            says = f"{wager}: the text has no line for {hand}"
            yield HouseFinding("pay-table-altered", table.clause, says)
        elif group.exact and posted != printed:
            says = f"{wager}: {hand} is {table.printed[hand]} exactly in the text, but posted with other odds"
            yield HouseFinding("pay-table-altered", table.clause, says)
        elif posted.less_than(printed):
            says = f"{wager}: {hand} is posted below {table.printed[hand]}, the least the text allows"
            yield HouseFinding("pay-table-below-floor", table.clause, says)


def second_deck(house: House) -> Iterator[HouseFinding]:
    """Yield a second deck in use without a machine to shuffle one while the other is played."""
    if house["decks"] == 2 and house["shuffler"] == "none":
        yield house.finding("second-deck-without-shuffler", "decks", "two decks are in use without a shuffler")


def hand_dealing(clause: str) -> Check:
    """Return the check that dealing from the hand comes with a machine shuffle."""

    def check(house: House) -> Iterator[HouseFinding]:
        if house["dealing_method"] == "hand" and house["shuffler"] == "none":
            says = "cards are dealt from the hand without a shuffler"
            yield HouseFinding("hand-deal-without-shuffler", clause, says)

    return check


def ma_cover_all(house: House) -> Iterator[HouseFinding]:
    """Yield Cover All without the shuffler in its own mode (UTH-MA 13(d))."""
    if house["cover_all"] and house["shuffler"] != "cover-all":
        says = "Cover All is offered without a shuffler in Cover All mode"
        yield house.finding("cover-all-device-mode-wrong", "cover_all", says)


def ma_limits(house: House) -> Iterator[HouseFinding]:
    """Yield a posted limit below the printed one, or above $75,000, where the two limits conflict."""
    main = max(house.book.value("main_limit_cents"), most_at_minimum_cents(house))
    cap, whole = house["payout_cap"], house.book.value("all_bets_limit_cents")
    if cap is not None and cap < main:
        says = f"a limit of {dollars(cap)} is under {dollars(main)}, the limit of the text at this table"
        yield house.finding("payout-cap-too-low", "payout_cap", says)
    if max(main, cap or 0) > whole:
        says = f"a hand's limit of {dollars(max(main, cap or 0))} is over {dollars(whole)} for all bets combined"
        yield HouseFinding("cap-conflict", house.book.clause_of("all_bets_limit_cents"), says)


def ma_progressive(house: House) -> Iterator[HouseFinding]:
    """Yield a progressive bet other than $5 (UTH-MA 14(a))."""
    amount = house["progressive.amount"]
    if house["progressive"] and amount != house.book.value("progressive_cents"):
        says = f"the progressive bet is {dollars(amount)} and must be $5"
        yield house.finding("progressive-amount-invalid", "progressive.amount", says)


def md_six_card(house: House) -> Iterator[HouseFinding]:
    """Yield the six card bonus without chapter 10, the only one that deals its box (UTH-MD 10.B(1))."""
    if house.offers("six_card") and house["dealing_method"] != "automated-shoe":
        says = f"the six card bonus is offered, but dealing by {house['dealing_method']} never deals its box"
        yield HouseFinding("bonus-cannot-be-dealt", "UTH-MD 10.B(1)", says)


def md_cap(house: House) -> Iterator[HouseFinding]:
    """Yield a cap under $50,000, or under the most one player could win at the minimums."""
    least = max(house.book.value("least_payout_cap_cents"), most_at_minimum_cents(house))
    cap = house["payout_cap"]
    if cap is not None and cap < least:
        says = f"a payout cap of {dollars(cap)} is under {dollars(least)}, the least this table may have"
        yield HouseFinding("payout-cap-too-low", house.book.clause_of("least_payout_cap_cents"), says)


def md_progressive(house: House) -> Iterator[HouseFinding]:
    """Yield meters without a place in their table, resets lower than printed, and envy other than at $1 or $5."""
    if not house["progressive"]:
        return
    letter = house["progressive.table"]
    floor = house.book.values[f"least_resets_cents_{letter}"]
    for option in ("progressive.meters", "progressive.resets", "progressive.rates"):
        for name in sorted((house[option] or {}).keys() - floor.value.keys()):
            says = f"progressive table {letter} has no meter {name}: choose from {', '.join(floor.value)}"
            yield house.finding("house-option-invalid", option, says)
    for name, least in floor.value.items():
        reset = (house["progressive.resets"] or {}).get(name, least)
        if reset < least:
            says = f"the {name} meter resets to {dollars(reset)}, under {dollars(least)}"
            yield HouseFinding("meter-reset-too-low", _reset_clause(letter, name), says)
    for amount in house["progressive.allowed"]:
        if f"envy_{amount}" not in house.book.tables:
            says = f"a progressive wager of {dollars(amount)} is allowed, but no envy bonus is printed for it"
            yield house.finding("envy-amount-unprinted", "progressive.allowed", says)


def _reset_clause(letter: str, meter: str) -> str:
    paragraph, items = {
        "A": ("i", ("main",)),
        "B": ("ii", ("major", "minor")),
        "C": ("iii", ("mega", "major", "minor")),
        "D": ("iv", ("mega", "major", "minor")),
    }[letter]
    place = f"({items.index(meter) + 1})" if len(items) > 1 else ""
    return f"UTH-MD 12.D(3)(b)({paragraph}){place}"


def pik_multiple(house: House) -> Iterator[HouseFinding]:
    """Yield a play 5 of twice the ante, which 39.3(b) mentions and the definition does not."""
    if house["play5_multiple"] == 2:
        says = "play 5 is twice the ante, which 39.3(b) allows but its definition does not mention"
        yield HouseFinding("play-multiple-two", 'PIK 39.1 "Play 5 wager"', says)


def pik_limits(house: House) -> Iterator[HouseFinding]:
    """Yield a maximum below the minimum of the ante or 3 card bonus (PIK 39.3(a)/s1-limits, 39.3(a)/s2)."""
    for wager in ("ante", "bonus3"):
        least, most = house[f"{wager}_min"], house[f"{wager}_max"]
        if most is not None and most < least:
            says = f"{wager} wagers are at most {dollars(most)} and at least {dollars(least)}"
            yield house.finding("house-option-invalid", f"{wager}_max", says)


def col_cap(house: House) -> Iterator[HouseFinding]:
    """Yield a cap under $50,000."""
    cap, name = house["payout_cap"], f"least_payout_cap_cents_{house['version']}"
    least = house.book.value(name)
    if cap is not None and cap < least:
        says = f"a payout cap of {dollars(cap)} is under {dollars(least)}"
        yield HouseFinding("payout-cap-too-low", house.book.clause_of(name), says)


CHECKS: dict[str, tuple[Check, ...]] = {
    "UTH-MA": (posted_odds, second_deck, hand_dealing("UTH-MA 8(b)(1)"), ma_cover_all, ma_limits, ma_progressive),
    "UTH-MD": (posted_odds, second_deck, hand_dealing("UTH-MD 9.A(1)"), md_six_card, md_cap, md_progressive),
    "PIK": (posted_odds, second_deck, hand_dealing("PIK 39.8(b)1"), pik_limits, pik_multiple),
    "FAH": (posted_odds,),
    "COL": (posted_odds, second_deck, hand_dealing("COL 8(b)(1)"), col_cap),
}
