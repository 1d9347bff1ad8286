"""Where the topic of the samples lies on this web, and how wide it is.

A page is compared with the topic in two ways, its *parts*: by the terms that they share (TF-IDF), and by the places of their
words in a space of meanings (`model/vectors.py`), if there is such a space. Each part is measured in the same currency: its
distance from ordinary pages, in standard deviations of ordinary pages. The sum of the parts is the page's *height*.

1. **Ordinary pages** come from the frequencies that Opilio ships for the language, which count as a hundred pages, and from the
   fair sample of the pages met, without those that are near the samples by what was known beforehand. So a crawl that meets
   mostly pages that belong does not raise the bar.
2. **Where the topic lies** is said by the samples, taken together: how they are divided into files does not matter. Texts of a
   user's own are of another kind than the pages of a web, so the pages that are nearest to them then say it as well:
   first eight, then thirty, counting as much as all samples together. Each of these is compared with the topic without
   itself.
3. **How wide it is** is said by the pages that belong: the line lies at a fixed share (`_LINE`) of the way from ordinary pages
   to their mean height. Pages above the line belong, and their mean moves the line; this is repeated until it rests. Before
   any page is met, and where no page belongs, the line is where it was best for samples of other topics (`_PRIOR_HEIGHT`,
   which counts as four pages).
4. **The operator's word**: pages marked yes are among the pages of rule 2, pages marked no are not, and turn the topic away
   from themselves. All marks together move the line to where it divides them best, as far as they outweigh a prior.

Worked example: four pages have the heights 7, 9, 11 and 13, all others are below 4. The prior says 8.3, so the line begins at
0.76 x 8.3 = 6.3. The four pages are above it, and with the four of the prior their mean is 9.15, so the line moves to 0.76 x 9.15
= 6.95. The same four are above it, and it rests. A page of height 6.95 gets the score 0.5, one of height 9.15 the score 0.77.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import repeat
from math import log, sqrt
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from opilio.core.sigmoid import SUREST, sigmoid, sigmoids
from opilio.model.commonness import PAGES, commonness
from opilio.model.similarity import rarity, scaled
from opilio.model.vectors import Vectors

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

_LINE: Final = 0.76  # where the line lies between ordinary pages and the mean of the pages that belong …
_LINE_OF_TERMS: Final = 0.7  # … if terms alone decide
_PRIOR_HEIGHT: Final = 8.3  # of a page that belongs, before any is met
_HEIGHT_OF_TERMS: Final = 0.65  # share of these heights that terms alone reach
_PRIOR_PAGES: Final = 4
_STEEPNESS: Final = 5.0  # of the score along the way from ordinary pages to the mean of those that belong
_ROUNDS: Final = (8, 30, 30)  # how many of the nearest pages say where the topic lies, in each round
_ANCHOR: Final = 6.5  # the least height under the samples alone of the pages that say where the topic lies
_ORDINARY_HEIGHT: Final = 4.0  # pages below it, by the samples and what is known beforehand, count as ordinary
_STEPS: Final = 10  # in which the line comes to rest
_COPY: Final = 0.8  # likeness in terms from which a page is a copy of a sample
_PRIORS: Final = (
    (0.02, 0.014),
    (0.03, 0.17),
)  # of terms and meanings: mean and deviation of ordinary pages, by likeness …
_SPREAD: Final = 1.8  # by how much more they vary in terms if pages say, too, where the topic lies
_PRIOR_ORDINARY: Final = 30  # … which count as this many pages
_REFUSAL: Final = 0.15  # how much pages marked no turn the topic away, against those that belong
_SHIFT_DEVIATION: Final = 0.15  # by how far marks are expected to move the line, as a share of the way


class Row(NamedTuple):
    """A text: the places of its terms, how much each says in it, and its direction among meanings, if that is known."""

    places: Places
    logs: Floats  # log(1 + number) of each term
    meaning: Floats


class Part(msgspec.Struct, frozen=True):
    """What a likeness is worth: ordinary pages have this mean and deviation."""

    mean: float
    deviation: float

    def height(self, likeness: Floats) -> Floats:
        heights: Floats = (likeness - self.mean) / self.deviation
        return heights


class Topic(msgspec.Struct, frozen=True):
    """The topic as it was fitted: everything that is needed to judge a page."""

    terms: str  # joined by spaces
    rarities: bytes  # of the terms, and of an unknown one, as 32-bit floats
    weights: bytes  # of the terms in the topic
    centre: bytes  # where ordinary pages lie among meanings; empty if meanings are not known
    meaning: bytes  # where the topic lies, as seen from there
    parts: list[Part]
    near: float  # mean height of the pages that belong
    line: float  # share of the way there from which a page belongs
    ordinary: int = 0  # pages met that do not belong
    belonging: int = 0  # pages met that do

    def way(self, height: float) -> float:
        return height / self.near

    def score(self, height: float) -> float:
        return sigmoid(_STEEPNESS * (self.way(height) - self.line), SUREST)


class Reader:
    """Reads texts as rows. Places of terms stay the same as long as it lives."""

    def __init__(self, language: str, vectors: Vectors | None) -> None:
        self.common = commonness(language)
        self.places: dict[str, int] = {term: place for place, term in enumerate(self.common)}
        self.vectors = vectors
        self.centre = self._ordinary_meaning()

    def read(self, counts: Mapping[str, int]) -> Row:
        known = self.places
        places = np.fromiter((known.setdefault(term, len(known)) for term in counts), np.intp, len(counts))
        logs = np.log1p(np.fromiter(counts.values(), np.float64, len(counts)))
        return Row(places, logs, meaning_of(self.vectors, self.common, counts, logs))

    def shares(self) -> Floats:
        """Returns the share of ordinary pages of the language that have each term."""
        shares = np.zeros(len(self.places))
        shares[: len(self.common)] = np.fromiter(self.common.values(), np.float64, len(self.common))
        return shares

    def _ordinary_meaning(self) -> Floats:
        shares = np.fromiter(self.common.values(), np.float64, len(self.common))
        return meaning_of(self.vectors, self.common, self.common, shares)


def meaning_of(
    vectors: Vectors | None, common: Mapping[str, float], terms: Mapping[str, float], amounts: Floats
) -> Floats:
    """Returns the direction of a text among meanings. Terms that are common in the language count less."""
    if vectors is None or not terms:
        return np.zeros(0)
    shares = np.fromiter(map(common.get, terms, repeat(0.0)), np.float64, len(terms))
    weights = amounts * np.sqrt(rarity(PAGES * shares, PAGES))
    return scaled(np.einsum("i,ij->j", weights, vectors.of(terms)))  # `@` would divide it among threads


class Marks(NamedTuple):
    yes: frozenset[int]  # places among the pages
    no: frozenset[int]


def fit_topic(
    reader: Reader, samples: Sequence[Row], pages: Sequence[Row], drawn: NDArray[np.bool_], marks: Marks
) -> tuple[Topic, Floats]:
    """Returns the topic, and the height of each page. The samples are their union first, then each of them."""
    known = _Ground(reader, samples, pages, drawn & (not reader.common))  # by what is known beforehand, if anything is
    ordinary = drawn & (_Search(known, marks).first_heights() < _ORDINARY_HEIGHT)
    return _Search(_Ground(reader, samples, pages, ordinary), marks).run()


class _Ground:
    """All texts, measured against the same ordinary pages."""

    def __init__(
        self, reader: Reader, samples: Sequence[Row], pages: Sequence[Row], ordinary: NDArray[np.bool_]
    ) -> None:
        self.reader, self.ordinary = reader, ordinary
        self.size = len(pages)
        rows = [samples[0], *pages]
        self.starts = np.cumsum([0, *(len(row.places) for row in rows)])[:-1]
        self.places = np.concatenate([row.places for row in rows])
        self.rarities = self._rarities(samples[1:], pages)
        values = np.concatenate([row.logs for row in rows]) * self.rarities[self.places]
        lengths = np.sqrt(np.add.reduceat(values * values, self.starts)) if len(values) else np.ones(len(rows))
        self.values = values / np.repeat(np.maximum(lengths, 1e-12), np.diff([*self.starts, len(values)]))
        self.common: Floats = self._sum(np.flatnonzero(ordinary) + 1) / (PAGES + ordinary.sum())
        self.centre, self.meanings = self._meanings(rows)
        self._samples = samples[1:]

    def terms(self, row: int) -> slice:
        end = self.starts[row + 1] if row + 1 < len(self.starts) else len(self.places)
        return slice(self.starts[row], end)

    def mean(self, members: Sequence[int]) -> Floats:
        """Returns the mean direction of pages, as seen from ordinary ones."""
        mean: Floats = self._sum(np.asarray(members, np.intp) + 1) / len(members) - self.common
        return mean

    def likeness(self, topic: Floats) -> Floats:
        """Returns that of each page, by its terms."""
        products: Floats = np.add.reduceat(self.values * topic[self.places], self.starts)
        return products[1:]

    def nearness(self, topic: Floats) -> Floats:
        """Returns the likeness of each page by its meaning."""
        products: Floats = np.einsum("ij,j->i", self.meanings[1:], topic)
        return products

    def _sum(self, rows: NDArray[np.intp]) -> Floats:
        total = np.zeros(len(self.rarities))
        for row in rows:
            place = self.terms(int(row))
            total[self.places[place]] += self.values[place]
        return total

    def _rarities(self, samples: Sequence[Row], pages: Sequence[Row]) -> Floats:
        shares = self.reader.shares()
        met = [row.places for row, ordinary in zip(pages, self.ordinary, strict=True) if ordinary]
        held = np.concatenate([*met, *(row.places for row in samples)]) if met or samples else np.zeros(0, np.intp)
        known = PAGES if self.reader.common else 0
        return rarity(known * shares + np.bincount(held, minlength=len(shares)), known + len(met) + len(samples))

    def _meanings(self, rows: Sequence[Row]) -> tuple[Floats, Floats]:
        if not len(self.reader.centre) and not len(rows[0].meaning):
            return np.zeros(0), np.zeros((len(rows), 0))
        meanings = np.stack([row.meaning if len(row.meaning) else np.zeros_like(rows[0].meaning) for row in rows])
        met = meanings[1:][self.ordinary]
        known = PAGES if len(self.reader.centre) else 0
        prior = known * self._expected(met) if known else 0.0
        centre = (prior + met.sum(0)) / max(1, known + len(met))
        away = meanings - centre
        return centre, away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-12)

    def _expected(self, met: Floats) -> Floats:
        """Returns the mean of ordinary pages that the language's frequencies predict. Pages scatter around it, so it is
        shorter than a direction."""
        length = 0.6 if len(met) < _PRIOR_ORDINARY else float(np.linalg.norm(met.mean(0)))
        return length * self.reader.centre

    @cached_property
    def copies(self) -> NDArray[np.bool_]:
        """Tells which pages are samples: the topic knows them by heart."""
        copies = np.zeros(self.size, np.bool_)
        for sample in self._samples:
            values = np.zeros(len(self.rarities))
            values[sample.places] = scaled(sample.logs * self.rarities[sample.places])
            copies |= self.likeness(values) > _COPY
        return copies


class _Search:
    """The rounds in which the topic is found."""

    def __init__(self, ground: _Ground, marks: Marks) -> None:
        self._ground, self._marks = ground, marks
        self._sample = self._direction(0)
        self._has_meanings = ground.meanings.shape[1] > 0
        self._share = _LINE if self._has_meanings else _LINE_OF_TERMS
        self._scale = 1.0 if self._has_meanings else _HEIGHT_OF_TERMS

    def first_heights(self) -> Floats:
        """Returns how high the samples alone find each page, measured by what is known about ordinary pages beforehand."""
        likeness, _ = self._compare(())
        kinds = likeness if self._has_meanings else likeness[:1]
        heights = [Part(*prior).height(each) for each, prior in zip(kinds, _PRIORS, strict=False)]
        total: Floats = np.sum(heights, axis=0) / self._scale
        return total

    def run(self) -> tuple[Topic, Floats]:
        prior = _PRIOR_HEIGHT * self._scale
        members = sorted(self._marks.yes)
        likeness, theme = self._compare(members)
        parts, heights = self._heights(likeness, joined=False)
        anchored = heights >= _ANCHOR * self._scale
        near, line = prior, self._share * prior
        for most in _ROUNDS:
            members = self._members(heights, anchored & (heights >= line), most)
            likeness, theme = self._compare(members)
            parts, heights = self._heights(likeness, joined=bool(members))
            near, line = self._rest(heights, line, prior)
        belongs = (heights >= line) & ~self._ground.copies
        share = self._share + self._shift(heights / near)
        ground = self._ground
        topic = Topic(
            " ".join(ground.reader.places), _packed(np.append(ground.rarities, self._unknown())), _packed(theme[0]),
            _packed(ground.centre), _packed(theme[1]), parts, near, share,
            int(ground.ordinary.sum()), int(belongs.sum()),
        )  # fmt: skip
        return topic, heights

    def _unknown(self) -> float:
        ground = self._ground
        pages = (PAGES if ground.reader.common else 0) + int(ground.ordinary.sum())
        return log((pages + 1) / 0.5)

    def _members(self, heights: Floats, fit: NDArray[np.bool_], most: int) -> list[int]:
        """Returns the highest of the pages that fit, which are above the line and high enough for the samples alone, so that the
        topic cannot drift; and all pages marked yes."""
        fit = fit & ~self._ground.copies
        fit[[*self._marks.yes, *self._marks.no]] = False
        order = np.argsort(np.where(fit, -heights, np.inf), kind="stable")[: min(most, int(fit.sum()))]
        return sorted({*order.tolist(), *self._marks.yes})

    def _compare(self, members: Sequence[int]) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Returns the likeness of each page in each part, and the topic in each part."""
        ground = self._ground
        if not members:
            terms, meaning = self._refused(self._sample, ground.meanings[0])
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
        """Joins what members say with what the samples say, in equal shares."""
        return self._refused(scaled(terms) + self._sample, scaled(meaning) + self._ground.meanings[0])

    def _refused(self, terms: Floats, meaning: Floats) -> tuple[Floats, Floats]:
        terms, meaning = scaled(terms), scaled(meaning)
        if self._marks.no:
            no = sorted(self._marks.no)
            terms = scaled(terms - _REFUSAL * scaled(self._ground.mean(no)))
            meaning = scaled(meaning - _REFUSAL * scaled(self._ground.meanings[1:][no].mean(0)))
        return terms, meaning

    def _direction(self, row: int) -> Floats:
        place = self._ground.terms(row)
        direction = np.zeros(len(self._ground.rarities))
        direction[self._ground.places[place]] = self._ground.values[place]
        return direction

    def _heights(self, likeness: tuple[Floats, Floats], *, joined: bool) -> tuple[list[Part], Floats]:
        kinds = likeness if self._has_meanings else likeness[:1]
        spreads = (_SPREAD if joined else 1.0, 1.0)
        parts = [
            self._part(each, mean, deviation * spread)
            for each, (mean, deviation), spread in zip(kinds, _PRIORS, spreads, strict=False)
        ]
        heights: Floats = np.sum([part.height(each) for part, each in zip(parts, kinds, strict=True)], axis=0)
        return parts, heights

    def _part(self, likeness: Floats, mean: float, deviation: float) -> Part:
        met = likeness[self._ground.ordinary]
        middle = float(np.median(met)) if len(met) else mean
        prior, number = _PRIOR_ORDINARY, len(met)
        mean = (prior * mean + number * middle) / (prior + number)
        lower = met[met <= middle] - middle  # the upper half may belong
        squares = prior * deviation**2 + 2 * float((lower**2).sum())
        return Part(mean, sqrt(squares / (prior + number)))

    def _rest(self, heights: Floats, line: float, prior: float) -> tuple[float, float]:
        """Moves the line until it rests."""
        near = prior
        heights = heights[~self._ground.copies]
        for _ in range(_STEPS):
            above = heights[heights >= line]
            near = (_PRIOR_PAGES * prior + float(above.sum())) / (_PRIOR_PAGES + len(above))
            line = self._share * near
        return near, line

    def _shift(self, ways: Floats) -> float:
        """Returns how far marks move the line: the most likely shift, if shifts have a normal distribution beforehand."""
        said = [*self._marks.yes, *self._marks.no]
        if not said:
            return 0.0
        belongs = np.array([1.0] * len(self._marks.yes) + [0.0] * len(self._marks.no))
        ways, shift = ways[said], 0.0
        for _ in range(_STEPS):
            odds = sigmoids(_STEEPNESS * (ways - self._share - shift))
            slope = -_STEEPNESS * float((belongs - odds).sum()) - shift / _SHIFT_DEVIATION**2
            bend = _STEEPNESS**2 * float((odds * (1 - odds)).sum()) + 1 / _SHIFT_DEVIATION**2
            shift += slope / bend
        return shift


def _packed(values: Floats) -> bytes:
    return values.astype("<f4").tobytes()


def unpacked(data: bytes) -> Floats:
    return np.frombuffer(data, "<f4").astype(np.float64)
