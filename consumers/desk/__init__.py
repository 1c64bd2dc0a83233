"""Acts at the desk, made durable."""

__all__ = ["application", "commands", "kept_up", "noting", "opening", "relay"]
