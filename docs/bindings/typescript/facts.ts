/**
 * Types of the facts that Catwalk records, and `line`, which writes one as the gateway reads it.
 *
 * Written by `make docs`. A `bigint` is written as digits: a time after the year 2255 needs it.
 */

/** Return a fact as the line of JSON that the gateway reads, without its line end. */
export function line(fact: Fact): string {
  return written(fact);
}

function written(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const given = Object.entries(value).filter(([, held]) => held !== undefined);
  return `{${given.map(([name, held]) => `${JSON.stringify(name)}:${written(held)}`).join(",")}}`;
}

/** A rule book. */
export type Book = "COL" | "FAH" | "PIK" | "UTH-MA" | "UTH-MD";

/** Rank (2-9, T, J, Q, K, A), then suit (c, d, h, s). ?? is a card that nobody saw. */
export type Card = "2c" | "2d" | "2h" | "2s" | "3c" | "3d" | "3h" | "3s" | "4c" | "4d" | "4h" | "4s" | "5c" | "5d" | "5h" | "5s" | "6c" | "6d" | "6h" | "6s" | "7c" | "7d" | "7h" | "7s" | "8c" | "8d" | "8h" | "8s" | "9c" | "9d" | "9h" | "9s" | "??" | "Ac" | "Ad" | "Ah" | "As" | "Jc" | "Jd" | "Jh" | "Js" | "Kc" | "Kd" | "Kh" | "Ks" | "Qc" | "Qd" | "Qh" | "Qs" | "Tc" | "Td" | "Th" | "Ts";

export type CardSource = "automated-shoe" | "continuous-shoe" | "hand" | "shoe" | "shuffler";

/** A count of cards, decks or hands, or a place among them. */
export type Cards = number;

/** Whole cents, written as digits: 1000 is $10. The maximum is a billion dollars. */
export type Cents = number;

/** A count or a sequence, written as digits. The maximum is 2^53 - 1. */
export type Count = number;

export type Dealing = "automated-shoe" | "continuous-shoe" | "hand" | "manual-shoe";

export type DeviceKind = "camera" | "chip-reader" | "gateway" | "progressive" | "shoe" | "shuffler" | "table-reader";

/** A SHA-256 digest: 64 lowercase hexadecimal digits. */
export type Digest = string;

export type Form = "cash" | "chips" | "coupon" | "plaque" | "verbal";

export type Meter = "main" | "major" | "mega" | "minor";

export type Method = "device" | "manual";

/** Microseconds since 1970, UTC, as digits. After 2255-06-05 they exceed 2^53: a double is no longer exact. */
export type Microseconds = number | bigint;

/** A name of 1 to 128 characters. */
export type Name = string;

export type Place = "box" | "community" | "dealer" | "seat";

export type Rack = "deck" | "destroyed" | "discard-rack" | "layout" | "shuffler" | "table-inventory" | "vault";

export type Role = "dealer" | "device" | "floorperson" | "player" | "shift-manager" | "supervisor" | "surveillance";

/** The number of a round of the day, or a count of rounds or chips. */
export type Rounds = number;

/** A seat, or how many there are. Seat 1 is farthest to the dealer's left and is dealt first. */
export type Seat = number;

export type Street = "flop" | "preflop" | "river";

/** A wager. A table takes those of its rule book and options. */
export type Wager = "ante" | "bad_beat" | "bet" | "blind" | "bonus" | "bonus3" | "bonus5" | "cover_all" | "envy" | "original" | "play" | "play3" | "play5" | "play_the_board" | "progressive" | "six_card" | "split" | "trips" | "ultimate_pairs";

/** A device in service at the table. */
export interface DeviceHere {
  device: Name;
  kind: DeviceKind;
  model?: string;
  mode?: string;
  counts_decks?: boolean;
  reshuffles?: boolean;
}

/** The posted minimum and maximum of one wager. */
export interface WagerLimits {
  least_cents?: Cents | null;
  most_cents?: Cents | null;
}

/** The time, the source and the place that any fact carries. */
export interface Envelope {
  at: Microseconds;
  source: Name;
  source_key: Name;
  stream?: string;
  sequence?: Count;
  previous?: string;
  round?: Rounds | null;
  camera?: string | null;
  time_code?: string | null;
  source_signature?: string | null;
}

