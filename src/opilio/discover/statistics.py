"""Figures about a directory, as in the tables of Barbaresi (2014) and (2013): by source and language, and by the kind of mention.

A URL that several sources mention counts for each of them. "Analysed" are URLs that were drawn, whatever came of them; "retained"
are pages that are not set apart.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean, median
from typing import Final, NamedTuple

from .entries import Entry

ALL: Final = "all sources"


class SourceFigures(NamedTuple):
    source: str
    found: int  # URLs
    dropped: int  # of these, before anything was downloaded
    analysed: int
    retained: int
    in_target: float  # share of the retained pages that are in the wanted languages; of all, if none are wanted
    mean_chars: float  # of the retained pages' text
    median_chars: float
    tokens: int
    different_addresses: float  # share of the retained pages
    own_domains: int  # retained, and named by no other source


class LanguageFigures(NamedTuple):
    source: str
    language: str
    retained: int
    share: float
    mean_chars: float
    median_chars: float
    tokens: int
    different_addresses: float


class GroupFigures(NamedTuple):
    """What stands behind the mentions of one kind."""

    source: str
    group: str
    links: int
    analysed: int
    languages: dict[str, float]  # shares of the pages with text, the largest first


class Statistics(NamedTuple):
    sources: list[SourceFigures]
    languages: list[LanguageFigures]
    groups: list[GroupFigures]
    drops: dict[str, int]
    apart: dict[str, int]


def statistics(entries: Sequence[Entry], languages: Sequence[str] = ()) -> Statistics:
    named = [entry for entry in entries if entry.sources]
    by_source: dict[str, list[Entry]] = defaultdict(list)
    for entry in named:
        for source in entry.sources:
            by_source[source].append(entry)
    owners = _owners(named)
    rows = [_source(name, own, languages, owners) for name, own in sorted(by_source.items())]
    tables = [each for name, own in sorted(by_source.items()) for each in _languages(name, own)]
    return Statistics(
        [*rows, _source(ALL, named, languages, owners)] if len(rows) != 1 else rows,
        [*tables, *(_languages(ALL, named) if len(rows) > 1 else [])],
        _groups(named),
        _counted(entry.drop for entry in named if entry.drop),
        _counted(entry.apart for entry in named if entry.apart),
    )


def _source(
    name: str, entries: Sequence[Entry], languages: Sequence[str], owners: dict[str, set[str]]
) -> SourceFigures:
    retained = [entry for entry in entries if entry.is_viable]
    wanted = [entry for entry in retained if not languages or entry.language in languages]
    domains = {entry.domain for entry in retained}
    return SourceFigures(
        name,
        len(entries),
        sum(entry.drop is not None and not entry.drawn for entry in entries),
        sum(entry.drawn and not entry.set_aside for entry in entries),
        len(retained),
        _share(len(wanted), len(retained)),
        *_lengths(retained),
        _addresses(retained),
        sum(len(owners[domain]) == 1 for domain in domains),
    )


def _languages(name: str, entries: Sequence[Entry]) -> list[LanguageFigures]:
    retained = [entry for entry in entries if entry.is_viable]
    by_language: dict[str, list[Entry]] = defaultdict(list)
    for entry in retained:
        by_language[entry.language].append(entry)
    most = sorted(by_language.items(), key=lambda item: (-len(item[1]), item[0]))
    return [
        LanguageFigures(name, code, len(own), _share(len(own), len(retained)), *_lengths(own), _addresses(own))
        for code, own in most
    ]


def _groups(entries: Iterable[Entry]) -> list[GroupFigures]:
    found: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        for source in entry.sources:
            for group in entry.groups:
                found[source, group].append(entry)
    return [
        GroupFigures(source, group, len(own), sum(entry.drawn for entry in own), _language_shares(own))
        for (source, group), own in sorted(found.items())
    ]


def _language_shares(entries: Iterable[Entry]) -> dict[str, float]:
    counts = Counter(entry.language for entry in entries if entry.probed and entry.language and not entry.apart)
    return {code: count / counts.total() for code, count in counts.most_common()}


def _owners(entries: Iterable[Entry]) -> dict[str, set[str]]:
    """Returns the sources of each domain."""
    owners: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        owners[entry.domain].update(entry.sources)
    return owners


def _lengths(entries: Sequence[Entry]) -> tuple[float, float, int]:
    chars = [entry.text_chars for entry in entries] or [0]
    return fmean(chars), median(chars), sum(entry.tokens for entry in entries)


def _addresses(entries: Sequence[Entry]) -> float:
    known = [entry.address for entry in entries if entry.address]
    return _share(len(set(known)), len(known))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _counted(reasons: Iterable[str]) -> dict[str, int]:
    return {str(reason): count for reason, count in Counter(reasons).most_common()}
