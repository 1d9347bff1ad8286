"""Sitemaps and feeds as a crawl meets them: files that list pages and are none themselves.

In the queue such a file has a mark behind its URL ("#sitemap", "#feed"). No link of a page can have one, because
canonical URLs have no fragment; and a page that links to the same file does not get in its way. The mark is never sent:
requests have no fragment.
"""

from typing import Final, Literal

from opilio.core.items import Fetched, Link, Page
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse
from opilio.discover import SourceError
from opilio.discover.feed_file import is_feed, read_feed
from opilio.discover.sitemap_file import read_sitemap

Kind = Literal["sitemap", "feed"]
INDEXED: Final = "sitemap"  # the rel of a link from an index to a further sitemap
_ANCHOR_CHARS: Final = 500


def marked(url: Url, kind: Kind) -> str:
    return f"{url.href}#{kind}"


def kind_of(url: str) -> Kind | None:
    """Returns what a queued URL lists, or None if it is that of a page."""
    if "#" not in url:
        return None
    return "feed" if url.endswith("#feed") else "sitemap"


def is_met_feed(fetched: Fetched, body: bytes) -> bool:
    """Returns whether an answer that was taken for a page is a feed. HTML is not looked at."""
    return "html" not in fetched.header("content-type").lower() and is_feed(body)


def read_listing(kind: Kind, url: Url, depth: int, body: bytes, most: int) -> Page | Drop:
    """Returns a page that has nothing but links, `most` of them at most. A link to a further sitemap has the rel `INDEXED`."""
    try:
        links = _of_feed(url, body) if kind == "feed" else _of_sitemap(url, body)
    except SourceError:
        return Drop.NOT_TEXT
    return Page(
        url=url.href, host=url.host, depth=depth, title="", text="", words=0, language="", language_confidence=0.0, charset="",
        canonical="", declared_language="", blocks=(), links=tuple(links[:most]), classes=(), signals=(), nofollow=False,
        truncated=len(links) > most, refused_links={},
    )  # fmt: skip


def _of_feed(url: Url, body: bytes) -> list[Link]:
    found: dict[str, Link] = {}
    for entry in read_feed(body, url.href):
        target = parse(entry.url, url.href)
        if not isinstance(target, Drop):
            link = Link(target.href, target.host, " ".join(entry.title.split())[:_ANCHOR_CHARS], path="feed entry")
            found.setdefault(target.href, link)
    return list(found.values())


def _of_sitemap(url: Url, body: bytes) -> list[Link]:
    sitemap = read_sitemap(body, url.href)
    named = [(entry.url, "", "") for entry in sitemap.pages] + [(entry.url, "", INDEXED) for entry in sitemap.sitemaps]
    named += [(other, language, "") for entry in sitemap.pages for language, other in entry.alternates]
    found: dict[str, Link] = {}
    for written, language, rel in named:
        target = parse(written, url.href)
        if not isinstance(target, Drop):
            link = Link(target.href, target.host, path="sitemap url", rel=rel, hreflang=language)
            found.setdefault(target.href, link)
    return list(found.values())
