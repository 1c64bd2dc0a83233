"""Incidents and the floors they are woven into."""
