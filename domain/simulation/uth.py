"""The dealer of Ultimate Texas Hold'em in Massachusetts and Maryland: one planned round, lawfully dealt and settled."""

from domain.settlement import settle
from domain.simulation import decks, equipment, faults, rounds, shuffling, stub
from domain.simulation.in_play import RoundIsVoid
from domain.simulation.piles import Pile
from domain.simulation.plans import RoundPlan
from domain.simulation.table import TableInPlay
from domain.simulation.uth_betting import bank_progressive, place_all
from domain.simulation.uth_card_order import lay
from domain.simulation.uth_dealing import deal_hands, flop, last_two, lay_stub_aside, uncover_dealer
from domain.simulation.uth_decisions import ask_all
from domain.simulation.uth_in_play import PlanError, Uth
from domain.simulation.uth_lawful import troubles
from domain.simulation.uth_settling import reveal_dealer, settle_all
from domain.simulation.uth_void import call_off
from domain.simulation.uth_wrong import after_settlement, at, out_of_order


def deal(table: TableInPlay, plan: RoundPlan) -> None:
    """Deal a round, from the shuffle before it to the empty rack after it.

    An unlawful plan is refused, unless its `parts` say `unlawful`: then the dealer deals it anyway.
    """
    if not plan.parts.get("unlawful") and (wrong := "; ".join(troubles(table, plan))):
        raise PlanError(wrong)
    rounds.ready_people(table, plan)
    if "shuffler_count" in plan.parts:  # UTH-MD 5.E
        faults.miscounted(table, int(plan.parts["shuffler_count"]))
    game = Uth(table, plan, plan.seats)
    if game.what.kind == "device-not-removed":
        out_of_order(game)
    deck = table.deck
    try:
        _begin(game)
        _play(game)
    except RoundIsVoid as void:
        call_off(game, void)
    if not game.happened:
        raise PlanError(f"the {game.what.kind} of the plan did not happen")
    rounds.finish(table)
    if game.deck_not_whole:
        decks.remove_and_replace(table, deck, "not whole")


def _begin(game: Uth) -> None:
    """Prepare the cards, open the round and place the wagers; a shuffler may jam with these cards in it."""
    table, what = game.table, game.what
    jams = what.kind == "jam" and what.device == "shuffler" and what.deck != "idle"
    if jams and game.massachusetts:
        _jam_over(game)  # UTH-MA 15(e): reshuffled, and nothing more
    if not jams or game.massachusetts:
        rounds.ready_cards(table, game.plan)
    rounds.open_round(table)
    place_all(game)
    if jams and not game.massachusetts:
        _jam_over(game)
        raise RoundIsVoid("UTH-MD 13.H(2)", "shuffler jammed")
    game.pile = Pile(lay(game))


def _jam_over(game: Uth) -> None:
    table = game.table
    game.happened = True
    shuffling.start_machine(table, table.deck)
    equipment.fail(table, "shuffler", table.deck, cards=len(table.deck.cards))
    if game.plan.parts.get("after_jam") == "replaced":
        equipment.do_without(table, "shuffler")
    else:
        equipment.restore(table, "shuffler")


def _play(game: Uth) -> None:
    table = game.table
    rounds.close_bets(table)
    bank_progressive(game)
    deal_hands(game)
    if game.board_dealt_first:
        _stub(game)  # UTH-MD 10.B(5)
    at(game, "dealing")
    ask_all(game, "preflop")
    flop(game)
    ask_all(game, "flop")
    rounds.finish_idle_shuffle(table)
    last_two(game)
    at(game, "board")
    if not game.board_dealt_first:
        _stub(game)
    ask_all(game, "river")
    at(game, "reveal")
    uncover_dealer(game)
    settlement = settle(game.house, game.played(irregular=game.happened))
    reveal_dealer(game, settlement)
    at(game, "before-settlement")
    settle_all(game, settlement)
    after_settlement(game)


def _stub(game: Uth) -> None:
    at(game, "stub")
    late = game.what.kind == "stub-count" and not game.happened
    lay_stub_aside(game, counted=False if late and stub.count_is_due(game.table) else None)
