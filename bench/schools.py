"""The labelled webs of OPILIO_DATA: where they are, and the pages of `schools`, read at once, with their links and
topics.

Rule: topics whose names have an odd sha256 are for final tables only; whoever chooses anything looks at the others
alone.
"""

import os
from collections import deque
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from opilio.core.errors import ConfigError
from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import parse
from opilio.fetch.recorded import RecordedWeb
from opilio.glean import glean
from opilio.lab.labels import Labels, read_labels

SIZES: Final = range(25, 401)  # pages of a topic that is asked for: enough to find, and not a large part of the web


class Schools(NamedTuple):
    pages: dict[str, Page]
    labels: Labels

    def breadth_first(self, start: str) -> Iterator[str]:
        """Yields the other pages in the order in which a crawl from this one meets them."""
        met, waiting = {start}, deque([start])
        while waiting:
            for link in self.pages[waiting.popleft()].links:
                if link.url in self.pages and link.url not in met:
                    met.add(link.url)
                    waiting.append(link.url)
                    yield link.url


def read_schools(every: int = 1) -> Schools:
    """Reads all pages, which takes about 12 seconds, or every second, third, … of them."""
    web, labels = find_web("schools")
    pages = {page.url: page for page in _pages(RecordedWeb([web]), every)}
    return Schools(pages, read_labels(labels, pages))


def find_web(name: str) -> tuple[Path, Path]:
    """Returns the web's WARC file and its labels."""
    files = f"webs/{name}.warc.gz", f"webs/{name}.labels.tsv"
    remedy = f"Let OPILIO_DATA name a folder with {files[0]} and {files[1]}: answers can be checked only with labels."
    data = os.environ.get("OPILIO_DATA")
    if not data:
        raise ConfigError(f"OPILIO_DATA is not set. {remedy}")
    web, labels = (Path(data) / file for file in files)
    for path in (web, labels):
        if not path.is_file():
            raise ConfigError(f"there is no {path}. {remedy}")
    return web, labels


def is_for_development(topic: str) -> bool:
    return sha256(topic.encode()).digest()[-1] % 2 == 0


def _pages(web: RecordedWeb, every: int) -> Iterator[Page]:
    for href in islice(web.urls(), 0, None, every):
        url = parse(href)
        if isinstance(url, Drop):
            continue
        fetched = web.answer(url)
        page = glean(url, 0, fetched.headers, fetched.body, Limits(), context=False)
        if isinstance(page, Page) and page.words:
            yield page
