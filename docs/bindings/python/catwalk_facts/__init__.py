"""Types of the facts that Catwalk records, and `line`, which writes one as the gateway reads it.

Written by `make docs`. A fact is a plain dictionary; a type checker holds it against these types.
"""

import json
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


def line(fact: "Fact") -> str:
    """Return a fact as the line of JSON that the gateway reads, without its line end."""
    return json.dumps(fact, ensure_ascii=False, separators=(",", ":"))


# A rule book.
Book: TypeAlias = Literal["COL", "FAH", "PIK", "UTH-MA", "UTH-MD"]


# Rank (2-9, T, J, Q, K, A), then suit (c, d, h, s). ?? is a card that nobody saw.
Card: TypeAlias = Literal["2c", "2d", "2h", "2s", "3c", "3d", "3h", "3s", "4c", "4d", "4h", "4s", "5c", "5d", "5h", "5s", "6c", "6d", "6h", "6s", "7c", "7d", "7h", "7s", "8c", "8d", "8h", "8s", "9c", "9d", "9h", "9s", "??", "Ac", "Ad", "Ah", "As", "Jc", "Jd", "Jh", "Js", "Kc", "Kd", "Kh", "Ks", "Qc", "Qd", "Qh", "Qs", "Tc", "Td", "Th", "Ts"]


CardSource: TypeAlias = Literal["automated-shoe", "continuous-shoe", "hand", "shoe", "shuffler"]


# A count of cards, decks or hands, or a place among them.
Cards: TypeAlias = int


# Whole cents, written as digits: 1000 is $10. The maximum is a billion dollars.
Cents: TypeAlias = int


# A count or a sequence, written as digits. The maximum is 2^53 - 1.
Count: TypeAlias = int


Dealing: TypeAlias = Literal["automated-shoe", "continuous-shoe", "hand", "manual-shoe"]


DeviceKind: TypeAlias = Literal["camera", "chip-reader", "gateway", "progressive", "shoe", "shuffler", "table-reader"]


# A SHA-256 digest: 64 lowercase hexadecimal digits.
Digest: TypeAlias = str


Form: TypeAlias = Literal["cash", "chips", "coupon", "plaque", "verbal"]


Meter: TypeAlias = Literal["main", "major", "mega", "minor"]


Method: TypeAlias = Literal["device", "manual"]


# Microseconds since 1970, UTC, as digits. After 2255-06-05 they exceed 2^53: a double is no longer exact.
Microseconds: TypeAlias = int


# A name of 1 to 128 characters.
Name: TypeAlias = str


Place: TypeAlias = Literal["box", "community", "dealer", "seat"]


Rack: TypeAlias = Literal["deck", "destroyed", "discard-rack", "layout", "shuffler", "table-inventory", "vault"]


Role: TypeAlias = Literal["dealer", "device", "floorperson", "player", "shift-manager", "supervisor", "surveillance"]


# The number of a round of the day, or a count of rounds or chips.
Rounds: TypeAlias = int


# A seat, or how many there are. Seat 1 is farthest to the dealer's left and is dealt first.
Seat: TypeAlias = int


Street: TypeAlias = Literal["flop", "preflop", "river"]


# A wager. A table takes those of its rule book and options.
Wager: TypeAlias = Literal["ante", "bad_beat", "bet", "blind", "bonus", "bonus3", "bonus5", "cover_all", "envy", "original", "play", "play3", "play5", "play_the_board", "progressive", "six_card", "split", "trips", "ultimate_pairs"]


class DeviceHere(TypedDict):
    """A device in service at the table."""

    device: Name
    kind: DeviceKind
    model: NotRequired[str]
    mode: NotRequired[str]
    counts_decks: NotRequired[bool]
    reshuffles: NotRequired[bool]


class WagerLimits(TypedDict):
    """The posted minimum and maximum of one wager."""

    least_cents: NotRequired[Cents | None]
    most_cents: NotRequired[Cents | None]


class Envelope(TypedDict):
    """The time, the source and the place that any fact carries."""

    at: Microseconds
    source: Name
    source_key: Name
    stream: NotRequired[str]
    sequence: NotRequired[Count]
    previous: NotRequired[str]
    round: NotRequired[Rounds | None]
    camera: NotRequired[str | None]
    time_code: NotRequired[str | None]
    source_signature: NotRequired[str | None]


