"""The wagers without player decisions: stored counts of hands under the house's pay-table lines."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import comb

from domain.cards import ACE, DIAMONDS, HEARTS, JACK, KING
from domain.money import Cents, dollars
from domain.odds.measures import Outcome, WagerOdds, measured, net
from domain.odds.stored import counts, stored
from domain.rulebooks import House, PayTable

# Hands that match more than one line, the better line first.
Lines = Mapping[str, tuple[str, ...]]


def not_stored(why: str, clause: str = "") -> WagerOdds:
    """Return the entry of a wager without known odds, with the reason."""
    return WagerOdds(method="not-stored", clause=clause, note=why)


def by_table(
    table: PayTable,
    hands: Mapping[str, int],
    *,
    lines_of: Lines | None = None,
    amount_cents: Cents | None = None,
    meters: dict[str, Cents] | None = None,
    note: str = "",
) -> WagerOdds:
    """Return a wager's odds from the frequency of each hand and the table in force, posted odds included."""
    lines_of = lines_of or {}
    if why := unreadable(table, {line for hand in hands for line in lines_of.get(hand, (hand,))}, amount_cents, meters):
        return not_stored(why, table.clause)
    outcomes: list[Outcome] = []
    for hand, weight in hands.items():
        line = next((line for line in lines_of.get(hand, (hand,)) if line in table.lines), None)
        outcomes.append((weight, net(table.lines[line] if line else None, amount_cents, meters)))
    return measured(outcomes, clause=table.clause, note=note, amount_cents=amount_cents)


def unreadable(
    table: PayTable,
    known: set[str],
    amount_cents: Cents | None = None,
    meters: Mapping[str, Cents] | None = None,
) -> str:
    """Return why a posted table has no odds here; empty if it has."""
    for hand, line in table.lines.items():
        if hand not in known:
            return f"not stored for these odds: {hand} is no hand this wager counts"
        if line.meter and line.meter not in (meters or {}):
            return f"not stored for these odds: {hand} is paid from a meter this wager does not have"
        if line.flat_cents and amount_cents is None:
            return f"not stored for these odds: {hand} pays a flat amount, and the wager's own is not known"
    return ""


def with_one_pair_line(hands: Mapping[str, int]) -> dict[str, int]:
    """Return the five-card counts with all pairs together."""
    merged = {hand: weight for hand, weight in hands.items() if not hand.startswith("pair")}
    return {**merged, "pair": hands["pair_of_tens_or_better"] + hands["pair_below_tens"]}


def trips(house: House) -> dict[str, WagerOdds]:
    """Return trips, decided by the player's best five of seven, whatever the dealer holds."""
    table = house.table("trips")
    return {"trips": by_table(table, counts("seven_card"))} if table else {}


def added(house: House) -> dict[str, WagerOdds]:
    """The wagers a house added, each by its own table and the hands of the printed wager it is settled like."""
    found = {}
    for wager, printed in house.game.settles_like.items():
        if (table := house.tables.get(wager)) is not None:
            hands, lines_of = _HANDS_OF[printed]
            found[wager] = by_table(table, hands(), lines_of=lines_of)
    return found


def play_the_board(house: House) -> dict[str, WagerOdds]:
    """Return play the board, decided by the five community cards."""
    table = house.table("play_the_board")
    return {"play_the_board": by_table(table, counts("five_card"))} if table else {}


def bad_beat(house: House) -> dict[str, WagerOdds]:
    """Return bad beat, paid by the beaten hand, the player's or the dealer's."""
    table = house.table("bad_beat")
    note = "nobody folds; the beaten hand pays, be it the player's or the dealer's; a tie loses"
    return {"bad_beat": by_table(table, counts("bad_beat"), note=note)} if table else {}


def six_card(house: House) -> dict[str, WagerOdds]:
    """Return the six card bonus. Its super royals are flat amounts, so its odds depend on the wager."""
    table = house.table("six_card")
    if table is None:
        return {}
    hands = counts("six_card")
    if not any(line.flat_cents for line in table.lines.values()):
        return {"six_card": by_table(table, hands)}
    least = house["trips_min"]
    amounts = {"six_card": least} | {f"six_card@{amount}": amount for amount in (100, 500) if amount != least}
    return {
        name: by_table(
            table, hands, amount_cents=amount, note=f"for a wager of {dollars(amount)}: super royals are flat"
        )
        for name, amount in amounts.items()
    }


