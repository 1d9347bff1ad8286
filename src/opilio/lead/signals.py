"""What the learned lead looks at: every signal with its group, what it weighs before anything is learned, how far it usually
spreads, and its name for people.

The weights were chosen on half of the topics of one web, and hold for every crawl until it has learned better. A signal that
spreads by s may move the log odds by about `TRUST` without surprise, whatever its unit: weights are believed to lie within
TRUST/s of what stands here. Four that were not found to help there have half of that doubt: a web can still teach them.

Groups can be left out (`lead.signals`). The order is that of the lines that `kernels.links` fills.
"""

from typing import Final, NamedTuple

TRUST: Final = 0.15


class Signal(NamedTuple):
    name: str
    group: str
    weight: float
    spread: float
    doubt: float = 1.0


SIGNALS: Final = (
    Signal("share of its parents that belong", "parents", 0.3, 0.63),
    Signal("its best parent", "parents", 0.3, 0.39),
    Signal("parents that belong", "parents", 0.1, 0.52),
    Signal("parents that do not", "parents", 0.0, 0.43),
    Signal("title of a parent like the samples", "parents", 0.0, 0.36, 0.5),
    Signal("fate of its neighbours in the same block", "siblings", 1.2, 0.3),
    Signal("fate of the other links of its parents", "siblings", 1.0, 0.52),
    Signal("good pages that its parents lead to", "siblings", 0.0, 1.2, 0.5),
    Signal("anchor like the samples", "samples", 6.0, 0.065),
    Signal("words around like the samples", "samples", 3.0, 0.136),
    Signal("anchor like one good page", "texts", 1.0, 0.27),
    Signal("anchor in texts of good pages", "texts", 0.4, 1.9),
    Signal("words around in texts of good pages", "texts", 0.2, 0.62),
    Signal("anchors of links that led to good pages", "anchor", 0.1, 1.3),
    Signal("words around links that led to good pages", "context", 0.1, 0.5),
    Signal("addresses of good pages", "url", 0.1, 2.0),
    Signal("place in the page", "path", 0.2, 0.6),
    Signal("yield of its folder", "host", 0.5, 0.6),
    Signal("yield of its host", "host", 0.5, 0.6),
    Signal("language that its address or link names", "language", 2.0, 0.5),
    Signal("language of its top-level domain", "language", 1.0, 0.25),
    Signal("distance from a seed", "place", 0.0, 1.07),
    Signal("distance from a page that belongs", "place", 0.0, 0.5, 0.5),
    Signal("its share of the seeds' importance", "place", 0.0, 0.57, 0.5),
    Signal("boilerplate around it", "place", 0.0, 0.26),
    Signal("links before it", "place", 0.0, 1.1),
    Signal("all links", "all", -2.0, 1.0),
)
GROUPS: Final = tuple(dict.fromkeys(signal.group for signal in SIGNALS))
