"""Measures a crawl by layers: harvest, pages outside of the seeds' domains, domains; and how much two crawls have in
common.

Layer 0 are the seeds; each boundary of the policy begins another layer. A page is external if no seed has its
registered domain. The figures of a layer cover that layer alone, except the domains, which are counted from the start.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from opilio.core.config import Config
from opilio.core.events import Event, Events
from opilio.core.items import Seed
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import parse, registered_domain
from opilio.engine.build import Blueprint
from opilio.engine.run import run_crawl
from opilio.judge import Judge
from opilio.lead import Lead

from .shelf import Shelf

SETTINGS: Final = ("crawl.workers=1", "crawl.commit_pages=500", "fetch.delay_s=0", "keep.gzip_level=0")


class Visited(NamedTuple):
    """A page that was fetched, and in which layer."""

    layer: int
    url: str
    domain: str


class Layer(NamedTuple):
    number: int
    fetched: int
    relevant: int
    external: int
    external_relevant: int
    domains: int  # domains with a relevant page, in this layer or before

    @property
    def harvest(self) -> float:
        return self.relevant / self.fetched

    @property
    def external_share(self) -> float:
        return self.external / self.fetched

    @property
    def external_harvest(self) -> float:
        return self.external_relevant / self.external if self.external else 0.0


def crawl_by_layers(
    config: Config, folder: Path, web: Shelf, seeds: Sequence[str], judge: Judge | None = None, lead: Lead | None = None
) -> list[Visited]:
    """Returns every page that was fetched, in order. The order is reproducible if `SETTINGS` are added to the
    recipe's."""
    visited: list[Visited] = []
    layer = 0

    def note(event: Event) -> None:
        nonlocal layer
        if event.stage == "boundary":
            layer += 1
        elif event.stage == "fetch" and event.outcome == Outcome.OK:
            visited.append(Visited(layer, event.url, registered_domain(event.host)))

    plan = Blueprint(config, folder, judge=judge, lead=lead, web=web, gleaner=web.glean, events=Events(note))
    run_crawl(plan, [Seed(url, "drawn") for url in seeds])
    return visited


def measure_layers(visited: Sequence[Visited], relevant: Collection[str], seeds: Sequence[str]) -> list[Layer]:
    at_home = set(_domains(seeds))
    domains: set[str] = set()
    layers = []
    for number, group in groupby(visited, key=lambda one: one.layer):
        pages = list(group)
        good = [one for one in pages if one.url in relevant]
        away = [one for one in pages if one.domain not in at_home]
        domains.update(one.domain for one in good)
        found_away = sum(one.domain not in at_home for one in good)
        layers.append(Layer(number, len(pages), len(good), len(away), found_away, len(domains)))
    return layers


def shared(first: Collection[str], second: Collection[str]) -> float:
    """Returns the share of the first that is also in the second."""
    return len(set(first).intersection(second)) / max(len(set(first)), 1)


def _domains(urls: Sequence[str]) -> Iterator[str]:
    for raw in urls:
        url = parse(raw)
        if not isinstance(url, Drop):
            yield url.domain
