"""The whole system on one machine: its parts started, watched over and ended together."""
