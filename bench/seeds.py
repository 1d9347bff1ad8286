"""Whether the yield of seeds says what a crawl from them will yield, and what ranking them is worth.

On a made web, a scout collects URLs from four kinds of sources and probes one or more of each domain. A yield is the share of
pages that are retained: in the wanted language by their Badness, long enough, no duplicate. First, as in experiment 1 of Schäfer
et al. (2014): sets of seeds by source and language, the share of them that the directory takes for good, and the yield of a
breadth-first crawl from them, without the seeds. Then, the same crawl from the seeds that `scout ls` ranks first, from seeds
drawn at random from those of the wanted language, and from any. The weights of the ranking were chosen on webs of other seeds.
"""

import asyncio
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from opilio.core.config import load_config
from opilio.discover import Ask, Find, Memory, Source
from opilio.discover.directory import Directory
from opilio.discover.entries import DirectoryReader, Entry
from opilio.discover.ranking import own_yield, ranked, with_expected_yield
from opilio.discover.statistics import SourceFigures, statistics
from opilio.fetch import ROBOTS_SCHEMA
from opilio.lab.maker import Parameters, make_web
from opilio.model.badness import MOST_TOTAL
from opilio.ops.scouting import Scouting

from . import Goal, Progress, Report
from .chart import CurveChart, Panel
from .form import Cell
from .quality_crawl import BREADTH_FIRST, Fit, fit
from .quality_crawl import run as crawl
from .quality_web import MADE_WEB, Web, open_web

_PAGES_PER_DOMAIN: Final = 20
_PER_DOMAIN: Final = 5  # probed: at one of each, a language of few domains would have hardly a seed
_LANGUAGES: Final = 4
_SEEDS: Final = 20
_CRAWL_PAGES: Final = 200  # besides the seeds
_SHARE_FOUND: Final = 0.3  # of the pages, by each source that draws at random
_RANKED, _OF_LANGUAGE, _ANY = "ranked", "random, of the language", "random, any"
_LEAST_GAIN: Final = 1.2
_LEAST_R2: Final = 0.5


class Measured(NamedTuple):
    name: str
    language: str
    own: float  # yield of the seeds, as the directory sees it
    crawl: float


class _Given(Source):
    def __init__(self, urls: Sequence[str]) -> None:
        self._urls = urls

    async def finds(self, ask: Ask, memory: Memory) -> AsyncIterator[Sequence[Find]]:  # noqa: ARG002
        yield [Find(url) for url in self._urls]


def run(hosts: int = 300, rounds: int = 3, seed: int = 11, progress: Progress | None = None) -> Report:
    """`hosts`: registered domains of the web."""
    with tempfile.TemporaryDirectory(prefix="opilio-seeds-") as name:
        folder = Path(name)
        pages = hosts * _PAGES_PER_DOMAIN
        make_web(folder / "made.warc.gz", Parameters.read([f"pages={pages}", f"domains={hosts}", f"seed={seed}"]))
        web = open_web(MADE_WEB, folder / "made.warc.gz", ())
        languages = [code for code, _ in Counter(web.languages.values()).most_common(_LANGUAGES)]
        entries, links = scout(web, folder, languages, seed)
        sets, compared = [], []
        for number in range(rounds):
            sets += list(_by_source(web, entries, languages, Random(seed + number)))
            compared += list(_by_rank(web, entries, links, languages, Random(seed + number)))
            if progress is not None:
                progress(number + 1, rounds)
    return _report(entries, languages, sets, compared, pages, hosts)


def scout(
    web: Web, folder: Path, languages: Sequence[str], seed: int
) -> tuple[list[Entry], Mapping[str, Mapping[str, int]]]:
    """Returns the directory of a scout, and the domains that its pages link to."""
    path = folder / "scout.db"
    config = load_config(settings=[f"scout.per_domain={_PER_DOMAIN}", "fetch.delay_s=0", f"crawl.seed={seed}"])
    with Directory(path, ROBOTS_SCHEMA) as directory:
        scouting = Scouting(directory, config, folder / "work", [folder / "made.warc.gz"])
        asyncio.run(scouting.run({name: _Given(urls) for name, urls in _sources(web, languages, Random(seed)).items()}))
    with DirectoryReader(path) as reader:
        return list(reader.entries()), reader.linked_domains()


