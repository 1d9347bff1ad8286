"""What is this link worth, before paying for the download?

A `Lead` is born with the crawl, beside the frontier. It scores targets when they are found and when more is known of them,
learns from every judged page, and can say in words where a score comes from. A `Stateful` one is saved with each
commit and loaded when the crawl resumes.
"""

from .commd import Commd
from .cyclic import Cyclic
from .opic import Opic
from .parent import ParentPerplexity, ParentScore
from .plain import BreadthFirst, PlainLead, Random
from .quality import Quality
from .seam import FRESH, Counting, Judged, Lead, Stale, Stateful

__all__ = [
    "FRESH",
    "BreadthFirst",
    "Commd",
    "Counting",
    "Cyclic",
    "Judged",
    "Lead",
    "Opic",
    "ParentPerplexity",
    "ParentScore",
    "PlainLead",
    "Quality",
    "Random",
    "Stale",
    "Stateful",
]
