"""The programs that take the main text out of a page: ours and its peers, each as it is best used, by one small type."""

from collections.abc import Callable
from typing import Final, NamedTuple

from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.url import Url, parse
from opilio.engine.second_look import trafilatura_text as second_opinion
from opilio.glean import Extracted, extract, glean
from opilio.keep.markdown import marked


class Extractor(NamedTuple):
    name: str
    text: Callable[[str], str]
    marked: Callable[[str], str]  # with the marks of Markdown
    title: Callable[[str], str]


def glean_page(html: str) -> Page:
    url = parse("http://h.example/")
    assert isinstance(url, Url)
    page = glean(url, 0, (("Content-Type", "text/html; charset=utf-8"),), html.encode(), Limits())
    assert isinstance(page, Page)
    return page


def _fast_text(html: str) -> str:
    return glean_page(html).text


def _fast_marked(html: str) -> str:
    page = glean_page(html)
    return marked(page.text, page.layout)


def _fast_title(html: str) -> str:
    return glean_page(html).title


def trafilatura_text(html: str, *, fast: bool = True, style: str = "txt", tables: bool = False) -> str:
    """Returns its text without comments, and in articles without tables, which is its best setting there. Cases have tables."""
    import trafilatura

    found = trafilatura.extract(html, fast=fast, include_comments=False, include_tables=tables, output_format=style)
    return found or ""


def _trafilatura_title(html: str) -> str:
    import trafilatura

    found = trafilatura.extract_metadata(html)
    return (found.title if found else "") or ""


def _resiliparse_text(html: str, **options: bool) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    text: str = extract_plain_text(html, main_content=True, alt_texts=False, comments=False, **options)
    return text


def _resiliparse_title(html: str) -> str:
    from resiliparse.parse.html import HTMLTree

    return HTMLTree.parse(html).title or ""


def extract_page(html: str) -> Extracted:
    """Extracts a page as `opilio corpus extract` does."""
    found = extract((("Content-Type", "text/html; charset=utf-8"),), html.encode(), Limits(), second_opinion)
    assert isinstance(found, Extracted)
    return found


def _kept_marked(html: str) -> str:
    main = extract_page(html).main
    return marked(main.text, main.layout)


OURS: Final = Extractor("Opilio, fast", _fast_text, _fast_marked, _fast_title)
KEPT: Final = Extractor("Opilio, kept pages", lambda html: extract_page(html).main.text, _kept_marked, _fast_title)
TRAFILATURA_FAST: Final = Extractor(
    "trafilatura, fast",
    trafilatura_text,
    lambda html: trafilatura_text(html, style="markdown", tables=True),
    _trafilatura_title,
)
TRAFILATURA: Final = Extractor(
    "trafilatura",
    lambda html: trafilatura_text(html, fast=False),
    lambda html: trafilatura_text(html, fast=False, style="markdown", tables=True),
    _trafilatura_title,
)
RESILIPARSE: Final = Extractor(
    "resiliparse",
    _resiliparse_text,
    lambda html: _resiliparse_text(html, list_bullets=True),
    _resiliparse_title,
)
EVERYTHING: Final = Extractor(
    "every block",
    lambda html: "\n".join(block.text for block in glean_page(html).blocks),
    lambda html: "\n".join(block.text for block in glean_page(html).blocks),
    _fast_title,
)
EXTRACTORS: Final = (OURS, KEPT, TRAFILATURA_FAST, TRAFILATURA, RESILIPARSE, EVERYTHING)
