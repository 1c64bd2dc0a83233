"""Tests of the facts: their catalogue, codec and contracts."""
