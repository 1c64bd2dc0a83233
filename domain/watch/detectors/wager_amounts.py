"""Wager amounts: required wagers, equal wagers, multiples, posted limits."""

from domain.facts.decisions import DecisionMade
from domain.facts.wagers import WagerPlaced
from domain.money import dollars
from domain.spoken import listed, name_of_wager, the_wager
from domain.table.round import RoundInPlay
from domain.watch.dealing import lies
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.round_order import raised
from domain.watch.wager_order import amount, firsts, known, placing, settled, street_at, took_part

MISSING = law(
    "wager-missing",
    {
        "ante": 'UTH-MA 1 (Ante); UTH-MD 7.F(1); PIK 39.1 "Ante wager"; PIK 39.3(a)/s1; COL 1 "Ante wager";'
        " COL 6(d)/s1",
        "blind": "UTH-MA 1 (Blind); UTH-MD 7.F(1)",
        "bonus5": 'PIK 39.1 "5 card bonus wager"; PIK 39.3(a)/s1',
    },
)
NO_BET = law("wager-missing", "COL 10(b)(1)/s1")
EQUAL = law(
    "wager-amount-invalid",
    {
        "blind": "UTH-MA 1 (Ante); UTH-MA 1 (Blind); UTH-MD 7.F(1)",
        "bonus5": 'PIK 39.1 "5 card bonus wager"',
    },
)
PLAY = law(
    "wager-amount-invalid",
    {
        "preflop": "UTH-MA 10(a) s3; UTH-MA 6(d); UTH-MD 11.B(1)",
        "flop": "UTH-MA 10(c) s2; UTH-MA 6(d); UTH-MD 11.D(1)",
        "river": "UTH-MA 10(e); UTH-MA 6(d); UTH-MD 11.F",
    },
)
FOLLOWING = law(
    "wager-amount-invalid",
    {
        "play3": 'PIK 39.1 "Play 3 wager"; PIK 39.3(b)/s3; PIK 39.10(c)3',
        "play5": 'PIK 39.1 "Play 5 wager"; PIK 39.3(b)/s3; PIK 39.10(c)3',
        "split": "FAH (h)(3)/s1",
        "bet": 'COL 1 "Bet wager"',
        "bet required": "COL 10(b)(1)/s1",
        "bet permissible": "COL 11(b)(1)/s1",
        "bonus": "COL 6a(b)",
    },
)
LIMITS = law(
    "wager-outside-limits",
    {
        "ante": "PIK 39.3(a)/s1-limits",
        "bonus5": "PIK 39.3(a)/s1-limits",
        "bonus3": "PIK 39.3(a)/s2",
        "minimum": "UTH-MA 11(e); UTH-MD 12.F(1)",  # the minimum wager that the payout limit rests on
        "house": "HOUSE 3 (Limits)",
    },
)
PRECONDITION = law(
    "wager-precondition-unmet",
    {
        "trips": "UTH-MA 6(c) s1; UTH-MD 7.F(2)",
        "progressive": "UTH-MA 14(b) s1; UTH-MD 7.F(3)(a)",
        "progressive alone": "UTH-MA 14(b) s2",
        "six_card": "UTH-MD 7.F(4)(b)",
        "bonus3": "PIK 39.3(a)/s2",
        "bonus": "COL 6a(b)",
    },
)


@judge(MISSING)
def required_wagers(told: RoundInPlay) -> Found:
    """Check that a position dealt in has every wager the game requires."""
    required, found = told.game.required, placing(told)
    for spot in () if found.whole else found.spots:
        lacking = [wager for wager in required if not lies(spot, wager) and known(told, wager)]
        first = next((held.placed[0] for held in spot.wagers.values() if held.placed), None)
        if first is None or not took_part(told, spot):
            continue
        for wager in lacking:
            says = f"Seat {spot.seat} took part without the {the_wager(wager)}."
            yield from raised(told, MISSING, wager, first, says, seat=spot.seat, wager=wager)


@judge(NO_BET, needs=(DecisionMade,))
def bet_to_play_on(told: RoundInPlay) -> Found:
    """Check that nobody plays on without a required bet."""
    if told.house.options.get("version") != "required" or told.voided or not known(told, "bet"):
        return
    for made in told.of(DecisionMade):
        if made.decision == "play" and not lies(told.seats[made.seat], "bet"):
            ante = amount(told.seats[made.seat], "ante")
            says = f"Seat {made.seat} played on without the bet wager that this version requires."
            yield from raised(told, NO_BET, "", made, says, seat=made.seat, wager="bet", expected=ante, observed=0)


@judge(EQUAL)
def equal_wagers(told: RoundInPlay) -> Found:
    """Check that the second required wager equals the ante."""
    if told.game.equal is None:
        return
    one, other = told.game.equal
    for spot in placing(told).spots:
        due, lay = amount(spot, one), amount(spot, other)
        if due is not None and lay is not None and due != lay:
            trigger = spot.wagers[other].placed[-1]
            amounts = f"{name_of_wager(other)} is {dollars(lay)} and its {name_of_wager(one)} is {dollars(due)}"
            says = f"Seat {spot.seat}'s {amounts}, but they must be equal."
            yield from raised(
                told, EQUAL, other, trigger, says, seat=spot.seat, wager=other, expected=due, observed=lay
            )


