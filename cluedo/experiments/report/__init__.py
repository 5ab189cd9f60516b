"""The report of experiments: a page that explains itself, and its pictures as PNG and SVG."""

from cluedo.experiments.report.page import REPORT, write_report

__all__ = ["REPORT", "write_report"]
