"""The random walk as a lead: of all links just those are fetched that a walker has chosen.

How it goes within the queue: a link that no walker wants lies under the cut, from where it comes back when one does. Wanted
links wait for the next boundary and are fetched together, each with its walker's number as its score. A redirect hands the
score on, and so tells where the walker has really arrived. The walk need not hear of pages that could not be had: at a
boundary all has ended that was wanted, so what was not read by then is not a page. One spare link always waits: without it
there would be no boundary where every wanted page has failed.

The frontier shows a lead each link to a page that was not read yet, and no other: just those that count in the walk's graph.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
import zstandard

from opilio.core.draw import hash_share
from opilio.core.errors import ConfigError
from opilio.core.items import Target
from opilio.core.plugin import Context
from opilio.model.walk import Walk, Walker

from .seam import FRESH, Judged, Lead, Stale

SPARE: Final = 0.0  # waits in the second bucket, which is emptied only when no walker wants anything
_FIRST: Final = 1.0  # the first walker's; what is above one half is in the first bucket
_UNWANTED: Final = -1.0
_SEED: Final = 0.75


class State(msgspec.Struct):
    walk: Walk
    spare: int


class RandomWalk(Lead):
    """`walkers` go at once, each its own way. Of a page with more than `links` links about as many are drawn: that bounds memory,
    at some 200 bytes for each of them, and changes nothing of the walk's law."""

    sightings = 1

    def __init__(self, walkers: int = 8, links: int = 50, seed: int = 0) -> None:
        if walkers < 1 or links < 1:
            raise ConfigError(f"lead.walkers and lead.links must be at least 1, not {walkers} and {links}.")
        self.walk = Walk([Walker() for _ in range(walkers)], seed)
        self._links = links
        self._spare = 0
        self._reading = 0  # the page whose links are being shown
        self._share = 1.0  # of them that count
        self._changed = False

    @classmethod
    def build(cls, context: Context, *, walkers: int = 8, links: int = 50, seed: int | None = None) -> "RandomWalk":
        return cls(walkers, links, context.config.crawl.seed if seed is None else seed)

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        wanted = self.walk.wanted
        return [self._score(target, wanted) for target in targets]

    def learn(self, judged: Judged) -> Stale:
        target = judged.target
        by_redirect = target.hops and target.score is not None and target.score >= _FIRST
        self.walk.visit(target.id, int((target.score or 0.0) - _FIRST) if by_redirect else None)
        self._reading = target.id
        self._share = self._links / max(self._links, len(judged.page.links))
        self._changed = True
        return FRESH

    def boundary(self) -> Stale:
        self._reading = 0
        self._changed = True
        self.walk.advance()
        if not self.walk.wanted and self.walk.is_open(self._spare):
            self.walk.walkers[0].wanted = self._spare  # nothing is left around: a jump
        wanted = self.walk.wanted
        if self._spare in wanted or not self.walk.is_open(self._spare):
            self._spare = next(self.walk.unread(), 0)
        return Stale(links=tuple(page for page in (*wanted, self._spare) if page))

    def explain(self, target: Target) -> Sequence[str]:
        if not target.depth:
            return ["a seed: the walk starts here"]
        if target.score is not None and target.score >= _FIRST:
            return [f"walker {int(target.score)} of {len(self.walk.walkers)} has chosen it by chance"]
        return [f"no walker has chosen it; {len(self.walk.known.get(target.id, ()))} links are known to lead here"]

    def save(self) -> bytes | None:
        changed, self._changed = self._changed, False
        if not changed:
            return None
        return zstandard.ZstdCompressor(level=1).compress(msgspec.msgpack.encode(State(self.walk, self._spare)))

    def load(self, state: bytes) -> None:
        saved = msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(state), type=State)
        self.walk, self._spare = saved.walk, saved.spare

    def _score(self, target: Target, wanted: dict[int, int]) -> float:
        page = target.id
        if target.sightings and target.sightings[-1].parent == self._reading and self._counts(page):
            self.walk.link(self._reading, page)
        if page in wanted:
            return _FIRST + wanted[page]
        if not target.depth:
            return _SEED
        self._spare = self._spare or page
        return SPARE if page == self._spare else _UNWANTED

    def _counts(self, page: int) -> bool:
        """Whether this link of the page that is being read is one of those drawn. By the numbers alone, so it needs no memory."""
        if self._share == 1.0:
            return True
        return hash_share(b"%d %d %d" % (self.walk.seed, self._reading, page), 4) < self._share
