"""The difficulties of a real web: copies of pages, redirects, an endless calendar, opt-outs, wrong types.

Each site has each of them once, so that a crawl shows all of its defences within a few hundred fetches.
"""

import gzip
import re
from typing import Final

from .answer import Answer, html_answer, redirect_answer
from .article import Article
from .frame import Frame, Part, anchor
from .skin import skin

_MONTH: Final = re.compile(r"/calendar/(\d{4,9})/(\d\d)/")
_TWIN, _GZIP, _LATIN, _MOVED = 2, 20, 60, 75  # numbers of the articles that have these peculiarities
_OPT_OUTS: Final = {33: "noindex", 50: "noai"}
_PDF: Final = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
    b"trailer<</Root 1 0 R>>\n%%EOF\n"
)


def twins(articles: tuple[Article, ...]) -> list[str]:
    """Returns anchors to everything that no other page links to."""
    twin = articles[_TWIN]
    return [
        anchor(f"/print/{twin.slug}.html", f"{twin.title} (A4)"),
        anchor(f"{twin.path}?sid=9c41e7", twin.title),
        anchor("/old/1.html", articles[_MOVED].title),
        anchor("/loop/a.html", "A → B → A"),
        anchor("/lost.html", "2019"),
        anchor("/files/leaflet.pdf", "PDF"),
    ]


def oddities(frame: Frame, articles: tuple[Article, ...], pages: dict[str, Answer]) -> dict[str, Answer]:
    """Returns all pages of the site, with some of the articles served in unusual ways."""
    words = skin(frame.key)
    twin, moved = articles[_TWIN], articles[_MOVED].path
    changed = {articles[number].path: value for number, value in _OPT_OUTS.items()}
    gzipped, latin = articles[_GZIP].path, articles[_LATIN].path
    return pages | {
        **{path: _opted_out(pages[path], value) for path, value in changed.items()},
        gzipped: _gzipped(pages[gzipped]),
        latin: _latin(pages[latin]),
        f"/print/{twin.slug}.html": pages[twin.path],
        "/old/1.html": redirect_answer(301, "/old/2.html"),
        "/old/2.html": redirect_answer(302, f"{frame.origin}/old/3.html"),
        "/old/3.html": redirect_answer(308, moved),
        "/loop/a.html": redirect_answer(302, "/loop/b.html"),
        "/loop/b.html": redirect_answer(302, "/loop/a.html"),
        "/lost.html": html_answer(frame.render(Part("/lost.html", words.lost_title, f"<p>{words.lost}</p>"))),
        "/files/leaflet.pdf": Answer(200, (("Content-Type", "application/pdf"),), _PDF),
        "/private/drafts.html": _private(frame, "/private/drafts.html"),
        "/private/minutes.html": _private(frame, "/private/minutes.html"),
    }


def special(path: str) -> bool:
    """Returns True for pages that are HTML but not documents of the site."""
    return path.startswith("/private/") or path == "/lost.html"


def calendar_page(frame: Frame, path: str) -> Answer | None:
    """Makes the page of any month of any year; each links to the next and the previous one."""
    match = _MONTH.fullmatch(path)
    if not match or not 1 <= int(match[2]) <= 12:
        return None
    words, year, month = skin(frame.key), int(match[1]), int(match[2])
    after, before = (year + month // 12, month % 12 + 1), (year - (month == 1), (month - 2) % 12 + 1)
    pager = " ".join(anchor(f"/calendar/{y:04}/{m:02}/", f"{m:02}/{y:04}") for y, m in (before, after) if y >= 0)
    return html_answer(
        frame.render(Part(path, f"{words.calendar} {month:02}/{year:04}", f"<p>{words.month}</p>", pager=pager))
    )


def _private(frame: Frame, path: str) -> Answer:
    words = skin(frame.key)
    return html_answer(frame.render(Part(path, words.drafts, f"<p>{words.about_text[-1]}</p>")))


def _opted_out(page: Answer, value: str) -> Answer:
    meta = f'<meta name="robots" content="{value}">\n<link rel="canonical"'.encode()
    return page._replace(body=page.body.replace(b'<link rel="canonical"', meta, 1))


def _gzipped(page: Answer) -> Answer:
    return page._replace(headers=(*page.headers, ("Content-Encoding", "gzip")), body=gzip.compress(page.body, mtime=0))


def _latin(page: Answer) -> Answer:
    """Encodes in ISO 8859-1, other characters as references, and declares this charset in header and markup."""
    markup = page.body.decode().replace("utf-8", "iso-8859-1", 1)
    fields = tuple((name, value.replace("utf-8", "iso-8859-1")) for name, value in page.headers)
    return Answer(200, fields, markup.encode("iso-8859-1", "xmlcharrefreplace"))
