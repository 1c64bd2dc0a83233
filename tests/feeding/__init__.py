"""The check of a feed: lawful days are clean, and each mis-mapping is named with its cure."""
