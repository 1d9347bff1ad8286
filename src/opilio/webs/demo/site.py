"""The four sites of the demo, one host each, built from the prose alone: the same bytes on every machine.

Links within a site are paths; links to the other sites name their host through `authority`, which says how a host is
written in a URL: as it is (port 80), with a port, or as an address for tools that cannot map names.
Every article links to its counterparts in the other language and in the other topic, so each site leads to all others,
while nine of ten links stay on the site. Sites that are `apart` are the same without the links to other sites.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from string import Template
from typing import Final
from urllib.parse import urlsplit

from .answer import NOT_FOUND, Answer, html_answer, text_answer
from .article import Article, articles, linked
from .frame import Frame, Part, anchor, items
from .oddity import calendar_page, oddities, special, twins
from .skin import skin

HOSTS: Final = {f"{key.replace('.', '-')}.test": key for key in ("cats.en", "cats.de", "tech.en", "tech.de")}

Authority = Callable[[str], str]


@dataclass(frozen=True)
class DemoSite:
    key: str  # topic and language, such as "cats.en"
    host: str
    frame: Frame
    pages: dict[str, Answer]  # by path; the pages of the endless calendar are made on request

    def answer(self, target: str) -> Answer:
        path = urlsplit(target).path  # a query changes nothing, as on any static site, so session ids make copies
        return self.pages.get(path) or calendar_page(self.frame, path) or NOT_FOUND


def demo_web(authority: Authority = str, *, apart: bool = False) -> dict[str, DemoSite]:
    """Returns all sites by host name."""
    return {host: _Builder(key, host, authority, apart=apart).site() for host, key in HOSTS.items()}


def labels(authority: Authority = str) -> dict[str, str]:
    """Maps the URL of every page that has text and may be fetched to the key of its site, such as "cats.en"."""
    return {
        f"http://{authority(host)}{path}": site.key
        for host, site in demo_web(authority).items()
        for path, answer in site.pages.items()
        if answer.status == 200 and answer.header("content-type").startswith("text/html") and not special(path)
    }


class _Builder:
    def __init__(self, key: str, host: str, authority: Authority, *, apart: bool) -> None:
        self.key, self.host, self.authority, self.apart = key, host, authority, apart
        self.words = skin(key)
        self.articles = articles(key)
        self.frame = Frame(key, f"http://{authority(host)}")
        self.by_slug = {("", each.slug): each.path for each in self.articles}
        self.by_slug |= {(each.section, each.slug): each.path for each in self.articles}

    def site(self) -> DemoSite:
        pages = {article.path: self._article(number) for number, article in enumerate(self.articles)}
        pages |= {f"/{section.slug}/": self._section(number) for number, section in enumerate(self.words.sections)}
        pages |= {"/": self._front(), "/about.html": self._about()}
        pages |= {"/robots.txt": self._robots(), "/sitemap.xml": self._sitemap()}
        return DemoSite(self.key, self.host, self.frame, oddities(self.frame, self.articles, pages))

    def _article(self, number: int) -> Answer:
        article = self.articles[number]
        day = _day(number)
        part = Part(
            article.path,
            article.title,
            linked(article, self.by_slug),
            section=anchor(f"/{article.section}/", self._section_title(article.section)),
            stamp=f'{self.words.updated} <time datetime="{day}">{day}</time>',
            aside=items(*(self._link(number + step) for step in (5, 23, 47, 71))),
            pager=self._pager(number),
            elsewhere=self._elsewhere(number),
        )
        modified = day.strftime("%a, %d %b %Y 08:00:00 GMT")
        return html_answer(self.frame.render(part), ("Last-Modified", modified))

    def _section(self, number: int) -> Answer:
        section = self.words.sections[number]
        members = [each for each in self.articles if each.section == section.slug]
        main = f"<p>{section.intro}</p>\n" + "\n".join(map(_teaser, members))
        aside = items(*(anchor(f"/{other.slug}/", other.title) for other in self.words.sections if other != section))
        return html_answer(self.frame.render(Part(f"/{section.slug}/", section.title, main, aside=aside)))

    def _front(self) -> Answer:
        shelves = []
        for section in self.words.sections:
            picks = [each for each in self.articles if each.section == section.slug][:3]
            shelves.append(f"<h2>{anchor(f'/{section.slug}/', section.title)}</h2>\n<p>{section.intro}</p>")
            shelves.extend(map(_teaser, picks))
        shelves.append(f"<h2>{self.words.service}</h2>\n<ul>{items(*twins(self.articles))}</ul>")
        part = Part("/", self.words.tagline, "\n".join(shelves), aside=items(*self._neighbours()))
        return html_answer(self.frame.render(part))

    def _about(self) -> Answer:
        main = "\n".join(f"<p>{paragraph}</p>" for paragraph in self.words.about_text)
        main += f"\n<h2>{self.words.network}</h2>\n<ul>{items(*self._neighbours())}</ul>"
        aside = items(anchor("/private/minutes.html", self.words.drafts), anchor("/sitemap.xml", "Sitemap"))
        return html_answer(self.frame.render(Part("/about.html", self.words.about, main, aside=aside)))

    def _robots(self) -> Answer:
        return text_answer(f"User-agent: *\nDisallow: /private/\n\nSitemap: {self.frame.origin}/sitemap.xml\n")

    def _sitemap(self) -> Answer:
        entries = "\n".join(
            f"<url><loc>{self.frame.origin}{each.path}</loc><lastmod>{_day(number)}</lastmod></url>"
            for number, each in enumerate(self.articles)
        )
        head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        return text_answer(f"{head}\n{entries}\n</urlset>\n", "application/xml")

    def _elsewhere(self, number: int) -> str:
        if self.apart:
            return ""
        topic, lang = self.key.split(".")
        other_lang, other_topic = {"en": "de", "de": "en"}[lang], {"cats": "tech", "tech": "cats"}[topic]
        hints = (f"{topic}.{other_lang}", self.words.language_hint), (f"{other_topic}.{lang}", self.words.topic_hint)
        return "".join(f"<p>{Template(hint).substitute(link=self._across(key, number))}</p>" for key, hint in hints)

    def _across(self, key: str, number: int) -> str:
        there = articles(key)
        article = there[number % len(there)]
        return anchor(f"http://{self.authority(_host(key))}{article.path}", article.title)

    def _neighbours(self) -> list[str]:
        shown = {host: key for host, key in HOSTS.items() if not self.apart or host == self.host}
        return [anchor(f"http://{self.authority(host)}/", skin(key).name) for host, key in shown.items()]

    def _pager(self, number: int) -> str:
        before = self._link(number - 1, f"← {self.words.previous}: ") if number else ""
        return f"<span>{before}</span> <span>{self._link(number + 1, f'{self.words.next}: ')}</span>"

    def _link(self, number: int, lead: str = "") -> str:
        article = self.articles[number % len(self.articles)]
        return anchor(article.path, lead + article.title)

    def _section_title(self, slug: str) -> str:
        return next(section.title for section in self.words.sections if section.slug == slug)


def _teaser(article: Article) -> str:
    first = article.text.partition(". ")[0].rstrip(".") + "."
    return f'<h3 class="teaser">{anchor(article.path, article.title)}</h3>\n<p>{first}</p>'


def _day(number: int) -> date:
    return date(2024, 1, 8) + timedelta(days=9 * number)


def _host(key: str) -> str:
    return next(host for host, each in HOSTS.items() if each == key)
