"""The signer: a process that holds the property's key, and makes and signs exports for the room."""

__all__ = ["asking", "service", "words"]
