"""The parts of `catwalk doctor`: checks of the database files, the rows of embedded logs, the outbox and the tree."""

__all__ = ["telling", "whole"]
