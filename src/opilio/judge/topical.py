"""Is the page about the topic of the samples? `topic` says how that is decided; here is what is remembered for it.

It judges from the first page on, and is fitted again after each of the first three pages met and whenever their number has grown
by 40 %. A copy in another process needs only the topic as it was fitted. The state is bounded: the samples, the terms and
meanings of 650 pages met (half a kilobyte each), and those of the pages that the operator has marked.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Final, Literal

import msgspec
import numpy as np

from opilio.core.account import Account
from opilio.core.errors import ConfigError
from opilio.core.items import Opinion, Page, Verdict
from opilio.core.plugin import Context, Sample
from opilio.core.saved import pack, unpack
from opilio.model.similarity import Bag, bag_of, scaled
from opilio.model.term_index import Counted
from opilio.model.terms import terms
from opilio.model.vectors import find_vectors

from .pages_met import PagesMet, Remembered
from .seam import Judge
from .texts import page_words, sample_texts
from .topic import LINE_SCORE, Marks, Topic, unpacked
from .topic_ground import Reader, Row, Samples, reader_of
from .topic_neighbours import Neighbours
from .topic_search import fit_topic

NAME: Final = "topic"
_FIRST_PAGES: Final = 3  # after each of these first pages there is a fit
_GROWTH: Final = 1.4
_KEYWORDS: Final = 40
_VECTOR_LANGUAGES: Final = ("en", "")  # in which the installed vectors help; "": not known
_FOREIGN: Final = 0.4  # a page is in another language if it has less than this share of the samples' commonest terms
_MOST_TEXTS: Final = 30  # that are compared with each other; of more, several count as one
_PART_WORDS: Final = 300  # of short texts that are joined, or of a single one
_LONG_WORDS: Final = 500  # from which a text counts by itself, if there are others
_SAME_SHARE: Final = 0.8  # of the terms of two texts, from which they are versions of one
_MOST_KNOWN: Final = 100
_MOST_TERMS: Final = 300_000  # in the index, which then begins anew
_PAGE_TERMS: Final = 3_000  # of a page that are remembered, those that come first
_LEVEL: Final = 1  # of compression: half of the time of the usual level for a state that is a seventh larger


class State(msgspec.Struct):
    """Everything from which a copy in another process, or in a resumed crawl, is built."""

    samples: list[Bag]  # all of them together, then the texts that are compared with each other
    language: str  # the samples' language, "" if it is not known
    topic: Topic
    met: PagesMet = msgspec.field(default_factory=PagesMet)
    fitted: int = 0  # pages met at the last fit
    taught: dict[str, tuple[bool, Bag]] = {}  # by URL, as the operator has marked it
    version: Literal[5] = 5  # version of this layout


class EarlierState(msgspec.Struct):
    """Its topic was fitted by other rules, and is fitted anew. In the pages that it remembers, beginnings count once."""

    samples: list[Bag]
    language: str
    met: PagesMet = msgspec.field(default_factory=PagesMet)
    taught: dict[str, tuple[bool, Bag]] = {}
    version: Literal[2, 3, 4] = 4


class Topical(Judge):
    """`threshold` is the score from which a page belongs. `vectors` is a folder with word vectors; if it is empty, the installed
    ones are used, and "none" does without."""

    gives_probabilities = True
    compares_words = True

    def __init__(self, state: State, *, threshold: float = LINE_SCORE, vectors: str = "") -> None:
        if not 0.0 < threshold < 1.0:
            raise ConfigError(f"judge.threshold must be a score between 0 and 1, not {threshold}.")
        self._state = state
        self._threshold = threshold
        self._vectors = find_vectors(vectors if vectors or state.language in _VECTOR_LANGUAGES else "none")
        self._use_reader()

    @classmethod
    def build(cls, context: Context, *, threshold: float = LINE_SCORE, vectors: str = "") -> "Topical":
        state = _saved(context.state) if context.state else State([], "", NO_TOPIC)
        if context.samples or not state.samples:
            samples, language = _read(context.samples)
            if state.samples != samples:
                state.samples, state.language, state.topic = samples, language, NO_TOPIC
        judge = cls(state, threshold=threshold, vectors=vectors)
        if not judge._is_fitted():
            judge._fit()
        return judge

    def judge(self, page: Page) -> Verdict:
        counted = self._count(page)
        if not len(counted.places):
            return Verdict.cannot_tell(NAME, "there are no words")
        topic = self._state.topic
        height = self._judging.height(self._reader.read(counted))
        score = topic.score(height)
        whom = (
            f"the samples and {topic.belonging} pages like them" if topic.belonging else "pages that belong, by a guess"
        )
        reason = (
            f"{topic.way(height):.0%} of the way from ordinary pages to {whom}; the line is at "
            f"{topic.way_to(self._threshold):.0%}: score {score:.2f}, {self._threshold:g} is needed"
        )
        return _verdict(score, reason, height, belongs=score >= self._threshold)

    def watch(self, page: Page, verdict: Verdict) -> bool:
        if not page.prose or self._is_foreign(self._count(page)):
            return False
        met = self._state.met
        self._rows.pop(page.url, None)  # its text may have been another one
        score = next((opinion.measure for opinion in verdict.opinions if opinion.judge == NAME), None)
        met.meet(page.url, verdict.score if score is None else score, lambda: self._bag(page))
        if met.pages > _FIRST_PAGES and met.pages < _GROWTH * self._state.fitted:
            return False
        self._fit()
        return True

    def teach(self, page: Page, belongs: bool) -> bool:
        said = belongs, self._bag(page)
        if not said[1].amounts or self._state.taught.get(page.url) == said:
            return False
        self._state.taught[page.url] = said
        self._fit()
        return True

    def state(self) -> bytes:
        return pack(self._state, _LEVEL)

    def describe(self) -> list[Account]:
        topic = self._state.topic
        met = (
            f"by {topic.belonging} pages that belong"
            if topic.belonging
            else "by a guess, as long as no such page is met"
        )
        way = topic.way_to(self._threshold)
        line = (
            f"a score of {self._threshold:g} is needed, which pages have at {way:.0%} of the way from ordinary pages to "
            f"those that belong ({met})"
        )
        return [Account(NAME, line, self._judging.heaviest(_KEYWORDS))]

    def _count(self, page: Page) -> Counted:
        if len(self._reader.index) > self._most_terms:
            if reader_of(self._state.language, self._vectors) is self._reader:
                reader_of.cache_clear()
            self._use_reader()
        return self._reader.count(page_words(page))

    def _bag(self, page: Page) -> Bag:
        """Returns the terms of a page that will be remembered. Its row is read from them, as after a resumption: in another
        order, sums would differ in their last digits."""
        counted = self._count(page)  # first, because it may begin a new index
        if len(counted.places) > _PAGE_TERMS:
            counted = Counted(counted.places[:_PAGE_TERMS], counted.amounts[:_PAGE_TERMS])
        self._rows.pop(page.url, None)
        return self._reader.index.bag(counted)

    def _use_reader(self) -> None:
        """Forgets the terms of pages that were judged and are not remembered."""
        self._reader = reader_of(self._state.language, self._vectors)
        self._rows: dict[str, Row] = {}  # of the pages met
        self._common_share = self._reader.common_share(self._reader.index.read(self._state.samples[0]))
        self._judging = _Judging(self._state.topic, self._reader)
        own = (
            self._reader.common + self._state.topic.terms.count(" ") + 1
        )  # of this judge alone: others share the index
        self._most_terms = max(_MOST_TERMS, 2 * own)

    def _read(self, bag: Bag) -> Row:
        return self._reader.read(self._reader.index.read(bag))

    def _is_foreign(self, counted: Counted) -> bool:
        """Tells whether a page is in another language than the samples, as far as it lacks their most common terms. Beside such
        pages every page in the samples' language would be near them, so they are not ordinary pages."""
        return self._reader.common_share(counted) < _FOREIGN * self._common_share

    def _is_fitted(self) -> bool:
        """Tells whether there is a topic that was fitted with word vectors of the same size, or without if there are none."""
        topic = self._state.topic
        return topic != NO_TOPIC and len(unpacked(topic.meaning)) == (self._vectors.size if self._vectors else 0)

    def _fit(self) -> None:
        """Takes 0.1 s if all bounds are reached."""
        state = self._state
        marked = [(Remembered(url, bag), False) for url, (_, bag) in state.taught.items()]
        remembered = [*marked, *(each for each in state.met.all() if each[0].url not in state.taught)]
        rows = {page.url: self._rows.get(page.url) or self._read(page.bag) for page, _ in remembered}
        self._rows = rows
        drawn = np.array([fair for _, fair in remembered], np.bool_)
        yes = [belongs for belongs, _ in state.taught.values()]
        marks = Marks(
            frozenset(place for place, belongs in enumerate(yes) if belongs),
            frozenset(place for place, belongs in enumerate(yes) if not belongs),
        )
        whole, *texts = map(self._read, state.samples)
        state.topic, heights = fit_topic(self._reader, Samples(whole, texts), list(rows.values()), drawn, marks)
        found = dict(zip(rows, heights.tolist(), strict=True))
        state.met.scores = [found[page.url] for page in state.met.best]
        state.fitted = state.met.pages
        self._judging = _Judging(state.topic, self._reader)


