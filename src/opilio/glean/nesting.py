"""Removes markup that would make any standard tree builder slow or its tree huge, before parsing.

Three shapes cost the square of their size: elements nested tens of thousands deep (for each new block, all open
elements are searched for an open `p`), formatting tags that are never closed (each new paragraph opens all of them
again: 16 KB became 375 MB), and one tag with tens of thousands of attributes (each is compared with all others).
Browsers flatten the first at depth 512; here all three are flattened. A page of more than 200,000 tags is cut there.

Rules: apart from that cut, only tags are removed, never text. Ordinary pages cost one count (16 µs for 30 KB) and stay
unchanged. Everything here is linear.
"""

import re
from typing import Final

_HARMLESS_COPIES: Final = 400_000  # nodes that reopened formatting may add: 50 MB
_HARMLESS_STEPS: Final = 20_000_000  # steps through open elements: 0.1 s
_CHUNK_CHARS: Final = 8_192
_TAG_CHARS: Final = 16_384
_MOST_FORMATS: Final = 30
_MOST_TAGS: Final = 200_000  # a tree of 80 MB
_FORMATS: Final = frozenset(
    ("b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
)
# Both cases of each letter are listed, which is three times as fast as IGNORECASE.
_OPEN_FORMAT: Final = re.compile(
    "<(?:" + "|".join("".join(f"[{c}{c.upper()}]" for c in name) for name in sorted(_FORMATS)) + r")[\s>/]"
)
# Void elements, and those that close their own kind, do not nest by themselves.
_FLAT_TAGS: Final = frozenset(
    (
        "p", "li", "dt", "dd", "td", "th", "tr", "tbody", "thead", "tfoot", "option", "optgroup", "br", "img", "hr", "input",
        "meta", "link", "base", "area", "col", "embed", "source", "track", "wbr", "param",
    )
)  # fmt: skip
_TOKEN: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|title|textarea|xmp)\b.*?(?:</\1\b|\Z)|<(/?)([a-z][a-z0-9:-]*)[^<>]*>?",
    re.DOTALL | re.IGNORECASE,
)
_ENDLESS_TAG: Final = re.compile(rf"(<[a-zA-Z][^<>]{{{_TAG_CHARS}}})[^<>]*")


def flatten(html: str, most_depth: int) -> tuple[str, bool]:
    """Returns the markup without tags that nest too deep, and whether any were removed."""
    size = len(html)
    if _has_endless_tag(html):
        html = _ENDLESS_TAG.sub(r"\1", html)
    tags = html.count("<")
    if tags > _MOST_TAGS:
        html, tags = _first_tags(html)
    if _is_suspect(html, tags):
        html = _take_out(html, most_depth)
    return html, len(html) != size


def _is_suspect(html: str, tags: int) -> bool:
    """Tests from cheap to expensive: whether the tags, the formatting tags or the open tags are too few to do harm."""
    if tags * tags <= 4 * _HARMLESS_COPIES:
        return False
    formats = len(_OPEN_FORMAT.findall(html))
    if formats * (tags - formats) > _HARMLESS_COPIES:
        return True
    return tags * tags > _HARMLESS_STEPS and tags * _deepest(html) > _HARMLESS_STEPS


def _has_endless_tag(html: str) -> bool:
    """A run of sixteen thousand characters without ">" must fill one of these pieces completely."""
    return any(
        html.find(">", start, start + _CHUNK_CHARS) < 0 for start in range(0, len(html) - _CHUNK_CHARS, _CHUNK_CHARS)
    )


def _first_tags(html: str) -> tuple[str, int]:
    tags = start = 0
    while tags < _MOST_TAGS:
        tags += html.count("<", start, start + _CHUNK_CHARS)
        start += _CHUNK_CHARS
    return html[:start], tags


def _deepest(html: str) -> int:
    """Returns an upper bound of the depth: what is open where a piece starts plus all that the piece opens."""
    deepest = depth = 0
    for start in range(0, len(html), _CHUNK_CHARS):
        end = start + _CHUNK_CHARS
        closes = html.count("</", start, end)
        opens = html.count("<", start, end) - closes
        deepest = max(deepest, depth + opens)
        depth = max(0, depth + opens - closes)
    return deepest


def _take_out(html: str, most_depth: int) -> str:
    kept: list[str] = []
    copied = 0
    open_tags = {True: 0, False: 0}  # formatting and others
    most = {True: _MOST_FORMATS, False: most_depth}
    for token in _TOKEN.finditer(html):
        name = (token[3] or "").lower()
        if not name or name in _FLAT_TAGS:
            continue
        kind = name in _FORMATS
        before = open_tags[kind]
        after = open_tags[kind] = max(0, before - 1) if token[2] else before + 1
        if max(before, after) > most[kind]:
            kept.append(html[copied : token.start()])
            copied = token.end()
    return "".join((*kept, html[copied:]))
