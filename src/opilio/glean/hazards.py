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

For an ordinary page this takes a twentieth of the time of reading it. The page comes as bytes, which the parser needs anyway
and which are searched faster than text. Reading every tag would take ten times as long; instead, `_has_few_attributes` leaps
from one ">" to another that ends any tag in which it stands.
"""

import re
from collections.abc import Sequence
from itertools import islice
from math import isqrt
from typing import Final

from .markup import ATTRIBUTE, NAME, REST

_HARMLESS_COPIES_BYTES: Final = 50_000_000  # of formatting that is opened again
_NODE_BYTES: Final = 120
_ATTRIBUTE_BYTES: Final = 100  # besides its characters
_HARMLESS_STEPS: Final = 50_000_000  # comparisons of attributes, or steps from tags through open elements: 0.5 s
_HARMLESS_ATTRIBUTES: Final = 300_000  # 40 MB
_MOST_READINGS: Final = 4  # of a page's characters, on average
_LEAP_BYTES: Final = 2_000  # the longest tag that is not looked at: 10,000 of them, over each other, are read in 0.1 s
_MOST_TRIES: Final = 8  # to find a ">" that ends any tag, backwards
_MOST_ENDS: Final = 10_000  # and forwards
_BLANKS: Final = 32  # before a quotation mark; if there are more, a "=" may stand before them
_BEFORE_VALUE: Final = b"=\t\n\v\f\r "
FORMATS: Final = frozenset(("b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"))
_TAG: Final = re.compile(rf"<(?=(/?{NAME}{REST}))".encode())
# Both cases of each letter are listed, which is three times as fast as IGNORECASE, and so are the first two characters before
# all names, which most tags do not have.
_FORMAT_NAMES: Final = "|".join("".join(f"[{c}{c.upper()}]" for c in name) for name in sorted(FORMATS))
_FIRST_LETTERS, _SECOND_LETTERS = ("".join(sorted({name[at] for name in FORMATS if at < len(name)})) for at in (0, 1))
_START: Final = rf"[aA{_FIRST_LETTERS}{_FIRST_LETTERS.upper()}][\s/>{_SECOND_LETTERS}{_SECOND_LETTERS.upper()}]"
_REOPENED: Final = re.compile(
    rf"<(?={_START})(?=[aA]([\s/]{REST})|(?:{_FORMAT_NAMES})([\s/]{REST}|>))".encode()
)  # an anchor, or formatting
_NO_SEPARATORS: Final = bytes(set(range(256)) - set(b"\t\n\f\r /\"'"))
_ATTRIBUTE: Final = re.compile(ATTRIBUTE.pattern.encode(), re.DOTALL)


def is_harmless(html: bytes) -> bool:
    """Tests from cheap to expensive."""
    tags = html.count(b"<")
    if tags * tags > 2 * _HARMLESS_STEPS:
        return False
    return _has_few_attributes(html, tags) and _copies_little(_REOPENED.findall(html), html, tags)


def _has_few_attributes(html: bytes, tags: int) -> bool:
    """Returns whether no tag has too many attributes, nor all of them together. Leaps from one place where no tag is open to
    another: tags that fit in between are short. What lies between places that are further apart is looked at."""
    most, limit = _longest_leap(len(html), tags)
    at = steps = attributes = 0
    while len(html) - at > most:
        if (end := _last_end(html, at, at + most)) >= 0:
            at = end + 1
        elif (begin := html.find(b"<", at)) != at:
            at = begin if begin >= 0 else len(html)
        else:
            end = _next_end(html, at)
            more_steps, more = _weigh(html[at:end])
            at, steps, attributes = end + 1, steps + more_steps, attributes + more
            if steps > _HARMLESS_STEPS // 2 or attributes > limit:
                return False
    return True


def _longest_leap(size: int, tags: int) -> tuple[int, int]:
    """Returns how long tags may be, so that all of them together take half of the steps, and how many attributes those that are
    longer may have. A tag of n characters takes n * n / 8 steps at most: a name that it has already is compared and not kept,
    and one that it has not takes two characters and a blank, apart from the few that have one character."""
    most = max(4 * _HARMLESS_STEPS // (size + 1), isqrt(4 * _HARMLESS_STEPS // (tags + 1)))
    if size <= 2 * _HARMLESS_ATTRIBUTES:
        return min(most, _LEAP_BYTES), size
    return min(most, _LEAP_BYTES, 2 * _HARMLESS_ATTRIBUTES // (tags + 1)), _HARMLESS_ATTRIBUTES // 3


def _weigh(part: bytes) -> tuple[int, int]:
    """Returns bounds on the steps and the attributes of all tags in a part of a page. Before every attribute stands a blank, a
    slash or a quotation mark. A tag is read at every "<" where these are many, and where tags may reach far over each other:
    whoever looks for formatting reads them all."""
    attributes = 1 + len(part.translate(None, _NO_SEPARATORS))
    steps = attributes * attributes + part.count(b"<") * len(part) // 8
    if steps <= _HARMLESS_STEPS // 8:
        return steps, attributes
    steps = attributes = 0
    left = _MOST_READINGS * len(part)
    for found in _TAG.finditer(part):
        left -= len(found[1])
        if left < 0:
            return _HARMLESS_STEPS, 0
        count = _attributes(found[1])
        steps, attributes = steps + count * count, attributes + count
    return steps, attributes


def _attributes(tag: bytes) -> int:
    return sum(1 for _ in islice(_ATTRIBUTE.finditer(tag), _HARMLESS_ATTRIBUTES))


def _copies_little(found: Sequence[tuple[bytes, bytes]], html: bytes, tags: int) -> bool:
    """Returns whether formatting stays small if each other tag opens all of it again. Of anchors only the last can be open."""
    anchors = [anchor for anchor, _ in found if anchor]
    formats = [formatting for _, formatting in found if formatting]
    most_bytes = _HARMLESS_COPIES_BYTES // (max(tags - len(formats), len(formats)) + 1)
    chars = sum(map(len, formats)) + max(map(len, anchors), default=0)
    nodes = (len(formats) + 1) * _NODE_BYTES + chars
    if nodes + _ATTRIBUTE_BYTES * chars // 2 <= most_bytes:  # an attribute takes two characters
        return True
    if nodes > most_bytes or sum(map(len, anchors)) > _MOST_READINGS * len(html):
        return False
    left = (most_bytes - nodes) // _ATTRIBUTE_BYTES - sum(map(_attributes, formats))
    return left >= 0 and all(_attributes(anchor) <= left for anchor in anchors if len(anchor) > 2 * left)


def _last_end(html: bytes, start: int, end: int) -> int:
    """Returns the last place in this range that ends any tag that begins in it before, or -1 if it is not soon found."""
    for _ in range(_MOST_TRIES):
        end = html.rfind(b">", start, end)
        if end < 0:
            return end
        double, single = html.rfind(b'"', start, end), html.rfind(b"'", start, end)
        # Mostly the character before each of them is enough, and a call for each would cost as much as all of this.
        if (double < 0 or html[double - 1] not in _BEFORE_VALUE) and (
            single < 0 or html[single - 1] not in _BEFORE_VALUE
        ):
            return end
        if _is_end(html, start, double, single):
            return end
    return -1


def _next_end(html: bytes, start: int) -> int:
    """Returns the next place that ends any tag that begins at the start or after it, or the end of the page."""
    end, seen, double, single = start, start, -1, -1
    for _ in range(_MOST_ENDS):
        end = html.find(b">", end + 1)
        if end < 0:
            break
        double, single = max(double, html.rfind(b'"', seen, end)), max(single, html.rfind(b"'", seen, end))
        if _is_end(html, start, double, single):
            return end
        seen = end
    return len(html)


def _is_end(html: bytes, start: int, double: int, single: int) -> bool:
    """Returns whether a ">" ends any tag in which it stands, which it does outside of quoted values. Inside of one, the last
    quotation mark of its kind opens the value. `double` and `single` are their places, or -1."""
    return not (_may_open(html, start, double) or _may_open(html, start, single))


def _may_open(html: bytes, start: int, quote: int) -> bool:
    if quote < 0 or html[quote - 1] not in _BEFORE_VALUE:
        return False
    before = html[max(start, quote - _BLANKS) : quote].rstrip()
    return not before or before.endswith(b"=")
