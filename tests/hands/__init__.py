"""The five rankings, counted hand by hand and shown against the text of every book."""
