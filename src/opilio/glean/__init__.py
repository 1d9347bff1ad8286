"""Fourth stage: text and links out of bytes.

`charset` decodes a body to text, `hazards` tells whether its markup could make parsing slow, in which case `rewriting`
writes it anew, and `tree` parses it once. One `walk` over the tree collects raw blocks, anchors and head elements; in
it, `runs` gather text and anchors, and `names` reads tags, classes and ids. `boilerplate` folds the blocks' whitespace
and scores each by its `features`; the blocks that are content become the page's text, and `identify` finds its
language. Only then are anchors turned into `links`, because a link carries the score of the block around it. `signals`
are what the page says about its rights. All of it is a pure function of its arguments: `glean` returns a `Page`, or the
`Drop` that says why these bytes are not a page.
"""

from typing import Final

from opilio.core.items import Block, Headers, Page
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse
from opilio.model.identifier import identify

from . import signals, tree
from .boilerplate import main_text, score_blocks
from .charset import decode_text, looks_binary
from .hazards import is_harmless
from .links import base_of, find_links
from .plain import paragraphs
from .rewriting import rewrite
from .tags import NAME
from .tree import HREF_CHARS, Attributes, Tree
from .walk import walk

__all__ = ["decode_text", "glean", "identify", "looks_binary"]

_HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
_FEED_TYPES: Final = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})
_MOST_FEEDS: Final = 10  # of a page
_PLAIN_TYPE: Final = "text/plain"
_MOST_REPLACED_SHARE: Final = 0.05
_TITLE_CHARS: Final = 1_000
_MARKUP_CHARS: Final = 5_000_000  # of a page that are read; a text is cut at limits.text_chars
_LANGUAGE_CHARS: Final = 35  # the length of the longest well-formed tags


def glean(url: Url, depth: int, headers: Headers, body: bytes, limits: Limits, *, context: bool = True) -> Page | Drop:
    """Reads a page out of a body whose content coding has been undone. A page without text is still a page, because its
    links matter. Without `context` the links' `before`, `after` and `path` stay empty, which saves 5 % of the time for
    leads that do not read them."""
    content_type = ", ".join(value for key, value in headers if key.lower() == "content-type")
    media = content_type.partition(";")[0].strip().lower()
    if media and media not in _HTML_TYPES and media != _PLAIN_TYPE:
        return Drop.CONTENT_TYPE
    if looks_binary(body):
        return Drop.NOT_TEXT
    text, charset, replaced = decode_text(body, content_type)
    if replaced > _MOST_REPLACED_SHARE:
        return Drop.GARBLED
    if "\0" in text:
        text = text.replace("\0", "")
    if media == _PLAIN_TYPE or (not media and "<" not in text[:1_000]):
        return _plain_page(url, depth, headers, text, charset, limits)
    return _html_page(url, depth, headers, text, charset, limits, context)


def _html_page(url: Url, depth: int, headers: Headers, html: str, charset: str, limits: Limits, context: bool) -> Page:
    html, shortened = html[:_MARKUP_CHARS], len(html) > _MARKUP_CHARS
    if not is_harmless(html):
        html, shortened = rewrite(html, (limits.tree_depth - 10) // 2), True  # a list adds two levels per counted tag
    found = walk(tree.parse(html), limits, paths=context)
    folded, scores = score_blocks(found)
    text, words = main_text(folded, scores)
    language, confidence = identify(text)
    base = base_of(found, url)
    links, refused, cut = find_links(found, url, base, scores, limits.links_per_page, context=context)
    said = signals.from_headers(headers) + signals.from_metas(found.metas) + signals.from_links(found.link_tags, links)
    names = [NAME[block.tag] for block in found.blocks]
    return Page(
        url=url.href,
        host=url.host,
        depth=depth,
        title=" ".join(found.title[:_TITLE_CHARS].split()),
        text=text,
        words=words,
        language=language,
        language_confidence=confidence,
        charset=charset,
        canonical=_canonical(found, base),
        declared_language=found.language.strip()[:_LANGUAGE_CHARS],
        blocks=tuple(map(Block, folded.texts, names, folded.words, folded.densities, scores)),
        links=links,
        classes=tuple(found.classes),
        signals=tuple(said),
        nofollow=signals.asks_nofollow(said),
        truncated=found.truncated or cut or shortened,
        refused_links=refused,
        feeds=_feeds(found, base) if found.link_tags else (),
    )


def _plain_page(url: Url, depth: int, headers: Headers, text: str, charset: str, limits: Limits) -> Page:
    blocks = paragraphs(text[: limits.text_chars])
    joined = "\n".join(block.text for block in blocks)
    language, confidence = identify(joined)
    said = signals.from_headers(headers)
    return Page(
        url=url.href,
        host=url.host,
        depth=depth,
        title="",
        text=joined,
        words=sum(block.words for block in blocks),
        language=language,
        language_confidence=confidence,
        charset=charset,
        canonical="",
        declared_language="",
        blocks=blocks,
        links=(),
        classes=(),
        signals=tuple(said),
        nofollow=signals.asks_nofollow(said),
        truncated=len(text) > limits.text_chars,
        refused_links={},
    )


def _feeds(found: Tree, base: Url) -> tuple[str, ...]:
    """Returns the feeds that the head of a page names."""
    feeds: dict[str, None] = {}
    for attributes in found.link_tags:
        media = (attributes.get("type") or "")[:100].partition(";")[0].strip().lower()
        if (
            media in _FEED_TYPES
            and "alternate" in signals.relations(attributes)
            and (target := _named(attributes, base))
        ):
            feeds[target] = None
    return tuple(feeds)[:_MOST_FEEDS]


def _canonical(found: Tree, base: Url) -> str:
    return next((_named(one, base) for one in found.link_tags if "canonical" in signals.relations(one)), "")


def _named(attributes: Attributes, base: Url) -> str:
    """Returns the URL that a <link> names, or "" if it is not one."""
    href = attributes.get("href") or ""
    target = parse(href, base.href) if len(href) <= HREF_CHARS else Drop.URL_TOO_LONG
    return "" if isinstance(target, Drop) else target.href
