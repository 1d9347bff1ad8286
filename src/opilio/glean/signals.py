"""What a page says about its rights and its indexing, from headers, <meta> and <link>. `keep.rights` decides what
follows.

A `Signal` is (source, name, value):
* "robots": one signal per directive of X-Robots-Tag and of <meta name=robots> or <meta name=opilio>; directives
  for another agent are not recorded;
* "tdm-reservation", "tdm-policy": TDMRep, header or meta;
* "content-usage", "content-signal": headers, the whole value;
* "license": target of a rel=license link.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from opilio.core.items import Headers, Link, Signal

from .tree import Attributes

_AGENT: Final = "opilio"
_WHOLE_HEADERS: Final = frozenset({"tdm-reservation", "tdm-policy", "content-usage", "content-signal"})
_WHOLE_METAS: Final = frozenset({"tdm-reservation", "tdm-policy"})
_VALUE_DIRECTIVES: Final = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
_NOFOLLOW_DIRECTIVES: Final = frozenset({"nofollow", "none"})
_VALUE_CHARS: Final = 300
_CONTENT_CHARS: Final = 2_000  # of a meta tag that are read; directives that ask for something come first
_NAME_CHARS: Final = 100
_AGENT_TOKEN: Final = re.compile("[a-zA-Z_-]+")  # does not match the second half of a date
_MOST_SIGNALS: Final = 50


def from_headers(headers: Headers) -> list[Signal]:
    signals = []
    for key, value in headers:
        name = key.lower()
        if name == "x-robots-tag":
            signals += _robots("header", _scoped(value))
        elif name in _WHOLE_HEADERS:
            signals.append(Signal("header", name, value.strip()[:_VALUE_CHARS]))
    return signals[:_MOST_SIGNALS]


def from_metas(metas: Sequence[Attributes]) -> list[Signal]:
    signals: list[Signal] = []
    for meta in metas:
        name = (meta.get("name") or "")[:_NAME_CHARS].strip().lower()
        content = meta.get("content") or ""
        if name in {"robots", _AGENT}:
            signals += _robots("meta", content[:_CONTENT_CHARS].split(","))
        elif name in _WHOLE_METAS:
            signals.append(Signal("meta", name, content[:_CONTENT_CHARS].strip()[:_VALUE_CHARS]))
    return signals[:_MOST_SIGNALS]


def from_links(link_tags: Sequence[Attributes], links: Sequence[Link]) -> list[Signal]:
    hrefs = [(link.get("href") or "")[:_VALUE_CHARS] for link in link_tags if "license" in relations(link)]
    hrefs += [link.url for link in links if link.rel and "license" in link.rel.split()]
    return [Signal("link", "license", href[:_VALUE_CHARS]) for href in dict.fromkeys(hrefs) if href][:_MOST_SIGNALS]


def relations(link: Attributes) -> list[str]:
    """Returns what a <link> says that its target is to the page."""
    return (link.get("rel") or "")[:_NAME_CHARS].lower().split()


def asks_nofollow(signals: Iterable[Signal]) -> bool:
    return any(signal.name == "robots" and signal.value in _NOFOLLOW_DIRECTIVES for signal in signals)


def _robots(source: str, directives: Iterable[str]) -> list[Signal]:
    words = (directive.strip().lower()[:_VALUE_CHARS] for directive in directives)
    return [Signal(source, "robots", word) for word in words if word]


def _scoped(value: str) -> list[str]:
    """Returns the directives for everybody and for us. "agent: directive" opens a scope up to the end of the field."""
    directives, ours = [], True
    for part in value.split(","):
        agent, colon, rest = part.partition(":")
        if colon and _AGENT_TOKEN.fullmatch(agent.strip()) and agent.strip().lower() not in _VALUE_DIRECTIVES:
            ours = agent.strip().lower() == _AGENT
            if ours:
                directives.append(rest)
        elif ours:
            directives.append(part)
    return directives
