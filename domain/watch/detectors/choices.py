"""Actions that need a house option, at a house that has not chosen it."""

from domain.facts.deal import CardDealt, StackDelivered
from domain.facts.decisions import DecisionMade
from domain.facts.decks import CoverCardIntroduced, DeckInspected
from domain.facts.envelope import Fact
from domain.facts.shuffles import ShoeLoaded
from domain.spoken import plain
from domain.table.day import TableDay
from domain.table.round import RoundInPlay
from domain.watch.dealing import AFTER_DECISIONS, AT_DEAL, STACKS, deal, lies
from domain.watch.deck_queries import the_house, the_round
from domain.watch.detecting import DealBegins, Found, RoundEnds, judge, watch
from domain.watch.finding import found
from domain.watch.laws import law
from domain.watch.round_order import raised
from domain.watch.wager_order import known

METHOD = law(
    "option-not-chosen",
    {
        "hand": "UTH-MA 8(a); PIK 39.8(a); COL 8(a)",
        "stacks": "UTH-MA 9(a); PIK 39.9(a); COL 9(a)",
        "reshuffling": "UTH-MD 5.I; UTH-MD 10.F; FAH (k)(1)",
    },
)
DELIVERY = law(
    "option-not-chosen",
    {"at-deal": "UTH-MD 10.B(3); PIK 39.9(c)1", "after-decisions": "UTH-MD 10.B(4); PIK 39.9(c)2"},
)
VERSION = law("option-not-chosen", "COL 6(f)/s1")
DEVICE_LOADS = law("option-not-chosen", "UTH-MA 4(a) s2 proviso; UTH-MD 5.C")
PREINSPECTED = law("option-not-chosen", "UTH-MD 4.F")
CONCEALED = law("option-not-chosen", "FAH (b)(3)")
COMMUNITY = law("card-source-wrong", "UTH-MA 9(d) s1")
FROM_THE_SHOE = law("card-source-wrong", "FAH (b)(2)/s1")
# The places a card may come from; None if unrecorded.
_FROM_A_SHOE = (None, "shoe", "continuous-shoe")
_HELD = (None, "hand")


@judge(METHOD)
def dealt_as_chosen(told: RoundInPlay) -> Found:
    """Check that cards come from the hand, in stacks or from a continuous shoe only if the house deals so."""
    dealt = deal(told)
    if told.method != STACKS and dealt.method == STACKS:
        says = "Whole hands came in stacks at a table that does not use an automated shoe."
        yield from raised(told, METHOD, "stacks", dealt.served[0], says)
        return
    for fact in dealt.served:
        source = fact.source_of_card if isinstance(fact, CardDealt) else None
        if source == "hand" and told.method != "hand":
            says = "Cards were dealt from the hand at a table that does not deal from the hand."
            yield from raised(told, METHOD, "hand", fact, says)
            return
        if source == "continuous-shoe" and told.method not in ("continuous-shoe", STACKS):
            says = "Cards came from a continuous shoe at a table that does not have one."
            yield from raised(told, METHOD, "reshuffling", fact, says)
            return


@judge(VERSION, needs=(DecisionMade,))
def played_in_the_chosen_version(told: RoundInPlay) -> Found:
    """Check that the house chose the version with a permissible bet if several players play on and nobody bets."""
    if told.house["version"] != "required" or told.voided or not known(told, "bet"):
        return
    played = [made for made in told.of(DecisionMade) if made.decision == "play"]
    if len(played) > 1 and not any(lies(told.seats[made.seat], "bet") for made in played):
        says = f"{len(played)} seats played on and none placed a bet, as in the version that this house has not chosen."
        yield from raised(told, VERSION, "", played[0], says)


@judge(COMMUNITY)
def community_from_the_hand(told: RoundInPlay) -> Found:
    """Check that Massachusetts' community cards come from the hand when an automated shoe deals the rest."""
    if told.method != STACKS:
        return
    for fact in told.community.dealt:
        if not isinstance(fact, CardDealt) or fact.source_of_card not in _HELD:
            yield from raised(told, COMMUNITY, "", fact, "The community cards were not dealt from the hand.")
            return


@judge(FROM_THE_SHOE)
def every_card_from_a_shoe(told: RoundInPlay) -> Found:
    """Check that all of Fast Action's cards come from a dealing shoe."""
    for card in told.of(CardDealt):
        if card.source_of_card not in _FROM_A_SHOE:
            says = f"A card came from the {plain(card.source_of_card)} instead of a dealing shoe."
            yield from raised(told, FROM_THE_SHOE, "", card, says)
            return


@watch(RoundEnds, laws=(DELIVERY,), needs=(DecisionMade,))
def dealers_stack_as_chosen(day: TableDay, _: Fact) -> Found:
    """Check that the dealer's stack is delivered at the time the house has chosen."""
    told = the_round(day)
    if told.method != STACKS:
        return
    shoe = day.layout.device("shoe")
    chosen = told.house.options.get("dealer_stack_delivery") or (shoe.mode if shoe is not None else "")
    if chosen not in (AT_DEAL, AFTER_DECISIONS):
        return
    stack = next((fact for fact in told.of(StackDelivered) if fact.to == "dealer"), None)
    done = deal(told).how.delivery
    if stack is None or done == chosen or deal(told).noticed:
        return
    when = "at the deal" if done == AT_DEAL else "after the players' decisions"
    says = f"The dealer's stack was delivered {when}, which is not the time this house has chosen."
    yield from raised(told, DELIVERY, done, stack, says)


@watch(ShoeLoaded, laws=(DEVICE_LOADS,))
def loaded_by_a_device(day: TableDay, fact: ShoeLoaded) -> Found:
    """Check that a device loads the shoe only if the house uses a shuffling device."""
    if fact.by != "device" or the_house(day)["shuffler"] != "none":
        return
    says = "A device loaded the shoe at a table that shuffles by hand."
    yield found(DEVICE_LOADS, DEVICE_LOADS.cites(day.book), fact, says, dealer=day.dealer_person)


@watch(CoverCardIntroduced, laws=(CONCEALED,))
def concealed_by_choice(day: TableDay, fact: CoverCardIntroduced) -> Found:
    """Check that a second cutting card conceals the last card of Fast Action's stack only if the house uses one."""
    if fact.role == "conceal" and not the_house(day)["concealing_card"]:
        says = "A second cutting card was used to conceal the last card, an option that this house has not chosen."
        yield found(CONCEALED, CONCEALED.cites(day.book), fact, says, dealer=day.dealer_person)


@watch(DealBegins, laws=(PREINSPECTED,), needs=(DeckInspected,))
def excused_from_inspection(day: TableDay, deals: Fact) -> Found:
    """Check that Maryland's dealer skips an inspection only for a deck received preinspected and preshuffled."""
    told = the_round(day)
    deck = day.decks.known.get(told.deck)
    if deck is None or deck.received is None or not deck.new:
        return
    received = deck.received
    inspected = any(isinstance(step, DeckInspected) for step in deck.steps)
    if received.route == "preinspected" and not received.preshuffled and not inspected:
        says = (
            f"{deck.called} was played without inspection because it was preinspected, but it was not also preshuffled."
        )
        cited = PREINSPECTED.cites(day.book)
        yield found(PREINSPECTED, cited, deals, says, round=told.number, dealer=day.dealer_person, evidence=[received])
