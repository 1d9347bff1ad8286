"""What came of an experiment, for people: tables, charts, files and a page."""
