"""What was made of the samples, for people: by one judge, and altogether."""

from typing import NamedTuple


class Account(NamedTuple):
    """What one judge has made of the samples."""

    judge: str
    line: str  # what a page needs in order to belong
    keywords: tuple[str, ...] = ()  # terms that define the subject, the heaviest first


class SampleText(NamedTuple):
    name: str
    words: int
    language: str  # "" if it cannot be told


class SamplesAccount(NamedTuple):
    texts: list[SampleText]
    words: int
    languages: dict[str, int]  # words by language, the most frequent first
    keywords: list[str]  # of all judges, as whole words
    judges: list[Account]
    warnings: list[str]
