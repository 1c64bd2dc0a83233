"""Irregularities in a round of Ultimate Texas Hold'em, and the lawful response of dealer and floor.

`at` is called wherever something may happen; what the plan has for this point happens there, once. Where no clause
covers it, a supervisor rules, and the ruling is a fact.
"""

from collections.abc import Callable

import msgspec

from domain.cards import show
from domain.facts import deal, payments
from domain.facts.devices import DeviceFailed
from domain.facts.words import Device
from domain.simulation import equipment, paying, rounds, shuffling, stub
from domain.simulation.in_play import RoundIsVoid
from domain.simulation.round_end import PLAY_ON, REVERSED, STANDS, pick_up, rule
from domain.simulation.uth_dealing import complete_dealer, stub_size, take_out_stub
from domain.simulation.uth_in_play import COMMUNITY, DEALER, PlanError, Uth

# The default point of each kind; a face-up card and a jammed shoe happen while a card is drawn.
_USUALLY_AT = {"card-exposed": "preflop", "wrong-count": "dealing", "stub-count": "stub", "jam": "flop"}
_ELSEWHERE = ("card-face-up", "card-drawn-in-error", "device-not-removed")


def at(game: Uth, stage: str, seat: int | None = None) -> None:
    """Do what the plan has for this point; if it names a seat, when that seat is served."""
    what = game.what
    if game.happened or what.kind in _ELSEWHERE or (what.kind == "jam" and what.device == "shoe"):
        return
    wanted = what.stage or _USUALLY_AT[what.kind]
    if what.kind == "stub-count" and wanted != "after-settlement":
        wanted = "stub"
    if what.kind == "wrong-count" and what.of == "community" and wanted in ("dealing", "preflop", "flop", "river"):
        wanted = "dealing" if game.board_dealt_first else "board"
    if wanted == stage and what.at_seat == seat:
        game.happened = True
        _HAPPENS[what.kind](game)


def _exposed(game: Uth) -> None:
    """Void all hands for a dealer's card seen before all have decided; no clause covers any other card."""
    what = game.what
    if what.of == "dealer":
        if not game.dealt_to(DEALER):
            raise PlanError("the dealer's cards are still in the device: none can be exposed")
        card = next((card for card in what.cards if card in game.dealt_to(DEALER)), game.dealt_to(DEALER)[0])
        game.post.say(deal.CardExposed, "dealer", None, show([card]))
        game.what = msgspec.structs.replace(what, pending_seats=tuple(game.deciding))
        if game.deciding:
            game.keeps_trips = True
            raise RoundIsVoid(_CLAUSES["card-exposed"][not game.massachusetts], "dealer card exposed")
        return
    seat = what.of_seat
    held = game.dealt_to(COMMUNITY) if seat is None else game.of(seat)
    shown = what.cards or held[:1]
    game.post.say(deal.CardExposed, "community" if seat is None else "seat", seat, show(shown[:1]))
    rule(game, _CLAUSES["card-exposed"][not game.massachusetts], PLAY_ON, seat)


def _wrong_count(game: Uth) -> None:
    """Void the round in Maryland; in Massachusetts void one hand, or let the dealer complete his own."""
    what = game.what
    if not game.massachusetts:
        raise RoundIsVoid("UTH-MD 13.E", "wrong number of cards")
    if what.of_seat is not None:
        _void_hand(game, what.of_seat)
        return
    if what.of != "dealer":
        raise RoundIsVoid("UTH-MA 15(d) s1", "wrong number of community cards", ruled=True)
    if len(game.dealt_to(DEALER)) < 2 and not what.missing_card_face_up and what.deck_correct:
        complete_dealer(game)
        return
    raise RoundIsVoid("UTH-MA 15(d) s2", "wrong number of cards to the dealer")


