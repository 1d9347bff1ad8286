"""The words in the neighbourhood of a link: those of its anchor, the ten before and after it, and those of its URL.

Words of URLs are kept apart from the others by a prefix: "login" in an address and in a sentence do not mean the same.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from opilio.core.items import Target

from .pools import anchor_tokens, url_tokens

_OF_URL: Final = "url:"
_LEAST_CONFIDENCE: Final = 0.5  # of the language identifier: that of the guard in the judge `novelty`


def neighbourhood(target: Target) -> list[str]:
    """Returns the distinct words around all known sightings of a link, sorted."""
    texts = (text for seen in target.sightings for text in (seen.link.anchor, seen.link.before, seen.link.after))
    return sorted({*_all_tokens(texts), *(f"{_OF_URL}{token}" for token in url_tokens(target.url))})


def anchor_language(target: Target) -> str:
    """Returns the language of all anchors of a link together, or "" if they do not tell."""
    return _language(" ".join(dict.fromkeys(seen.link.anchor for seen in target.sightings)))


@lru_cache(maxsize=65_536)  # a lesson asks again for every open link, and it takes 30 µs
def _language(text: str) -> str:
    from opilio.model.identifier import likeliest  # noqa: PLC0415 - it loads a model

    language, confidence = likeliest(text)
    return language if confidence >= _LEAST_CONFIDENCE else ""


def _all_tokens(texts: Iterable[str]) -> set[str]:
    return set().union(*map(anchor_tokens, texts))
