"""The WHATWG URL standard's own vectors: what a browser would request is what we would, up to our canonical form.

For every vector whose result is http(s), `parse` gives the same URL as `split` makes of the vector's href. `split` is the
canonical form alone: it takes away user name, password, fragment, an empty query and tracking parameters, and normalises
percent-escapes; it never decides where a URL leads. What the standard refuses, and every other scheme, is a `Drop`.
"""

import json
import os
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.core.outcome import Drop
from opilio.core.url import Url, parse, resolve, split


@pytest.fixture(scope="module")
def vectors() -> list[dict[str, Any]]:
    folder = os.environ.get("OPILIO_DATA")
    path = Path(folder or "") / "vectors" / "urltestdata.json"
    if not folder or not path.exists():
        pytest.skip("OPILIO_DATA names no folder with vectors/urltestdata.json")
    return [case for case in json.loads(path.read_text("utf-8")) if isinstance(case, dict)]


def _is_web(case: dict[str, Any]) -> bool:
    return not case.get("failure") and str(case["href"]).startswith(("http://", "https://"))


def test_every_web_url_of_the_standard_is_understood_as_the_standard_says(vectors: list[dict[str, Any]]) -> None:
    web = [case for case in vectors if _is_web(case)]
    wrong = [case["input"] for case in web if parse(case["input"], case["base"]) != split(case["href"])]
    assert len(web) > 200
    assert wrong == []


def test_host_port_path_and_query_are_those_of_the_standard(vectors: list[dict[str, Any]]) -> None:
    for case in filter(_is_web, vectors):
        url = parse(case["input"], case["base"])
        assert isinstance(url, Url), case["input"]
        assert (url.scheme + ":", url.host) == (case["protocol"], case["hostname"])
        assert url.port == int(case["port"] or {"http": 80, "https": 443}[url.scheme])
        assert url.origin == case.get("origin", url.origin)
        if "%" not in case["href"]:
            assert (url.path, url.query) == (case["pathname"], case["search"].removeprefix("?"))


def test_what_the_standard_refuses_is_a_drop(vectors: list[dict[str, Any]]) -> None:
    refused = [case for case in vectors if case.get("failure")]
    passed = [case["input"] for case in refused if not isinstance(parse(case["input"], case["base"]), Drop)]
    assert len(refused) > 100
    assert passed == []


def test_every_other_scheme_is_dropped_as_such(vectors: list[dict[str, Any]]) -> None:
    others = [case for case in vectors if not case.get("failure") and not _is_web(case)]
    assert len(others) > 100
    assert {parse(case["input"], case["base"]) for case in others} == {Drop.SCHEME}


def test_no_secret_of_a_url_survives(vectors: list[dict[str, Any]]) -> None:
    for case in filter(_is_web, vectors):
        url = parse(case["input"], case["base"])
        assert isinstance(url, Url)
        assert "@" not in url.href.split("/")[2]
        assert "#" not in url.href


def test_the_canonical_form_of_every_vector_is_its_own_canonical_form(vectors: list[dict[str, Any]]) -> None:
    for case in filter(_is_web, vectors):
        url = parse(case["input"], case["base"])
        assert isinstance(url, Url)
        assert parse(url.href) == url == split(url.href)


@pytest.mark.parametrize("escapes", ["%%34%31", "%3%35", "%%37%45"])
def test_no_mixture_of_escapes_changes_when_it_is_parsed_again(escapes: str) -> None:
    url = parse(f"http://example.org/{escapes}?{escapes}")
    assert isinstance(url, Url)
    assert parse(url.href) == url


@given(st.text(max_size=60))
def test_no_text_whatever_raises(text: str) -> None:
    for url in (parse(text), parse(text, "http://example.org/a/b?c"), parse(f"http://{text}")):
        assert isinstance(url, Url | Drop)


@pytest.mark.parametrize(
    ("raw", "href"),
    [
        ("HTTP://Example.ORG:80/a/../%7euser/%c3%a4#top", "http://example.org/~user/%C3%A4"),
        ("http://user:secret@example.org/", "http://example.org/"),
        ("http://example.org/?", "http://example.org/"),
        ("http://example.org/?utm_source=x&id=3&fbclid=y", "http://example.org/?id=3"),
        ("http://example.org/?utm_source=x", "http://example.org/"),
        ("http://example.org/?b=1&a=2", "http://example.org/?b=1&a=2"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://good.example\\@evil.example/", "http://good.example/@evil.example/"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ],
)
def test_the_canonical_form(raw: str, href: str) -> None:
    url = parse(raw)
    assert isinstance(url, Url)
    assert url.href == href


_BASES = [
    "http://h/",
    "http://h/a",
    "https://h:8443/a/b/c.html?q=/x/y",
    "http://[::1]:80/~u/%C3%A9/",
    "http://h//a/;p/",
]
_HREF = st.lists(
    st.sampled_from(["../", "./", "/", "a", "B.htm", ".", "..", "~x-y_z", "%2e", "?q", ":", "é", " ", "//"])
).map("".join)


@given(st.sampled_from(_BASES), _HREF)
def test_joining_plain_paths_is_what_the_parser_would_do(base: str, href: str) -> None:
    page = parse(base)
    assert isinstance(page, Url)
    assert resolve(page.directory, href) == parse(href, page.directory.href)
    if href.strip()[:1] not in ("", "?"):  # these two mean the page itself
        assert resolve(page.directory, href) == parse(href, base)


_HOSTS = [
    "a",
    "a.b",
    "a-b.c",
    "1.2.3.4",
    "01.2.3.4",
    "256.1.1.1",
    "1.2.3",
    "1.2.3.4.",
    "a.1",
    "0x7f.1",
    "xn--a",
    "xn--bcher-kva.de",
    "a..b",
    ".a",
    "a.",
    "-a",
    "a_b",
    "A.b",
    "1a",
    "u@a",
    "[::1]",
]
_PORTS = ("", ":", ":80", ":443", ":8080", ":080", ":65536", ":x")
_PATHS = (
    "",
    "/",
    "/a",
    "/a/",
    "/a//b",
    "/./a",
    "/a/..",
    "/.a",
    "/a.b/c~d",
    "/a%20",
    "/a?b",
    "/a#b",
    "/é",
    "/a b",
    "\\a",
)


@pytest.mark.parametrize("scheme", ["http", "https", "HTTP", "ftp"])
def test_whole_urls_are_what_the_parser_would_make_of_them(scheme: str) -> None:
    page = parse("https://b.test/c/d")
    assert isinstance(page, Url)
    for host, port, path in product(_HOSTS, _PORTS, _PATHS):
        href = f"{scheme}://{host}{port}{path}"
        assert resolve(page.directory, href) == parse(href, page.directory.href), href
