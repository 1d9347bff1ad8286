"""What a sign is worth: how much more often pages behind links with it were retained than pages in general.

A sign has kinds (a block's class, a host), and each kind counts pages and retained pages. Its weight is the difference between
its own log odds and those of the whole crawl, so that weights of several signs can be added up. The weight of a kind with
few pages is drawn to its prior, which is nothing or a figure from the literature, and counts like `strength` pages.

The table is bounded: if there are more than `room` kinds, those that were not learned of for longest are forgotten.
"""

from collections.abc import Mapping

import msgspec

from opilio.core.bounded import BoundedMap
from opilio.core.sigmoid import logit, sigmoid


class Evidence(msgspec.Struct):
    strength: float  # pages
    room: int = 100_000  # kinds: some 10 MB
    counts: dict[str, tuple[int, int]] = {}  # kind → pages, retained

    def __post_init__(self) -> None:
        self.counts = BoundedMap(self.room, self.counts)

    def weight(self, kind: str, base: float, priors: Mapping[str, float]) -> float:
        """Returns the weight of a kind in log odds. `base` is the yield of the whole crawl; `priors` maps kinds to weights."""
        pages, retained = self.counts.get(kind, (0, 0))
        before = sigmoid(logit(base) + priors.get(kind, 0.0))
        return logit((retained + self.strength * before) / (pages + self.strength)) - logit(base)

    def learn(self, kind: str, *, retained: bool) -> None:
        pages, good = self.counts.pop(kind, (0, 0))  # moves it to the end, where it is forgotten last
        self.counts[kind] = (pages + 1, good + retained)

    def words(self, kind: str) -> str:
        pages, retained = self.counts.get(kind, (0, 0))
        return f"{retained:,} of {pages:,} pages retained" if pages else "none met so far"


def share_of(base: float, weights: float) -> float:
    """Returns the probability that follows from a base rate and the sum of all weights."""
    return sigmoid(logit(base) + weights)
