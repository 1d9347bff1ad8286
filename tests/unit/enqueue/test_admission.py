"""Each rule of admission refuses what it should, with its own reason, and nothing else."""

from typing import Any

import msgspec
import pytest

from opilio.core.config import load_config
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse
from opilio.enqueue import Admission, QueryCounts


def _url(raw: str) -> Url:
    url = parse(raw)
    assert isinstance(url, Url)
    return url


def _refuse(raw: str, depth: int = 0, hops: int = 0, **scope: Any) -> Drop | None:
    settings = msgspec.structs.replace(load_config().scope, **scope)
    return Admission(settings, 5, lambda host: host == "127.0.0.1").refuse(_url(raw), depth, hops)


@pytest.mark.parametrize(
    "raw",
    [
        "http://example.org/",
        "https://example.org:8443/a/b.html?x=1&y=2",
        "http://example.org/a/a/a/b",
        "http://example.org/?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8",
        "http://example.org/pdf",
        "http://example.org/file.pdf/",
        "http://[2001:db8::1]/",
    ],
)
def test_an_ordinary_url_is_admitted(raw: str) -> None:
    assert _refuse(raw, depth=100, hops=5) is None


@pytest.mark.parametrize(
    ("raw", "scope", "drop"),
    [
        ("http://127.0.0.1/", {}, Drop.ADDRESS),
        ("http://other.org/", {"hosts": ("example.org",)}, Drop.HOST_OUT_OF_SCOPE),
        ("http://www.example.org/", {"hosts": ("example.org",)}, Drop.HOST_OUT_OF_SCOPE),
        ("http://notexample.org/", {"domains": ("example.org",)}, Drop.DOMAIN_OUT_OF_SCOPE),
        ("http://example.org.evil/", {"domains": ("example.org",)}, Drop.DOMAIN_OUT_OF_SCOPE),
        (f"http://example.org/{'x' * 2000}", {}, Drop.URL_TOO_LONG),
        ("http://example.org/a.PDF", {}, Drop.MEDIA),
        ("http://example.org/a.tar.gz?x=1", {}, Drop.MEDIA),
        ("http://example.org/a.php", {"extensions": ("html", "")}, Drop.EXTENSION),
        ("http://example.org/a/b/a/b/a/b/a", {}, Drop.REPEATED_SEGMENTS),
        ("http://example.org/?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9", {}, Drop.QUERY_EXPLOSION),
        ("http://example.org/login", {"exclude": ("/private", "/log(in|out)$")}, Drop.URL_EXCLUDED),
        ("http://example.org/a", {"include": ("/wiki/", "/blog/")}, Drop.URL_NOT_INCLUDED),
    ],
)
def test_each_rule_has_its_drop(raw: str, scope: dict[str, Any], drop: Drop) -> None:
    assert _refuse(raw, **scope) is drop


def test_a_url_that_is_too_deep_or_was_redirected_too_often_is_refused() -> None:
    assert _refuse("http://example.org/", depth=101) is Drop.TOO_DEEP
    assert _refuse("http://example.org/", hops=6) is Drop.REDIRECT_LIMIT


@pytest.mark.parametrize(
    ("raw", "scope"),
    [
        ("http://example.org/", {"hosts": ("example.org",)}),
        ("http://www.example.org/", {"domains": ("Example.org.",)}),
        ("http://example.org/", {"domains": ("example.org",)}),
        ("http://example.org/a.pdf", {"media": True}),
        ("http://example.org/a.html", {"extensions": ("html", "")}),
        ("http://example.org/a", {"extensions": ("html", "")}),
        ("http://example.org/wiki/a", {"include": ("/wiki/",)}),
        ("http://example.org/a", {"exclude": ("/private",)}),
    ],
)
def test_what_the_scope_asks_for_is_admitted(raw: str, scope: dict[str, Any]) -> None:
    assert _refuse(raw, **scope) is None


def test_patterns_do_not_get_into_each_others_way() -> None:
    """Each has its own groups and flags, as if it were alone."""
    twice = ("/(x)y", r"/(\w+)/\1$")
    assert _refuse("http://example.org/a/b", exclude=twice) is None
    assert _refuse("http://example.org/a/a", exclude=twice) is Drop.URL_EXCLUDED
    assert _refuse("http://example.org/A.php", exclude=("/private", r"(?i)\.PHP$")) is Drop.URL_EXCLUDED


def test_hosts_of_the_scope_may_be_typed_in_capitals() -> None:
    assert _refuse("http://example.org/", hosts=("Example.org",)) is None


def test_the_verdict_on_a_host_is_the_same_the_second_time() -> None:
    settings = msgspec.structs.replace(load_config().scope, hosts=("example.org",))
    admission = Admission(settings, 5)
    for _ in range(2):
        assert admission.refuse(_url("http://other.org/a"), 0) is Drop.HOST_OUT_OF_SCOPE
        assert admission.refuse(_url("http://example.org/a"), 0) is None


def test_a_path_has_a_bounded_number_of_query_strings() -> None:
    counts = QueryCounts(limit=2)
    answers = [counts.refuse(_url(f"http://example.org/list?page={n}")) for n in range(4)]
    assert answers == [None, None, Drop.QUERY_EXPLOSION, Drop.QUERY_EXPLOSION]
    assert counts.refuse(_url("http://example.org/list")) is None
    assert counts.refuse(_url("http://example.org/other?page=1")) is None
    assert counts.refuse(_url("http://www.example.org/list?page=1")) is None


def test_the_memory_for_query_strings_is_bounded() -> None:
    counts = QueryCounts(limit=1, paths=3)
    for n in range(10):
        assert counts.refuse(_url(f"http://example.org/{n}?x")) is None
    assert counts.refuse(_url("http://example.org/9?y")) is Drop.QUERY_EXPLOSION
