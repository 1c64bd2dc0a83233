"""Wagers of a wrong amount, outside the posted limits, missing, or taken without their prerequisites."""

from domain.facts.deal import RoundOpened
from domain.facts.decisions import DecisionMade
from domain.facts.payments import RoundCompleted
from domain.facts.table_day import WagerLimits
from domain.facts.wagers import WagerPlaced
from domain.games import GAMES
from domain.simulation import opening
from domain.simulation.edits import Edit, said
from domain.simulation.incidents.changes import before, gone, told
from domain.simulation.incidents.incident import ALL_BOOKS, ULTIMATE, StretchUnfitError, incident
from domain.simulation.incidents.scene import PlayedStretch, UntouchedWager, Woven, cents_of
from domain.simulation.incidents.settings import chosen, with_options
from domain.simulation.incidents.stage import by_book, having, numbers, of, plain, somebody, with_wager
from domain.simulation.plans import RoundPlan
from domain.simulation.table import Setup, TableInPlay

_FOLLOWING = ("blind", "play", "bonus5", "play3", "play5", "split", "bet", "bonus")
_MORE = 500
_NOT_ALL_LIMITED = tuple(book for book in ALL_BOOKS if not GAMES[book].pik_it)  # Pik-it's text limits its antes


def _placed_as(scene: PlayedStretch, held: UntouchedWager, stake: int) -> list[Edit]:
    """Return edits that give the wager another stake, and all its movements in proportion."""
    edits: list[Edit] = [told(scene.first(WagerPlaced, seat=held.seat, wager=held.wager), cents=stake)]
    for move in held.moves:
        cents, rest = divmod(cents_of(move) * stake, held.stake)
        scene.wants(not rest)
        edits.append(told(move, cents=cents))
    return edits


@incident(
    "wager-amount-invalid",
    ALL_BOOKS,
    "A wager is another amount than the rules allow, and is settled as it lies there.",
    clauses={
        "blind": "UTH-MA 1 (Ante); UTH-MA 1 (Blind); UTH-MD 7.F(1)",
        "play": "UTH-MA 6(d)",
        "play preflop": "UTH-MA 10(a) s3; UTH-MD 11.B(1)",
        "play flop": "UTH-MA 10(c) s2; UTH-MD 11.D(1)",
        "play river": "UTH-MA 10(e); UTH-MD 11.F",
        "bonus5": 'PIK 39.1 "5 card bonus wager"',
        "play3": 'PIK 39.1 "Play 3 wager"; PIK 39.3(b)/s3; PIK 39.10(c)3',
        "play5": 'PIK 39.1 "Play 5 wager"; PIK 39.3(b)/s3; PIK 39.10(c)3',
        "split": "FAH (h)(3)/s1",
        "bet": 'COL 1 "Bet wager"',
        "bonus": "COL 6a(b)",
    },
    staging=by_book({"FAH": somebody("split"), "COL": somebody("bet")}),
)
def another_amount(scene: PlayedStretch) -> Woven:
    """Return the stretch with a wager that differs from the amount the rules derive for it."""
    held = scene.choose([each for each in scene.wagers() if each.wager in _FOLLOWING and not each.coupon])
    stake = held.stake + _MORE
    edits = _placed_as(scene, held, stake)
    return scene.woven(
        *edits,
        seat=held.seat,
        wager=held.wager,
        expected=held.stake,
        observed=stake,
        keys=(held.wager, _street(scene, held)),
    )


def _street(scene: PlayedStretch, held: UntouchedWager) -> str:
    """Return the street of a play wager, because before the flop it may be near another allowed multiple."""
    if held.wager != "play":
        return ""
    made = scene.last(DecisionMade, seat=held.seat, decision="play")
    ante = scene.wagers(seat=held.seat, wager="ante")[0].stake
    scene.wants(made.street != "preflop" or held.stake == 4 * ante or ante > 2 * _MORE)
    return f"play {made.street}"


def _bounded(setup: Setup) -> Setup:
    """Return Pik-it with its 3 card bonus, and a maximum for every wager."""
    bounds = {"ante_max": 30_000, "bonus3_min": 100, "bonus3_max": 5_000}
    lacking = {name: cents for name, cents in bounds.items() if chosen(setup, name) is None}
    table = {} if chosen(setup, "bonus3_table") else {"bonus3_table": 1}
    return with_options(setup, lacking | table)


