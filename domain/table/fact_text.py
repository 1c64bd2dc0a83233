"""A fact in words for an investigator: one short sentence, no verdict."""

from collections.abc import Callable
from typing import Any

from domain.facts import deal, decisions, decks, devices, payments, players, shuffles, table_day, wagers, watching
from domain.facts.envelope import Fact
from domain.money import dollars
from domain.spoken import fields, name_of_wager, number_of, plain

_ENVELOPE = frozenset(Fact.__struct_fields__)


def told(fact: Fact) -> str:
    """Return a fact in words; a type without its own words shows its name and fields."""
    words = WORDS.get(type(fact))
    return words(fact) if words is not None else _plainly(fact)


def place_of(place: str, seat: int | None) -> str:
    """Return the place of a card in words."""
    if place == "seat":
        return f"seat {seat}"
    return {"dealer": "the dealer", "community": "the community cards", "box": "the six card box"}.get(place, place)


def _whose(seat: int | None) -> str:
    return "The dealer" if seat is None else f"Seat {seat}"


def _plainly(fact: Fact) -> str:
    name = str(type(fact).__struct_config__.tag).rpartition(".")[0].replace("-", " ")
    shown = fields({field: getattr(fact, field) for field in fact.__struct_fields__ if field not in _ENVELOPE})
    return f"{name.capitalize()}{': ' if shown else ''}{shown}."


def _cards(shown: tuple[str, ...]) -> str:
    return f": {' '.join(shown)}" if shown else ""


def _placed(fact: wagers.WagerPlaced) -> str:
    form = "" if fact.form == "chips" else f" ({fact.form})"
    coupon = f", {dollars(fact.coupon_cents)} of it a coupon" if fact.coupon_cents else ""
    return f"Seat {fact.seat} placed {name_of_wager(fact.wager)} {_amount(fact.cents)}{form}{coupon}."


def _amount(cents: int | None) -> str:
    return "of an unseen amount" if cents is None else dollars(cents)


def _changed(fact: wagers.WagerChanged) -> str:
    return f"Seat {fact.seat}'s {name_of_wager(fact.wager)} is now {_amount(fact.cents)}."


def _dealt(fact: deal.CardDealt) -> str:
    card = "an unseen card" if fact.card == "??" else fact.card
    up = ", face up" if fact.face_up else ""
    return f"{card[0].upper()}{card[1:]} was dealt to {place_of(fact.to, fact.seat)}{up}."


def _delivered(fact: deal.StackDelivered) -> str:
    size = number_of(fact.size or len(fact.cards), "card")
    return f"A stack of {size} was delivered to {place_of(fact.to, fact.seat)}{_cards(fact.cards)}."


def _burned(fact: deal.CardBurned) -> str:
    card = "" if fact.card == "??" else f" ({fact.card})"
    return f"A card was burned{card}{', its face shown' if fact.face_up else ''}."


def _decided(fact: decisions.DecisionMade) -> str:
    when = _when(fact.street)
    cents = f", {dollars(fact.cents)}" if fact.cents is not None else ""
    said = {
        "check": "checked",
        "play": "played",
        "fold": "folded",
        "play3": "chose play 3",
        "play5": "chose play 5",
        "surrender": "surrendered",
        "split": "split",
        "natural": "announced a natural",
        "declare": "declared an instant winner",
        "void": "chose a void hand",
        "complete": "chose to complete the hand",
    }[fact.decision]
    return f"Seat {fact.seat} {said}{when}{cents}."


def _when(street: str | None) -> str:
    """Return the street in words; only hold'em has three."""
    when = {"preflop": "before the flop", "flop": "after the flop", "river": "after the last two community cards"}
    return f" {when[street]}" if street else ""


def _set(fact: decisions.HandSet) -> str:
    second = f" and {' '.join(fact.second)}" if fact.second else ""
    away = f" and discarded {number_of(fact.discarded, 'card')}" if fact.discarded is not None else ""
    return f"{_whose(fact.seat)} set {' '.join(fact.kept)}{second}{away}."


def _announced(fact: decisions.HandAnnounced) -> str:
    return f'{_whose(fact.seat)}\'s hand was announced as "{fact.hand}".'


def _discarded(fact: decisions.CardDiscarded) -> str:
    shown = " ".join(fact.cards) or number_of(fact.count, "card")
    return f"Seat {fact.seat} discarded {shown}."


def _discards(fact: decisions.DiscardsCollected) -> str:
    shown = ", a face seen" if fact.exposed else ""
    return f"{_whose(fact.seat)}'s discards were collected: {number_of(fact.count, 'card')}{shown}."


def _set_aside(fact: deal.CardSetAside) -> str:
    card = "An unseen card" if fact.card == "??" else fact.card
    return f"{card} was set aside ({plain(fact.to)})."


def _misdealt(fact: payments.MisdealDetermined) -> str:
    about = f" of {plain(fact.of)}" if fact.of else ""
    return f"It was determined that the cards{about} were {'' if fact.misdealt else 'not '}misdealt."


