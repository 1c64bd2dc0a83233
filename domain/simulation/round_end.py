"""The end of a round: wagers settled, rulings requested, cards collected; and the end of a void round."""

from domain.facts import payments
from domain.settlement.outcome import RULING, Outcome, Settlement
from domain.settlement.played import Cards
from domain.simulation import paying, stub
from domain.simulation.in_play import COMMUNITY, InPlay, RoundIsVoid, texts, without

# Rulings, in the words of the record.
VOID, PLAY_ON, STANDS, REVERSED, COLLECT, RETURN, PAY = (
    "void",
    "play on",
    "stands",
    "reversed",
    "collect",
    "return",
    "pay",
)


def rule(game: InPlay, subject: str, ruling: str, seat: int | None = None, wager: str | None = None) -> None:
    """Have a supervisor rule: `subject` is the clause that leaves it open."""
    game.post.say(
        payments.RulingGiven, subject, ruling, "floorperson", seat, wager, source=f"{game.table.setup.table}-pit"
    )


def settle(game: InPlay, seat: int, wager: str, outcome: Outcome) -> None:
    """Settle one wager on the table, after a ruling if only a ruling can decide."""
    stake = game.lying[seat, wager]
    amount = _amount(game, outcome, stake)
    if outcome.basis == RULING:
        rule(game, outcome.clause, _word(amount, stake), seat, wager)
    plan = game.seats[seat]
    paying.hand_over(game.table, plan, wager, stake, returned=amount)
    keeps = amount > stake and not game.house.options.get("match_play.returned_on_win")
    game.record(seat, wager, amount - (plan.coupons.get(wager, 0) if keeps else 0))


def _amount(game: InPlay, outcome: Outcome, stake: int) -> int:
    """Return the text's amount, or the floor's ruling if the text gives none."""
    if outcome.returned is not None:
        return outcome.returned
    ruled = game.what.ruling or game.plan.ruled
    if ruled in ("collect", "stands"):
        stands = outcome.alternatives[0] if outcome.alternatives else 0
        return stands or 0
    return stake


def _word(amount: int, stake: int) -> str:
    return COLLECT if amount < stake else RETURN if amount == stake else PAY


def settle_seat(game: InPlay, settlement: Settlement, seat: int, wagers: tuple[str, ...]) -> None:
    """Settle those of a seat's wagers that are still on the table."""
    for wager in wagers:
        if (seat, wager) in game.lying:
            settle(game, seat, wager, settlement.seats[seat][wager])


def pick_up(game: InPlay, seat: int, cards: Cards | None = None) -> None:
    """Put a seat's cards, or some of them, into the discard rack."""
    hand = game.hands[seat]
    if cards is None:
        cards = without(game.of(seat), hand.gone)
    if cards:
        game.post.say(payments.HandsCollected, seat, "seat", len(cards), cards=texts(cards))
        hand.gone += cards


def pick_up_dealers(game: InPlay) -> None:
    """Put the dealer's cards into the rack."""
    if game.dealers_left:
        game.post.say(
            payments.HandsCollected, of="dealer", count=len(game.dealers_left), cards=texts(game.dealers_left)
        )


def pick_up_community(game: InPlay) -> None:
    """Put the community cards into the rack."""
    held = game.dealt_to(COMMUNITY)
    if held:
        game.post.say(payments.HandsCollected, of="community", count=len(held), cards=texts(held))


def call_off(game: InPlay, void: RoundIsVoid) -> None:
    """Void the round: return open wagers, have settled ones ruled on, and collect all cards."""
    if void.ruled:
        rule(game, void.clause, VOID)
    game.post.say(payments.RoundVoided, void.reason, "floorperson" if void.ruled else "dealer")
    for seat in game.down:
        for number, wager in list(game.got):
            if number == seat:
                _settled_before(game, void, seat, wager)
        for number, wager in list(game.lying):
            if number == seat:
                paying.give_back(game.table, game.seats[seat], wager, game.lying[seat, wager])
                game.record(seat, wager, game.staked[seat, wager])
    for seat in game.down:
        pick_up(game, seat)
    pick_up_dealers(game)
    pick_up_community(game)
    if not game.stub_gone:
        stub.take_out(game.table, game.left_to_deal)
        stub.put_away(game.table)


def _settled_before(game: InPlay, void: RoundIsVoid, seat: int, wager: str) -> None:
    """Have the floor rule on a wager settled before the void, which no text covers; reverse it if so ruled."""
    ruled = game.what.ruling or game.plan.ruled
    reversed_ = ruled == REVERSED
    rule(game, void.clause, REVERSED if reversed_ else STANDS, seat, wager)
    plan, won = game.seats[seat], game.got[seat, wager] - game.staked[seat, wager]
    if reversed_ and won > 0:
        paying.collect(game.table, plan, wager, won, "reversed")
    elif reversed_ and won < 0:
        paying.give_back(game.table, plan, wager, -won, from_tray=-won)
    if reversed_:
        game.got[seat, wager] = game.staked[seat, wager]
