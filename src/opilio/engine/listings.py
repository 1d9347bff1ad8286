"""Reads the sitemaps and feeds of hosts that yield: which of them are queued, and what is taken from them.

Rules:
* A host's listings are asked for only after one of its pages was kept, and only those that the host names itself:
  sitemaps in its robots.txt, feeds in the head of a page that was kept. Nothing is guessed, so that a host without any
  costs no request.
* A feed that is met where a page was expected, as a link or a seed, is read like one that was named.
* They are fetched like pages: under leases, politely, by the rules of robots.txt, and they count as fetched.
* At most as many links of a host are taken as the settings say, and at most `_MOST_FILES` files are read.
* Their links are admitted and scored like those of the page that led to the listing.

What was taken is counted in memory. A resumed crawl begins to count again, and at worst takes twice as much of a host.
"""

from collections.abc import Container, Sequence
from typing import Final

from msgspec.structs import replace

from opilio.core.bounded import BoundedMap
from opilio.core.items import Lease, Page
from opilio.core.outcome import Drop
from opilio.core.tables import Scope
from opilio.core.url import parse

from .follow import Follow
from .listing import INDEXED, Kind, kind_of

_MOST_FILES: Final = 10  # of a host and a kind
_MOST_HOSTS: Final = 100_000


class Listings:
    """`recorded` is a recorded web, whose listings are read only if they were recorded, so that asking in vain costs nothing."""

    def __init__(self, follow: Follow, scope: Scope, recorded: Container[str] | None = None) -> None:
        self._follow = follow
        self._most: dict[Kind, int] = {"sitemap": scope.sitemaps, "feed": scope.feeds}
        self._recorded = recorded
        if scope.max_depth == 0:  # no link is followed, so none is wanted
            self._most = dict.fromkeys(self._most, 0)
        self._files: BoundedMap[tuple[str, Kind], set[str]] = BoundedMap(_MOST_HOSTS)  # by host
        self._links: BoundedMap[tuple[str, Kind], int] = BoundedMap(_MOST_HOSTS)

    def kept(self, lease: Lease, page: Page, sitemaps: Sequence[str], now_s: float) -> None:
        """Is told of every kept page, with the sitemaps that its host names."""
        if sitemaps and self._most["sitemap"]:
            self._queue(lease, sitemaps, "sitemap", now_s)
        if page.feeds and self._most["feed"]:
            self._queue(lease, page.feeds, "feed", now_s)

    def is_full(self, lease: Lease) -> bool:
        """Returns whether enough links of the host were taken, so that the listing need not be fetched any more. A link to a
        feed that was queued as such need not either."""
        kind = kind_of(lease.url)
        if kind is None:
            return lease.url in self._files.get((lease.host, "feed"), ())
        return self._links.get((lease.host, kind), 0) >= self._most[kind]

    def read(self, lease: Lease, page: Page, now_s: float) -> int:
        """Takes the links of a listing that was fetched, up to what may still be taken of its host. Returns how many."""
        kind = kind_of(lease.url) or "feed"  # one that was met as a page
        further = [link.url for link in page.links if link.rel == INDEXED]
        if further:
            self._queue(lease, further, kind, now_s)
        key = (lease.host, kind)
        room = max(0, self._most[kind] - self._links.get(key, 0))
        links = tuple(link for link in page.links if link.rel != INDEXED)[:room]
        self._links[key] = self._links.get(key, 0) + len(links)
        if links:
            self._follow.listed(lease, replace(page, links=links), now_s)
        return len(links)

    def _queue(self, lease: Lease, urls: Sequence[str], kind: Kind, now_s: float) -> None:
        """Queues those that were not met yet. Most kept pages name what the first one has named."""
        met = self._files.setdefault((lease.host, kind), set())
        fresh = [url for url in urls if url not in met][: _MOST_FILES - len(met)]
        if not fresh:
            return
        met.update(fresh)
        parsed = (parse(url, lease.url) for url in fresh)
        targets = [url for url in parsed if not isinstance(url, Drop)]
        if self._recorded is not None:
            targets = [url for url in targets if url.href in self._recorded]
        if targets:
            self._follow.listings(lease, targets, kind, now_s)
