"""Near-uniform samples of the pages and hosts of a web, drawn from a crawl that was a random walk.

A page's chance to be drawn is its weight in the walk (`model.walk`). A host's weight is that of its pages divided by their
number, because a host is met as often as it has pages. Only known pages count, so a large host is favoured if few of its pages
are known.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from opilio.core.errors import ConfigError
from opilio.core.plugin import Context, build_plugin
from opilio.engine.build import Blueprint
from opilio.enqueue import LinkReader
from opilio.folder import CrawlFolder, View
from opilio.lead import RandomWalk
from opilio.model.walk import draw_by_weight

from .known import known
from .names import Names, paths
from .running import Running
from .seeds import choose_seeds
from .settings import Said, settle
from .watching import Watch

MIN_READ_SHARE: Final = 0.25  # below this, the measured distance from uniform is above 0.1


class UniformSample(NamedTuple):
    names: list[str]  # URLs or hosts, in the order in which they were drawn
    read: int  # pages
    steps: int
    estimated: int  # pages that can be reached by links, whether they were found or not
    reason: str = ""  # why the walk stopped

    @property
    def read_share(self) -> float:
        return self.read / max(self.estimated, self.read, 1)


def sample(
    folder: str | Path,
    pages: int = 100,
    *,
    hosts: bool = False,
    read: int = 0,
    seeds: Names = (),
    url: str | Iterable[str] = (),
    web: Names = (),
    settings: Iterable[str] = (),
    watch: Watch | None = None,
) -> UniformSample:
    """Draws this many pages, or hosts, by a random walk that is corrected for what it prefers. The walk reads `read` pages, or
    ten for each that is drawn. Another call with the same folder continues the walk."""
    place = Path(folder)
    said = Said("random-walk", (*settings, f"stop.pages={read or 10 * pages}"))
    config = settle(known(place).without_last_run(), said).config
    chosen = choose_seeds(config, place, seeds, url)
    plan = Blueprint(config, place, web=paths(web))
    reason = Running(plan, chosen.seeds, notes=chosen.notes).to_end(watch)
    return draw_sample(CrawlFolder(place), pages, hosts=hosts)._replace(reason=reason)


def draw_sample(folder: CrawlFolder, count: int, *, hosts: bool = False) -> UniformSample:
    """Draws `count` pages or hosts from those that the walk has met so far, or all if it has met fewer."""
    with View(folder) as view:
        config = view.config
        lead = build_plugin("lead", config.lead, Context(config, folder.path))
        if not isinstance(lead, RandomWalk):
            raise ConfigError(
                f"{folder.path} holds a crawl that was not a walk (its lead is {config.lead.get('name')}). Choose another folder."
            )
        if (saved := view.meta.lead) is not None:
            lead.load(saved)
        walk, weights = lead.walk, lead.walk.weights
        names = draw_by_weight((_hosts if hosts else _pages)(view.links, weights), count, config.crawl.seed)
        return UniformSample(names, len(walk.links), walk.draws, round(sum(weights.values())))


def _pages(links: LinkReader, weights: dict[int, float]) -> dict[str, float]:
    return {link.url: weights[link.id] for link in links.read_all(sorted(weights))}


def _hosts(links: LinkReader, weights: dict[int, float]) -> dict[str, float]:
    pages = links.pages_by_host()
    found: dict[int, float] = {}
    for link in links.read_all(sorted(weights)):
        found[link.host] = found.get(link.host, 0.0) + weights[link.id] / pages[link.host]
    return {links.host(host).name: weight for host, weight in found.items()}
