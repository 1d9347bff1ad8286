"""Reads sources from a recorded web: the paragraphs of each page, with the heading above each."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import parse
from opilio.fetch.recorded import RecordedWeb
from opilio.glean import glean

from .passage import Source

_HEADINGS: Final = frozenset({"h2", "h3", "h4"})
_FEWEST_WORDS: Final = 15
_TEXT_LIMIT: Final = 0.5  # boilerplate score and link density below which a paragraph is text
_LIMITS: Final = Limits()


def recorded_sources(warc: Path, pages: Sequence[tuple[str, tuple[str, ...]]]) -> Iterator[Source]:
    """`pages` are URLs with their topics; those without text are skipped."""
    for href, topics in pages:
        url = parse(href)
        if isinstance(url, Drop):
            continue
        fetched = _open(warc).answer(url)
        page = glean(url, 0, fetched.headers, fetched.body, _LIMITS, context=False)
        if isinstance(page, Page) and (paragraphs := list(_paragraphs(page))):
            yield Source(page.title.partition(" | ")[0], topics, paragraphs)


@cache
def _open(warc: Path) -> RecordedWeb:
    """Opens a web once for all shelves, because building its index takes half a second."""
    return RecordedWeb([warc])


def _paragraphs(page: Page) -> Iterator[tuple[str, str]]:
    heading = ""
    for block in page.blocks:
        if block.tag in _HEADINGS:
            heading = block.text if block.words <= 8 else ""
        elif (
            block.tag == "p"
            and block.words >= _FEWEST_WORDS
            and max(block.boilerplate, block.link_density) < _TEXT_LIMIT
        ):
            yield heading, block.text