def _marked(fact: deal.MarkerPlaced) -> str:
    return f"The marker was placed at {place_of(fact.position, fact.seat)}."


def _collected_hand(fact: payments.HandsCollected) -> str:
    if fact.of == "box":
        return f"The six card box was collected{_cards(fact.cards)}."
    whose = "The community cards" if fact.of == "community" else f"{_whose(fact.seat)}'s cards"
    return f"{whose} were collected{_cards(fact.cards)}."


def _counted(fact: payments.StubCounted) -> str:
    how = "" if fact.face_down and fact.on_layout else ", not face down on the layout"
    return f"The stub was counted: {number_of(fact.cards, 'card')}{how}."


def _ruled(fact: payments.RulingGiven) -> str:
    about = f" on seat {fact.seat}" if fact.seat is not None else ""
    wager = f"'s {name_of_wager(fact.wager)}" if fact.wager else ""
    return f"The {fact.by} ruled{about}{wager}, {fact.subject}: {fact.ruling}."


def _moved(verb: str) -> Callable[[Any], str]:
    def words(fact: payments.WagerPaid | payments.WagerCollected | payments.WagerReturned) -> str:
        amount = "an unseen amount" if fact.cents is None else dollars(fact.cents)
        return f"Seat {fact.seat}'s {name_of_wager(fact.wager)}: {amount} {verb}."

    return words


def _void(fact: payments.RoundVoided) -> str:
    return f"The round was declared void by the {fact.by}{_why(fact.reason)}."


def _why(reason: str) -> str:
    return f": {reason}" if reason else ""


def _removed(fact: payments.StubRemoved) -> str:
    return (
        "The stub was taken out." if fact.cards is None else f"The stub was taken out, {number_of(fact.cards, 'card')}."
    )


def _stub_gone(fact: payments.StubDiscarded) -> str:
    return f"The stub went to the discard rack{', its cards shown' if fact.exposed else ''}."


def _seen(fact: watching.Observed) -> str:
    return f"Seen by {fact.by}{f' at seat {fact.seat}' if fact.seat else ''}: {fact.seen or fact.clause}."


def _confirmed(fact: decisions.NaturalConfirmed) -> str:
    return f"Seat {fact.seat}'s hand was {'' if fact.confirmed else 'not '}confirmed."


def _verified(fact: payments.AwardVerified) -> str:
    what = {"hand": "hand", "light": "progressive light", "payout": "award"}.get(fact.what, plain(fact.what))
    return f"Seat {fact.seat}'s {what} was verified by the {plain(fact.by)}."


def _slot(fact: deal.SlotAssigned) -> str:
    card = "an unseen card" if fact.card == "??" else fact.card
    return f"Community card {fact.index}, {card}, was placed at the {fact.slot}."


def _rose(fact: wagers.MeterIncremented) -> str:
    stands = "" if fact.cents is None else f" to {dollars(fact.cents)}"
    return f"The {fact.meter} meter rose by {dollars(fact.by_cents)}{stands}."


def _chips(fact: wagers.ProgressiveCollected) -> str:
    chips = number_of(fact.chips, "progressive chip was", "progressive chips were")
    accepted = "" if fact.accepted is None else f"; the system had accepted {fact.accepted}"
    return f"{chips} collected{accepted}."


def _banked(fact: wagers.ProgressiveBanked) -> str:
    chips = number_of(fact.chips, "progressive chip", "progressive chips")
    return f"{chips} went into the table inventory."


def _accepted(fact: wagers.ProgressiveAccepted) -> str:
    amount = "" if fact.cents is None else f" of {dollars(fact.cents)}"
    return f"The progressive system accepted seat {fact.seat}'s wager{amount}."


_COVERED = {
    "before-deck": "in front of the deck",
    "in-deck": "into the deck",
    "dealer-hand": "on the dealer's hand",
    "dealer-stack": "on the dealer's stack",
    "bottom": "at the bottom of the deck",
    "shoe-end": "at the end of the shoe",
}


def _cut(fact: shuffles.CutPerformed) -> str:
    depth = "" if fact.depth is None else f", {number_of(fact.depth, 'card')} from the top"
    return f"{fact.deck} was cut{depth}."


def _came_out(fact: shuffles.CuttingCardReached) -> str:
    where = "at the burn" if fact.position == "burn" else f"at {place_of(fact.position, fact.seat)}"
    return f"The cutting card came out of the shoe {where}."


def _shuffled(fact: shuffles.ShuffleCompleted) -> str:
    cards = "" if fact.counted is None else f", {number_of(fact.counted, 'card')} counted"
    return f"{fact.deck} was shuffled ({fact.method}){cards}."


def _corrected(fact: watching.Corrected) -> str:
    return f"{fact.by} corrected {fact.corrects_stream}:{fact.corrects_sequence}{_why(fact.reason)}."


