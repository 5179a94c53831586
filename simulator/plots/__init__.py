"""Drawings of reports: pure functions from a report to SVG."""
