"""This stage finds seeds: in lists, sitemaps, feeds, indexes, directories, encyclopedias, search and microblogs.

A `Source` is made from its settings. It asks, through whoever is polite on its behalf, and yields `Find`s in batches, which
are committed to the scout's directory together with what the source must remember to go on.
"""

from .find import Find
from .source import Ask, BudgetSpent, Memory, Question, Source, SourceError

__all__ = ["Ask", "BudgetSpent", "Find", "Memory", "Question", "Source", "SourceError"]
