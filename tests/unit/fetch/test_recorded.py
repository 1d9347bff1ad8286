"""The recorded web: good files, broken files, and the same answers every time."""

import asyncio
import gzip
import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from opilio.core.clock import SimulatedClock
from opilio.core.items import Fetched
from opilio.core.outcome import Outcome
from opilio.core.url import Url, parse
from opilio.fetch import Fetcher
from opilio.fetch.recorded import RecordedWeb
from opilio.fetch.terms import Terms


def _record(url: str, http: bytes, kind: str = "response") -> bytes:
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        "WARC-Record-ID: <urn:uuid:c3f39dd0-362f-4ae0-aed4-a314c0c1cd6d>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def _page(body: bytes, head: str = "", status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\n{head}\r\n".encode() + body


def _web(folder: Path, *files: list[bytes], packed: str = "each") -> RecordedWeb:
    paths = []
    for number, records in enumerate(files):
        path = folder / f"{number}.warc.gz"
        if packed == "each":
            path.write_bytes(b"".join(gzip.compress(record, mtime=0) for record in records))
        else:
            path.write_bytes(gzip.compress(b"".join(records)) if packed == "whole" else b"".join(records))
        paths.append(path)
    return RecordedWeb(paths, SimulatedClock(1000.0))


def _fetch(web: RecordedWeb, href: str, max_bytes: int | None = None) -> Fetched:
    url = parse(href)
    assert isinstance(url, Url)
    return asyncio.run(web.fetch(url, "", Terms(max_bytes)))


def test_a_recorded_web_can_stand_for_a_live_one(tmp_path: Path) -> None:
    web: Fetcher = _web(tmp_path, [_record("http://a/", _page(b"x"))])
    url = parse("http://a/")
    assert isinstance(url, Url)
    assert asyncio.run(web.locate(url)) == ""
    asyncio.run(web.close())


@pytest.mark.parametrize("packed", ["each", "whole", "not"])
def test_a_page_comes_back_as_it_was_recorded(tmp_path: Path, packed: str) -> None:
    records = [_record(f"http://a/{number}", _page(b"page %d" % number)) for number in range(5)]
    web = _web(tmp_path, records, packed=packed)
    assert (len(web), web.broken, list(web.urls())) == (5, 0, [f"http://a/{number}" for number in range(5)])
    for number in (4, 0, 2):
        fetched = _fetch(web, f"http://a/{number}")
        assert fetched == Fetched(
            f"http://a/{number}",
            Outcome.OK,
            200,
            (("Content-Type", "text/html"),),
            b"page %d" % number,
            started_s=1_767_225_600.0,
        )


def test_the_first_record_wins(tmp_path: Path) -> None:
    first, second = _record("http://a/", _page(b"first")), _record("http://A:80/#x", _page(b"second"))
    web = _web(tmp_path, [first, second], [second])
    assert (len(web), _fetch(web, "http://a/").body) == (1, b"first")


def test_only_responses_answer(tmp_path: Path) -> None:
    web = _web(tmp_path, [_record("http://a/", b"GET / HTTP/1.1\r\n\r\n", "request")])
    assert (len(web), web.broken) == (0, 0)


def test_what_was_not_recorded_is_not_in_the_web(tmp_path: Path) -> None:
    web = _web(tmp_path, [_record("http://a/", _page(b"x"))])
    assert _fetch(web, "http://a/other").outcome is Outcome.NOT_IN_WEB
    robots = _fetch(web, "http://a/robots.txt")
    assert (robots.outcome, robots.status) == (Outcome.HTTP_ERROR, 404)


def test_statuses_mean_what_they_mean_online(tmp_path: Path) -> None:
    moved = _record("http://a/1", _page(b"go", "Location: 2#x\r\n", "301 Moved"))
    gone = _record("http://a/2", _page(b"no", "", "410 Gone"))
    busy = _record("http://a/3", _page(b"", "Retry-After: 9\r\n", "503 Busy"))
    web = _web(tmp_path, [moved, gone, busy])
    answers = [_fetch(web, f"http://a/{number}") for number in (1, 2, 3)]
    assert [(answer.outcome, answer.status, answer.body) for answer in answers] == [
        (Outcome.REDIRECT, 301, b""),
        (Outcome.HTTP_ERROR, 410, b""),
        (Outcome.THROTTLED, 503, b""),
    ]
    assert (answers[0].location, answers[2].retry_after_s) == ("http://a/2", 9.0)


def test_a_body_over_the_bound_is_too_large(tmp_path: Path) -> None:
    web = _web(tmp_path, [_record("http://a/", _page(b"x" * 100))])
    assert _fetch(web, "http://a/", 99).outcome is Outcome.TOO_LARGE
    assert _fetch(web, "http://a/", 100).outcome is Outcome.OK


