"""Leads: they say what a link is worth before its page is downloaded.

A `Lead` is built with the crawl and lives beside the frontier. It scores targets when they are found and when more is known
about them, learns from every judged page, and can explain a score in words. What it has learned is saved with the commits
and loaded when the crawl resumes.
"""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names

from .commd import Commd
from .cyclic import Cyclic
from .diversity import Diversity
from .opic import Opic
from .parent import ParentPerplexity, ParentScore
from .parents_mean import ParentsMean
from .plain import BreadthFirst, PlainLead, Random
from .preemptive import Preemptive
from .quality import Quality
from .seam import FRESH, Judged, Lead, Stale
from .walk import RandomWalk

if TYPE_CHECKING:
    from .learned import Learned

__getattr__ = lazy_names(__name__, {"learned": "Learned"})  # it imports numba, which takes half a second

__all__ = [
    "BreadthFirst",
    "Commd",
    "Cyclic",
    "Diversity",
    "FRESH",
    "Judged",
    "Lead",
    "Learned",
    "Opic",
    "ParentPerplexity",
    "ParentScore",
    "ParentsMean",
    "PlainLead",
    "Preemptive",
    "Quality",
    "Random",
    "RandomWalk",
    "Stale",
]
