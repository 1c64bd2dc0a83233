"""Questions that the text leaves open: they need a ruling, and the ruling must be followed."""

import msgspec

from domain.facts.payments import RulingGiven
from domain.settlement.outcome import Outcome
from domain.settlement.void import Uncovered, Unruled
from domain.spoken import listed, name_of_wager
from domain.table.irregular import IrregularityCause, rulings
from domain.table.round import RoundInPlay
from domain.watch.detecting import Found, judge
from domain.watch.detectors.money import evidence, shown_by
from domain.watch.finding import found
from domain.watch.laws import law
from domain.watch.money.classified import classified
from domain.watch.money.situations import LAW, cited
from domain.watch.money.voids import NO_CAUSE, NOT_VOIDED, WANTS_RULING, voids
from domain.watch.money.why import why
from domain.watch.money.words import says
from domain.watch.owed import worked_out
from domain.watch.owed_vs_paid import WeighedWager, weighed

_LEFT_OPEN = (
    *("UTH-MA 7(f)(2) s2", "UTH-MA 7(f)(2) s3", "UTH-MA 15(a) s1", "UTH-MA 15(c)", "UTH-MA 15(d) s1"),
    *("UTH-MD 8.G(1)", "UTH-MD 8.G(2)", "UTH-MD 9.E(1)", "UTH-MD 9.E(2)", "UTH-MD 10.E(1)", "UTH-MD 10.E(2)"),
    *("UTH-MD 13.D", "UTH-MD 13.E", "UTH-MD 13.F"),
    *("PIK 38.12(b)", "PIK 38.12(c)", "PIK 38.12(d)", "PIK 38.12(f)", "PIK 39.7(e)2/s2", "PIK 39.7(e)2/s3"),
    *("FAH (i)(2)", "FAH (i)(3)", "FAH (i)(5)", "FAH (f)(2)/s2", "FAH (h)(9)(ii)"),
    *("COL 14(c)", "COL 14(f)", "COL 7(e)(2)/s2", "COL 7(e)(2)/s3", "COL 11(b)", "COL 6(b)/s2"),
)
NEEDED = law(
    "ruling-needed",
    {
        **{name: name for name in _LEFT_OPEN},
        "pair of tens": "COL 11(f)/s1; COL 13(b)",
        "suited ace, two and three": "COL 3(c)(1)",
    },
)
# The hand that Colorado's text leaves open, by its player's decision.
_DOUBTFUL = {"declare": "suited ace, two and three", "play": "pair of tens"}
_WORDS = {
    "card-exposed": "a card{of} was seen too early",
    "card-drawn-in-error": "a card was drawn in error and seen",
    "wrong-count": "the wrong number of cards{many} was dealt{to}",
    "stub-count": "the stub count was wrong after wagers had been settled",
    "card-face-up": "more than one card was found face up after wagers had been settled",
    "jam": "the device stopped after wagers had been settled",
    "insufficient-cards": "the cards ran out after wagers had been settled",
}
_PLACES = {"dealer": "the dealer", "community": "the community cards", "six-card-box": "the six card box"}


@judge(NEEDED, needs=(RulingGiven,))
def what_the_text_leaves_open_is_ruled_on(told: RoundInPlay) -> Found:
    """Check that a ruling is on record if only a ruling can decide."""
    of_the_round = _of_the_round(told)
    if of_the_round is not None:
        cause, clause = of_the_round
        clauses = NEEDED.cites(told.book, clause)
        if clauses:
            yield found(
                NEEDED,
                clauses,
                cause.shown_by,
                f"In round {told.number}, {_what(cause)}. The text does not say what follows, and "
                "no ruling is recorded."
                f"{_waiting(told)}",
                round=told.number,
                seat=cause.what.of_seat,
                dealer=told.dealer_person,
            )
        return
    if voids(told).round in (NOT_VOIDED, NO_CAUSE):
        return
    for item in weighed(told).by_ruling:
        if not _given(told, item):
            yield from _unruled(told, item)


def _what(cause: IrregularityCause) -> str:
    """Return what went wrong, and where if that is known."""
    what = cause.what
    words = _WORDS.get(what.kind, "something went wrong that the text does not cover")
    where = f"seat {what.of_seat}" if what.of_seat is not None else _PLACES.get(what.of, "")
    many = "" if what.dealt is None else f" ({what.dealt})"
    return words.format(of=f" of {where}" if where else "", to=f" to {where}" if where else "", many=many)


