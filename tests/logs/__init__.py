"""The log of facts: one contract over every log there is."""
