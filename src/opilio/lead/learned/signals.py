"""The signals of a link: what the learned lead looks at.

A signal is declared here and nowhere else. A member of `Signal` is the signal's place in a line of signals, which
`kernels.links` uses when it fills the line; it also has the signal's name for people, its group, its weight before anything is
learned, and its usual spread.

The weights were chosen on half of the topics of one web, and hold for every crawl until it has learned better. A signal that
spreads by s may move the log odds by about `TRUST` without surprise, whatever its unit: its weight is believed to lie within
TRUST/s of the weight declared here. Four signals that did not help on that web have half of that doubt, so that another web
can still teach them.

Groups can be left out (`lead.signals`).
"""

from enum import IntEnum
from typing import Final

TRUST: Final = 0.15


class Signal(IntEnum):
    label: str
    group: str
    weight: float
    spread: float
    doubt: float

    def __new__(cls, label: str, group: str, weight: float, spread: float, doubt: float = 1.0) -> "Signal":
        place = len(cls.__members__)
        signal = int.__new__(cls, place)
        signal._value_ = place
        signal.label, signal.group, signal.weight, signal.spread, signal.doubt = label, group, weight, spread, doubt
        return signal

    PARENTS_SHARE = "share of its parents that belong", "parents", 0.3, 0.63
    BEST_PARENT = "its best parent", "parents", 0.3, 0.39
    GOOD_PARENTS = "parents that belong", "parents", 0.1, 0.52
    OTHER_PARENTS = "parents that do not", "parents", 0.0, 0.43
    PARENT_TITLE = "title of a parent like the samples", "parents", 0.0, 0.36, 0.5
    BLOCK_YIELD = "fate of its neighbours in the same block", "siblings", 1.2, 0.3
    PARENTS_YIELD = "fate of the other links of its parents", "siblings", 1.0, 0.52
    GOOD_SIBLINGS = "good pages that its parents lead to", "siblings", 0.0, 1.2, 0.5
    ANCHOR_LIKE_SAMPLES = "anchor like the samples", "samples", 6.0, 0.065
    CONTEXT_LIKE_SAMPLES = "words around like the samples", "samples", 3.0, 0.136
    ANCHOR_LIKE_PAGE = "anchor like one good page", "texts", 1.0, 0.27
    ANCHOR_IN_TEXTS = "anchor in texts of good pages", "texts", 0.4, 1.9
    CONTEXT_IN_TEXTS = "words around in texts of good pages", "texts", 0.2, 0.62
    ANCHOR_WORDS = "anchors of links that led to good pages", "anchor", 0.1, 1.3
    CONTEXT_WORDS = "words around links that led to good pages", "context", 0.1, 0.5
    ADDRESS_WORDS = "addresses of good pages", "url", 0.1, 2.0
    TAG_PATH = "place in the page", "path", 0.2, 0.6
    FOLDER_YIELD = "yield of its folder", "host", 0.5, 0.6
    HOST_YIELD = "yield of its host", "host", 0.5, 0.6
    NAMED_LANGUAGE = "language that its address or link names", "language", 2.0, 0.5
    DOMAIN_LANGUAGE = "language of its top-level domain", "language", 1.0, 0.25
    DEPTH = "distance from a seed", "place", 0.0, 1.07
    DISTANCE = "distance from a page that belongs", "place", 0.0, 0.5, 0.5
    IMPORTANCE = "its share of the seeds' importance", "place", 0.0, 0.57, 0.5
    BOILERPLATE = "boilerplate around it", "place", 0.0, 0.26
    POSITION = "links before it", "place", 0.0, 1.1
    EVERY_LINK = "all links", "all", -2.0, 1.0


SIGNALS: Final = tuple(Signal)
GROUPS: Final = tuple(dict.fromkeys(signal.group for signal in SIGNALS))
