"""Which pages there are: the kind, language, topic, text and date of each, decided host by host before a byte is
written.

Pages are numbered consecutively, host after host; a host's pages are its home, its archive pages (which list all
others), two service pages, and the rest. The plan of a page takes 15 bytes in arrays, so that every possible target of
a link can be looked up, and a web of a million pages is planned in 20 MB.

Invariant: every page of a host is listed by an archive page of the host, and the home page leads to all of these.
"""

from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache
from typing import Final, NamedTuple

from opilio.core.items import Headers

from .draw import Draw, Pool
from .host import Host, plan_hosts
from .kind import POOR_SHARES, PROSE_KINDS, QUALITIES, TYPES, PageKind
from .library import Library
from .parameters import Parameters
from .phrases import has_phrases

TODAY: Final = date(2026, 1, 1)  # the pretended date of the recording
ARCHIVE_PAGE_LINKS: Final = 25  # pages on an archive page
_EPOCH: Final = date(1996, 1, 1)
_STALE_YEARS: Final = 10


class Page(NamedTuple):
    number: int
    host: Host
    kind: PageKind
    language: str
    topic: str  # the topic of its place in the web; only running text is about it
    text: int  # number of its passage on the shelf
    written: date
    original: int  # page that it copies, or its own number

    @property
    def rank(self) -> int:
        """Returns its number among the pages of its host."""
        return self.number - self.host.first

    @property
    def good(self) -> bool:
        return self.kind in PROSE_KINDS

    @property
    def stale(self) -> bool:
        return (TODAY - self.written).days > 365 * _STALE_YEARS

    @property
    def headers(self) -> Headers:
        modified = self.written.strftime("%a, %d %b %Y 08:00:00 GMT")
        return ("Content-Type", "text/html; charset=utf-8"), ("Last-Modified", modified)

    @property
    def branch(self) -> tuple[str, str]:
        """Returns language and first-level topic, in which homophily keeps links."""
        return self.language, self.topic.partition(".")[0]


