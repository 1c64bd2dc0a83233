"""Unseen cards at Ultimate Texas Hold'em: what each wager depends on, and what is known of the round anyway."""

from collections.abc import Callable, Collection
from functools import lru_cache
from itertools import combinations

from domain.cards import UNKNOWN
from domain.hands import standard
from domain.rulebooks import House
from domain.settlement import uth_cover_all
from domain.settlement.completions import TABLE, Part, filled_anyhow, left_over, missing
from domain.settlement.outcome import UNDECIDABLE, Outcome, Settlement, undecidable
from domain.settlement.played import Cards, PlayedRound, Seat
from domain.settlement.uth_limits import MAIN, limit_winnings, limits, may_reach
from domain.settlement.uth_progressive import ENVY_HANDS, counting_board, forfeits, may_hold_envy

DEALER, BOARD, BOX = (TABLE, "dealer"), (TABLE, "community"), (TABLE, "six_card_box")


def depends_on(house: House, played: PlayedRound, seat: Seat, wager: str) -> list[Part]:
    """Return the lists of cards on which one wager's amount may depend."""
    own, table, wager = (seat.seat, "cards"), house.tables.get(wager), house.game.like(wager)
    if forfeits(house, seat) or (seat.choice == "fold" and wager in ("ante", "blind", "bad_beat")):
        return []
    if wager in may_reach(house, seat):
        return [own, DEALER, BOARD]  # the cut depends on the other wagers
    if wager == "ultimate_pairs":
        return [own, DEALER] if table is not None and "player_and_dealer_aces" in table.lines else [own]
    if wager == "envy":
        if not house.game.has_meters:
            return []  # the text has no envy bonus
        holders = [other for other in played.seats if other.seat != seat.seat and may_hold_envy(house, other)]
        return _hands(house, played, holders, ENVY_HANDS)
    if wager == "progressive" and house.game.has_meters:
        return [own, BOARD, *_earlier_at_the_meters(house, played, seat)]
    return {
        "six_card": [own, BOX],
        "play_the_board": [BOARD],
        "trips": [own, BOARD],
        "progressive": [own, BOARD],
    }.get(wager, [own, DEALER, BOARD])


def _hands(house: House, played: PlayedRound, seats: Collection[Seat], hands: Collection[str]) -> list[Part]:
    """Return the cards of those seats that hold, or may hold, one of these hands, and the board that makes them."""
    reaching = [(each.seat, "cards") for each in seats if set(hands) & _possible(house, played, each)]
    return [*reaching, BOARD] if reaching else []


def _possible(house: House, played: PlayedRound, seat: Seat) -> set[str]:
    """Return every hand this seat may have for its progressive; all of them if the board itself is unseen."""
    board = counting_board(house, played)
    if UNKNOWN in board:
        return set(standard.CATEGORIES)
    return {standard.CATEGORIES[category] for category in _categories(house, played, seat.cards, board)}


def _categories(house: House, played: PlayedRound, own: Cards, board: Cards) -> frozenset[int]:
    if UNKNOWN not in own:
        return frozenset((standard.category(standard.value((*own, *board))),))
    known = tuple(card for card in own if card != UNKNOWN)
    return _reached((*known, *board), len(own) - len(known), tuple(left_over(house, played)))


@lru_cache(maxsize=256)
def _reached(known: Cards, unseen: int, left: Cards) -> frozenset[int]:
    """Return the hands these cards may still become with so many more; wholly unseen hands of a round are alike."""
    value = standard.value
    return frozenset(standard.category(value((*known, *drawn))) for drawn in combinations(left, unseen))


def _earlier_at_the_meters(house: House, played: PlayedRound, seat: Seat) -> list[Part]:
    """Return the seats settled earlier that may have taken from a meter, if this seat's award may come from one."""
    table = house.table("progressive")
    metered = {hand for hand, odds in table.lines.items() if odds.meter} if table is not None else set()
    if not metered & _possible(house, played, seat):
        return []
    turn = (seat.choice == "fold", -seat.seat)
    earlier = [
        each for each in played.seats if "progressive" in each.wagers and (each.choice == "fold", -each.seat) < turn
    ]
    return _hands(house, played, earlier, metered)


def cover_all(house: House, played: PlayedRound, seat: Seat) -> Outcome:
    """Return Cover All if the table's highest hand may be any hand that an unseen one can become."""
    if UNKNOWN in played.community:
        return undecidable("UTH-MA 13(b)", missing(played, [BOARD]))
    parts: list[Part] = []
    possible = {-1}
    for part, own in ((DEALER, played.dealer), *(((each.seat, "cards"), each.cards) for each in played.seats)):
        if UNKNOWN in own:
            parts.append(part)
        hand = _categories(house, played, own, played.community)
        possible = {max(one, other) for one in possible for other in hand}
    answer = uth_cover_all.outcome(house, played, seat, possible)
    return undecidable(answer.clause, missing(played, parts)) if answer.basis == UNDECIDABLE and parts else answer


def finish(
    house: House, played: PlayedRound, settlement: Settlement, settle_seen: Callable[[House, PlayedRound], Settlement]
) -> None:
    """Complete what is true in every arrangement: the order, the seen hands, the meters, the limit of all."""
    anyhow = settle_seen(house, filled_anyhow(played, left_over(house, played)))
    settlement.order = anyhow.order
    if UNKNOWN not in played.community:
        seen = {0: played.dealer} | {seat.seat: seat.cards for seat in played.seats}
        settlement.hands = {number: anyhow.hands[number] for number, own in seen.items() if UNKNOWN not in own}
    awards = [number for number, held in settlement.seats.items() if "progressive" in held]
    if all(_same(settlement.seats[number], anyhow.seats[number], "progressive") for number in awards):
        settlement.meters_after = anyhow.meters_after
    for seat in played.seats:
        if "cover_all" in seat.wagers and "cover_all" in may_reach(house, seat):
            _limit_cover_all(house, seat, settlement.seats[seat.seat])


def _same(outcomes: dict[str, Outcome], others: dict[str, Outcome], wager: str) -> bool:
    return outcomes[wager].basis != UNDECIDABLE and outcomes[wager].returned == others[wager].returned


def _limit_cover_all(house: House, seat: Seat, outcomes: dict[str, Outcome]) -> None:
    """Limit Cover All, which is settled alone, together with the four wagers (UTH-MA 14(d))."""
    open_needs = [need for wager in MAIN if wager in outcomes for need in outcomes[wager].needs]
    if open_needs and outcomes["cover_all"].returned:
        outcomes["cover_all"] = undecidable(outcomes["cover_all"].clause, dict.fromkeys(open_needs))
    elif not open_needs:
        limit_winnings(limits(house), seat, outcomes)
