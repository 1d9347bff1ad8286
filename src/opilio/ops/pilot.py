"""The verb `pilot`: a short test crawl like the one from which Remus and Biemann (2016) chose their bounds.

It crawls breadth-first, so that it sees the web without the bias of a focus, and stores its pages in a folder of its own inside
the crawl's folder. A pilot that failed before it judged a page does not keep the next one from starting. Afterwards every page
is judged once more, by what the judge has learned in the end. The proposed bounds are quantiles of the perplexities of pages
that belong: the held-out samples, and the pages met, each weighted by the probability that it belongs.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import numpy as np

from opilio.core.config import NO_CUT, Config, change_config
from opilio.core.errors import ConfigError
from opilio.core.items import Page, Seed
from opilio.core.languages import language_codes
from opilio.engine.build import Blueprint
from opilio.engine.samples import from_folder, read_samples
from opilio.folder import CrawlFolder, View
from opilio.judge import Bounds, InLanguage, Perplexity
from opilio.lead import FRESH, BreadthFirst, Judged, Stale

from .judge_try import choose_judge
from .known import known
from .names import Names, absolute, each, paths
from .running import Running
from .sample_pages import sample_pages
from .seeds import Seeds, choose_seeds
from .settings import Said, settle
from .watching import Watch

RECIPE: Final = "perplexity"
_JUDGE: Final = "perplexity"
_HIGH_SHARE: Final = 0.75  # of the pages that belong, by their perplexity
_MEDIUM_SHARE: Final = 0.95


class Pilot(NamedTuple):
    reason: str  # why it stopped
    pages: list[str]  # URLs
    perplexities: list[float]
    scores: list[float]
    belongs: list[bool]
    bounds: Bounds


class _Collector(BreadthFirst):
    """Keeps all pages in memory, which is possible because a pilot is short."""

    def __init__(self) -> None:
        self.pages: list[Page] = []

    def learn(self, judged: Judged) -> Stale:
        self.pages.append(judged.page)
        return FRESH


def pilot(
    folder: str | Path,
    pages: int = 100,
    *,
    like: Names = (),
    language: str | Iterable[str] = (),
    seeds: Names = (),
    url: str | Iterable[str] = (),
    web: Names = (),
    settings: Iterable[str] = (),
    watch: Watch | None = None,
) -> Pilot:
    """Crawls a little, and proposes bounds for a crawl by the recipe `perplexity`."""
    place = Path(folder)
    before = known(place)._replace(stored=None, changed=())  # what was changed is the crawl's, and not the pilot's
    said = Said(RECIPE, tuple(settings), absolute(like), languages=language_codes(each(language)))
    config = settle(before, said).config
    return _fly(config, place, choose_seeds(config, place, seeds, url), pages, paths(web), watch)


def _fly(config: Config, folder: Path, seeds: Seeds, pages: int, web: Sequence[Path], watch: Watch | None) -> Pilot:
    place = CrawlFolder(folder / "pilot")
    _check(config, folder, seeds.seeds)
    like = msgspec.json.encode(absolute(from_folder(folder, config.corpus.like))).decode()
    short = change_config(
        config, [f"stop.pages={pages}", f"corpus.like={like}", "policy.bounds=[]", f"policy.cut={NO_CUT}"]
    )
    collector = _Collector()

    def prepare() -> None:
        _clear(place)
        sample_pages(short, place.path, web, lasting=True)

    plan = Blueprint(short, place.path, lead=collector, web=web)
    reason = Running(plan, seeds.seeds, prepare=prepare, notes=seeds.notes).to_end(watch)
    judge = choose_judge(place, recipe=None, settings=(), like=()).judge
    alone = judge.alone if isinstance(judge, InLanguage) else judge
    assert isinstance(alone, Perplexity)
    verdicts = {page.url: judge.judge(page) for page in collector.pages}
    measures = {url: verdict.opinions[-1].measure for url, verdict in verdicts.items()}
    perplexities = {url: measure for url, measure in measures.items() if measure}  # none without a sentence
    scores = [verdicts[url].score for url in perplexities]
    belongs = [verdicts[url].belongs for url in perplexities]
    bounds = propose(alone, [*perplexities.values()], scores)
    return Pilot(reason, [*perplexities], [*perplexities.values()], scores, belongs, bounds)


def _check(config: Config, folder: Path, seeds: list[Seed]) -> None:
    """Raises if the pilot is bound to fail, before anything is fetched."""
    if (name := config.judge.get("name")) != _JUDGE:
        raise ConfigError(
            f'a pilot proposes bounds for perplexities, and the judge "{name}" has none. Set judge.name to "{_JUDGE}" in '
            f"crawl.toml, or add --set judge.name={_JUDGE}."
        )
    if not seeds:
        raise ConfigError("there are no seeds, and a pilot needs some. Name some with --url or --seeds FILE.")
    read_samples(from_folder(folder, config.corpus.like))


def _clear(place: CrawlFolder) -> None:
    """Removes the files of a pilot that failed before it judged a page."""
    if not place.database.exists():
        return
    with View(place) as view:
        has_pages = view.links.judged().pages > 0
    if has_pages:
        raise ConfigError(
            f"{place.path} holds an earlier pilot. Remove it, or look at it with `opilio status {place.path}`."
        )
    for path in (*place.database_files, place.seen):
        path.unlink(missing_ok=True)


def propose(judge: Perplexity, perplexities: Sequence[float], scores: Sequence[float]) -> Bounds:
    values = np.array([*(10**power for power in judge.held_out.perplexities), *perplexities])
    weights = np.array([*(1.0 for _ in judge.held_out.perplexities), *scores])
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) / weights.sum()
    high, medium = (float(values[order][np.searchsorted(reached, share)]) for share in (_HIGH_SHARE, _MEDIUM_SHARE))
    return Bounds(round(high), round(medium), max(round(1.5 * medium), round(judge.bounds().cut)))
