"""Incidents, tested."""