/** The table opened for its gaming day, under this rule book and these options. */
export interface TableOpened extends Envelope {
  type: "table-opened.1";
  table: Name;
  gaming_day: Name;
  writer_epoch: Count;
  book: Book;
  book_digest?: Digest;
  options: Record<string, unknown>;
  dealing_method: Dealing;
  positions: Seat;
  limits?: Partial<Record<Wager, WagerLimits>>;
  devices?: Array<DeviceHere>;
  meters_cents?: Partial<Record<Meter, Cents>>;
  opener_cents?: Cents | null;
  previous_stream?: string;
  previous_head?: string;
  pit?: string;
  zone?: string;
  currency?: string;
  unrecorded?: Array<Name>;
  unseen_wagers?: Array<Wager>;
}

/** The house changed one option at this table. */
export interface OptionChanged extends Envelope {
  type: "option-changed.1";
  option: Name;
  value: unknown;
  notice_posted?: boolean | null;
}

/** New limits were posted for one wager. */
export interface LimitsPosted extends Envelope {
  type: "limits-posted.1";
  wager: Wager;
  least_cents?: Cents | null;
  most_cents?: Cents | null;
}

/** The dealing or shuffling method changed. */
export interface MethodChanged extends Envelope {
  type: "method-changed.1";
  dealing_method?: Dealing | null;
  shuffling?: Method | null;
}

/** Play began at an open table. */
export interface GameCommenced extends Envelope {
  type: "game-commenced.1";
}

/** An open table had no gaming activity. */
export interface TableIdled extends Envelope {
  type: "table-idled.1";
}

/** Odds, a multiple or a limit were shown on the layout or on a sign. */
export interface SignPosted extends Envelope {
  type: "sign-posted.1";
  subject: Name;
  on?: string;
  says?: string;
}

/** A member of staff took up a post at the table. */
export interface PersonCame extends Envelope {
  type: "person-came.1";
  person: Name;
  role: Role;
}

/** A member of staff left the table. */
export interface PersonWent extends Envelope {
  type: "person-went.1";
  person: Name;
  role: Role;
}

/**
 * The table's gaming day was closed and counted.
 *
 * A drop that is counted later has no place of its own any more: a correction of this fact names it.
 */
export interface TableClosed extends Envelope {
  type: "table-closed.1";
  closer_cents?: Cents | null;
  rounds?: Count | null;
  facts?: Count | null;
  meters_cents?: Partial<Record<Meter, Cents>>;
  drop_cents?: Cents | null;
}

/** The first player arrived at an open table that had no play. */
export interface PlayerArrived extends Envelope {
  type: "player-arrived.1";
  player: Name;
}

/** A player sat down. */
export interface PlayerSeated extends Envelope {
  type: "player-seated.1";
  seat: Seat;
  player: Name;
}

/** A player left the seat. */
export interface PlayerLeft extends Envelope {
  type: "player-left.1";
  seat: Seat;
  player?: string;
}

/** A player was offered a look at the cards. */
export interface InspectionOffered extends Envelope {
  type: "inspection-offered.1";
  player?: string;
  deck?: string;
}

/** A player asked for something the rules allow a player to ask for. */
export interface PlayerAsked extends Envelope {
  type: "player-asked.1";
  request: "face-up" | "recount" | "shuffle" | "spread";
  seat?: Seat | null;
  deck?: string;
}

/** A deck, or a batch of decks, came to the table. */
export interface DeckReceived extends Envelope {
  type: "deck-received.1";
  deck: Name;
  cards?: Cards | null;
  decks?: Cards;
  cover_cards?: Cards | null;
  cover_color?: string;
  back_color?: string;
  design?: string;
  route?: "inspect" | "preinspected";
  preshuffled?: boolean;
  from_place?: string;
}

/** A deck was sorted into sequence. */
export interface DeckSorted extends Envelope {
  type: "deck-sorted.1";
  deck: Name;
}

/** A deck was inspected for defects. */
export interface DeckInspected extends Envelope {
  type: "deck-inspected.1";
  deck: Name;
  by?: Role;
  defects?: Cards;
}

/** The inspection of a deck was verified. */
export interface InspectionVerified extends Envelope {
  type: "inspection-verified.1";
  deck: Name;
  by: Role;
}

/** Cards were spread on the table. */
export interface CardsSpread extends Envelope {
  type: "cards-spread.1";
  deck: Name;
  face_up?: boolean | null;
}

