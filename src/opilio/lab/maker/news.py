"""A web of news sites as it is on one day: front pages, sections, archives, stories, and pages that never change.

All numbers are in docs/made-webs.md. Rules: a story, a service page and a guide have the same bytes on every day on which they
are there; front pages and sections change, and links to old stories are dead. Garbage is only there if it is asked for.

Invariant: the same day, seed and texts give the same bytes. Every page can be reached from the front pages.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from html import escape
from pathlib import Path
from string import ascii_lowercase
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from opilio.core.clock import Clock
from opilio.core.items import Headers
from opilio.core.url import Url
from opilio.keep import payload_digest, response_record

from .answering import Answering
from .draw import Draw
from .library import Library
from .newsroom import GUIDES, HELD_OUT_SITES, KEPT_DAYS, SITES, STORIES, Newsroom, Story, paragraphs, slug
from .passage import short_title
from .phrases import phrases
from .write import web_files

DAY_0: Final = date(2026, 3, 1)
SERVICES: Final = ("login", "contact", "subscribe", "about", "privacy")
_SERVICE_PAGES: Final = 5  # of each kind
_SECTION_GUIDES: Final = 3
_ARCHIVES: Final = 1  # that a front page links to
_OTHER_SITES: Final = 2
_RELATED: Final = 2  # stories about the same event, and others of the same site
_UNTOLD: Final = 0.3  # share of the anchors that say "Read more"
_NOTICES: Final = (4, 8)
_GARBAGE_OF_STORY, _GARBAGE_OF_FRONT = 2, 3
_GARBAGE_KINDS: Final = ("strings", "foreign", "words")
_GARBAGE_WORDS: Final = (80, 200)
_LETTERS: Final = (4, 10)  # of a string
_HEADERS: Final = (("Content-Type", "text/html; charset=utf-8"),)


class NewsPage(NamedTuple):
    """`kind` is front, section, archive, story, guide, one of `SERVICES`, or garbage; `key` says which of them, and is the day of
    an archive page."""

    site: int
    kind: str
    key: int
    story: Story | None = None


class NewsWeb(Answering):
    """The sites that are crawled, on one day. `garbage` is its share of the pages."""

    def __init__(self, room: Newsroom, day: int, garbage: float = 0.0, seed: int = 7, library: Library | None = None,
                 clock: Clock | None = None) -> None:  # fmt: skip
        super().__init__(clock)
        self.day = day
        self._first = day - KEPT_DAYS  # the first day whose stories are there
        self._room, self._garbage, self._seed = room, garbage, seed
        self._library = library
        self.pages = {self._url(page): page for site in range(SITES) for page in self._pages(site)}
        self.seeds = [self._url(NewsPage(site, "front", 0)) for site in range(SITES)]

    def held_out(self) -> list[str]:
        """Returns the texts of the day's stories on the sites that are not crawled."""
        sites = range(SITES, SITES + HELD_OUT_SITES)
        return [
            "\n".join(paragraphs(story.sentences)) for site in sites for story in self._room.stories(site, self.day)
        ]

    def find(self, url: str) -> NewsPage | None:
        return self.pages.get(url)

    def answer(self, url: Url) -> tuple[Headers, bytes] | None:
        page = self.find(url.href)
        return None if page is None else (_HEADERS, self.show(page).encode())

    def show(self, page: NewsPage) -> str:
        title, body = self._content(page)
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title></head>\n<body>\n'
            f"{self._menu(page.site)}<h1>{escape(title)}</h1>\n{body}\n{self._footer(page)}</body></html>\n"
        )

    # --- which pages there are

    def _pages(self, site: int) -> Iterator[NewsPage]:
        yield NewsPage(site, "front", 0)
        yield from (NewsPage(site, "section", key) for key in range(len(self._room.sections)))
        yield from (NewsPage(site, "guide", key) for key in range(GUIDES))
        yield from (NewsPage(site, "archive", day) for day in range(self._first, self.day))
        yield from (NewsPage(site, kind, key) for kind in SERVICES for key in range(_SERVICE_PAGES))
        for day in range(self._first, self.day + 1):
            yield from map(_story_page, self._room.stories(site, day))
        yield from (NewsPage(site, "garbage", key) for key in range(self._garbage_pages()))

    def _garbage_pages(self) -> int:
        """Returns how many a site has."""
        stories = STORIES * (KEPT_DAYS + 1) + KEPT_DAYS
        others = 1 + len(self._room.sections) + GUIDES + len(SERVICES) * _SERVICE_PAGES + stories
        return round(self._garbage / (1 - self._garbage) * others)

    def _url(self, page: NewsPage) -> str:
        return f"https://www.mw--news{page.site:02}.com/{quote(self._path(page))}"

    def _path(self, page: NewsPage) -> str:
        if page.kind == "front":
            return ""
        if page.story is not None:
            return _story_path(page.story, self._room.stories(page.site, page.story.day))
        if page.kind == "section":
            return f"{self._room.sections[page.key]}/"
        if page.kind == "archive":
            return f"archive/{DAY_0 + timedelta(page.key)}"
        if page.kind == "guide":
            return f"guides/{slug(self._room.guide(page.site, page.key).title)}-{page.key}"
        return self._garbage_path(page) if page.kind == "garbage" else f"{page.kind}/{page.key}"

    # --- what is on them

    def _content(self, page: NewsPage) -> tuple[str, str]:
        """Returns the title and the body, without menu and footer."""
        site, name = page.site, f"News {page.site}"
        if page.story is not None:
            return page.story.title, self._story(page.story)
        if page.kind == "front":
            return name, self._front(site)
        if page.kind == "section":
            return f"{self._room.sections[page.key]} | {name}", self._section(page)
        if page.kind == "archive":
            return f"Archive {DAY_0 + timedelta(page.key)}", self._archive(page)
        if page.kind == "guide":
            passage = self._room.guide(site, page.key)
            return passage.title, _paragraphs(passage.paragraphs)
        if page.kind == "garbage":
            title, texts = self._garbage_text(page)
            return title, _paragraphs(texts)
        draw = Draw("service", self._seed, site, page.kind, page.key)
        notices = draw.shuffled(phrases("en").notice)[: draw.between(*_NOTICES)]
        return f"{page.kind} | {name}".capitalize(), _paragraphs(notice.format(site=name) for notice in notices)

    def _story(self, story: Story) -> str:
        draw = Draw("links", self._seed, story.site, story.day, story.number)
        about = [one for one in self._room.about(story.event, story.day) if one != story]
        own = [one for one in self._room.stories(story.site, story.day) if one != story]
        related = [*draw.shuffled(about)[:_RELATED], *draw.shuffled(own)[:_RELATED]]
        links = [self._link(_story_page(one)) for one in related]
        links.append(self._link(NewsPage(story.site, "guide", draw.below(GUIDES))))
        if story.day < self.day:
            links.append(self._link(NewsPage(story.site, "archive", story.day)))
        links += self._garbage_links(story.site, _GARBAGE_OF_STORY, draw)
        when = DAY_0 + timedelta(story.day)
        text = _paragraphs(paragraphs(story.sentences))
        return f'<p><time datetime="{when}">{when:%d %B %Y}</time></p>\n{text}\n<h2>More</h2>\n{_list(links)}'

    def _front(self, site: int) -> str:
        draw = Draw("front", self._seed, site, self.day)
        teasers = "\n".join(map(self._teaser, self._room.stories(site, self.day)))
        archives = range(self.day - _ARCHIVES, self.day)
        links = [self._link(NewsPage(site, "archive", key)) for key in archives]
        links += [self._link(NewsPage((site + step) % SITES, "front", 0)) for step in _steps(draw)]
        links += self._garbage_links(site, _GARBAGE_OF_FRONT, draw)
        return f"{teasers}\n{_list(links)}"

    def _section(self, page: NewsPage) -> str:
        draw = Draw("section", self._seed, page.site, page.key)
        name = self._room.sections[page.key]
        chosen = [one for one in self._room.stories(page.site, self.day) if one.event.section == name]
        guides = [NewsPage(page.site, "guide", key) for key in draw.shuffled(range(GUIDES))[:_SECTION_GUIDES]]
        return "\n".join(map(self._teaser, chosen)) + _list(map(self._link, guides))

    def _archive(self, page: NewsPage) -> str:
        stories = self._room.stories(page.site, page.key)
        before = [NewsPage(page.site, "archive", page.key - 1)]
        return _list(map(self._link, [*map(_story_page, stories), *before]))

    def _teaser(self, story: Story) -> str:
        url, first = self._url(_story_page(story)), escape(story.teaser)
        if Draw("teaser", self._seed, story.site, story.id).chance(_UNTOLD):
            return f'<div class="teaser"><p>{first} <a href="{url}">Read more</a></p></div>'
        return f'<div class="teaser"><h3><a href="{url}">{escape(story.title)}</a></h3>\n<p>{first}</p></div>'

    def _menu(self, site: int) -> str:
        sections = (NewsPage(site, "section", key) for key in range(len(self._room.sections)))
        return f'<div class="menu">{_list(map(self._link, [NewsPage(site, "front", 0), *sections]))}</div>\n'

    def _footer(self, page: NewsPage) -> str:
        draw = Draw("footer", self._seed, *map(str, page[:3]))
        services = [NewsPage(page.site, kind, draw.below(_SERVICE_PAGES)) for kind in SERVICES]
        return f'<div class="footer">{_list(map(self._link, services))}</div>\n'

    def _link(self, page: NewsPage) -> str:
        return f'<a href="{self._url(page)}">{escape(self._title(page))}</a>'

    @cache  # noqa: B019 - a web lives as long as its crawl
    def _title(self, page: NewsPage) -> str:
        if page.kind == "section":
            return self._room.sections[page.key]
        if page.kind in ("front", *SERVICES):
            return f"News {page.site}" if page.kind == "front" else page.kind.capitalize()
        if page.story is not None or page.kind == "garbage":
            return page.story.title if page.story else self._garbage_text(page)[0]
        if page.kind == "guide":
            return self._room.guide(page.site, page.key).title
        return f"Archive of {DAY_0 + timedelta(page.key)}"

    # --- garbage

    def _garbage_links(self, site: int, wanted: int, draw: Draw) -> list[str]:
        there = self._garbage_pages()
        keys = {draw.below(there) for _ in range(wanted)} if there else set()
        return [self._link(NewsPage(site, "garbage", key)) for key in sorted(keys)]

    def _garbage_path(self, page: NewsPage) -> str:
        kind, (title, _) = garbage_kind(page.key), self._garbage_text(page)
        if kind == "foreign":
            return f"{self._foreign(page)}/{slug(title)}-{page.key}"
        return f"files/{title}" if kind == "strings" else f"lists/{page.key}"

    def _foreign(self, page: NewsPage) -> str:
        assert self._library is not None
        return Draw("foreign", self._seed, page.site, page.key).pick(self._library.languages[1:])

    @cache  # noqa: B019 - as above
    def _garbage_text(self, page: NewsPage) -> tuple[str, list[str]]:
        assert self._library is not None, "garbage needs a library"
        kind, draw = garbage_kind(page.key), Draw("garbage", self._seed, page.site, page.key)
        if kind == "foreign":
            lines = self._library.sentences(self._foreign(page))
            texts = [draw.pick(lines) for _ in range(draw.between(12, 20))]
            return short_title(texts[0], self._foreign(page)), list(paragraphs(tuple(texts)))
        words = self._library.words("en")
        drawn = [_string(draw) if kind == "strings" else draw.pick(words) for _ in range(draw.between(*_GARBAGE_WORDS))]
        rows = [f"{' '.join(drawn[at : at + 12]).capitalize()}." for at in range(0, len(drawn), 12)]
        return " ".join(drawn[: 1 if kind == "strings" else 2]), list(paragraphs(tuple(rows)))


