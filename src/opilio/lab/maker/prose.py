"""The main text of a page: running text for good pages, and what poor pages have instead.

These are pure functions of a library, a page and a `Draw`. They return plain paragraphs; `markup` adds the markup.
"""

from collections.abc import Sequence
from typing import Final

from .address import site_name
from .draw import Draw
from .kind import PageKind
from .library import Library
from .passage import split_sentences
from .phrases import has_phrases, phrases
from .plan import Page

_TEASER_CHARS: Final = 220
_NONSENSE_WORDS: Final = (30, 70)


def paragraphs(library: Library, page: Page, changed: float, draw: Draw) -> list[list[str]]:
    """Returns paragraphs, each of which is a list of sentences."""
    if page.good:
        texts = [
            split_sentences(text) for text in library.shelf(page.language, page.topic).passage(page.text).paragraphs
        ]
        return _altered(texts, library.sentences(page.language), changed, draw) if page.kind is PageKind.NEAR else texts
    if page.kind is PageKind.STUB:
        return [[draw.pick(library.sentences(page.language))[:_TEASER_CHARS]]]
    if page.kind is PageKind.SALAD:
        return [nonsense(library, page.language, draw) for _ in range(draw.between(3, 7))]
    if page.kind in (PageKind.NOTICE, PageKind.ABOUT, PageKind.PRIVACY):
        if not has_phrases(page.language):
            return [[draw.pick(library.sentences(page.language))] for _ in range(2)]
        notices = draw.shuffled(phrases(page.language).notice)[: draw.between(4, 8)]
        return [[notice.format(site=site_name(page))] for notice in notices]
    return []


def entries(library: Library, page: Page, draw: Draw) -> list[str]:
    """Returns the entries of a page that is only a list."""
    words = library.words(page.language)
    return [
        " ".join([draw.pick(words), *(draw.pick(words) for _ in range(draw.below(3)))]).capitalize()
        for _ in range(draw.between(15, 40))
    ]


def nonsense(library: Library, language: str, draw: Draw) -> list[str]:
    """Returns sentences of words that were drawn one by one: long words, and hardly any function words."""
    words = library.words(language)
    count = draw.between(*_NONSENSE_WORDS)
    drawn = [draw.pick(words) for _ in range(count)]
    return [f"{' '.join(drawn[at : at + 12]).capitalize()}." for at in range(0, count, 12)]


def remark(library: Library, language: str, draw: Draw) -> str:
    """Returns the text of a comment."""
    return " ".join(draw.pick(library.sentences(language)) for _ in range(draw.between(1, 3)))


def teaser(library: Library, page: Page) -> str:
    """Returns the text by which a host presents a page in lists."""
    if page.good or page.kind is PageKind.EXACT:
        text = library.shelf(page.language, page.topic).passage(page.text).paragraphs[0]
    else:
        text = Draw("teaser", page.number).pick(library.sentences(page.language))
    return (
        text if len(text) <= _TEASER_CHARS else f"{text[:_TEASER_CHARS].rpartition(' ')[0] or text[:_TEASER_CHARS]} …"
    )


def _altered(texts: list[list[str]], others: Sequence[str], share: float, draw: Draw) -> list[list[str]]:
    """Replaces a share of the sentences, but at least one, by others of the language."""
    places = [(paragraph, at) for paragraph, text in enumerate(texts) for at in range(len(text))]
    copied = [list(text) for text in texts]
    for paragraph, at in draw.shuffled(places)[: max(1, round(share * len(places)))]:
        copied[paragraph][at] = draw.pick(others)
    return copied
