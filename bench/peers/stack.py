"""The stack that people assemble for a corpus: Scrapy, trafilatura, the language identifier Opilio uses, and warcio.

trafilatura runs in its fastest mode; the language is identified in the same way as in our pipeline. The spider below it
is the hand-tuned one, the fastest that follows links.
"""

import io
import sys
from pathlib import Path
from typing import Any

import trafilatura
from scrapy.http import HtmlResponse
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from opilio.model.identifier import glance

from .spider import HandTunedSpider, run

_LEAST_CHARS = 200  # as in our defaults


class StackSpider(HandTunedSpider):
    def __init__(self, warc: str, **more: Any) -> None:
        super().__init__(**more)
        self._file = Path(warc).open("wb")  # noqa: SIM115  # open as long as the spider
        self._writer = WARCWriter(self._file, gzip=True)
        self.kept = 0

    def use(self, response: HtmlResponse) -> None:
        text = trafilatura.extract(response.text, fast=True, include_comments=False, include_tables=False)
        if not text or len(text) < _LEAST_CHARS:
            return
        glance(text[:1_000])
        fields = [
            (name.decode("latin-1"), b", ".join(values).decode("latin-1")) for name, values in response.headers.items()
        ]
        head = StatusAndHeaders(f"{response.status} OK", fields, protocol="HTTP/1.1")
        record = self._writer.create_warc_record(
            response.url, "response", payload=io.BytesIO(response.body), http_headers=head
        )
        self._writer.write_record(record)
        assert self.kept is not None
        self.kept += 1

    def closed(self, _reason: str) -> None:
        self._file.close()


if __name__ == "__main__":
    run(StackSpider, sys.argv[1:], warc=str(Path(sys.argv[4]) / "pages.warc.gz"))