def _sources(web: Web, languages: Sequence[str], random: Random) -> dict[str, list[str]]:
    """Returns what sources of several kinds would find: a stream of links, a list of sites, an encyclopedia in one of the
    languages, and searches for words of each."""
    pages = sorted(web.languages)
    some = int(_SHARE_FOUND * len(pages))
    found = {
        "stream": random.sample(pages, some),
        "sites": [url for url in pages if url.count("/") == 3 and url.endswith("/")],
        "encyclopedia": list(
            _linked(web, random.sample([url for url in pages if web.languages[url] in languages], some // 4))
        ),
    }
    own = [[url for url in pages if web.languages[url] == code] for code in languages]
    found["search"] = [url for urls in own for url in random.sample(urls, int(_SHARE_FOUND * len(urls)))]
    return found


def _linked(web: Web, pages: Iterable[str]) -> Iterator[str]:
    for url in pages:
        page = web.shelf.page(url)
        yield from (link.url for link in page.links if link.host != page.host) if page else ()


def _by_source(web: Web, entries: Sequence[Entry], languages: Sequence[str], random: Random) -> Iterator[Measured]:
    for source in sorted({name for entry in entries for name in entry.sources}):
        own = [entry for entry in entries if source in entry.sources and entry.probed]
        for language in languages:
            drawn = random.sample(own, min(_SEEDS, len(own)))
            yield _measure(web, source, language, drawn)


def _by_rank(
    web: Web, entries: Sequence[Entry], links: Mapping[str, Mapping[str, int]], languages: Sequence[str], random: Random
) -> Iterator[Measured]:
    for language in languages:
        viable = [entry for entry in with_expected_yield(entries, links, [language]) if entry.is_viable]
        own = [entry for entry in viable if entry.language == language]
        count = min(_SEEDS, len(own) // 2)  # else the best of few would be all of them
        yield _measure(web, _RANKED, language, ranked(own, "yield")[:count])
        yield _measure(web, _OF_LANGUAGE, language, random.sample(own, count))
        yield _measure(web, _ANY, language, random.sample(viable, count))


def _measure(web: Web, name: str, language: str, seeds: Sequence[Entry]) -> Measured:
    urls = {entry.url for entry in seeds}
    story = crawl(web, BREADTH_FIRST, language, sorted(urls), len(urls) + _CRAWL_PAGES)
    others = [kept for url, kept in zip(story.urls, story.kept, strict=True) if url not in urls]
    good = [_is_good(entry, language) for entry in seeds]
    return Measured(name, language, fmean(good), fmean(others) if others else 0.0)


def _is_good(entry: Entry, language: str) -> bool:
    return entry.is_viable and own_yield(entry, [language]) > 0 and (entry.badness or MOST_TOTAL) <= MOST_TOTAL / 3


# --- the report


def _report(
    entries: Sequence[Entry],
    languages: Sequence[str],
    sets: Sequence[Measured],
    compared: Sequence[Measured],
    pages: int,
    hosts: int,
) -> Report:
    line = fit([(one.own, one.crawl) for one in sets])
    rows: list[list[Cell]] = [
        [name, *(_mean(compared, name, code) for code in languages), _mean(compared, name)]
        for name in (_RANKED, _OF_LANGUAGE, _ANY)
    ]
    rows += [
        [f"source {name}", *(_mean(sets, name, code) for code in languages), _mean(sets, name)]
        for name in dict.fromkeys(one.name for one in sets)
    ]
    best, of_language, any_seed = (_mean(compared, name) for name in (_RANKED, _OF_LANGUAGE, _ANY))
    over = "yield of ranked seeds over random ones"
    return Report(
        "seeds",
        ("seeds", *(f"yield, {code}" for code in languages), "mean"),
        rows,
        [
            Goal(f"{over} of the wanted language", best / (of_language or 1), _LEAST_GAIN, "times"),
            Goal(f"{over} of any language", best / (any_seed or 1), _LEAST_GAIN, "times"),
            Goal("R² of the crawl's yield by the seeds'", line.r2, _LEAST_R2, ""),
        ],
        [
            f"{pages:,} pages on {hosts:,} domains; {len(sets):,} sets of {_SEEDS} seeds; slope {line.slope:.2f}",
            *map(_told, statistics(entries, languages).sources),
        ],
        _chart(sets, line),
    )


def _told(row: SourceFigures) -> str:
    return (
        f"{row.source}: {row.found:,} found, {row.analysed:,} analysed, {row.retained:,} retained, "
        f"{row.in_target:.1%} in target, mean {row.mean_chars:,.0f} and median {row.median_chars:,.0f} characters, "
        f"{row.tokens:,} tokens, {row.own_domains:,} domains of its own"
    )


def _mean(found: Sequence[Measured], name: str, language: str = "") -> float:
    return fmean(one.crawl for one in found if one.name == name and language in ("", one.language))


def _chart(sets: Sequence[Measured], line: Fit) -> CurveChart:
    by_language = {
        code: tuple(sorted((one.own, one.crawl) for one in sets if one.language == code))
        for code in dict.fromkeys(one.language for one in sets)
    }
    ends = (0.0, max(one.own for one in sets))
    through = ("fit", tuple((end, line.intercept + line.slope * end) for end in ends))
    panels = tuple(Panel(code, "yield of the crawl", (through, (code, points))) for code, points in by_language.items())
    return CurveChart("The yield of seeds and of the crawl that begins at them", "yield of the seeds", panels)