/** Spread cards were turned over. */
export interface CardsTurned extends Envelope {
  type: "cards-turned.1";
  deck: Name;
  face_up: boolean;
}

/** Cards were mixed by washing. */
export interface CardsWashed extends Envelope {
  type: "cards-washed.1";
  deck: Name;
}

/** Cards were put together into stacks. */
export interface CardsStacked extends Envelope {
  type: "cards-stacked.1";
  deck: Name;
  stacks?: Cards;
}

/** A cover or cutting card was put into use. */
export interface CoverCardIntroduced extends Envelope {
  type: "cover-card-introduced.1";
  card: Name;
  color?: string;
  role?: "conceal" | "cover" | "cutting";
}

/** A cover card was placed. */
export interface CoverCardPlaced extends Envelope {
  type: "cover-card-placed.1";
  on: "before-deck" | "bottom" | "dealer-hand" | "dealer-stack" | "in-deck" | "shoe-end";
  card?: string;
}

/** A cover card was removed. */
export interface CoverCardRemoved extends Envelope {
  type: "cover-card-removed.1";
  to: Rack;
  card?: string;
}

/** A deck was taken from the table. */
export interface DeckRemoved extends Envelope {
  type: "deck-removed.1";
  deck: Name;
  to?: Rack | null;
  reason?: string;
}

/** One deck replaced another. */
export interface DeckChanged extends Envelope {
  type: "deck-changed.1";
  old: Name;
  new: Name;
  reason?: string;
}

/** The discard rack was emptied. */
export interface DiscardRackEmptied extends Envelope {
  type: "discard-rack-emptied.1";
  deck?: string;
}

/** A supervisor ordered a shuffle. */
export interface ShuffleOrdered extends Envelope {
  type: "shuffle-ordered.1";
  by: Role;
  deck?: string;
  reason?: string;
}

/** A shuffle began. */
export interface ShuffleStarted extends Envelope {
  type: "shuffle-started.1";
  deck: Name;
  method: Method;
  device?: string;
}

/** A shuffle ended. A counting device reports how many cards it found. */
export interface ShuffleCompleted extends Envelope {
  type: "shuffle-completed.1";
  deck: Name;
  method: Method;
  device?: string;
  counted?: Cards | null;
}

/** Shuffled cards were secured in the shuffler. */
export interface BatchSecured extends Envelope {
  type: "batch-secured.1";
  deck: Name;
  device?: string;
}

/** Shuffled cards were released from the shuffler and prepared for play. */
export interface BatchReleased extends Envelope {
  type: "batch-released.1";
  deck: Name;
  device?: string;
}

/** The cut was offered to a player. */
export interface CutOffered extends Envelope {
  type: "cut-offered.1";
  seat: Seat;
}

/** The player declined to cut. */
export interface CutRefused extends Envelope {
  type: "cut-refused.1";
  seat: Seat;
}

/** The deck was cut: the number of cards above the cover card, and in all. */
export interface CutPerformed extends Envelope {
  type: "cut-performed.1";
  deck: Name;
  depth?: Cards | null;
  of_cards?: Cards | null;
  by?: Role;
  seat?: Seat | null;
}

/** The cards below the cut were placed on top. */
export interface CutCompleted extends Envelope {
  type: "cut-completed.1";
  deck: Name;
}

/** A supervisor ordered another cut. */
export interface RecutOrdered extends Envelope {
  type: "recut-ordered.1";
  by: Role;
  reason?: string;
}

/** The cutting card was put into the stack, with this many cards behind it. */
export interface CuttingCardInserted extends Envelope {
  type: "cutting-card-inserted.1";
  deck: Name;
  cards_behind?: Cards | null;
}

/** The cutting card came out of the shoe. */
export interface CuttingCardReached extends Envelope {
  type: "cutting-card-reached.1";
  position: "burn" | "community" | "dealer" | "seat";
  seat?: Seat | null;
  card?: string;
}

/** Cards were put into the dealing shoe or device. */
export interface ShoeLoaded extends Envelope {
  type: "shoe-loaded.1";
  deck: Name;
  by?: "dealer" | "device";
  device?: string;
  cards?: Cards | null;
}

/** The remaining cards were taken out of the shoe or device. */
export interface ShoeEmptied extends Envelope {
  type: "shoe-emptied.1";
  deck: Name;
  device?: string;
  cards?: Cards | null;
}

