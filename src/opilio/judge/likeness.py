"""Is the page about what the samples are about? By the terms that it shares with them (`model/similarity.py`).

Which terms tell a subject is known from three sources: how common they are on ordinary pages of the samples' language
(`model/commonness.py`, worth a hundred pages), the samples, and the pages met. A page is compared with the centre of the
samples. What is like them is told by two figures: how much each sample is like the centre of the others (a single one is cut into
parts for that), and how much the pages met are like it, or rather the lower 60 % of them: the others may belong. At the first
figure the score is 0.69, at the second 0.04, and a half at four fifths of the way.

It judges from the first page on, and is fitted anew after each of the first three pages met and whenever their number has
grown by 30 %. The centre is that of the samples and of pages that the operator has marked; pages that were judged to belong do
not move it, since that drifts.

All follows from the state, so every copy judges alike. It is bounded: 200,000 terms, of which rare ones are forgotten first,
and the terms of a fair sample of 200 pages met.
"""

from collections.abc import Iterator, Sequence
from math import exp
from statistics import fmean
from typing import TYPE_CHECKING, Final
from zlib import crc32

import msgspec
import zstandard

from opilio.core.errors import ConfigError
from opilio.core.items import Opinion, Page, Verdict
from opilio.core.plugin import Context, Sample

if TYPE_CHECKING:
    from opilio.model.similarity import Bag, Direction, Space

NAME: Final = "likeness"
_TERMS: Final = 200_000
_PAGES: Final = 200
_EACH: Final = 3  # so many pages are each followed by a fit
_GROWTH: Final = 1.3
_LOWER: Final = 0.6  # of the pages met
_UNMET: Final = 0.3  # of the samples' likeness: that of other pages, before any is met
_NEAREST: Final = 0.8  # … and what it is at most
_LEAST: Final = 0.05  # likeness of samples that have next to nothing in common
_LINE: Final = 0.8
_STEEPNESS: Final = 4.0
_PIECE_WORDS: Final = 400
_PIECES: Final = 4
