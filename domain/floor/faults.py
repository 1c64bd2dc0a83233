"""Devices that fail at Pik-it and Colorado, and counts that are wrong: what is done before the next card is dealt."""

from collections.abc import Sequence

from domain.facts import devices, payments, table_day
from domain.floor import decks, rounds, shuffling, stub, winding_up
from domain.floor.in_play import IN_THE_DEAL, InPlay, RoundIsVoid
from domain.floor.plans import RoundPlan, SeatPlan
from domain.floor.table import Deck, Table
from domain.settlement.played import Irregularity

# Where the three things stand that both books say in the same words.
STUB_MISDEALT = {"PIK": "PIK 39.7(e)2/s2", "COL": "COL 7(e)(2)/s2"}
STUB_WRONG = {"PIK": "PIK 39.7(e)2/s3", "COL": "COL 7(e)(2)/s3"}
SHOE_JAM = {"PIK": "PIK 38.12(f)", "COL": "COL 14(f)"}


def begin(table: Table, plan: RoundPlan) -> tuple[SeatPlan, ...]:
    """From the cards' shuffle to the last wager placed, with whatever device fails meanwhile."""
    rounds.ready_people(table, plan)
    what = plan.irregularity
    if what is not None:
        before_deal(table, what, anew=any(seat.acts for seat in plan.seats))
    shuffling.make_ready(table, table.deck)
    rounds.open_round(table)
    if what is not None and _jammed(what, "shuffler") and what.deck == "idle":
        for idle in rounds.idle_decks(table):
            jam(table, "shuffler", idle)
            shuffling.start_machine(table, idle)
    return rounds.place_wagers(table, plan.seats)


def before_deal(table: Table, what: Irregularity, *, anew: bool) -> None:
    """What fails before a card of the round is dealt."""
    if what.kind == "shuffler-count":
        miscounted(table, what.count or decks.CARDS + 1)
    elif what.kind == "device-not-removed":
        do_without(table, "shoe" if "shoe" in what.device else "shuffler")
    elif _jammed(what, "shuffler") and what.deck != "idle":
        shuffling.start_machine(table, table.deck)
        jam(table, "shuffler", table.deck)
        shuffling.shuffle(table, table.deck)
    elif _jammed(what, "shoe") and what.stage == "before-deal" and anew:
        shuffling.make_ready(table, table.deck)
        jam(table, "shoe", table.deck)
        empty_shoe(table, table.deck, len(table.deck.cards))


def _jammed(what: Irregularity, device: str) -> bool:
    return what.kind == "jam" and what.device == device


def jam(table: Table, kind: str, deck: Deck) -> None:
    """A device fails and is put right."""
    name = table.device(kind)
    table.post.say(devices.DeviceFailed, name, kind, "jammed", deck.name)
    table.post.say(devices.DeviceRestored, name)


def empty_shoe(table: Table, deck: Deck, cards: int) -> None:
    """The cards left in a failed shoe are taken out, to be shuffled with those already dealt."""
    table.post.say(devices.DeviceEmptied, table.device("shoe"), deck.name, cards)
    deck.ready = False


def miscounted(table: Table, counted: int) -> None:
    """The counting shuffler finds another number of cards: the deck leaves the table (PIK 39.7(f)/s2, COL 7(f)/s2)."""
    deck = table.deck
    deck.cards = (*deck.cards[:counted], *deck.cards[: max(0, counted - len(deck.cards))])
    shuffling.shuffle(table, deck)
    decks.change(table, deck, "wrong number of cards")


def do_without(table: Table, kind: str) -> None:
    """A device is out of order and removed before cards are shuffled or dealt another way (PIK 38.12(g), COL 14(g))."""
    name, post = table.device(kind), table.post
    post.say(devices.DeviceFailed, name, kind, "stopped", table.deck.name)
    post.say(devices.DeviceRemoved, name)
    del table.devices[name]
    from_hand = kind == "shuffler" and table.method == "hand"  # which needs the shuffler (PIK 39.8(b)1, COL 8(b)(1))
    if kind == "shoe" or from_hand:
        table.method = "manual-shoe"
    post.say(
        table_day.MethodChanged,
        dealing_method=table.method if kind == "shoe" or from_hand else None,
        shuffling="manual" if kind == "shuffler" else None,
    )
    if kind == "shuffler":
        table.deck.ready = False
        for spare in [deck for deck in table.decks if deck is not table.deck]:
            decks.remove(table, spare, "no shuffler", decks.VAULT)


def shoe_jams(game: InPlay, order: Sequence[object]) -> bool:
    """Whether the automated shoe fails now, with so many cards dealt: halfway, where the plan does not say."""
    if not _jammed(game.what, "shoe") or game.what.stage not in IN_THE_DEAL:
        return False
    if game.what.stage == "before-deal":
        return not any(seat.acts for seat in game.seats.values())
    at = game.what.at_dealt
    return game.dealt >= (len(order) // 2 if at is None else at)


def shoe_is_jammed(game: InPlay) -> RoundIsVoid:
    """The shoe has failed: its cards are taken out, and the round is void."""
    table = game.table
    table.post.say(devices.DeviceFailed, table.device("shoe"), "shoe", "jammed", table.deck.name)
    left = 0 if game.stub_gone else game.pile.left
    table.post.say(devices.DeviceEmptied, table.device("shoe"), table.deck.name, left)
    table.post.say(devices.DeviceRestored, table.device("shoe"))
    game.stub_gone = True
    return RoundIsVoid(SHOE_JAM[table.book], "the dealing shoe jammed")


def put_stub_aside(game: InPlay) -> None:
    """The stub leaves the shoe and is counted where that is due; a wrong count ends the round."""
    what, table, cards = game.what, game.table, game.pile.left
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
    """The end of the round; a deck that is not whole leaves, and a void round counts for no interval."""
    table, deck = game.table, game.table.deck
    counted = table.since_count
    if void is not None:
        winding_up.call_off(game, void)
    rounds.finish(table)
    if void is not None and counted >= 0:
        table.since_count = counted
    if game.what.kind == "stub-count" and game.what.finding != "misdealt":
        decks.change(table, deck, "wrong number of cards")
