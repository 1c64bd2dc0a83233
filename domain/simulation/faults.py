"""Device failures and wrong counts at Pik-it and Colorado: what happens before the next card is dealt."""

from collections.abc import Sequence

from domain.facts import devices, payments
from domain.facts.words import Device
from domain.settlement.played import Irregularity
from domain.simulation import decks, equipment, lawful, round_end, rounds, shuffling, stub
from domain.simulation.in_play import IN_THE_DEAL, InPlay, RoundIsVoid
from domain.simulation.plans import RoundPlan, SeatPlan
from domain.simulation.table import TableInPlay
from domain.simulation.uth_in_play import PlanError

# The clauses of the three rules that both books state in the same words.
STUB_MISDEALT = {"PIK": "PIK 39.7(e)2/s2", "COL": "COL 7(e)(2)/s2"}
STUB_WRONG = {"PIK": "PIK 39.7(e)2/s3", "COL": "COL 7(e)(2)/s3"}
SHOE_JAM = {"PIK": "PIK 38.12(f)", "COL": "COL 14(f)"}


def begin(table: TableInPlay, plan: RoundPlan) -> tuple[SeatPlan, ...]:
    """Prepare the round, from the shuffle to the last wager, with any device failure meanwhile."""
    lawful.refuse(table, plan)
    rounds.ready_people(table, plan)
    what = plan.irregularity
    if what is not None:
        before_deal(table, what, active=any(seat.acts for seat in plan.seats))
    rounds.ready_cards(table, plan)
    rounds.open_round(table)
    if what is not None and _jammed(what, "shuffler") and what.deck == "idle":
        if not rounds.idle_decks(table):
            raise PlanError("no idle deck is being shuffled here")
        for idle in rounds.idle_decks(table):
            equipment.fail(table, "shuffler", idle, cards=len(idle.cards))
            equipment.restore(table, "shuffler")
            shuffling.start_machine(table, idle)
    return rounds.place_wagers(table, plan.seats)


def before_deal(table: TableInPlay, what: Irregularity, *, active: bool) -> None:
    """Do what fails before a card of the round is dealt."""
    if what.kind == "shuffler-count":
        miscounted(table, what.count or decks.CARDS + 1)
    elif what.kind == "device-not-removed":
        out_of_order(table, "shoe" if "shoe" in what.device else "shuffler")
    elif _jammed(what, "shuffler") and what.deck != "idle":
        shuffling.start_machine(table, table.deck)
        equipment.fail(table, "shuffler", table.deck, cards=len(table.deck.cards))
        equipment.restore(table, "shuffler")
        shuffling.shuffle(table, table.deck)
    elif _jammed(what, "shoe") and what.stage == "before-deal" and active:
        shuffling.make_ready(table, table.deck)
        equipment.fail(table, "shoe", table.deck, cards=len(table.deck.cards))
        equipment.restore(table, "shoe")


def _jammed(what: Irregularity, device: str) -> bool:
    return what.kind == "jam" and what.device == device


def miscounted(table: TableInPlay, counted: int) -> None:
    """Remove a deck that the counting shuffler finds wrong (PIK 39.7(f)/s2, COL 7(f)/s2)."""
    deck = table.deck
    deck.cards = (*deck.cards[:counted], *deck.cards[: max(0, counted - len(deck.cards))])
    shuffling.shuffle(table, deck)
    decks.remove_and_replace(table, deck, "wrong number of cards")


def out_of_order(table: TableInPlay, kind: Device) -> None:
    """Remove a failed device before cards are shuffled or dealt another way.

    PIK 38.12(g), COL 14(g).
    """
    table.post.say(devices.DeviceFailed, table.device(kind), kind, "stopped", table.deck.name)
    equipment.do_without(table, kind)
    table.deck.ready = table.deck.ready and kind != "shuffler"


def shoe_jams(game: InPlay, order: Sequence[object]) -> bool:
    """Return whether the automated shoe fails after this many cards: halfway, unless the plan says otherwise."""
    if not _jammed(game.what, "shoe") or game.what.stage not in IN_THE_DEAL:
        return False
    if game.what.stage == "before-deal":
        return not any(seat.acts for seat in game.seats.values())
    at = game.what.at_dealt
    return game.dealt >= (len(order) // 2 if at is None else at)


def shoe_is_jammed(game: InPlay) -> RoundIsVoid:
    """Take the cards out of the failed shoe, and return the void."""
    table = game.table
    equipment.fail(table, "shoe", table.deck, cards=0 if game.stub_gone else game.left_to_deal)
    if game.plan.parts.get("after_jam") == "replaced":
        equipment.do_without(table, "shoe")
    else:
        equipment.restore(table, "shoe")
    game.stub_gone = True
    return RoundIsVoid(SHOE_JAM[table.book], "the dealing shoe jammed")


def put_stub_aside(game: InPlay) -> None:
    """Remove the stub and count it if due; a wrong count ends the round."""
    what, table, cards = game.what, game.table, game.left_to_deal
    wrong = what.kind == "stub-count"
    counted = True if wrong else game.plan.count_stub
    if not wrong:
        stub.settle_aside(table, cards, counted=counted)
        game.stub_gone = True
        return
    stub.take_out(table, cards)
    stub.count(table, cards)
    misdealt = what.finding == "misdealt"
    table.post.say(payments.MisdealDetermined, misdealt, what.of)
    stub.put_away(table)
    game.stub_gone = True
    clauses = STUB_MISDEALT if misdealt else STUB_WRONG
    raise RoundIsVoid(clauses[table.book], "misdealt" if misdealt else "wrong number of cards in the deck")


def finish(game: InPlay, void: RoundIsVoid | None) -> None:
    """End the round; an incomplete deck leaves, and a void round does not count toward an interval."""
    table, deck = game.table, game.table.deck
    counted = table.since_count
    lawful.went_as_planned(game, void)
    if void is not None:
        round_end.call_off(game, void)
    rounds.finish(table)
    if void is not None and counted >= 0:
        table.since_count = counted
    if game.what.kind == "stub-count" and game.what.finding != "misdealt":
        decks.remove_and_replace(table, deck, "wrong number of cards")