/** The shoe had no cards left to deal. */
export interface ShoeRanOut extends Envelope {
  type: "shoe-ran-out.1";
  deck?: string;
}

/** A wager was placed. An unseen amount is left out. */
export interface WagerPlaced extends Envelope {
  type: "wager-placed.1";
  seat: Seat;
  wager: Wager;
  cents?: Cents | null;
  form?: Form;
  coupon_cents?: Cents;
  player?: string;
  area?: string;
}

/** The amount of a wager changed. */
export interface WagerChanged extends Envelope {
  type: "wager-changed.1";
  seat: Seat;
  wager: Wager;
  cents?: Cents | null;
  by?: string;
}

/** A wager was withdrawn. */
export interface WagerWithdrawn extends Envelope {
  type: "wager-withdrawn.1";
  seat: Seat;
  wager: Wager;
}

/** The dealer announced "No more bets". */
export interface BetsClosed extends Envelope {
  type: "bets-closed.1";
}

/** The progressive system acknowledged a wager at a seat. */
export interface ProgressiveAccepted extends Envelope {
  type: "progressive-accepted.1";
  seat: Seat;
  cents?: Cents | null;
}

/** The progressive system was locked against further wagers. */
export interface ProgressiveLockedOut extends Envelope {
  type: "progressive-locked-out.1";
}

/** Progressive chips were collected, and their count compared with the system's. */
export interface ProgressiveCollected extends Envelope {
  type: "progressive-collected.1";
  chips: Rounds;
  accepted?: Rounds | null;
}

/** Progressive chips went into the table inventory. */
export interface ProgressiveBanked extends Envelope {
  type: "progressive-banked.1";
  chips: Rounds;
}

/** A progressive meter showed this amount. */
export interface MeterRead extends Envelope {
  type: "meter-read.1";
  meter: string;
  cents: Cents;
}

/** A progressive meter increased. */
export interface MeterIncremented extends Envelope {
  type: "meter-incremented.1";
  meter: string;
  by_cents: Cents;
  cents?: Cents | null;
}

/** A progressive meter was reset after an award. */
export interface MeterReset extends Envelope {
  type: "meter-reset.1";
  meter: string;
  cents: Cents;
}

/** A round began, dealt from this deck or shoe. */
export interface RoundOpened extends Envelope {
  type: "round-opened.1";
  deck?: string;
}

/** One card was dealt to a place. The card may be unknown. */
export interface CardDealt extends Envelope {
  type: "card-dealt.1";
  to: Place;
  seat?: Seat | null;
  slot?: Cards | null;
  card?: Card;
  face_up?: boolean;
  source_of_card?: CardSource | null;
}

/** A device dispensed a stack of cards. */
export interface StackDispensed extends Envelope {
  type: "stack-dispensed.1";
  size: Cards;
  device?: string;
  cards?: Array<Card>;
}

/** A dispensed stack was delivered to a place. */
export interface StackDelivered extends Envelope {
  type: "stack-delivered.1";
  to: Place;
  seat?: Seat | null;
  size?: Cards | null;
  face_up?: boolean;
  cards?: Array<Card>;
}

/** A community card was assigned its position in front of the dealer. */
export interface SlotAssigned extends Envelope {
  type: "slot-assigned.1";
  slot: "left" | "middle" | "right";
  index: Cards;
  card?: Card;
}

/** A card was burned. */
export interface CardBurned extends Envelope {
  type: "card-burned.1";
  reason?: "" | "community" | "dealer" | "flop" | "shoe" | "turn-river";
  face_up?: boolean;
  to?: Rack;
  card?: Card;
}

/** Face-down community cards were turned up. */
export interface CommunityRevealed extends Envelope {
  type: "community-revealed.1";
  cards?: Array<Card>;
}

/** The cards of the six card bonus box were turned up. */
export interface BoxRevealed extends Envelope {
  type: "box-revealed.1";
  cards?: Array<Card>;
}

/** A card was found face up in the shoe or deck. */
export interface CardFoundFaceUp extends Envelope {
  type: "card-found-face-up.1";
  card?: Card;
  to?: Rack;
}

/** A card was drawn when none was due. */
export interface CardDrawnInError extends Envelope {
  type: "card-drawn-in-error.1";
  card?: Card;
  exposed?: boolean;
}

/** The face of a face-down card was seen. */
export interface CardExposed extends Envelope {
  type: "card-exposed.1";
  of: Place;
  seat?: Seat | null;
  card?: Card;
}

