"""The register: every normative clause of the five rule books, and the vocabulary of findings."""

from domain.clauses.register import (
    HOUSE,
    KINDS,
    OBSERVABLES,
    SEVERITIES,
    BadRegisterError,
    Clause,
    FindingCode,
    Register,
    UnknownClauseError,
    all_clauses,
    clause,
    findings,
    load,
    register,
    scale,
)
from domain.games import BOOKS

__all__ = [
    "BOOKS",
    "HOUSE",
    "KINDS",
    "OBSERVABLES",
    "SEVERITIES",
    "BadRegisterError",
    "Clause",
    "FindingCode",
    "Register",
    "UnknownClauseError",
    "all_clauses",
    "clause",
    "findings",
    "load",
    "register",
    "scale",
]
