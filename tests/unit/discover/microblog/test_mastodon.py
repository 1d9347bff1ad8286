"""Mastodon over HTTP on loopback, with recorded answers of real servers."""

import asyncio
from collections.abc import Mapping
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from opilio.core.errors import ConfigError
from opilio.discover import Find
from opilio.discover.microblog import Kind, Listing, Shown
from opilio.discover.microblog.mastodon import MastodonService
from opilio.discover.microblog.service import show

from .loopback import Reply, Served, asking, built, collect, json_reply, recorded, serve

DELAY_S = 0.001


def replay(path: str, query: Mapping[str, str]) -> Reply:
    """The first recorded answer for this path and this page; an empty page, as recorded ends are, where none was recorded."""
    for each in recorded("mastodon.jsonl.gz"):
        url = urlsplit(each["uri"])
        page = parse_qs(url.query).get("max_id", [""])[0]
        if (url.path, page) == (path, query.get("max_id", "")) and "min_id" not in url.query:
            headers = {name: values[0] for name, values in each["headers"].items()}
            return json_reply(each["body"], each["status"], headers)
    return json_reply([]) if "max_id" in query else json_reply({"error": "Record not found"}, 404)


def test_a_recorded_hashtag_is_read_page_by_page_until_it_ends() -> None:
    tag = next(each["uri"] for each in recorded("mastodon.jsonl.gz") if "/tag/fgiz" in each["uri"])
    name = urlsplit(tag).path.rpartition("/")[2]

    async def read() -> tuple[list[Shown], Served]:
        async with serve(replay) as served, asking(built("mastodon", ())[1]) as ask:
            service = MastodonService(served.origin, delay_s=DELAY_S)
            pages: list[Shown] = []
            while not pages or pages[-1].cursor:
                cursor = pages[-1].cursor if pages else ""
                pages.append(await show(service, ask, Listing(Kind.CHANNEL, f"#{name}"), cursor))
            return pages, served

    pages, served = asyncio.run(read())
    ids = [message.id for page in pages for message in page.messages]
    assert [len(page.messages) for page in pages] == [10, 10, 10, 0]
    assert len(set(ids)) == 30
    assert all(int(newer) > int(older) for newer, older in pairwise(ids))
    assert served.asked[0] == f"/api/v1/timelines/tag/{name}?limit=40"


def test_recorded_users_are_visited_from_a_timeline() -> None:
    """The users of the recorded home timeline are those whose pages were recorded; it looks like a public one."""
    homes = [each["body"] for each in recorded("mastodon.jsonl.gz") if each["uri"].endswith("/timelines/home")]
    home = max(homes, key=len)

    def answer(path: str, query: Mapping[str, str]) -> Reply:
        return json_reply(home) if path == "/api/v1/timelines/public" else replay(path, query)

    async def run() -> Served:
        async with serve(answer) as served:
            source, config = built("mastodon", ['scout.mode="deep"'], where=served.origin, delay_s=DELAY_S)
            await collect(source, config, {})
            return served

    asked = asyncio.run(run()).asked
    authors = dict.fromkeys(status["account"]["id"] for status in home)
    visits = [f"/api/v1/accounts/{author}/statuses?limit=40&exclude_reblogs=true" for author in authors]
    friends = ["/api/v1/accounts/117020565966271181/following?limit=80"]  # the other user's page was not recorded
    assert asked == ["/api/v1/timelines/public?limit=40", *visits, *friends]


def test_links_of_recorded_messages_are_found_but_not_those_to_users_and_tags() -> None:
    statuses = [
        each["body"]
        for each in recorded("mastodon.jsonl.gz")
        if each["status"] == 200 and isinstance(each["body"], dict) and "content" in each["body"]
    ]
    finds = asyncio.run(read_statuses(statuses))
    assert {find.url for find in finds} == {
        "http://example.org/",
        "https://www.youtube.com/watch?v=FAEKjYroiME",
        "https://soundcloud.com/wakarangirl/popstars-dj-wakaran-girl-khard-bass-flex-1",
        "https://halcy.itch.io/cat-game",
        "https://bsky.app/profile/h4lcy.bsky.social/post/3lwlumdwf522i",
        "https://bsky.app/profile/did:plc:5syfqzormjkutgo5hi2u2gpr/post/3lwlumdwf522i",
    }


async def read_statuses(statuses: list[Any]) -> list[Find]:
    async with serve(lambda *_: json_reply(statuses)) as served:
        settings = ['scout.mode="channels"']
        source, config = built("mastodon", settings, where=served.origin, delay_s=DELAY_S, tags=["news"])
        return await collect(source, config, {})


def test_a_service_that_has_no_request_left_is_given_the_time_that_it_asks_for() -> None:
    def answer(_path: str, query: Mapping[str, str]) -> Reply:
        if query.get("max_id"):
            return json_reply([])
        link = '<http://[/api/v1/timelines/public?max_id=7>; rel="next"'  # only the number is taken from it
        rates = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"}
        return json_reply([status(7)], headers={"Link": link, **rates})

    async def run() -> Served:
        async with serve(answer) as served:
            source, config = built("mastodon", (), where=served.origin, delay_s=DELAY_S, levels=0)
            await collect(source, config, {})
            return served

    served = asyncio.run(run())
    assert served.asked == ["/api/v1/timelines/public?limit=40", "/api/v1/timelines/public?limit=40&max_id=7"]
    assert served.times_s[1] - served.times_s[0] >= 0.9


def test_a_repeated_message_is_that_of_its_author() -> None:
    shared = {**status(1), "content": "", "reblog": {**status(9), "account": {"id": "42"}}}
    finds = asyncio.run(read_statuses([shared]))
    assert [find.url for find in finds] == ["https://9.example/"]


def test_channels_of_mastodon_must_be_named() -> None:
    with pytest.raises(ConfigError, match=r"sources\.mastodon\.tags"):
        built("mastodon", ['scout.mode="channels"'])
    with pytest.raises(ConfigError, match='has no timeline "everything"'):
        built("mastodon", (), timelines=["everything"])


def status(number: int) -> dict[str, Any]:
    return {
        "id": str(number),
        "created_at": f"2026-01-01T00:00:{number:02}.000Z",
        "content": f'<p>Words and <a href="https://{number}.example/">a link</a></p>',
        "account": {"id": "1"},
        "language": None,
    }
