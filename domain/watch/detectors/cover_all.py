"""Massachusetts' Cover All: the shuffler's mode and hand count, and awards for which the rule prints no amount."""

from domain.facts.deal import HandsDetermined
from domain.facts.envelope import Fact
from domain.facts.payments import RulingGiven
from domain.hands import standard
from domain.settlement.outcome import RULING
from domain.spoken import name_of_wager, plain
from domain.table.day import TableDay
from domain.table.round import RoundInPlay
from domain.watch.dealing import lies
from domain.watch.deck_queries import the_round
from domain.watch.detecting import Found, RoundEnds, judge, watch
from domain.watch.laws import law
from domain.watch.owed import owed
from domain.watch.round_order import raised
from domain.watch.wager_order import placing

COUNT = law("cover-all-count-mismatch", "UTH-MA 13(e)")
MODE = law("cover-all-device-mode-wrong", "UTH-MA 13(d)")
UNPRINTED = law("award-unprinted", {"cover_all": "UTH-MA 13(b)", "progressive": "UTH-MA 14(c)"})
_TRIPS = standard.CATEGORIES.index("three_of_a_kind")


_CARDS = frozenset({"card-dealt", "stack-delivered"})


def _wagered(told: RoundInPlay) -> list[int]:
    """Return the seats with a recorded Cover All wager."""
    if "cover_all" not in placing(told).kinds:
        return []
    return [spot.seat for spot in placing(told).spots if lies(spot, "cover_all")]


@judge(COUNT, needs=(HandsDetermined,))
def hands_counted(told: RoundInPlay) -> Found:
    """Check that the device counts the hands dealt, including the dealer's, before Cover All is settled."""
    seats = _wagered(told)
    if told.voided or not seats:
        return
    hands = sum(bool(spot.dealt) for spot in told.seats.values()) + bool(told.dealer.dealt)
    for fact in told.of(HandsDetermined):
        if fact.hands != hands and _CARDS.isdisjoint(told.unrecorded):
            says = f"The device counted {fact.hands} hands, but {hands} were dealt, including the dealer's."
            yield from raised(told, COUNT, "", fact, says, wager="cover_all")
    moves = [move for seat in seats for move in told.seats[seat].wagers["cover_all"].moves]
    for first in sorted(moves, key=lambda move: move.sequence)[:1]:
        if not any(fact.sequence < first.sequence for fact in told.of(HandsDetermined)):
            says = "Cover All was settled before the device had counted the hands."
            yield from raised(told, COUNT, "", first, says, wager="cover_all")


@watch(RoundEnds, laws=(MODE,))
def device_in_its_mode(day: TableDay, _: Fact) -> Found:
    """Check that Cover All is played with the shuffler in its Cover All mode."""
    told, shuffler = the_round(day), day.layout.device("shuffler")
    mode = shuffler.mode if shuffler is not None else "none"
    if not mode or "cover all" in mode.lower():  # an unrecorded mode is not a wrong one
        return
    for spot in told.seats.values():  # without `placing`, because the round is not over yet
        if lies(spot, "cover_all"):
            how = f"in another mode: {plain(mode)}" if shuffler is not None else "absent"
            says = f"Cover All wagers were accepted with the shuffler {how}."
            yield from raised(told, MODE, "", spot.wagers["cover_all"].placed[0], says, wager="cover_all")
            return


@judge(UNPRINTED, needs=(RulingGiven,))
def award_without_an_amount(told: RoundInPlay) -> Found:
    """Check for a winning hand with no printed amount; a void round has no winning hand."""
    for spot in placing(told).spots:
        for wager in ("cover_all", "progressive"):
            held = spot.wagers.get(wager)
            if held is None or not held.moves or not _unprinted(told, spot.seat, wager):
                continue
            if not any(fact.wager == wager and fact.seat == spot.seat for fact in told.of(RulingGiven)):
                says = f"Seat {spot.seat}'s {name_of_wager(wager)} won with a hand for which no amount is printed."
                yield from raised(told, UNPRINTED, wager, held.moves[0], says, seat=spot.seat, wager=wager)


def _unprinted(told: RoundInPlay, seat: int, wager: str) -> bool:
    """Whether a winner has no pay line: trips or better for Cover All, any winner for a progressive."""
    settlement = owed(told)
    outcome = settlement.seats.get(seat, {}).get(wager)
    if outcome is None:
        return False
    if wager == "progressive":
        unprinted = not told.house.options.get("progressive.house_awards")
        return unprinted and outcome.basis == RULING and outcome.clause in UNPRINTED.cites(told.book, wager)
    return outcome.returned == 0 and standard.category(max(settlement.hands.values(), default=0)) >= _TRIPS
