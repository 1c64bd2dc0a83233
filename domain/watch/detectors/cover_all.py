"""Massachusetts' Cover All: the shuffler in its mode and its count of the hands; awards no text gives an amount for."""

from domain.facts.deal import HandsDetermined
from domain.facts.envelope import Fact
from domain.facts.payments import RulingGiven
from domain.hands import standard
from domain.settlement.outcome import RULING
from domain.table.day import TableDay
from domain.table.round import Round
from domain.watch.course import raised
from domain.watch.detecting import Found, RoundEnds, judge, watch
from domain.watch.laws import law
from domain.watch.owed import owed

COUNT = law("cover-all-count-mismatch", "UTH-MA 13(e)")
MODE = law("cover-all-device-mode-wrong", "UTH-MA 13(d)")
UNPRINTED = law("award-unprinted", {"cover_all": "UTH-MA 13(b)", "progressive": "UTH-MA 14(c)"})
_TRIPS = standard.CATEGORIES.index("three_of_a_kind")


def _wagered(told: Round) -> list[int]:
    return [spot.seat for spot in told.wagering if "cover_all" in spot.wagers]


@judge(COUNT, needs=(HandsDetermined,))
def hands_counted(told: Round) -> Found:
    """The device counts the hands dealt, the dealer's among them, before the first Cover All wager is settled."""
    if told.book != "UTH-MA" or told.voided or not (seats := _wagered(told)):
        return
    hands = sum(bool(spot.dealt) for spot in told.seats.values()) + bool(told.dealer.dealt)
    for fact in told.of(HandsDetermined):
        if hands and fact.hands != hands and "card-dealt" not in told.unrecorded:
            says = f"The device counted {fact.hands} hands, and {hands} were dealt, the dealer's among them."
            yield from raised(told, COUNT, "", fact, says, wager="cover_all")
    moves = [move for seat in seats for move in told.seats[seat].wagers["cover_all"].moves]
    first = min(moves, key=lambda move: move.sequence, default=None)
    if first is not None and not any(fact.sequence < first.sequence for fact in told.of(HandsDetermined)):
        says = "Cover All was settled before the device had counted the hands."
        yield from raised(told, COUNT, "", first, says, wager="cover_all")


@watch(RoundEnds, laws=(MODE,))
def device_in_its_mode(day: TableDay, _: Fact) -> Found:
    """Cover All is played with the shuffler in its Cover All mode."""
    told = day.round
    if told is None or told.book != "UTH-MA" or not (seats := _wagered(told)):
        return
    shuffler = day.layout.device("shuffler")
    if shuffler is not None and (not shuffler.mode or "cover all" in shuffler.mode.lower()):
        return
    placed = told.seats[seats[0]].wagers["cover_all"].placed
    if placed:
        mode = f"in the mode {shuffler.mode}" if shuffler is not None else "missing"
        says = f"Cover All wagers were taken with the shuffler {mode}."
        yield from raised(told, MODE, "", placed[0], says, wager="cover_all")


@judge(UNPRINTED, needs=(RulingGiven,))
def award_without_an_amount(told: Round) -> Found:
    """A hand wins by the words, and neither the text nor the house prints what it is paid."""
    if told.book != "UTH-MA" or told.voided or not told.over:
        return
    for spot in told.wagering:
        for wager in ("cover_all", "progressive"):
            held = spot.wagers.get(wager)
            if held is None or not held.moves or not _unprinted(told, spot.seat, wager):
                continue
            ruled = any(fact.wager == wager and fact.seat in (None, spot.seat) for fact in told.of(RulingGiven))
            if not ruled:
                says = f"Seat {spot.seat}'s {wager} has a winning hand for which no amount is printed."
                yield from raised(told, UNPRINTED, wager, held.moves[0], says, seat=spot.seat, wager=wager)


def _unprinted(told: Round, seat: int, wager: str) -> bool:
    """Whether the wager has a winner without a line: trips or better for Cover All, whatever wins a progressive."""
    settlement = owed(told)
    outcome = settlement.seats.get(seat, {}).get(wager)
    if wager == "progressive":
        return outcome is not None and outcome.basis == RULING
    if not settlement.hands or outcome is None or outcome.returned != 0:
        return False
    return standard.category(max(settlement.hands.values())) >= _TRIPS
