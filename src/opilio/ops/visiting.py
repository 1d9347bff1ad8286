"""Some pages visited without a crawl of their own, to try a judge on them or to take them for samples.

Rules: the URLs are the seeds of a small crawl that follows no link, in a temporary folder; it heeds robots.txt, the address
guard, redirects and delays like any crawl. Each URL is tried once, and no host is waited for longer than a minute.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from opilio.core.config import Config, change_config
from opilio.core.items import Page, Seed, Verdict
from opilio.core.outcome import Drop
from opilio.core.trial import Trial
from opilio.core.url import parse
from opilio.engine.build import Blueprint
from opilio.engine.run import run_crawl
from opilio.enqueue import LinkReader, State
from opilio.folder import CrawlFolder, View
from opilio.judge import Judge
from opilio.lead import BreadthFirst

# What makes a crawl one of its seeds alone, which ends with the last of them.
SEEDS_ALONE: Final = (
    "scope.max_depth=0", "scope.pages_per_host=0", "policy.wave=none", "policy.cut=-1e308", "crawl.event_log=false",
    "stop.pages=0", "stop.documents=0", "stop.size_bytes=0", "stop.tokens=0", "stop.precision=0", "stop.saturation=0",
)  # fmt: skip
_SMALL_CRAWL_SETTINGS: Final = (*SEEDS_ALONE, "corpus.like=[]", "fetch.tries=1", "crawl.max_wait_s=60")


class _Witness:
    """A judge that remembers each page and verdict."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.seen: dict[str, tuple[Page, Verdict]] = {}

    def judge(self, page: Page) -> Verdict:
        verdict = self._judge.judge(page)
        self.seen[page.url] = page, verdict
        return verdict


def visit(config: Config, judge: Judge, urls: Sequence[str], web: Sequence[Path]) -> list[Trial]:
    """Returns how each URL ended, with its page and the judge's verdict if it has any."""
    witness = _Witness(judge)
    with tempfile.TemporaryDirectory(prefix="opilio-try-") as name:
        folder = CrawlFolder(Path(name))
        small = change_config(config, _SMALL_CRAWL_SETTINGS)
        plan = Blueprint(small, folder.path, judge=witness, lead=BreadthFirst(), web=web)
        run_crawl(plan, [Seed(url) for url in urls])
        with View(folder) as view:
            return [_ending(view.links, url, witness) for url in urls]


def _ending(links: LinkReader, name: str, witness: _Witness) -> Trial:
    """Returns how the URL ended, or the last one that its redirects led to."""
    url = parse(name)
    if isinstance(url, Drop):
        return Trial(name, url)
    found = links.find(url.href)
    assert found is not None  # the small crawl has met every seed
    link, ending = links.redirects(found)[-1]
    seen = witness.seen.get(link.url, (None, None))
    if link.state is not State.DONE:
        return Trial(name, Drop.FETCH_FAILED, "its host asks for a longer pause than a minute")
    detail = ending.detail
    if link.drop is Drop.FETCH_FAILED and not detail:
        detail = f"HTTP {ending.status}" if ending.status else ending.outcome.words if ending.outcome else ""
    return Trial(name, link.drop, detail, *seen)
