"""Fourth stage: text and links out of bytes.

`charset` decodes a body to text: by what header and page declare (`labels`, `prescan`) if that makes words, else by a
`guess`; `decoders` read each encoding as browsers do, and `mojibake` finds letters that were lost earlier. `hazards`
tells whether its markup could make parsing slow, in which case `rewriting` writes it anew, and `tree` parses it once.
One `walk` over the tree collects raw blocks, anchors and head elements; in it, `runs` gather text and anchors, and
`names` reads tags, classes and ids; `table_rows` are joined and `preformatted` blocks split. `boilerplate` folds the
blocks' whitespace and scores each by its `features` and its `neighbours`, with `corrections`; those that are content
become the `main_text`, and its language is told. Only then are anchors turned into `links`, because a link carries the score of
the block around it. `signals` are what the page says about its rights, with `licences`; `metadata` says who wrote it
and when, and `title` finds its title without the name of the site. A PDF is read by `pdf`. `extract` takes the text of
a kept page once more, in `agreement` with another extractor, and finds the `comments` of readers. All of it is a pure
function of its arguments: `glean` returns a `Page`, or the `Drop` that says why these bytes are not a page.
"""

import re
from collections.abc import Callable, Sequence
from itertools import accumulate, islice
from typing import Final, NamedTuple

from msgspec.structs import replace

from opilio.core.items import Block, Comment, Headers, LanguageShare, Page, TextBlock
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.prose import prose_of
from opilio.core.url import Url, parse
from opilio.model.identifier import identify, tell

from . import signals, tree
from .agreement import agreed_scores
from .boilerplate import score_blocks
from .charset import decode_text, looks_binary
from .comments import find_comments
from .corrections import corrected
from .hazards import is_harmless
from .letters import visible
from .licences import licence_signals
from .links import base_of, find_links
from .main_text import MainText, main_text
from .metadata import Claims, describe
from .mojibake import is_garbled
from .pdf import is_pdf, read_pdf
from .plain import paragraphs
from .rewriting import rewrite
from .shell import is_shell
from .tags import NAME
from .tree import HREF_CHARS, Attributes, Tree
from .walk import walk

__all__ = ["Extracted", "MainText", "decode_text", "extract", "glean", "identify", "looks_binary"]

_HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
_FEED_TYPES: Final = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})
_MOST_FEEDS: Final = 10  # of a page
_PLAIN_TYPE: Final = "text/plain"
_MOST_REPLACED_SHARE: Final = 0.05
_MOST_TAGS: Final = (
    250_000  # of a page that are read, each of which takes up to 300 bytes; that is one for every 20 characters
)
_BODY_BYTES: Final = 8_000_000  # of a page that are decoded
_MARKUP_CHARS: Final = 5_000_000  # of a page that are read; a text is cut at limits.text_chars
_LANGUAGE_CHARS: Final = 35  # the length of the longest well-formed tags


class Extracted(NamedTuple):
    """What a page says, taken out of it with care."""

    source: str  # the page's markup
    main: MainText
    comments: tuple[Comment, ...]
    language: str
    language_confidence: float
    languages: tuple[LanguageShare, ...]


def glean(url: Url, depth: int, headers: Headers, body: bytes, limits: Limits, *, context: bool = True) -> Page | Drop:
    """Reads a page out of a body whose content coding has been undone. A page without text is still a page, because its
    links matter. Without `context` the links' `before`, `after` and `path` stay empty, which saves 5 % of the time for
    leads that do not read them."""
    if is_pdf(_media(headers), body):
        page = _pdf_page(url, depth, headers, body, limits)
    elif isinstance(read := _read(headers, body), Drop):
        return read
    elif read.is_plain:
        page = _plain_page(url, depth, headers, read.text, read.charset, limits)
    else:
        page = _html_page(url, depth, headers, read, limits, context)
    if isinstance(page, Drop):
        return page
    return Drop.GARBLED if is_garbled(page.text, unsure=not page.language) else page


def extract(headers: Headers, body: bytes, limits: Limits, other: Callable[[str], str]) -> Extracted | None:
    """Takes the text out of a page once more, with a second opinion: `other` returns what another extractor makes of the
    markup, from which scripts are gone. It costs what that costs. Comments of readers are found as well. Returns None for
    what is not HTML: there `glean` has said everything."""
    read = None if is_pdf(_media(headers), body) else _read(headers, body)
    if not isinstance(read, _Read) or read.is_plain:
        return None
    markup, _ = _harmless(read.text, limits)
    root = tree.parse(markup)
    found = walk(root, limits, paths=False)
    folded, *told = score_blocks(found)
    scores, chances = corrected(found, folded, *told)
    if opinion := other(tree.without_scripts(root)):
        scores = agreed_scores(found.blocks, folded, scores, opinion)
    main = main_text(found, folded, scores, chances)
    language, confidence, shares = tell(prose_of(main.text, main.layout) or main.text)
    return Extracted(read.text, main, find_comments(root), language, confidence, _language_shares(shares))


