"""Tags in a page's source, found as the HTML standard finds them, in time that is linear by construction.

Quotes count only after "=", so a ">" in a quoted value does not end a tag and one in an unquoted value does. All repetitions
are possessive: no character is looked at more often than a few times, whatever stands in the page.

A token is a start tag, an end tag, a comment, or another declaration up to its ">". Inside of scripts and other raw text the
standard knows no tags, and `tokens` finds none.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_BLANK: Final = r"\t\n\f\r "  # what the standard takes for white space, which is less than \s
_VALUE: Final = rf"""[{_BLANK}]*+=[{_BLANK}]*+(?:"[^"]*+"?|'[^']*+'?|[^{_BLANK}>"'][^{_BLANK}>]*+)?+"""
_OTHER: Final = r"!--(?:>|->|.*?(?:--!?>|\Z))|[!?][^>]*+>?|/(?:>|[^a-zA-Z>][^>]*+>?)"
NAME: Final = rf"[a-zA-Z][^{_BLANK}/>]*+"
REST: Final = rf"(?:[{_BLANK}/]++|[^{_BLANK}/>][^{_BLANK}/>=]*+(?:{_VALUE})?+)*+"  # of a tag, after its name
_TOKEN: Final = re.compile(rf"<(?:(/?)({NAME})({REST})(>?)|{_OTHER})", re.DOTALL)
ATTRIBUTE: Final = re.compile(
    rf"""([^{_BLANK}/>][^{_BLANK}/>=]*+)"""
    rf"""(?:[{_BLANK}]*+=[{_BLANK}]*+(?:"([^"]*+)"?|'([^']*+)'?|([^{_BLANK}>"'][^{_BLANK}>]*+))?+)?+""",
    re.DOTALL,
)
# What stands in these is not markup. Titles and text areas have character references, the others do not.
RAW_TEXTS: Final = frozenset(
    {"script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "title", "textarea"}
)
_ENDS: Final = {name: re.compile(rf"</{name}(?=[{_BLANK}/>]|\Z)", re.IGNORECASE) for name in RAW_TEXTS}


class Token(NamedTuple):
    """A tag and the text before it. The last one of a page has no name. For a raw text element, `raw` is what stands in it,
    and its end tag is the next token."""

    text: str
    closes: bool
    name: str
    attributes: str
    raw: str = ""


def tokens(html: str) -> Iterator[Token]:
    at = shown = 0
    while (found := _TOKEN.search(html, at)) is not None:
        at = found.end()
        name = found[2].lower() if found[4] else ""  # a tag that the page cuts off is none
        text, shown = html[shown : found.start()], at
        raw = ""
        if not found[1] and name in RAW_TEXTS:
            end = _ENDS[name].search(html, at)
            shown = at = end.start() if end else len(html)
            raw = html[found.end() : at]
        yield Token(text, bool(found[1]), name, found[3] or "", raw)
    yield Token(html[shown:], closes=False, name="", attributes="")
