"""What the names of an element are to the walk: a label for tag paths, flags, and the page's CSS classes.

Names repeat within a page, so what one combination of tag, class and id means is looked up in `known` (0.1 µs) before
`learn` is asked (1 µs and more).

Invariant: a class name is noted at the first sight of an element that bears it, so `classes` is in document order.
"""

from functools import lru_cache
from typing import Final

from .hints import hint_flags
from .tags import FLAGS, KNOWN_TAGS

_MOST_CLASSES: Final = 2_000
_MOST_NAMES: Final = 5_000  # a page with more combinations makes them up
Names = tuple[int, str | None, str | None]  # tag, class, id
Meaning = tuple[str, int]  # label, flags


class Vocabulary:
    """Of one page."""

    __slots__ = ("classes", "known")

    def __init__(self, classes: dict[str, None]) -> None:
        self.classes = classes
        self.known: dict[Names, Meaning] = {}

    def learn(self, names: Names, tag_name: str) -> Meaning:
        tag, css_class, css_id = names[0], names[1] or "", names[2] or ""
        flags = FLAGS[tag] if tag < KNOWN_TAGS else 0
        if len(self.known) >= _MOST_NAMES:
            return tag_name, flags
        if css_class:
            self.classes.update(dict.fromkeys(css_class.split()[: _MOST_CLASSES - len(self.classes)]))
        meaning = self.known[names] = _label(tag_name, css_class, css_id), flags | hint_flags(css_class, css_id)
        return meaning


@lru_cache(maxsize=16_384)
def _label(name: str, css_class: str, css_id: str) -> str:
    """Such as div#nav.menu. An id with digits names one element, not a kind of place: it is left out."""
    first = css_class.split(None, 1)[0] if css_class.strip() else ""
    known = f"#{css_id[:40]}" if css_id.replace("-", "").replace("_", "").isalpha() else ""
    return f"{name}{known}.{first[:40]}" if first else f"{name}{known}"
