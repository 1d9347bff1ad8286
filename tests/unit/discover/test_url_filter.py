"""Which found URLs may be seeds, and why the others may not."""

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from opilio.core.errors import ConfigError
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse
from opilio.discover.blocklist import Blocklist, read_blocklist
from opilio.discover.url_filter import Refusal, UrlFilter

RULES = UrlFilter(read_blocklist())
FILE_OR_HOST = (Drop.MEDIA, Drop.UNWANTED_HOST)


@pytest.mark.parametrize(
    ("url", "drop"),
    [
        ("ftp://example.org/", Drop.SCHEME),
        ("mailto:somebody@example.org", Drop.SCHEME),
        ("/r/all/", Drop.MALFORMED_URL),
        ("https://example.org/picture.JPG?size=2", Drop.MEDIA),
        ("https://example.org/paper.pdf", Drop.MEDIA),
        ("https://www.youtube.com/watch?v=1", Drop.UNWANTED_HOST),
        ("https://pbs.twimg.com.twitter.com/", Drop.UNWANTED_HOST),
        ("https://example.org/feed/", Drop.FEED),
        ("https://example.org/blog.rss", Drop.FEED),
        ("https://example.org/?feed=rss2", Drop.FEED),
        ("https://ads.example.org/", Drop.AD),
        ("https://example.org/adclick/17", Drop.AD),
        ("https://best-casino.example/", Drop.SPAM),
        ("https://example.org/wp-login.php", Drop.SPAM),
        ("https://example.org/" + "a" * 3_000, Drop.URL_TOO_LONG),
    ],
)
def test_a_url_that_is_never_a_seed_has_a_drop(url: str, drop: Drop) -> None:
    refusal = RULES.read(url)
    assert isinstance(refusal, Refusal)
    assert refusal.drop is drop


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/",
        "https://notyoutube.com/",
        "https://example.org/news/male-escort-exposes-priests",
        "https://example.org/a/download/17/poker-night",
        "https://en.wikipedia.org/wiki/RSS",
        "https://example.org/id/2130496/fr/rss/",
        "https://badsites.example/",
    ],
)
def test_an_ordinary_page_may_be_a_seed(url: str) -> None:
    assert isinstance(RULES.read(url), Url)


def test_a_url_gets_its_canonical_form() -> None:
    assert RULES.read(" HTTPS://Example.org:443/a?utm_source=x#top ") == RULES.read("https://example.org/a")


def test_a_block_list_gives_its_reasons() -> None:
    blocked = Blocklist(["# a comment", "example.org  too many ads", "=www.example.net", ""])
    assert blocked.reason("blog.example.org") == "too many ads"
    assert blocked.reason("www.example.net")
    assert not blocked.reason("example.net")
    assert not blocked.reason("anexample.org")


def test_a_list_of_the_operators_takes_the_place_of_the_built_in_one(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("example.org my own reason\n")
    rules = UrlFilter(read_blocklist(str(tmp_path / "mine.txt")))
    assert rules.read("https://a.example.org/") == Refusal(Drop.UNWANTED_HOST, "my own reason")
    assert isinstance(rules.read("https://www.youtube.com/watch?v=1"), Url)


def test_a_line_that_is_not_a_host_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("example.org\nhttps://example.net/\n")
    with pytest.raises(ConfigError, match=r"line 2 of .*mine.txt"):
        read_blocklist(str(tmp_path / "mine.txt"))
    with pytest.raises(ConfigError, match=r"scout\.blocklist"):
        read_blocklist(str(tmp_path / "missing.txt"))


# --- real links


def reddit_links() -> list[str]:
    """The targets of all posts in the recorded listings that are not texts of their own."""
    path = Path(os.environ.get("OPILIO_DATA", "")) / "social" / "reddit.jsonl.gz"
    if not path.is_file():
        pytest.skip("OPILIO_DATA names no folder with the recorded answers")
    with gzip.open(path, "rt") as lines:
        answers = [json.loads(line)["body"] for line in lines]
    bodies = [json.loads(body) if isinstance(body, str) else body for body in answers if body]
    return [post["url"] for body in bodies for post in posts(body) if post.get("is_self") is False]


def posts(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if value.get("kind") == "t3":
            yield value["data"]
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from posts(each)


def test_every_link_of_the_recorded_listings_is_a_candidate_or_has_a_drop() -> None:
    links = set(reddit_links())
    assert len(links) == 2_540
    blocked = read_blocklist()
    read = {link: RULES.read(link) for link in links}
    candidates = {url.href for url in read.values() if isinstance(url, Url)}
    refused = {link: found.drop for link, found in read.items() if isinstance(found, Refusal)}
    assert len(candidates) + len(refused) == len(links)
    others = {link for link, drop in refused.items() if drop not in FILE_OR_HOST}
    assert all(link.startswith("/r/") for link in others), others  # not URLs: the source resolves them
    unwanted = [parse(link) for link, drop in refused.items() if drop is Drop.UNWANTED_HOST]
    assert all(isinstance(url, Url) and blocked.reason(url.host) for url in unwanted)
