"""The pages, one subject each."""
