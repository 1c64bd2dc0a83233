"""The case format: one round as a person can write it, one JSON object per line.

Reading turns the written actions into settlement's terms: the last decision of each seat, and the wagers that go with
it. A card that is not written down is unknown, not absent.
"""

import re
from typing import Any

import msgspec

from domain.cards import UNKNOWN, BadCardError, card, cards, show
from domain.rulebooks import BOOKS, BadHouseError, House, RuleBook, edition, edition_on, house, newest
from domain.settlement import KINDS
from domain.settlement.case_actions import BadCaseError, CaseSeat, act, padded
from domain.settlement.case_line import RawCase, RawIrregularity, RawSeat, typed, unread
from domain.settlement.fast_action import is_natural
from domain.settlement.played import FaceUpCard, Irregularity, PlayedRound, Seat, all_cards

__all__ = ["BadCaseError", "WorkedCase", "from_object", "read"]

_BOX = 4
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MISCOUNTED = frozenset({"wrong-count", "stub-count", "long-hand"})
_MOST_DEALT = 52  # the most cards of one hand; more is a typing error
_DEVICES = ("shoe", "shuffler")


class WorkedCase(msgspec.Struct):
    """One line as read: the round, its house, and the writer's expected answers."""

    id: str
    house: House
    played: PlayedRound
    raw: RawCase
    unread: tuple[str, ...] = ()


def read(line: bytes | str) -> WorkedCase:
    """Return the case in one line; BadCaseError says what is wrong with it."""
    try:
        raw = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadCaseError(f"it is not JSON: {error}") from error
    except RecursionError as error:
        raise BadCaseError("it is nested too deeply") from error
    return from_object(raw)


def from_object(raw: Any) -> WorkedCase:
    """Return the case in an object."""
    try:
        case = typed(raw)
    except msgspec.ValidationError as error:
        raise BadCaseError(str(error)) from error
    if case.rulebook not in BOOKS:
        raise BadCaseError(f"rulebook is {case.rulebook!r}: choose one of {', '.join(BOOKS)}")
    try:
        chosen = house(_edition(case), case.config, case.dealing_method)
        played = _round(chosen, case)
    except BadHouseError as error:
        raise BadCaseError(f"config: {error}") from error
    except BadCardError as error:
        raise BadCaseError(str(error)) from error
    _refuse_doubles(chosen, played)
    return WorkedCase(id=str(case.id), house=chosen, played=played, raw=case, unread=tuple(sorted(unread(raw))))


def _edition(case: RawCase) -> RuleBook:
    """Return the edition a case names by digest, or by a day in force; else the newest."""
    if not case.edition:
        return newest(case.rulebook)
    if _DAY.fullmatch(case.edition):
        return edition_on(case.rulebook, case.edition)
    found = edition(case.rulebook, case.edition)
    if found is None:
        says = f"edition: no edition of {case.rulebook} with digest {case.edition!r} is installed"
        raise BadCaseError(f"{says}: write a digest that catwalk books lists, or a day such as 2026-11-18")
    return found


def _round(chosen: House, case: RawCase) -> PlayedRound:
    a_hand, dealers, communal = chosen.game.cards
    dealer, community, box = (cards(held or ()) for held in (case.dealer, case.community, case.six_card_box))
    what = _irregularity(chosen, case.irregularity)
    a_dealer, a_board = _dealt(what, "dealer", dealers), _dealt(what, "community", communal)
    seats = [_seat(chosen, raw, _dealt(what, f"seat:{raw.seat}", a_hand)) for raw in case.seats]
    if not seats:
        raise BadCaseError("seats is empty: a round has at least one player")
    numbers = [seat.seat for seat in seats]
    if len(set(numbers)) != len(numbers):
        raise BadCaseError(f"seat {max(numbers, key=numbers.count)} occurs twice")
    if what is not None and what.of_seat is not None and what.of_seat not in numbers:
        raise BadCaseError(f"irregularity: this round has no seat {what.of_seat}")
    counted = [
        ("the dealer", "dealer", dealer, dealers),
        ("the community area", "community", community, communal),
        ("the box", "six-card-box", box, _BOX),
        *((f"seat {seat.seat}", f"seat:{seat.seat}", seat.cards, a_hand) for seat in seats),
    ]
    for whose, of, held, most in counted:
        if len(held) > most and not _may_be_too_many(what, of):
            raise BadCaseError(f"{whose} has {len(held)} cards instead of {most}, and no irregularity explains it")
        if len(held) > max(most, dealt := _dealt(what, of, len(held))):
            says = f"{whose} has {len(held)} cards, but irregularity.dealt is {dealt}"
            raise BadCaseError(f"{says}: write the cards that were dealt, or correct dealt")
    ended_early = chosen.game.fast_action and len(dealer) == dealers and UNKNOWN not in dealer and is_natural(dealer)
    return PlayedRound(
        book=case.rulebook,
        seats=tuple(sorted(seats, key=lambda seat: seat.seat)),
        dealer=padded(dealer, a_dealer),
        community=community if ended_early else padded(community, a_board),
        six_card_box=padded(box, _BOX) if box else (),
        dealer_kept=cards(case.dealer_kept or ()),
        irregularity=what,
    )


