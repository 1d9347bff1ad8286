"""The webs of `bench cycles`, day by day: made news, and `schools` in days by topic. All numbers stand in docs/made-webs.md, and
were fixed before the first crawl."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from typing import Final, NamedTuple

from opilio.core.draw import hash_number
from opilio.core.items import Headers
from opilio.core.url import Url
from opilio.fetch import Fetcher
from opilio.fetch.recorded import RecordedWeb
from opilio.lab.maker import Library
from opilio.lab.maker.answering import Answering
from opilio.lab.maker.draw import Draw
from opilio.lab.maker.news import NewsWeb
from opilio.lab.maker.newsroom import Newsroom

from .schools import Schools, find_web, read_schools

STALE: Final = ("login", "contact", "subscribe")
_FIRST_SHARE: Final = 0.4  # of the labelled pages of `schools` are there on day 0
_HELD_OUT: Final = 5  # every fifth page
_FIXED_SEEDS: Final = 20


class Day(NamedTuple):
    web: Fetcher
    size: int  # pages
    seeds: list[str]
    held_out: list[str]  # texts of the day that cannot be crawled
    is_fresh: Callable[[str], bool]  # of the day
    is_stale: Callable[[str], bool] = lambda _url: False  # a page for login, contact or subscription
    is_garbage: Callable[[str], bool] = lambda _url: False


def news_days(last_day: int, seed: int, garbage: float = 0.0, library: Library | None = None) -> Iterator[Day]:
    texts = library or Library.find()
    room = Newsroom(texts, last_day, seed)
    for day in range(last_day + 1):
        web = NewsWeb(room, day, garbage, seed, texts)
        fresh, stale, bad = partial(_is_story, web), partial(_is_kind, web, STALE), partial(_is_kind, web, ("garbage",))
        yield Day(web, len(web.pages), web.seeds, web.held_out(), fresh, stale, bad)


def schools_days(last_day: int, seed: int) -> Iterator[Day]:
    schools, recorded = read_schools(), RecordedWeb([find_web("schools")[0]])
    subjects = _subjects(schools)
    parts = _parts(subjects, last_day, seed)
    unlabelled = set(schools.pages).difference(*map(set, subjects.values()))
    popularity = Counter(link.url for page in schools.pages.values() for link in page.links)
    there, fixed = unlabelled, list[str]()
    for part in parts:
        pages = [url for name in part for url in subjects[name]]
        held_out = {url for url in pages if hash_number(url, 8) % _HELD_OUT == 0}
        there = there | set(pages) - held_out
        best = partial(_most_linked, popularity, there)
        fixed = fixed or best(there, _FIXED_SEEDS)
        seeds = [*fixed, *(url for name in part for url in best(subjects[name], 1))]
        texts = [schools.pages[url].text for url in sorted(held_out)]
        web = _Part(recorded, there)
        yield Day(web, len(there), list(dict.fromkeys(seeds)), texts, frozenset(pages).__contains__)


class _Part(Answering):
    """Some pages of a recorded web."""

    def __init__(self, web: RecordedWeb, there: set[str]) -> None:
        super().__init__()
        self._web, self._there = web, there

    def answer(self, url: Url) -> tuple[Headers, bytes] | None:
        if url.href not in self._there:
            return None
        fetched = self._web.answer(url)
        return fetched.headers, fetched.body


def _subjects(schools: Schools) -> dict[str, list[str]]:
    """Maps each subject to its pages; a page with several belongs to the first by name."""
    first: dict[str, str] = {}
    narrow = {name: pages for name, pages in schools.labels.topics.items() if not _has_below(name, schools)}
    for name in sorted(narrow):
        for url in narrow[name]:
            if url in schools.pages:
                first.setdefault(url, name)
    found: dict[str, list[str]] = {}
    for url, name in sorted(first.items()):
        found.setdefault(name, []).append(url)
    return found


def _has_below(name: str, schools: Schools) -> bool:
    return any(other.startswith(f"{name}.") for other in schools.labels.topics)


def _parts(subjects: dict[str, list[str]], last_day: int, seed: int) -> list[list[str]]:
    """Deals whole subjects to days: two fifths of the pages to the first, the others in equal parts."""
    order = Draw("schools days", seed).shuffled(sorted(subjects))
    before = [0, *accumulate(len(subjects[name]) for name in order)]
    total = before[-1]
    parts: list[list[str]] = [[] for _ in range(last_day + 1)]
    for name, start in zip(order, before, strict=False):
        share = start / total
        late = (share - _FIRST_SHARE) / (1 - _FIRST_SHARE)
        parts[0 if share < _FIRST_SHARE else 1 + int(late * last_day)].append(name)
    return parts


def _most_linked(popularity: Counter[str], there: set[str], pages: Sequence[str] | set[str], count: int) -> list[str]:
    return sorted((url for url in pages if url in there), key=lambda url: (-popularity[url], url))[:count]


def _is_story(web: NewsWeb, url: str) -> bool:
    page = web.find(url)
    return page is not None and page.story is not None and page.story.day == web.day


def _is_kind(web: NewsWeb, kinds: Sequence[str], url: str) -> bool:
    page = web.find(url)
    return page is not None and page.kind in kinds
