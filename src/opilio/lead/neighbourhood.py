"""The words in the neighbourhood of a link: those of its anchor, the ten before and after it, and those of its URL.

Words of URLs are kept apart from the others by a prefix: "login" in an address and in a sentence do not mean the same.
"""

from collections.abc import Iterable
from typing import Final

from opilio.core.items import Target

from .pools import anchor_tokens, url_tokens

_OF_URL: Final = "url:"


def neighbourhood(target: Target) -> list[str]:
    """Returns the distinct words around all known sightings of a link, sorted."""
    texts = (text for seen in target.sightings for text in (seen.link.anchor, seen.link.before, seen.link.after))
    return sorted({*_all_tokens(texts), *(f"{_OF_URL}{token}" for token in url_tokens(target.url))})


def _all_tokens(texts: Iterable[str]) -> set[str]:
    return set().union(*map(anchor_tokens, texts))
