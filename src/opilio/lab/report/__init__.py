"""Presents the result of an experiment: tables, charts, files and a page."""