/** A card was taken out of the round and put into the rack. */
export interface CardSetAside extends Envelope {
  type: "card-set-aside.1";
  card?: Card;
  to?: Rack;
}

/** The dealing marker was placed before the dealer or a seat. */
export interface MarkerPlaced extends Envelope {
  type: "marker-placed.1";
  position: "dealer" | "seat";
  seat?: Seat | null;
}

/** A device reported how many hands were dealt. */
export interface HandsDetermined extends Envelope {
  type: "hands-determined.1";
  device: Name;
  hands: Cards;
}

/** The dealer asked a player to decide. */
export interface DecisionAsked extends Envelope {
  type: "decision-asked.1";
  seat: Seat;
  street?: Street | null;
}

/** A player decided. */
export interface DecisionMade extends Envelope {
  type: "decision-made.1";
  seat: Seat;
  decision: "check" | "complete" | "declare" | "fold" | "natural" | "play" | "play3" | "play5" | "split" | "surrender" | "void";
  street?: Street | null;
  cents?: Cents | null;
}

/** A player selected and showed three cards for the 3 card bonus. */
export interface CardsSelected extends Envelope {
  type: "cards-selected.1";
  seat: Seat;
  cards: Array<Card>;
}

/** A player or the dealer set a hand: the cards kept, and the number discarded. */
export interface HandSet extends Envelope {
  type: "hand-set.1";
  kept: Array<Card>;
  seat?: Seat | null;
  second?: Array<Card>;
  discarded?: Cards | null;
}

/** A player put cards down as discards. */
export interface CardDiscarded extends Envelope {
  type: "card-discarded.1";
  seat: Seat;
  cards?: Array<Card>;
  count?: Cards;
}

/** The dealer collected and counted discards. */
export interface DiscardsCollected extends Envelope {
  type: "discards-collected.1";
  count: Cards;
  seat?: Seat | null;
  exposed?: boolean;
}

/** A hand was turned face up. Without a seat, it is the dealer's hand. */
export interface HandRevealed extends Envelope {
  type: "hand-revealed.1";
  seat?: Seat | null;
  cards?: Array<Card>;
}

/** The dealer announced a hand, or that the dealer does not qualify. */
export interface HandAnnounced extends Envelope {
  type: "hand-announced.1";
  hand: string;
  seat?: Seat | null;
  of_cards?: Cards;
}

/** The dealer set apart the three cards of the dealer's best three-card hand. */
export interface ThreeDesignated extends Envelope {
  type: "three-designated.1";
  cards: Array<Card>;
}

/** The dealer confirmed a player's natural or instant winner. */
export interface NaturalConfirmed extends Envelope {
  type: "natural-confirmed.1";
  seat: Seat;
  confirmed?: boolean;
}

/** A wager, or part of it, was collected. */
export interface WagerCollected extends Envelope {
  type: "wager-collected.1";
  seat: Seat;
  wager: Wager;
  cents?: Cents | null;
  reason?: string;
}

/** Winnings were paid on a wager. The stake is not included. */
export interface WagerPaid extends Envelope {
  type: "wager-paid.1";
  seat: Seat;
  wager: Wager;
  cents?: Cents | null;
  meter?: string;
}

/** A stake was returned to its player. */
export interface WagerReturned extends Envelope {
  type: "wager-returned.1";
  seat: Seat;
  wager: Wager;
  cents?: Cents | null;
}

/** A progressive or instant award was verified: the hand, the light, or a supervisor's approval. */
export interface AwardVerified extends Envelope {
  type: "award-verified.1";
  seat: Seat;
  what: string;
  by?: Role;
}

/** The cards of one position were collected. */
export interface HandsCollected extends Envelope {
  type: "hands-collected.1";
  seat?: Seat | null;
  of?: string;
  count?: Cards | null;
  to?: Rack;
  cards?: Array<Card>;
}

/** The stub was taken from the shoe or device. */
export interface StubRemoved extends Envelope {
  type: "stub-removed.1";
  cards?: Cards | null;
}

/** The stub was counted. */
export interface StubCounted extends Envelope {
  type: "stub-counted.1";
  cards: Cards;
  face_down?: boolean;
  on_layout?: boolean;
  by?: Role;
}

/** The dealer determined whether the cards had been misdealt. */
export interface MisdealDetermined extends Envelope {
  type: "misdeal-determined.1";
  misdealt: boolean;
  of?: string;
}

