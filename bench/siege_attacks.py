"""What hostile hosts do: one function for each attack, from answers that never end to pages that cost whoever reads them."""

import asyncio
import gzip
import zlib
from collections.abc import Awaitable, Callable
from functools import lru_cache
from itertools import count
from typing import Final, NamedTuple

import brotli
import zstandard

from .faults_grammar import cases

_WORDS: Final = "Every shepherd counts the sheep before the evening, and writes the number into a book. "
_BOMB_BYTES: Final = 64 * 2**20
_numbers = count()


class Call(NamedTuple):
    """A request, and what writes its answer."""

    host: str
    target: str
    port: int
    writer: asyncio.StreamWriter


class Attack(NamedTuple):
    act: Callable[[Call], Awaitable[None]]
    robots: bool = False  # whether it answers for robots.txt too


def sized(body: bytes, head: str = "Content-Type: text/html", status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\n{head}\r\nContent-Length: {len(body)}\r\n\r\n".encode("latin-1") + body


def good_page(call: Call) -> bytes:
    if call.target == "/robots.txt":
        return sized(b"", status="404 Not Found")
    number = int(call.target[1:] or 0)
    links = "".join(f'<a href="/{number * 3 + step}">{step}</a> ' for step in (1, 2, 3))
    return sized(f"<title>{number}</title><main><p>{_WORDS * 8} {call.host} {number}</p>{links}</main>".encode())


def _page(make: Callable[[int, Call], str], head: str = "Content-Type: text/html; charset=utf-8") -> Attack:
    """An attack whose pages are markup, each with links to the next three."""

    async def act(call: Call) -> None:
        number = next(_numbers)
        links = "".join(f'<a href="/{number}/{step}">{step}</a>' for step in range(3))
        call.writer.write(sized((links + make(number, call)).encode("utf-8", "replace"), head))

    return Attack(act)


def _fixed(answer: bytes, *, robots: bool = False) -> Attack:
    async def act(call: Call) -> None:
        call.writer.write(answer)
        call.writer.close()

    return Attack(act, robots)


def _trickle(head: str, piece: bytes, pause_s: float) -> Attack:
    """An attack whose answer goes on forever, a piece at a time."""

    async def act(call: Call) -> None:
        call.writer.write(f"HTTP/1.1 200 OK\r\n{head}".encode())
        while True:
            call.writer.write(piece)
            await call.writer.drain()
            await asyncio.sleep(pause_s)

    return Attack(act)


def _reset() -> Attack:
    async def act(call: Call) -> None:
        call.writer.transport.abort()

    return Attack(act)


@lru_cache(maxsize=8)
def bomb(coding: str) -> bytes:
    zeros = b"<p>" + bytes(_BOMB_BYTES)
    match coding:
        case "gzip":
            return gzip.compress(zeros, 9)
        case "deflate":
            return zlib.compress(zeros, 9)
        case "br":
            return bytes(brotli.compress(zeros, quality=1))
        case "zstd":
            return bytes(zstandard.ZstdCompressor(3).compress(zeros))
    return gzip.compress(gzip.compress(zeros, 9), 9)


def _bomb(coding: str, status: str = "200 OK", head: str = "", *, robots: bool = False) -> Attack:
    async def act(call: Call) -> None:
        fields = f"Content-Type: text/html\r\nContent-Encoding: {coding}{head}"
        call.writer.write(sized(await asyncio.to_thread(bomb, coding), fields, status))

    return Attack(act, robots)


@lru_cache(maxsize=1)
def heavy_pages() -> list[str]:
    """Pages of all classes of hostile markup. Making them takes some seconds, so the server does it before it serves."""
    return [shape.html(1_500_000) for group in cases().values() for shape in group[::6]]


def _heavy() -> Attack:
    return _page(lambda number, _call: heavy_pages()[number % len(heavy_pages())])


def _sitemap(body: bytes, head: str = "Content-Type: application/xml") -> Attack:
    """A host whose robots.txt names sitemaps, all of which are this."""

    async def act(call: Call) -> None:
        if call.target == "/robots.txt":
            names = "".join(f"Sitemap: http://{call.host}:{call.port}/map{each}.xml\n" for each in range(50))
            call.writer.write(sized(names.encode(), "Content-Type: text/plain"))
        elif call.target.startswith("/map"):
            call.writer.write(sized(body.replace(b"HOST", f"{call.host}:{call.port}".encode()), head))
        else:
            feed = '<link rel=alternate type="application/rss+xml" href=/map.rss>'
            call.writer.write(sized(f"{feed}<main><p>{_WORDS * 8} {next(_numbers)}</p></main>".encode()))

    return Attack(act, robots=True)


def _redirect(make: Callable[[int, Call], str]) -> Attack:
    async def act(call: Call) -> None:
        call.writer.write(sized(b"", f"Location: {make(next(_numbers), call)}", "302 Found"))

    return Attack(act)


def _robots(body: bytes) -> Attack:
    async def act(call: Call) -> None:
        is_robots = call.target == "/robots.txt"
        call.writer.write(
            sized(body, "Content-Type: text/plain") if is_robots else good_page(call._replace(target="/1"))
        )

    return Attack(act, robots=True)


def _many(unit: str, times: int) -> Callable[[int, Call], str]:
    return lambda number, _call: "".join(unit.replace("#", f"{number}x{each}") for each in range(times))


_LAUGHS: Final = '<!DOCTYPE x [<!ENTITY a "' + "ha" * 50 + '">' + "".join(
    f'<!ENTITY {chr(98 + each)} "{f"&{chr(97 + each)};" * 10}">' for each in range(9)
) + "]><urlset><url><loc>http://HOST/&j;</loc></url></urlset>"  # fmt: skip
_URLS: Final = b"<urlset>" + b"<url><loc>http://HOST/%s</loc></url>" % (b"u" * 30) * 200_000 + b"</urlset>"
_INDEX: Final = b"<sitemapindex>" + b"<sitemap><loc>http://HOST/map1.xml</loc></sitemap>" * 50_000 + b"</sitemapindex>"

ATTACKS: Final[dict[str, Attack]] = {
    # --- answers that never end, or lie
    "trickle": _trickle("Content-Length: 1000000\r\n\r\n", b"y", 1.0),
    "slow": _trickle("Content-Length: 1000000\r\n\r\n", b"y" * 300, 1.0),
    "slow_headers": _trickle("X-Slow: ", b"y", 0.5),
    "chunks": _trickle("Transfer-Encoding: chunked\r\n\r\n", b"1\r\ny\r\n", 0.05),
    "flood": _trickle("Content-Type: text/html\r\n\r\n", b"y" * 65_536, 0.0),
    "short": _fixed(b"HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n<p>short"),
    "reset": _reset(),
    "error": _fixed(sized(b"oops", status="500 Internal Server Error")),
    "headers": _fixed(sized(b"<p>x", "\r\n".join(f"X-{each}: {'y' * 600}" for each in range(95)))),
    "cookies": _fixed(sized(b"<p>x", "\r\n".join(f"Set-Cookie: c{each}={'y' * 600}" for each in range(95)))),
    # --- redirects
    "loop": _redirect(lambda number, call: f"http://loop-{number % 3}.test:{call.port}/{number}"),
    "long_target": _redirect(lambda number, _call: f"/{number}{'a' * 15_000}"),
    "refresh": _page(lambda number, _call: f'<meta http-equiv=refresh content="0;url=/{number}/r">' * 5_000),
    # --- bombs
    **{f"bomb_{coding}": _bomb(coding) for coding in ("gzip", "deflate", "br", "zstd")},
    "bomb_twice": _bomb("gzip, gzip"),
    "bomb_404": _bomb("gzip", "404 Not Found"),
    "bomb_redirect": _bomb("br", "302 Found", "\r\nLocation: /x"),
    "bomb_robots": _bomb("zstd", robots=True),
    # --- lists
    "sitemap": _sitemap(_URLS),
    "sitemap_index": _sitemap(_INDEX),
    "sitemap_bomb": _sitemap(bomb("gzip"), "Content-Type: application/gzip"),
    "entity_bomb": _sitemap(_LAUGHS.encode()),
    "deep_xml": _sitemap(b"<a>" * 1_000_000),
    "rules": _robots(b"User-agent: *\n" + b"".join(b"Allow: /%x\n" % each for each in range(40_000))),
    "wild_rules": _robots(b"User-agent: *\n" + b"".join(b"Disallow: /*a*%d*$\n" % each for each in range(28_000))),
    # --- links
    "links": _page(_many('<a href="/p#">x</a>', 100_000)),
    "long_links": _page(_many(f'<a href="/{"a" * 1_900}#">x</a>', 2_000)),
    "queries": _page(_many('<a href="/q#?a=#">x</a>', 20_000)),
    "hreflang": _page(_many("<link rel=alternate hreflang=x# href=/l#>", 60_000)),
    "long_names": _page(_many(f'<a href="http://{"a" * 60}.{"b" * 60}.{"c" * 60}.d#.test/">x</a>', 2_000)),
    "many_names": _page(
        lambda number, call: "".join(
            f'<a href="http://n{number * 2_000 % 20_000 + each}.many.test:{call.port}/">x</a>' for each in range(2_000)
        )
    ),
    # --- markup and other content
    "heavy": _heavy(),
    "title": _page(lambda _number, _call: "<title>" + "word " * 1_000_000),
    "word": _page(lambda _number, _call: "<p>" + "w" * 5_000_000),
    "letters": _page(lambda _number, _call: "<p dir=rtl>\u05d0" * 250_000),
    "pdf": _page(lambda _number, _call: "%PDF-1.7 " + "\x00\x01" * 2_000_000, "Content-Type: application/pdf"),
    "binary": _page(lambda _number, _call: "\x00\x01\x02" * 2_000_000),
    "plain": _page(lambda _number, _call: "line\n" * 1_500_000, "Content-Type: text/plain"),
}
