"""Tests make their folders as the program does, for their owner alone: which test is first must not matter."""

from consumers.private import keep_private

keep_private()
