"""Feeds of known hosts: the newest pages of a site, as RSS, Atom or JSON Feed.

WHERE is a feed, or a page whose head names feeds, such as the front page of a site; or a file that lists such.
"""

from collections.abc import Sequence
from typing import ClassVar, Final

from opilio.core.languages import find_code
from opilio.core.outcome import Drop
from opilio.core.url import parse

from .answer import read_answer
from .feed_file import feeds_of_page, is_feed, read_feed
from .find import Find
from .site_source import SiteSource, Visited, digest
from .source import Ask, Question, SourceError

_FEED_BYTES: Final = 10 * 2**20


class Feeds(SiteSource):
    """Reads at most `files` feeds of a site, and takes at most `urls` from it."""

    name: ClassVar[str] = "feeds"

    def __init__(self, where: str = "", files: int = 20, urls: int = 1_000) -> None:
        super().__init__(where, files, 1, urls)

    async def enter(self, ask: Ask, site: str) -> Sequence[str]:  # noqa: ARG002  a site begins with its own page
        return [site]

    async def visit(self, ask: Ask, url: str) -> Visited:
        question = Question(url, robots=True, at_most_bytes=_FEED_BYTES)
        fetched = await read_answer(ask, question, self.name)
        if not is_feed(fetched.body):
            return Visited(b"", (), self._feeds(fetched.body, url))
        found = []
        for entry in read_feed(fetched.body, f"{self.name}: {url}"):
            page = parse(entry.url, fetched.url)
            if not isinstance(page, Drop):
                found.append(Find(page.href, url, find_code(entry.language) or "", message=entry.title))
        return Visited(digest(fetched.body), found)

    def _feeds(self, html: bytes, url: str) -> list[str]:
        named = (parse(href, url) for href in feeds_of_page(html))
        found = [feed.href for feed in named if not isinstance(feed, Drop)]
        if not found:
            raise SourceError(f"{self.name}: {url} is not a feed, and names none. Give the address of a feed.")
        return found
