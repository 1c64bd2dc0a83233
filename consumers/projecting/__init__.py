"""The projector: follows facts and findings, and maintains the read models."""

__all__ = ["following", "one_pass", "projector", "rebuilding"]