class TableOpened(Envelope):
    """The table opened for its gaming day, under this rule book and these options."""

    type: Literal["table-opened.1"]
    table: Name
    gaming_day: Name
    writer_epoch: Count
    book: Book
    book_digest: NotRequired[Digest]
    options: dict[str, Any]
    dealing_method: Dealing
    positions: Seat
    limits: NotRequired[dict[Wager, WagerLimits]]
    devices: NotRequired[list[DeviceHere]]
    meters_cents: NotRequired[dict[Meter, Cents]]
    opener_cents: NotRequired[Cents | None]
    previous_stream: NotRequired[str]
    previous_head: NotRequired[str]
    pit: NotRequired[str]
    zone: NotRequired[str]
    currency: NotRequired[str]
    unrecorded: NotRequired[list[Name]]
    unseen_wagers: NotRequired[list[Wager]]


class OptionChanged(Envelope):
    """The house changed one option at this table."""

    type: Literal["option-changed.1"]
    option: Name
    value: Any
    notice_posted: NotRequired[bool | None]


class LimitsPosted(Envelope):
    """New limits were posted for one wager."""

    type: Literal["limits-posted.1"]
    wager: Wager
    least_cents: NotRequired[Cents | None]
    most_cents: NotRequired[Cents | None]


class MethodChanged(Envelope):
    """The dealing or shuffling method changed."""

    type: Literal["method-changed.1"]
    dealing_method: NotRequired[Dealing | None]
    shuffling: NotRequired[Method | None]


class GameCommenced(Envelope):
    """Play began at an open table."""

    type: Literal["game-commenced.1"]


class TableIdled(Envelope):
    """An open table had no gaming activity."""

    type: Literal["table-idled.1"]


class SignPosted(Envelope):
    """Odds, a multiple or a limit were shown on the layout or on a sign."""

    type: Literal["sign-posted.1"]
    subject: Name
    on: NotRequired[str]
    says: NotRequired[str]


class PersonCame(Envelope):
    """A member of staff took up a post at the table."""

    type: Literal["person-came.1"]
    person: Name
    role: Role


class PersonWent(Envelope):
    """A member of staff left the table."""

    type: Literal["person-went.1"]
    person: Name
    role: Role


class TableClosed(Envelope):
    """The table's gaming day was closed and counted.

    A drop that is counted later has no place of its own any more: a correction of this fact names it.
    """

    type: Literal["table-closed.1"]
    closer_cents: NotRequired[Cents | None]
    rounds: NotRequired[Count | None]
    facts: NotRequired[Count | None]
    meters_cents: NotRequired[dict[Meter, Cents]]
    drop_cents: NotRequired[Cents | None]


class PlayerArrived(Envelope):
    """The first player arrived at an open table that had no play."""

    type: Literal["player-arrived.1"]
    player: Name


class PlayerSeated(Envelope):
    """A player sat down."""

    type: Literal["player-seated.1"]
    seat: Seat
    player: Name


class PlayerLeft(Envelope):
    """A player left the seat."""

    type: Literal["player-left.1"]
    seat: Seat
    player: NotRequired[str]


class InspectionOffered(Envelope):
    """A player was offered a look at the cards."""

    type: Literal["inspection-offered.1"]
    player: NotRequired[str]
    deck: NotRequired[str]


class PlayerAsked(Envelope):
    """A player asked for something the rules allow a player to ask for."""

    type: Literal["player-asked.1"]
    request: Literal["face-up", "recount", "shuffle", "spread"]
    seat: NotRequired[Seat | None]
    deck: NotRequired[str]


class DeckReceived(Envelope):
    """A deck, or a batch of decks, came to the table."""

    type: Literal["deck-received.1"]
    deck: Name
    cards: NotRequired[Cards | None]
    decks: NotRequired[Cards]
    cover_cards: NotRequired[Cards | None]
    cover_color: NotRequired[str]
    back_color: NotRequired[str]
    design: NotRequired[str]
    route: NotRequired[Literal["inspect", "preinspected"]]
    preshuffled: NotRequired[bool]
    from_place: NotRequired[str]


class DeckSorted(Envelope):
    """A deck was sorted into sequence."""

    type: Literal["deck-sorted.1"]
    deck: Name


class DeckInspected(Envelope):
    """A deck was inspected for defects."""

    type: Literal["deck-inspected.1"]
    deck: Name
    by: NotRequired[Role]
    defects: NotRequired[Cards]


class InspectionVerified(Envelope):
    """The inspection of a deck was verified."""

    type: Literal["inspection-verified.1"]
    deck: Name
    by: Role