def _void_hand(game: Uth, seat: int) -> None:
    """Void one hand and return its wagers; the others play on (UTH-MA 15(d) s1)."""
    game.post.say(payments.HandVoided, seat, "wrong number of cards")
    for number, wager in list(game.lying):
        if number == seat:
            paying.give_back(game.table, game.seats[seat], wager, game.lying[seat, wager])
            game.record(seat, wager, game.staked[seat, wager])
    pick_up(game, seat)
    game.voided.add(seat)


def _stub(game: Uth) -> None:
    """Void all hands if the stub shows that deal or deck was wrong; an incomplete deck leaves."""
    misdealt = game.what.finding == "misdealt"
    game.stub_gone = True
    take_out_stub(game)
    stub.count(game.table, stub_size(game))
    game.post.say(payments.MisdealDetermined, misdealt, game.what.of)
    stub.put_away(game.table)
    raise RoundIsVoid(_stub_clause(game), "misdealt" if misdealt else "deck not whole")


def _stub_clause(game: Uth) -> str:
    misdealt = game.what.finding == "misdealt"
    if game.massachusetts:
        return "UTH-MA 7(f)(2) s2" if misdealt else "UTH-MA 7(f)(2) s3"
    section = {"hand": "9.E", "automated-shoe": "10.E"}.get(game.table.method, "8.G")
    return f"UTH-MD {section}({1 if misdealt else 2})"


def _jam(game: Uth) -> None:
    """Jam the shuffler with the idle deck in it; its cards are taken out and shuffled again."""
    idle = rounds.idle_decks(game.table)
    if game.what.device != "shuffler" or not idle:
        raise PlanError("no idle deck is being shuffled here")
    equipment.fail(game.table, "shuffler", idle[0], cards=len(idle[0].cards))
    equipment.restore(game.table, "shuffler")
    shuffling.start_machine(game.table, idle[0])
    if not game.massachusetts and game.house["idle_jam_returns_wagers"]:
        raise RoundIsVoid("UTH-MD 13.H(2)", "shuffler jammed")


_HAPPENS: dict[str, Callable[[Uth], None]] = {
    "card-exposed": _exposed,
    "wrong-count": _wrong_count,
    "stub-count": _stub,
    "jam": _jam,
}


# The clause on each, in Massachusetts and in Maryland.
_CLAUSES = {
    "card-exposed": ("UTH-MA 15(a) s1", "UTH-MD 13.F"),
    "wrong-count": ("UTH-MA 15(d) s1", "UTH-MD 13.E"),
    "jam": ("UTH-MA 15(f)", "UTH-MD 13.I"),
}


def after_settlement(game: Uth) -> None:
    """Have a supervisor rule on an irregularity found after settlement, which no clause reverses."""
    what = game.what
    if game.happened or what.stage != "after-settlement":
        return
    game.happened = True
    if what.kind == "stub-count":
        stub.count(game.table, stub_size(game))
        game.post.say(payments.MisdealDetermined, what.finding == "misdealt", what.of)
    reverses = what.ruling == REVERSED
    clause = _stub_clause(game) if what.kind == "stub-count" else _CLAUSES[what.kind][not game.massachusetts]
    rule(game, clause, REVERSED if reverses else STANDS)
    if reverses:
        _reverse(game)


def _reverse(game: Uth) -> None:
    """Take winnings back into the tray, and return losses to the player."""
    for (seat, wager), got in list(game.got.items()):
        stake, plan = game.staked[seat, wager], game.seats[seat]
        if got > stake:
            paying.collect(game.table, plan, wager, got - stake, REVERSED)
        elif got < stake:
            paying.give_back(game.table, plan, wager, stake - got, from_tray=stake - got)
        game.got[seat, wager] = stake


def out_of_order(game: Uth) -> None:
    """Take a device out of use before the round, which is dealt another way."""
    table, kind = game.table, _kind(game.what.device)
    game.happened = True
    table.post.say(DeviceFailed, table.device(kind), kind, "stopped", deck=table.deck.name)
    equipment.do_without(table, kind)
    game.house = table.house


def _kind(device: str) -> Device:
    return "shoe" if device == "shoe" else "shuffler"
