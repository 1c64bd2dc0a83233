"""Tests make their folders as the program does, for their owner alone: which test is first must not matter."""

import gc

from hypothesis import HealthCheck, settings

from consumers.private import keep_private

keep_private()

# 16,000 tests are held at once, and the usual threshold looks through all of them again and again.
gc.set_threshold(50_000, 20, 50)

# How fast a busy machine draws says nothing of what is drawn.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