# Of the 1,326 two-card hands, and of the 1,225 the dealer may hold against a pair of aces, one is the other two aces.
_PAIR_LINES: Lines = {
    "red aces, dealer aces": ("player_and_dealer_aces", "aces_of_hearts_and_diamonds", "pair_of_aces"),
    "other aces, dealer aces": ("player_and_dealer_aces", "pair_of_aces"),
    "red aces": ("aces_of_hearts_and_diamonds", "pair_of_aces"),
    "other aces": ("pair_of_aces",),
    "ace king suited": ("ace_king_suited", "ace_king"),
    "ace king": ("ace_king",),
    "ace queen or jack suited": ("ace_queen_or_jack_suited", "ace_queen_or_jack"),
    "ace queen or jack": ("ace_queen_or_jack",),
    "jacks to kings": ("pair_of_jacks_to_kings",),
    "tens or less": ("pair_of_tens_or_less",),
    "nothing": (),
}


def _two_cards(one: int, two: int) -> str:
    low, high = sorted((one >> 2, two >> 2))
    suited = " suited" if one & 3 == two & 3 else ""
    if low == high == ACE:
        return "red aces" if {one & 3, two & 3} == {HEARTS, DIAMONDS} else "other aces"
    if low == high:
        return "jacks to kings" if low >= JACK else "tens or less"
    if high == ACE and low >= JACK:
        return ("ace king" if low == KING else "ace queen or jack") + suited
    return "nothing"


def two_card_counts() -> dict[str, int]:
    """Return the counts of the player's and dealer's two cards, in the categories of ultimate pairs."""
    dealers = comb(50, 2)
    found = dict.fromkeys(_PAIR_LINES, 0)
    for one, two in combinations(range(52), 2):
        hand = _two_cards(one, two)
        found[hand] += dealers
        if hand in {"red aces", "other aces"}:
            found[hand] -= 1
            found[f"{hand}, dealer aces"] += 1
    return found


def ultimate_pairs(house: House) -> dict[str, WagerOdds]:
    """Return ultimate pairs, decided by the player's first two cards and, on one line, the dealer's."""
    table = house.table("ultimate_pairs")
    return {"ultimate_pairs": by_table(table, two_card_counts(), lines_of=_PAIR_LINES)} if table else {}


_HANDS_OF: Mapping[str, tuple[Callable[[], Mapping[str, int]], Lines]] = {
    "trips": (partial(counts, "seven_card"), {}),
    "play_the_board": (partial(counts, "five_card"), {}),
    "bad_beat": (partial(counts, "bad_beat"), {}),
    "six_card": (partial(counts, "six_card"), {}),
    "ultimate_pairs": (two_card_counts, _PAIR_LINES),
}


def progressive_hands(house: House) -> dict[str, int]:
    """Return the hands a progressive counts: best of seven, or hole cards and flop if the house says so."""
    if house.options.get("progressive.cards") == "hole-and-flop":
        return with_one_pair_line(counts("five_card"))
    return counts("seven_card")


def meters(house: House) -> dict[str, Cents]:
    """Return each meter as configured; without a setting, its reset, or else the lowest reset in the text."""
    floor: dict[str, Cents] = house.book.value(f"least_resets_cents_{house['progressive.table']}")
    return {**floor, **(house["progressive.resets"] or {}), **(house["progressive.meters"] or {})}


def md_progressive(house: House) -> dict[str, WagerOdds]:
    """Return the progressive at each allowed amount, and the envy bonus as its value per other player."""
    table = house.table("progressive")
    if table is None:
        return {}
    hands, held = progressive_hands(house), meters(house)
    shown = ", ".join(f"{name} {dollars(cents)}" for name, cents in held.items())
    found: dict[str, WagerOdds] = {}
    for number, amount in enumerate(sorted(house["progressive.allowed"])):
        suffix = "" if number == 0 else f"@{amount}"
        note = f"for {dollars(amount)} with {shown}; envy apart"
        found[f"progressive{suffix}"] = by_table(table, hands, amount_cents=amount, meters=held, note=note)
        found[f"envy{suffix}"] = _envy(house, amount, hands)
    return found


