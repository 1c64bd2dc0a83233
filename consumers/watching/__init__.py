"""Facts in, findings out: the verifier on a log."""
