"""The titles of pages, and their paths, in the style of the engine that the host runs.

Paths contain the page's rank on its host, so that no two pages share one. Titles in Latin letters become part of the
path, as engines do it; with other titles the path has only the number.
"""

import re
import unicodedata
from typing import Final

from .draw import Draw
from .kind import PageKind
from .passage import short_title
from .phrases import phrases
from .plan import Page, Plan

_SEPARATORS: Final = re.compile(r"[^a-z0-9]+")
_NAME_CHARS: Final = 50
_PATHS: Final = {
    "wordpress": "/{year}/{month:02}/{name}-{rank}/",
    "blogger": "/{year}/{month:02}/{name}-{rank}.html",
    "drupal": "/node/{rank}",
    "typepad": "/{year}/{month:02}/{name}_{rank}.html",
    "disqus": "/posts/{name}-{rank}/",
    "joomla": "/index.php/{section}/{rank}-{name}",
    "wiki": "/wiki/{name}_{rank}",
    "news": "/{section}/{name}-{rank}.html",
    "tables": "/{section}/{name}{rank}.htm",
    "phpbb": "/{name}-t{rank}.html",
    "vbulletin": "/threads/{rank}-{name}",
    "directory": "/{section}/{name}-{rank}.html",
    "portal": "/p{rank}/{name}.html",
}
_SERVICES: Final = {PageKind.ABOUT: "/about.html", PageKind.PRIVACY: "/privacy.html"}


class Addresses:
    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def title(self, page: Page) -> str:
        library = self._plan.library
        if page.good or page.kind is PageKind.EXACT:
            return library.shelf(page.language, page.topic).passage(page.text).title
        if page.kind is PageKind.HOME:
            return site_name(page)
        if page.kind in _SERVICES:
            words = phrases(page.language)
            return words.about if page.kind is PageKind.ABOUT else words.privacy
        if page.kind is PageKind.ARCHIVE:
            return f"{self.section(page)} ({phrases(page.language).archive} {page.rank})"
        draw = Draw("title", page.language, page.number)
        return short_title(draw.pick(library.sentences(page.language)), page.language)

    def section(self, page: Page) -> str:
        """Returns the name of the section that an archive page lists."""
        words = self._plan.library.words(page.host.language)
        return words[(page.host.number * 31 + page.rank * 7) % len(words)].capitalize()

    def url(self, page: Page) -> str:
        return page.host.origin + self.path(page)

    def path(self, page: Page) -> str:
        if page.kind is PageKind.HOME:
            return "/"
        if self._plan.parameters.urls == "numbers":
            return f"/{page.rank}"
        if page.kind is PageKind.ARCHIVE:
            return f"/archive/{page.rank}/"
        if page.kind in _SERVICES:
            return _SERVICES[page.kind]
        path = _PATHS[page.host.engine].format(
            year=page.written.year,
            month=page.written.month,
            rank=page.rank,
            name=plain(self.title(page)) or "page",
            section=plain(page.topic.rpartition(".")[2]) or "texts",
        )
        return path if page.language == page.host.language else f"/{page.language}{path}"


def site_name(page: Page) -> str:
    return page.host.domain.removeprefix("mw--").partition(".")[0].capitalize()


def plain(title: str) -> str:
    """Returns the title in small ASCII letters and digits, joined by hyphens."""
    letters = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return _SEPARATORS.sub("-", letters)[:_NAME_CHARS].strip("-")
