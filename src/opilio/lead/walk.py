"""The random walk as a lead: only links that a walker has chosen are fetched.

How it uses the queue: a link that no walker wants is under the cut, and comes back when a walker wants it. Wanted links wait
for the next boundary and are fetched together, each with its walker's number as its score. The target of a redirect inherits
the score, which shows where the walker has arrived. The walk does not need to be told of failed pages: at a boundary every
wanted link has ended, so a link that was not read by then is not a page. One spare link always waits, since without it there
would be no boundary if every wanted page has failed.

The frontier shows a lead exactly the links to pages that were not read yet, and these are the links of the walk's graph. Links to
pages that were read are counted when the page around them is learned from.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
import zstandard

from opilio.core.draw import hash_share
from opilio.core.errors import ConfigError
from opilio.core.items import Target
from opilio.core.plugin import Context
from opilio.core.url import fingerprint
from opilio.model.walk import Walk, Walker

from .seam import FRESH, Judged, Lead, Stale

SPARE_SCORE: Final = 0.0  # in the second bucket, which is used only when no walker wants anything
_FIRST_SCORE: Final = 1.0  # of the first walker's link; scores above one half are in the first bucket
_UNWANTED_SCORE: Final = -1.0
_SEED_SCORE: Final = 0.75


class State(msgspec.Struct):
    walk: Walk
    spare: int
    read: dict[int, int] = {}  # fingerprints of pages that were read → their numbers


class RandomWalk(Lead):
    """`walkers` walk at the same time, independently of each other. From a page with more than `links` links, about this many are
    drawn. That bounds memory, at some 200 bytes for each link, and leaves the walk's distribution unchanged."""

    goes_by = "a random walk"
    sightings = 1

    def __init__(self, walkers: int = 8, links: int = 50, seed: int = 0) -> None:
        if walkers < 1 or links < 1:
            raise ConfigError(f"lead.walkers and lead.links must be at least 1, not {walkers} and {links}.")
        self._read: dict[int, int] = {}
        self.walk = Walk([Walker() for _ in range(walkers)], seed)
        self._links = links
        self._spare = 0
        self._reading = 0  # the page whose links are being shown
        self._share = 1.0  # the share of them that counts
        self._changed = False

    @classmethod
    def build(cls, context: Context, *, walkers: int = 8, links: int = 50, seed: int | None = None) -> "RandomWalk":
        return cls(walkers, links, context.config.crawl.seed if seed is None else seed)

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        wanted = self.walk.wanted
        return [self._score(target, wanted) for target in targets]

    def learn(self, judged: Judged) -> Stale:
        target = judged.target
        by_redirect = target.hops and target.score is not None and target.score >= _FIRST_SCORE
        self.walk.visit(target.id, int((target.score or 0.0) - _FIRST_SCORE) if by_redirect else None)
        self._reading = target.id
        self._share = self._links / max(self._links, len(judged.page.links))
        self._read[fingerprint(target.url)] = target.id
        for link in judged.page.links:
            page = self._read.get(fingerprint(link.url), 0)
            if page and self._counts(page):
                self.walk.link(target.id, page)
        self._changed = True
        return FRESH

    def boundary(self) -> Stale:
        self._reading = 0
        self._changed = True
        self.walk.advance()
        if not self.walk.wanted and self.walk.is_open(self._spare):
            self.walk.walkers[0].wanted = self._spare  # no neighbour is left, so the walk jumps
        wanted = self.walk.wanted
        if self._spare in wanted or not self.walk.is_open(self._spare):
            self._spare = next(self.walk.unread(), 0)
        return Stale(links=tuple(page for page in (*wanted, self._spare) if page))

    def explain(self, target: Target) -> Sequence[str]:
        if not target.depth:
            return ["a seed: the walk starts here"]
        if target.score is not None and target.score >= _FIRST_SCORE:
            return [f"walker {int(target.score)} of {len(self.walk.walkers)} has chosen it by chance"]
        return [f"no walker has chosen it; {len(self.walk.known.get(target.id, ()))} links are known to lead here"]

    def save(self) -> bytes | None:
        changed, self._changed = self._changed, False
        if not changed:
            return None
        return zstandard.ZstdCompressor(level=1).compress(
            msgspec.msgpack.encode(State(self.walk, self._spare, self._read))
        )

    def load(self, state: bytes) -> None:
        saved = msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(state), type=State)
        self.walk, self._spare, self._read = saved.walk, saved.spare, saved.read

    def _score(self, target: Target, wanted: dict[int, int]) -> float:
        page = target.id
        if target.sightings and target.sightings[-1].parent == self._reading and self._counts(page):
            self.walk.link(self._reading, page)
        if page in wanted:
            return _FIRST_SCORE + wanted[page]
        if not target.depth:
            return _SEED_SCORE
        self._spare = self._spare or page
        return SPARE_SCORE if page == self._spare else _UNWANTED_SCORE

    def _counts(self, page: int) -> bool:
        """Returns whether this link of the page that is being read is drawn, by a hash of their numbers, without any memory."""
        if self._share == 1.0:
            return True
        return hash_share(b"%d %d %d" % (self.walk.seed, self._reading, page), 4) < self._share
