"""The gateway: the one writer of the record, from what sources say to what the log holds."""
