"""Reports a person can read, as PDF: plain data in, bytes out."""

from projections.export.report.report import report_pdf

__all__ = ["report_pdf"]
