"""The seal: a device's signature over everything a stream holds up to that point."""

from domain.facts.envelope import Count, Fact, Name


class ChainSealed(Fact, frozen=True, tag="chain-sealed.1"):
    """The writer signed the hash of the fact before this one, and with it the whole chain."""

    key: Name
    covers: Count  # the sequence of the fact before this one
    signature: Name  # Ed25519 over the sealed text, 64 bytes in hex
