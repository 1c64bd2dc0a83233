"""Tests of the ledger: chains and seals."""
