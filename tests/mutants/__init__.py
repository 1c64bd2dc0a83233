"""Detectors with one condition turned round or left out: a case must notice each."""
