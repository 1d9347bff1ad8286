"""Running totals of a crawl: what was spent, what was kept, and how everything else ended. They are saved with each commit."""

from statistics import fmean
from typing import Final

import msgspec

from opilio.core.outcome import Drop, Outcome
from opilio.core.tables import Stop

RECENT_PAGES: Final = 200  # pages


class Tally(msgspec.Struct):
    pages: int = 0  # responses with a body
    unread: int = 0  # those of them that had no text to read
    requests: int = 0  # every request but those for robots.txt
    robots: int = 0  # requests for robots.txt
    relevant: int = 0  # pages that belong, kept or not
    recent_worths: list[float] = []  # of the last pages, in their order: how probable it is that each belongs
    kept: int = 0
    kept_bytes: int = 0  # main text of what was kept, as UTF-8
    size_bytes: int = 0  # downloaded, as received
    tokens: int = 0  # kept
    seconds: float = 0.0  # time spent crawling, over all runs
    runs: int = 0
    layers: int = 0  # begun after the seeds
    outcomes: dict[str, int] = {}  # msgspec copies defaults
    drops: dict[str, int] = {}
    visits: dict[str, int] = {}  # to pages that were fetched before, by what they found
    stop_reason: str = ""

    def answered(self, outcome: Outcome, size_bytes: int, *, again: bool = False) -> None:
        """`again`: the page was fetched before, and does not count twice."""
        self.requests += 1
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1
        self.size_bytes += size_bytes
        self.pages += outcome is Outcome.OK and not again

    def visited(self, found: str) -> None:
        """Counts a visit to a page that was fetched before."""
        self.visits[found] = self.visits.get(found, 0) + 1

    def judged(self, worth: float, *, belongs: bool) -> None:
        """`worth` is the probability that the page belongs: 0 or 1 if its judge gives no probabilities."""
        self.relevant += belongs
        self.recent_worths = [*self.recent_worths, round(worth, 3)][-RECENT_PAGES:]

    @property
    def is_fruitless(self) -> bool:
        """Returns whether no page with a text was ever fetched."""
        return self.pages <= self.unread

    @property
    def recent_yield(self) -> float:
        """Returns the marginal yield: the share of the last `RECENT_PAGES` pages that belong. Probabilities are added up, because
        a line that is a little too high can refuse nearly all pages, and changes their probabilities only a little."""
        return fmean(self.recent_worths) if self.recent_worths else 0.0

    @property
    def by_probability(self) -> bool:
        """Returns whether the marginal yield is made of a judge's probabilities. Verdicts and marks are 0 or 1."""
        return any(0.0 < worth < 1.0 for worth in self.recent_worths)

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
            ("documents reached", self.kept, stop.documents),
            ("size_bytes reached", self.size_bytes, stop.size_bytes),
            ("tokens reached", self.tokens, stop.tokens),
            ("time reached", self.seconds + elapsed_s, stop.seconds),
        )
        return next((reason for reason, spent, limit in limits if 0 < limit <= spent), "")
