"""Honest mishaps at tables now and then, corrected as the books require."""

from collections.abc import Callable
from random import Random

import msgspec

from domain.cards import UNKNOWN
from domain.settlement.played import FaceUpCard, Irregularity
from domain.simulation.plans import RoundPlan, SeatPlan
from domain.simulation.table import TableInPlay

Mishap = Callable[[TableInPlay, RoundPlan, Random], Irregularity | None]

_STREETS = ("preflop", "flop", "river")


def with_mishap(table: TableInPlay, plan: RoundPlan, own: Random) -> RoundPlan:
    """Return the round with a mishap, or unchanged if none can happen here."""
    what = own.choice(_MISHAPS[table.book])(table, plan, own)
    if what is None:
        return plan
    if what.kind == "device-not-removed":  # without a shuffler nothing determines the hands of Cover All
        plan = msgspec.structs.replace(plan, seats=tuple(map(_without_cover_all, plan.seats)))
    return msgspec.structs.replace(plan, irregularity=what, parts={})


def _without_cover_all(seat: SeatPlan) -> SeatPlan:
    wagers = {wager: cents for wager, cents in seat.wagers.items() if wager != "cover_all"}
    return msgspec.structs.replace(seat, wagers=wagers)


def _seat(plan: RoundPlan, own: Random) -> int:
    return own.choice([seat.seat for seat in plan.seats])


def _dealt_first(table: TableInPlay, plan: RoundPlan) -> int:
    """Return roughly how many cards are dealt before anyone decides."""
    each = {"UTH-MA": 2, "UTH-MD": 2, "PIK": 5, "FAH": 4, "COL": 3}[table.book]
    return (len(plan.seats) + 1) * each


def _waits(table: TableInPlay) -> bool:
    """Return whether the dealer's cards stay in the device until the players have decided."""
    late = "after-decisions" in (table.setup.dealer_stack, table.house.options.get("dealer_stack_delivery"))
    return late and table.method == "automated-shoe"


def _card(plan: RoundPlan, own: Random) -> int:
    return own.choice(plan.shuffled)


def face_up(table: TableInPlay, plan: RoundPlan, own: Random) -> Irregularity:
    """Return a card face up in the deck; now and then two."""
    many = 2 if own.random() < 0.3 and table.book != "FAH" else 1
    last = _dealt_first(table, plan) - (2 if _waits(table) else 0)
    places = sorted(own.randrange(last) for _ in range(many))
    return Irregularity("card-face-up", found=tuple(FaceUpCard(UNKNOWN, place) for place in places))


def exposed(table: TableInPlay, plan: RoundPlan, own: Random) -> Irregularity:
    """Return an exposed face-down card."""
    of = own.choice((f"seat:{_seat(plan, own)}", "dealer", "community"))
    if table.book.startswith("UTH"):
        stage = "flop" if of == "community" else own.choice((*_STREETS, "reveal") if of == "dealer" else _STREETS)
        return Irregularity("card-exposed", of=of, stage=stage)
    if table.book == "PIK":
        of = "dealer" if of == "community" else of
        stage = own.choice(("", "bonus3", "decision", "reveal")) if of == "dealer" else ""
        return Irregularity("card-exposed", of=of, stage=stage)
    if table.book == "COL":
        of = "community" if of == "dealer" else of
    return Irregularity("card-exposed", of=of)


def drawn(table: TableInPlay, plan: RoundPlan, own: Random) -> Irregularity | None:
    """Return a card drawn when none is due, except from a device that holds the dealer's cards."""
    if _waits(table):
        return None
    seen = own.random() < 0.4
    at = own.randrange(1, _dealt_first(table, plan))
    if table.book.startswith("UTH"):
        places = ("",) if table.method == "automated-shoe" else ("", "dealer") if seen else ("", "dealer", "community")
        used_as = own.choice(places)
        return Irregularity("card-drawn-in-error", card=_card(plan, own), exposed=seen, used_as=used_as)
    used_as = f"seat:{_seat(plan, own)}" if not seen and own.random() < 0.5 else ""
    return Irregularity(
        "card-drawn-in-error",
        card=_card(plan, own),
        exposed=seen,
        used_as=used_as,
        at_dealt=None if used_as else at,
    )


