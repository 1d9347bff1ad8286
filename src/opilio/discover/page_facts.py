"""What a probe notes of a page: a pure function of its text, its links and its bytes.

A mark of machine translation is not a proof: it says that the page was made by, or with, a translating program, or that it is one
of very many translations. Text that was translated and cleaned of its marks is not found.
"""

import re
from typing import Final, NamedTuple

from opilio.core.draw import hash_number
from opilio.core.items import Page
from opilio.core.tables import Scout
from opilio.core.url import Url, registered_domain, split
from opilio.model.badness import badness, profile_of, read_profiles

from .language_hint import settle_language
from .probe import LONG, SHORT, UNCERTAIN, Probe

_FEED: Final = re.compile(rb"<link\b[^>]{0,500}application/(?:rss|atom)\+xml", re.IGNORECASE)
_HREFLANG: Final = re.compile(rb"<link\b[^>]{0,500}?\bhreflang\s*=\s*[\"']?([a-zA-Z]{2,3})", re.IGNORECASE)
_GENERATOR: Final = re.compile(
    rb"<meta\b[^>]{0,200}generator[^>]{0,200}?(gtranslate|weglot|transposh|linguise|conveythis|translatepress)",
    re.IGNORECASE,
)
_ROOT: Final = re.compile(rb"<html\b[^>]{0,500}?\b(translated-(?:ltr|rtl))", re.IGNORECASE)
_CLASS: Final = re.compile(
    rb"\bclass\s*=\s*[\"']?[^\"'>]{0,300}?\b(skiptranslate|gt_switcher|gt_float|gtranslate|weglot|transposh|linguise|conveythis|"
    rb"trp-language-switcher)",
    re.IGNORECASE,
)
_FARM_LANGUAGES: Final = 25  # hardly any site is written in more languages; the largest organisations are
_HEAD_BYTES: Final = 2**17


class RawFacts(NamedTuple):
    """What is lost once a page is gleaned."""

    html_chars: int
    text_chars: int
    feed: bool
    translated: str


def raw_facts(page: Page, body: bytes) -> RawFacts:
    """`page` has its blocks, and `body` is decoded."""
    head = body[:_HEAD_BYTES]
    text_chars = sum(len(block.text) for block in page.blocks)
    html_chars = len(body.decode("utf-8", "ignore")) if page.charset == "utf-8" else len(body)
    return RawFacts(html_chars, text_chars, _FEED.search(head) is not None, _translated(head))


def describe(page: Page, raw: RawFacts, settings: Scout, probed: str, address: str, size_bytes: int) -> Probe:
    """Returns what is known of a page before anybody has judged it."""
    url = split(page.url)
    assert isinstance(url, Url)  # only canonical URLs are fetched
    hint = settle_language(url, page.language, page.language_confidence)
    language = hint or page.language
    targets = {link.url: registered_domain(link.host) for link in page.links}
    inside = sum(domain == url.domain for domain in targets.values())
    profile = profile_of(language, read_profiles())
    return Probe(
        probed=probed,
        html_chars=raw.html_chars,
        text_chars=raw.text_chars,
        main_chars=len(page.text),
        tokens=page.words,
        in_links=inside,
        out_links=len(targets) - inside,
        address=address,
        digest=f"{hash_number(page.text, 16):032x}",
        language=language,
        confidence=round(page.language_confidence, 4),
        language_by="url" if hint else "text",
        declared_language=page.declared_language,
        badness=round(badness(page.text, profile).total, 2) if profile and page.words else None,
        licence=next((signal.value for signal in page.signals if signal.name == "license"), ""),
        feed=raw.feed,
        translated=raw.translated,
        apart=_apart(page, raw, settings, is_settled=bool(hint), size_bytes=size_bytes),
    )


def _apart(page: Page, raw: RawFacts, settings: Scout, *, is_settled: bool, size_bytes: int) -> str:
    if max(size_bytes, raw.html_chars) > settings.max_bytes:
        return LONG
    if raw.text_chars < settings.min_chars:
        return SHORT
    is_certain = bool(page.language) and page.language_confidence >= settings.min_confidence
    return "" if is_certain or is_settled else UNCERTAIN


def _translated(head: bytes) -> str:
    if found := _ROOT.search(head) or _GENERATOR.search(head) or _CLASS.search(head):
        return found[1].decode().lower()
    languages = {code.lower() for code in _HREFLANG.findall(head)} - {b"x"}
    return f"{len(languages)} hreflangs" if len(languages) >= _FARM_LANGUAGES else ""
