"""The index of Common Crawl, served on loopback by its documented schema and read from files, and records of its archive."""

import asyncio
import gzip
import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from aiohttp import web

from opilio.core.clock import SimulatedClock, SystemClock
from opilio.core.config import load_config
from opilio.core.items import Fetched
from opilio.core.limits import Limits
from opilio.core.outcome import Outcome
from opilio.core.plugin import Context, build_plugin
from opilio.core.url import Url, parse
from opilio.discover import Source
from opilio.fetch import HttpFetcher, Resolver
from opilio.fetch.archive import Archive
from tests.builders import response
from tests.unit.discover.asked import Answer, Query, Ran, run


def line(url: str, language: str = "ind", status: str = "200", mime: str = "text/html") -> str:
    fields = {"url": url, "mime": mime, "mime-detected": mime, "status": status, "languages": language}
    return json.dumps(fields | {"filename": "crawl-data/f.warc.gz", "offset": "12", "length": "34", "digest": "X"})


BLOCKS = [[line(f"http://host{block}.test/{number}") for number in range(20)] for block in range(6)]


def build(where: str, *settings: str, **options: object) -> Source:
    config = load_config(settings=['corpus.languages=["id"]', *settings])
    source: Source = build_plugin("source", {"name": "common-crawl", "where": where, **options}, Context(config, None))
    return source


def index(query: Query) -> str:
    if "showNumPages" in query:
        return json.dumps({"pages": len(BLOCKS), "pageSize": 1, "blocks": len(BLOCKS)})
    return "\n".join(BLOCKS[int(query["page"])]) + "\n"


def ask(answers: Mapping[str, Answer] | None = None, **options: object) -> Ran:
    patterns = options.pop("patterns", ("*.id",))
    collections: list[dict[str, str]] = []
    own: dict[str, Answer] = {
        "/collinfo.json": lambda _query: json.dumps(collections),
        "/B-index": index,
        "/A-index": index,
    }

    def make(origin: str) -> Source:
        collections[:] = [{"id": name, "name": name, "cdx-api": f"{origin}/{name}-index"} for name in "BA"]
        return build(origin, patterns=patterns, **options)

    return run(make, own | dict(answers or {}))


def test_blocks_of_the_newest_crawl_are_read_in_random_order_and_few_pages_of_a_host_are_taken() -> None:
    ran = ask(per_host=3)
    assert len(ran.urls) == 6 * 3
    assert (ran.finds[0].language, ran.finds[0].origin) == ("id", "crawl-data/f.warc.gz:12+34")
    hosts = list(dict.fromkeys(url.split("/")[2] for url in ran.urls))
    assert hosts != sorted(hosts)
    assert {urlsplit(target).path for _, target in ran.asked[1:]} == {"/B-index"}


def test_the_server_filters_by_language_status_and_kind() -> None:
    asked = parse_qs(urlsplit(ask().asked[-1][1]).query)
    assert asked["url"] == ["*.id"]
    assert set(asked["filter"]) == {
        "=status:200",
        "~mime-detected:(text/html|application/xhtml.xml)",
        "~languages:(ind)",
    }


def test_the_server_is_asked_no_more_often_than_it_wants() -> None:
    times_s = [when_s for when_s, _ in ask().asked]
    assert min(later - earlier for earlier, later in pairwise(times_s)) >= 2


def test_a_crawl_is_chosen_and_an_unknown_one_is_an_error() -> None:
    assert "/A-index" in ask(crawl="A").paths
    assert "Its newest are: B, A" in ask(crawl="Z").error


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({"/collinfo.json": "<html></html>"}, "not answer as documented"),
        ({"/collinfo.json": '[{"id": "B"}]'}, "cdx-api"),
        (
            {"/B-index": lambda query: '{"pages": 1}' if "showNumPages" in query else "<html>\n</html>"},
            "lines of an index",
        ),
        ({"/B-index": web.Response(status=404)}, "404"),
    ],
)
def test_a_wrong_answer_is_an_error_that_says_what_to_do(answers: Mapping[str, Answer], words: str) -> None:
    assert words in ask(answers).error


def test_without_patterns_the_error_shows_one() -> None:
    with pytest.raises(Exception, match=r"\*\.id"):
        build("http://one.example")


def test_files_of_an_index_are_read_and_filtered(tmp_path: Path) -> None:
    lines = [
        line("http://a.test/1"),
        line("http://a.test/2", "deu"),
        line("http://a.test/3", status="404"),
        line("http://a.test/4", mime="image/png"),
    ]
    lines += [line("http://b.test/1", "ind,eng"), "not a line"]
    (tmp_path / "cdx-00000.gz").write_bytes(
        gzip.compress("\n".join(f"test,a)/ 2026 {each}" for each in lines).encode())
    )
    ran = run(lambda _origin: build(str(tmp_path / "cdx-00000.gz")))
    assert (ran.urls, ran.error) == (["http://a.test/1", "http://b.test/1"], "")


def test_another_file_than_an_index_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.cdx").write_text("nothing\n")
    assert "not an index" in run(lambda _origin: build(str(tmp_path / "x.cdx"))).error


def test_pages_are_read_from_the_archive_by_range() -> None:
    records = [response(f"http://a.test/{number}", f"<p>{number}") for number in range(3)]
    places = {f"http://a.test/{n}": f"f.warc.gz:{sum(map(len, records[:n]))}+{len(records[n])}" for n in range(3)}
    got = asyncio.run(
        _read_all(b"".join(records), places, ["http://a.test/1", "http://a.test/robots.txt", "http://b.test/"])
    )
    assert [(each.outcome, each.status, each.body) for each in got] == [
        (Outcome.OK, 200, b"<p>1"),
        (Outcome.HTTP_ERROR, 404, b""),
        (Outcome.NOT_IN_WEB, 0, b""),
    ]
    assert got[0].started_s == 1767225600.0  # the time of the recording


def test_a_range_that_is_not_a_record_is_an_outcome() -> None:
    got = asyncio.run(
        _read_all(
            b"x" * 100,
            {"http://a.test/1": "f.warc.gz:5+20", "http://a.test/2": "gone.gz:0+9"},
            ["http://a.test/1", "http://a.test/2"],
        )
    )
    assert [each.outcome for each in got] == [Outcome.PROTOCOL_ERROR, Outcome.HTTP_ERROR]


def test_a_record_that_unpacks_to_too_much_is_an_outcome() -> None:
    bomb = gzip.compress(bytes(30 * 2**20))
    got = asyncio.run(_read_all(bomb, {"http://a.test/1": f"f.warc.gz:0+{len(bomb)}"}, ["http://a.test/1"]))
    assert got[0].outcome is Outcome.TOO_LARGE


async def _read_all(content: bytes, places: Mapping[str, str], urls: list[str]) -> list[Fetched]:
    async def answer(request: web.BaseRequest) -> web.Response:
        if request.path != "/f.warc.gz":
            return web.Response(status=404)
        wanted = request.http_range
        return web.Response(body=content[wanted], status=206)

    runner = web.ServerRunner(web.Server(answer))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    fetcher = HttpFetcher(Resolver({}, guard=False, clock=SystemClock()), Limits(), SystemClock(), "Opilio")
    base = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    archive = Archive(fetcher, lambda url: places.get(url, ""), SimulatedClock(), Limits(), base=base)
    try:
        return [await archive.fetch(url, "") for url in map(parse, urls) if isinstance(url, Url)]
    finally:
        await archive.close()
        await runner.cleanup()
