"""Admission rules: what an input must pass before it gets a place in the record, pure, in order.

The console is a person running a command on the gateway's own files. It may report for sources that cannot prove their
identity to it, such as a file written by a device; the same register limits what it may report. Until the first source
is registered, only the console may report facts: all but those that need the registrar's role.
"""

import re
from collections.abc import Mapping
from datetime import date

import msgspec

from domain.facts.codec import name_of
from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRegistered, PropertyOpened
from domain.facts.sources import Rule, SourceRegistered
from domain.facts.streams import PROPERTY
from domain.facts.table_day import TableOpened
from domain.ledger.belonging import OF_THE_PROPERTY, belongs
from domain.ledger.ed25519 import is_key
from domain.ledger.plausible import time_unit
from domain.ledger.rights import GATEWAYS, REGISTRARS, bare
from domain.ledger.seals import Verify
from domain.ledger.source_register import SourceRegister, Terms, signature_holds, signed_words

SECOND = 1_000_000
DAYS_AHEAD = 2  # a gaming day may be opened on the day before, in any zone
_DAY = 86_400 * SECOND
_FIRST = date(1970, 1, 1)
_KEY = re.compile("[0-9a-f]{64}")
# The rules that come before the proof of a source, and the proof itself.
_BEFORE: tuple[Rule, ...] = ("gateways-own", "registrars-own", "source-unknown", "source-revoked")
_PROOFS: tuple[Rule, ...] = ("source-unproved", "secret-wrong", "signature-missing", "signature-wrong")
BEFORE_PROOF = frozenset(_BEFORE + _PROOFS)
GATEWAY = "gateway"  # the source of the gateway's own facts; nobody else may use its keys


class Speaker(msgspec.Struct, frozen=True):
    """The gateway's knowledge of the client that hands in a line."""

    console: bool = False
    registrar: bool = False  # a command that asked for the role
    user_id: int | None = None
    proved: Mapping[str, str] = {}  # sources whose secret the client has shown, with the digest of that secret
    topic: str = ""  # the source that alone may write to the Kafka topic from which the line comes


class Bounds(msgspec.Struct, frozen=True):
    """The farthest a fact's time may be from the gateway's clock, in seconds, as the property's opening sets it."""

    behind: int | None = None
    ahead: int | None = None
    most_cents: int | None = None  # the largest amount that this property holds to be possible


class Denied(msgspec.Struct, frozen=True):
    """The rule by which an input is refused, and a sentence that says what to do."""

    rule: Rule
    says: str


def denied(
    register: SourceRegister, speaker: Speaker, fact: Fact, *, now: int, bounds: Bounds, verify: Verify
) -> Denied | None:
    """Return why this speaker may not report this fact now (the first rule that applies), or None."""
    kind = type(fact)
    if kind in GATEWAYS or fact.source == GATEWAY:
        what = name_of(fact) if kind in GATEWAYS else f"the source name {GATEWAY!r}"
        return Denied("gateways-own", f"{what} is reserved for the gateway")
    if speaker.registrar:
        return _in_the_wrong_stream(fact) or _weak_key(fact)
    if kind in REGISTRARS:
        command = "catwalk keys" if name_of(fact).startswith("key-") else "catwalk sources"
        return Denied("registrars-own", f"only {command} records {name_of(fact)}, for an account with the role")
    if not register.sources and speaker.console:
        if fact.source_signature:
            says = f"no key of {fact.source!r} is on record, so its signature cannot be checked"
            return Denied("signature-wrong", says)
        return (
            _in_the_wrong_stream(fact)
            or _out_of_time(fact, now, Bounds(None, bounds.ahead))
            or _day_too_far(fact, max(now, fact.at))
        )
    terms = register.now(fact.source)
    if terms is None or terms.revoked:
        return _silent(fact, terms)
    return (
        _unproved(terms, speaker, fact, verify)
        or _beyond_its_terms(terms, fact)
        or _in_the_wrong_stream(fact)
        or _out_of_time(fact, now, Bounds(None, bounds.ahead) if speaker.console else bounds)
        or _day_too_far(fact, max(now, fact.at) if speaker.console or bounds.ahead is not None else now)
    )


def unproved(register: SourceRegister, speaker: Speaker, fact: Fact, verify: Verify) -> Denied | None:
    """Return why this speaker has not proved to be the fact's source, or None.

    Without that proof, a client must not learn what is on record. The operator's own console may read it anyway.
    """
    if speaker.registrar or speaker.console:
        return None
    terms = register.now(fact.source)
    if terms is None or terms.revoked:
        return _silent(fact, terms)
    return _unproved(terms, speaker, fact, verify)


