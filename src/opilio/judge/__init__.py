"""Does this page belong?

A `Judge` is born from the settings in every process that gleans, sees one `Page` at a time and answers with a `Verdict`: a score
from 0 to 1, yes or no, and each judge's opinion with its reason. Judging is pure: the same page and the same judge give
the same verdict, in any process.
"""

from .everything import Everything
from .seam import Judge

__all__ = ["Everything", "Judge"]
