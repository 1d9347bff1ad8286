"""Tells whether a page's markup could cost a tree builder more than its share, from counts that no page can falsify.

Some shapes cost any standard tree builder the square of their size: elements nested deep (for each new tag, all open
elements may be searched), formatting that is never closed (each new paragraph opens all of it again: 16 KB became 375
MB), end tags that close nothing, and tags with thousands of attributes (each is compared with all others).

The counts are upper bounds, which no disguise can lower: a tag needs a "<", and what quotes or scripts may hide from
the tokenizer lies inside of a long match. So a page that passes is harmless, whatever its author had in mind; one that
does not is written anew (`rewriting`), which costs some milliseconds and changes nothing that matters. Ordinary pages
cost one scan.
"""

import re
from collections import defaultdict
from itertools import islice
from typing import Final

from .markup import ATTRIBUTE, QUOTED_END, SPAN, tokens

MOST_TAGS: Final = 120_000  # a tree of 50 MB
_HARMLESS_COPIES: Final = 400_000  # nodes that reopened formatting may add: 50 MB
_HARMLESS_STEPS: Final = 50_000_000  # comparisons of attributes, or steps through open elements: 0.1 s
_SHORT_CHARS: Final = 300  # so few attributes fit into shorter tags that only their sum can do harm
_HARMLESS_ATTRIBUTES: Final = 300_000  # 40 MB
FORMATS: Final = frozenset(("b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"))
# Both cases of each letter are listed, which is three times as fast as IGNORECASE.
_FORMAT: Final = re.compile(
    "<(?:" + "|".join("".join(f"[{c}{c.upper()}]" for c in name) for name in sorted(FORMATS)) + r")[\s>/]"
)
# Void elements, and those that close their own kind, do not nest by themselves.
FLAT_TAGS: Final = frozenset(
    (
        "p", "li", "dt", "dd", "td", "th", "tr", "tbody", "thead", "tfoot", "option", "optgroup", "br", "img", "hr", "input",
        "meta", "link", "base", "area", "col", "embed", "source", "track", "wbr", "param",
    )
)  # fmt: skip


def is_harmless(html: str) -> bool:
    """Tests from cheap to expensive."""
    tags = html.count("<")
    if tags > MOST_TAGS or not _has_few_attributes(html):
        return False
    if tags * tags <= 4 * _HARMLESS_COPIES:
        return True
    formats = len(_FORMAT.findall(html))
    return formats * tags <= _HARMLESS_COPIES and (tags * tags <= _HARMLESS_STEPS or _is_shallow(html, tags))


def _has_few_attributes(html: str) -> bool:
    """Returns whether no tag has too many attributes, nor all of them together. Their lengths are mostly enough to know: an
    attribute takes two characters. On small pages it is enough that all tags end soon."""
    if len(html) <= 2 * _HARMLESS_ATTRIBUTES and _ends_tags_soon(html):
        return True
    spans = SPAN.findall(html)
    lengths = [*map(len, spans)]
    total, longest = sum(lengths), max(lengths, default=0)
    is_large = total > 2 * _HARMLESS_ATTRIBUTES
    if not is_large and longest * total <= 4 * _HARMLESS_STEPS:
        return True
    steps = attributes = 0
    for span in spans:
        if is_large or len(span) > _SHORT_CHARS:
            count = sum(1 for _ in islice(ATTRIBUTE.finditer(span, 1), _HARMLESS_ATTRIBUTES))
            steps += count * count
            attributes += count
            if steps > _HARMLESS_STEPS or attributes > _HARMLESS_ATTRIBUTES:
                return False
    return True


def _ends_tags_soon(html: str) -> bool:
    """Returns whether every tag ends at the next ">", and there is one before a tag can have too many attributes. A run without
    any fills one of the pieces completely."""
    piece_chars = 2 * _HARMLESS_STEPS // (len(html) + 1)
    pieces = range(0, len(html) - piece_chars, piece_chars)
    return all(html.find(">", start, start + piece_chars) >= 0 for start in pieces) and not QUOTED_END.search(html)


def _is_shallow(html: str, tags: int) -> bool:
    """Returns whether open elements are too few to do harm. An end tag counts only if its name is open."""
    depth = deepest = 0
    opened: defaultdict[str, int] = defaultdict(int)
    for token in tokens(html):
        name = token.name
        if not name or name in FLAT_TAGS:
            continue
        if not token.closes:
            opened[name] += 1
            depth += 1
            deepest = max(depth, deepest)
        elif opened[name]:
            opened[name] -= 1
            depth -= 1
    return tags * deepest <= _HARMLESS_STEPS
