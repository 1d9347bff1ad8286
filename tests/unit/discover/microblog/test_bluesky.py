"""Bluesky over HTTP on loopback, with recorded posts."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from opilio.core.errors import ConfigError
from opilio.discover import Find, Memory
from opilio.discover.microblog import Kind, Listing
from opilio.discover.microblog.bluesky import BlueskyService

from .loopback import Reply, Served, built, collect, json_reply, recorded, serve

DELAY_S = 0.001
RATES = {"RateLimit-Limit": "3000", "RateLimit-Remaining": "2990", "RateLimit-Policy": "3000;w=300"}
PAGE = 50


def posts() -> list[dict[str, Any]]:
    return [each.get("post", each) for each in recorded("bluesky-posts.json")]


def replay(path: str, query: Mapping[str, str]) -> Reply:
    """The recorded posts as a feed, as what is found, or as what their authors wrote; each author follows the next one."""
    call = path.removeprefix("/xrpc/app.bsky.")
    start = int(query.get("cursor", "0"))
    if call == "graph.getFollows":
        authors = list(dict.fromkeys(post["author"]["did"] for post in posts()))
        following = authors[(authors.index(query["actor"]) + 1) % len(authors)]
        return json_reply({"subject": {"did": query["actor"]}, "follows": [{"did": following}]}, headers=RATES)
    shown = [post for post in posts() if post["author"]["did"] == query.get("actor", post["author"]["did"])]
    page = shown[start : start + PAGE]
    more = {"cursor": str(start + PAGE)} if start + PAGE < len(shown) else {}
    if call == "feed.searchPosts":
        return json_reply({"posts": page, **more}, headers=RATES)
    assert call in ("feed.getFeed", "feed.getAuthorFeed")
    return json_reply({"feed": [{"post": post} for post in page], **more}, headers=RATES)


async def run(*settings: str, memory: Memory | None = None, **options: Any) -> tuple[list[Find], Served]:
    async with serve(replay) as served:
        source, config = built("bluesky", settings, server=served.origin, delay_s=DELAY_S, **options)
        return await collect(source, config, {} if memory is None else memory), served


def linked(post: Any) -> set[str]:
    """A count of its own: what the facets and the card of a recorded post name."""
    facets = post["record"].get("facets") or []
    named = {feature["uri"] for facet in facets for feature in facet["features"] if "uri" in feature}
    embed = post.get("embed") or {}
    cards = [each["external"]["uri"] for each in (embed, embed.get("media") or {}) if "external" in each]
    return named.union(cards)


def test_every_link_of_the_recorded_posts_is_found_page_by_page() -> None:
    finds, served = asyncio.run(run(levels=0))
    expected = set().union(*map(linked, posts()))
    assert len(expected) > 100
    assert {find.url for find in finds} == expected
    assert [path.rpartition("cursor=")[2] for path in served.asked[1:]] == ["50", "100"]
    assert {find.group for find in finds} == {"random"}


def test_a_search_by_language_is_a_channel() -> None:
    finds, served = asyncio.run(run('scout.mode="channels"', 'corpus.languages=["fr"]'))
    assert served.asked[0] == "/xrpc/app.bsky.feed.searchPosts?q=https&lang=fr&sort=latest&limit=100"
    assert {find.language for find in finds if not find.set_aside} == {"fr"}
    assert {find.group for find in finds} == {"channel", "rejected", "random"}


def test_authors_and_whom_they_follow_are_visited() -> None:
    _, served = asyncio.run(run('scout.mode="deep"'))
    authors = {post["author"]["did"] for post in posts()}
    visits = [path for path in served.asked if "getAuthorFeed" in path]
    assert len(visits) == len(authors)
    assert any("getFollows" in path for path in served.asked)
    assert len(set(served.asked)) == len(served.asked)


def test_no_name_of_a_user_is_in_the_memory_or_in_a_find() -> None:
    memory: dict[str, bytes] = {}
    finds, _ = asyncio.run(run('scout.mode="deep"', memory=memory))
    names = {post["author"][field] for post in posts() for field in ("did", "handle")}
    stored = b"\n".join([key.encode() + value for key, value in memory.items()])
    assert len(memory) > len({post["author"]["did"] for post in posts()})  # a row for each user, and more
    assert [name for name in names if name.encode() in stored] == []
    assert [find for find in finds if any(name in find.origin or f"@{name}" in find.message for name in names)] == []


def test_a_record_that_a_strange_client_has_written_spoils_no_answer() -> None:
    post = {
        **posts()[0],
        "record": {"text": ["not", "a", "text"]},
        "embed": {"external": {"uri": "https://a.example/"}},
    }

    async def read() -> list[Find]:
        async with serve(lambda *_: json_reply({"feed": [{"post": post}]})) as served:
            source, config = built("bluesky", (), server=served.origin, delay_s=DELAY_S, levels=0)
            return await collect(source, config, {})

    assert [find.url for find in asyncio.run(read())] == ["https://a.example/"]


def test_what_others_wrote_is_not_taken_for_a_users_own() -> None:
    item = {"post": posts()[0], "reason": {"$type": "app.bsky.feed.defs#reasonRepost"}}

    async def read() -> list[str]:
        async with serve(lambda *_: json_reply({"feed": [item]})) as served:
            source, config = built("bluesky", (), server=served.origin, delay_s=DELAY_S)
            await collect(source, config, {})
            return served.asked

    assert len(asyncio.run(read())) == 1  # the feed; nobody was met


def test_channels_need_a_language_or_tags() -> None:
    assert BlueskyService(tags=["#berita"]).channels(["id"]) == [Listing(Kind.CHANNEL, "#berita")]
    with pytest.raises(ConfigError, match="--language"):
        built("bluesky", ['scout.mode="channels"'])
