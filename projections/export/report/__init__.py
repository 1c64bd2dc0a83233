"""Printed reports as PDF: plain data in, bytes out."""

from projections.export.report.dispute import dispute_pdf
from projections.export.report.report import report_pdf

__all__ = ["dispute_pdf", "disputed", "lists", "moments", "report_pdf", "told"]