class CardsSpread(Envelope):
    """Cards were spread on the table."""

    type: Literal["cards-spread.1"]
    deck: Name
    face_up: NotRequired[bool | None]


class CardsTurned(Envelope):
    """Spread cards were turned over."""

    type: Literal["cards-turned.1"]
    deck: Name
    face_up: bool


class CardsWashed(Envelope):
    """Cards were mixed by washing."""

    type: Literal["cards-washed.1"]
    deck: Name


class CardsStacked(Envelope):
    """Cards were put together into stacks."""

    type: Literal["cards-stacked.1"]
    deck: Name
    stacks: NotRequired[Cards]


class CoverCardIntroduced(Envelope):
    """A cover or cutting card was put into use."""

    type: Literal["cover-card-introduced.1"]
    card: Name
    color: NotRequired[str]
    role: NotRequired[Literal["conceal", "cover", "cutting"]]


class CoverCardPlaced(Envelope):
    """A cover card was placed."""

    type: Literal["cover-card-placed.1"]
    on: Literal["before-deck", "bottom", "dealer-hand", "dealer-stack", "in-deck", "shoe-end"]
    card: NotRequired[str]


class CoverCardRemoved(Envelope):
    """A cover card was removed."""

    type: Literal["cover-card-removed.1"]
    to: Rack
    card: NotRequired[str]


class DeckRemoved(Envelope):
    """A deck was taken from the table."""

    type: Literal["deck-removed.1"]
    deck: Name
    to: NotRequired[Rack | None]
    reason: NotRequired[str]


class DeckChanged(Envelope):
    """One deck replaced another."""

    type: Literal["deck-changed.1"]
    old: Name
    new: Name
    reason: NotRequired[str]


class DiscardRackEmptied(Envelope):
    """The discard rack was emptied."""

    type: Literal["discard-rack-emptied.1"]
    deck: NotRequired[str]


class ShuffleOrdered(Envelope):
    """A supervisor ordered a shuffle."""

    type: Literal["shuffle-ordered.1"]
    by: Role
    deck: NotRequired[str]
    reason: NotRequired[str]


class ShuffleStarted(Envelope):
    """A shuffle began."""

    type: Literal["shuffle-started.1"]
    deck: Name
    method: Method
    device: NotRequired[str]


class ShuffleCompleted(Envelope):
    """A shuffle ended. A counting device reports how many cards it found."""

    type: Literal["shuffle-completed.1"]
    deck: Name
    method: Method
    device: NotRequired[str]
    counted: NotRequired[Cards | None]


class BatchSecured(Envelope):
    """Shuffled cards were secured in the shuffler."""

    type: Literal["batch-secured.1"]
    deck: Name
    device: NotRequired[str]


class BatchReleased(Envelope):
    """Shuffled cards were released from the shuffler and prepared for play."""

    type: Literal["batch-released.1"]
    deck: Name
    device: NotRequired[str]


class CutOffered(Envelope):
    """The cut was offered to a player."""

    type: Literal["cut-offered.1"]
    seat: Seat


class CutRefused(Envelope):
    """The player declined to cut."""

    type: Literal["cut-refused.1"]
    seat: Seat


class CutPerformed(Envelope):
    """The deck was cut: the number of cards above the cover card, and in all."""

    type: Literal["cut-performed.1"]
    deck: Name
    depth: NotRequired[Cards | None]
    of_cards: NotRequired[Cards | None]
    by: NotRequired[Role]
    seat: NotRequired[Seat | None]


class CutCompleted(Envelope):
    """The cards below the cut were placed on top."""

    type: Literal["cut-completed.1"]
    deck: Name


class RecutOrdered(Envelope):
    """A supervisor ordered another cut."""

    type: Literal["recut-ordered.1"]
    by: Role
    reason: NotRequired[str]


class CuttingCardInserted(Envelope):
    """The cutting card was put into the stack, with this many cards behind it."""

    type: Literal["cutting-card-inserted.1"]
    deck: Name
    cards_behind: NotRequired[Cards | None]


class CuttingCardReached(Envelope):
    """The cutting card came out of the shoe."""

    type: Literal["cutting-card-reached.1"]
    position: Literal["burn", "community", "dealer", "seat"]
    seat: NotRequired[Seat | None]
    card: NotRequired[str]


class ShoeLoaded(Envelope):
    """Cards were put into the dealing shoe or device."""

    type: Literal["shoe-loaded.1"]
    deck: Name
    by: NotRequired[Literal["dealer", "device"]]
    device: NotRequired[str]
    cards: NotRequired[Cards | None]


