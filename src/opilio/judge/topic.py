"""A topic says where the samples lie on this web, and how wide their subject is: the theory, and the topic as it was fitted.

A page is compared with the topic in two ways, its *parts*: by the terms that they share (TF-IDF), and by the places of their
words in a space of meanings (`model/vectors.py`), if there is such a space. Each part is measured in the same currency: its
distance from ordinary pages, in standard deviations of ordinary pages. The sum of the parts is the page's *height*.

The title and the beginning of a page say most about its subject, so their words count three times.

1. **Ordinary pages** come from what Opilio knows about the language, which counts as a hundred pages, and from the fair
   sample of the pages met, without those that are near the samples by what was known beforehand: those that reach 0.6 of the
   line that the samples draw before any page is met. So a crawl that meets mostly pages that belong does not raise the bar, and
   pages of a technical site, which share many words with any technical text, are ordinary there. Pages in other languages are
   not among them: they would make every page in the samples' language seem near.
2. **Where the topic lies** is said by the samples. Several texts are compared with each other: a term counts by the share of
   them that have it. Texts of fewer than 500 words are joined for that and cut into parts of about 300 words, which count as
   texts, and so is a single text: how people divide what they write among files says nothing. Then the terms are turned away
   from ordinary pages. The fewer texts agree, the less is known about terms, so with one short text they are turned half as
   far, and meanings count more.
3. **Pages near the samples say it as well**, because texts of a user's own are of another kind than the pages of a web: the
   eight nearest pages, which count 0.4 times as much as the samples. Only pages that the samples alone find near can take
   part, so that the topic cannot drift. Each of them is compared with the topic without itself.
4. **Pages that are alike belong together**: the height of a page is pulled towards that of the pages most like it in meaning
   (`topic_neighbours.py`).
5. **How wide it is** is said by the pages that belong: the line lies at a share (`LINE`) of the way from ordinary pages to
   their usual height, and higher where the topic is rare among the pages met: among the thousands of pages of a whole web,
   many neighbours of the topic lie where a crawl that meets mostly pages that belong has hardly any. Pages above the line
   belong, and their geometric mean moves the line; this is repeated until it rests. It is the geometric mean because a few
   pages are always far above the others, and their height says little about where the topic ends. A prior, higher for a
   single text, counts as eight pages, so few texts on other topics belong before any page is met. If there are several long
   texts, how high each of them is under the others says it too, and the lowest of them says most: the usual height is the
   mean to the power of 0.6, times what they say to the power of 0.4. Short texts agree by the words that they happen to use,
   so this counts less and less as pages that belong are met. Where nearly all pages belong, a share of their mean would cut
   through the midst of them, so the line moves down if there is a gap between them and ordinary pages, which neighbours of
   the topic would fill, and if at least a fifth of the pages above that gap are above the line already.
6. **The operator's word**: pages marked yes are among the pages of rule 3, pages marked no are not, and turn the topic away
   from themselves. All marks together move the line to where it divides them best, as far as they outweigh a prior.
7. **A score is a probability**, and the line is where it is 0.35 (`LINE_SCORE`). A corpus is best, by the harmonic mean of its
   precision and recall, if it takes every page whose probability is at least half of that mean, which is about 0.7 in a crawl.

Worked example, with one text, and without rule 4 and the gap: four of eight pages have the heights 13, 15, 17 and 19, all
others are below 4. The prior says 10 and that one page in twenty belongs, so the line begins at (0.74 + 0.03 x log 19) x 10 =
8.28. The four pages are above it, and with the eight of the prior their geometric mean is 11.66. Five of 28 belong now, so the
line moves to (0.74 + 0.03 x log 4.6) x 11.66 = 9.16. The same four are above it, and it rests. A page of height 9.16 gets the
score 0.35, one of height 11.66 the score 0.66.
"""

from typing import Final, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from opilio.core.sigmoid import SUREST, logit, sigmoid
from opilio.model.similarity import Floats

from .topic_neighbours import NOBODY, Remembered

Measure = TypeVar("Measure", float, Floats)
LINE: Final = 0.74  # where the line lies between ordinary pages and the usual height of pages that belong …
LINE_OF_TERMS: Final = 0.62  # … if terms alone decide
PRIOR_HEIGHT: Final = 7.0  # of a page that belongs, before any is met …
ONE_TEXT_HEIGHT: Final = 3.0  # … and how much higher it is with a single text, which can be like a page by chance
HEIGHT_OF_TERMS: Final = 0.65  # share of these heights that terms alone reach
STEEPNESS: Final = 6.0  # of the score along the way from ordinary pages to the mean of those that belong
LINE_SCORE: Final = 0.35
LINE_ODDS: Final = logit(LINE_SCORE)


class Part(msgspec.Struct, frozen=True):
    """What a likeness is worth: ordinary pages have this mean and deviation, and it counts this much."""

    mean: float
    deviation: float
    weight: float

    def height(self, likeness: Measure) -> Measure:
        return self.weight * (likeness - self.mean) / self.deviation


class Topic(msgspec.Struct, frozen=True):
    """The topic as it was fitted: everything that is needed to judge a page."""

    terms: str  # joined by spaces
    rarities: bytes  # of the terms, and of an unknown one, as 32-bit floats
    weights: bytes  # of the terms in the topic
    centre: bytes  # where ordinary pages lie among meanings; empty if meanings are not known
    meaning: bytes  # where the topic lies, as seen from there
    parts: list[Part]
    near: float  # usual height of the pages that belong
    line: float  # share of the way there from which a page belongs
    ordinary: int = 0  # pages met that do not belong
    belonging: int = 0  # pages met that do
    around: Remembered = NOBODY  # pages that pull others towards their height

    def way(self, height: float) -> float:
        return height / self.near

    def score(self, height: float) -> float:
        return sigmoid(STEEPNESS * (self.way(height) - self.line) + LINE_ODDS, SUREST)

    def way_to(self, score: float) -> float:
        """Returns the share of the way at which pages have this score."""
        return self.line + (logit(score) - LINE_ODDS) / STEEPNESS


class Marks(NamedTuple):
    yes: frozenset[int]  # places among the pages
    no: frozenset[int]

    @property
    def all(self) -> list[int]:
        return [*self.yes, *self.no]


def packed(values: Floats) -> bytes:
    return values.astype("<f4").tobytes()


def unpacked(data: bytes) -> NDArray[np.float64]:
    return np.frombuffer(data, "<f4").astype(np.float64)
