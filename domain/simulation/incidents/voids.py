"""Void rounds and hands that are played on, voids without a cause, and the wagers in both."""

import msgspec

from domain.facts.deal import CardDealt, CardDrawnInError, CardFoundFaceUp
from domain.facts.decisions import DecisionMade
from domain.facts.payments import RoundCompleted, RulingGiven, StubCounted, WagerReturned
from domain.facts.shuffles import CuttingCardReached
from domain.settlement.played import FaceUpCard, Irregularity
from domain.simulation.edits import said
from domain.simulation.incidents.changes import after, gone, stub_larger, told
from domain.simulation.incidents.dealing import served
from domain.simulation.incidents.incident import ALL_BOOKS, ONE_DECK, ULTIMATE, StretchUnfitError, incident
from domain.simulation.incidents.money import otherwise
from domain.simulation.incidents.scene import PlayedStretch, Woven, cards_of
from domain.simulation.incidents.settings import by_book, choosing, dealing
from domain.simulation.incidents.stage import holding, numbers, of, plain, two_face_up, with_wager
from domain.simulation.plans import RoundPlan
from domain.simulation.scripted import wrong
from domain.simulation.table import TableInPlay
from domain.table.spots import CODE


def unseen_cards(scene: PlayedStretch, many: int) -> list[str]:
    """Return cards that no fact of the round names, and so are in the stub."""
    out = {card for fact in scene.facts for card in cards_of(fact)}
    left = [card for card in CODE if card not in out and card != "??"]
    scene.wants(len(left) >= many)
    return scene.chance.sample(left, many)


@incident(
    "round-not-voided",
    ONE_DECK,
    "Two cards are found face up in the deal, and the round is played on.",
    clauses="UTH-MA 15(b) s2; UTH-MD 13.B; PIK 38.12(a)/s2; COL 14(a)/s2",
    quiet=2,
)
def played_on(scene: PlayedStretch) -> Woven:
    """Return the stretch with two cards found face up and the round played on."""
    first, second = unseen_cards(scene, 2)
    dealt = served(scene)
    scene.wants(len(dealt) > 2)
    edits = [after(dealt[1], said("card-found-face-up", first)), after(dealt[0], said("card-found-face-up", second))]
    wagers = [held for held in scene.wagers() if held.wager != "envy"]
    staked, back = sum(held.stake for held in wagers), sum(held.back for held in wagers)
    return scene.woven(*edits, *stub_larger(scene, -2), expected=staked, observed=back)


@incident(
    "hand-not-voided",
    ("UTH-MA",),
    "A player gets a third card, and the hand is played on.",
    clauses="UTH-MA 15(d) s1",
    setting=dealing("manual-shoe", "hand"),
    besides=("deal-out-of-order", "ruling-needed"),
)
def a_third_card(scene: PlayedStretch) -> Woven:
    """Return the stretch with an unseen third card in a hand; this round's stub is not counted."""
    scene.wants(not scene.has(StubCounted) and not scene.has(RulingGiven))
    seat = scene.choose(scene.seats())
    second = scene.last(CardDealt, seat=seat)
    last = scene.last(CardDealt, to="dealer")
    extra = said("card-dealt", "seat", seat, 3, source_of_card=second.source_of_card)
    edits = (after(last, extra), *stub_larger(scene, -1))
    wagers = scene.wagers(seat=seat)
    folded = scene.has(DecisionMade, seat=seat, decision="fold")
    if not folded or any(held.wager == "trips" for held in wagers):
        return scene.woven(*edits, seat=seat)  # a supervisor rules on anything settled as if the hand played
    staked, back = sum(held.stake for held in wagers), sum(held.back for held in wagers)
    return scene.woven(*edits, seat=seat, expected=staked, observed=back)


@incident(
    "round-voided-without-cause",
    ONE_DECK,
    "A round is voided for a single card face up.",
    clauses="UTH-MA 15(b) s1; UTH-MD 13.A; PIK 38.12(a)/s1; COL 14(a)/s1",
    staging=two_face_up,
    void=True,
    quiet=2,
)
def for_nothing(scene: PlayedStretch) -> Woven:
    """Return the stretch with a void round without a sufficient cause; the stub is not counted."""
    scene.wants(not scene.has(StubCounted))
    return scene.woven(gone(scene.nth(1, CardFoundFaceUp)))


