"""Wagers settled on the wrong basis: another wager, another hand, another column.

The finding about the money is certain. What the dealer took the wager for is a reading of the amount.
"""

from collections.abc import Callable, Iterator

from domain.hands import standard, three_card
from domain.rulebooks import PayTable
from domain.settlement import pikit
from domain.settlement.outcome import lost, paid, settled
from domain.settlement.played import Seat, with_parts
from domain.spoken import name_of_wager, plain
from domain.table.round import RoundInPlay
from domain.watch.detecting import Found, judge
from domain.watch.detectors.money import evidence, shown_by
from domain.watch.laws import law
from domain.watch.money.voids import judged_as_a_whole
from domain.watch.owed import Owed, worked_out
from domain.watch.owed_vs_paid import WeighedWager, weighed
from domain.watch.round_order import raised
from domain.watch.values import made as hand_made

BASIS = law(
    "settlement-basis-wrong",
    {
        "another wager": "UTH-MA 6(c) s2; COL 6a(d)",
        "column": "UTH-MA 13(c); UTH-MA 13(k)",
        "another hand": "UTH-MA 13(g)",
        "five of the six cards": "UTH-MD 7.F(4)(a)",
        "community cards": "UTH-MD 11.I(3)",
        "qualification": "PIK 1.13Y(d)2ii",
        "other comparison": 'PIK 39.1 "Hand"',
        "other three cards": 'PIK 39.1 "3 card bonus wager"',
    },
)

Basis = tuple[str, str]  # the key of the law, and the wrong basis in words


@judge(BASIS)
def wagers_are_settled_on_their_own_ground(told: RoundInPlay) -> Found:
    """Report a wager that got exactly the amount that another hand, column or wager would give it."""
    differing = [item for item in weighed(told).differing if not judged_as_a_whole(told, item.spot.seat)]
    if not differing:
        return
    made = worked_out(told)
    if made.settlement.void_clause:
        return
    for item in differing:
        for key, by in _grounds(told, made, item):
            trigger = shown_by("", item)
            if trigger is not None:
                says = (
                    f"Seat {item.spot.seat}'s {name_of_wager(item.wager)} got exactly the amount "
                    f"that {by} would give it."
                )
                facts = evidence(told, item)
                where = {"seat": item.spot.seat, "wager": item.wager, "evidence": facts}
                yield from raised(told, BASIS, key, trigger, says, basis="reading", **where)
                break
    yield from _along_with_another(told, made, differing)


def _grounds(told: RoundInPlay, made: Owed, item: WeighedWager) -> Iterator[Basis]:
    ground = _GROUNDS.get((told.game.kind, item.wager))
    if ground is None or item.handed is None or item.handed.lying:
        return
    seat = next(each for each in made.played.seats if each.seat == item.spot.seat)
    yield from ground(told, made, seat, item.wager, item.handed.back)


def _gives(table: PayTable, line: str, stake: int | None) -> int | None:
    odds = table.lines.get(line)
    return settled(lost(table.clause) if odds is None else paid(odds, table.clause), stake).returned


def _cover_all(told: RoundInPlay, made: Owed, seat: Seat, wager: str, got: int) -> Iterator[Basis]:
    """Return another column of the matrix, or a hand other than the table's highest, that gives this amount."""
    hands, stake = made.settlement.hands, seat.wagers[wager]
    if not hands or not got:
        return
    column = str(len(made.played.seats) + 1 + made.played.void_hands)
    highest = standard.CATEGORIES[max(hands.values()) >> 20]
    own = []
    for number, table in told.house.book.tables[wager].tables.items():
        if number == column:
            own.append(table)
        elif _gives(table, highest, stake) == got:
            yield "column", f"the column of {number} hands, although {column} were dealt,"
    for hand in {standard.CATEGORIES[value >> 20] for value in hands.values()} - {highest}:
        if any(_gives(table, hand, stake) == got for table in own):
            yield "another hand", f"a {plain(hand)}, which is not the highest hand at the table,"


