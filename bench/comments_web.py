"""The webs, seeds and crawls of `bench comments`: all sizes were fixed before the first crawl (docs/made-webs.md).

Plain made webs are crawled from the home pages that come with them, and from twenty pages with comments. Webs whose posts
link each other are twice as large and crawled from fifty pages with comments on as many domains: with links that a layer
leaves behind dismissed, as in the paper, and waiting, as in the recipes.
"""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from opilio.core.config import load_config
from opilio.core.plugin import Context
from opilio.core.url import registered_domain
from opilio.judge import Judge, build_judge
from opilio.lab.labels import read_labels
from opilio.lab.layers import SETTINGS, Layer, Visited, crawl_by_layers, measure_layers
from opilio.lab.maker import Library, Parameters, make_web
from opilio.lab.shelf import Shelf

HOMES: Final = "home pages"
COMMENT_PAGES: Final = "comment pages"
DISMISSED: Final = "linked comment pages"
WAITING: Final = "the same, links wait"
STRATEGIES: Final = {
    "OPIC+COMMD": ("comments",),
    "COMMD": ("comments-hard",),
    "breadth first": ("breadth-first", "policy.wave=layer"),
}
_LAYERS: Final = 10
_PAGES_PER_DOMAIN: Final = 100
_LEAST_DOMAINS: Final = 12
_CONVERSATION: Final = 0.72
_COMMENT_PAGE_SEEDS: Final = 20
_SEED_DOMAINS: Final = 50


class Web(NamedTuple):
    """A kind of web: how large it is, and from where it is crawled."""

    size: int  # times the pages that were asked for
    conversation: float
    cases: dict[str, tuple[str, ...]]  # seeds, with settings of their own


class Outcome(NamedTuple):
    """What one strategy found on one web."""

    labels: list[Layer]
    judge: list[Layer]
    pages: frozenset[str]  # with comments, that were fetched
    domains: frozenset[str]


WEBS: Final = (
    Web(1, 0.0, {HOMES: (), COMMENT_PAGES: ()}),
    Web(2, _CONVERSATION, {DISMISSED: ("policy.keep_rest=false",), WAITING: ()}),
)


def explore(
    folder: Path, web: Web, pages: int, seed: int, library: Library
) -> Iterator[tuple[tuple[str, str], Outcome]]:
    """Makes the web, crawls it, and yields outcomes by strategy and case."""
    warc, size = folder / "web.warc.gz", web.size * pages
    domains = max(size // _PAGES_PER_DOMAIN, _LEAST_DOMAINS)
    make_web(warc, Parameters(pages=size, domains=domains, seed=seed, conversation=web.conversation), library)
    shelf = Shelf(warc)
    relevant = read_labels(folder / "web.labels.tsv", shelf).relevant("type.comments")
    judge = build_judge(Context(load_config(recipe="comments"), folder), None)
    for case, settings in web.cases.items():
        urls = _seeds(folder, case, relevant, seed)
        for strategy, (recipe, *own) in STRATEGIES.items():
            sizes = [f"policy.top={max(size // 100, 1)}", f"stop.layers={_LAYERS}"]
            config = load_config(recipe=recipe, settings=[*SETTINGS, *sizes, *own, *settings])
            with tempfile.TemporaryDirectory(dir=folder) as name:
                visited = crawl_by_layers(config, Path(name), shelf, urls)
            yield (strategy, case), _outcome(visited, relevant, urls, judge, shelf)


def _seeds(folder: Path, case: str, relevant: frozenset[str], seed: int) -> list[str]:
    if case == HOMES:
        return (folder / "web.seeds.txt").read_text("utf-8").split()
    drawn = Random(seed).sample(sorted(relevant), len(relevant))
    if case == COMMENT_PAGES:
        return drawn[:_COMMENT_PAGE_SEEDS]
    first = {registered_domain(url.split("/")[2]): url for url in reversed(drawn)}
    return [url for url in drawn if first[registered_domain(url.split("/")[2])] == url][:_SEED_DOMAINS]


def _outcome(
    visited: Sequence[Visited], relevant: frozenset[str], seeds: Sequence[str], judge: Judge, shelf: Shelf
) -> Outcome:
    pages = ((one.url, shelf.page(one.url)) for one in visited)
    judged = {url for url, page in pages if page is not None and judge.judge(page).belongs}
    good = [one for one in visited if one.url in relevant]
    return Outcome(
        measure_layers(visited, relevant, seeds),
        measure_layers(visited, judged, seeds),
        frozenset(one.url for one in good),
        frozenset(one.domain for one in good),
    )