class ShoeEmptied(Envelope):
    """The remaining cards were taken out of the shoe or device."""

    type: Literal["shoe-emptied.1"]
    deck: Name
    device: NotRequired[str]
    cards: NotRequired[Cards | None]


class ShoeRanOut(Envelope):
    """The shoe had no cards left to deal."""

    type: Literal["shoe-ran-out.1"]
    deck: NotRequired[str]


class WagerPlaced(Envelope):
    """A wager was placed. An unseen amount is left out."""

    type: Literal["wager-placed.1"]
    seat: Seat
    wager: Wager
    cents: NotRequired[Cents | None]
    form: NotRequired[Form]
    coupon_cents: NotRequired[Cents]
    player: NotRequired[str]
    area: NotRequired[str]


class WagerChanged(Envelope):
    """The amount of a wager changed."""

    type: Literal["wager-changed.1"]
    seat: Seat
    wager: Wager
    cents: NotRequired[Cents | None]
    by: NotRequired[str]


class WagerWithdrawn(Envelope):
    """A wager was withdrawn."""

    type: Literal["wager-withdrawn.1"]
    seat: Seat
    wager: Wager


class BetsClosed(Envelope):
    """The dealer announced "No more bets"."""

    type: Literal["bets-closed.1"]


class ProgressiveAccepted(Envelope):
    """The progressive system acknowledged a wager at a seat."""

    type: Literal["progressive-accepted.1"]
    seat: Seat
    cents: NotRequired[Cents | None]


class ProgressiveLockedOut(Envelope):
    """The progressive system was locked against further wagers."""

    type: Literal["progressive-locked-out.1"]


class ProgressiveCollected(Envelope):
    """Progressive chips were collected, and their count compared with the system's."""

    type: Literal["progressive-collected.1"]
    chips: Rounds
    accepted: NotRequired[Rounds | None]


class ProgressiveBanked(Envelope):
    """Progressive chips went into the table inventory."""

    type: Literal["progressive-banked.1"]
    chips: Rounds


class MeterRead(Envelope):
    """A progressive meter showed this amount."""

    type: Literal["meter-read.1"]
    meter: str
    cents: Cents


class MeterIncremented(Envelope):
    """A progressive meter increased."""

    type: Literal["meter-incremented.1"]
    meter: str
    by_cents: Cents
    cents: NotRequired[Cents | None]


class MeterReset(Envelope):
    """A progressive meter was reset after an award."""

    type: Literal["meter-reset.1"]
    meter: str
    cents: Cents


class RoundOpened(Envelope):
    """A round began, dealt from this deck or shoe."""

    type: Literal["round-opened.1"]
    deck: NotRequired[str]


class CardDealt(Envelope):
    """One card was dealt to a place. The card may be unknown."""

    type: Literal["card-dealt.1"]
    to: Place
    seat: NotRequired[Seat | None]
    slot: NotRequired[Cards | None]
    card: NotRequired[Card]
    face_up: NotRequired[bool]
    source_of_card: NotRequired[CardSource | None]


class StackDispensed(Envelope):
    """A device dispensed a stack of cards."""

    type: Literal["stack-dispensed.1"]
    size: Cards
    device: NotRequired[str]
    cards: NotRequired[list[Card]]


class StackDelivered(Envelope):
    """A dispensed stack was delivered to a place."""

    type: Literal["stack-delivered.1"]
    to: Place
    seat: NotRequired[Seat | None]
    size: NotRequired[Cards | None]
    face_up: NotRequired[bool]
    cards: NotRequired[list[Card]]


class SlotAssigned(Envelope):
    """A community card was assigned its position in front of the dealer."""

    type: Literal["slot-assigned.1"]
    slot: Literal["left", "middle", "right"]
    index: Cards
    card: NotRequired[Card]


class CardBurned(Envelope):
    """A card was burned."""

    type: Literal["card-burned.1"]
    reason: NotRequired[Literal["", "community", "dealer", "flop", "shoe", "turn-river"]]
    face_up: NotRequired[bool]
    to: NotRequired[Rack]
    card: NotRequired[Card]


class CommunityRevealed(Envelope):
    """Face-down community cards were turned up."""

    type: Literal["community-revealed.1"]
    cards: NotRequired[list[Card]]


