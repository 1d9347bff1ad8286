"""The rules that say whether a URL may be fetched at all: pure functions of the [scope] settings, applied to every seed, link
and redirect.

The answer is a `Drop` or None, so that the same call decides during the crawl and explains afterwards. The one rule
that needs memory, how many query strings a path has had, is `QueryCounts`.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection
from typing import Final

from opilio.core.media import MEDIA_ENDINGS, is_feed_path, path_ending
from opilio.core.outcome import Drop
from opilio.core.tables import Scope
from opilio.core.url import Url

_SEGMENT: Final = re.compile(r"[^/]+")


class Admission:
    """The rules of one crawl. `address_refused` refuses literal addresses, and comes from the fetch stage; `readable` are the
    endings of files that can be read though they are not web pages."""

    def __init__(
        self,
        scope: Scope,
        max_hops: int,
        address_refused: Callable[[str], bool] = lambda _host: False,
        readable: Collection[str] = (),
    ) -> None:
        self._scope = scope
        self._max_hops = max_hops
        self._address_refused = address_refused
        self._hosts = frozenset(host.lower() for host in scope.hosts)
        self._domains = tuple(domain.lower().strip(".") for domain in scope.domains)
        self._include = tuple(map(re.compile, scope.include))  # one by one: groups and flags stay each pattern's own
        self._exclude = tuple(map(re.compile, scope.exclude))
        self._media = frozenset() if scope.media else MEDIA_ENDINGS - set(readable)
        self._extensions = frozenset(scope.extensions)
        self._host_verdicts: dict[str, Drop | None] = {}

    @property
    def url_chars(self) -> int:
        return self._scope.url_chars

    def refuse(self, url: Url, depth: int, hops: int = 0) -> Drop | None:
        """Returns why the URL may not be queued, or None if it may. The cheapest rules come first: about 2 µs a link."""
        if hops > self._max_hops:
            return Drop.REDIRECT_LIMIT
        if depth > self._scope.max_depth:
            return Drop.TOO_DEEP
        host = url.host
        verdict = self._host_verdicts[host] if host in self._host_verdicts else self._judge_host(host)
        return verdict or self._refuse_page(url)

    def refuse_listing(self, url: Url, hops: int = 0) -> Drop | None:
        """Returns why a sitemap or a feed may not be queued. What rules say of paths is about pages, except that what is excluded
        stays excluded."""
        if hops > self._max_hops:
            return Drop.REDIRECT_LIMIT
        verdict = self._judge_host(url.host)
        if verdict is None and len(url.href) > self._scope.url_chars:
            return Drop.URL_TOO_LONG
        if verdict is None and any(pattern.search(url.href) for pattern in self._exclude):
            return Drop.URL_EXCLUDED
        return verdict

    def _judge_host(self, host: str) -> Drop | None:
        verdict = None
        if self._address_refused(host):
            verdict = Drop.ADDRESS
        elif self._hosts and host not in self._hosts:
            verdict = Drop.HOST_OUT_OF_SCOPE
        elif self._domains and not any(host == domain or host.endswith(f".{domain}") for domain in self._domains):
            verdict = Drop.DOMAIN_OUT_OF_SCOPE
        if len(self._host_verdicts) >= 100_000:
            self._host_verdicts.clear()
        self._host_verdicts[host] = verdict
        return verdict

    def _refuse_page(self, url: Url) -> Drop | None:
        if len(url.href) > self._scope.url_chars:
            return Drop.URL_TOO_LONG
        ending = path_ending(url.path)
        if ending in self._media and not (self._scope.feeds and is_feed_path(url.path)):
            return Drop.MEDIA
        if self._extensions and ending not in self._extensions:
            return Drop.EXTENSION
        if url.path.count("/") > self._scope.repeated_segments and self._repeats(url.path):
            return Drop.REPEATED_SEGMENTS
        if url.query and url.query.count("&") >= self._scope.query_parameters:
            return Drop.QUERY_EXPLOSION
        if any(pattern.search(url.href) for pattern in self._exclude):
            return Drop.URL_EXCLUDED
        if self._include and not any(pattern.search(url.href) for pattern in self._include):
            return Drop.URL_NOT_INCLUDED
        return None

    def _repeats(self, path: str) -> bool:
        return max(Counter(_SEGMENT.findall(path)).values(), default=0) > self._scope.repeated_segments


class QueryCounts:
    """Counts how many distinct query strings each path has had. It is bounded: beyond `paths` paths the counts start again,
    which at worst gives a trap its quota twice."""

    def __init__(self, limit: int, paths: int = 200_000) -> None:
        self._limit = limit
        self._paths = paths
        self._counts: dict[str, int] = {}

    def refuse(self, url: Url) -> Drop | None:
        """Counts a new URL. Returns a drop if its path has had too many query strings."""
        if not url.query:
            return None
        key = url.host + url.path
        count = self._counts.get(key, 0) + 1
        if count > self._limit:
            return Drop.QUERY_EXPLOSION
        if len(self._counts) >= self._paths:
            self._counts.clear()
        self._counts[key] = count
        return None
