"""What the bytes of a probed page say beyond its text: how long they are, whether they name a feed, and whether they carry a mark
of machine translation.

A mark is not a proof: it says that the page was made by, or with, a translating program, or that it is one of very many
translations. Text that was translated and cleaned of its marks is not found.
"""

import re
from typing import Final, NamedTuple

from opilio.core.items import Page

_FEED: Final = re.compile(rb"<link\b[^>]{0,500}application/(?:rss|atom)\+xml", re.IGNORECASE)
_HREFLANG: Final = re.compile(rb"<link\b[^>]{0,500}?\bhreflang\s*=\s*[\"']?([a-zA-Z]{2,3})", re.IGNORECASE)
_GENERATOR: Final = re.compile(
    rb"<meta\b[^>]{0,200}generator[^>]{0,200}?(gtranslate|weglot|transposh|linguise|conveythis|translatepress)", re.IGNORECASE
)
_CLASSES: Final = re.compile(
    r"translated-(?:ltr|rtl)|skiptranslate|gt_(?:switcher|float|container).*|gtranslate.*|weglot.*|transposh.*|linguise.*|"
    r"conveythis.*|trp-language-switcher.*",
    re.IGNORECASE,
)
_FARM_LANGUAGES: Final = 25  # hardly any site is written in more languages; the largest organisations are
_HEAD_BYTES: Final = 2**17


class PageFacts(NamedTuple):
    html_chars: int
    text_chars: int
    feed: bool
    translated: str


def page_facts(page: Page, body: bytes) -> PageFacts:
    """`page` has its blocks, and `body` is decoded."""
    head = body[:_HEAD_BYTES]
    text_chars = sum(len(block.text) for block in page.blocks)
    html_chars = len(body.decode("utf-8", "ignore")) if page.charset == "utf-8" else len(body)
    return PageFacts(html_chars, text_chars, _FEED.search(head) is not None, _translated(page, head))


def _translated(page: Page, head: bytes) -> str:
    if found := _GENERATOR.search(head):
        return f"generator {found[1].decode().lower()}"
    if mark := next((name for name in page.classes if _CLASSES.fullmatch(name)), ""):
        return f"class {mark}"
    languages = {code.lower() for code in _HREFLANG.findall(head)} - {b"x"}
    return f"{len(languages)} hreflangs" if len(languages) >= _FARM_LANGUAGES else ""
