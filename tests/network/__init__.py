"""Tests of the ways in over the network."""
