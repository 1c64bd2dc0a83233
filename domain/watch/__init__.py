"""Watching the record: detectors, findings, and the verifier that runs them over a stream."""