def _silent(fact: Fact, terms: Terms | None) -> Denied:
    if terms is None:
        return Denied("source-unknown", f"the source {fact.source!r} is not registered: run catwalk sources register")
    return Denied("source-revoked", f"the source {fact.source!r} was revoked: {terms.reason or 'no reason given'}")


def _weak_key(fact: Fact) -> Denied | None:
    """Refuse a public key under which one signature fits many texts, or no signature fits any."""
    given = fact.public_key if isinstance(fact, SourceRegistered | KeyRegistered) else ""
    if not given and not isinstance(fact, KeyRegistered):
        return None
    if _KEY.fullmatch(given) and is_key(bytes.fromhex(given)):
        return None
    says = "the public key is not a sound Ed25519 key of 64 lowercase hex digits"
    return Denied("key-weak", f"{says}: make the key with openssl genpkey -algorithm ed25519")


def _unproved(terms: Terms, speaker: Speaker, fact: Fact, verify: Verify) -> Denied | None:
    if terms.public_key:
        if not fact.source_signature:
            return Denied("signature-missing", f"{fact.source!r} must sign its lines, and this one has no signature")
        if not signature_holds(terms.public_key, fact, verify):
            words = signed_words(fact).decode(errors="backslashreplace")
            says = f"the signature of {fact.source!r} does not fit these bytes (numbers must be integers): {words}"
            return Denied("signature-wrong", says)
        return None
    if fact.source_signature:
        says = f"{fact.source!r} is registered without a public key, so its signature cannot be checked"
        return Denied("signature-wrong", says)
    by_account = terms.user_id is not None and terms.user_id == speaker.user_id
    by_secret = bool(terms.secret) and speaker.proved.get(fact.source) == terms.secret
    by_topic = terms.topic and speaker.topic == fact.source
    if speaker.console or by_account or by_secret or by_topic:
        return None
    how = "send its secret first" if terms.secret else f"run it under user id {terms.user_id}"
    if terms.topic or speaker.topic:
        how = "each source that has a topic of inputs writes to its own"
    return Denied("source-unproved", f"this client has not proved that it is {fact.source!r}: {how}")


def _beyond_its_terms(terms: Terms, fact: Fact) -> Denied | None:
    stream = fact.stream
    if isinstance(fact, TableOpened | PropertyOpened):
        stream = fact.table if isinstance(fact, TableOpened) else PROPERTY
    if stream and not terms.covers(stream):  # a fact without a stream has no place; the writer refuses it
        may = ", ".join(sorted(terms.streams))
        return Denied("stream-not-its-own", f"{fact.source!r} may report for {may}, but not for {stream}")
    if type(fact) not in terms.may:
        may = ", ".join(terms.words)
        says = f"{fact.source!r} may not report {bare(name_of(fact))}: its rights are {may or 'none'}"
        return Denied("kind-not-allowed", says)
    return None


def _in_the_wrong_stream(fact: Fact) -> Denied | None:
    """Refuse a fact of the property in a table's stream, and the reverse, whatever the source's rights."""
    if isinstance(fact, TableOpened | PropertyOpened) or not fact.stream or belongs(type(fact), fact.stream):
        return None  # an opening starts its own stream
    right = f"the property's stream, {PROPERTY!r}" if type(fact) in OF_THE_PROPERTY else "the stream of a table"
    says = f"{bare(name_of(fact))} belongs in {right}, not in {fact.stream}: name that stream"
    return Denied("wrong-stream", says)


def _out_of_time(fact: Fact, now: int, bounds: Bounds) -> Denied | None:
    off = fact.at - now
    for bound, far, word in ((bounds.ahead, off, "ahead of"), (bounds.behind, -off, "behind")):
        if bound is not None and far > bound * SECOND:
            says = f"its time is {far // SECOND} s {word} the gateway's clock; the property allows {bound} s"
            unit = time_unit(fact.at, now)
            cure = f"it is in {unit[0]}, write {unit[1]}" if unit else f"correct the clock of {fact.source!r}"
            return Denied("time-out-of-bounds", f"{says}: {cure}")
    return None


def _day_too_far(fact: Fact, now: int) -> Denied | None:
    """Refuse an opening too far in the future.

    A table takes no day before its newest, so one wrong opening would lock it for years. The source's own time counts
    only where something bounds it: the property's opening, or the console.
    """
    if not isinstance(fact, TableOpened | PropertyOpened):
        return None
    try:
        begins = (date.fromisoformat(fact.gaming_day) - _FIRST).days * _DAY
    except ValueError:
        return None  # a day in no calendar has no place; the writer refuses it
    if begins <= now + DAYS_AHEAD * _DAY:
        return None
    says = f"the gaming day {fact.gaming_day} begins in {(begins - now) // _DAY} days; the limit is {DAYS_AHEAD}"
    return Denied("day-too-far", f"{says}: correct the day, or the clock of {fact.source!r}")
