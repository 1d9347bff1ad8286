"""Made webs whose sidebars stay in the language of their page, and whose texts link to any language.

Rules: nothing but the place of a link tells where it leads. Addresses and anchors are numbers, every host has pages in every
language, and each page has as many links in its text as in its sidebar, besides the links that stand in both: a share of the
sidebar's links, `both`, stands in the text too.

Invariant: every page can be reached from any other of its language through sidebars. The same seed and texts give the same bytes.
"""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from opilio.keep import payload_digest, response_record
from opilio.lab.maker import Library
from opilio.lab.maker.draw import Draw

from .signals_web import MadeWeb

_LANGUAGES: Final = 3  # or as many as there are texts in
_HOSTS: Final = 30
_LINKS: Final = 6  # in a sidebar, and of those that stand in the text alone
_SENTENCES: Final = 18  # of a text
_PARAGRAPHS: Final = 3
_RECORDED_TIME: Final = "2026-01-01T00:00:00Z"
_HEADERS: Final = (("Content-Type", "text/html; charset=utf-8"),)


class _Page(NamedTuple):
    number: int
    language: str

    @property
    def url(self) -> str:
        return f"https://www.mw--side{self.number % _HOSTS:02}.com/{self.number}"


class Sidebars:
    def __init__(self, library: Library, pages: int, both: float, seed: int) -> None:
        self._library, self._both, self._seed = library, both, seed
        languages = library.languages[:_LANGUAGES]
        spread = Draw("sidebars", seed).shuffled(languages[number % len(languages)] for number in range(pages))
        self.pages = [_Page(number, language) for number, language in enumerate(spread)]
        self._of = {code: [page for page in self.pages if page.language == code] for code in languages}

    def write(self, folder: Path, name: str) -> MadeWeb:
        path, labels = folder / f"{name}.warc.gz", folder / f"{name}.labels.tsv"
        with path.open("wb") as file:
            for page in self.pages:
                body = self.show(page).encode()
                file.write(response_record(page.url, _RECORDED_TIME, "", 200, _HEADERS, body, payload_digest(body), 1))
        lines = ["url\tlabel\n", *(f"{page.url}\tlang.{page.language}\n" for page in self.pages)]
        labels.write_text("".join(lines), "utf-8")
        return MadeWeb(path, labels, {f"lang.{code}": len(pages) for code, pages in self._of.items()}, _HOSTS)

    def show(self, page: _Page) -> str:
        draw = Draw("sidebars", self._seed, page.number)
        beside, inside = self._links(page, draw)
        sentences = [draw.pick(self._library.sentences(page.language)) for _ in range(_SENTENCES)]
        marked = [escape(each, quote=False) for each in sentences]
        for at, target in zip(draw.shuffled(range(_SENTENCES)), inside, strict=False):
            marked[at] += f" {_anchor(target)}"
        step = _SENTENCES // _PARAGRAPHS
        text = "\n".join(f"<p>{' '.join(marked[at : at + step])}</p>" for at in range(0, _SENTENCES, step))
        items = "\n".join(f"<li>{_anchor(target)}</li>" for target in beside)
        return (
            f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{page.number}</title></head>\n<body>'
            f'<div class="text">\n{text}\n</div>\n<div class="side"><ul>\n{items}\n</ul></div></body></html>\n'
        )

    def _links(self, page: _Page, draw: Draw) -> tuple[list[_Page], list[_Page]]:
        """Returns the links of the sidebar, and those of the text."""
        own = self._of[page.language]
        following = own[(own.index(page) + 1) % len(own)]  # so that all can be reached
        beside = [following, *_others(own, {page, following}, _LINKS - 1, draw)]
        twice = beside[: round(self._both * len(beside))]
        return beside, [*twice, *_others(self.pages, {page, *beside}, _LINKS, draw)]


def _others(pages: Sequence[_Page], known: set[_Page], wanted: int, draw: Draw) -> list[_Page]:
    """Draws different pages, none of which is known."""
    found: dict[_Page, None] = {}
    while len(found) < wanted:
        page = draw.pick(pages)
        if page not in known:
            found[page] = None
    return list(found)


def _anchor(page: _Page) -> str:
    return f'<a href="{page.url}">{page.number}</a>'
