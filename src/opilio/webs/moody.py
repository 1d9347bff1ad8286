"""A synthetic web whose hosts ask for patience in every way there is: "moody:HOSTS,PAGES,SEED".

Of sixteen hosts in a row, four get their rules from another host, to which their robots.txt redirects: the next one, which may
live at the same address, or ask for a Crawl-delay, or the first of all; one asks for a Crawl-delay; one answers some requests
with 503 and Retry-After, and one with 429. Pages are short, so that many requests can be made, and every host forbids /private/.
"""

from random import Random
from typing import Final

from .demo import Answer, Authority
from .demo.answer import NOT_FOUND, text_answer
from .made import CRAWL_DELAY_S, made_hosts

RETRY_AFTER_S: Final = 3
REFUSALS: Final = (429, 503)
_GROUP: Final = 16
_DELAYED, _UNAVAILABLE, _THROTTLING = 15, 7, 11
_REDIRECTED: Final = {
    3: 1,
    6: 1,
    12: 0,
    14: 1,
}  # host of a group → how many hosts ahead its rules are; 0: at the first host
_REFUSED_SHARE: Final = 0.1
_WORDS: Final = "The shepherd of this host counts every sheep before the evening comes. " * 4


class MoodyWeb:
    def __init__(self, hosts: int, pages: int, seed: int, authority: Authority = str) -> None:
        self.hosts = made_hosts(hosts)
        self._pages = pages
        self._random = Random(seed)
        self._origins = [f"http://{authority(host)}" for host in self.hosts]
        self._numbers = {host: number for number, host in enumerate(self.hosts)}

    def is_delayed(self, host: str) -> bool:
        return self._numbers[host] % _GROUP == _DELAYED

    def answer(self, host: str, target: str) -> Answer:
        own = self._numbers[host]
        if target == "/robots.txt" and (step := _REDIRECTED.get(own % _GROUP)) is not None:
            other = (own + step) % len(self.hosts) if step else 0
            return Answer(302, (("Location", f"{self._origins[other]}/rules-{own}.txt"),), b"")
        if target == "/robots.txt" or target.startswith("/rules-"):
            delay = f"Crawl-delay: {CRAWL_DELAY_S}\n" if self.is_delayed(host) and target == "/robots.txt" else ""
            return text_answer(f"User-agent: *\nDisallow: /private/\n{delay}")
        kind = own % _GROUP
        if kind in (_UNAVAILABLE, _THROTTLING) and self._random.random() < _REFUSED_SHARE:
            status = REFUSALS[kind == _UNAVAILABLE]
            return Answer(status, (("Retry-After", str(RETRY_AFTER_S)),), b"")
        number = target.removeprefix("/p")
        if target != "/" and not (number.isdigit() and int(number) < self._pages):
            return NOT_FOUND
        return Answer(200, (("Content-Type", "text/html"),), self._page(own, int(number) if target != "/" else 0))

    def _page(self, own: int, number: int) -> bytes:
        paths = [f"/p{each}" for each in (3 * number + 1, 3 * number + 2, 3 * number + 3) if each < self._pages]
        other = self._origins[(own * 7 + number + 1) % len(self._origins)]
        links = " ".join(f'<a href="{to}">{to}</a>' for to in (*paths, f"{other}/p{number}", f"/private/{number}"))
        return f"<title>{own}.{number}</title><main><p>{_WORDS}{own} {number}</p>{links}</main>".encode()
