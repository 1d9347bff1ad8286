"""Near-uniform samples of the pages and hosts of a web, drawn from a crawl that walked over it by chance.

A page's chance to be drawn is its weight in the walk (`model.walk`). A host is met as often as it has pages, so its weight is
that of its pages divided by their number, as far as it is known: where few pages of a large host are, it is favoured.
"""

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from opilio.core.errors import ConfigError
from opilio.core.outcome import Drop, Outcome
from opilio.core.plugin import Context, build_plugin
from opilio.engine.build import Blueprint
from opilio.enqueue import State
from opilio.folder import CrawlFolder, Meta
from opilio.folder.database import open_readonly
from opilio.lead import RandomWalk
from opilio.model.walk import draw_by_weight

from .crawl import Names, Running, each, files_and_urls, known, paths
from .seeds import read_seeds
from .settings import Said, settle
from .status import used_config
from .watching import Watch

ENOUGH: Final = 5.0  # steps a page: below that, the measured error of the popular pages' share is above 10 %


class UniformSample(NamedTuple):
    names: list[str]  # URLs or hosts, in the order in which they were drawn
    read: int  # pages
    steps: int
    reason: str = ""  # why the walk stopped

    @property
    def steps_a_page(self) -> float:
        return self.steps / max(1, self.read)


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
    """Draws that many pages, or hosts, by a random walk that is corrected for what it prefers. The walk reads `read` pages, or
    ten for each that is drawn; the same folder goes on with it."""
    place = Path(folder)
    said = Said("random-walk", (*settings, f"stop.pages={read or 10 * pages}"))
    config = settle(known(place)._replace(stored=None), said).config
    files, urls = files_and_urls(seeds)
    chosen = read_seeds(config, place, files, [*urls, *each(url)])
    reason = Running(Blueprint(config, place, web=paths(web)), chosen).to_end(watch)
    return draw_sample(CrawlFolder(place), pages, hosts=hosts)._replace(reason=reason)


def draw_sample(folder: CrawlFolder, count: int, *, hosts: bool = False) -> UniformSample:
    """Of what the walk has met so far; fewer than `count` where it has not met as many."""
    connection = open_readonly(folder.database)
    try:
        config = used_config(connection)
        lead = build_plugin("lead", config.lead, Context(config, folder.path))
        if not isinstance(lead, RandomWalk):
            raise ConfigError(
                f"{folder.path} holds a crawl that was no walk (its lead is {config.lead.get('name')}). Choose another folder."
            )
        if (saved := Meta(connection).lead) is not None:
            lead.load(saved)
        walk = lead.walk
        named = _hosts(connection, walk.weights) if hosts else _pages(connection, walk.weights)
        return UniformSample(draw_by_weight(named, count, config.crawl.seed), len(walk.links), walk.draws)
    finally:
        connection.close()


def _pages(connection: sqlite3.Connection, weights: dict[int, float]) -> dict[str, float]:
    return {_one(connection, "SELECT url FROM links WHERE id = ?", page): weights[page] for page in sorted(weights)}


def _hosts(connection: sqlite3.Connection, weights: dict[int, float]) -> dict[str, float]:
    """Of the URLs known on a host, those count that are pages or may be."""
    pages: dict[int, int] = dict(
        connection.execute(
            'SELECT host, count(*) FROM links WHERE state != ? OR outcome = ? OR "drop" = ? GROUP BY host',
            (State.DONE, Outcome.OK, Drop.BELOW_CUT),
        ).fetchall()
    )
    found: dict[int, float] = {}
    for page in sorted(weights):
        host = int(_one(connection, "SELECT host FROM links WHERE id = ?", page))
        found[host] = found.get(host, 0.0) + weights[page] / pages[host]
    return {_one(connection, "SELECT name FROM hosts WHERE id = ?", host): weight for host, weight in found.items()}


def _one(connection: sqlite3.Connection, query: str, number: int) -> str:
    return str(connection.execute(query, (number,)).fetchone()[0])
