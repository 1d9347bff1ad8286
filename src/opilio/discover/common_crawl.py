"""The index of Common Crawl: pages that were crawled before, by the language that the index names.

WHERE is a file of an index (cdx-00000.gz, or any CDXJ), or the address of an index server; without it, the one of
Common Crawl is asked. Only pages are taken (status 200, HTML), only those in the languages of the corpus, and of each
host at most `per_host` in a block. The origin of a find is the place of the page in the archive, from which
`--from-archive` reads it.

An index is sorted by domain, so neighbouring blocks have the same few domains. Blocks are therefore read in random
order (seeded). The memory has how many blocks of a pattern were read; the next run goes on with others.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from random import Random
from typing import ClassVar, Final, NamedTuple
from urllib.parse import urlencode

import msgspec

from opilio.core.languages import long_codes
from opilio.core.outcome import Drop
from opilio.core.plugin import Context
from opilio.core.url import is_url, parse

from .answer import read_answer, read_json
from .cdx import Capture, read_line
from .file_source import FileSource
from .find import Find
from .source import Ask, Memory, Question, Source, SourceError

_SERVER: Final = "https://index.commoncrawl.org"
_DELAY_S: Final = 2.0  # the server is shared, and refuses whoever asks more often
_BLOCK_BYTES: Final = 20 * 2**20
_MOST_BLOCKS: Final = 1_000_000  # of a pattern; all of .com has half as many
_FILE_ENDINGS: Final = (".gz", ".cdx", ".cdxj", ".bz2")


class _Collection(msgspec.Struct, rename={"interface": "cdx-api"}):
    id: str
    interface: str


class _Extent(msgspec.Struct):
    pages: int


class _Choice:
    """Which captures become finds. An index is sorted, so that the pages of a host follow each other."""

    def __init__(self, languages: Sequence[str], per_host: int) -> None:
        self.languages = languages
        self._per_host = per_host
        self._host, self._taken = "", 0  # the host of the last page, and how many of its pages were taken

    def finds(self, capture: Capture) -> list[Find]:
        if not capture.is_page or (self.languages and capture.language not in self.languages):
            return []
        url = parse(capture.url)
        if isinstance(url, Drop):
            return []
        self._taken = self._taken + 1 if url.host == self._host else 1
        self._host = url.host
        return [Find(capture.url, capture.place, capture.language)] if self._taken <= self._per_host else []


class CommonCrawl:
    """Builds the source that reads files, or the one that asks a server."""

    @classmethod
    def build(
        cls,
        context: Context,
        where: str = "",
        patterns: tuple[str, ...] = (),
        crawl: str = "",
        blocks: int = 20,
        per_host: int = 10,
    ) -> Source:
        choice = _Choice(context.config.corpus.only, per_host)
        if where and (not is_url(where) or where.endswith(_FILE_ENDINGS)):
            return IndexFile(where, choice)
        return IndexServer(where or _SERVER, choice, patterns, crawl, blocks, context.config.crawl.seed)


class IndexFile(FileSource):
    name: ClassVar[str] = "common-crawl"

    def __init__(self, where: str, choice: _Choice) -> None:
        super().__init__(where)
        self._choice = choice
        self._begun = False

    def read(self, record: bytes) -> Iterable[Find]:
        if not record.strip():
            return ()
        capture = read_line(record)
        if capture is None and not self._begun:
            raise SourceError(
                f"{self.name}: {self.where} is not an index: its first line has no JSON. Take a cdx-00000.gz."
            )
        self._begun = True
        return self._choice.finds(capture) if capture else ()


class _Task(NamedTuple):
    collection: _Collection
    pattern: str

    @property
    def key(self) -> str:
        return f"{self.collection.id} {self.pattern}"


class IndexServer(Source):
    name: ClassVar[str] = "common-crawl"

    def __init__(
        self, where: str, choice: _Choice, patterns: Sequence[str], crawl: str, blocks: int, seed: int
    ) -> None:
        if not patterns:
            raise SourceError(
                f"{self.name}: name what to look for, as in --set 'sources.common-crawl.patterns=[\"*.id\"]': a top-level "
                "domain, a domain (*.example.org) or the beginning of URLs (example.org/news/*)."
            )
        self._where = where.rstrip("/")
        self._choice, self._patterns, self._crawl, self._blocks, self._seed = choice, patterns, crawl, blocks, seed

    async def finds(self, ask: Ask, memory: Memory) -> AsyncIterator[Sequence[Find]]:
        collection = await self._collection(ask)
        for task in (_Task(collection, pattern) for pattern in self._patterns):
            start = int(memory.get(task.key, b"0"))
            order = await self._order(ask, task)
            for number in range(start, min(len(order), start + self._blocks)):
                found = await self._block(ask, task, order[number])
                memory[task.key] = str(number + 1).encode()
                yield found

    async def _collection(self, ask: Ask) -> _Collection:
        """Returns the crawl that was chosen, or the newest, which is the first in the server's list."""
        listed = await read_json(
            ask, Question(f"{self._where}/collinfo.json", delay_s=_DELAY_S), self.name, list[_Collection]
        )
        for collection in listed:
            if self._crawl in ("", collection.id):
                return collection
        known = ", ".join(collection.id for collection in listed[:5])
        raise SourceError(f'{self.name}: {self._where} has no crawl "{self._crawl}". Its newest are: {known}.')

    async def _order(self, ask: Ask, task: _Task) -> list[int]:
        url = self._url(task, showNumPages="true")
        extent = await read_json(ask, Question(url, delay_s=_DELAY_S), self.name, _Extent)
        blocks = min(extent.pages, _MOST_BLOCKS)
        return Random(f"{self._seed} {task.key}").sample(range(blocks), blocks)

    async def _block(self, ask: Ask, task: _Task, page: int) -> list[Find]:
        question = Question(self._url(task, page=str(page)), delay_s=_DELAY_S, at_most_bytes=_BLOCK_BYTES)
        fetched = await read_answer(ask, question, self.name)
        lines = [line for line in fetched.body.split(b"\n") if line.strip()]
        captures = [capture for line in lines if (capture := read_line(line))]
        if lines and not captures:
            raise SourceError(
                f"{self.name}: {question.url} did not answer with lines of an index. Is it an index server?"
            )
        return [find for capture in captures for find in self._choice.finds(capture)]

    def _url(self, task: _Task, **more: str) -> str:
        filters = ["=status:200", "~mime-detected:(text/html|application/xhtml.xml)"]
        if self._choice.languages:
            codes = [code for language in self._choice.languages for code in long_codes(language)]
            filters.append(f"~languages:({'|'.join(codes)})")
        query = {"url": task.pattern, "output": "json", "pageSize": "1", "filter": filters, **more}
        return f"{task.collection.interface}?{urlencode(query, doseq=True)}"