def _waiting(told: RoundInPlay) -> str:
    """Return the wagers that wait for the ruling, seat by seat."""
    held: dict[int, list[str]] = {}
    for item in weighed(told).by_ruling:
        held.setdefault(item.spot.seat, []).append(name_of_wager(item.wager))
    seats = "; ".join(f"seat {seat}'s {listed(wagers)}" for seat, wagers in held.items())
    return f" Wagers waiting for a ruling: {seats}." if seats else ""


def _of_the_round(told: RoundInPlay) -> tuple[IrregularityCause, str] | None:
    """Return an unruled cause that the text does not cover, and the clause that should, or None."""
    made = worked_out(told)
    if not made.causes or any(given.wager is None or told.voided for given in rulings(told)):
        return None  # a ruling on one wager of a continued round does not rule on the round
    if made.cause is not None and made.effect is not None:
        if voids(told).round == WANTS_RULING:
            return made.cause, made.effect.clause
        if (told.voided or voids(told).hands) and _waits(told):
            return made.cause, made.effect.clause
    for cause, effect in made.causes:
        if isinstance(effect, Uncovered) or (isinstance(effect, Unruled) and not told.voided):
            return cause, effect.clause
    return None


def _waits(told: RoundInPlay) -> bool:
    """Whether a wager settled before the void waits for a ruling."""
    return bool(weighed(told).by_ruling)


def _unruled(told: RoundInPlay, item: WeighedWager) -> Found:
    """Report a wager that the text does not decide in a round without any irregularity."""
    seat = next(each for each in worked_out(told).played.seats if each.seat == item.spot.seat)
    key = item.outcome.clause
    if told.game.colorado:
        key = _DOUBTFUL.get(seat.choice, key)
    clauses = NEEDED.cites(told.book, key)
    trigger = shown_by("", item)
    if not clauses or trigger is None:
        return
    yield found(
        NEEDED,
        clauses,
        trigger,
        f"The text does not decide seat {item.spot.seat}'s {name_of_wager(item.wager)}, and no ruling is recorded.",
        round=told.number,
        seat=item.spot.seat,
        wager=item.wager,
        dealer=told.dealer_person,
        observed=item.handed.back if item.handed is not None else None,
        evidence=evidence(told, item),
    )


@judge(*LAW.values())
def rulings_are_carried_out(told: RoundInPlay) -> Found:
    """Check that a wager gets the amount that its ruling gives it."""
    if not told.of(RulingGiven):
        return
    if voids(told).round in (NOT_VOIDED, NO_CAUSE):
        return
    for item in weighed(told).by_ruling:
        given = _given(told, item)
        if not given or item.handed is None:
            continue
        amount = ruled_amount(_closest(given), item.outcome, item)
        if amount is None or amount == item.handed.back:
            continue
        differs = msgspec.structs.replace(item, expected=amount)
        reason = why(told, worked_out(told), differs)
        wrong = classified(told, differs, reason)
        if wrong is None:
            continue
        clauses = cited(wrong.code, told.book, wrong.keys)
        trigger = shown_by(wrong.code, differs)
        if clauses and trigger is not None:
            yield found(
                LAW[wrong.code],
                clauses,
                trigger,
                says(wrong.code, differs, f'the ruling was "{_closest(given).ruling}"'),
                round=told.number,
                seat=item.spot.seat,
                wager=item.wager,
                dealer=told.dealer_person,
                expected=amount,
                observed=item.handed.back,
                evidence=[*given, *evidence(told, item)],
            )


def _given(told: RoundInPlay, item: WeighedWager) -> list[RulingGiven]:
    """Return the rulings on this wager or on the irregularity in the round."""
    made = worked_out(told)
    given = rulings(told, item.spot, item.wager)
    if given or made.cause is None or not isinstance(made.effect, Uncovered | Unruled):
        return given
    about = (None, made.cause.what.of_seat)
    return [each for each in rulings(told) if each.wager is None and each.seat in about]


def _closest(given: list[RulingGiven]) -> RulingGiven:
    """Return the ruling closest to the wager; of several, the last."""
    return max(given, key=lambda each: (each.wager is not None, each.seat is not None, each.sequence))


def ruled_amount(ruling: RulingGiven, outcome: Outcome, item: WeighedWager) -> int | None:
    """Return the total that a ruling gives, or None if its words do not say."""
    word = ruling.ruling.lower()
    stake = item.wagered.staked if item.wagered is not None else 0
    settled, back = outcome.alternatives or (outcome.returned, stake)
    if word in ("return", "returned", "void") or "revers" in word:
        return back if "revers" in word else stake
    if word in ("stands", "play on", "play-on", "pay"):
        return settled
    return 0 if word == "collect" else None
