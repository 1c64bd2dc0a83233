"""What `catwalk doctor` examines: the database files, the rows of each embedded log, the outbox, the tree."""

__all__ = ["telling", "whole"]
