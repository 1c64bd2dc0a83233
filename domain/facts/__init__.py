"""Facts: what happened, as it is written down for ever."""
