"""The thresholds of a crawl by perplexity, and the number of links and pages on either side of each."""

from typing import Final

import msgspec

BUCKETS: Final = ("HIGH", "MEDIUM", "NORMAL")


class Thresholds(msgspec.Struct, frozen=True):
    threshold: float  # probability from which a page belongs
    max_perplexity: float | None  # decides instead of the probability if it is set
    high: float | None
    medium: float | None
    cut: float | None
    queued: dict[str, int]  # links by bucket
    below_cut: int  # links
    judged: int  # pages
    belong: int