def _envy(house: House, amount: Cents, hands: Mapping[str, int]) -> WagerOdds:
    table = house.tables.get(f"envy_{amount}")
    if table is None:
        return not_stored(f"no envy bonus is printed for a wager of {dollars(amount)}", "UTH-MD 12.D(5)(b)")
    if why := unreadable(table, set(hands), amount):
        return not_stored(why, table.clause)
    deals = sum(hands.values())
    # The envy bonus has no stake of its own, so a line that includes a stake pays it as well.
    worth = sum(hands[hand] * (net(line, amount) + line.stake_included) for hand, line in table.lines.items())
    return WagerOdds(
        method="exact",
        hit_rate=Fraction(sum(hands[hand] for hand in table.lines), deals),
        value_per_other_player=Fraction(worth) / deals,
        amount_cents=amount,
        clause=table.clause,
        note=f"worth to a wager of {dollars(amount)}, for each other player dealt in",
    )


def ma_progressive(house: House) -> dict[str, WagerOdds]:
    """Return Massachusetts' progressive under the house's own awards, because the text prints no table."""
    if not house["progressive"]:
        return {}
    clause = house.book.options["progressive.house_awards"].clause
    awards: dict[str, Cents] | None = house["progressive.house_awards"]
    hands, amount = counts("seven_card"), house["progressive.amount"]
    if awards is None:
        return {"progressive": not_stored("the text prints no pay table: name progressive.house_awards", clause)}
    if unknown := awards.keys() - hands.keys():
        return {"progressive": not_stored(f"{min(unknown)} is no hand this wager counts", clause)}
    outcomes = [(weight, Fraction(awards.get(hand, 0), amount) - 1) for hand, weight in hands.items()]
    note = f"for {dollars(amount)}, by the house's own awards"
    return {"progressive": measured(outcomes, clause=clause, note=note, amount_cents=amount)}


def cover_all(house: House) -> dict[str, WagerOdds]:
    """Return Cover All at each number of hands dealt, the dealer's included; `cover_all` itself is a full table."""
    if not house["cover_all"]:
        return {}
    columns = house.book.tables["cover_all"].tables
    if (house["posted_odds"] or {}).get("cover_all"):
        why = "not stored for these odds: posted odds for cover_all do not say which column they change"
        return {"cover_all": not_stored(why, house.book.tables["cover_all"].clause)}
    found = {
        number: by_table(
            columns[number], stored("cover_all")["counts"][number], note=f"{number} hands dealt, the dealer's included"
        )
        for number in sorted(columns)
    }
    full = max(columns)
    return {"cover_all": found[full]} | {f"cover_all@{number}": odds for number, odds in found.items()}


def pik_bonus5(house: House) -> dict[str, WagerOdds]:
    """Return Pik-it's compulsory five card bonus."""
    table = house.table("bonus5")
    return {"bonus5": by_table(table, with_one_pair_line(counts("five_card")))} if table else {}


def pik_bonus3(house: House) -> dict[str, WagerOdds]:
    """Return Pik-it's three card bonus, with the best-paid three selected, and with a blind selection."""
    table = house.table("bonus3")
    if table is None:
        return {}
    sets = counts("three_of_five")
    best = {offered: tuple(_best_paid_first(table, offered.split())) for offered in sets}
    return {
        "bonus3": by_table(table, sets, lines_of=best, note="the best-paid three of the five are selected"),
        "bonus3_blind": by_table(table, counts("three_card"), note="any three of the five are selected"),
    }


def _best_paid_first(table: PayTable, offered: Sequence[str]) -> list[str]:
    """Return the offered hands, the best-paid first.

    Flat amounts and meters have no such order here and make `by_table` refuse the table.
    """
    paid = {
        hand: net(table.lines[hand])
        for hand in offered
        if hand in table.lines and not (table.lines[hand].meter or table.lines[hand].flat_cents)
    }
    return [*sorted(paid, key=lambda hand: paid[hand], reverse=True), *(hand for hand in offered if hand not in paid)]