class BoxRevealed(Envelope):
    """The cards of the six card bonus box were turned up."""

    type: Literal["box-revealed.1"]
    cards: NotRequired[list[Card]]


class CardFoundFaceUp(Envelope):
    """A card was found face up in the shoe or deck."""

    type: Literal["card-found-face-up.1"]
    card: NotRequired[Card]
    to: NotRequired[Rack]


class CardDrawnInError(Envelope):
    """A card was drawn when none was due."""

    type: Literal["card-drawn-in-error.1"]
    card: NotRequired[Card]
    exposed: NotRequired[bool]


class CardExposed(Envelope):
    """The face of a face-down card was seen."""

    type: Literal["card-exposed.1"]
    of: Place
    seat: NotRequired[Seat | None]
    card: NotRequired[Card]


class CardSetAside(Envelope):
    """A card was taken out of the round and put into the rack."""

    type: Literal["card-set-aside.1"]
    card: NotRequired[Card]
    to: NotRequired[Rack]


class MarkerPlaced(Envelope):
    """The dealing marker was placed before the dealer or a seat."""

    type: Literal["marker-placed.1"]
    position: Literal["dealer", "seat"]
    seat: NotRequired[Seat | None]


class HandsDetermined(Envelope):
    """A device reported how many hands were dealt."""

    type: Literal["hands-determined.1"]
    device: Name
    hands: Cards


class DecisionAsked(Envelope):
    """The dealer asked a player to decide."""

    type: Literal["decision-asked.1"]
    seat: Seat
    street: NotRequired[Street | None]


class DecisionMade(Envelope):
    """A player decided."""

    type: Literal["decision-made.1"]
    seat: Seat
    decision: Literal["check", "complete", "declare", "fold", "natural", "play", "play3", "play5", "split", "surrender", "void"]
    street: NotRequired[Street | None]
    cents: NotRequired[Cents | None]


class CardsSelected(Envelope):
    """A player selected and showed three cards for the 3 card bonus."""

    type: Literal["cards-selected.1"]
    seat: Seat
    cards: list[Card]


class HandSet(Envelope):
    """A player or the dealer set a hand: the cards kept, and the number discarded."""

    type: Literal["hand-set.1"]
    kept: list[Card]
    seat: NotRequired[Seat | None]
    second: NotRequired[list[Card]]
    discarded: NotRequired[Cards | None]


class CardDiscarded(Envelope):
    """A player put cards down as discards."""

    type: Literal["card-discarded.1"]
    seat: Seat
    cards: NotRequired[list[Card]]
    count: NotRequired[Cards]


class DiscardsCollected(Envelope):
    """The dealer collected and counted discards."""

    type: Literal["discards-collected.1"]
    count: Cards
    seat: NotRequired[Seat | None]
    exposed: NotRequired[bool]


class HandRevealed(Envelope):
    """A hand was turned face up. Without a seat, it is the dealer's hand."""

    type: Literal["hand-revealed.1"]
    seat: NotRequired[Seat | None]
    cards: NotRequired[list[Card]]


class HandAnnounced(Envelope):
    """The dealer announced a hand, or that the dealer does not qualify."""

    type: Literal["hand-announced.1"]
    hand: str
    seat: NotRequired[Seat | None]
    of_cards: NotRequired[Cards]


class ThreeDesignated(Envelope):
    """The dealer set apart the three cards of the dealer's best three-card hand."""

    type: Literal["three-designated.1"]
    cards: list[Card]


class NaturalConfirmed(Envelope):
    """The dealer confirmed a player's natural or instant winner."""

    type: Literal["natural-confirmed.1"]
    seat: Seat
    confirmed: NotRequired[bool]


class WagerCollected(Envelope):
    """A wager, or part of it, was collected."""

    type: Literal["wager-collected.1"]
    seat: Seat
    wager: Wager
    cents: NotRequired[Cents | None]
    reason: NotRequired[str]


class WagerPaid(Envelope):
    """Winnings were paid on a wager. The stake is not included."""

    type: Literal["wager-paid.1"]
    seat: Seat
    wager: Wager
    cents: NotRequired[Cents | None]
    meter: NotRequired[str]


class WagerReturned(Envelope):
    """A stake was returned to its player."""

    type: Literal["wager-returned.1"]
    seat: Seat
    wager: Wager
    cents: NotRequired[Cents | None]


class AwardVerified(Envelope):
    """A progressive or instant award was verified: the hand, the light, or a supervisor's approval."""

    type: Literal["award-verified.1"]
    seat: Seat
    what: str
    by: NotRequired[Role]