/** The stub went to the discard rack. */
export interface StubDiscarded extends Envelope {
  type: "stub-discarded.1";
  exposed?: boolean;
}

/** The round ended, with all wagers paid or collected. */
export interface RoundCompleted extends Envelope {
  type: "round-completed.1";
}

/** One hand was declared void. */
export interface HandVoided extends Envelope {
  type: "hand-voided.1";
  seat: Seat;
  reason?: string;
}

/** The round was declared void. */
export interface RoundVoided extends Envelope {
  type: "round-voided.1";
  reason?: string;
  by?: Role;
}

/** A supervisor gave a ruling. */
export interface RulingGiven extends Envelope {
  type: "ruling-given.1";
  subject: string;
  ruling: string;
  by: Role;
  seat?: Seat | null;
  wager?: Wager | null;
}

/** A device came into service at the table. */
export interface DeviceInstalled extends Envelope {
  type: "device-installed.1";
  device: Name;
  kind: DeviceKind;
  model?: string;
  mode?: string;
  counts_decks?: boolean;
  reshuffles?: boolean;
}

/** A device was put into a mode. */
export interface DeviceConfigured extends Envelope {
  type: "device-configured.1";
  device: Name;
  mode?: string;
}

/** A device jammed, stopped or did not finish. */
export interface DeviceFailed extends Envelope {
  type: "device-failed.1";
  device: Name;
  kind: DeviceKind;
  fault?: "incomplete" | "jammed" | "offline" | "other" | "stopped";
  deck?: string;
}

/** The cards in a device were taken out. */
export interface DeviceEmptied extends Envelope {
  type: "device-emptied.1";
  device: Name;
  deck?: string;
  cards?: Cards | null;
}

/** A failed device was repaired. */
export interface DeviceRestored extends Envelope {
  type: "device-restored.1";
  device: Name;
}

/** A device out of use was covered. */
export interface DeviceCovered extends Envelope {
  type: "device-covered.1";
  device: Name;
}

/** A device was marked with a sign as out of order. */
export interface DeviceSigned extends Envelope {
  type: "device-signed.1";
  device: Name;
}

/** A device was taken from the table. */
export interface DeviceRemoved extends Envelope {
  type: "device-removed.1";
  device: Name;
}

/** Chips came to the table. */
export interface FillReceived extends Envelope {
  type: "fill-received.1";
  slip?: string;
  cents: Cents;
}

/** Chips left the table. */
export interface CreditSent extends Envelope {
  type: "credit-sent.1";
  slip?: string;
  cents: Cents;
}

/** A player bought chips at the table. */
export interface BoughtIn extends Envelope {
  type: "bought-in.1";
  seat?: Seat | null;
  player?: string;
  cents?: Cents | null;
}

/** The drop box was counted. */
export interface DropCounted extends Envelope {
  type: "drop-counted.1";
  cents: Cents;
}

/** The chips in the table inventory were counted. */
export interface InventoryCounted extends Envelope {
  type: "inventory-counted.1";
  cents: Cents;
  why?: string;
}

/** A person watching saw something that no sensor records. */
export interface Observed extends Envelope {
  type: "observed.1";
  clause: Name;
  seen?: string;
  seat?: Seat | null;
  by?: Role;
}

/** A stretch of video was linked to this. */
export interface VideoMarked extends Envelope {
  type: "video-marked.1";
  recorder: Name;
  channel?: string;
  from_code?: string;
  to_code?: string;
}

/** An earlier fact was corrected: this is its right content. Both stay on record. */
export interface Corrected extends Envelope {
  type: "corrected.1";
  corrects_stream: Name;
  corrects_sequence: Count;
  reads?: Record<string, unknown>;
  reason?: string;
  by?: Role;
}

/** A remark was noted. */
export interface Noted extends Envelope {
  type: "noted.1";
  text: string;
  by?: Role;
}

/** The property's gaming day began. */
export interface PropertyOpened extends Envelope {
  type: "property-opened.1";
  gaming_day: Name;
  writer_epoch: Count;
  property: Name;
  zone?: string;
  day_starts_at?: string;
  currency?: string;
  previous_stream?: string;
  previous_head?: string;
  behind_seconds?: Count | null;
  ahead_seconds?: Count | null;
  most_cents?: Cents | null;
}

