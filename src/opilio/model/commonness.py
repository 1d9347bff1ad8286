"""Commonness: the share of ordinary pages of a language that have a term (`terms`), whatever they are about.

A crawl begins with a few samples, which do not tell which of their words are about the subject and which are in every
text. So the program comes with document frequencies, computed from sentences: a term of relative frequency f is expected on
1 - (1 - f)^1000 of the pages of a thousand words. For English they are also counted on the pages of an encyclopedia, and
the higher of the two counts, because an encyclopedia never says "you". Terms
seen once are left out, because their frequency is not known, and so are shares below 0.02, because that is the share of
an unknown term.

The file holds the terms of each share together, in order, so that a language is decoded only when it is used.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec
import zstandard

from opilio.core.errors import ModelError

from .terms import terms

PAGES: Final = 100  # this knowledge counts as much as this many pages of the crawl
_FILE_NAME: Final = "commonness.msgpack.zst"
_PAGE_WORDS: Final = 1_000
_LEAST_SHARE: Final = 0.02
_LEAST_TERMS: Final = 100  # different terms; a page with fewer is a stub
_LANGUAGE_TERMS: Final = 100  # how many of its most common terms identify a language
_LEAST_LANGUAGE_SHARE: Final = 0.05  # share of a text's terms that must be common terms of its language
_CODES: Final = {"no": "nb"}  # code of the language identifier → code in the file

Grouped = dict[str, list[tuple[float, str]]]  # by language: falling shares, each with its terms separated by spaces


@lru_cache(maxsize=32)
def commonness(language: str) -> Mapping[str, float]:
    """Maps terms to shares of pages; the map is empty for an unknown language."""
    groups = _shipped().get(_CODES.get(language, language), ())
    return MappingProxyType({term: share for share, joined in groups for term in joined.split(" ")})


def languages() -> tuple[str, ...]:
    """Returns the codes of the known languages."""
    return tuple(_shipped())


def language_of(words: Sequence[str]) -> str:
    """Returns the language whose most common terms are most frequent among these words, or "". It may confuse closely
    related languages, which is harmless here, because they share these terms."""
    counts = Counter(words)
    found = {code: sum(counts[term] for term in telling) for code, telling in _telling().items()}
    best = max(found, key=found.__getitem__)
    return best if found[best] and found[best] >= _LEAST_LANGUAGE_SHARE * len(words) else ""


def of_pages(texts: Iterable[str]) -> dict[str, float]:
    """Measures commonness on whole pages, without those of few words."""
    met: Counter[str] = Counter()
    pages = 0
    for text in texts:
        different = set(terms(text))
        if len(different) >= _LEAST_TERMS:
            met.update(different)
            pages += 1
    return {term: count / pages for term, count in met.items()}


def of_sentences(sentences: Iterable[str]) -> dict[str, float]:
    """Extrapolates commonness from sentences to pages of a thousand words."""
    counts = Counter(term for sentence in sentences for term in terms(sentence))
    total = counts.total()
    return {term: 1 - (1 - count / total) ** _PAGE_WORDS for term, count in counts.items() if count > 1}


def write_commonness(languages: Mapping[str, Mapping[str, float]], path: Path) -> None:
    grouped = {code: _group(shares) for code, shares in sorted(languages.items())}
    path.write_bytes(zstandard.ZstdCompressor(level=19).compress(msgspec.msgpack.encode(grouped)))


def read_commonness(name: str, data: bytes) -> Grouped:
    try:
        unpacked = zstandard.ZstdDecompressor().decompress(data, max_output_size=1 << 26)
        return msgspec.msgpack.decode(unpacked, type=Grouped)
    except (zstandard.ZstdError, msgspec.DecodeError) as error:
        raise ModelError(
            f"{name} is not a file of term frequencies ({error}). `opilio judge train commonness` makes such files."
        ) from error


def _group(shares: Mapping[str, float]) -> list[tuple[float, str]]:
    groups: dict[float, list[str]] = {}
    for term, share in shares.items():
        if (rounded := round(share, 3)) >= _LEAST_SHARE:
            groups.setdefault(rounded, []).append(term)
    return [(share, " ".join(sorted(groups[share]))) for share in sorted(groups, reverse=True)]


@lru_cache(maxsize=1)
def _shipped() -> Grouped:
    return read_commonness(_FILE_NAME, (resources.files("opilio.model") / _FILE_NAME).read_bytes())


@lru_cache(maxsize=1)
def _telling() -> dict[str, list[str]]:
    return {
        code: list(islice((term for _, joined in groups for term in joined.split(" ")), _LANGUAGE_TERMS))
        for code, groups in _shipped().items()
    }
