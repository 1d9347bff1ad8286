"""The pages of the labelled web `schools` of OPILIO_DATA, read at once, with their links and topics."""

import os
from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from opilio.core.errors import ConfigError
from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import parse
from opilio.glean import glean
from opilio.lab.labels import Labels, read_labels
from opilio.lab.replay import RecordedWeb


class Schools(NamedTuple):
    pages: dict[str, Page]
    labels: Labels

    def breadth_first(self, start: str) -> Iterator[str]:
        """The pages in the order in which a crawl from this one meets them, itself left out."""
        met, waiting = {start}, deque([start])
        while waiting:
            for link in self.pages[waiting.popleft()].links:
                if link.url in self.pages and link.url not in met:
                    met.add(link.url)
                    waiting.append(link.url)
                    yield link.url


def read_schools(every: int = 1) -> Schools:
    """All pages, which takes about 12 seconds, or every second, third, … of them."""
    web = Path(os.environ.get("OPILIO_DATA", "")) / "webs" / "schools.warc.gz"
    labels = web.with_name("schools.labels.tsv")
    for path in (web, labels):
        if not path.is_file():
            raise ConfigError(
                f"there is no {path}, and without labelled pages nobody knows whether a judge is right. Let OPILIO_DATA name a "
                "folder with webs/schools.warc.gz and webs/schools.labels.tsv."
            )
    pages = {page.url: page for page in _pages(RecordedWeb([web]), every)}
    return Schools(pages, read_labels(labels, pages))


def _pages(web: RecordedWeb, every: int) -> Iterator[Page]:
    for href in islice(web.urls(), 0, None, every):
        url = parse(href)
        if isinstance(url, Drop):
            continue
        fetched = web.answer(url)
        page = glean(url, 0, fetched.headers, fetched.body, Limits(), context=False)
        if isinstance(page, Page) and page.words:
            yield page
