"""A small version of the first experiment of Remus & Biemann (2016): how many of a hundred pages come from which site?

Three crawls start at the front pages of all four sites: one without a focus, one that is given an article on cats in
English, and one that is given an article on cats in German. Neither article is part of the sites. As in the paper,
every page that was downloaded counts, even if it was not kept.

The focused crawls use the default recipe for samples, or another one, unmodified. The demo crawls as users do
(`POLITELY`): hosts are asked in parallel, and each rests after an answer. The paper's crawls were single-threaded
(`ONE_BY_ONE`), without sitemaps, and limited to the seed sites, as all of these are. Whether its sites linked each
other the paper does not say; ours do, and `APART` is the web in which they do not.
"""

from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from opilio.core.config import BY_FOCUS, DEFAULT_RECIPE
from opilio.folder import CrawlFolder, View
from opilio.ops.crawl import crawl as crawl_folder
from opilio.ops.watching import Watch
from opilio.webs.demo.site import HOSTS
from opilio.webs.server import LoopbackServer

SITES: Final = ("cats.en", "tech.en", "cats.de", "tech.de")  # in the order of the paper's table
OPERATOR_STOP: Final = "stopped by the operator"
_DELAY_S: Final = 0.02  # our own server on our own machine

Server = Callable[[], LoopbackServer]


class Setting(NamedTuple):
    """One of the three crawls."""

    name: str  # its folder has the same name
    title: str
    site: str  # that it should stay on; "" without a focus
    paper: tuple[int, ...]  # the paper's figures, by SITES


SETTINGS: Final = (
    Setting("unfocused", "no focus", "", (27, 25, 25, 23)),
    Setting("english-cats", "English cats", "cats.en", (93, 2, 3, 2)),
    Setting("german-cats", "German cats", "cats.de", (1, 1, 97, 1)),
)


LINKED: Final = "demo"
APART: Final = "demo:apart"
POLITELY: Final = (f"fetch.delay_s={_DELAY_S}",)
ONE_BY_ONE: Final = ("fetch.delay_s=0", "crawl.in_flight=1", "scope.sitemaps=0")


class Run(NamedTuple):
    """The result of one of the crawls; figures are in the order of SITES."""

    setting: Setting
    folder: CrawlFolder
    reason: str  # why it stopped
    pages: tuple[int, ...]  # downloaded
    kept: tuple[int, ...]
    words: tuple[int, ...]  # kept

    def at(self, figures: tuple[int, ...], site: str) -> int:
        return figures[SITES.index(site)]


def run_experiment(
    folder: Path,
    pages: int,
    recipe: str = BY_FOCUS,
    seed: int = 0,
    *,
    web: str = LINKED,
    settings: Iterable[str] = POLITELY,
) -> Iterator[Run]:
    """Yields each crawl after it has ended. Samples and crawls go into the folder; `recipe` is that of the focused crawls."""
    folder.mkdir(parents=True, exist_ok=True)
    for sample in (files(__package__) / "samples").iterdir():
        (folder / sample.name).write_bytes(sample.read_bytes())
    with LoopbackServer(web) as server:
        for setting in SETTINGS:
            place = CrawlFolder(folder / setting.name)
            tables = web_tables(server) | {"stop": {"pages": pages}, "crawl": {"workers": 1, "seed": seed}}
            if setting.site:
                tables |= {"corpus": {"like": [f"../{setting.site.replace('cats', 'cat')}.txt"]}}
            reason = crawl(place, tables, recipe if setting.site else DEFAULT_RECIPE, settings=settings)
            yield count(setting, place, reason)
            if reason == OPERATOR_STOP:
                return


def web_tables(server: LoopbackServer) -> dict[str, Any]:
    """Returns the settings that any crawl of the demo web needs."""
    return {
        "operator": {"contact": "https://demo.invalid/opilio"},
        "seeds": {"urls": [f"{server.origin(host)}/" for host in HOSTS]},
        "scope": {"hosts": list(server.hosts), "max_depth": 12},
        "fetch": {"allow_private_addresses": True, "hosts": dict(server.hosts)},
    }


def crawl(
    folder: CrawlFolder,
    tables: dict[str, Any],
    recipe: str,
    watch: Watch | None = None,
    settings: Iterable[str] = POLITELY,
) -> str:
    """Crawls to the end. Returns why the crawl stopped."""
    return crawl_folder(tables, folder.path, recipe=recipe, settings=settings).to_end(watch)


def count(setting: Setting, folder: CrawlFolder, reason: str) -> Run:
    with View(folder) as view:
        by_site = {HOSTS[site.host]: (site.fetched, site.kept, site.words) for site in view.sites()}
    pages, kept, words = zip(*(by_site.get(site, (0, 0, 0)) for site in SITES), strict=True)
    return Run(setting, folder, reason, pages, kept, words)