@judge(PLAY)
def play_multiples(told: RoundInPlay) -> Found:
    """Check that hold'em's play wager is three or four, two, or one times the ante, by street."""
    for placed in firsts(placing(told).later):
        spot = told.seats[placed.seat]
        lay, ante = amount(spot, "play"), amount(spot, "ante")
        if not ante or lay is None or placed.wager != "play":
            continue
        street = street_at(told, spot.seat, placed.sequence)
        multiples = told.house.book.value(f"{street}_play_multiples") if street is not None else None
        if multiples is None or (lay % ante == 0 and lay // ante in multiples):
            continue
        due = min((ante * times for times in multiples), key=lambda cents: abs(cents - (lay or 0)))
        says = (
            f"Seat {spot.seat} played {dollars(lay)} {_WHEN[str(street)]} on an ante of {dollars(ante)},"
            f" but only {' or '.join(dollars(ante * times) for times in sorted(multiples))} is allowed."
        )
        yield from raised(
            told, PLAY, str(street), placed, says, seat=spot.seat, wager="play", expected=due, observed=lay
        )


_WHEN = {"preflop": "before the flop", "flop": "after the flop", "river": "after the last two community cards"}


@judge(FOLLOWING)
def wagers_as_much_as_the_first(told: RoundInPlay) -> Found:
    """Check the amounts of later wagers: Pik-it's play multiples, Colorado's bet, Fast Action's split.

    Pik-it's play wagers are the posted multiple of the ante. Colorado's bet and Fast Action's split equal the first
    wager. Colorado's bonus is one dollar.
    """
    found = placing(told)
    bonuses = [placed for placed in told.of(WagerPlaced) if placed.wager == "bonus"] if told.game.colorado else ()
    for placed in firsts((*found.later, *bonuses)):
        due = _due(told, placed)
        lay = amount(told.seats[placed.seat], placed.wager)
        if due is None or lay is None or lay == due:
            continue
        keys: list[str] = [placed.wager]
        if placed.wager == "bet":
            keys.append(f"bet {told.house['version']}")
        says = f"Seat {placed.seat}'s {name_of_wager(placed.wager)} is {dollars(lay)} but must be {dollars(due)}."
        yield from raised(
            told, FOLLOWING, keys, placed, says, seat=placed.seat, wager=placed.wager, expected=due, observed=lay
        )


def _due(told: RoundInPlay, placed: WagerPlaced) -> int | None:
    """Return the required amount of this wager, or None if it is free or depends on an unseen wager."""
    spot, wager = told.seats[placed.seat], placed.wager
    if wager in ("play3", "play5") and told.game.pik_it:
        ante = amount(spot, "ante")
        return ante * int(told.house[f"{wager}_multiple"]) if ante is not None else None
    if wager == "split":
        return amount(spot, "original")
    if wager == "bet" and told.game.colorado:
        return amount(spot, "ante")
    if wager == "bonus":
        return int(told.house.book.value("bonus_cents"))
    return None


@judge(LIMITS)
def within_the_posted_limits(told: RoundInPlay) -> Found:
    """Check that wagers are within the posted limits, and at Pik-it within the house's options.

    Pik-it's text says so. Ultimate Texas Hold'em's texts know a minimum wager but do not say that one below it is
    refused: a reading. Elsewhere a posted limit is a rule of the house alone.
    """
    found = placing(told)
    for wager in dict.fromkeys((*_OPTIONAL_LIMITS, *told.limits) if told.game.pik_it else told.limits):
        least, most = _posted(told, wager)
        for spot in found.spots:
            lay = amount(spot, wager)
            if lay is None or (least or 0) <= lay <= (most or lay):
                continue
            says = f"Seat {spot.seat}'s {name_of_wager(wager)} of {dollars(lay)} is outside the posted limits"
            says += f": {_in_words(least, most)}."
            below = least is not None and lay < least
            key = _limiting(told, wager, below=below)
            yield from raised(
                told,
                LIMITS,
                key,
                spot.wagers[wager].placed[-1],
                says,
                seat=spot.seat,
                wager=wager,
                expected=least if below else most,
                observed=lay,
                basis="reading" if key == "minimum" else "certain",
            )


_OPTIONAL_LIMITS = ("ante", "bonus5", "bonus3")  # that Pik-it's house may set by an option


def _limiting(told: RoundInPlay, wager: str, *, below: bool) -> str:
    """Return the key of the clause that limits this wager, or else of the house's own rule."""
    for key in (wager, "minimum") if below else (wager,):
        if LIMITS.cites(told.book, key):
            return key
    return "house"


def _in_words(least: int | None, most: int | None) -> str:
    """Return limits in words; at least one of them is posted."""
    parts = [f"at least {dollars(least)}"] if least is not None else []
    parts += [f"at most {dollars(most)}"] if most is not None else []
    return " and ".join(parts)


def _posted(told: RoundInPlay, wager: str) -> tuple[int | None, int | None]:
    limits = told.limits.get(wager)
    options = told.house.options if told.game.pik_it else {}  # elsewhere an option is no posted sign
    least, most = options.get(f"{wager}_min"), options.get(f"{wager}_max")
    if limits is not None:
        least = limits.least_cents if limits.least_cents is not None else least
        most = limits.most_cents if limits.most_cents is not None else most
    return least, most


@judge(PRECONDITION)
def what_comes_first(told: RoundInPlay) -> Found:
    """Check that a wager that requires others is not accepted without them."""
    found = placing(told)
    for spot in () if found.whole else found.spots:
        for wager, held in spot.wagers.items():
            needs = told.game.beside.get(wager)
            if needs is None or not held.placed:
                continue
            lacking = [each for each in needs if not lies(spot, each) and known(told, each)]
            if not lacking or not (took_part(told, spot) or settled(held)):
                continue
            keys = [wager]
            if wager == "progressive" and not any(lies(spot, each) for each in needs):
                keys.append("progressive alone")
            first = listed([name_of_wager(each) for each in lacking])
            says = f"Seat {spot.seat} placed the {the_wager(wager)} without {first}."
            yield from raised(told, PRECONDITION, keys, held.placed[0], says, seat=spot.seat, wager=wager)
