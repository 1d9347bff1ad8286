"""The rounds in which a topic is found; `topic` has the theory."""

from collections.abc import Sequence
from math import exp, log, log10, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from opilio.core.sigmoid import sigmoids
from opilio.model.commonness import PAGES
from opilio.model.similarity import Floats, scaled

from .topic import (
    HEIGHT_OF_TERMS,
    LINE,
    LINE_ODDS,
    LINE_OF_TERMS,
    ONE_TEXT_HEIGHT,
    PRIOR_HEIGHT,
    STEEPNESS,
    Marks,
    Part,
    Topic,
    packed,
)
from .topic_ground import Compact, Ground, Reader, Row, Samples
from .topic_neighbours import NOBODY, Neighbours, remember

_WELL_KNOWN: Final = 9_000  # common terms of a language, from which on more of them make no difference
_PRIOR_PAGES: Final = 8  # that belong, and have the height that is expected beforehand
_PRIOR_ODDS: Final = 20  # pages, of which one belongs
_RARITY: Final = 0.03  # by how much the line rises if the odds that a page belongs fall to 1 / e
_AGREEMENT: Final = 0.4  # how much the samples' own agreement counts, against the pages above the line …
_SHORT_WORDS: Final = 300  # … if they are long; with texts of this length or less …
_LONG_WORDS: Final = 600
_FEW_PAGES: Final = 20  # … it counts half as much once this many pages belong, and less and less …
_OTHERS_SHARE: Final = 0.2  # … where five other pages count as much as one that belongs
_LEAST_AGREEMENT: Final = 4.0
_MOST_AGREEMENT: Final = 30.0  # higher ones are near-copies of each other, and say little about other pages
_AGREEMENT_LINE: Final = 0.7  # where the line lies on the way from ordinary pages to the samples, under each other
_LEAST_SAMPLE: Final = 0.3  # how much the sample that agrees least counts, against the mean of all
_ROUNDS: Final = 2
_MEMBERS: Final = 8  # of the nearest pages, which say where the topic lies
_FEEDBACK: Final = 0.4  # how much they count, against the samples
_ANCHOR: Final = 6.0  # the least height under the samples alone of these pages
_ORDINARY_SHARE: Final = 0.6  # of the line that the samples draw beforehand; pages below it count as ordinary …
_ORDINARY_HEIGHT: Final = 4.0  # … and so do pages below this height …
_LESS_ORDINARY: Final = 1.0  # … and by how much it is lower where little is known about the language
_LESS_HEIGHT: Final = 0.2  # by which share all heights are lower there
_NEIGHBOURS: Final = 0.25  # share of the way at which there are neighbours of the topic, if any were met …
_FADING: Final = 0.5  # … and on which they become fewer by the factor e
_SEVERAL: Final = 10.0  # times as many pages as expected, from which they belong
_LOWEST_LINE: Final = 0.4
_GAP_PAGES: Final = 40  # pages met from which on a gap is believed half
_ABOVE_SHARE: Final = 0.2  # of the pages above a gap; if fewer are above the line, the gap is believed less
_BLUR: Final = 0.12  # share of the way over which pages are counted together
_PLACES: Final = 40
_STEPS: Final = 10  # in which the line comes to rest
_REFUSAL: Final = 0.15  # how much pages marked no turn the topic away, against those that belong
_SHIFT_DEVIATION: Final = 0.15  # by how far marks are expected to move the line, as a share of the way


def fit_topic(
    reader: Reader, samples: Samples, pages: Sequence[Row], drawn: NDArray[np.bool_], marks: Marks
) -> tuple[Topic, Floats]:
    """Returns the topic, and the height of each page."""
    compact = Compact(reader, samples, pages)
    known = Ground(compact, drawn & (not reader.common))  # by what is known beforehand, if anything is
    ordinary = drawn & _Search(known, drawn, marks).far_below_line()
    return _Search(Ground(compact, ordinary), drawn, marks).run()


def _ignorance(common: int) -> float:
    """Returns 1 where a thousand common terms of the language are known or fewer, and 0 where there are ten times as many. Of an
    unknown language nothing is known: there, pages met take the place of common terms."""
    return min(1.0, max(0.0, log10(_WELL_KNOWN / common))) if common else 0.0


def _priors(texts: int, common: int) -> tuple[Part, Part]:
    """Returns the mean and deviation of the likeness of ordinary pages, by terms and by meanings, as measured with samples of
    other topics; and how much each counts. Where fewer of the language's common terms are known, which are `common`, ordinary
    pages share more with the samples that looks rare: measured on English with a tenth of its terms."""
    one = 1.0 / texts  # 1 for a single text, which says least about terms
    ignorance = _ignorance(common)
    mean = -0.015 + 0.013 * one + (0.035 - 0.02 * one) * ignorance
    return Part(mean, 0.017 - 0.005 * one + 0.005 * ignorance, 1.0), Part(0.0, 0.145, 0.5 + 1.5 * one)