def make_news(
    output: Path, day: int, library: Library | None = None, seed: int = 7, garbage: float = 0.0
) -> dict[str, Any]:
    """Writes the web of a day, its labels and its seeds, and returns its figures."""
    warc, labels, seeds = web_files(output)
    texts = library or Library.find()
    web = NewsWeb(Newsroom(texts, day, seed), day, garbage, seed, texts)
    when = f"{DAY_0 + timedelta(day)}T12:00:00Z"
    with warc.open("wb") as file:
        for url, page in web.pages.items():
            body = web.show(page).encode()
            file.write(response_record(url, when, "", 200, _HEADERS, body, payload_digest(body), 1))
    labels.write_text(
        "".join(["url\tlabel\n", *(f"{url}\t{label_of(page)}\n" for url, page in web.pages.items())]), "utf-8"
    )
    seeds.write_text("".join(f"{url}\n" for url in web.seeds), "utf-8")
    today = sum(page.story is not None and page.story.day == day for page in web.pages.values())
    return {"pages": len(web.pages), "sites": SITES, "stories of the day": today}


def label_of(page: NewsPage) -> str:
    if page.story is not None:
        return f"day.{page.story.day}"
    return f"garbage.{garbage_kind(page.key)}" if page.kind == "garbage" else page.kind


