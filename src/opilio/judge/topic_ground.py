"""All texts that a topic is fitted to, measured against the same ordinary pages: the samples and the pages met."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import log
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from opilio.model.commonness import PAGES, commonness
from opilio.model.similarity import Floats, rarity, scaled
from opilio.model.term_index import Counted, Places, TermIndex
from opilio.model.vectors import IndexedVectors, Vectors

_COPY: Final = 0.8  # likeness in terms from which a page is a copy of a sample …
_CONTAINED: Final = 0.95  # … or, for a short one, the share of its terms that the samples have, by what they say
_BAND: Final = 4  # heaviest terms by which repetitions are found
_COMMONEST: Final = 100  # terms, which say which language it is
_FEW_PAGES: Final = 30  # too few to say how far pages scatter among meanings …
_MEAN_LENGTH: Final = 0.6  # … so the mean of their directions is taken to have this length


class Row(NamedTuple):
    """A text: the places of its terms, how much each says in it, and its direction among meanings, if that is known."""

    places: Places
    logs: Floats  # log(1 + number) of each term
    meaning: Floats


@lru_cache(maxsize=1)
def reader_of(language: str, vectors: Vectors | None) -> "Reader":
    """Returns a reader that all judges of a process share, because each of them would have to learn the same terms."""
    return Reader(language, vectors)


class Reader:
    """Reads texts as rows. Places of terms stay the same as long as it lives; the first are those of terms that are common in
    the language."""

    def __init__(self, language: str, vectors: Vectors | None) -> None:
        common = commonness(language)
        self.index = TermIndex(common)
        self._vectors = IndexedVectors(vectors, self.index) if vectors else None
        self._common = np.fromiter(common.values(), np.float64, len(common))  # shares of ordinary pages that have them
        self._weights = np.append(np.sqrt(rarity(PAGES * self._common, PAGES)), np.sqrt(rarity(np.zeros(1), PAGES)))
        self.centre = self._meaning(np.arange(len(common), dtype=np.int32), self._common)
        self._last: tuple[str, Counted] | None = None
        self._last_row: tuple[Counted, Row] | None = None

    @property
    def common(self) -> int:
        """Returns how many terms are known to be common in the language; 0 if nothing is known about it."""
        return len(self._common)

    def count(self, text: str) -> Counted:
        """Counts the terms of a page. It is judged and then often remembered, so the last count is kept."""
        last = self._last
        if last is None or last[0] != text:
            last = self._last = text, self.index.count(text)
        return last[1]

    def common_share(self, counted: Counted) -> float:
        """Returns the share of a text's words that are among the most common terms of the language; 0 if these are unknown."""
        commonest = counted.places < min(_COMMONEST, self.common)
        return float(counted.amounts[commonest].sum() / max(1, counted.amounts.sum()))

    def read(self, counted: Counted) -> Row:
        """Returns the row of a text; the last one is kept too."""
        last = self._last_row
        if last is None or last[0] is not counted:
            logs = np.log1p(counted.amounts)
            last = self._last_row = counted, Row(counted.places, logs, self._meaning(counted.places, logs))
        return last[1]

    def shares(self, places: Places) -> Floats:
        """Returns the share of ordinary pages of the language that have each of these terms."""
        return np.append(self._common, 0.0)[np.minimum(places, self.common)]

    def _meaning(self, places: Places, amounts: Floats) -> Floats:
        """Returns the direction of a text among meanings. Terms that are common in the language count less."""
        if self._vectors is None or not len(places):
            return np.zeros(0)
        return scaled(self._vectors.sum(places, amounts * self._weights[np.minimum(places, self.common)]))


def _heaviest(places: Places, values: Floats) -> list[int]:
    """Returns the places of the highest values, the highest first; of equal values, those that come first."""
    few = 2 * _BAND
    top = np.flatnonzero(values >= np.partition(values, -few)[-few]) if len(values) > few else np.arange(len(values))
    order = np.lexsort((places[top], -values[top]))[:few]
    found: list[int] = places[top][order].tolist()
    return found


class Samples(NamedTuple):
    whole: Row  # all of them together
    texts: Sequence[Row]  # the texts, or the parts of a single one


