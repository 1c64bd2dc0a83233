"""What is allowed only where the house has chosen it, done where it has not."""

from domain.facts.deal import CardDealt, StackDelivered
from domain.facts.decisions import DecisionMade
from domain.facts.decks import CoverCardIntroduced, DeckInspected
from domain.facts.envelope import Fact
from domain.facts.shuffles import ShoeLoaded
from domain.table.day import TableDay
from domain.table.round import Round
from domain.watch.course import raised
from domain.watch.dealing import AT_DEAL, STACKS, deal, lies
from domain.watch.detecting import DealBegins, Found, RoundEnds, judge, watch
from domain.watch.finding import found
from domain.watch.laws import law
from domain.watch.placing import known

NOT_CHOSEN = law(
    "option-not-chosen",
    {
        "hand": "UTH-MA 8(a); PIK 39.8(a); COL 8(a)",
        "stacks": "UTH-MA 9(a); PIK 39.9(a); COL 9(a)",
        "reshuffling": "UTH-MD 5.I; UTH-MD 10.F; FAH (k)(1)",
        "device loads": "UTH-MA 4(a) s2 proviso; UTH-MD 5.C",
        "preinspected": "UTH-MD 4.F",
        "conceal": "FAH (b)(3)",
        "permissible": "COL 6(f)/s1",
        "at-deal": "UTH-MD 10.B(3); PIK 39.9(c)1",
        "after-decisions": "UTH-MD 10.B(4); PIK 39.9(c)2",
    },
)
SOURCE = law("card-source-wrong", {"community": "UTH-MA 9(d) s1", "any": "FAH (b)(2)/s1"})
_FROM_A_SHOE = ("shoe", "continuous-shoe")


@judge(NOT_CHOSEN)
def dealt_as_chosen(told: Round) -> Found:
    """Cards come from the hand, in stacks or from a shoe that reshuffles only where the house deals so."""
    dealt = deal(told)
    if told.method != STACKS and dealt.method == STACKS:
        says = "Whole hands came in stacks at a table that does not deal from an automated shoe."
        yield from raised(told, NOT_CHOSEN, "stacks", dealt.served[0], says)
        return
    for fact in dealt.served:
        source = fact.source_of_card if isinstance(fact, CardDealt) else None
        if source == "hand" and told.method != "hand":
            says = "Cards were dealt from the hand at a table that does not deal so."
            yield from raised(told, NOT_CHOSEN, "hand", fact, says)
            return
        if source == "continuous-shoe" and told.method not in ("continuous-shoe", STACKS):
            says = "Cards came from a shoe that reshuffles by itself at a table that has none."
            yield from raised(told, NOT_CHOSEN, "reshuffling", fact, says)
            return


@judge(NOT_CHOSEN, needs=(DecisionMade,))
def played_in_the_chosen_version(told: Round) -> Found:
    """A round in which several play on and nobody bets is the version with a permissible bet."""
    if told.book != "COL" or told.house["version"] != "required" or told.voided or not known(told, "bet"):
        return
    played = [made for made in told.of(DecisionMade) if made.decision == "play"]
    if len(played) > 1 and not any(lies(told.seats[made.seat], "bet") for made in played):
        says = f"{len(played)} seats played on and none placed a bet: the round was played in the other version."
        yield from raised(told, NOT_CHOSEN, "permissible", played[0], says)


@judge(SOURCE)
def from_where_cards_come(told: Round) -> Found:
    """Massachusetts' community cards come from the hand after an automated shoe; Fast Action's from a shoe, all."""
    if told.book == "UTH-MA" and told.method == STACKS:
        for fact in told.community.dealt:
            source = fact.source_of_card if isinstance(fact, CardDealt) else None
            if isinstance(fact, StackDelivered) or source not in (None, "hand"):
                says = "The community cards were not dealt from the hand."
                yield from raised(told, SOURCE, "community", fact, says)
                return
    elif told.book == "FAH":
        for card in told.of(CardDealt):
            if card.source_of_card is not None and card.source_of_card not in _FROM_A_SHOE:
                says = f"A card came from {card.source_of_card} and not from a dealing shoe."
                yield from raised(told, SOURCE, "any", card, says)
                return


@watch(RoundEnds, laws=(NOT_CHOSEN,), needs=(DecisionMade,))
def dealers_stack_as_chosen(day: TableDay, _: Fact) -> Found:
    """The dealer's stack is delivered at the time the house has chosen."""
    told = day.round
    if told is None or told.method != STACKS or told.book not in ("UTH-MD", "PIK"):
        return
    shoe = day.layout.device("shoe")
    chosen = told.house.options.get("dealer_stack_delivery") or (shoe.mode if shoe is not None else "")
    stack = next((fact for fact in told.of(StackDelivered) if fact.to == "dealer"), None)
    done = deal(told).how.delivery
    if stack is None or chosen not in (AT_DEAL, "after-decisions") or done == chosen or deal(told).noticed:
        return
    when = "at the deal" if done == AT_DEAL else "after the players' decisions"
    says = f"The dealer's stack was delivered {when}, which this house has not chosen."
    yield from raised(told, NOT_CHOSEN, done, stack, says)


@watch(ShoeLoaded, laws=(NOT_CHOSEN,))
def loaded_by_a_device(day: TableDay, fact: ShoeLoaded) -> Found:
    """A device puts the cards into the shoe only where the house has one that shuffles."""
    if fact.by != "device" or day.house is None or day.house["shuffler"] != "none":
        return
    cited = NOT_CHOSEN.cites(day.book, "device loads")
    if cited:
        says = "A device put the cards into the shoe at a table that shuffles by hand."
        yield found(NOT_CHOSEN, cited, fact, says, dealer=day.dealer_person)


@watch(CoverCardIntroduced, laws=(NOT_CHOSEN,))
def concealed_by_choice(day: TableDay, fact: CoverCardIntroduced) -> Found:
    """A second cutting card conceals the last card of Fast Action's stack only where the house uses one."""
    if fact.role == "conceal" and day.house is not None and day.book == "FAH" and not day.house["concealing_card"]:
        says = "A second cutting card came into use to conceal the last card, which this house has not chosen."
        yield found(NOT_CHOSEN, NOT_CHOSEN.cites("FAH", "conceal"), fact, says, dealer=day.dealer_person)


@watch(DealBegins, laws=(NOT_CHOSEN,), needs=(DeckInspected,))
def excused_from_inspection(day: TableDay, deals: Fact) -> Found:
    """Maryland excuses a deck from its inspection only where it came both preinspected and preshuffled."""
    told = day.round
    deck = day.decks.known.get(told.deck) if told is not None and day.book == "UTH-MD" else None
    if told is None or deck is None or deck.received is None or not deck.new:
        return
    received = deck.received
    inspected = any(isinstance(step, DeckInspected) for step in deck.steps)
    if received.route == "preinspected" and not received.preshuffled and not inspected:
        says = f"{deck.called} was played uninspected as preinspected, and it had not come preshuffled as well."
        cited = NOT_CHOSEN.cites(day.book, "preinspected")
        yield found(NOT_CHOSEN, cited, deals, says, round=told.number, dealer=day.dealer_person, evidence=[received])
