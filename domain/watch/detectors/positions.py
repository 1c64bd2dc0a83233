"""Betting positions: how many a player and the table use, and whether players stay at theirs."""

from domain.facts.deal import CardDealt, StackDelivered
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.players import PlayerLeft
from domain.facts.table_day import TableOpened
from domain.games import GAMES
from domain.table.day import TableDay
from domain.table.round import RoundInPlay
from domain.table.spots import Spot
from domain.watch.detecting import Found, judge, watch
from domain.watch.finding import found
from domain.watch.laws import law
from domain.watch.round_order import raised
from domain.watch.wager_order import known, placing

TOO_MANY = law(
    "positions-too-many",
    {
        "player": "UTH-MA 12; UTH-MD 7.G; PIK 39.3(e); FAH (j)(1); COL 6(e)",
        "ever": "PIK 39.3(e)/count; COL 6(e)/count",
    },
)
AT_A_TABLE = law("positions-too-many", "UTH-MD 2.A")
APART = law("positions-not-adjacent", "PIK 39.3(e); COL 6(e)")
LEFT = law("player-left-mid-round", "UTH-MA 6(e) s2; UTH-MD 7.C(1); PIK 39.3(d)/s2; FAH (f)(2)/s2; COL 6(b)/s2")


@judge(TOO_MANY, APART)
def positions_of_a_player(told: RoundInPlay) -> Found:
    """Check that a player bets at one position, or at as many adjacent ones as the house allows."""
    wagering = placing(told).spots
    named = [spot.player for spot in wagering if spot.player]
    if len(set(named)) == len(named):
        return
    most = int(told.house.options.get("max_positions") or 1)
    for player in dict.fromkeys(named):
        held = [spot for spot in wagering if player in _bettors(spot)]
        if len(held) > most:
            keys = ["player"]
            if len(held) > _ever(told, most):
                keys.append("ever")
            says = f"One player bet at {_listed(held)}, but only {most} {'is' if most == 1 else 'are'} allowed."
            yield from raised(told, TOO_MANY, keys, _first(held[most]), says, seat=held[most].seat)
        if held[-1].seat - held[0].seat >= len(held) and not _maybe_between(told, held):
            says = f"One player bet at {_listed(held)}, which are not adjacent."
            yield from raised(told, APART, "", _first(held[-1]), says, seat=held[-1].seat)


def _bettors(spot: Spot) -> set[str]:
    """Return every person with a wager at a position; a second bettor does not change whose position it is."""
    placed = (fact for wagered in spot.wagers.values() for fact in wagered.placed)
    return {spot.player, *(getattr(fact, "player", "") for fact in placed)}


def _maybe_between(told: RoundInPlay, held: list[Spot]) -> bool:
    """Whether the positions between may also be this player's, because an unseen wager shows no owner."""
    if all(known(told, wager) for wager in told.game.required):
        return False
    mine = {spot.seat for spot in held}
    between = [told.seats.get(seat) for seat in range(held[0].seat, held[-1].seat) if seat not in mine]
    return not any(spot is not None and spot.player not in ("", held[0].player) for spot in between)


def _ever(told: RoundInPlay, most: int) -> int:
    """Return the most positions that a book lets any house allow."""
    option = told.house.book.options.get("max_positions")
    return max(option.allowed) if option is not None else most


def _first(spot: Spot) -> Fact:
    return next(fact for held in spot.wagers.values() for fact in (*held.placed, *held.moves))


def _listed(spots: list[Spot]) -> str:
    seats = [str(spot.seat) for spot in spots]
    return f"seats {', '.join(seats[:-1])} and {seats[-1]}"


@watch(TableOpened, laws=(AT_A_TABLE,))
def positions_of_a_table(_: TableDay, fact: TableOpened) -> Found:
    """Check that a Maryland table has at most six betting positions."""
    most = GAMES[fact.book].most_positions
    if most is not None and fact.positions > most:
        says = f"The table opened with {fact.positions} betting positions, but only {most} are allowed."
        yield found(AT_A_TABLE, AT_A_TABLE.cites(fact.book), fact, says)


@judge(AT_A_TABLE)
def positions_in_use(told: RoundInPlay) -> Found:
    """Check that at most six positions have wagers."""
    wagering, most = placing(told).spots, told.game.most_positions
    if most is not None and len(wagering) > most:
        says = f"Wagers were placed at {len(wagering)} betting positions, but only {most} are allowed."
        yield from raised(told, AT_A_TABLE, "", _first(wagering[most]), says, seat=wagering[most].seat)


@judge(LEFT, needs=(RoundCompleted,))
def stayed_seated(told: RoundInPlay) -> Found:
    """Check that a player with a wager and cards stays seated until the round is over."""
    left = told.of(PlayerLeft)
    if not left:
        return
    over = next((fact.sequence for fact in told.of(RoundCompleted)), None)
    dealt: list[CardDealt | StackDelivered] = [*told.of(CardDealt), *told.of(StackDelivered)]
    for fact in left:
        spot = told.seats.get(fact.seat)
        served = any(card.seat == fact.seat and card.sequence < fact.sequence for card in dealt)
        if spot is None or not spot.wagers or not served or (over is not None and fact.sequence > over):
            continue
        says = f"The player at seat {fact.seat} left before the round was complete."
        yield from raised(told, LEFT, "", fact, says, seat=fact.seat)