def _too_much(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Return the round with the first player above the maximum, on the 3 card bonus or the ante."""
    number = numbers(plain(plan))[0]
    most = {name: int(table.house.options[f"{name}_max"]) + 500 for name in ("ante", "bonus3")}
    if of(plan, number).coupons:
        raise StretchUnfitError("a coupon lies there")
    if table.rounds % 2:
        return having(with_wager(plan, number, bonus3=most["bonus3"]), unlawful=True)
    return having(with_wager(plan, number, ante=most["ante"], bonus5=most["ante"]), unlawful=True)


@incident(
    "wager-outside-limits",
    ("PIK",),
    "A wager above the posted maximum is taken.",
    clauses={**dict.fromkeys(("ante", "bonus5"), "PIK 39.3(a)/s1-limits"), "bonus3": "PIK 39.3(a)/s2"},
    setting=_bounded,
    staging=_too_much,
    besides=("wager-outside-limits",),
)
def above_the_limit(scene: PlayedStretch) -> Woven:
    """Return the stretch with a wager above the posted maximum."""
    held = next(each for each in scene.wagers() if each.stake > (_most(scene, each.wager) or each.stake))
    most = _most(scene, held.wager)
    return scene.woven(seat=held.seat, wager=held.wager, expected=most, observed=held.stake, keys=(held.wager,))


@incident(
    "wager-outside-limits/posted",
    ULTIMATE,
    "The table posts a higher minimum, and antes below it are still taken.",
    clauses="UTH-MA 11(e); UTH-MD 12.F(1)",
    besides=("wager-outside-limits",),
)
def below_the_new_limit(scene: PlayedStretch) -> Woven:
    """Return the stretch with a new minimum above the first ante; the old limits are posted again before the end."""
    held = scene.wagers(wager="ante")[0]
    least, was = held.stake + _MORE, opening.limits(scene.table)["ante"]
    return scene.woven(
        before(scene.first(RoundOpened), said("limits-posted", "ante", least, None)),
        before(scene.last(RoundCompleted), said("limits-posted", "ante", was.least_cents, was.most_cents)),
        seat=held.seat,
        wager="ante",
        expected=least,
        observed=held.stake,
    )


@incident(
    "wager-outside-limits/house",
    _NOT_ALL_LIMITED,
    "The table posts a lower maximum for a wager, and one above it is still taken.",
    clauses="HOUSE 3 (Limits)",
    besides=("wager-outside-limits",),
    only_named=True,
)
def above_the_new_limit(scene: PlayedStretch) -> Woven:
    """Return the stretch with a new maximum below the first wager; the old limits are posted again before the end."""
    held = scene.wagers()[0]
    most, was = held.stake - 1, opening.limits(scene.table).get(held.wager, WagerLimits())
    return scene.woven(
        before(scene.first(RoundOpened), said("limits-posted", held.wager, None, most)),
        before(scene.last(RoundCompleted), said("limits-posted", held.wager, was.least_cents, was.most_cents)),
        seat=held.seat,
        wager=held.wager,
        expected=most,
        observed=held.stake,
    )


def _most(scene: PlayedStretch, wager: str) -> int | None:
    return scene.house.options.get({"bonus5": "ante_max"}.get(wager, f"{wager}_max"))


@incident(
    "wager-missing",
    ("UTH-MA", "UTH-MD", "PIK", "COL"),
    "A position is dealt in without a wager the game requires.",
    clauses={
        "blind": "UTH-MA 1 (Blind); UTH-MD 7.F(1)",
        "bonus5": 'PIK 39.1 "5 card bonus wager"; PIK 39.3(a)/s1',
        "bet": "COL 10(b)(1)/s1",
    },
    besides=("wager-precondition-unmet",),
)
def without_a_required_wager(scene: PlayedStretch) -> Woven:
    """Return the stretch without one required wager and its movements."""
    wager = {"UTH-MA": "blind", "UTH-MD": "blind", "PIK": "bonus5", "COL": "bet"}[scene.book]
    scene.wants(scene.book != "COL" or scene.house["version"] == "required")
    held = scene.choose(scene.wagers(wager=wager))
    placed = scene.first(WagerPlaced, seat=held.seat, wager=wager)
    follows = wager == "bet"  # an ante that shows the amount
    return scene.woven(
        gone(placed, *held.moves),
        seat=held.seat,
        wager=wager,
        expected=held.stake if follows else None,
        observed=0 if follows else None,
        keys=(wager,),
    )


@incident(
    "wager-precondition-unmet",
    ("UTH-MA", "UTH-MD", "PIK", "COL"),
    "A side wager is taken without the wagers it may be placed beside.",
    clauses="UTH-MA 6(c) s1; UTH-MD 7.F(2); PIK 39.3(a)/s2; COL 6a(b)",
    besides=("wager-missing", "seat-dealt-unwagered", "wager-precondition-unmet"),
)
def alone(scene: PlayedStretch) -> Woven:
    """Return the stretch with a side wager but without the wager it needs."""
    wager = {"UTH-MA": "trips", "UTH-MD": "trips", "PIK": "bonus3", "COL": "bonus"}[scene.book]
    needs = {"UTH-MA": "blind", "UTH-MD": "blind", "PIK": "bonus5", "COL": "ante"}[scene.book]
    held = scene.choose(scene.wagers(wager=wager))
    lacking = scene.wagers(seat=held.seat, wager=needs)[0]
    placed = scene.first(WagerPlaced, seat=held.seat, wager=needs)
    return scene.woven(gone(placed, *lacking.moves), seat=held.seat, wager=wager)
