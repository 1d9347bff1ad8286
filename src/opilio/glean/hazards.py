"""Tells whether a page's markup could cost a tree builder more than its share, from counts that no page can falsify.

Some shapes cost any standard tree builder the square of their size: elements nested deep (for each new tag, all open
elements may be searched), formatting that is never closed (each new paragraph opens all of it again, with all of its
attributes: 400 KB became 6 GB), end tags that close nothing, and tags with thousands of attributes (each is compared
with all others).

The counts are upper bounds, which no disguise can lower. A tag needs a "<", and may open an element that is never closed,
whatever end tags follow: which of them count depends on all that is open. Where a tag ends follows from its own
characters; so a tag is read at *every* "<", even inside of comments, scripts and the values of other tags, where a
quotation mark could hide what comes after. That a page makes such readings overlap again and again is a hazard in itself.
So a page that passes is harmless, whatever its author had in mind; one that does not is written anew (`rewriting`), which
costs some milliseconds and changes nothing that matters. That happens to one ordinary page in a hundred, with thousands of tags.
"""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from .markup import ATTRIBUTE, NAME, QUOTED_END, REST

_HARMLESS_COPIES_BYTES: Final = 50_000_000  # of formatting that is opened again
_NODE_BYTES: Final = 120
_ATTRIBUTE_BYTES: Final = 100  # besides its characters
_HARMLESS_STEPS: Final = 50_000_000  # comparisons of attributes, or steps from tags through open elements: 0.5 s
_SHORT_CHARS: Final = 300  # so few attributes fit into shorter tags that only their sum can do harm
_HARMLESS_ATTRIBUTES: Final = 300_000  # 40 MB
_MOST_READINGS: Final = 4  # of a page's characters, on average
FORMATS: Final = frozenset(("b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"))
_TAG: Final = re.compile(rf"<(?!/?[a-zA-Z0-9]*+>)(?=(/?{NAME}{REST}))")  # only those that may have attributes
# Both cases of each letter are listed, which is three times as fast as IGNORECASE.
_FORMAT_NAMES: Final = "|".join("".join(f"[{c}{c.upper()}]" for c in name) for name in sorted(FORMATS))
_FORMAT: Final = re.compile(rf"<(?=(?:{_FORMAT_NAMES})([\s/]{REST}|>))")
_ANCHOR: Final = re.compile(rf"<(?=[aA]([\s/]{REST}))")
_PLAIN_FORMAT: Final = re.compile(rf"<(?:{_FORMAT_NAMES})([\s/][^>]*+|>)")  # where every tag ends at the next ">"
_PLAIN_ANCHOR: Final = re.compile(r"<[aA]([\s/][^>]*+)")


def is_harmless(html: str) -> bool:
    """Tests from cheap to expensive. On small pages, whose tags all end soon, attributes are too few to do harm."""
    tags = html.count("<")
    if tags * tags > 2 * _HARMLESS_STEPS:
        return False
    if len(html) <= 2 * _HARMLESS_ATTRIBUTES and _ends_tags_soon(html):
        return _copies_little(_PLAIN_FORMAT.findall(html), _PLAIN_ANCHOR.findall(html), html, tags)
    return _has_few_attributes(html) and _copies_little(_FORMAT.findall(html), _ANCHOR.findall(html), html, tags)


def _has_few_attributes(html: str) -> bool:
    """Returns whether no tag has too many attributes, nor all of them together. Their lengths are mostly enough to know: an
    attribute takes two characters."""
    spans = _spans(html)
    if spans is None:
        return False
    lengths = [end - start for start, end in spans]
    total, longest = sum(lengths), max(lengths, default=0)
    is_large = total > 2 * _HARMLESS_ATTRIBUTES
    if not is_large and longest * total <= 4 * _HARMLESS_STEPS:
        return True
    steps = attributes = 0
    for start, end in spans:
        if is_large or end - start > _SHORT_CHARS:
            count = _attributes(html[start:end])
            steps += count * count
            attributes += count
            if steps > _HARMLESS_STEPS or attributes > _HARMLESS_ATTRIBUTES:
                return False
    return True


def _spans(html: str) -> list[tuple[int, int]] | None:
    """Returns where tags may stand, or None if they overlap too often."""
    spans, left = [], _MOST_READINGS * len(html)
    for found in _TAG.finditer(html):
        span = found.span(1)
        spans.append(span)
        left -= span[1] - span[0]
        if left < 0:
            return None
    return spans


def _attributes(tag: str) -> int:
    return sum(1 for _ in islice(ATTRIBUTE.finditer(tag), _HARMLESS_ATTRIBUTES))


def _copies_little(formats: Sequence[str], anchors: Sequence[str], html: str, tags: int) -> bool:
    """Returns whether formatting stays small if each other tag opens all of it again. Of anchors only the last can be open."""
    most_bytes = _HARMLESS_COPIES_BYTES // (max(tags - len(formats), len(formats)) + 1)
    chars = sum(map(len, formats)) + max(map(len, anchors), default=0)
    nodes = (len(formats) + 1) * _NODE_BYTES + chars
    if nodes + _ATTRIBUTE_BYTES * chars // 2 <= most_bytes:  # an attribute takes two characters
        return True
    if nodes > most_bytes or sum(map(len, anchors)) > _MOST_READINGS * len(html):
        return False
    attributes = sum(map(_attributes, formats)) + max(map(_attributes, anchors), default=0)
    return nodes + _ATTRIBUTE_BYTES * attributes <= most_bytes


def _ends_tags_soon(html: str) -> bool:
    """Returns whether every tag ends at the next ">", and there is one before a tag can have too many attributes. A run without
    any fills one of the pieces completely."""
    piece_chars = 2 * _HARMLESS_STEPS // (len(html) + 1)
    pieces = range(0, len(html) - piece_chars, piece_chars)
    return all(html.find(">", start, start + piece_chars) >= 0 for start in pieces) and not QUOTED_END.search(html)
