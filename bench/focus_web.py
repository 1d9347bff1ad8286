"""The webs of `bench focus`: recorded pages with the language of each, and the draw of what an experiment needs.

A document is a page that shows text; listing pages with nothing but links are crawled and count for nothing. The draw
comes from the German documents: one in ten is a sample of the domain, one in ten is held out, and 20 of the others are
seeds. Samples and held-out documents stay in the web and may be crawled, but no figure counts them: what is known
already is not a gain.

`Ties` are what the links themselves say: how far the text of a page tells in which language its links lead on.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import numpy as np

from opilio.core.clock import SimulatedClock, iso_time
from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import parse
from opilio.fetch.decode import decode
from opilio.fetch.recorded import RecordedWeb
from opilio.glean import glean
from opilio.keep import payload_digest, response_record
from opilio.model import to_lines
from opilio.webs.demo import demo_web, labels

GERMAN: Final = "de"
DEMO: Final = "demo"
PLAIN: Final = "fsfe-plain"
_RECORDED_WEBS: Final = (PLAIN, "fsfe")  # of OPILIO_DATA
_PART: Final = 10  # one German document in this many is a sample, and as many are held out
_SEEDS: Final = 20
_LIMITS: Final = Limits()


class Document(NamedTuple):
    language: str
    words: int
    text: str
    lines: str  # of the text, as a language model reads them


class LabelledWeb(NamedTuple):
    name: str
    warc: Path
    documents: dict[str, Document]  # by URL
    links: dict[str, frozenset[str]]  # of every page, including those that show no text

    def words(self) -> int:
        return sum(document.words for document in self.documents.values())


class Draw(NamedTuple):
    """URLs that do not overlap."""

    samples: tuple[str, ...]
    held_out: tuple[str, ...]
    seeds: tuple[str, ...]

    @property
    def known(self) -> frozenset[str]:
        return frozenset(self.samples + self.held_out)


def labelled_webs(scratch: Path) -> Iterator[LabelledWeb]:
    """Yields the embedded web, and those of OPILIO_DATA that exist."""
    scratch.mkdir(parents=True, exist_ok=True)
    yield _read(DEMO, _record_demo(scratch / "demo.warc.gz"), _demo_languages())
    for name in _RECORDED_WEBS:
        warc = Path(os.environ.get("OPILIO_DATA", "")) / "webs" / f"{name}.warc.gz"
        if warc.is_file():
            lines = warc.with_name(f"{name}.labels.tsv").read_text("utf-8").splitlines()[1:]
            yield _read(name, warc, {url: label for url, _, label in (line.partition("\t") for line in lines)})


def draw(web: LabelledWeb, seed: int) -> Draw:
    german = sorted(url for url, document in web.documents.items() if document.language == GERMAN)
    Random(seed).shuffle(german)
    part = len(german) // _PART
    return Draw(tuple(german[:part]), tuple(german[part : 2 * part]), tuple(german[2 * part : 2 * part + _SEEDS]))


class Ties(NamedTuple):
    from_german: float  # share of the links on German documents that lead to German ones
    from_others: float
    from_listings: float  # on pages without text
    german_linked: float  # share of the German documents that a German document links to
    others_linked: float  # and of the others
    only_listed: float  # share of the German documents that listings alone link to
    own: float  # chance that a German document has a lower perplexity than another one …
    parents: float  # … and that the best page that links to it has


def ties(web: LabelledWeb, perplexities: Mapping[str, float], known: frozenset[str]) -> Ties:
    """Counts a page without a perplexity as worse than any that has one."""
    leads: dict[bool | None, list[str]] = {True: [], False: [], None: []}  # parent is German, or not, or a listing
    best: dict[str, float] = {}
    for parent, links in web.links.items():
        kind = web.documents[parent].language == GERMAN if parent in web.documents else None
        for url in links & web.documents.keys() - {parent}:
            leads[kind].append(url)
            best[url] = min(best.get(url, np.inf), perplexities.get(parent, np.inf))
    german = {url for url, document in web.documents.items() if document.language == GERMAN}
    others = web.documents.keys() - german
    linked = {kind: set(urls) for kind, urls in leads.items()}
    return Ties(
        from_german=_share([url in german for url in leads[True]]),
        from_others=_share([url in german for url in leads[False]]),
        from_listings=_share([url in german for url in leads[None]]),
        german_linked=len(german & linked[True]) / len(german),
        others_linked=len(others & linked[True]) / len(others),
        only_listed=len((german & linked[None]) - linked[True] - linked[False]) / len(german),
        own=_chance_lower({url: value for url, value in perplexities.items() if url not in known}, german),
        parents=_chance_lower({url: value for url, value in best.items() if url not in known}, german),
    )


def _share(flags: list[bool]) -> float:
    return sum(flags) / len(flags) if flags else 0.0


def _chance_lower(values: Mapping[str, float], chosen: set[str]) -> float:
    """Returns the chance that one of the chosen has a lower value than one of the others; ties count half."""
    here = np.array([value for url, value in values.items() if url in chosen])
    there = np.sort([value for url, value in values.items() if url not in chosen])
    passed = np.searchsorted(there, here, "left") + np.searchsorted(there, here, "right")
    return float(1 - passed.mean() / 2 / len(there))


def _read(name: str, warc: Path, languages: dict[str, str]) -> LabelledWeb:
    documents: dict[str, Document] = {}
    links: dict[str, frozenset[str]] = {}
    for page in _pages(RecordedWeb([warc])):
        links[page.url] = frozenset(link.url for link in page.links)
        if page.words:
            lines = to_lines(page.text, clean=True)
            documents[page.url] = Document(languages.get(page.url, ""), page.words, page.text, lines)
    return LabelledWeb(name, warc, documents, links)


def _pages(web: RecordedWeb) -> Iterator[Page]:
    for href in web.urls():
        url = parse(href)
        if isinstance(url, Drop) or url.path == "/robots.txt":
            continue
        fetched = web.answer(url)
        body = decode(fetched.body, fetched.header("content-encoding"), _LIMITS.decoded_bytes)
        if fetched.outcome is Outcome.OK and not isinstance(body, Drop):
            page = glean(url, 0, fetched.headers, body, _LIMITS, context=False)
            if isinstance(page, Page):
                yield page


def _record_demo(path: Path) -> Path:
    """Writes all pages except the endless calendar and the twins that differ only in a session id."""
    when = iso_time(SimulatedClock().now())
    with path.open("wb") as file:
        for host, site in demo_web().items():
            for place, answer in site.pages.items():
                url, digest = f"http://{host}{place}", payload_digest(answer.body)
                file.write(response_record(url, when, "", answer.status, answer.headers, answer.body, digest, 1))
    return path


def _demo_languages() -> dict[str, str]:
    return {url: key.partition(".")[2] for url, key in labels().items()}
