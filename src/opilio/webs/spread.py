"""Real pages on many hosts: the pages of 20 to 60 KB of a recorded web, distributed to hosts, with rewritten links.

Its name is "spread:HOSTS,COPIES,PATH". Page n of copy c is on one host as /cC/pN.html; a link to another page becomes a
link to that page's URL in the same copy, and a link to a page that was left out becomes one to some page that was not,
so that the number of links is that of the original. The copies differ in one sentence. Everything is deterministic.
"""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Final

from fastwarc.warc import ArchiveIterator, WarcRecordType

from opilio.core.errors import ConfigError
from opilio.core.outcome import Drop
from opilio.core.url import fingerprint, parse

from .demo import Answer, Authority
from .demo.answer import NOT_FOUND, text_answer
from .made import made_hosts

_SMALLEST, _LARGEST = 20_000, 60_000
_HREF: Final = re.compile(rb'(<a\s[^>]*?href=")([^"#][^"]*)(")', re.IGNORECASE)
_PATH: Final = re.compile(r"/c(\d{1,6})/p(\d{1,6})\.html")
_FIELDS: Final = (("Content-Type", "text/html; charset=utf-8"),)


class SpreadWeb:
    def __init__(self, hosts: int, copies: int, path: str, authority: Authority = str) -> None:
        self.hosts = made_hosts(hosts)
        self._copies = copies
        self._origins = [f"http://{authority(host)}" for host in self.hosts]
        self._pages = list(_real_pages(Path(path)))
        if not self._pages:
            raise ConfigError(f"{path} has no page of 20 to 60 KB")
        self._numbers = {url: number for number, (url, _) in enumerate(self._pages)}

    def targets(self, host: str) -> list[str]:
        own = self.hosts.index(host)
        return ["/robots.txt", "/", *(path for place, path in self._places() if place == own)]

    def answer(self, host: str, target: str) -> Answer:
        if target == "/robots.txt":
            return text_answer("User-agent: *\nDisallow: /private/\n")
        if target == "/":
            items = "".join(f'<li><a href="{path}">{path}</a></li>' for path in self.targets(host)[2:])
            return Answer(200, _FIELDS, f"<title>{host}</title><ul>{items}</ul>".encode())
        match = _PATH.fullmatch(target)
        copy, number = (int(match[1]), int(match[2])) if match else (0, len(self._pages))
        if number >= len(self._pages) or copy >= self._copies or self.hosts[self._host(copy, number)] != host:
            return NOT_FOUND
        return Answer(200, _FIELDS, self._page(copy, number))

    def _places(self) -> Iterator[tuple[int, str]]:
        for copy in range(self._copies):
            for number in range(len(self._pages)):
                yield self._host(copy, number), f"/c{copy}/p{number}.html"

    def _host(self, copy: int, number: int) -> int:
        return (number * 7 + copy * 31) % len(self.hosts)

    def _page(self, copy: int, number: int) -> bytes:
        url, body = self._pages[number]

        def lead_along(match: re.Match[bytes]) -> bytes:
            target = parse(unescape(match[2].decode("utf-8", "replace")), url)
            if isinstance(target, Drop):
                return match[0]
            other = self._numbers.get(target.href, fingerprint(target.href) % len(self._pages))
            return b"%s%s/c%d/p%d.html%s" % (
                match[1],
                self._origins[self._host(copy, other)].encode(),
                copy,
                other,
                match[3],
            )

        edition = b"<p>In edition %d of page %d: " % (copy, number)
        return _HREF.sub(lead_along, body).replace(b"<p>", edition, 1)


def _real_pages(path: Path) -> Iterator[tuple[str, bytes]]:
    if not path.is_file():
        raise ConfigError(f"there is no WARC file {str(path)!r}")
    with path.open("rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response):
            url, body = parse(record.headers["WARC-Target-URI"]), record.reader.read()
            if not isinstance(url, Drop) and _SMALLEST <= len(body) <= _LARGEST:
                yield url.href, body
