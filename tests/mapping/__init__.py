"""Tests of `catwalk map`."""
