"""Commonness: the share of ordinary pages of a language that have a term (`terms`), whatever they are about.

A crawl begins with a few samples, and these cannot tell which of their words are about the subject and which are in every text.
What comes with the program can: document frequencies in an encyclopedia for English, and for all languages what follows from
sentences: a term of relative frequency f is expected on 1 - (1 - f)^1000 of the pages of a thousand words. Terms seen once are
left out, since their frequency is not known, and so are shares below 0.02, which are those of a term nobody has heard of.

The file holds the terms of each share together, in order, so that a language is taken apart only when it is asked for.
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

PAGES: Final = 100  # so many pages this knowledge counts for
_FILE: Final = "commonness.msgpack.zst"
_PAGE_WORDS: Final = 1_000
_LEAST_SHARE: Final = 0.02
_LEAST_TERMS: Final = 100  # different ones; a page with fewer is a stub
_TELLING: Final = 100  # most common terms, which tell a language
_LEAST_TELLING: Final = 0.05  # of the terms of a text, if its language is known
_KIN: Final = {"no": "nb"}  # the identifier's code → ours

Grouped = dict[str, list[tuple[float, str]]]  # by language: shares, falling, and their terms with spaces between


@lru_cache(maxsize=32)
def commonness(language: str) -> Mapping[str, float]:
    """Term → share of pages; empty for a language that is not known."""
    groups = _shipped().get(_KIN.get(language, language), ())
    return MappingProxyType({term: share for share, joined in groups for term in joined.split(" ")})


def languages() -> tuple[str, ...]:
    """Codes of those that are known."""
    return tuple(_shipped())


def language_of(words: Sequence[str]) -> str:
    """The language whose most common terms make up most of these; "" if none does. Close kin may be taken for each other,
    which does no harm here: they share these terms."""
    counts = Counter(words)
    found = {code: sum(counts[term] for term in telling) for code, telling in _telling().items()}
    best = max(found, key=found.__getitem__)
    return best if found[best] and found[best] >= _LEAST_TELLING * len(words) else ""


def of_pages(texts: Iterable[str]) -> dict[str, float]:
    """Measured on whole pages; those of few words do not count."""
    met: Counter[str] = Counter()
    pages = 0
    for text in texts:
        different = set(terms(text))
        if len(different) >= _LEAST_TERMS:
            met.update(different)
            pages += 1
    return {term: count / pages for term, count in met.items()}


def of_sentences(sentences: Iterable[str]) -> dict[str, float]:
    """Extrapolated to pages of a thousand words."""
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
            f"{name} says nothing of how common terms are ({error}). `opilio judge train commonness` makes such files."
        ) from error


def _group(shares: Mapping[str, float]) -> list[tuple[float, str]]:
    groups: dict[float, list[str]] = {}
    for term, share in shares.items():
        if (rounded := round(share, 3)) >= _LEAST_SHARE:
            groups.setdefault(rounded, []).append(term)
    return [(share, " ".join(sorted(groups[share]))) for share in sorted(groups, reverse=True)]


@lru_cache(maxsize=1)
def _shipped() -> Grouped:
    return read_commonness(_FILE, (resources.files("opilio.model") / _FILE).read_bytes())


@lru_cache(maxsize=1)
def _telling() -> dict[str, list[str]]:
    return {
        code: list(islice((term for _, joined in groups for term in joined.split(" ")), _TELLING))
        for code, groups in _shipped().items()
    }
