"""External links of a wiki, from the interface that every MediaWiki has: WHERE is the URL of its api.php.

Pages are chosen by category (with subcategories down to `depth`), by a search for words, or not at all, which takes all
pages of the wiki; `pattern` asks for links of a kind instead, such as "*.id". Answers are continued as the interface
says, and a wiki whose databases lag behind is left alone for as long as it asks (maxlag, Retry-After).
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, ClassVar, Final
from urllib.parse import urlencode

import msgspec

from opilio.core.languages import find_code
from opilio.core.url import is_url

from .answer import parse_json, read_answer
from .find import Find
from .source import Ask, Memory, Question, Source, SourceError

_ALWAYS: Final = {"action": "query", "format": "json", "formatversion": "2", "maxlag": "5"}
_LINKS: Final = {"prop": "extlinks", "ellimit": "max"}
_CATEGORY: Final = 14  # the namespace
_TRIES: Final = 10  # while the wiki lags behind
_LAGS: Final = frozenset({"maxlag", "ratelimited", "readonly"})
_DELAY_S: Final = 1.0
_MOST_CATEGORIES: Final = 10_000


class _Link(msgspec.Struct):
    url: str


class _Page(msgspec.Struct):
    title: str
    ns: int = 0
    extlinks: list[_Link] = []


class _Usage(msgspec.Struct):
    title: str
    url: str


class _General(msgspec.Struct):
    lang: str = ""


class _Query(msgspec.Struct):
    pages: list[_Page] = []
    exturlusage: list[_Usage] = []
    general: _General | None = None


class _Error(msgspec.Struct):
    code: str
    info: str = ""


class _Answer(msgspec.Struct, rename={"more": "continue"}):
    query: _Query | None = None
    more: dict[str, Any] = {}
    error: _Error | None = None
    batchcomplete: Any = None


class _Work(msgspec.Struct, array_like=True):
    tasks: list[tuple[dict[str, str], int]]  # parameters and depths
    more: dict[str, Any] = {}  # where the first task goes on
    language: str = ""


class MediaWiki(Source):
    name: ClassVar[str] = "mediawiki"

    def __init__(
        self,
        where: str = "",
        categories: tuple[str, ...] = (),
        words: str = "",
        pattern: str = "",
        depth: int = 0,
    ) -> None:
        if not is_url(where):
            raise SourceError(
                f"{self.name}: name the wiki's api.php, as in --source {self.name}=https://HOST/w/api.php."
            )
        self._where = where.partition("?")[0]
        self._categories, self._words, self._pattern, self._depth = categories, words, pattern, depth

    async def finds(self, ask: Ask, memory: Memory) -> AsyncIterator[Sequence[Find]]:
        work = await self._begin(ask, memory)
        while work.tasks:
            parameters, depth = work.tasks[0]
            answer = await self._ask(ask, parameters | {name: str(value) for name, value in work.more.items()})
            query = answer.query or _Query()
            if depth < self._depth:
                work.tasks += self._subcategories(query, memory, depth)
            work.more = answer.more
            if not answer.more:
                work.tasks = work.tasks[1:]
            memory[self._key] = msgspec.json.encode(work)
            yield list(_finds(query, work.language))
        for key in [key for key in memory if key.startswith(self._key)]:
            del memory[key]
        yield ()

    @property
    def _key(self) -> str:
        return f"{self._where} {' '.join(self._categories)} {self._words} {self._pattern}".strip()

    async def _begin(self, ask: Ask, memory: Memory) -> _Work:
        if self._key in memory:
            return msgspec.json.decode(memory[self._key], type=_Work)
        answer = await self._ask(ask, {"meta": "siteinfo", "siprop": "general"})
        general = answer.query.general if answer.query else None
        return _Work(list(self._tasks()), language=find_code(general.lang) or general.lang if general else "")

    def _tasks(self) -> Iterator[tuple[dict[str, str], int]]:
        if self._pattern:
            yield {"list": "exturlusage", "euquery": self._pattern, "eulimit": "max", "eunamespace": "0"}, self._depth
        elif self._words:
            yield {"generator": "search", "gsrsearch": self._words, "gsrlimit": "50", **_LINKS}, self._depth
        elif self._categories:
            yield from ((_members(category), 0) for category in self._categories)
        else:
            yield {"generator": "allpages", "gaplimit": "50", **_LINKS}, self._depth

    def _subcategories(self, query: _Query, memory: Memory, depth: int) -> Iterator[tuple[dict[str, str], int]]:
        """Yields those that were not met before: categories may contain each other in a circle."""
        for page in query.pages:
            key = f"{self._key} {page.title}"
            if page.ns == _CATEGORY and key not in memory and len(memory) < _MOST_CATEGORIES:
                memory[key] = b""
                yield _members(page.title.partition(":")[2]), depth + 1

    async def _ask(self, ask: Ask, parameters: dict[str, str]) -> _Answer:
        url = f"{self._where}?{urlencode(_ALWAYS | parameters)}"
        for _ in range(_TRIES):
            fetched = await read_answer(ask, Question(url, delay_s=_DELAY_S), self.name)
            answer = parse_json(fetched.body, _Answer, url, self.name)
            if answer.error is None:
                return self._checked(answer)
            if answer.error.code not in _LAGS:
                raise SourceError(f"{self.name}: {self._where} refuses: {answer.error.info or answer.error.code}")
        raise SourceError(
            f"{self.name}: {self._where} is overloaded. Run again later, and the source goes on from here."
        )

    def _checked(self, answer: _Answer) -> _Answer:
        if answer.query is None and answer.batchcomplete is None and not answer.more:
            raise SourceError(
                f"{self.name}: {self._where} did not answer as MediaWiki does. Is it the URL of an api.php?"
            )
        return answer


def _members(category: str) -> dict[str, str]:
    title = f"Category:{category.removeprefix('Category:')}"
    return {"generator": "categorymembers", "gcmtitle": title, "gcmtype": "page|subcat", "gcmlimit": "50", **_LINKS}


def _finds(query: _Query, language: str) -> Iterator[Find]:
    for page in query.pages:
        for link in page.extlinks:
            yield Find(_absolute(link.url), page.title, language)
    for usage in query.exturlusage:
        yield Find(_absolute(usage.url), usage.title, language)


def _absolute(url: str) -> str:
    return f"https:{url}" if url.startswith("//") else url
