"""Turns anchors into links: resolved, canonical, one `Link` per target.

Rules: hrefs are resolved against <base> and canonicalised by the one URL parser; those that are not http(s) URLs are
counted by their drop; a pure fragment and a link to the page itself are ignored. Several anchors with one target are
merged: the one in the block with the least boilerplate is kept, among equals the one with the longest anchor text, and
`times` counts them all. `also` says where the others stand, up to three places: each tag path that is not there yet once,
and then other blocks. Context is up to ten words on each side inside the anchor's own block; a menu item has none, which
is informative too. For scripts without spaces, a side is bounded by characters instead.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from opilio.core.items import Link, Place
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse, resolve

from .tree import HREF_CHARS, Anchor, RawBlock, Tree

_CONTEXT_WORDS: Final = 10
_CONTEXT_CHARS: Final = 160
_ANCHOR_CHARS: Final = 500
_REL_CHARS: Final = 100
_CACHED_CHARS: Final = 200
_OTHER_PLACES: Final = 3  # of a link; few have more, and each costs 100 bytes in the frontier
_WHOLE: Final = ("http://", "https://")
_ANYWHERE: Final = Url("http://anywhere.invalid/", "http", "anywhere.invalid", 80, "/", "")  # whole URLs have any base
_PLAIN_START: Final = frozenset("/.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


def find_links(
    tree: Tree, page: Url, base: Url, scores: Sequence[float], most: int, *, context: bool = True
) -> tuple[tuple[Link, ...], dict[str, int], bool]:
    """Returns the links in document order, the number of refused hrefs by drop, and whether the bound cut some off.
    Without `context` the words before and after and the other places are left empty, which saves a third of the cost."""
    groups, refused, cut = _by_target(tree.anchors, page, base, most)
    links = []
    last_block = len(scores) - 1
    for position, (target, anchors) in enumerate(groups.values()):
        anchor = anchors[0] if len(anchors) == 1 else max(anchors, key=lambda seen: _merit(seen, scores))
        also = _others(anchors, anchor, last_block) if context and len(anchors) > 1 else ()
        block = anchor.block if anchor.block < last_block else last_block  # noqa: FURB136  min costs 0.1 µs
        before, text, after = _texts(tree.blocks, anchor, context)
        hreflang = anchor.attributes.get("hreflang")
        # The arguments are positional, because keywords would cost half a microsecond per link.
        links.append(
            Link(
                target.href,
                target.host,
                text or " ".join(anchor.alt[:_ANCHOR_CHARS].split()),
                before,
                after,
                block,
                scores[block] if block >= 0 else 0.0,
                anchor.path,
                _rel(anchor),
                hreflang[:_REL_CHARS] if hreflang else "",
                position,
                len(anchors),
                also,
            )
        )
    return tuple(links), refused, cut


def base_of(tree: Tree, page: Url) -> Url:
    """Returns the base of relative hrefs: <base href> if that is an http(s) URL, else the page."""
    base = parse(tree.base, page.href) if 0 < len(tree.base) <= HREF_CHARS else page
    return page if isinstance(base, Drop) else base


_Groups = dict[str, tuple[Url, list[Anchor]]]  # by canonical href


def _by_target(anchors: Sequence[Anchor], page: Url, base: Url, most: int) -> tuple[_Groups, dict[str, int], bool]:
    groups: _Groups = {}
    refused: dict[str, int] = {}
    directory, itself = base.directory, page.href
    for anchor in anchors:
        href = anchor.attributes["href"] or ""
        if href[0] == "#":
            continue
        target = _target(directory, base, href)
        if isinstance(target, Drop):
            refused[target.value] = refused.get(target.value, 0) + 1
        elif (known := groups.get(target.href)) is not None:
            known[1].append(anchor)
        elif target.href != itself:
            if len(groups) >= most:
                return groups, refused, True
            groups[target.href] = target, [anchor]
    return groups, refused, False


def _target(directory: Url, base: Url, href: str) -> Url | Drop:
    if len(href) <= _CACHED_CHARS and href[0] in _PLAIN_START:
        return _resolve(_ANYWHERE if href.startswith(_WHOLE) else directory, href)
    if len(href) > HREF_CHARS:
        return Drop.URL_TOO_LONG
    target = parse(href, base.href, HREF_CHARS)
    return Drop.URL_TOO_LONG if isinstance(target, Url) and len(target.href) > HREF_CHARS else target


@lru_cache(maxsize=16_384)
def _resolve(directory: Url, href: str) -> Url | Drop:
    """Resolves a href with a cache, because menus are on every page of a site and a hit costs a tenth of resolving. A
    href that starts like a path or a scheme depends only on the base's directory, so pages of one directory share
    entries, and whole URLs are shared by all pages."""
    return resolve(directory, href)


def _merit(anchor: Anchor, scores: Sequence[float]) -> tuple[float, int]:
    block = min(anchor.block, len(scores) - 1)
    length = anchor.end - anchor.start if anchor.last == anchor.block else 0
    return -round(scores[block], 1) if block >= 0 else 0.0, length or len(anchor.alt)


def _others(anchors: Sequence[Anchor], main: Anchor, last_block: int) -> tuple[Place, ...]:
    """Returns the places of a link other than that of its main anchor, which are not all alike."""
    found = dict.fromkeys(
        Place(min(anchor.block, last_block), anchor.path, _rel(anchor)) for anchor in (main, *anchors)
    )
    firsts: dict[tuple[str, str], Place] = {}
    for place in found:
        firsts.setdefault((place.path, place.rel), place)
    return tuple(dict.fromkeys((*firsts.values(), *found)))[1 : 1 + _OTHER_PLACES]


def _rel(anchor: Anchor) -> str:
    rel = anchor.attributes.get("rel")
    return rel[:_REL_CHARS].lower() if rel else ""


def _texts(blocks: Sequence[RawBlock], anchor: Anchor, context: bool) -> tuple[str, str, str]:
    """Returns the words before, the anchor text and the words after. Slices are bounded, so that a block of 2,000 links
    costs no more than 2,000 blocks."""
    first, start, end = anchor.block, anchor.start, anchor.end
    if first >= len(blocks):
        return "", "", ""
    raw, before, after = blocks[first].raw, "", ""
    if context and start:
        words = raw[start - _CONTEXT_CHARS if start > _CONTEXT_CHARS else 0 : start].rsplit(None, _CONTEXT_WORDS)
        before = " ".join(words[-_CONTEXT_WORDS:])
    if first == anchor.last:
        if context and end < len(raw):
            words = raw[end : end + _CONTEXT_CHARS].split(None, _CONTEXT_WORDS)
            after = " ".join(words[:_CONTEXT_WORDS])
        text = raw[start : end if end - start < _ANCHOR_CHARS else start + _ANCHOR_CHARS]
        return before, " ".join(text.split()), after
    inner = [raw[start:], *(block.raw for block in blocks[first + 1 : min(anchor.last, first + 10)])]
    if anchor.last < len(blocks):
        inner.append(blocks[anchor.last].raw[:end])
    return before, " ".join(" ".join(inner)[:_ANCHOR_CHARS].split()), ""