class HandsCollected(Envelope):
    """The cards of one position were collected."""

    type: Literal["hands-collected.1"]
    seat: NotRequired[Seat | None]
    of: NotRequired[str]
    count: NotRequired[Cards | None]
    to: NotRequired[Rack]
    cards: NotRequired[list[Card]]


class StubRemoved(Envelope):
    """The stub was taken from the shoe or device."""

    type: Literal["stub-removed.1"]
    cards: NotRequired[Cards | None]


class StubCounted(Envelope):
    """The stub was counted."""

    type: Literal["stub-counted.1"]
    cards: Cards
    face_down: NotRequired[bool]
    on_layout: NotRequired[bool]
    by: NotRequired[Role]


class MisdealDetermined(Envelope):
    """The dealer determined whether the cards had been misdealt."""

    type: Literal["misdeal-determined.1"]
    misdealt: bool
    of: NotRequired[str]


class StubDiscarded(Envelope):
    """The stub went to the discard rack."""

    type: Literal["stub-discarded.1"]
    exposed: NotRequired[bool]


class RoundCompleted(Envelope):
    """The round ended, with all wagers paid or collected."""

    type: Literal["round-completed.1"]


class HandVoided(Envelope):
    """One hand was declared void."""

    type: Literal["hand-voided.1"]
    seat: Seat
    reason: NotRequired[str]


class RoundVoided(Envelope):
    """The round was declared void."""

    type: Literal["round-voided.1"]
    reason: NotRequired[str]
    by: NotRequired[Role]


class RulingGiven(Envelope):
    """A supervisor gave a ruling."""

    type: Literal["ruling-given.1"]
    subject: str
    ruling: str
    by: Role
    seat: NotRequired[Seat | None]
    wager: NotRequired[Wager | None]


class DeviceInstalled(Envelope):
    """A device came into service at the table."""

    type: Literal["device-installed.1"]
    device: Name
    kind: DeviceKind
    model: NotRequired[str]
    mode: NotRequired[str]
    counts_decks: NotRequired[bool]
    reshuffles: NotRequired[bool]


class DeviceConfigured(Envelope):
    """A device was put into a mode."""

    type: Literal["device-configured.1"]
    device: Name
    mode: NotRequired[str]


class DeviceFailed(Envelope):
    """A device jammed, stopped or did not finish."""

    type: Literal["device-failed.1"]
    device: Name
    kind: DeviceKind
    fault: NotRequired[Literal["incomplete", "jammed", "offline", "other", "stopped"]]
    deck: NotRequired[str]


class DeviceEmptied(Envelope):
    """The cards in a device were taken out."""

    type: Literal["device-emptied.1"]
    device: Name
    deck: NotRequired[str]
    cards: NotRequired[Cards | None]


class DeviceRestored(Envelope):
    """A failed device was repaired."""

    type: Literal["device-restored.1"]
    device: Name


class DeviceCovered(Envelope):
    """A device out of use was covered."""

    type: Literal["device-covered.1"]
    device: Name


class DeviceSigned(Envelope):
    """A device was marked with a sign as out of order."""

    type: Literal["device-signed.1"]
    device: Name


class DeviceRemoved(Envelope):
    """A device was taken from the table."""

    type: Literal["device-removed.1"]
    device: Name


class FillReceived(Envelope):
    """Chips came to the table."""

    type: Literal["fill-received.1"]
    slip: NotRequired[str]
    cents: Cents


class CreditSent(Envelope):
    """Chips left the table."""

    type: Literal["credit-sent.1"]
    slip: NotRequired[str]
    cents: Cents


class BoughtIn(Envelope):
    """A player bought chips at the table."""

    type: Literal["bought-in.1"]
    seat: NotRequired[Seat | None]
    player: NotRequired[str]
    cents: NotRequired[Cents | None]


class DropCounted(Envelope):
    """The drop box was counted."""

    type: Literal["drop-counted.1"]
    cents: Cents


class InventoryCounted(Envelope):
    """The chips in the table inventory were counted."""

    type: Literal["inventory-counted.1"]
    cents: Cents
    why: NotRequired[str]


class Observed(Envelope):
    """A person watching saw something that no sensor records."""

    type: Literal["observed.1"]
    clause: Name
    seen: NotRequired[str]
    seat: NotRequired[Seat | None]
    by: NotRequired[Role]