def garbage_kind(key: int) -> str:
    return _GARBAGE_KINDS[key % len(_GARBAGE_KINDS)]


def _story_page(story: Story) -> NewsPage:
    return NewsPage(story.site, "story", story.id, story)


def _story_path(story: Story, same_day: Sequence[Story]) -> str:
    """Half of the sites have the day in their paths, three in ten the section, the others a number alone."""
    style, name = story.site % 10, slug(story.title)
    if style < 5:
        twice = any(slug(one.title) == name for one in same_day[: story.number])
        return f"{DAY_0 + timedelta(story.day):%Y/%m/%d}/{name}{f'-{story.number}' if twice else ''}"
    return f"{story.event.section}/{name}-{story.id}" if style < 8 else f"story/{story.id}"


def _steps(draw: Draw) -> list[int]:
    """Returns how many sites ahead the other sites are; the next one is always among them, so that all can be reached."""
    return [1, draw.between(2, SITES - 1)][:_OTHER_SITES]


def _string(draw: Draw) -> str:
    return "".join(draw.pick(ascii_lowercase) for _ in range(draw.between(*_LETTERS)))


def _paragraphs(texts: Iterable[str]) -> str:
    return "\n".join(f"<p>{escape(text)}</p>" for text in texts)


def _list(items: Iterable[str]) -> str:
    return "<ul>\n" + "\n".join(f"<li>{item}</li>" for item in items) + "\n</ul>"
