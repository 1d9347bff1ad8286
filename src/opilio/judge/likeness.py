"""Is the page about the subject of the samples? Decides by the terms that it shares with them (`model/similarity.py`).

How much a term says about the subject comes from three sources: how common it is on ordinary pages in the samples'
language (`model/commonness.py`, which counts as a hundred pages), the samples, and the pages seen. A page is compared
with the theme of the samples: what they have in common and ordinary pages do not have. If nothing is known about
ordinary pages, the pages seen take their place. Two figures give the scale: how similar each sample is to the theme of
the others (a single one is cut into parts for that), and how similar the lower 60 % of the pages seen are to it; the
others may belong. At the first figure the score is 0.83, at the second 0.08, and a half at three fifths of the way
between them. Parts of one text are far more similar to each other than to other texts on its subject, which are at a
fifth of the way to them.

It judges from the first page on, and is fitted again after each of the first three pages seen and whenever their number
has grown by 30 %. The theme is that of the samples and of pages that the operator has marked; pages that were judged to
belong do not change it, because then it would drift.

Everything depends on the state alone, so every copy judges in the same way. The state is bounded: 200,000 terms, of
which rare ones are forgotten first, and the terms of a fair sample of 200 pages seen.
"""

from collections.abc import Sequence
from statistics import fmean
from typing import Final, Literal, NamedTuple
from zlib import crc32

import msgspec

from opilio.core.account import Account
from opilio.core.errors import ConfigError
from opilio.core.items import Opinion, Page, Verdict
from opilio.core.plugin import Context, Sample
from opilio.core.saved import pack, unpack
from opilio.core.sigmoid import SUREST, sigmoid
from opilio.model.commonness import PAGES, commonness
from opilio.model.similarity import Bag, Direction, Floats, Space, Theme, bag_of, count_terms, scaled

from .seam import Judge
from .texts import page_terms, sample_texts

NAME: Final = "likeness"
_TERMS: Final = 200_000
_PAGES: Final = 200
_FIRST_PAGES: Final = 3  # after each of these first pages there is a fit
_GROWTH: Final = 1.3
_LOWER_SHARE: Final = 0.6  # share of the pages seen that counts as other pages
_GUESSED_SHARE: Final = 0.3  # likeness of other pages, as a share of the samples', before any page is seen
_LEAST_DISTANCE: Final = 0.05  # least distance between the two figures, for samples with next to nothing in common
_SHARE_POWER: Final = 2.0  # applied to the share of samples that have a term
_ONE_TEXT_SHARE: Final = 0.2  # where pages on its subject are, on the way from other pages to the parts of one sample
_MOST_COMPARED: Final = 30  # samples and marked pages that are each compared with all the others
_LINE: Final = 0.6
_STEEPNESS: Final = 4.0
_PIECE_WORDS: Final = 400
_PIECES: Final = 4
_KEYWORDS: Final = 50


class Met(msgspec.Struct):
    """The pages seen: on how many of them each term is, and the terms of some of them."""

    pages: int = 0
    frequencies: dict[str, int] = {}
    drawn: list[Bag] = []

    def meet(self, url: str, counts: dict[str, int]) -> None:
        for term in counts:
            self.frequencies[term] = self.frequencies.get(term, 0) + 1
        if len(self.frequencies) > _TERMS:
            self._forget()
        self.pages += 1
        # Each page has the same chance of being drawn, and the same crawl draws the same pages.
        place = (
            len(self.drawn) if len(self.drawn) < _PAGES else crc32(url.encode("utf-8", "surrogatepass")) % self.pages
        )
        if place < _PAGES:
            self.drawn[place : place + 1] = [bag_of(counts)]

    def copy(self) -> "Met":
        return Met(self.pages, dict(self.frequencies), list(self.drawn))

    def _forget(self) -> None:
        """Forgets at least a quarter of the terms, so that the next page does not make it necessary again."""
        rare = 1
        while len(self.frequencies) > 0.75 * _TERMS:
            self.frequencies = {term: pages for term, pages in self.frequencies.items() if pages > rare}
            rare += 1


class State(msgspec.Struct):
    """Everything from which a copy in another process, or in a resumed crawl, is built."""

    samples: list[Bag]
    language: str  # the samples' language, "" if it is not known
    parts: bool = False  # the samples are parts of a single one
    met: Met = msgspec.field(default_factory=Met)
    learned: Met = msgspec.field(default_factory=Met)  # `met` at the time of the last fit
    taught: dict[str, tuple[bool, Bag]] = {}  # by URL, as the operator has marked it
    version: Literal[1] = 1  # version of this layout