def wrong_count(table: TableInPlay, plan: RoundPlan, own: Random) -> Irregularity:
    """Return a hand with a card too many or too few, which is noticed."""
    due = {"UTH-MA": 2, "UTH-MD": 2, "PIK": 5, "COL": 3, "FAH": 4}[table.book]
    dealt = due + own.choice((-1, 1))
    of = f"seat:{_seat(plan, own)}" if _waits(table) else own.choice((f"seat:{_seat(plan, own)}", "dealer"))
    if table.book == "COL":
        of = own.choice((f"seat:{_seat(plan, own)}", "community"))
    if table.book == "FAH":
        return Irregularity("wrong-count", of="dealer", dealt=dealt, stage=own.choice(("", "reveal")))
    return Irregularity("wrong-count", of=of, dealt=dealt)


def shoe_jams(table: TableInPlay, plan: RoundPlan, own: Random) -> Irregularity | None:
    """Return a failure of the automated shoe."""
    if table.method != "automated-shoe":
        return None
    return Irregularity("jam", device="shoe", at_dealt=own.randrange(1, _dealt_first(table, plan)))


def shuffler_jams(table: TableInPlay, _: RoundPlan, own: Random) -> Irregularity | None:
    """Return a failure of the shuffler, with this round's cards or the next one's."""
    if not table.device("shuffler"):
        return None
    if len(table.decks) > 1 and own.random() < 0.5:
        return Irregularity("jam", device="shuffler", deck="idle")
    return Irregularity("jam", device="shuffler", deck="playing", stage="before-deal")


def no_device(table: TableInPlay, _: RoundPlan, own: Random) -> Irregularity | None:
    """Return a device out of order, without which the table continues."""
    kind = own.choice(("shoe", "shuffler"))
    only_there = kind == "shoe" and table.book == "UTH-MD" and table.house.offers("six_card")
    if own.random() < 0.8 or not table.device(kind) or only_there:
        return None
    if table.book.startswith("UTH"):
        return Irregularity("device-not-removed", device=kind)
    return Irregularity("device-not-removed", device="automated-shoe" if kind == "shoe" else "automated-shuffler")


def counts(table: TableInPlay, plan: RoundPlan, own: Random) -> Irregularity | None:
    """Return a count of a counting shuffler that differs from the deck."""
    if not table.machine_counts or table.book.startswith("UTH") or table.device("shoe"):
        return None
    return Irregularity("shuffler-count", count=own.choice((51, 53)))


def short_or_long(table: TableInPlay, plan: RoundPlan, own: Random) -> Irregularity:
    """Return a Fast Action hand with too few or too many cards."""
    if own.random() < 0.5:
        return Irregularity("long-hand", seat=_seat(plan, own), dealt=5)
    return Irregularity("short-hand", seat=_seat(plan, own), dealt=3, election=own.choice(("void", "complete")))


def runs_out(table: TableInPlay, plan: RoundPlan, own: Random) -> Irregularity | None:
    """Return a shoe with too few cards to finish the round."""
    if table.method == "continuous-shoe":
        return None
    stage = own.choice(("dealing", "community"))
    return Irregularity("insufficient-cards", stage=stage, at_dealt=3)


_ONE_DECK: tuple[Mishap, ...] = (face_up, exposed, drawn, wrong_count, shoe_jams, shuffler_jams, no_device)
_MISHAPS: dict[str, tuple[Mishap, ...]] = {
    "UTH-MA": _ONE_DECK,
    "UTH-MD": _ONE_DECK,
    "PIK": (*_ONE_DECK, counts),
    "COL": (*_ONE_DECK, counts),
    "FAH": (face_up, exposed, wrong_count, short_or_long, runs_out),
}