WORDS: dict[type[Fact], Callable[[Any], str]] = {
    deal.RoundOpened: lambda fact: f"Round {fact.round} opened{' with ' + fact.deck if fact.deck else ''}.",
    deal.CardDealt: _dealt,
    deal.StackDelivered: _delivered,
    deal.StackDispensed: lambda fact: f"A stack of {number_of(fact.size, 'card')} was dispensed{_cards(fact.cards)}.",
    deal.CardBurned: _burned,
    deal.CommunityRevealed: lambda fact: f"Community cards were turned up{_cards(fact.cards)}.",
    deal.BoxRevealed: lambda fact: f"The six card box was turned up{_cards(fact.cards)}.",
    deal.CardFoundFaceUp: lambda fact: f"{fact.card} was found face up and put aside ({plain(fact.to)}).",
    deal.CardDrawnInError: lambda fact: f"{fact.card} was drawn in error{', its face seen' if fact.exposed else ''}.",
    deal.CardSetAside: _set_aside,
    deal.MarkerPlaced: _marked,
    deal.SlotAssigned: _slot,
    deal.HandsDetermined: lambda fact: f"{fact.device} counted {number_of(fact.hands, 'hand')}.",
    deal.CardExposed: lambda fact: f"A card of {place_of(fact.of, fact.seat)} was seen: {fact.card}.",
    decisions.DecisionAsked: lambda fact: f"Seat {fact.seat} was asked{_when(fact.street)}.",
    decisions.DecisionMade: _decided,
    decisions.CardsSelected: lambda fact: f"Seat {fact.seat} selected {' '.join(fact.cards)} for the 3 card bonus.",
    decisions.HandSet: _set,
    decisions.CardDiscarded: _discarded,
    decisions.DiscardsCollected: _discards,
    decisions.HandRevealed: lambda fact: f"{_whose(fact.seat)}'s hand was turned up{_cards(fact.cards)}.",
    decisions.HandAnnounced: _announced,
    decisions.ThreeDesignated: lambda fact: f"The dealer set {' '.join(fact.cards)} aside as the three-card hand.",
    decisions.NaturalConfirmed: _confirmed,
    wagers.WagerPlaced: _placed,
    wagers.WagerChanged: _changed,
    wagers.WagerWithdrawn: lambda fact: f"Seat {fact.seat} took back {name_of_wager(fact.wager)}.",
    wagers.ProgressiveAccepted: _accepted,
    wagers.ProgressiveLockedOut: lambda _: "The progressive system was closed to further wagers.",
    wagers.ProgressiveCollected: _chips,
    wagers.ProgressiveBanked: _banked,
    wagers.MeterRead: lambda fact: f"The {fact.meter} meter was read at {dollars(fact.cents)}.",
    wagers.MeterIncremented: _rose,
    wagers.MeterReset: lambda fact: f"The {fact.meter} meter was reset to {dollars(fact.cents)}.",
    wagers.BetsClosed: lambda _: "No more bets was announced.",
    payments.WagerPaid: _moved("was paid"),
    payments.WagerCollected: _moved("was collected"),
    payments.WagerReturned: _moved("was returned"),
    payments.HandsCollected: _collected_hand,
    payments.StubCounted: _counted,
    payments.StubRemoved: _removed,
    payments.StubDiscarded: _stub_gone,
    payments.AwardVerified: _verified,
    payments.RulingGiven: _ruled,
    payments.MisdealDetermined: _misdealt,
    payments.RoundVoided: _void,
    payments.HandVoided: lambda fact: f"Seat {fact.seat}'s hand was declared void{_why(fact.reason)}.",
    payments.RoundCompleted: lambda _: "The round was completed.",
    players.PlayerSeated: lambda fact: f"{fact.player} sat down at seat {fact.seat}.",
    players.PlayerLeft: lambda fact: f"The player left seat {fact.seat}.",
    table_day.PersonCame: lambda fact: f"{fact.person} came to the table as {fact.role}.",
    table_day.PersonWent: lambda fact: f"{fact.person} left the table.",
    devices.DeviceFailed: lambda fact: f"The {fact.kind} {fact.device} failed: {fact.fault}.",
    shuffles.ShuffleCompleted: _shuffled,
    shuffles.CutOffered: lambda fact: f"The cut was offered to seat {fact.seat}.",
    shuffles.CutRefused: lambda fact: f"Seat {fact.seat} declined to cut.",
    shuffles.CutPerformed: _cut,
    shuffles.CuttingCardReached: _came_out,
    shuffles.ShoeRanOut: lambda _: "The shoe ran out of cards.",
    decks.CoverCardPlaced: lambda fact: f"A cover card was put {_COVERED[fact.on]}.",
    decks.CoverCardRemoved: lambda fact: f"A cover card was moved to the {plain(fact.to)}.",
    decks.DeckReceived: lambda fact: f"{fact.deck} came to the table.",
    decks.DeckRemoved: lambda fact: f"{fact.deck} was removed from the table{_why(fact.reason)}.",
    watching.Observed: _seen,
    watching.Noted: lambda fact: f"{fact.by}: {fact.text}",
    watching.VideoMarked: lambda fact: f"Video: {fact.recorder} {fact.channel} {fact.from_code} to {fact.to_code}.",
    watching.Corrected: _corrected,
}