def test_chunks_are_joined_and_codings_are_left(tmp_path: Path) -> None:
    body = gzip.compress(b"hello")
    head = "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n"
    web = _web(tmp_path, [_record("http://a/", _page(b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body), head))])
    fetched = _fetch(web, "http://a/")
    assert (fetched.body, fetched.header("content-encoding")) == (body, "gzip")


def test_chunks_that_were_joined_before_recording_are_left(tmp_path: Path) -> None:
    web = _web(tmp_path, [_record("http://a/", _page(b"<p>no chunk", "Transfer-Encoding: chunked\r\n"))])
    assert _fetch(web, "http://a/").body == b"<p>no chunk"


def test_broken_chunks_are_a_protocol_error(tmp_path: Path) -> None:
    web = _web(tmp_path, [_record("http://a/", _page(b"4\r\nbody\r\nzz\r\n", "Transfer-Encoding: chunked\r\n"))])
    assert _fetch(web, "http://a/").outcome is Outcome.PROTOCOL_ERROR


def test_a_record_that_is_no_http_answer_is_a_protocol_error(tmp_path: Path) -> None:
    web = _web(tmp_path, [_record("http://a/", b"garbage")])
    assert _fetch(web, "http://a/").outcome is Outcome.PROTOCOL_ERROR


def test_a_target_that_is_no_url_is_counted(tmp_path: Path) -> None:
    web = _web(tmp_path, [_record("not a url", _page(b"x")), _record("<http://a/>", _page(b"x"))])
    assert (web.broken, list(web.urls())) == (1, ["http://a/"])


def test_reading_goes_on_after_a_broken_record(tmp_path: Path) -> None:
    good = [_record(f"http://a/{number}", _page(b"page")) for number in range(3)]
    broken = b"WARC/1.1\r\nthis is no header\r\n\r\n"
    packed = [gzip.compress(record, mtime=0) for record in (good[0], broken, good[1])]
    path = tmp_path / "x.warc.gz"
    path.write_bytes(b"".join(packed) + packed[0][:-20] + gzip.compress(good[2], mtime=0))
    web = RecordedWeb([path])
    assert set(web.urls()) >= {"http://a/0", "http://a/1", "http://a/2"}
    assert web.broken >= 1


def test_each_broken_record_is_counted_once(tmp_path: Path) -> None:
    noise = Random(7)  # what is damaged must be the same each time: some damage looks like two
    bodies = [noise.randbytes(2_000) for _ in range(20)]
    records = [gzip.compress(_record(f"http://a/{at}", _page(body)), mtime=0) for at, body in enumerate(bodies)]
    for number in (3, 9, 15):
        records[number] = records[number][:200] + bytes(40) + records[number][240:]
    path = tmp_path / "x.warc.gz"
    path.write_bytes(b"".join(records))
    assert RecordedWeb([path]).broken == 3


@pytest.mark.parametrize("packed", ["each", "whole", "not"])
def test_a_record_that_was_cut_off_is_counted_and_not_answered(tmp_path: Path, packed: str) -> None:
    pages = [_page(os.urandom(20_000)) for _ in range(3)]
    _web(tmp_path, [_record(f"http://a/{number}", page) for number, page in enumerate(pages)], packed=packed)
    path = tmp_path / "0.warc.gz"
    assert RecordedWeb([path]).broken == 0
    path.write_bytes(path.read_bytes()[:-10_000])
    web = RecordedWeb([path])
    assert (web.broken, list(web.urls())) == (1, ["http://a/0", "http://a/1"])


def test_an_empty_file_is_an_empty_web(tmp_path: Path) -> None:
    path = tmp_path / "x.warc"
    path.write_bytes(b"")
    assert len(RecordedWeb([path])) == 0


@pytest.mark.parametrize("junk", [b"\x1f\x8b\x08" * 500, b"WARC/1.0" * 500, b"\0" * 5000, b"\x1f\x8b\x08\x00WARC/1."])
def test_junk_is_an_empty_web(tmp_path: Path, junk: bytes) -> None:
    path = tmp_path / "x.warc"
    path.write_bytes(junk)
    assert len(RecordedWeb([path])) == 0


def _data(name: str) -> Path:
    folder = os.environ.get("OPILIO_DATA")
    path = Path(folder or "") / name
    if not folder or not path.exists():
        pytest.skip(f"OPILIO_DATA names no folder with {name}")
    return path


def test_every_archive_of_the_vectors_is_survived() -> None:
    found: Counter[Outcome] = Counter()
    for path in sorted(_data("vectors/warc").iterdir()):
        web = RecordedWeb([path])
        found.update(_fetch(web, href).outcome for href in web.urls())
    assert found == {Outcome.OK: 10, Outcome.REDIRECT: 1}


def test_a_real_web_is_indexed_whole() -> None:
    web = RecordedWeb([_data("webs/schools.warc.gz")])
    assert (len(web), web.broken) == (5_232, 0)
    for href in list(web.urls())[::500]:
        assert _fetch(web, href).outcome is Outcome.OK