class Fit(NamedTuple):
    space: Space
    theme: Theme
    near: float  # likeness of the samples
    far: float  # … of other pages

    def score(self, like: float) -> float:
        way = (like - self.far) / (self.near - self.far)
        return sigmoid(_STEEPNESS * (way - _LINE), SUREST)


class Likeness(Judge):
    """`threshold` is the score from which a page belongs."""

    compares_words = True

    def __init__(self, state: State, *, threshold: float = 0.5) -> None:
        if not 0.0 < threshold < 1.0:
            raise ConfigError(f"judge.threshold must be a score between 0 and 1, not {threshold}.")
        self._state = state
        self._threshold = threshold
        self._fit = _fit(state)

    @classmethod
    def build(cls, context: Context, *, threshold: float = 0.5) -> "Likeness":
        earlier = unpack(context.state, State, f"the {NAME} judge") if context.state else None
        if earlier is not None and not context.samples:
            return cls(earlier, threshold=threshold)
        samples, language, parts = _read(context.samples)
        state = earlier or State(samples, language)
        state.samples, state.language, state.parts = samples, language, parts
        return cls(state, threshold=threshold)

    def judge(self, page: Page) -> Verdict:
        counts = page_terms(page)
        if not counts:
            return Verdict.cannot_tell(NAME, "there are no words")
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
        counts = page_terms(page)
        if not counts:
            return False
        met = self._state.met
        met.meet(page.url, counts)
        if met.pages > _FIRST_PAGES and met.pages < _GROWTH * self._state.learned.pages:
            return False
        self._state.learned = met.copy()
        self._fit = _fit(self._state)
        return True

    def teach(self, page: Page, belongs: bool) -> bool:
        counts = page_terms(page)
        said = belongs, bag_of(counts)
        if not counts or self._state.taught.get(page.url) == said:
            return False
        self._state.taught[page.url] = said
        self._fit = _fit(self._state)
        return True

    def state(self) -> bytes:
        return pack(self._state)

    def describe(self) -> list[Account]:
        line = (
            f"a score of {self._threshold:g} is needed; the samples read {self._fit.near:.2f} like their subject, "
            f"other pages {self._fit.far:.2f}{'' if self._state.learned.drawn else ', by a guess'}"
        )
        return [Account(NAME, line, self._fit.space.terms_of(self._fit.theme.heaviest(_KEYWORDS)))]


def _fit(state: State) -> Fit:
    """Takes 0.2 s if all bounds are reached."""
    marked = [bag.counts() for belongs, bag in state.taught.values() if belongs]
    good = [*marked, *(bag.counts() for bag in state.samples)]  # marked ones first, so that they are always compared
    bad = [
        bag.counts() for bag in (*state.learned.drawn, *(bag for belongs, bag in state.taught.values() if not belongs))
    ]
    space = _space(state, good)
    others = [space.direction(counts) for counts in bad]
    shared = 0.0 if state.parts else _SHARE_POWER  # a term in all parts of one text may be only its name
    theme = Theme(space, [space.direction(counts) for counts in good], shared, _ordinary(state, space, others))
    mutual = theme.mutual(_MOST_COMPARED) or [_LEAST_DISTANCE]
    near = fmean(mutual)
    likenesses = sorted(map(theme.likeness, others))
    far = fmean(likenesses[: max(1, int(_LOWER_SHARE * len(likenesses)))] or [_GUESSED_SHARE * near])
    if state.parts:  # together they count as one text besides the marked pages
        parts = fmean(mutual[len(marked) :] or [_LEAST_DISTANCE])
        near = fmean([far + _ONE_TEXT_SHARE * (parts - far), *mutual[: len(marked)]])
    return Fit(space, theme, max(near, far + _LEAST_DISTANCE), far)


def _ordinary(state: State, space: Space, others: Sequence[Direction]) -> Floats:
    """Returns the direction of ordinary pages."""
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


def _read(samples: Sequence[Sample]) -> tuple[list[Bag], str, bool]:
    """Returns the texts without repetition, their language, and whether they are parts of a single one."""
    texts, language = sample_texts(samples, NAME)
    whole = texts if len(texts) > 1 else _pieces(*texts)
    return [bag_of(counts) for text in whole if (counts := count_terms(text))], language, len(texts) == 1


def _pieces(text: str) -> list[str]:
    words = text.split()
    size = min(_PIECE_WORDS, len(words) // _PIECES + 1)
    return [" ".join(words[start : start + size]) for start in range(0, len(words), size)]


def _verdict(score: float, reason: str, like: float, *, belongs: bool) -> Verdict:
    return Verdict(score, belongs=belongs, opinions=(Opinion(NAME, score, reason, like),))
