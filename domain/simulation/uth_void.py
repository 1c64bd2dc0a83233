"""A void round of Ultimate Texas Hold'em: wagers returned, surviving trips settled, cards collected."""

from domain.facts import payments
from domain.settlement import settle
from domain.simulation import equipment, paying
from domain.simulation.in_play import RoundIsVoid
from domain.simulation.round_end import VOID, pick_up, rule
from domain.simulation.uth_dealing import flop, last_two, lay_stub_aside
from domain.simulation.uth_in_play import PlanError, Uth
from domain.simulation.uth_settling import pick_up_table, reveal_for_trips

HAND = 2


def call_off(game: Uth, void: RoundIsVoid) -> None:
    """Void the round, from the announcement to the empty table."""
    if void.ruled:
        rule(game, void.clause, VOID)
    game.post.say(payments.RoundVoided, void.reason, "floorperson" if void.ruled else "dealer")
    living = [seat for seat in game.down if game.keeps_trips and (seat, "trips") in game.lying]
    for seat in game.down:
        _give_all_back(game, seat, keep="trips" if seat in living else "")
    if game.what.kind == "jam":
        _after_jam(game)
    if any(len(game.of(seat)) != HAND for seat in living):
        raise PlanError("trips survives the void, but not every hand was dealt")
    if living:
        flop(game)  # UTH-MA 15(a) s2, UTH-MD 13.G: the missing community cards are dealt for them
        last_two(game)
        settled = settle(game.house, game.played())
        reveal_for_trips(game, {seat: settled.seats[seat]["trips"] for seat in living})
    for seat in game.down:
        pick_up(game, seat)
    pick_up_table(game)
    if game.dealt and not game.stub_gone:
        lay_stub_aside(game)


def _give_all_back(game: Uth, seat: int, keep: str) -> None:
    """Return every wager of the seat, including those already in the tray (UTH-MD 13.F, 13.E)."""
    for (number, wager), stake in game.staked.items():
        if number != seat or wager == keep or seat in game.voided:
            continue
        taken = stake - game.got.get((seat, wager), stake)
        in_tray = stake if wager == "progressive" and seat in game.banked else taken
        paying.give_back(game.table, game.seats[seat], wager, stake, from_tray=in_tray)
        game.record(seat, wager, stake)


def _after_jam(game: Uth) -> None:
    """Take the cards out of the device, which is repaired or taken out of use."""
    table = game.table
    if game.what.device != "shoe":
        return
    equipment.empty(table, "shoe", table.deck, cards=game.pile.left)
    game.stub_gone = True
    if game.plan.parts.get("after_jam") == "replaced":
        equipment.do_without(table, "shoe")
    else:
        equipment.restore(table, "shoe")
