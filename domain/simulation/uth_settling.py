"""The settlement of Ultimate Texas Hold'em: the dealer's hand, then one player at a time from the dealer's right."""

from domain.facts import decisions, payments, wagers
from domain.hands import standard
from domain.settlement import announce
from domain.settlement.outcome import Outcome, Settlement
from domain.settlement.uth_folded import left_open
from domain.settlement.uth_progressive import progressive_hand, resets
from domain.simulation import paying
from domain.simulation.in_play import texts
from domain.simulation.round_end import COLLECT, PAY, RETURN, pick_up, rule
from domain.simulation.uth_dealing import open_box
from domain.simulation.uth_in_play import BOX, COMMUNITY, DEALER, Uth

# Trips comes after ante, blind and play, six card after that, the progressive after all (UTH-MD 11.I, 11.J). The other
# three have no turn of their own; Cover All comes when every other wager is settled (UTH-MA 13(j)).
IN_TURN = ("ante", "blind", "play", "trips", "six_card", "ultimate_pairs", "bad_beat", "play_the_board", "progressive")
STRAIGHT = standard.CATEGORIES.index("straight")
TRIPS = standard.CATEGORIES.index("three_of_a_kind")
AWARD_STEPS = (("hand", "dealer"), ("light", "dealer"), ("payout", "floorperson"))  # UTH-MD 11.J(2)(a) to (c)


def reveal_dealer(game: Uth, settlement: Settlement) -> None:
    """Turn up and announce the dealer's cards, even if no player is left."""
    game.post.say(decisions.HandRevealed, cards=texts(game.dealt_to(DEALER)))
    game.post.say(decisions.HandAnnounced, announce_dealer(game, settlement))
    open_box(game)


def announce_dealer(game: Uth, settlement: Settlement) -> str:
    """Return the dealer's announcement of his own hand."""
    value = settlement.hands[0]
    return announce(game.house, value) if standard.category(value) >= standard.PAIR else "no pair"


def settle_all(game: Uth, settlement: Settlement) -> None:
    """Settle every player in order, then what waits for all of them; then collect the cards."""
    exposed = _Exposed(game, settlement)
    for seat in settlement.order:
        settle_player(game, settlement, seat)
        exposed.keep_or_pick_up(seat)
    for seat in settlement.order:
        _pay_envy(game, settlement, seat)
    for seat in settlement.order:
        if (seat, "cover_all") in game.lying:
            outcome = settlement.seats[seat]["cover_all"]
            if not outcome.returned and standard.category(max(settlement.hands.values())) >= TRIPS:
                rule(game, "UTH-MA 13(b)", COLLECT, seat, "cover_all")  # by its name it wins, but no line pays it
            _settle(game, seat, "cover_all", outcome)
    exposed.pick_up()
    pick_up_table(game)


def pick_up_table(game: Uth) -> None:
    """Collect the cards that belong to nobody's hand."""
    for place in (COMMUNITY, DEALER, BOX):
        if held := game.dealt_to(place):
            game.post.say(payments.HandsCollected, of=place[0], count=len(held), cards=texts(held))


def settle_player(game: Uth, settlement: Settlement, seat: int) -> None:
    """Show and announce one player's hand, and settle its wagers."""
    if game.hands[seat].collected == 0:
        show_hand(game, seat, settlement.hands[seat])
    for wager in IN_TURN:
        if (seat, wager) in game.lying:
            outcome = settlement.seats[seat][wager]
            for clause in _left_open(game, settlement, seat, wager)[:1]:
                rule(game, clause, PAY if outcome.returned else COLLECT, seat, wager)
            _settle(game, seat, wager, outcome)


def _left_open(game: Uth, settlement: Settlement, seat: int, wager: str) -> tuple[str, ...]:
    """Return the silent clauses for a folded hand's side wager."""
    if game.hands[seat].choice != "fold":
        return ()
    folded = game.played(irregular=False).seat(seat)
    return left_open(game.house, folded, wager, settlement.seats[seat][wager], settlement.hands)


def show_hand(game: Uth, seat: int, value: int) -> None:
    """Turn up and announce a player's hand."""
    game.post.say(decisions.HandRevealed, seat, texts(game.of(seat)))
    game.post.say(decisions.HandAnnounced, announce(game.house, value), seat)


def _settle(game: Uth, seat: int, wager: str, outcome: Outcome) -> None:
    stake, plan = game.lying[seat, wager], game.seats[seat]
    amount = outcome.returned
    if amount is None:  # no text prints its award: the floor rules that it is returned
        amount = stake
        rule(game, outcome.clause, RETURN, seat, wager)
    if wager == "progressive" and seat in game.banked:
        _award(game, seat, amount)
    elif game.hands[seat].left and not amount:
        paying.collect(game.table, plan, wager, stake, "abandoned")
    else:
        paying.hand_over(game.table, plan, wager, stake, returned=amount)
    game.record(seat, wager, amount)


def _award(game: Uth, seat: int, award: int) -> None:
    """Verify, validate and pay a progressive award from its meter; its chip is in the rack since before the deal."""
    if not award:
        return
    for what, by in AWARD_STEPS:
        game.post.say(payments.AwardVerified, seat, what, by)
    table = game.house.table("progressive")
    played = game.played(irregular=False)
    odds = table.lines[progressive_hand(game.house, played, played.seat(seat))] if table is not None else None
    meter = odds.meter if odds is not None else ""
    paying.pay(game.table, game.seats[seat], "progressive", award, meter)
    if not meter or odds is None:
        return
    game.table.meters[meter] -= award
    if odds.percent == 100:
        game.table.meters[meter] = resets(game.house)[meter]
        game.post.say(wagers.MeterReset, meter, game.table.meters[meter])
    else:
        game.post.say(wagers.MeterRead, meter, game.table.meters[meter])


def _pay_envy(game: Uth, settlement: Settlement, seat: int) -> None:
    envy = settlement.seats[seat].get("envy")
    if envy is not None and envy.returned:
        paying.pay(game.table, game.seats[seat], "envy", envy.returned)


class _Exposed:
    """The highest hand from a straight up, which stays open under Cover All until it is reconciled.

    Every other hand is collected when its wagers are settled (UTH-MA 10(h) s3, 13(h)a, 13(i)).
    """

    def __init__(self, game: Uth, settlement: Settlement) -> None:
        self.game = game
        self.values = settlement.hands
        self.wanted = any(wager == "cover_all" for _, wager in game.lying)
        self.seat = 0
        self.highest = settlement.hands[0]

    def keep_or_pick_up(self, seat: int) -> None:
        """Keep or collect a hand after its player's wagers are settled."""
        higher = self.values[seat] > self.highest and standard.category(self.values[seat]) >= STRAIGHT
        if not self.wanted or not higher or self.game.hands[seat].collected:
            pick_up(self.game, seat)
            return
        self.pick_up()
        self.seat, self.highest = seat, self.values[seat]

    def pick_up(self) -> None:
        """Collect the hand that was left open."""
        if self.seat:
            pick_up(self.game, self.seat)
        self.seat = 0


def reveal_for_trips(game: Uth, outcomes: dict[int, Outcome]) -> None:
    """Settle the trips wagers that survive a void round, on the completed board."""
    for seat, outcome in sorted(outcomes.items(), reverse=True):
        own = game.of(seat)
        show_hand(game, seat, standard.value((*own, *game.dealt_to(COMMUNITY))))
        _settle(game, seat, "trips", outcome)
