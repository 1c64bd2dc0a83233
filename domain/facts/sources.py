"""Sources, in the property's own stream: their rights, refused input and clock corrections."""

from typing import Literal

from domain.facts.envelope import Count, Fact, Name

# The reasons for which the gateway refuses input. `domain/ledger/admission.py` has the rule behind each word.
Rule = Literal[
    "source-unknown",
    "source-revoked",
    "source-unproved",
    "secret-wrong",
    "signature-missing",
    "signature-wrong",
    "stream-not-its-own",
    "kind-not-allowed",
    "gateways-own",
    "registrars-own",
    "key-weak",
    "time-out-of-bounds",
    "day-too-far",
    "letters-full",
    "wrong-stream",
    "not-at-this-table",
    "records-lost",
]


class SourceRegistered(Fact, frozen=True, tag="source-registered.1"):
    """A source was registered: the facts it may report, the streams it may write to, and how it proves its identity."""

    name: Name  # the name its facts carry in `source`
    streams: tuple[Name, ...]  # table names, `property`, or `*` for every table
    may: tuple[Name, ...]  # rights, or types of fact without their version
    user_id: Count | None = None  # the account it runs under on the gateway's machine
    secret: str = ""  # SHA-256 of its secret, in hex
    public_key: str = ""  # Ed25519, 32 bytes in hex; signs each line of the source
    topic: bool = False  # whether it writes to a Kafka topic of its own; without a key, that right proves it


class SourceRevoked(Fact, frozen=True, tag="source-revoked.1"):
    """A source lost all its rights."""

    name: Name
    reason: str = ""


class InputRefused(Fact, frozen=True, tag="input-refused.1"):
    """The gateway refused a client's input and kept it as a dead letter.

    With `letters-full` there is no letter: the client was disconnected and still has its lines. With `records-lost`,
    Kafka deleted records of a source's topic before the gateway read them, and the letter says which.
    """

    rule: Rule
    client: Name  # the connection, or the console
    claimed: str = ""  # the source the client claimed to be
    about: str = ""  # the stream the input was for
    count: Count = 1  # refusals since the last such fact
    letter: str = ""  # the name of the first of these dead letters


class ClockCorrected(Fact, frozen=True, tag="clock-corrected.1"):
    """A clock was corrected: a source's agrees with the gateway's again, or the gateway's own was set."""

    clock: Name  # the source, or `gateway`
    off_by_us: int  # microseconds it was ahead; negative if behind
    set_aside: Count = 0  # facts quarantined because of it
