"""Search as BootCaT does it, through a SearXNG of one's own: WHERE is its address.

Random tuples of seed words are the queries of the first round. The words that tell most in the titles and snippets of
what was found are the seed words of the next. Seed words are named (`words`), or taken from the samples. Everything is
drawn from the crawl's seed and the number of the run, so that the same run asks the same, and the next run something
else.

The memory has the present round: its words, its queries that are left, and the counts of the words found.
"""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from itertools import combinations
from math import comb
from random import Random
from typing import ClassVar, Final
from urllib.parse import urlencode

import msgspec

from opilio.core.plugin import Context
from opilio.core.url import is_url

from .answer import answered, parse_json
from .find import Find
from .keywords import count_words, keywords
from .source import Ask, Memory, Question, Source, SourceError

_KEY: Final = "work"
_MOST_COUNTED: Final = 5_000  # words
_MOST_TUPLES: Final = 10_000
_FORBIDDEN: Final = 403
_SEED_WORDS: Final = 30  # of a round


class _Result(msgspec.Struct):
    url: str
    title: str | None = None
    content: str | None = None


class _Answer(msgspec.Struct):
    results: list[_Result]


class _Work(msgspec.Struct, array_like=True):
    run: int
    round: int
    queries: list[str]  # that are left
    counts: dict[str, int]  # of words in what was found in this round


class Search(Source):
    """Makes `rounds` rounds of `tuples` queries of `size` words, and reads `pages` pages of results of each."""

    name: ClassVar[str] = "search"

    def __init__(
        self,
        where: str = "",
        words: Sequence[str] = (),
        size: int = 3,
        tuples: int = 10,
        rounds: int = 2,
        pages: int = 1,
        languages: Sequence[str] = (),
        seed: int = 0,
    ) -> None:
        if not is_url(where):
            raise SourceError(f"{self.name}: name your SearXNG, as in --source {self.name}=http://localhost:8888.")
        if not words:
            raise SourceError(
                f'{self.name}: give seed words with --set \'sources.{self.name}.words=["…", "…"]\', or --like FILE.'
            )
        self._where = where.rstrip("/").removesuffix("/search")
        self._words, self._size, self._tuples, self._rounds, self._pages = words, size, tuples, rounds, pages
        self._language, self._seed = languages[0] if languages else "", seed

    @classmethod
    def build(
        cls,
        context: Context,
        where: str = "",
        words: tuple[str, ...] = (),
        size: int = 3,
        tuples: int = 10,
        rounds: int = 2,
        pages: int = 1,
    ) -> "Search":
        languages = context.config.corpus.languages
        counts = count_words(sample.text for sample in context.samples)
        chosen = words or keywords(counts, languages[0] if languages else "", _SEED_WORDS)
        return cls(where, chosen, size, tuples, rounds, pages, languages, context.config.crawl.seed)

    async def finds(self, ask: Ask, memory: Memory) -> AsyncIterator[Sequence[Find]]:
        work = msgspec.json.decode(memory[_KEY], type=_Work) if _KEY in memory else _Work(0, self._rounds, [], {})
        if not work.queries and work.round >= self._rounds:
            work = _Work(work.run + 1, 1, self._draw(self._words, work.run + 1, 1), {})
        while work.queries:
            query, work.queries = work.queries[0], work.queries[1:]
            results = [result for page in range(self._pages) for result in await self._ask(ask, query, page + 1)]
            texts = [f"{result.title or ''} {result.content or ''}" for result in results]
            counted = Counter(work.counts) + count_words(texts)
            work.counts = dict(counted.most_common(_MOST_COUNTED))
            if not work.queries and work.round < self._rounds:
                words = keywords(work.counts, self._language, _SEED_WORDS) or self._words
                work = _Work(work.run, work.round + 1, self._draw(words, work.run, work.round + 1), {})
            memory[_KEY] = msgspec.json.encode(work)
            found = zip(results, texts, strict=True)
            yield [Find(result.url, query, self._language, message=text.strip()) for result, text in found]

    def _draw(self, words: Sequence[str], run: int, number: int) -> list[str]:
        """Returns different combinations of the words, as many as there are to be and can be."""
        chosen = list(dict.fromkeys(words))
        size = min(self._size, len(chosen))
        random = Random(f"{self._seed} {run} {number}")
        if comb(len(chosen), size) <= _MOST_TUPLES:
            every = list(combinations(chosen, size))
            return [" ".join(each) for each in random.sample(every, min(self._tuples, len(every)))]
        drawn = (" ".join(sorted(random.sample(chosen, size))) for _ in range(self._tuples * 2))
        return list(dict.fromkeys(drawn))[: self._tuples]

    async def _ask(self, ask: Ask, query: str, page: int) -> list[_Result]:
        parameters = {"q": query, "format": "json", "pageno": str(page), "language": self._language or "all"}
        url = f"{self._where}/search?{urlencode(parameters)}"
        fetched = await ask(Question(url))
        if fetched.status == _FORBIDDEN:
            raise SourceError(
                f"{self.name}: {self._where} does not answer in JSON. Add json to search.formats in its settings.yml, and "
                "restart it."
            )
        return parse_json(answered(fetched, url, self.name).body, _Answer, url, self.name).results