class VideoMarked(Envelope):
    """A stretch of video was linked to this."""

    type: Literal["video-marked.1"]
    recorder: Name
    channel: NotRequired[str]
    from_code: NotRequired[str]
    to_code: NotRequired[str]


class Corrected(Envelope):
    """An earlier fact was corrected: this is its right content. Both stay on record."""

    type: Literal["corrected.1"]
    corrects_stream: Name
    corrects_sequence: Count
    reads: NotRequired[dict[str, Any]]
    reason: NotRequired[str]
    by: NotRequired[Role]


class Noted(Envelope):
    """A remark was noted."""

    type: Literal["noted.1"]
    text: str
    by: NotRequired[Role]


class PropertyOpened(Envelope):
    """The property's gaming day began."""

    type: Literal["property-opened.1"]
    gaming_day: Name
    writer_epoch: Count
    property: Name
    zone: NotRequired[str]
    day_starts_at: NotRequired[str]
    currency: NotRequired[str]
    previous_stream: NotRequired[str]
    previous_head: NotRequired[str]
    behind_seconds: NotRequired[Count | None]
    ahead_seconds: NotRequired[Count | None]
    most_cents: NotRequired[Cents | None]


class PropertyClosed(Envelope):
    """The property's gaming day ended."""

    type: Literal["property-closed.1"]
    streams: NotRequired[Count | None]
    facts: NotRequired[Count | None]


class KeyRegistered(Envelope):
    """A device's public key became valid for this table."""

    type: Literal["key-registered.1"]
    key: Name
    public_key: Name
    table: Name
    device: NotRequired[str]
    valid_from: NotRequired[Microseconds]
    valid_until: NotRequired[Microseconds | None]
    from_stream: NotRequired[str]
    from_sequence: NotRequired[Count]


class KeyRotated(Envelope):
    """A new key replaced an old one, from the time of this fact or from the record it names."""

    type: Literal["key-rotated.1"]
    old: Name
    new: Name
    from_stream: NotRequired[str]
    from_sequence: NotRequired[Count]


class KeyRevoked(Envelope):
    """A key lost its trust, from this moment or from the named record of its table."""

    type: Literal["key-revoked.1"]
    key: Name
    reason: NotRequired[str]
    from_at: NotRequired[Microseconds | None]
    from_stream: NotRequired[str]
    from_sequence: NotRequired[Count]


class DeckStored(Envelope):
    """A deck was put into the vault."""

    type: Literal["deck-stored.1"]
    deck: Name
    cards: NotRequired[Cards | None]
    back_color: NotRequired[str]
    design: NotRequired[str]
    place: NotRequired[str]


class DeckIssued(Envelope):
    """A deck left the vault for a table."""

    type: Literal["deck-issued.1"]
    deck: Name
    table: Name
    by: NotRequired[Role]


class DeckReturned(Envelope):
    """A deck came back from a table."""

    type: Literal["deck-returned.1"]
    deck: Name
    table: NotRequired[str]
    fate: NotRequired[Literal["destroyed", "held", "vault"]]


class PersonLicensed(Envelope):
    """A member of staff was licensed for these roles."""

    type: Literal["person-licensed.1"]
    person: Name
    roles: list[Role]
    licence: NotRequired[str]
    until: NotRequired[str]


class PersonSuspended(Envelope):
    """A member of staff was suspended."""

    type: Literal["person-suspended.1"]
    person: Name
    reason: NotRequired[str]


class DeviceEntered(Envelope):
    """A device was entered into the property's register."""

    type: Literal["device-entered.1"]
    device: Name
    kind: DeviceKind
    model: NotRequired[str]
    approved: NotRequired[str]


class OptionsApproved(Envelope):
    """The regulator approved these options for a game."""

    type: Literal["options-approved.1"]
    book: Book
    options: dict[str, Any]
    submission: NotRequired[str]


class SoftwareInstalled(Envelope):
    """A version of a piece of software went into service."""

    type: Literal["software-installed.1"]
    name: Name
    version: Name
    digest: NotRequired[str]


class SourceRegistered(Envelope):
    """A source was registered: the facts it may report, the streams it may write to, and how it proves its identity."""

    type: Literal["source-registered.1"]
    name: Name
    streams: list[Name]
    may: list[Name]
    user_id: NotRequired[Count | None]
    secret: NotRequired[str]
    public_key: NotRequired[str]
    topic: NotRequired[bool]


class SourceRevoked(Envelope):
    """A source lost all its rights."""

    type: Literal["source-revoked.1"]
    name: Name
    reason: NotRequired[str]


