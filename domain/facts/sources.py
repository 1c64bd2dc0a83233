"""Sources in the property's own stream: who may say which facts, what was turned away, whose clock was off."""

from typing import Literal

from domain.facts.envelope import Count, Fact, Name

# Why the gateway turned an input away. `domain/ledger/admission.py` has the rule behind each word.
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
]


class SourceRegistered(Fact, frozen=True, tag="source-registered.1"):
    """A source may say these kinds of facts into these streams, and proves who it is in one of three ways."""

    name: Name  # as its facts name it in `source`
    streams: tuple[Name, ...]  # tables; `property`; `*` for every table
    may: tuple[Name, ...]  # rights, or types of fact without their version
    user_id: Count | None = None  # the account it runs under on the gateway's machine
    secret: str = ""  # SHA-256 of its secret, in hex
    public_key: str = ""  # Ed25519, 32 bytes in hex: it signs each of its lines


class SourceRevoked(Fact, frozen=True, tag="source-revoked.1"):
    """A source may say nothing from here on."""

    name: Name
    reason: str = ""


class InputRefused(Fact, frozen=True, tag="input-refused.1"):
    """The gateway turned away what a client said, and kept it as a dead letter.

    Of `letters-full` there is no letter: the client was disconnected, and its lines stay with it.
    """

    rule: Rule
    client: Name  # the connection, or the console
    claimed: str = ""  # the source it said it was
    about: str = ""  # the stream it spoke of
    count: Count = 1  # how many since the last such fact
    letter: str = ""  # the name of the first of these dead letters


class ClockCorrected(Fact, frozen=True, tag="clock-corrected.1"):
    """A clock that was off agrees again: a source's with the gateway's, or the gateway's own was set."""

    clock: Name  # the source, or `gateway`
    off_by_us: int  # microseconds it was ahead; below zero, behind
    set_aside: Count = 0  # how many facts were turned away for it
