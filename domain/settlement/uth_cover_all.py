"""Massachusetts' Cover All bonus: the highest hand at the table, paid by the number of hands dealt."""

from collections.abc import Iterable

from domain.hands import standard
from domain.money import Cents
from domain.rulebooks import House
from domain.settlement.outcome import READING, Outcome, Settlement, lost, paid, ruling, settled, undecidable
from domain.settlement.played import PlayedRound, Seat


def settle(house: House, played: PlayedRound, settlement: Settlement) -> None:
    """Settle Cover All after every other wager (UTH-MA 13(j)): one line, for the table's highest hand."""
    if not house.options.get("cover_all"):
        return
    highest = standard.category(max(settlement.hands.values()))
    for seat in played.seats:
        if "cover_all" in seat.wagers:
            settlement.seats[seat.seat]["cover_all"] = outcome(house, played, seat, [highest])


def outcome(house: House, played: PlayedRound, seat: Seat, possible: Iterable[int]) -> Outcome:
    """Return Cover All's outcome if the table's highest hand is any of these categories.

    UTH-MA 13(b) says trips, 13(h)a a straight and the matrix a full house. The reading follows the matrix, whose
    columns count the hands dealt, including folded and void ones and the dealer's.
    """
    table = house.book.tables["cover_all"].tables.get(str(len(played.seats) + 1 + played.void_hands))
    if table is None:
        return ruling("UTH-MA 13(k)")  # the matrix ends at six players and the dealer
    stake = seat.wagers["cover_all"]
    answers: dict[Cents | None, Outcome] = {}
    for category in possible:
        odds = table.lines.get(standard.CATEGORIES[category])
        line = lost(table.clause, READING) if odds is None else paid(odds, table.clause, READING)
        answer = settled(line, stake, f"seat {seat.seat}'s cover_all")
        answers[answer.returned] = answer
    if len(answers) == 1:
        return next(iter(answers.values()))
    return undecidable(table.clause, ["a hand that may be the highest at the table"])