class Compact:
    """The rows of all texts, with places among the terms that they have or that are common in the language. The reader's index
    has the terms of other pages as well, and its order depends on them."""

    def __init__(self, reader: Reader, samples: Samples, pages: Sequence[Row]) -> None:
        self.reader, self.rows = reader, [samples.whole, *pages]
        self.known, self.places = self._compact([row.places for row in (*self.rows, *samples.texts)])
        self.whole = samples.whole._replace(places=self.places[0])
        own = self.places[len(self.rows) :]
        self.texts = [text._replace(places=places) for text, places in zip(samples.texts, own, strict=True)]
        self.shares = reader.shares(self.known)
        self.logs = np.concatenate([row.logs for row in self.rows])

    def _compact(self, rows: Sequence[Places]) -> tuple[Places, list[Places]]:
        """Returns the terms in the order in which they come first, and the rows with their places among these."""
        common = self.reader.common
        most = end = common + sum(map(len, rows))
        places = np.full(len(self.reader.index), end, np.int32)
        for row in reversed(rows):
            end -= len(row)
            places[row] = np.arange(end, end + len(row))
        places[:common] = np.arange(common)
        found = np.flatnonzero(places < most)
        firsts = np.full(most, -1, np.int32)  # which term comes first there; sorting would take longer
        firsts[places[found]] = found
        known: Places = firsts[firsts >= 0]
        places[known] = np.arange(len(known))
        return known, [places[row] for row in rows]