class _Read(NamedTuple):
    text: str
    charset: str
    is_plain: bool
    is_cut: bool  # there was more of it


def _read(headers: Headers, body: bytes) -> _Read | Drop:
    """Decodes a body, or says why it is not a page."""
    media = _media(headers)
    if media and media not in _HTML_TYPES and media != _PLAIN_TYPE:
        return Drop.CONTENT_TYPE
    if looks_binary(body):
        return Drop.NOT_TEXT
    text, charset, replaced = decode_text(body[:_BODY_BYTES], _content_type(headers))
    if replaced > _MOST_REPLACED_SHARE:
        return Drop.GARBLED
    if "\0" in text:
        text = text.replace("\0", "")
    is_plain = media == _PLAIN_TYPE or (not media and "<" not in text[:1_000])
    is_cut = len(text) > _MARKUP_CHARS or len(body) > _BODY_BYTES
    return _Read(text[:_MARKUP_CHARS], charset, is_plain, is_cut)


def _content_type(headers: Headers) -> str:
    return ", ".join(value for key, value in headers if key.lower() == "content-type")


def _media(headers: Headers) -> str:
    return _content_type(headers).partition(";")[0].strip().lower()


def _harmless(html: str, limits: Limits) -> tuple[bytes, bool]:
    """Returns markup that any tree builder reads in linear time and bounded memory, and whether it was changed for that."""
    is_dense = html.count("<") > _MOST_TAGS
    if is_dense:
        html = html[: next(islice(re.finditer("<", html), _MOST_TAGS, None)).start()]
    markup = html.encode()  # once, for the counts and for the parser
    if is_harmless(markup):
        return markup, is_dense
    return rewrite(html, (limits.tree_depth - 10) // 2).encode(), True  # a list adds two levels per counted tag


def _html_page(url: Url, depth: int, headers: Headers, read: _Read, limits: Limits, context: bool) -> Page:
    html = read.text
    markup, rewritten = _harmless(html, limits)
    root = tree.parse(markup)
    found = walk(root, limits, paths=context)
    folded, scores, chances = score_blocks(found)
    text, words, layout = main_text(found, folded, *corrected(found, folded, scores, chances))
    prose = prose_of(text, layout)
    language, confidence, shares = tell(prose or text)
    base = base_of(found, url)
    links, refused, cut = find_links(found, url, base, scores, limits.links_per_page, context=context)
    said = signals.from_headers(headers) + signals.from_metas(found.metas) + signals.from_links(found.link_tags, links)
    title = visible(found.title)
    claims = Claims(root, html, found.metas, title)
    said += licence_signals(claims, found.link_tags, links, folded.texts)
    names = [NAME[block.tag] for block in found.blocks]
    canonical = _canonical(found, base)
    metadata = describe(claims, title, folded.texts, url, canonical, headers, found.language or language)
    return Page(
        url=url.href,
        host=url.host,
        depth=depth,
        title=metadata.title,
        text=text,
        words=words,
        language=language,
        language_confidence=confidence,
        charset=read.charset,
        canonical=canonical,
        declared_language=found.language.strip()[:_LANGUAGE_CHARS],
        blocks=tuple(map(Block, folded.texts, names, folded.words, folded.densities, scores)),
        links=links,
        classes=tuple(found.classes),
        signals=tuple(said),
        nofollow=signals.asks_nofollow(said),
        truncated=found.truncated or cut or read.is_cut or rewritten,
        refused_links=refused,
        feeds=_feeds(found, base) if found.link_tags else (),
        languages=_language_shares(shares),
        metadata=metadata,
        is_shell=is_shell(html, sum(folded.words)),
        layout=layout,
        judged=None if prose == text else prose,
    )


def _plain_page(url: Url, depth: int, headers: Headers, text: str, charset: str, limits: Limits) -> Page:
    blocks = paragraphs(visible(text[: limits.text_chars]))
    joined = "\n".join(block.text for block in blocks)
    language, confidence, shares = tell(joined)
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
        languages=_language_shares(shares),
        layout=_paragraph_layout(blocks),
    )


def _language_shares(shares: Sequence[tuple[str, float]]) -> tuple[LanguageShare, ...]:
    return tuple(LanguageShare(*each) for each in shares)


def _paragraph_layout(blocks: Sequence[Block]) -> tuple[TextBlock, ...]:
    ends = list(accumulate(len(block.text) + 1 for block in blocks))
    return tuple(TextBlock("p", start, end - 1) for start, end in zip([0, *ends], ends, strict=False))


def _pdf_page(url: Url, depth: int, headers: Headers, body: bytes, limits: Limits) -> Page | Drop:
    found = read_pdf(url, body, limits)
    if isinstance(found, Drop):
        return found
    page = _plain_page(url, depth, headers, "\n\n".join(found.paragraphs), "", limits)
    return replace(
        page,
        title=found.metadata.title,
        metadata=found.metadata,
        links=found.links,
        truncated=page.truncated or found.truncated,
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
