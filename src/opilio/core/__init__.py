"""The vocabulary of the crawl: what moves between the stages, and how each thing can end. Imports nothing of ours."""