class InputRefused(Envelope):
    """The gateway refused a client's input and kept it as a dead letter.

    With `letters-full` there is no letter: the client was disconnected and still has its lines. With `records-lost`,
    Kafka deleted records of a source's topic before the gateway read them, and the letter says which.
    """

    type: Literal["input-refused.1"]
    rule: Literal["day-too-far", "gateways-own", "key-weak", "kind-not-allowed", "letters-full", "not-at-this-table", "records-lost", "registrars-own", "secret-wrong", "signature-missing", "signature-wrong", "source-revoked", "source-unknown", "source-unproved", "stream-not-its-own", "time-out-of-bounds", "wrong-stream"]
    client: Name
    claimed: NotRequired[str]
    about: NotRequired[str]
    count: NotRequired[Count]
    letter: NotRequired[str]


class ClockCorrected(Envelope):
    """A clock was corrected: a source's agrees with the gateway's again, or the gateway's own was set."""

    type: Literal["clock-corrected.1"]
    clock: Name
    off_by_us: int
    set_aside: NotRequired[Count]


class ChainSealed(Envelope):
    """The writer signed the hash of the fact before this one, and with it the whole chain."""

    type: Literal["chain-sealed.1"]
    key: Name
    covers: Count
    signature: Name


Fact: TypeAlias = (
    TableOpened
    | OptionChanged
    | LimitsPosted
    | MethodChanged
    | GameCommenced
    | TableIdled
    | SignPosted
    | PersonCame
    | PersonWent
    | TableClosed
    | PlayerArrived
    | PlayerSeated
    | PlayerLeft
    | InspectionOffered
    | PlayerAsked
    | DeckReceived
    | DeckSorted
    | DeckInspected
    | InspectionVerified
    | CardsSpread
    | CardsTurned
    | CardsWashed
    | CardsStacked
    | CoverCardIntroduced
    | CoverCardPlaced
    | CoverCardRemoved
    | DeckRemoved
    | DeckChanged
    | DiscardRackEmptied
    | ShuffleOrdered
    | ShuffleStarted
    | ShuffleCompleted
    | BatchSecured
    | BatchReleased
    | CutOffered
    | CutRefused
    | CutPerformed
    | CutCompleted
    | RecutOrdered
    | CuttingCardInserted
    | CuttingCardReached
    | ShoeLoaded
    | ShoeEmptied
    | ShoeRanOut
    | WagerPlaced
    | WagerChanged
    | WagerWithdrawn
    | BetsClosed
    | ProgressiveAccepted
    | ProgressiveLockedOut
    | ProgressiveCollected
    | ProgressiveBanked
    | MeterRead
    | MeterIncremented
    | MeterReset
    | RoundOpened
    | CardDealt
    | StackDispensed
    | StackDelivered
    | SlotAssigned
    | CardBurned
    | CommunityRevealed
    | BoxRevealed
    | CardFoundFaceUp
    | CardDrawnInError
    | CardExposed
    | CardSetAside
    | MarkerPlaced
    | HandsDetermined
    | DecisionAsked
    | DecisionMade
    | CardsSelected
    | HandSet
    | CardDiscarded
    | DiscardsCollected
    | HandRevealed
    | HandAnnounced
    | ThreeDesignated
    | NaturalConfirmed
    | WagerCollected
    | WagerPaid
    | WagerReturned
    | AwardVerified
    | HandsCollected
    | StubRemoved
    | StubCounted
    | MisdealDetermined
    | StubDiscarded
    | RoundCompleted
    | HandVoided
    | RoundVoided
    | RulingGiven
    | DeviceInstalled
    | DeviceConfigured
    | DeviceFailed
    | DeviceEmptied
    | DeviceRestored
    | DeviceCovered
    | DeviceSigned
    | DeviceRemoved
    | FillReceived
    | CreditSent
    | BoughtIn
    | DropCounted
    | InventoryCounted
    | Observed
    | VideoMarked
    | Corrected
    | Noted
    | PropertyOpened
    | PropertyClosed
    | KeyRegistered
    | KeyRotated
    | KeyRevoked
    | DeckStored
    | DeckIssued
    | DeckReturned
    | PersonLicensed
    | PersonSuspended
    | DeviceEntered
    | OptionsApproved
    | SoftwareInstalled
    | SourceRegistered
    | SourceRevoked
    | InputRefused
    | ClockCorrected
    | ChainSealed
)
