"""A synthetic web of any size: HOSTS hosts of PAGES pages, each page 20 to 60 KB of HTML around the demo's prose.

Every page is computed from (seed, host, number) on request, in about 0.1 ms; nothing is stored. Each host has one of
the demo's four kinds (topic and language) and its skin. A page has about 60 links within its host, 2 of them into
/private/, which robots.txt forbids, and 5 to other hosts; page n links to pages 2n+1 and 2n+2, so all can be reached
from "/". Every sixteenth host asks for a Crawl-delay.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import chain, repeat
from random import Random
from typing import Final

import msgspec

from .demo import HOSTS, Answer, Authority, articles
from .demo.answer import NOT_FOUND, text_answer
from .demo.skin import skin, template

CRAWL_DELAY_S: Final = 2
_KINDS: Final = tuple(HOSTS.values())
_PATH: Final = re.compile(r"/(?:s\d|(private))/p(\d{1,9})\.html")
_FIELDS: Final = (("Content-Type", "text/html; charset=utf-8"),)
_LEAST_BYTES, _SPREAD_BYTES = 20_500, 37_500  # of a page, before the last paragraph: 20 to 60 KB in all


def made_hosts(count: int) -> tuple[str, ...]:
    return tuple(f"h{number:04}.test" for number in range(1, count + 1))


class MadeWeb:
    def __init__(self, hosts: int, pages: int, seed: int, authority: Authority = str) -> None:
        self.hosts = made_hosts(hosts)
        self.pages = pages
        self._seed = seed
        self._numbers = {host: number for number, host in enumerate(self.hosts)}
        self._origins = [f"http://{authority(host)}" for host in self.hosts]
        numbers = [each % pages for each in range(1, 17)]
        self._navs = {kind: _items(self._anchors(kind, numbers)) for kind in _KINDS}

    def kind(self, host: str) -> str:
        """Returns topic and language of a host, such as "cats.en"."""
        return _KINDS[self._numbers[host] % len(_KINDS)]

    def targets(self, _host: str) -> list[str]:
        """Returns all targets of a host, including the forbidden ones."""
        numbers = range(self.pages)
        return ["/robots.txt", *map(self._path, numbers), *(f"/private/p{number}.html" for number in numbers)]

    def answer(self, host: str, target: str) -> Answer:
        if target == "/robots.txt":
            return self._robots(host)
        match = _PATH.fullmatch(target)
        number = int(match[2]) if match else 0
        if (not match and target != "/") or number >= self.pages:
            return NOT_FOUND
        if match and not match[1] and self._path(number) != target:
            return NOT_FOUND
        return Answer(200, _FIELDS, self._page(host, number, private=bool(match and match[1])))

    def _robots(self, host: str) -> Answer:
        delay = f"Crawl-delay: {CRAWL_DELAY_S}\n" if self._numbers[host] % 16 == 15 else ""
        return text_answer(f"User-agent: *\nDisallow: /private/\n{delay}")

    @staticmethod
    def _path(number: int) -> str:
        return f"/s{number % 10}/p{number}.html" if number else "/"

    def _page(self, host: str, number: int, private: bool) -> bytes:
        own, kind = self._numbers[host], self.kind(host)
        draw = Random(((self._seed * 2 + private) << 64) + (own << 32) + number).random
        size = _LEAST_BYTES + int(draw() * _SPREAD_BYTES)
        near = self._anchors(kind, [int(draw() * self.pages) for _ in range(38)])
        children = self._anchors(kind, [each for each in (2 * number + 1, 2 * number + 2) if each < self.pages])
        far = [self._far(own, draw(), int(draw() * self.pages)) for _ in range(5)]
        closed = [f'<a href="/private/p{int(draw() * self.pages)}.html">{each}</a>' for each in (1, 2)]
        path = f"/private/p{number}.html" if private else self._path(number)
        slots = {
            b"title": f"{_titles(kind)[number % len(_titles(kind))]} ({own + 1}.{number})".encode(),
            b"canonical": f"{self._origins[own]}{path}".encode(),
            b"nav": self._navs[kind],
            b"aside": _items(near[:18] + children),
            b"footer": " ".join(closed).encode(),
            b"elsewhere": f"<p>{', '.join(far)}</p>\n".encode(),
        }
        size -= sum(map(len, slots.values())) + sum(map(len, _pieces(kind)))
        slots[b"main"] = _body(kind, draw, near[18:], size)
        return b"".join([slots.get(piece, piece) for piece in _pieces(kind)])

    def _anchors(self, kind: str, numbers: list[int]) -> list[str]:
        titles, path = _titles(kind), self._path
        return [f'<a class="link" href="{path(each)}">{titles[each % len(titles)]}</a>' for each in numbers]

    def _far(self, own: int, share: float, number: int) -> str:
        other = (own + 1 + int(share * (len(self.hosts) - 1))) % len(self.hosts)
        titles = _titles(_KINDS[other % len(_KINDS)])
        return f'<a href="{self._origins[other]}{self._path(number)}">{titles[number % len(titles)]}</a>'


def _items(anchors: list[str]) -> bytes:
    return "".join([f'<li class="item">{each}</li>' for each in anchors]).encode()


def _body(kind: str, draw: Callable[[], float], anchors: list[str], size: int) -> bytes:
    """Joins paragraphs up to the size, each once, with a link at the end of each while there are links. The number of
    paragraphs is prime, so any stride visits all of them: a random order at a tenth of the cost of a shuffle."""
    paragraphs = _paragraphs(kind)
    at, stride = int(draw() * len(paragraphs)), 1 + int(draw() * (len(paragraphs) - 1))
    parts: list[bytes] = []
    for link in chain(anchors, repeat("", len(paragraphs) - len(anchors))):
        text = paragraphs[at]
        parts += (text, link.encode(), b"</p>\n")
        size -= len(text) + len(link)
        if size < 0:
            break
        at = (at + stride) % len(paragraphs)
    return b"".join(parts)


@lru_cache(maxsize=4)
def _pieces(kind: str) -> tuple[bytes, ...]:
    """Cuts the skin at its slots: every second piece is the name of a slot."""
    words = msgspec.structs.asdict(skin(kind)) | {"site": skin(kind).name}
    empty = dict.fromkeys(("crumbs", "stamp", "pager", "head"), "")
    slots = {name: f"\0{name}\0" for name in ("title", "canonical", "nav", "aside", "footer", "elsewhere", "main")}
    return tuple(template(kind).substitute(words | empty | slots).encode().split(b"\0"))


@lru_cache(maxsize=4)
def _paragraphs(kind: str) -> tuple[bytes, ...]:
    texts = [text for article in articles(kind) for text in article.text.splitlines()]
    count = next(n for n in range(len(texts), 1, -1) if all(n % factor for factor in range(2, n)))
    return tuple(f'<p class="text">{text} '.encode() for text in texts[:count])


@lru_cache(maxsize=4)
def _titles(kind: str) -> tuple[str, ...]:
    return tuple(article.title for article in articles(kind))
