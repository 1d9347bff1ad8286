"""What the walk makes of an element's tag, class and id: a label for tag paths, flags, and the page's CSS classes.

Names repeat within a page, so the walk looks a combination of tag, class and id up in `known` (0.1 µs) before it calls
`learn` (1 µs and more).

Invariant: a class name is noted at the first element that has it, so `classes` is in document order.
"""

from functools import lru_cache
from typing import Final

from .hints import hint_flags
from .tags import FLAGS, KNOWN_TAGS

_MOST_CLASSES: Final = 2_000
_MOST_NAMES: Final = 5_000  # a page with more combinations generates them, so that remembering them would not help
_CLASS_CHARS: Final = 1_000  # of an element that are read: names are cached, and a cache of long ones would be large
_NAME_CHARS: Final = 100
Names = tuple[int, str | None, str | None]  # tag, class, id
Meaning = tuple[str, int]  # label, flags


class Vocabulary:
    """The names on one page."""

    __slots__ = ("classes", "known")

    def __init__(self, classes: dict[str, None]) -> None:
        self.classes = classes
        self.known: dict[Names, Meaning] = {}

    def learn(self, names: Names, tag_name: str) -> Meaning:
        tag, css_class, css_id = names
        if len(self.known) >= _MOST_NAMES:
            return tag_name, FLAGS[tag] if tag < KNOWN_TAGS else 0
        label, hints, classes = _read(
            tag_name[:_NAME_CHARS], (css_class or "")[:_CLASS_CHARS], (css_id or "")[:_NAME_CHARS]
        )
        for name in classes[: _MOST_CLASSES - len(self.classes)]:
            self.classes[name] = None
        meaning = self.known[names] = label, hints | FLAGS[tag] if tag < KNOWN_TAGS else hints
        return meaning


@lru_cache(maxsize=16_384)
def _read(tag_name: str, css_class: str, css_id: str) -> tuple[str, int, tuple[str, ...]]:
    """Returns label, flags and classes. A label looks like div#nav.menu; an id with digits is left out, because it
    names one element and not a kind of place."""
    classes = tuple(css_class.split())
    known = f"#{css_id[:40]}" if css_id.replace("-", "").replace("_", "").isalpha() else ""
    label = f"{tag_name}{known}.{classes[0][:40]}" if classes else f"{tag_name}{known}"
    return label, hint_flags(css_class, css_id), classes