class _Judging:
    """Compares pages with a topic."""

    def __init__(self, topic: Topic, reader: Reader) -> None:
        self._topic = topic
        places = reader.index.places(topic.terms)
        self._unknown = len(reader.index)  # the place of every term that comes later
        rarities, weights = unpacked(topic.rarities), unpacked(topic.weights)
        self._rarities = np.full(self._unknown + 1, rarities[-1] if len(rarities) else 0.0)
        self._weights = np.zeros(self._unknown + 1)
        self._rarities[places], self._weights[places] = rarities[:-1], weights
        self._centre, self._meaning = unpacked(topic.centre), unpacked(topic.meaning)
        self._neighbours = Neighbours(topic.around)

    def heaviest(self, number: int) -> tuple[str, ...]:
        """Returns the terms that weigh most in the topic."""
        named = self._topic.terms.split(" ")
        weights = unpacked(self._topic.weights) * unpacked(self._topic.rarities)[:-1]
        return tuple(named[place] for place in np.argsort(-weights, kind="stable")[:number] if weights[place] > 0)

    def height(self, row: Row) -> float:
        places = np.minimum(row.places, self._unknown)
        direction = scaled(row.logs * self._rarities[places])
        likeness = [float((direction * self._weights[places]).sum())]
        if not len(self._meaning):
            return self._sum(likeness)
        meaning = scaled(row.meaning - self._centre)
        return self._neighbours.height(self._sum([*likeness, float((meaning * self._meaning).sum())]), meaning)

    def _sum(self, likeness: Sequence[float]) -> float:
        return sum(part.height(each) for part, each in zip(self._topic.parts, likeness, strict=True))


