"""The vocabulary of the crawl: what moves between the stages, and how each thing can end. It imports nothing from the
other packages."""
