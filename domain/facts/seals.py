"""The seal: a device's signature over everything a stream holds so far."""

from domain.facts.envelope import Count, Fact, Name


class ChainSealed(Fact, frozen=True, tag="chain-sealed.1"):
    """The writer signed the hash of the fact before this one, and so all before that."""

    key: Name
    covers: Count  # the sequence of the fact before
    signature: Name  # Ed25519 over the sealed words, 64 bytes in hex