NO_TOPIC: Final = Topic("", b"", b"", b"", b"", [], 1.0, 1.0)


def _saved(saved: bytes) -> State:
    state: State | EarlierState = unpack(saved, State, f"the {NAME} judge", older=(EarlierState,))  # type: ignore[assignment]
    if isinstance(state, State):
        return state
    return State(state.samples, state.language, NO_TOPIC, state.met, taught=state.taught)


def _read(samples: Sequence[Sample]) -> tuple[list[Bag], str]:
    """Returns the terms of all texts together and of those that are compared with each other, and their language."""
    texts, language = sample_texts(samples, NAME)
    pieces = _pieces(_distinct([terms(text) for text in texts]))
    size = -(-len(pieces) // _MOST_TEXTS)
    groups = [pieces[first : first + size] for first in range(0, len(pieces), size)]
    return [bag_of(Counter(chain.from_iterable(group))) for group in (pieces, *groups)], language


def _distinct(texts: list[list[str]]) -> list[list[str]]:
    """Leaves out texts that nearly repeat one of the last hundred before them: two versions of a text always agree."""
    found: list[list[str]] = []
    known: list[set[str]] = []
    for words in texts:
        own = set(words)
        if all(len(own & other) < _SAME_SHARE * len(own | other) for other in known[-_MOST_KNOWN:]):
            found.append(words)
            known.append(own)
    return found


def _pieces(texts: list[list[str]]) -> list[list[str]]:
    """Takes long texts as they are, because they are pages; joins short ones and cuts them anew, so that a file with several
    texts says the same as several files. A single text is cut too, because it may be several."""
    long = [text for text in texts if len(text) >= _LONG_WORDS] if len(texts) > 1 else []
    short = list(chain.from_iterable(text for text in texts if not long or len(text) < _LONG_WORDS))
    return long + (_parts(short) if short else [])


def _parts(words: list[str]) -> list[list[str]]:
    number = max(1, round(len(words) / _PART_WORDS))
    bounds = [len(words) * place // number for place in range(number + 1)]
    return [words[start:end] for start, end in pairwise(bounds)]


def _verdict(score: float, reason: str, height: float, *, belongs: bool) -> Verdict:
    return Verdict(score, belongs=belongs, opinions=(Opinion(NAME, score, reason, height),))
