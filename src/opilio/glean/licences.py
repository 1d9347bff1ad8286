"""Under which terms a page says that it may be used: signals from its metas, its JSON-LD, its links and its last lines.

`signals` has those that a rel=license gives, and `keep.rights` makes one name of all of them. A link to a Creative Commons
licence without a rel counts only if the page links to no other, because the pictures of a page have licences of their own.
A phrase counts only in a short block of the page's second half, where sites say such things of themselves.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from opilio.core.items import Link, Signal

from .metadata import Claims
from .signals import relations
from .tree import Attributes

_METAS: Final = {
    "dcterms.license": "license", "dc.license": "license", "license": "license", "licence": "license", "cc:license": "license",
    "dc.rights": "copyright", "dcterms.rights": "copyright", "rights": "copyright", "copyright": "copyright",
    "dcterms.rightsholder": "copyright", "article:copyright": "copyright",
}  # fmt: skip
_VALUE_CHARS: Final = 300
_BLOCK_CHARS: Final = 500
_MOST_BLOCKS: Final = 60  # at the end of the page
_LAST_CHARS: Final = 3_500  # of those that are short; 99 of 100 phrases stand in the last 2,000
_MOST_SIGNALS: Final = 10
_MOST_PHRASES: Final = 2
_COMMONS_HOST: Final = "creativecommons.org"
_COMMONS_PATHS: Final = ("/licenses/", "/publicdomain/")
_WORDS: Final = (
    "creative commons", "cc by", "cc-by", "cc0", "gnu free doc", "public domain", "gemeinfrei", "open government licen", "©",
    "copyright", "rights reserved", "rechte vorbehalten", "droits réservés", "derechos reservados", "diritti riservati",
)  # fmt: skip
_OPEN: Final = re.compile(
    r"(?:licen[cs]|lizenz|licenc|лиценз|lisens|available|verfügbar|except where|published|veröffentlicht|under).{0,160}?"
    r"(creative\s+commons.{0,80}|\bcc[\s-]by\b.{0,20}|\bcc0\b|gnu free documentation licen[cs]e|open government licen[cs]e)|"
    r"(?:in|into|to) the (public domain)",
    re.IGNORECASE,
)


def licence_signals(
    claims: Claims, link_tags: Sequence[Attributes], links: Sequence[Link], texts: Sequence[str]
) -> list[Signal]:
    """Returns what the page says about its licence or its copyright besides rel=license."""
    found = [Signal("json-ld", "license", value) for value in claims.linked("license")]
    found += [Signal("meta", name, value) for meta, name in _METAS.items() for value in claims.metas.get(meta, ())[:2]]
    found += [
        Signal("link", "copyright", link.get("href") or "") for link in link_tags if "copyright" in relations(link)
    ]
    found += _commons(links)
    found += _phrases(texts)
    cut = (Signal(one.source, one.name, one.value[:_VALUE_CHARS]) for one in found if one.value)
    return list(dict.fromkeys(cut))[:_MOST_SIGNALS]


def _commons(links: Iterable[Link]) -> list[Signal]:
    targets = {
        link.url
        for link in links
        if link.host.removeprefix("www.") == _COMMONS_HOST and any(path in link.url for path in _COMMONS_PATHS)
    }
    return [Signal("anchor", "license", target) for target in targets] if len(targets) == 1 else []


def _phrases(texts: Sequence[str]) -> list[Signal]:
    """Returns the last two blocks that say something. The words are looked for in all blocks at once, and then only those that
    are there in each, from the end. Looking for them all takes 20 ns a character, so that a page is not looked through."""
    last = _last_lines(texts)
    together = "\n".join(last).lower()
    words = [word for word in _WORDS if word in together]
    found: list[Signal] = []
    for text in last if words else ():
        small = text.lower()
        if any(word in small for word in words):
            found.append(_phrase(text))
            if len(found) == _MOST_PHRASES:
                break
    return found[::-1]


def _last_lines(texts: Sequence[str]) -> list[str]:
    """Returns short blocks of the second half, the last one first."""
    lines, left = [], _LAST_CHARS
    for text in reversed(texts[max(len(texts) // 2, len(texts) - _MOST_BLOCKS) :]):
        if len(text) <= _BLOCK_CHARS:
            left -= len(text)
            if left < 0:
                break
            lines.append(text)
    return lines


@lru_cache(maxsize=1_024)
def _phrase(text: str) -> Signal:
    """Reads a footer, which is the same on page after page. Once takes 30 µs."""
    match = _OPEN.search(text)
    return Signal("text", "license" if match else "copyright", text[match.start() :] if match else text)