def _may_be_too_many(what: Irregularity | None, of: str) -> bool:
    """Return whether the irregularity is a wrong count of this hand, or of one it does not name."""
    if what is None or what.kind not in _MISCOUNTED:
        return False
    named = what.of or (f"seat:{what.seat}" if what.seat is not None else "")
    return named in ("", of)


def _dealt(what: Irregularity | None, of: str, usual: int) -> int:
    """Return how many cards a hand was dealt; a missing card is not an unseen card."""
    if what is None or what.dealt is None or what.kind not in ("wrong-count", "stub-count", "short-hand"):
        return usual
    return what.dealt if of in (what.of, f"seat:{what.of_seat}") else usual


def _refuse_doubles(chosen: House, played: PlayedRound) -> None:
    """Refuse a card more often than the decks hold it, which is a typing error."""
    copies = chosen["decks"] if chosen.game.fast_action else 1
    seen = [held for held in all_cards(played) if held != UNKNOWN]
    for held in set(seen):
        if seen.count(held) > copies:
            raise BadCaseError(f"{show([held])} occurs {seen.count(held)} times, but the decks hold {copies}")


def _seat(chosen: House, raw: RawSeat, a_hand: int) -> Seat:
    placed, where = chosen.game.placed, f"seat {raw.seat}: "
    if raw.seat < 1:
        raise BadCaseError(f"{where}seat numbers start at 1, at the dealer's far left")
    for wager, cents in raw.wagers.items():
        if wager not in placed:
            raise BadCaseError(f"{where}{chosen.book.book} has no wager {wager!r}: choose one of {', '.join(placed)}")
        if cents is not None and cents < 0:
            raise BadCaseError(f"{where}{wager} is {cents}: write an amount in whole cents, or null if unseen")
    needed = placed[0]
    if needed not in raw.wagers:
        raise BadCaseError(f"{where}the {needed} wager is missing")
    hand = CaseSeat(wagers=dict(raw.wagers), cards=padded(cards(raw.cards or ()), a_hand), where=where)
    for action in raw.actions or ():
        act(chosen, action, hand)
    return Seat(
        seat=raw.seat,
        wagers=hand.wagers,
        cards=hand.cards,
        choice=hand.choice,
        kept=hand.kept,
        second=hand.second,
        selected=hand.selected,
        player=raw.player or "",
        coupons=_coupons(raw, where),
        left=hand.left,
    )


def _coupons(raw: RawSeat, where: str) -> dict[str, int]:
    coupons = raw.coupons or {}
    for wager, face in coupons.items():
        stake = raw.wagers.get(wager)
        if wager not in raw.wagers or face < 0 or (stake is not None and face > stake):
            raise BadCaseError(f"{where}the coupon on {wager} is {face}: it must be part of a wager that was placed")
    return coupons


def _irregularity(chosen: House, raw: RawIrregularity | None) -> Irregularity | None:
    if raw is None:
        return None
    kinds = KINDS[chosen.game.kind]
    if raw.kind not in kinds:
        says = f"{chosen.book.book} has no {raw.kind!r}: choose one of {', '.join(kinds)}"
        raise BadCaseError(f"irregularity: {says}")
    of = raw.of or ""
    if of not in ("", "dealer", "community", "six-card-box") and not of.removeprefix("seat:").isdecimal():
        raise BadCaseError(f"irregularity: of is {of!r}: choose dealer, community, six-card-box or seat:3")
    if raw.kind == "jam" and raw.device not in _DEVICES:
        raise BadCaseError(f"irregularity: device is {raw.device!r}: choose {' or '.join(_DEVICES)}")
    if raw.dealt is not None and not 0 <= raw.dealt <= _MOST_DEALT:
        raise BadCaseError(f"irregularity: dealt is {raw.dealt}: write how many cards the hand got, 0 to {_MOST_DEALT}")
    return Irregularity(
        kind=raw.kind,
        of=of,
        cards=cards(raw.cards or ()),
        found=tuple(_found(card(found.card), found.after_cards, found.when) for found in raw.found or ()),
        pending_seats=None if raw.pending_seats is None else tuple(raw.pending_seats),
        stage=raw.at.stage if raw.at else "",
        at_seat=raw.at.seat if raw.at else None,
        at_dealt=raw.at.dealt if raw.at else None,
        ruling=None if raw.ruling is msgspec.UNSET else raw.ruling,
        has_ruling=raw.ruling is not msgspec.UNSET,
        card=None if raw.card is None else card(raw.card),
        exposed=raw.exposed,
        used_as=raw.used_as or "",
        dealt=raw.dealt,
        missing_card_face_up=bool(raw.missing_card_face_up),
        deck_correct=raw.deck_correct is not False,
        seat=raw.seat,
        election=raw.election or "",
        finding=raw.finding or "",
        device=raw.device or "",
        deck=raw.deck or "",
        count=raw.count,
    )


def _found(held: int, after_cards: int | None, when: str | None) -> FaceUpCard:
    if when not in (None, "before-initial", "after-initial"):
        raise BadCaseError(f"irregularity: found: when is {when!r}: choose before-initial or after-initial")
    return FaceUpCard(card=held, after_cards=after_cards, when=when or "")
