"""Passages (texts with a title, as long as a page needs them), and the shelf that gives them by number.

A shelf holds texts of one language and topic. It cuts its sources into passages and never gives a paragraph twice; it
reads a source only when a number requires it. After its last source it makes mixtures of its sentences, so that there
is text for a web of any size. A shelf that has only sentences starts with such mixtures.

Invariant: a number gives the same passage, whichever were requested before.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from .draw import Draw

LEAST_CHARS: Final = 1_200  # a page needs 1,000 characters to be kept in a corpus, and extraction may lose some
MOST_CHARS: Final = 6_000
_SENTENCE: Final = re.compile(r"(?<=[.!?…])\s+(?=[^\W\d_a-z])")
_UNSPACED_LANGUAGES: Final = frozenset({"ja", "th", "zh"})
_TITLE_WORDS: Final = 6


class Passage(NamedTuple):
    title: str
    topics: tuple[str, ...]
    paragraphs: tuple[str, ...]


class Source(NamedTuple):
    """A document before it is cut into passages: paragraphs, each with the heading above it."""

    title: str
    topics: tuple[str, ...]
    paragraphs: Sequence[tuple[str, str]]


class Shelf:
    def __init__(self, language: str, topic: str, sources: Iterator[Source], sentences: Sequence[str] = ()) -> None:
        self.language, self.topic = language, topic
        self._sources = sources
        self._passages: list[Passage] = []
        self._sentences = list(sentences)
        self._seen: set[str] = set()
        self._read_all = False

    def passage(self, number: int) -> Passage:
        while number >= len(self._passages) and not self._read_all:
            self._read()
        return self._passages[number] if number < len(self._passages) else self._mixture(number)

    def _read(self) -> None:
        source = next(self._sources, None)
        if source is None:
            self._read_all = True
            return
        fresh = [(heading, text) for heading, text in source.paragraphs if text not in self._seen]
        self._seen.update(text for _, text in fresh)
        self._sentences += [sentence for _, text in fresh for sentence in split_sentences(text)]
        self._passages += _cut(source, fresh, Draw("cut", self.language, source.title))

    def _mixture(self, number: int) -> Passage:
        draw = Draw("mixture", self.language, self.topic, number)
        space = "" if self.language in _UNSPACED_LANGUAGES else " "
        wanted, paragraphs = length(draw), list[str]()
        while sum(map(len, paragraphs)) < wanted:
            paragraphs.append(space.join(draw.pick(self._sentences) for _ in range(draw.between(3, 6))))
        return Passage(short_title(draw.pick(self._sentences), self.language), self._topics(), tuple(paragraphs))

    def _topics(self) -> tuple[str, ...]:
        return (self.topic,) if self.topic else ()


def length(draw: Draw) -> int:
    """Draws a length with a heavy tail: half of them are below 1,700 characters, some reach 6,000."""
    return min(MOST_CHARS, int(LEAST_CHARS / max(1 - draw.share(), 1e-9) ** 0.5))


def split_sentences(text: str) -> list[str]:
    return [each for each in _SENTENCE.split(text) if each]


def short_title(sentence: str, language: str) -> str:
    """Returns the first words of a sentence."""
    if language in _UNSPACED_LANGUAGES:
        return sentence[: 2 * _TITLE_WORDS]
    words = [word.strip(".,;:!?\"'()«»„“”") for word in sentence.split()]
    return " ".join([word for word in words if word and not word.isdigit()][:_TITLE_WORDS])


def _cut(source: Source, paragraphs: Iterable[tuple[str, str]], draw: Draw) -> Iterator[Passage]:
    """Yields passages of random length, from the first paragraph on; a rest that is too short is left out."""
    taken: list[str] = []
    title, wanted = source.title, length(draw)
    for heading, text in paragraphs:
        if not taken and heading:
            title = f"{source.title}: {heading}"
        taken.append(text)
        if sum(map(len, taken)) >= wanted:
            yield Passage(title, source.topics, tuple(taken))
            taken, title, wanted = [], source.title, length(draw)
    if sum(map(len, taken)) >= LEAST_CHARS:
        yield Passage(title, source.topics, tuple(taken))