def _six_card(told: RoundInPlay, made: Owed, seat: Seat, wager: str, got: int) -> Iterator[Basis]:
    """Return the community cards in place of the box, or five cards of a six-card super royal, if they give it."""
    table, five = told.house.table(wager), hand_made("five", (*made.played.six_card_box, *seat.cards), (6,))
    if table is None or five is None:
        return
    stake = seat.wagers[wager]
    if _gives(table, five.category, stake) == got:
        yield "five of the six cards", "the best five of the six cards"
    own = made.settlement.hands.get(seat.seat)
    if own is not None and got and _gives(table, standard.CATEGORIES[own >> 20], stake) == got:
        yield "community cards", "the hand with the community cards"


def _three_card_bonus(told: RoundInPlay, _: Owed, seat: Seat, wager: str, got: int) -> Iterator[Basis]:
    """Return the best three of the five cards if they give it and the player selected others (PIK 39.10(b)/s2)."""
    table, best = told.house.table(wager), hand_made("three", seat.cards, (5,))
    if table is not None and best is not None and _gives(table, best.category, seat.wagers[wager]) == got:
        yield "other three cards", "the best three of the five cards"


def _comparison(told: RoundInPlay, made: Owed, seat: Seat, wager: str, got: int) -> Iterator[Basis]:
    """Return the dealer's qualification on a play 3, or the wrong number of compared cards, if that gives it."""
    dealer = made.played.dealer
    if seat.choice not in ("play3", "play5") or None in [
        hand_made("five", held, (5,)) for held in (seat.cards, dealer)
    ]:
        return
    five, three = standard.value(dealer), three_card.value(dealer)
    qualified = pikit.qualifies(told.house, dealer)
    if seat.choice == wager == "play3" and not qualified and got == seat.wagers[wager]:
        yield "qualification", "a dealer who does not qualify"
        return
    other = "play5" if seat.choice == "play3" else "play3"
    stakes = {other if name == seat.choice else name: cents for name, cents in seat.wagers.items()}
    swapped = with_parts(seat, choice=other, wagers=stakes)
    outcomes = pikit.compared(told.house, swapped, five=five, three=three, qualified=True)
    if outcomes[other if wager == seat.choice else wager].returned == got:
        cards = "three" if other == "play3" else "five"
        yield "other comparison", f"the comparison of {cards} cards"


Ground = Callable[[RoundInPlay, Owed, Seat, str, int], Iterator[Basis]]
_GROUNDS: dict[tuple[str, str], Ground] = {
    ("ultimate", "cover_all"): _cover_all,
    ("ultimate", "six_card"): _six_card,
    ("pik-it", "bonus3"): _three_card_bonus,
    **dict.fromkeys([("pik-it", "ante"), ("pik-it", "play3"), ("pik-it", "play5")], _comparison),
}


def _along_with_another(told: RoundInPlay, made: Owed, differing: list[WeighedWager]) -> Found:
    """Report a seat whose main wagers were all settled like its side wager, against the main hand."""
    if told.game.side is None:
        return
    side, main = told.game.side
    for number in dict.fromkeys(item.spot.seat for item in differing):
        outcomes = made.settlement.seats[number]
        items = [item for item in differing if item.spot.seat == number and item.wager in main]
        if side not in outcomes or len(items) < 2 or any(i.spot.seat == number and i.wager == side for i in differing):
            continue
        lost_too = outcomes[side].returned == 0 and all(_collected(item) for item in items)
        won_too = bool(outcomes[side].returned) and all(_won_though_lost(item) for item in items)
        trigger = shown_by("", items[0])
        if trigger is None or not (lost_too or won_too):
            continue
        names = " and ".join(name_of_wager(item.wager) for item in items)
        how = "lost" if lost_too else "won"
        says = f"Seat {number}'s {names} were settled like its {side}, which {how}, but {side} does not decide them."
        facts = [fact for item in items for fact in evidence(told, item)]
        yield from raised(told, BASIS, "another wager", trigger, says, seat=number, evidence=facts, basis="reading")


def _collected(item: WeighedWager) -> bool:
    return item.handed is not None and item.handed.back == 0 and not item.handed.lying


def _won_though_lost(item: WeighedWager) -> bool:
    return item.expected == 0 and item.spot.wagers[item.wager].paid_cents > 0
