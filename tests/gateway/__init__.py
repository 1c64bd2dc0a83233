"""Tests of the gateway: from what sources say to what the log holds."""