@incident(
    "void-wager-not-returned",
    ALL_BOOKS,
    "A round is void, and a wager is collected instead of being returned.",
    clauses="UTH-MA 15(b) s2; UTH-MD 13.B; PIK 38.12(a)/s2; FAH (i)(5); COL 14(a)/s2",
    staging=two_face_up,
    void=True,
    quiet=2,
)
def kept_by_the_house(scene: PlayedStretch) -> Woven:
    """Return the stretch with a wager collected in a void round."""
    back = scene.any_of(WagerReturned, wager=lambda wager: wager not in ("trips", "progressive"))
    word = said("wager-collected", back.seat, back.wager, back.cents)
    return scene.woven(after(back, word), gone(back), seat=back.seat, wager=back.wager, expected=back.cents, observed=0)


def _dealers_card_seen(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Have the dealer show a card after the deal; every player has trips, which survives the void."""
    if table.method == "automated-shoe" and table.setup.dealer_stack == "after-decisions":
        raise StretchUnfitError("the dealer's cards are still in the device")
    for number in numbers(plain(plan)):
        plan = with_wager(plan, number, trips=of(plan, number).wagers.get("trips", 500))
    return msgspec.structs.replace(plan, irregularity=wrong("card-exposed", of="dealer", stage="preflop"))


@incident(
    "void-trips-unsettled",
    ULTIMATE,
    "All hands are void, and a trips wager that outlives them is collected.",
    clauses="UTH-MA 15(a) s2; UTH-MD 13.G",
    staging=_dealers_card_seen,
    void=True,
    quiet=2,
)
def trips_forgotten(scene: PlayedStretch) -> Woven:
    """Return the stretch with a surviving trips wager collected, though it would have won."""
    won = scene.choose([held for held in scene.wagers(wager="trips") if held.paid])
    word = said("wager-collected", won.seat, "trips", won.stake)
    return scene.woven(*otherwise(scene, won, word), seat=won.seat, wager="trips", expected=won.back, observed=0)


@incident(
    "round-not-closed",
    ("UTH-MA", "PIK", "FAH", "COL"),
    "Another round begins before this one is complete.",
    clauses='UTH-MA 1 (Round of play); PIK 39.1 "Round of play"; FAH (a)(1)(vii); COL 1 "Round of play"',
    besides=("player-left-mid-round",),
    quiet=2,
)
def still_open(scene: PlayedStretch) -> Woven:
    """Return the stretch without the round's end, so that Fast Action's marker moves too soon."""
    scene.wants(not scene.has(CuttingCardReached))  # the next shuffle would then be within the round
    marker = [scene.trace("marker-misplaced", anywhere=True)] if scene.book == "FAH" else []
    return scene.woven(gone(scene.first(RoundCompleted)), besides=marker)


def _drawn(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Have an unseen card drawn when none is due."""
    if table.method == "automated-shoe":
        raise StretchUnfitError("stacks come out whole")
    return msgspec.structs.replace(plain(plan), irregularity=wrong("card-drawn-in-error"))


@incident(
    "drawn-card-not-used",
    ONE_DECK,
    "A card drawn in error, its face unseen, is not the next card.",
    clauses="UTH-MA 15(c); UTH-MD 13.D; PIK 38.12(b); COL 14(b)",
    setting=by_book(dict.fromkeys(ONE_DECK, dealing("manual-shoe", "hand"))),
    staging=_drawn,
)
def put_back(scene: PlayedStretch) -> Woven:
    """Return the stretch with the drawn card put back under the deck."""
    drawn = scene.first(CardDrawnInError, exposed=False)
    return scene.woven(told(drawn, card=unseen_cards(scene, 1)[0]))


def _one_face_up(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Have one card turn up in the deal."""
    plain(plan)
    card = plan.shuffled[-1] if plan.shuffled else CODE["7d"]
    found = (FaceUpCard(card, 3),)
    return msgspec.structs.replace(plan, irregularity=Irregularity("card-face-up", found=found))


@incident(
    "face-up-card-used",
    ALL_BOOKS,
    "A card found face up goes back into the deck instead of into the discard rack.",
    clauses="UTH-MA 15(b) s1; UTH-MD 13.A; PIK 38.12(a)/s1; FAH (i)(1); COL 14(a)/s1",
    staging=_one_face_up,
)
def back_into_the_deck(scene: PlayedStretch) -> Woven:
    """Return the stretch with a face-up card put back into the deck."""
    return scene.woven(told(scene.first(CardFoundFaceUp), to="deck"))


def _needs_a_ruling(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Expose a card without voiding anything; at Colorado, declare a suited ace, two and three."""
    seat = numbers(plain(plan))[0]
    if table.book == "FAH":
        return msgspec.structs.replace(plan, irregularity=wrong("card-exposed", of="community"))
    if table.book == "COL":
        return holding(plan, seat, "Ac 2c 3c", "declare")
    return msgspec.structs.replace(plan, irregularity=wrong("card-exposed", of=f"seat:{seat}"))


@incident(
    "ruling-needed",
    ALL_BOOKS,
    "Something happens that the text does not decide, and nobody rules on it.",
    clauses="UTH-MA 15(a) s1; UTH-MD 13.F; PIK 38.12(d); FAH (i)(2); COL 3(c)(1)",
    setting=by_book({"COL": choosing(instant_winner_ace_low=False)}),
    staging=_needs_a_ruling,
)
def nobody_rules(scene: PlayedStretch) -> Woven:
    """Return the stretch without the ruling that the text leaves open."""
    if scene.book != "COL":
        return scene.woven(gone(scene.first(RulingGiven, wager=None)))
    ruling = scene.first(RulingGiven, wager="ante")
    seat = ruling.seat or 0
    held = scene.wagers(seat=seat, wager="ante")[0]
    rulings = scene.all(RulingGiven, seat=seat)
    also = [scene.trace("ruling-needed", seat=seat, wager=fact.wager or "") for fact in rulings if fact is not ruling]
    return scene.woven(gone(*rulings), seat=seat, wager="ante", observed=held.back, besides=also)


def _short(_: TableInPlay, plan: RoundPlan, __: int) -> RoundPlan:
    seat = numbers(plain(plan))[0]
    return msgspec.structs.replace(plan, irregularity=wrong("short-hand", seat=seat, dealt=3, election="complete"))


@incident(
    "short-hand-mishandled",
    ("FAH",),
    "A player dealt three cards is to be completed, and gets no fourth.",
    clauses="FAH (i)(3)",
    staging=_short,
    besides=("discard-count-wrong", "card-count-wrong"),  # the latter if the decision is unrecorded
)
def never_completed(scene: PlayedStretch) -> Woven:
    """Return the stretch with a short hand that is never completed."""
    made = scene.first(DecisionMade, decision="complete")
    fourth = scene.last(CardDealt, seat=made.seat)
    missing = fourth.card
    edits = [
        told(fact, cards=tuple(card for card in cards_of(fact) if card != missing))
        for fact in scene.facts
        if getattr(fact, "seat", None) == made.seat and missing in getattr(fact, "cards", ())
    ]
    return scene.woven(gone(fourth), *edits, seat=made.seat)


def _long(_: TableInPlay, plan: RoundPlan, __: int) -> RoundPlan:
    seat = numbers(plain(plan))[0]
    return msgspec.structs.replace(plan, irregularity=wrong("long-hand", seat=seat, dealt=5))


@incident(
    "long-hand-mishandled",
    ("FAH",),
    "A player dealt five cards has the hand declared void, and the wager goes back.",
    clauses="FAH (i)(4)",
    staging=_long,
    besides=("round-voided-without-cause",),
)
def declared_void(scene: PlayedStretch) -> Woven:
    """Return the stretch with a long hand wrongly declared void."""
    seat = scene.seats()[0]
    last = scene.last(CardDealt, to="seat")
    of_seat = [fact for fact in scene.facts if getattr(fact, "seat", None) == seat and fact.round == scene.round]
    rest = [fact for fact in of_seat if scene.place(fact) > scene.place(last)]
    stake = scene.wagers(seat=seat, wager="original")[0].stake
    words = (
        said("hand-voided", seat, "five cards"),
        said("wager-returned", seat, "original", stake),
        said("hands-collected", seat, count=5),
    )
    end = scene.last(CardDealt, round=scene.round, to=lambda to: to != "community")
    return scene.woven(gone(*rest), after(end, *words), seat=seat)


def _folds_a_pair(_: TableInPlay, plan: RoundPlan, __: int) -> RoundPlan:
    seat = numbers(plain(plan))[0]
    plan = with_wager(plan, seat, ultimate_pairs=500)
    return holding(plan, seat, "2s 2h", "check", "check", "fold")


@incident(
    "folded-side-bet-review",
    ("UTH-MD",),
    "A side wager is settled by the cards of a folded hand, and nobody rules on it.",
    clauses="UTH-MD 11.F(3)(b)",
    setting=choosing(ultimate_pairs_table="A"),
    staging=_folds_a_pair,
)
def by_folded_cards(scene: PlayedStretch) -> Woven:
    """Return the stretch with a folded hand's side wager settled by its cards."""
    ruling = scene.first(RulingGiven, wager="ultimate_pairs")
    return scene.woven(gone(ruling), seat=ruling.seat, wager="ultimate_pairs")
