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
        tag, css_class, css_id = names
        if len(self.known) >= _MOST_NAMES:
            return tag_name, FLAGS[tag] if tag < KNOWN_TAGS else 0
        label, hints, classes = _read(tag_name, css_class or "", css_id or "")
        for name in classes[: _MOST_CLASSES - len(self.classes)]:
            self.classes[name] = None
        meaning = self.known[names] = label, hints | FLAGS[tag] if tag < KNOWN_TAGS else hints
        return meaning


@lru_cache(maxsize=16_384)
def _read(tag_name: str, css_class: str, css_id: str) -> tuple[str, int, tuple[str, ...]]:
    """Label, flags and classes. A label is such as div#nav.menu; an id with digits names one element, not a kind of
    place, and is left out."""
    classes = tuple(css_class.split())
    known = f"#{css_id[:40]}" if css_id.replace("-", "").replace("_", "").isalpha() else ""
    label = f"{tag_name}{known}.{classes[0][:40]}" if classes else f"{tag_name}{known}"
    return label, hint_flags(css_class, css_id), classes