class Plan:
    def __init__(self, parameters: Parameters, library: Library) -> None:
        self.parameters, self.library = parameters, library
        self.hosts = plan_hosts(parameters, library)
        self._firsts = [host.first for host in self.hosts]
        self._languages = library.languages
        self._topics = sorted({topic.name for code in self._languages for topic in library.topics(code)} | {""})
        self._topic_numbers = {name: number for number, name in enumerate(self._topics)}
        self._kinds, self._language, self._topic = array("B"), array("B"), array("H")
        self._text, self._day, self._original = array("I"), array("H"), array("I")
        self._next_text: dict[tuple[str, str], int] = defaultdict(int)
        self._articles: dict[str, array[int]] = defaultdict(lambda: array("I"))
        self._choices = cache(self._topic_pool)
        for host in self.hosts:
            self._plan(host)
        del self._next_text, self._articles

    def __len__(self) -> int:
        return len(self._kinds)

    def page(self, number: int) -> Page:
        host = self.hosts[bisect_right(self._firsts, number) - 1]
        language, topic = self._languages[self._language[number]], self._topics[self._topic[number]]
        written = _EPOCH + timedelta(days=self._day[number])
        kind, text, original = PageKind(self._kinds[number]), self._text[number], self._original[number]
        return Page(number, host, kind, language, topic, text, written, original)

    def labels(self, page: Page) -> list[str]:
        shown = self.page(page.original) if page.kind is PageKind.EXACT else page
        labels = [f"lang.{page.language}", f"type.{TYPES[shown.kind]}", f"quality.{QUALITIES.get(page.kind, 'good')}"]
        if shown.good:
            labels += [f"topic.{topic}" for topic in self.topics(shown)]
        if page.kind in (PageKind.EXACT, PageKind.NEAR):
            labels.append(f"copy.{page.kind.name.lower()}")
        if page.stale:
            labels.append("age.stale")
        return labels

    def topics(self, page: Page) -> Sequence[str]:
        """Returns what a page is about, if it is good."""
        return self.library.shelf(page.language, page.topic).passage(page.text).topics

    def archives(self, host: Host) -> range:
        return range(host.first + 1, host.first + 1 + -(-(host.pages - 3) // (ARCHIVE_PAGE_LINKS + 1)))

    def listed(self, host: Host) -> range:
        """Returns all pages that archive pages list."""
        return range(self.archives(host).stop + 2, host.first + host.pages)

    def _plan(self, host: Host) -> None:
        draw = Draw("pages", self.parameters.seed, host.name)
        archives, own = self.archives(host), (host.language, host.topic)
        for kind in (PageKind.HOME, *(PageKind.ARCHIVE for _ in archives), PageKind.ABOUT, PageKind.PRIVACY):
            self._add(kind, *own, len(self), self._written(host, draw))
        for number in self.listed(host):
            kind = self._kind(host, draw)
            written = self._written(host, draw)
            if kind in (PageKind.EXACT, PageKind.NEAR):
                self._copy(kind, host, written, draw)
            else:
                language, topic = self._subject(host, draw)
                kind = PageKind.LIST if kind == PageKind.NOTICE and not has_phrases(language) else kind
                if kind in (PageKind.ARTICLE, PageKind.COMMENTED):
                    self._articles[language].append(number)
                self._add(
                    kind, language, topic, self._take(language, topic) if kind in PROSE_KINDS else number, written
                )

    def _add(
        self, kind: PageKind, language: str, topic: str, text: int, written: int, original: int | None = None
    ) -> None:
        self._original.append(len(self._kinds) if original is None else original)
        self._kinds.append(kind)
        self._language.append(self._languages.index(language))
        self._topic.append(self._topic_numbers[topic])
        self._text.append(text)
        self._day.append(written)

    def _copy(self, kind: PageKind, host: Host, written: int, draw: Draw) -> None:
        originals = self._originals(kind, host)
        page = self.page(originals[draw.below(len(originals))])
        day = self._day[page.number] if kind == PageKind.EXACT else written
        self._add(kind, page.language, page.topic, page.text, day, page.number)

    def _originals(self, kind: PageKind, host: Host) -> Sequence[int]:
        """Returns the pages that can be copied: an exact copy is another URL of a page of the same host, a near copy
        may be of any."""
        articles = self._articles[host.language]
        return articles[bisect_right(articles, host.first) :] if kind == PageKind.EXACT else articles

    def _take(self, language: str, topic: str) -> int:
        self._next_text[language, topic] += 1
        return self._next_text[language, topic] - 1

    def _kind(self, host: Host, draw: Draw) -> PageKind:
        if host.kind == "farm":
            return PageKind.FARM
        share = draw.share()
        for kind, part in (
            (PageKind.EXACT, self.parameters.exact_copies),
            (PageKind.NEAR, self.parameters.near_copies),
        ):
            if share < part and self._originals(kind, host):
                return kind
            share -= part
        if draw.chance(host.good):
            if host.kind == "forum":
                return PageKind.THREAD
            return PageKind.COMMENTED if host.kind == "blog" and draw.chance(host.commented) else PageKind.ARTICLE
        return _POOR_KINDS[_POOR_POOL.draw(draw)]

    def _subject(self, host: Host, draw: Draw) -> tuple[str, str]:
        purity = self.parameters.purity
        if host.second and draw.chance(self.parameters.second_language):
            return host.second, self._draw_topic(host.second, "", draw)
        if draw.chance(purity):
            return host.language, host.topic
        branch = host.topic.partition(".")[0] if draw.chance(purity) else ""
        return host.language, self._draw_topic(host.language, branch, draw)

    def _draw_topic(self, language: str, branch: str, draw: Draw) -> str:
        names, pool = self._choices(language, branch)
        return names[pool.draw(draw)]

    def _topic_pool(self, language: str, branch: str) -> tuple[list[str], Pool]:
        topics = [each for each in self.library.topics(language) if not branch or each.name.partition(".")[0] == branch]
        return [each.name for each in topics], Pool(range(len(topics)), [each.weight for each in topics])

    def _written(self, host: Host, draw: Draw) -> int:
        """Returns days since the epoch: younger pages are more frequent, and stale ones are all equally old."""
        oldest = (TODAY - _EPOCH).days
        border = oldest - 365 * _STALE_YEARS
        if host.stale or draw.chance(self.parameters.stale_pages):
            return draw.below(border)
        return border + int((oldest - border) * draw.share() ** 0.5)


_POOR_KINDS: Final = tuple(POOR_SHARES)
_POOR_POOL: Final = Pool(range(len(POOR_SHARES)), POOR_SHARES.values())
