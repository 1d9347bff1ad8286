"""Samples beside a filter by language: which of them can tell whether a page belongs.

Most judges compare words as they are written, and so do the word vectors, which know English best. So a German page is never like
English samples, however much it is about the same, and a crawl for such pages would fetch much and keep nothing. It is refused
before it begins. Judges that compare across languages, which plug-ins may be, are let through (`Judge.compares_words`).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from opilio.core.errors import ConfigError
from opilio.core.languages import list_languages
from opilio.core.plugin import Sample
from opilio.glean import identify
from opilio.judge import Judge

_SURE_CONFIDENCE: Final = 0.5


class Mismatch(NamedTuple):
    """Samples that are surely in other languages than the wanted ones."""

    words: str  # for the operator; they begin in lower case, like every error and warning
    is_total: bool  # whether all samples are


def sample_language(text: str) -> str:
    """Returns the language of a sample, "" if it cannot be told."""
    language, confidence = identify(text)
    return language if confidence >= _SURE_CONFIDENCE else ""


def find_mismatch(samples: Sequence[Sample], only: Sequence[str]) -> Mismatch | None:
    """Compares the samples' languages with those that a page must have."""
    spoken = {sample.name: sample_language(sample.text) for sample in samples} if only else {}
    others = {name: language for name, language in spoken.items() if language and language not in only}
    if not others:
        return None
    said, wanted = list_languages(sorted({*others.values()})), list_languages(only)
    if len(others) < len(spoken):
        listed = ", ".join(others)
        return Mismatch(
            f"only pages in {wanted} are wanted, and these samples are in {said}: {listed}. Leave them out: words are compared "
            "as they are written.", is_total=False,
        )  # fmt: skip
    return Mismatch(
        f"the samples are in {said}, and only pages in {wanted} are wanted. Words are compared as they are written, so no such "
        f"page would be like the samples. Name samples in {wanted} (a translation will do), or leave out --like: then every page "
        f"in {wanted} belongs. Or leave out --language.", is_total=True,
    )  # fmt: skip


def check_languages(judge: Judge, samples: Sequence[Sample], only: Sequence[str]) -> str | None:
    """Raises if the judge cannot find a page with these samples. Returns a warning if some of them are of no use to it."""
    found = find_mismatch(samples, only) if judge.compares_words else None
    if found and found.is_total:
        raise ConfigError(found.words)
    return found.words if found else None
