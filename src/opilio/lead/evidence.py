"""What a sign is worth: how much more often pages behind links that bear it were retained than pages in general.

A sign has kinds (a block's class, a host), and each kind counts pages and retained pages. Its weight is the difference between
its own log odds and those of the whole crawl, so that weights of several signs can be added up. With few pages behind it, a
kind leans on what was believed before: nothing, or a figure from the literature, which counts like `strength` pages.

Bounded: of more than `room` kinds those are forgotten of which nothing was learned for longest.
"""

from collections.abc import Mapping
from math import log

import msgspec

from opilio.core.bounded import BoundedMap
from opilio.core.sigmoid import sigmoid


class Evidence(msgspec.Struct):
    strength: float  # pages
    room: int = 100_000  # kinds: some 10 MB
    counts: dict[str, tuple[int, int]] = {}  # kind → pages, retained

    def __post_init__(self) -> None:
        self.counts = BoundedMap(self.room, self.counts)

    def weight(self, kind: str, base: float, believed: Mapping[str, float]) -> float:
        """In log odds. `base`: the yield of the whole crawl; `believed`: kind → weight that was known beforehand."""
        pages, retained = self.counts.get(kind, (0, 0))
        before = sigmoid(_odds(base) + believed.get(kind, 0.0))
        return _odds((retained + self.strength * before) / (pages + self.strength)) - _odds(base)

    def learn(self, kind: str, *, retained: bool) -> None:
        pages, good = self.counts.pop(kind, (0, 0))  # to the end: what was learned of last is forgotten last
        self.counts[kind] = (pages + 1, good + retained)

    def words(self, kind: str) -> str:
        pages, retained = self.counts.get(kind, (0, 0))
        return f"{retained:,} of {pages:,} pages retained" if pages else "none met so far"


def share_of(base: float, weights: float) -> float:
    """The probability that a base rate and the sum of all weights amount to."""
    return sigmoid(_odds(base) + weights)


def _odds(share: float) -> float:
    return log(share / (1.0 - share))
