"""Tests make their folders as the program does, for their owner alone: which test is first must not matter."""

from hypothesis import HealthCheck, settings

from consumers.private import keep_private

keep_private()

# How fast a busy machine draws says nothing of what is drawn.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
