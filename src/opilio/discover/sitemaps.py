"""Sitemaps of known hosts: the pages that a site itself names, with their languages where it says them.

WHERE is a sitemap, or a site, whose sitemaps are those that its robots.txt names, or else /sitemap.xml; or a file that
lists such.
"""

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from opilio.core.languages import find_code
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import parse

from .answer import read_answer
from .find import Find
from .site_source import SiteSource, Visited, digest
from .sitemap_file import MOST_BYTES, SitemapEntry, read_sitemap
from .source import Ask, Question

_LINE: Final = re.compile(r"^[ \t]*site-?maps?[ \t]*:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)
_ROBOTS_BYTES: Final = 500 * 2**10
_MOST_LISTED: Final = 1_000


class Sitemaps(SiteSource):
    """Reads at most `files` sitemaps of a site, indexes of indexes down to `depth`, and takes at most `urls` from a site."""

    name: ClassVar[str] = "sitemaps"

    def __init__(self, where: str = "", files: int = 200, depth: int = 3, urls: int = 10_000) -> None:
        super().__init__(where, files, depth, urls)

    async def enter(self, ask: Ask, site: str) -> Sequence[str]:
        url = parse(site)
        if isinstance(url, Drop) or url.path != "/" or url.query:
            return [site]
        robots = await ask(Question(f"{url.origin}/robots.txt", at_most_bytes=_ROBOTS_BYTES))
        text = robots.body.decode("utf-8", "replace") if robots.outcome is Outcome.OK else ""
        listed = (parse(line, url.href) for line in _LINE.findall(text)[:_MOST_LISTED])
        return [each.href for each in listed if not isinstance(each, Drop)] or [f"{url.origin}/sitemap.xml"]

    async def visit(self, ask: Ask, url: str) -> Visited:
        fetched = await read_answer(ask, Question(url, robots=True, at_most_bytes=MOST_BYTES), self.name)
        sitemap = read_sitemap(fetched.body, f"{self.name}: {url}")
        found = [find for entry in sitemap.pages for find in _finds(entry, url)]
        further = (parse(entry.url, url) for entry in sitemap.sitemaps)
        return Visited(digest(fetched.body), found, [each.href for each in further if not isinstance(each, Drop)])


def _finds(entry: SitemapEntry, origin: str) -> Iterator[Find]:
    """Yields the page with its own language, and then its translations."""
    languages = {url: find_code(code) or "" for code, url in entry.alternates}
    yield Find(entry.url, origin, languages.pop(entry.url, ""))
    for url, language in languages.items():
        yield Find(url, origin, language)
