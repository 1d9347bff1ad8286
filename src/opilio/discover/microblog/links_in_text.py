"""URLs in running text and in Markdown."""

import re
from typing import Final

_URL: Final = re.compile(r"https?://[^\s<>\[\]\"\\^`{|}]{3,2000}")
_TRAILING: Final = ".,;:!?'*_~"


def links_in_text(text: str) -> list[str]:
    """Returns the URLs of the text, each once. What closes a sentence or the parentheses around a URL is not part of it."""
    return list(dict.fromkeys(_trimmed(found[0]) for found in _URL.finditer(text)))


def _trimmed(url: str) -> str:
    depth = 0
    for place, char in enumerate(url):
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return url[:place].rstrip(_TRAILING)
    return url.rstrip(_TRAILING)