class Ground:
    def __init__(self, compact: Compact, ordinary: NDArray[np.bool_]) -> None:
        reader, rows, places = compact.reader, compact.rows, compact.places
        self._reader, self.ordinary = reader, ordinary
        self.size, self.texts, self.common = len(rows) - 1, len(compact.texts), reader.common
        self._known, self._shares, self._whole, self._texts = (
            compact.known,
            compact.shares,
            compact.whole,
            compact.texts,
        )
        self.starts = np.cumsum([0, *(len(row.places) for row in rows)])[:-1]
        self.places = np.concatenate(places[: len(rows)])
        self.rarities = self._rarities([own for own, each in zip(places[1:], ordinary, strict=False) if each])
        values = compact.logs * self.rarities[self.places]
        lengths = np.sqrt(np.add.reduceat(values * values, self.starts)) if len(values) else np.ones(len(rows))
        self.values = values / np.repeat(np.maximum(lengths, 1e-12), np.diff([*self.starts, len(values)]))
        self._common: Floats = self._sum(np.flatnonzero(ordinary) + 1) / (PAGES + ordinary.sum())
        self._usual = scaled(self._shares * self.rarities) if reader.common else scaled(self._common)
        self.centre, self.meanings = self._meanings(rows)

    @property
    def names(self) -> list[str]:
        """Returns all terms, by place."""
        terms = self._reader.index.terms
        return [terms[place] for place in self._known]

    def terms(self, row: int) -> slice:
        end = self.starts[row + 1] if row + 1 < len(self.starts) else len(self.places)
        return slice(self.starts[row], end)

    def unknown_rarity(self) -> float:
        pages = (PAGES if self._reader.common else 0) + int(self.ordinary.sum())
        return log((pages + 1) / 0.5)

    @cached_property
    def words(self) -> float:
        """Returns how many words a sample has, on average."""
        return float(np.mean([np.expm1(text.logs).sum() for text in self._texts]))

    def theme(self) -> Floats:
        """Returns what the samples have in common: the mean of their directions, with each term by the share that has it."""
        total, held = self._directions
        return scaled(total * held)

    def held_out(self) -> tuple[Floats, Floats]:
        """Returns the likeness of each sample to the others, by terms and by meanings."""
        total, held = self._directions
        meanings = np.array([text.meaning for text in self._texts]) - self.centre
        by_terms, by_meaning = np.zeros(self.texts), np.zeros(self.texts)
        for number, text in enumerate(self._texts):
            own = scaled(text.logs * self.rarities[text.places])
            others, shared = total.copy(), held.copy()
            others[text.places] -= own
            shared[text.places] -= 1.0
            by_terms[number] = float((own * self.contrast(scaled(others * shared))[text.places]).sum())
            rest = meanings.sum(0) - meanings[number]
            by_meaning[number] = float((scaled(meanings[number]) * scaled(rest)).sum())
        return by_terms, by_meaning

    def contrast(self, theme: Floats) -> Floats:
        """Turns a direction away from ordinary pages, twice as far if many texts agree on it as if there is one."""
        away = (2.0 - 1.0 / self.texts) * float((theme * self._usual).sum())
        return theme - away * self._usual

    def mean(self, members: Sequence[int]) -> Floats:
        """Returns the mean direction of pages, as seen from ordinary ones."""
        mean: Floats = self._sum(np.asarray(members, np.intp) + 1) / len(members) - self._common
        return mean

    def likeness(self, topic: Floats) -> Floats:
        """Returns the likeness of each page by its terms."""
        products: Floats = np.add.reduceat(self.values * topic[self.places], self.starts)
        return products[1:]

    def nearness(self, topic: Floats) -> Floats:
        """Returns the likeness of each page by its meaning."""
        products: Floats = np.einsum("ij,j->i", self.meanings[1:], topic)
        return products

    @cached_property
    def _directions(self) -> tuple[Floats, Floats]:
        """Returns the sum of the samples' directions, and how many of them have each term."""
        total, held = np.zeros(len(self.rarities)), np.zeros(len(self.rarities))
        for text in self._texts:
            total[text.places] += scaled(text.logs * self.rarities[text.places])
            held[text.places] += 1.0
        return total, held

    @cached_property
    def copies(self) -> NDArray[np.bool_]:
        """Tells which pages are samples, or nearly repeat an earlier page, as a print version does: the topic knows them by
        heart, so they say nothing about how high other pages are."""
        held = np.zeros(len(self.rarities))
        held[self._whole.places] = 1.0
        copies = np.add.reduceat(self.values**2 * held[self.places], self.starts)[1:] > _CONTAINED
        for sample in (self._whole, *self._texts):
            values = np.zeros(len(self.rarities))
            values[sample.places] = scaled(sample.logs * self.rarities[sample.places])
            copies |= self.likeness(values) > _COPY
        return copies | self._repetitions()

    def _repetitions(self) -> NDArray[np.bool_]:
        """Tells which pages nearly repeat an earlier one. Only pages are compared whose four heaviest terms are the same, or the
        four after them."""
        found = np.zeros(self.size, np.bool_)
        first: dict[frozenset[int], int] = {}
        for page in range(self.size):
            place = self.terms(page + 1)
            heaviest = _heaviest(self.places[place], self.values[place])
            for band in (frozenset(heaviest[:_BAND]), frozenset(heaviest[_BAND:])):
                earlier = first.setdefault(band, page)
                if earlier != page and self._pair(page, earlier) > _COPY:
                    found[page] = True
        return found

    def _pair(self, one: int, other: int) -> float:
        """Returns the likeness of two pages by their terms."""
        values = np.zeros(len(self.rarities))
        place = self.terms(one + 1)
        values[self.places[place]] = self.values[place]
        place = self.terms(other + 1)
        return float((values[self.places[place]] * self.values[place]).sum())

    def _sum(self, rows: NDArray[np.intp]) -> Floats:
        total = np.zeros(len(self.rarities))
        for row in rows:
            place = self.terms(int(row))
            total[self.places[place]] += self.values[place]
        return total

    def _rarities(self, met: Sequence[Places]) -> Floats:
        held = np.concatenate([*met, *(text.places for text in self._texts)])
        known = PAGES if self._reader.common else 0
        pages = known + len(met) + len(self._texts)
        return rarity(known * self._shares + np.bincount(held, minlength=len(self._known)), pages)

    def _meanings(self, rows: Sequence[Row]) -> tuple[Floats, Floats]:
        if not len(self._reader.centre) and not len(rows[0].meaning):
            return np.zeros(0), np.zeros((len(rows), 0))
        meanings = np.stack([row.meaning if len(row.meaning) else np.zeros_like(rows[0].meaning) for row in rows])
        met = meanings[1:][self.ordinary]
        known = PAGES if len(self._reader.centre) else 0
        prior = known * self._expected(met) if known else 0.0
        centre = (prior + met.sum(0)) / max(1, known + len(met))
        away = meanings - centre
        return centre, away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-12)

    def _expected(self, met: Floats) -> Floats:
        """Returns the mean of ordinary pages that the language's frequencies predict. Pages scatter around it, so it is
        shorter than a direction."""
        length = _MEAN_LENGTH if len(met) < _FEW_PAGES else float(np.linalg.norm(met.mean(0)))
        return length * self._reader.centre
