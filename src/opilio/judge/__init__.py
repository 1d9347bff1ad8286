"""Does this page belong?

Every process that gleans builds a `Judge` from the settings. It gets one `Page` at a time and returns a `Verdict`: a
score from 0 to 1, yes or no, and each judge's opinion with its reason. Judging is pure: the same page and the same
judge give the same verdict, in any process.
"""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names

from .combined import AllOf, AnyOf, Not, WeightedSum
from .comments import Comments
from .everything import Everything
from .in_language import InLanguage, build_judge
from .keywords import Keywords
from .language import Language
from .seam import Judge, Judging

if TYPE_CHECKING:
    from .badness import BadnessJudge
    from .classifier import Classifier
    from .novelty import Novelty
    from .perplexity import Bounds, Perplexity
    from .topical import Topical

__getattr__ = lazy_names(
    __name__,
    {
        "badness": "BadnessJudge",
        "classifier": "Classifier",
        "novelty": "Novelty",
        "perplexity": "Bounds Perplexity",
        "topical": "Topical",
    },
)

__all__ = [
    "AllOf",
    "AnyOf",
    "BadnessJudge",
    "Bounds",
    "Classifier",
    "Comments",
    "Everything",
    "InLanguage",
    "Judge",
    "Judging",
    "Keywords",
    "Language",
    "Not",
    "Novelty",
    "Perplexity",
    "Topical",
    "WeightedSum",
    "build_judge",
]
