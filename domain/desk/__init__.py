"""The work of people on findings: reviews and cases."""

__all__ = [
    "access",
    "acting",
    "audit",
    "case",
    "case_records",
    "clocks",
    "export",
    "records",
    "regrouping",
    "review",
    "roles",
]
