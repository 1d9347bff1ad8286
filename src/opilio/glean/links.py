"""Anchors to links: resolved, canonical, one `Link` per target.

Rules: hrefs are resolved against <base> and canonicalised by the one URL parser; what is no http(s) URL is counted by
its drop; a pure fragment and a link to the page itself are no links. Several anchors with one target are merged: the
one in the least boilerplate block is kept, of equals the one with the longest anchor text, and `times` counts them
all. Context is up to ten words on each side inside the anchor's own block; a menu item has none, and that says
something too. Where a script has no spaces, a side is bounded by characters instead.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from opilio.core.items import Link
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse

from .tree import Anchor, Tree

_CONTEXT_WORDS: Final = 10
_CONTEXT_CHARS: Final = 160
_ANCHOR_CHARS: Final = 500
_REL_CHARS: Final = 100
_PLAIN_START: Final = frozenset("/.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


def find_links(
    tree: Tree, page: Url, base: str, scores: Sequence[float], most: int
) -> tuple[tuple[Link, ...], dict[str, int], bool]:
    """The links in document order, the refused hrefs by drop, and whether the bound cut some off."""
    groups, refused, cut = _by_target(tree.anchors, page, base, most)
    links = tuple(
        _link(tree, target, anchors, scores, position) for position, (target, anchors) in enumerate(groups.values())
    )
    return links, refused, cut


def _link(tree: Tree, target: Url, anchors: list[Anchor], scores: Sequence[float], position: int) -> Link:
    anchor = anchors[0] if len(anchors) == 1 else max(anchors, key=lambda seen: _merit(seen, scores))
    block = min(anchor.block, len(scores) - 1)
    score = scores[block] if block >= 0 else 0.0
    before, text, after = _texts(tree, anchor)
    text = text or " ".join(anchor.alt[:_ANCHOR_CHARS].split())
    rel = (anchor.attributes.get("rel") or "")[:_REL_CHARS].lower()
    hreflang = (anchor.attributes.get("hreflang") or "")[:_REL_CHARS]
    # By position: names would cost half a microsecond per link.
    return Link(
        target.href, target.host, text, before, after, block, score, anchor.path, rel, hreflang, position, len(anchors)
    )


def base_of(tree: Tree, page: Url) -> str:
    """Where relative hrefs start: <base href> if it names an http(s) place, else the page."""
    base = parse(tree.base, page.href) if tree.base else page
    return page.href if isinstance(base, Drop) else base.href


_Groups = dict[str, tuple[Url, list[Anchor]]]  # by canonical href


def _by_target(anchors: Sequence[Anchor], page: Url, base: str, most: int) -> tuple[_Groups, dict[str, int], bool]:
    groups: _Groups = {}
    refused: dict[str, int] = {}
    directory = base[: base.rindex("/") + 1]
    for anchor in anchors:
        href = anchor.attributes["href"] or ""
        if href[0] == "#":
            continue
        target = _resolve(directory, href) if href[0] in _PLAIN_START else parse(href, base)
        if isinstance(target, Drop):
            refused[target.value] = refused.get(target.value, 0) + 1
        elif (known := groups.get(target.href)) is not None:
            known[1].append(anchor)
        elif target.href != page.href:
            if len(groups) >= most:
                return groups, refused, True
            groups[target.href] = target, [anchor]
    return groups, refused, False


@lru_cache(maxsize=16_384)
def _resolve(directory: str, href: str) -> Url | Drop:
    """Menus stand on every page of a site: resolving costs 4 µs, remembering 0.1. A href that starts like a path or a
    scheme depends only on the base's directory, so pages of one directory share the answers."""
    return parse(href, directory)


def _merit(anchor: Anchor, scores: Sequence[float]) -> tuple[float, int]:
    block = min(anchor.block, len(scores) - 1)
    length = anchor.end - anchor.start if anchor.last == anchor.block else 0
    return -round(scores[block], 1) if block >= 0 else 0.0, length or len(anchor.alt)


def _texts(tree: Tree, anchor: Anchor) -> tuple[str, str, str]:
    """Words before, anchor text, words after. Slices are bounded, so a block of 2,000 links costs no more than 2,000
    blocks."""
    blocks, first, last = tree.blocks, anchor.block, anchor.last
    if first >= len(blocks):
        return "", "", ""
    raw = blocks[first].raw
    before = raw[max(0, anchor.start - _CONTEXT_CHARS) : anchor.start].rsplit(None, _CONTEXT_WORDS)[-_CONTEXT_WORDS:]
    if first == last:
        text = raw[anchor.start : min(anchor.end, anchor.start + _ANCHOR_CHARS)]
        after = raw[anchor.end : anchor.end + _CONTEXT_CHARS].split(None, _CONTEXT_WORDS)[:_CONTEXT_WORDS]
        return " ".join(before), " ".join(text.split()), " ".join(after)
    inner = [raw[anchor.start :], *(block.raw for block in blocks[first + 1 : min(last, first + 10)])]
    if last < len(blocks):
        inner.append(blocks[last].raw[: anchor.end])
    return " ".join(before), " ".join(" ".join(inner)[:_ANCHOR_CHARS].split()), ""
