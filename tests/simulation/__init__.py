"""The simulated floor: lawful days, and the edits that break them."""
