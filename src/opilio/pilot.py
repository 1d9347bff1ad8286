"""The short test crawl that Remus and Biemann (2016) set their bounds by: what pages are there, and how do they read?

It goes breadth-first, so that it sees the web as it is and not as the focus would have it, into a folder of its own inside the
crawl's. Afterwards every page is judged once more, by what was learnt to the end. The proposed bounds are quantiles of the
perplexities of pages that belong: of the held-out samples, and of the pages met, each with the probability that it belongs.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from opilio.core.config import NO_CUT, Config, change_config
from opilio.core.errors import ConfigError
from opilio.core.items import Page, Seed
from opilio.flow import CrawlFolder, FolderLock
from opilio.judge import Bounds, Perplexity
from opilio.lead import FRESH, BreadthFirst, Judged, Stale
from opilio.run import run_crawl
from opilio.trial import choose_judge
from opilio.wiring import Blueprint

_HIGH: Final = 0.75  # of the pages that belong, by their perplexity
_MEDIUM: Final = 0.95


class Pilot(NamedTuple):
    reason: str  # why it stopped
    pages: list[str]  # URLs
    perplexities: list[float]
    scores: list[float]
    belongs: list[bool]
    bounds: Bounds


class _Collector(BreadthFirst):
    """Keeps the pages: a pilot is short."""

    def __init__(self) -> None:
        self.pages: list[Page] = []

    def learn(self, judged: Judged) -> Stale:
        self.pages.append(judged.page)
        return FRESH


def fly_pilot(
    config: Config, folder: Path, seeds: list[Seed], pages: int, web: Sequence[Path] = (), *, quiet: bool = False
) -> Pilot:
    place = CrawlFolder(folder / "pilot")
    if place.database.exists():
        raise ConfigError(
            f"{place.path} holds an earlier pilot. Remove it, or look at it with `opilio status {place.path}`."
        )
    like = [str((folder / name).resolve()) for name in config.corpus.like]
    short = change_config(
        config, [f"stop.pages={pages}", f"corpus.like={like!r}", "policy.bounds=[]", f"policy.cut={NO_CUT}"]
    )
    collector = _Collector()
    with FolderLock(place):
        reason = run_crawl(Blueprint(short, place.path, lead=collector, web=web), seeds, quiet=quiet)
    judge = choose_judge(place, recipe=None, settings=(), like=()).judge
    if not isinstance(judge, Perplexity):
        raise ConfigError("a pilot proposes perplexities, and this crawl's judge has none. Add --recipe perplexity.")
    judged = [(page.url, judge.judge(page)) for page in collector.pages]
    judged = [(url, verdict) for url, verdict in judged if verdict.opinions[0].measure]  # those with sentences
    perplexities = [verdict.opinions[0].measure or 0.0 for _, verdict in judged]
    scores = [verdict.score for _, verdict in judged]
    belongs = [verdict.belongs for _, verdict in judged]
    return Pilot(
        reason, [url for url, _ in judged], perplexities, scores, belongs, propose(judge, perplexities, scores)
    )


def propose(judge: Perplexity, perplexities: Sequence[float], scores: Sequence[float]) -> Bounds:
    values = np.array([*(10**power for power in judge.held_out.perplexities), *perplexities])
    weights = np.array([*(1.0 for _ in judge.held_out.perplexities), *scores])
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) / weights.sum()
    high, medium = (float(values[order][np.searchsorted(reached, share)]) for share in (_HIGH, _MEDIUM))
    return Bounds(round(high), round(medium), max(round(1.5 * medium), round(judge.bounds().cut)))
