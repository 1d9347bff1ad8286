"""What is this link worth, before paying for the download?

A `Lead` is born with the crawl, beside the frontier. It scores targets when they are found and when more is known of them,
learns from every judged page, and can say in words where a score comes from. What it
has learned is saved with the commits and loaded when the crawl resumes.
"""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names

from .commd import Commd
from .cyclic import Cyclic
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

__getattr__ = lazy_names(__name__, {"learned": "Learned"})  # numba: half a second

__all__ = [
    "BreadthFirst",
    "Commd",
    "Cyclic",
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
