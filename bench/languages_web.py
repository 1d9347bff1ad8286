"""The web of `bench languages`: many hosts in many languages, and what an experiment needs that is not on the web.

The corpus of the domain are the German pages of a recorded web. By chance, a fifth of them are samples and a fifth are held
out; the web is made of the other texts. All numbers were fixed before the first crawl, in docs/experiments.md.
"""

import os
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import msgspec

from opilio.core.errors import OpilioError
from opilio.core.items import Page
from opilio.core.outcome import Drop
from opilio.core.url import parse
from opilio.lab.maker import Library, MadeFetcher, Parameters, Plan
from opilio.lab.maker.recorded import recorded_sources
from opilio.model import to_lines

from .focus_crawl import HeldOut, Start
from .focus_web import GERMAN, PLAIN, Document

PAGES: Final = 60_000
_PAGES_PER_DOMAIN: Final = 100
_ENGLISH: Final = 0.73
_SKEW: Final = 1.9
_GERMAN: Final = 0.155  # the expected weight of German pages, by chance alone
_PART: Final = 5  # one page of the corpus in this many is a sample, and as many are held out
_SEEDS: Final = 20


class Domain(NamedTuple):
    """The corpus of one draw, and the texts that are left for the web."""

    samples: tuple[str, ...]  # texts
    held_out: HeldOut
    library: Library


class Web(NamedTuple):
    fetcher: MadeFetcher
    start: Start

    def read(self, page: Page) -> Document | None:
        url = parse(page.url)
        planned = None if isinstance(url, Drop) else self.fetcher.find(url)
        if planned is None:
            return None
        return Document(planned.language, page.words, page.text, to_lines(page.text, clean=True))


def draw_domain(seed: int) -> Domain:
    """Divides the corpus. The web has everything that is neither a sample nor held out."""
    warc, german = _corpus()
    Random(seed).shuffle(german)
    texts = {url: _text(warc, url) for url in german}
    part = len(german) // _PART
    parts = [[texts[url] for url in urls] for urls in (german[:part], german[part : 2 * part], german[2 * part :])]
    lines = [[to_lines(text, clean=True) for text in each] for each in parts]
    library = Library.find(campaign=1.0, without=frozenset(german[: 2 * part]))
    return Domain(tuple(filter(None, parts[0])), HeldOut(*lines), library)


def make(domain: Domain, homophily: float, seed: int, pages: int = PAGES, **others: float) -> Web:
    """`others`: further parameters of the web."""
    parameters = Parameters(
        pages=pages,
        domains=pages // _PAGES_PER_DOMAIN,
        seed=seed,
        homophily=(homophily - _GERMAN) / (1 - _GERMAN),  # a link that does not stay by it still may by chance
        tongue=0.0,
        english=_ENGLISH,
        language_skew=_SKEW,
    )
    fetcher = MadeFetcher(Plan(msgspec.structs.replace(parameters, **others), domain.library))
    return Web(fetcher, Start(domain.samples, _seeds(fetcher, seed)))


def _seeds(fetcher: MadeFetcher, seed: int) -> list[str]:
    """Draws German pages with running text, each on another host."""
    by_host: dict[str, list[str]] = defaultdict(list)
    for number in range(len(fetcher.plan)):
        page = fetcher.plan.page(number)
        if page.language == GERMAN and page.good:
            by_host[page.host.name].append(fetcher.url(page))
    random = Random(seed)
    return [random.choice(by_host[host]) for host in random.sample(sorted(by_host), _SEEDS)]


def _corpus() -> tuple[Path, list[str]]:
    """Returns the recorded web and the URLs of its German pages, sorted."""
    warc = Path(os.environ.get("OPILIO_DATA") or "nowhere") / "webs" / f"{PLAIN}.warc.gz"
    if not warc.is_file():
        raise OpilioError(f"the experiment needs texts: set OPILIO_DATA to the folder that has webs/{PLAIN}.warc.gz")
    lines = warc.with_name(f"{PLAIN}.labels.tsv").read_text("utf-8").splitlines()[1:]
    return warc, sorted(url for url, _, label in (line.partition("\t") for line in lines) if label == GERMAN)


def _text(warc: Path, url: str) -> str:
    sources = recorded_sources(warc, [(url, ())])
    return "\n".join(text for source in sources for _, text in source.paragraphs)
