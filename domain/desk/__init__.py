"""What people in the room do with what was found: reviews of findings, and cases."""

__all__ = ["access", "acting", "audit", "case", "case_records", "clocks", "export", "records", "review", "roles"]
