"""The projector: follows facts and findings, and keeps the read models that follow from them."""

__all__ = ["following", "one_pass", "projector", "rebuilding"]
