"""Running totals of a crawl: what was spent, what was kept, and how everything else ended. They are saved with each commit."""

from statistics import fmean
from typing import Final

import msgspec

from opilio.core.config import Stop
from opilio.core.outcome import Drop, Outcome

RECENT_PAGES: Final = 200  # pages


class Tally(msgspec.Struct):
    pages: int = 0  # responses with a body
    requests: int = 0  # every request but those for robots.txt
    robots: int = 0  # requests for robots.txt
    relevant: int = 0  # pages that belong, kept or not
    expected: float = 0.0  # how many pages belong by the sum of their scores
    recent_scores: list[float] = []  # of the last pages, in their order
    kept: int = 0
    kept_bytes: int = 0  # main text of what was kept, as UTF-8
    size_bytes: int = 0  # downloaded, as received
    tokens: int = 0  # kept
    seconds: float = 0.0  # time spent crawling, over all runs
    runs: int = 0
    layers: int = 0  # begun after the seeds
    outcomes: dict[str, int] = {}  # msgspec copies defaults
    drops: dict[str, int] = {}
    stop_reason: str = ""

    def answered(self, outcome: Outcome, size_bytes: int) -> None:
        self.requests += 1
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1
        self.size_bytes += size_bytes
        self.pages += outcome is Outcome.OK

    def judged(self, score: float, *, belongs: bool) -> None:
        self.relevant += belongs
        self.expected += score
        self.recent_scores = [*self.recent_scores, round(score, 3)][-RECENT_PAGES:]

    @property
    def recent_yield(self) -> float:
        """Returns the marginal yield: the share of the last `RECENT_PAGES` pages that belong, by their scores. A line that is
        drawn too high or too low changes what is kept, but hardly this."""
        return fmean(self.recent_scores) if self.recent_scores else 0.0

    @property
    def document_yield(self) -> float:
        """Returns Yd of Schäfer, Barbaresi & Bildhauer (2014): kept documents by fetched pages."""
        return self.kept / self.pages if self.pages else 0.0

    @property
    def byte_yield(self) -> float:
        """Returns Yb: bytes of kept text by bytes received, which may be compressed."""
        return self.kept_bytes / self.size_bytes if self.size_bytes else 0.0

    def dropped(self, drop: Drop, times: int = 1) -> None:
        """Counts links or pages that were dropped. A negative number takes back as many."""
        count = self.drops.pop(drop, 0) + times
        if count:
            self.drops[drop] = count

    def limit_reached(self, stop: Stop, elapsed_s: float) -> str:
        """Returns the first of the operator's limits that is used up, in words, or ""."""
        limits = (
            ("pages reached", self.pages, stop.pages),
            ("kept pages reached", self.kept, stop.kept),
            ("bytes reached", self.size_bytes, stop.size_bytes),
            ("tokens reached", self.tokens, stop.tokens),
            ("time reached", self.seconds + elapsed_s, stop.seconds),
        )
        return next((reason for reason, spent, limit in limits if 0 < limit <= spent), "")