def lowered(share: float, ways: Floats) -> float:
    """Returns the line's share of the way, lower if there is a gap below it. `ways` are those of the pages met. Neighbours of the
    topic become fewer and fewer from ordinary pages upwards; where many more pages lie than that leads to expect, they belong,
    provided that some of them are above the line already: a site whose pages are all alike lies close together too."""
    places = np.linspace(_NEIGHBOURS, share, _PLACES)
    density = np.exp(-0.5 * ((ways - places[:, None]) / _BLUR) ** 2).sum(1)
    expected = density[0] * np.exp((_NEIGHBOURS - places) / _FADING)
    gap = max(_LOWEST_LINE, float(places[density <= _SEVERAL * expected][-1]))
    above, let_in = int((ways >= share).sum()), int((ways >= gap).sum())
    trust = len(ways) / (len(ways) + _GAP_PAGES) * min(1.0, above / max(1.0, _ABOVE_SHARE * let_in))
    return float(share ** (1 - trust) * min(gap, share) ** trust)


class _Search:
    def __init__(self, ground: Ground, drawn: NDArray[np.bool_], marks: Marks) -> None:
        self._ground, self._drawn, self._marks = ground, drawn, marks
        self._theme = ground.theme()
        self._has_meanings = ground.meanings.shape[1] > 0
        self._priors = _priors(ground.texts, ground.common)[: 2 if self._has_meanings else 1]
        self._share = LINE if self._has_meanings else LINE_OF_TERMS
        self._scale = 1.0 if self._has_meanings else HEIGHT_OF_TERMS * (1 - _LESS_HEIGHT * _ignorance(ground.common))

    def far_below_line(self) -> NDArray[np.bool_]:
        """Tells which pages the samples alone find far below the line, with all heights measured by what is known about ordinary
        pages beforehand."""
        likeness, _ = self._compare(())
        heights = self._total(self._priors, likeness)
        near, share = self._rest(heights[:0], self._drawn[:0], self._agreement(self._priors))
        bound = _ORDINARY_HEIGHT - _LESS_ORDINARY * _ignorance(self._ground.common)
        return heights < max(bound * self._scale, _ORDINARY_SHARE * share * near)

    def run(self) -> tuple[Topic, Floats]:
        likeness, theme = self._compare(sorted(self._marks.yes))
        parts, heights = self._measure(likeness)
        agreement = self._agreement(parts)
        anchored = heights >= _ANCHOR * self._scale
        near, share = self._rest(heights[:0], self._drawn[:0], agreement)
        for _ in range(_ROUNDS):
            likeness, theme = self._compare(self._members(heights, anchored & (heights >= share * near)))
            parts, heights = self._measure(likeness)
            near, share = self._rest_among(heights, agreement, share * near)
        ground = self._ground
        around = remember(ground.meanings[1:], heights)
        if around != NOBODY:
            heights = Neighbours(around).heights()
            near, share = self._rest_among(heights, agreement, share * near)
        share = lowered(share, heights[self._drawn & ~ground.copies] / near)
        topic = Topic(
            terms=" ".join(ground.names),
            rarities=packed(np.append(ground.rarities, ground.unknown_rarity())),
            weights=packed(theme[0]),
            centre=packed(ground.centre),
            meaning=packed(theme[1]),
            parts=parts,
            near=near,
            line=share + self._shift(heights / near, share),
            ordinary=int(ground.ordinary.sum()),
            belonging=int(((heights >= share * near) & ~ground.copies).sum()),
            around=around,
        )
        return topic, heights

    def _members(self, heights: Floats, fit: NDArray[np.bool_]) -> list[int]:
        """Returns the highest of the pages that fit, and all pages marked yes."""
        fit = fit & ~self._ground.copies
        fit[self._marks.all] = False
        order = np.argsort(np.where(fit, -heights, np.inf), kind="stable")[: min(_MEMBERS, int(fit.sum()))]
        return sorted({*order.tolist(), *self._marks.yes})

    def _compare(self, members: Sequence[int]) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Returns the likeness of each page in each part, and the topic in each part."""
        ground = self._ground
        if not members:
            terms, meaning = self._turned(self._theme, ground.meanings[0])
            return (ground.likeness(terms), ground.nearness(meaning)), (terms, meaning)
        total = ground.mean(members)
        centre = ground.meanings[1:][list(members)].mean(0)
        terms, meaning = self._joined(total, centre)
        by_terms, by_meaning = ground.likeness(terms), ground.nearness(meaning)
        for page in members:  # without itself
            place = ground.terms(page + 1)
            rest = total.copy()
            rest[ground.places[place]] -= ground.values[place] / len(members)
            lone_terms, lone_meaning = self._joined(rest, centre - ground.meanings[page + 1] / len(members))
            by_terms[page] = float((ground.values[place] * lone_terms[ground.places[place]]).sum())
            by_meaning[page] = float(ground.meanings[page + 1] @ lone_meaning)
        return (by_terms, by_meaning), (terms, meaning)

    def _joined(self, terms: Floats, meaning: Floats) -> tuple[Floats, Floats]:
        """Joins what members say with what the samples say."""
        return self._turned(
            self._theme + _FEEDBACK * scaled(terms), self._ground.meanings[0] + _FEEDBACK * scaled(meaning)
        )

    def _turned(self, terms: Floats, meaning: Floats) -> tuple[Floats, Floats]:
        """Turns both directions away from pages marked no, and that of terms from ordinary pages."""
        terms, meaning = scaled(terms), scaled(meaning)
        if self._marks.no:
            no = sorted(self._marks.no)
            terms = scaled(terms - _REFUSAL * scaled(self._ground.mean(no)))
            meaning = scaled(meaning - _REFUSAL * scaled(self._ground.meanings[1:][no].mean(0)))
        return self._ground.contrast(terms), meaning

    def _measure(self, likeness: tuple[Floats, Floats]) -> tuple[list[Part], Floats]:
        parts = [self._part(each, prior) for each, prior in zip(likeness, self._priors, strict=False)]
        return parts, self._total(parts, likeness)

    def _total(self, parts: Sequence[Part], likeness: Sequence[Floats]) -> Floats:
        total: Floats = np.sum([part.height(each) for part, each in zip(parts, likeness, strict=False)], axis=0)
        return total

    def _part(self, likeness: Floats, prior: Part) -> Part:
        met = likeness[self._ground.ordinary]
        middle = float(np.median(met)) if len(met) else prior.mean
        pages = PAGES + len(met)
        lower = met[met <= middle] - middle  # the upper half may belong
        squares = PAGES * prior.deviation**2 + 2 * float((lower**2).sum())
        return Part((PAGES * prior.mean + len(met) * middle) / pages, sqrt(squares / pages), prior.weight)

    def _agreement(self, parts: Sequence[Part]) -> float | None:
        """Returns the height that pages which belong have by what the samples say about each other; None for one text."""
        if self._ground.texts == 1:
            return None
        heights = self._total(parts, self._ground.held_out())
        usual = float((1 - _LEAST_SAMPLE) * heights.mean() + _LEAST_SAMPLE * heights.min()) / self._scale
        return self._scale * min(max(usual, _LEAST_AGREEMENT), _MOST_AGREEMENT) / _AGREEMENT_LINE

    def _trust(self, pages: float) -> float:
        """Returns how much the samples' agreement counts. Short texts agree by the words that they happen to use, which says
        nothing about how wide their subject is."""
        long = (self._ground.words - _SHORT_WORDS) / (_LONG_WORDS - _SHORT_WORDS)
        return _AGREEMENT * max(min(1.0, long), _FEW_PAGES / (_FEW_PAGES + pages))

    def _rest_among(self, heights: Floats, agreement: float | None, line: float) -> tuple[float, float]:
        """Moves the line among pages that are not copies."""
        news = ~self._ground.copies
        return self._rest(heights[news], self._drawn[news], agreement, line)

    def _rest(
        self, heights: Floats, drawn: NDArray[np.bool_], agreement: float | None, line: float = 0.0
    ) -> tuple[float, float]:
        """Moves the line until it rests. Returns the usual height of the pages above it, and its share of the way there."""
        prior = (PRIOR_HEIGHT + ONE_TEXT_HEIGHT / self._ground.texts) * self._scale
        near, share, fair = prior, self._share, int(drawn.sum())
        for _ in range(_STEPS):
            above = heights >= line
            trust = self._trust(int(above.sum()) + _OTHERS_SHARE * fair)
            logs = _PRIOR_PAGES * log(prior) + float(np.log(heights[above]).sum())
            near = exp(logs / (_PRIOR_PAGES + int(above.sum())))
            if agreement is not None:
                near = near ** (1 - trust) * agreement**trust
            frequency = (int(drawn[above].sum()) + 1) / (fair + _PRIOR_ODDS)
            share = self._share - _RARITY * log(frequency / (1 - frequency))
            line = share * near
        return near, share

    def _shift(self, ways: Floats, share: float) -> float:
        """Returns how far marks move the line: the most likely shift, if shifts have a normal distribution beforehand."""
        said = self._marks.all
        if not said:
            return 0.0
        belongs = np.array([1.0] * len(self._marks.yes) + [0.0] * len(self._marks.no))
        ways, shift = ways[said], 0.0
        for _ in range(_STEPS):
            odds = sigmoids(STEEPNESS * (ways - share - shift) + LINE_ODDS)
            slope = -STEEPNESS * float((belongs - odds).sum()) - shift / _SHIFT_DEVIATION**2
            bend = STEEPNESS**2 * float((odds * (1 - odds)).sum()) + 1 / _SHIFT_DEVIATION**2
            shift += slope / bend
        return shift
