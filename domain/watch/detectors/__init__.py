"""Every detector, by subject. Importing this registers them all."""

from domain.watch.detectors import calls

__all__ = ["calls"]
