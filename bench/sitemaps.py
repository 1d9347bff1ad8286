"""`bench sitemaps`: kept pages by request with and without the sitemaps of hosts that yield, on a made web whose hosts
have them.

Every host names a sitemap of its pages in its robots.txt, those that no link leads to included, as real ones do. A
crawl wants the pages of one language, and starts from a few of them. A sitemap that is read counts as a request.
"""

import tempfile
from collections import defaultdict
from itertools import product
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import opilio
from opilio.keep import payload_digest, response_record
from opilio.lab.labels import read_labels
from opilio.lab.maker import Parameters, make_web
from opilio.lab.runner import labels_beside
from opilio.lab.shelf import Shelf

from . import Progress
from .form import Cell, Goal, Report

_LANGUAGE: Final = "de"
_SEEDS: Final = 5
_GOAL: Final = 1.0  # times the kept pages by request without sitemaps
_MOST: Final = 1_000  # links of a host that are taken from its sitemaps, as by default
_DATE: Final = "2026-01-01T00:00:00Z"
_RECIPES: Final = ("breadth-first", "learned")
_SETTINGS: Final = (
    "crawl.workers=1", "crawl.commit_pages=500", "fetch.delay_s=0", "keep.gzip_level=0", "keep.min_chars=200",
    "judge.name=language", f'corpus.languages=["{_LANGUAGE}"]',
)  # fmt: skip


class Links(NamedTuple):
    """How much of a site can be reached by its links."""

    words: str
    setting: str


_LINKS: Final = (
    Links("every page is linked", "limits.links_per_page=2000"),  # here they can only cost
    Links("only 5 links of a page are seen", "limits.links_per_page=5"),  # as where scripts make the menus
)


class Found(NamedTuple):
    requests: int
    kept: int

    @property
    def share(self) -> float:
        return self.kept / max(1, self.requests)


def run(pages: int = 6_000, hosts: int = 100, seed: int = 7, progress: Progress = lambda _done, _all: None) -> Report:
    with tempfile.TemporaryDirectory(prefix="opilio-sitemaps-") as name:
        web = Path(name) / "made.warc.gz"
        make_web(web, Parameters.read([f"pages={pages}", f"domains={hosts}", f"seed={seed}"]))
        wanted = sorted(_add_sitemaps(web))
        seeds = Random(seed).sample(wanted, min(_SEEDS, len(wanted)))
        rows: list[tuple[Cell, ...]] = []
        goals = []
        for number, (links, recipe) in enumerate(product(_LINKS, _RECIPES)):
            progress(number, len(_LINKS) * len(_RECIPES))
            found = [
                _crawl(web, Path(name) / f"{number}-{most}", recipe, seeds, len(wanted), links.setting, most)
                for most in (0, _MOST)
            ]
            for what, each in zip(("without", "with"), found, strict=True):
                rows.append((links.words, recipe, what, each.requests, each.kept, each.share))
            gain = found[1].share / found[0].share
            goals.append(Goal(f"{recipe}, {links.words}: with sitemaps, next to without", gain, _GOAL, "times"))
    columns = ("links", "recipe", "sitemaps", "requests", "kept pages", "kept pages by request")
    return Report("sitemaps", columns, rows, goals, [f"{len(wanted):,} pages in the language; as many requests."])


def _add_sitemaps(web: Path) -> frozenset[str]:
    """Appends a robots.txt and a sitemap for each host of the web. Returns the pages in the language."""
    shelf = Shelf(web)
    by_host = defaultdict[str, list[str]](list)
    for url in shelf.urls():
        if shelf.has_page(url):
            by_host["/".join(url.split("/")[:3])].append(url)
    with web.open("ab") as file:
        for origin, urls in by_host.items():
            entries = "".join(f"<url><loc>{url.replace('&', '&amp;')}</loc></url>" for url in urls)
            file.write(_record(f"{origin}/robots.txt", f"Sitemap: {origin}/sitemap.xml\n", "text/plain"))
            file.write(_record(f"{origin}/sitemap.xml", f"<urlset>{entries}</urlset>", "application/xml"))
    return frozenset(read_labels(labels_beside(web), shelf).relevant(f"lang.{_LANGUAGE}"))


def _record(url: str, text: str, kind: str) -> bytes:
    body = text.encode()
    return response_record(url, _DATE, "", 200, (("Content-Type", kind),), body, payload_digest(body), 1)


def _crawl(web: Path, folder: Path, recipe: str, seeds: list[str], pages: int, setting: str, most: int) -> Found:
    settings = [*_SETTINGS, setting, f"scope.sitemaps={most}"]
    with opilio.crawl({}, folder, recipe=recipe, url=seeds, pages=pages, web=[web], settings=settings) as documents:
        for _ in documents:
            pass
    status = opilio.status(folder)
    return Found(status["pages"], status["documents"])
