"""A recorded web is served as it was recorded."""

import gzip
from pathlib import Path

import pytest

from opilio.webs.web import Web, open_web

PAGES = {
    "http://one.test/": b"<p>one</p>",
    "https://one.test/a?b=c": b"<p>two</p>" * 3_000,
    "http://two.test:8080/x": b"\x1f\x8bnot really",
}


def record(url: str, body: bytes) -> bytes:
    """One gzip member, as the WARC standard has it."""
    block = f"HTTP/1.1 203 Other\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\nX-Kept: yes\r\n\r\n"
    head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:uuid:{url}>\r\n"
    head += f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(block) + len(body)}\r\n\r\n"
    return gzip.compress(head.encode() + block.encode() + body + b"\r\n\r\n")


@pytest.fixture
def recorded(tmp_path: Path) -> Web:
    path = tmp_path / "web.warc.gz"
    pages = [*PAGES.items(), ("http://one.test/", b"a later copy")]
    path.write_bytes(b"".join(record(url, body) for url, body in pages))
    return open_web(f"warc:{path}")


def test_answers_are_the_first_recorded_ones(recorded: Web) -> None:
    assert recorded.hosts == ("one.test", "two.test")
    asked = [("one.test", "/"), ("one.test", "/a?b=c"), ("two.test", "/x")]
    answers = [recorded.answer(host, target) for host, target in asked]
    assert [answer.body for answer in answers] == list(PAGES.values())
    assert {answer.status for answer in answers} == {203}
    assert answers[0].headers == (("Content-Type", "text/html"), ("X-Kept", "yes"))


def test_what_was_not_recorded_is_not_found(recorded: Web) -> None:
    assert recorded.answer("one.test", "/a").status == 404
