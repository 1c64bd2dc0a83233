"""Watchers over logs: killed, doubled, taken over, and over records with everything wrong that can be."""
