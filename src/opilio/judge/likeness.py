"""Is the page about what the samples are about? By the terms that it shares with them (`model/similarity.py`).

Which terms tell a subject is known from three sources: how common they are on ordinary pages of the samples' language
(`model/commonness.py`, worth a hundred pages), the samples, and the pages met. A page is compared with the theme of the
samples: what they have in common and ordinary pages have not. Where nothing is known of ordinary pages, the pages met stand for
them. What is like the samples is told by two figures: how much each is like the theme of the others (a single one is cut into
parts for that), and how much the pages met are like it, or rather the lower 60 % of them: the others may belong. At the first
figure the score is 0.83, at the second 0.08, and a half at three fifths of the way. Parts of one text are far more like each
other than other texts on its subject, which stand at a fifth of the way to them.

It judges from the first page on, and is fitted anew after each of the first three pages met and whenever their number has
grown by 30 %. The theme is that of the samples and of pages that the operator has marked; pages that were judged to belong do
not move it, since that drifts.

All follows from the state, so every copy judges alike. It is bounded: 200,000 terms, of which rare ones are forgotten first,
and the terms of a fair sample of 200 pages met.
"""

from collections.abc import Sequence
from math import exp
from statistics import fmean
from typing import Final, Literal, NamedTuple
from zlib import crc32

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.items import Opinion, Page, Verdict
from opilio.core.plugin import Context, Sample
from opilio.model.commonness import PAGES, commonness, language_of
from opilio.model.similarity import Bag, Direction, Floats, Space, Theme, bag_of, count_terms, scaled
from opilio.model.terms import terms

from .saved import pack, unpack
from .seam import Judge

NAME: Final = "likeness"
_TERMS: Final = 200_000
_PAGES: Final = 200
_EACH: Final = 3  # so many pages are each followed by a fit
_GROWTH: Final = 1.3
_LOWER: Final = 0.6  # of the pages met
_UNMET: Final = 0.3  # of the samples' likeness: that of other pages, before any is met
_LEAST: Final = 0.05  # by which samples that have next to nothing in common are more like each other than other pages
_SHARED: Final = 2.0  # power of the share of samples that have a term
_ONE_TEXT: Final = 0.2  # of the way from other pages to the parts of one sample: where pages on its subject stand
_COMPARED: Final = 30  # samples and marked pages, each with all the others
_LINE: Final = 0.6
_STEEPNESS: Final = 4.0
_PIECE_WORDS: Final = 400
_PIECES: Final = 4


class Met(msgspec.Struct):
    """The pages met: in how many a term is, and what stands in some of them."""

    pages: int = 0
    frequencies: dict[str, int] = {}
    drawn: list[Bag] = []

    def meet(self, url: str, counts: dict[str, int]) -> None:
        for term in counts:
            self.frequencies[term] = self.frequencies.get(term, 0) + 1
        if len(self.frequencies) > _TERMS:
            self._forget()
        self.pages += 1
        # Each page has the same chance to be among those drawn, and the same crawl draws the same pages.
        place = (
            len(self.drawn) if len(self.drawn) < _PAGES else crc32(url.encode("utf-8", "surrogatepass")) % self.pages
        )
        if place < _PAGES:
            self.drawn[place : place + 1] = [bag_of(counts)]

    def copy(self) -> "Met":
        return Met(self.pages, dict(self.frequencies), list(self.drawn))

    def _forget(self) -> None:
        """A quarter of them at least: it must not be done again for the next page."""
        rare = 1
        while len(self.frequencies) > 0.75 * _TERMS:
            self.frequencies = {term: pages for term, pages in self.frequencies.items() if pages > rare}
            rare += 1


class State(msgspec.Struct):
    """What a copy in another process, or in a resumed crawl, is built from."""

    samples: list[Bag]
    language: str  # of the samples, "" if it is not known
    parts: bool = False  # the samples are parts of a single one
    met: Met = msgspec.field(default_factory=Met)
    learned: Met = msgspec.field(default_factory=Met)  # what was met when it was last fitted
    taught: dict[str, tuple[bool, Bag]] = {}  # by URL, in the operator's words
    version: Literal[1] = 1  # of what the bytes mean


class Fit(NamedTuple):
    space: Space
    theme: Theme
    near: float  # likeness of the samples
    far: float  # … of other pages

    def score(self, like: float) -> float:
        way = (like - self.far) / (self.near - self.far)
        return 1 / (1 + exp(-min(max(_STEEPNESS * (way - _LINE), -30.0), 30.0)))