/** The property's gaming day ended. */
export interface PropertyClosed extends Envelope {
  type: "property-closed.1";
  streams?: Count | null;
  facts?: Count | null;
}

/** A device's public key became valid for this table. */
export interface KeyRegistered extends Envelope {
  type: "key-registered.1";
  key: Name;
  public_key: Name;
  table: Name;
  device?: string;
  valid_from?: Microseconds;
  valid_until?: Microseconds | null;
  from_stream?: string;
  from_sequence?: Count;
}

/** A new key replaced an old one, from the time of this fact or from the record it names. */
export interface KeyRotated extends Envelope {
  type: "key-rotated.1";
  old: Name;
  new: Name;
  from_stream?: string;
  from_sequence?: Count;
}

/** A key lost its trust, from this moment or from the named record of its table. */
export interface KeyRevoked extends Envelope {
  type: "key-revoked.1";
  key: Name;
  reason?: string;
  from_at?: Microseconds | null;
  from_stream?: string;
  from_sequence?: Count;
}

/** A deck was put into the vault. */
export interface DeckStored extends Envelope {
  type: "deck-stored.1";
  deck: Name;
  cards?: Cards | null;
  back_color?: string;
  design?: string;
  place?: string;
}

/** A deck left the vault for a table. */
export interface DeckIssued extends Envelope {
  type: "deck-issued.1";
  deck: Name;
  table: Name;
  by?: Role;
}

/** A deck came back from a table. */
export interface DeckReturned extends Envelope {
  type: "deck-returned.1";
  deck: Name;
  table?: string;
  fate?: "destroyed" | "held" | "vault";
}

/** A member of staff was licensed for these roles. */
export interface PersonLicensed extends Envelope {
  type: "person-licensed.1";
  person: Name;
  roles: Array<Role>;
  licence?: string;
  until?: string;
}

/** A member of staff was suspended. */
export interface PersonSuspended extends Envelope {
  type: "person-suspended.1";
  person: Name;
  reason?: string;
}

/** A device was entered into the property's register. */
export interface DeviceEntered extends Envelope {
  type: "device-entered.1";
  device: Name;
  kind: DeviceKind;
  model?: string;
  approved?: string;
}

/** The regulator approved these options for a game. */
export interface OptionsApproved extends Envelope {
  type: "options-approved.1";
  book: Book;
  options: Record<string, unknown>;
  submission?: string;
}

/** A version of a piece of software went into service. */
export interface SoftwareInstalled extends Envelope {
  type: "software-installed.1";
  name: Name;
  version: Name;
  digest?: string;
}

/** A source was registered: the facts it may report, the streams it may write to, and how it proves its identity. */
export interface SourceRegistered extends Envelope {
  type: "source-registered.1";
  name: Name;
  streams: Array<Name>;
  may: Array<Name>;
  user_id?: Count | null;
  secret?: string;
  public_key?: string;
  topic?: boolean;
}

/** A source lost all its rights. */
export interface SourceRevoked extends Envelope {
  type: "source-revoked.1";
  name: Name;
  reason?: string;
}

/**
 * The gateway refused a client's input and kept it as a dead letter.
 *
 * With `letters-full` there is no letter: the client was disconnected and still has its lines. With `records-lost`,
 * Kafka deleted records of a source's topic before the gateway read them, and the letter says which.
 */
export interface InputRefused extends Envelope {
  type: "input-refused.1";
  rule: "day-too-far" | "gateways-own" | "key-weak" | "kind-not-allowed" | "letters-full" | "not-at-this-table" | "records-lost" | "registrars-own" | "secret-wrong" | "signature-missing" | "signature-wrong" | "source-revoked" | "source-unknown" | "source-unproved" | "stream-not-its-own" | "time-out-of-bounds" | "wrong-stream";
  client: Name;
  claimed?: string;
  about?: string;
  count?: Count;
  letter?: string;
}

/** A clock was corrected: a source's agrees with the gateway's again, or the gateway's own was set. */
export interface ClockCorrected extends Envelope {
  type: "clock-corrected.1";
  clock: Name;
  off_by_us: number;
  set_aside?: Count;
}

/** The writer signed the hash of the fact before this one, and with it the whole chain. */
export interface ChainSealed extends Envelope {
  type: "chain-sealed.1";
  key: Name;
  covers: Count;
  signature: Name;
}

export type Fact =
  | TableOpened
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
  | ChainSealed;
