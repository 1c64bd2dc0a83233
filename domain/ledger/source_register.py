"""The register of sources: what the property's facts allow each source, and what a source signs."""

from collections.abc import Iterable

import msgspec

from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.facts.property_day import PropertyOpened
from domain.facts.sources import SourceRegistered, SourceRevoked
from domain.facts.streams import PROPERTY, owner
from domain.facts.table_day import TableOpened
from domain.ledger.rights import Kinds, kinds
from domain.ledger.seals import Verify

EVERY_TABLE = "*"
_PLACE = ("sequence", "previous", "source_signature")
_OF_THE_WRITER = ("stream", "previous_stream", "previous_head")


def day_of(stream: str) -> str:
    """Return the gaming day of a stream."""
    return stream.partition("/")[2]


class Terms(msgspec.Struct, frozen=True):
    """A source's rights from one moment on."""

    day: str  # the property's gaming day on which they were recorded
    since: int  # the time of the fact that recorded them
    streams: frozenset[str] = frozenset()
    may: Kinds = frozenset()
    user_id: int | None = None
    secret: str = ""
    public_key: str = ""
    words: tuple[str, ...] = ()  # the rights as given
    revoked: bool = False
    reason: str = ""
    topic: bool = False  # whether it writes to a Kafka topic of its own

    def covers(self, stream: str) -> bool:
        """Return whether the source may report for this stream; `*` covers all tables, but not the property."""
        name = owner(stream)
        return name in self.streams or (EVERY_TABLE in self.streams and name != PROPERTY)


class SourceRegister(msgspec.Struct):
    """Every registered source, with its terms from the first to those in force."""

    sources: dict[str, list[Terms]] = {}

    def now(self, name: str) -> Terms | None:
        """Return the terms in force after the last fact taken in."""
        told = self.sources.get(name)
        return told[-1] if told else None

    def with_topics(self) -> set[str]:
        """Return the sources that write to Kafka topics of their own."""
        return {name for name, told in self.sources.items() if told[-1].topic}

    def of_secret(self, digest: str) -> dict[str, str]:
        """Return the sources whose secret has this SHA-256, each with it."""
        return {name: digest for name, told in self.sources.items() if digest and told[-1].secret == digest}

    def over(self, fact: Fact) -> Terms | None:
        """Return the terms in force for a fact: those of an earlier day, whatever their time, or of an earlier time."""
        place = (day_of(fact.stream), fact.at)
        return next(
            (each for each in reversed(self.sources.get(fact.source, ())) if (each.day, each.since) <= place), None
        )


def evolve(register: SourceRegister, fact: Fact) -> SourceRegister:
    """Return the register after one fact of the property. New terms replace the earlier ones from that point on."""
    if isinstance(fact, SourceRegistered):
        terms = Terms(
            day_of(fact.stream),
            fact.at,
            frozenset(fact.streams),
            kinds(fact.may),
            fact.user_id,
            fact.secret,
            fact.public_key,
            fact.may,
            topic=fact.topic,
        )
        register.sources.setdefault(fact.name, []).append(terms)
    elif isinstance(fact, SourceRevoked) and (told := register.sources.get(fact.name)):
        # An unsigned fact from a source that signs is not its own, revoked or not; what it still writes is refused.
        key, topic = told[-1].public_key, told[-1].topic
        told.append(Terms(day_of(fact.stream), fact.at, public_key=key, revoked=True, reason=fact.reason, topic=topic))
    return register


def fold(facts: Iterable[Fact]) -> SourceRegister:
    """Return the register after these facts of the property."""
    register = SourceRegister()
    for fact in facts:
        register = evolve(register, fact)
    return register


def signed_words(fact: Fact) -> bytes:
    """Return the bytes a source signs: a fixed first line, then the fact as the source reports it, in canonical JSON.

    The parts the writer adds are left out: the place, and in an opening the link to the day before. The stream is the
    table's name. Keys are sorted, there are no spaces, and fields at their default are left out.
    """
    said = msgspec.json.decode(encode(fact))
    for name in _PLACE:
        said.pop(name, None)
    said["stream"] = owner(fact.stream)
    if isinstance(fact, TableOpened | PropertyOpened):
        for name in _OF_THE_WRITER:
            said.pop(name, None)
        said["writer_epoch"] = 0
    return b"catwalk line\n" + msgspec.json.encode(said, order="deterministic")


def signature_fault(register: SourceRegister, fact: Fact, verify: Verify) -> str:
    """Return what is wrong with the signature of a recorded fact, or with its absence; empty if all is well.

    A fact may wait longer for its place than its source's clock shows, so any key the source ever had may have signed
    it.
    """
    if fact.source_signature:
        keys = {terms.public_key for terms in register.sources.get(fact.source, ()) if terms.public_key}
        if not keys:
            return "source-unknown"
        holds = any(signature_holds(key, fact, verify) for key in sorted(keys))
        return "" if holds else "source-signature-wrong"
    terms = register.over(fact) if fact.source in register.sources else None
    return "source-signature-missing" if terms is not None and terms.public_key else ""


def has_fraction(value: object) -> bool:
    """Return whether it contains a number with a fraction or exponent, which JSON writers may write in two ways."""
    if isinstance(value, dict):
        return any(map(has_fraction, value.values()))
    return any(map(has_fraction, value)) if isinstance(value, list | tuple) else isinstance(value, float)


def signature_holds(public_key: str, fact: Fact, verify: Verify) -> bool:
    """Return whether the fact's signature is this key's over the source's text, with integers only."""
    if has_fraction(msgspec.to_builtins(fact)):
        return False
    try:
        public, signature = bytes.fromhex(public_key), bytes.fromhex(fact.source_signature or "")
    except ValueError:
        return False
    return verify(public, signature, signed_words(fact))