class Likeness(Judge):
    """`threshold`: the score from which a page belongs."""

    def __init__(self, state: State, *, threshold: float = 0.5) -> None:
        if not 0.0 < threshold < 1.0:
            raise ConfigError(f"judge.threshold is a score between 0 and 1, not {threshold}.")
        self._state = state
        self._threshold = threshold
        self._fit = _fit(state)

    @classmethod
    def build(cls, context: Context, *, threshold: float = 0.5) -> "Likeness":
        earlier = unpack(context.state, State, NAME) if context.state else None
        if earlier is not None and not context.samples:
            return cls(earlier, threshold=threshold)
        samples, language, parts = _read(context.samples)
        state = earlier or State(samples, language)
        state.samples, state.language, state.parts = samples, language, parts
        return cls(state, threshold=threshold)

    def judge(self, page: Page) -> Verdict:
        counts = _counts(page)
        if not counts:
            return _verdict(0.0, "no words", 0.0, belongs=False)
        like = self._fit.theme.likeness(self._fit.space.direction(counts))
        score = self._fit.score(like)
        others = "the pages met" if self._state.learned.drawn else "other pages, by a guess,"
        near = f"{self._fit.near:.2f}"
        whom = f"sample, pages on its subject {near}" if self._state.parts else f"samples, they {near} like each other"
        reason = (
            f"reads {like:.2f} like the {whom} and {others} {self._fit.far:.2f}: "
            f"score {score:.2f}, {self._threshold:g} is needed"
        )
        return _verdict(score, reason, like, belongs=score >= self._threshold)

    def watch(self, page: Page, verdict: Verdict) -> bool:  # noqa: ARG002
        counts = _counts(page)
        if not counts:
            return False
        met = self._state.met
        met.meet(page.url, counts)
        if met.pages > _EACH and met.pages < _GROWTH * self._state.learned.pages:
            return False
        self._state.learned = met.copy()
        self._fit = _fit(self._state)
        return True

    def teach(self, page: Page, belongs: bool) -> bool:
        counts = _counts(page)
        said = belongs, bag_of(counts)
        if not counts or self._state.taught.get(page.url) == said:
            return False
        self._state.taught[page.url] = said
        self._fit = _fit(self._state)
        return True

    def state(self) -> bytes:
        return pack(self._state)


def _fit(state: State) -> Fit:
    """0.2 s where all bounds are reached."""
    marked = [bag.counts() for belongs, bag in state.taught.values() if belongs]
    good = [*marked, *(bag.counts() for bag in state.samples)]  # the marked ones first: these are compared in any case
    bad = [
        bag.counts() for bag in (*state.learned.drawn, *(bag for belongs, bag in state.taught.values() if not belongs))
    ]
    space = _space(state, good)
    others = [space.direction(counts) for counts in bad]
    shared = 0.0 if state.parts else _SHARED  # what one text has all over is its own name
    theme = Theme(space, [space.direction(counts) for counts in good], shared, _ordinary(state, space, others))
    mutual = theme.mutual(_COMPARED) or [_LEAST]
    near = fmean(mutual)
    likenesses = sorted(map(theme.likeness, others))
    far = fmean(likenesses[: max(1, int(_LOWER * len(likenesses)))] or [_UNMET * near])
    if state.parts:  # together they are one text beside the marked ones
        parts = fmean(mutual[len(marked) :] or [_LEAST])
        near = fmean([far + _ONE_TEXT * (parts - far), *mutual[: len(marked)]])
    return Fit(space, theme, max(near, far + _LEAST), far)


def _ordinary(state: State, space: Space, others: Sequence[Direction]) -> Floats:
    """Direction of ordinary pages."""
    common = commonness(state.language)
    return space.ordinary(common) if common else scaled(space.sum(others))


def _space(state: State, good: Sequence[dict[str, int]]) -> Space:
    common = commonness(state.language)
    frequencies = {term: PAGES * share for term, share in common.items()}
    for term, pages in state.learned.frequencies.items():
        frequencies[term] = frequencies.get(term, 0.0) + pages
    for counts in good:
        for term in counts:
            frequencies[term] = frequencies.get(term, 0.0) + 1
    return Space(frequencies, (PAGES if common else 0) + state.learned.pages + len(good))


def _counts(page: Page) -> dict[str, int]:
    return count_terms(f"{page.title} {page.text}")


def _read(samples: Sequence[Sample]) -> tuple[list[Bag], str, bool]:
    """Each text once; their language; and whether they are parts of a single one."""
    texts = {" ".join(found): sample.text for sample in samples if (found := terms(sample.text))}
    whole = texts.values() if len(texts) > 1 else _pieces(*texts.values())
    counted = [counts for text in whole if (counts := count_terms(text))]
    if not counted:
        names = ", ".join(sample.name for sample in samples) or "none were given"
        raise ConfigError(
            f"the likeness judge compares pages with samples, and there is no word in them ({names}). Name texts of the kind you "
            "want with --like FILE, or in corpus.like; five pages are good, one is enough."
        )
    language = language_of(" ".join(texts).split(" "))
    return [bag_of(counts) for counts in counted], language, len(texts) == 1


def _pieces(text: str = "") -> list[str]:
    words = text.split()
    size = min(_PIECE_WORDS, len(words) // _PIECES + 1)
    return [" ".join(words[start : start + size]) for start in range(0, len(words), size)]


def _verdict(score: float, reason: str, like: float, *, belongs: bool) -> Verdict:
    return Verdict(score, belongs=belongs, opinions=(Opinion(NAME, score, reason, like),))
