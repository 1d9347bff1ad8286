"""Reddit over HTTP on loopback, with its own recorded answers."""

import asyncio
from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin

import msgspec
import pytest

from opilio.core.errors import ConfigError
from opilio.core.items import Fetched
from opilio.core.outcome import Outcome
from opilio.discover import Find
from opilio.discover.microblog import Kind, Listing
from opilio.discover.microblog.reddit import RedditService
from opilio.discover.microblog.service import show

from .loopback import Reply, Served, asking, built, collect, json_reply, recorded, serve

DELAY_S = 0.001
RATES = {"x-ratelimit-remaining": "590.0", "x-ratelimit-reset": "300"}


def test_every_recorded_post_with_a_link_is_found() -> None:
    answers = recorded("reddit.jsonl.gz")
    expected = [urljoin("https://www.reddit.com", url) for url in linked_posts([answer["body"] for answer in answers])]
    finds, served = asyncio.run(read_recorded([answer["body"] for answer in answers]))
    found = {find.url for find in finds}
    assert (len(expected), len(set(expected))) == (3028, 2540)
    assert set(expected) <= found
    assert len(served.asked) == len(answers)
    assert {find.group for find in finds} == {"channel"}


def linked_posts(tree: Any) -> list[str]:
    """A count of its own: every object of kind t3 anywhere in an answer that is not a text of its author."""
    if isinstance(tree, list):
        return [url for each in tree for url in linked_posts(each)]
    if not isinstance(tree, dict):
        return []
    own = [tree["data"]["url"]] if tree.get("kind") == "t3" and tree["data"].get("is_self") is False else []
    return own + [url for each in tree.values() for url in linked_posts(each)]


async def read_recorded(bodies: list[Any]) -> tuple[list[Find], Served]:
    """Serves all recorded answers as the pages of one channel; only the name of the next page is made up."""
    for number, body in enumerate(bodies, 1):
        first = body[0] if isinstance(body, list) else body.get("sorted_links", body)
        first["data"]["after"] = f"t3_page{number}" if number < len(bodies) else None

    def answer(path: str, query: Mapping[str, str]) -> Reply:
        assert path == "/r/de+Austria/new.json"
        return json_reply(bodies[int(query.get("after", "t3_page0").removeprefix("t3_page"))], headers=RATES)

    async with serve(answer) as served:
        options = {"where": "de+Austria", "server": served.origin, "delay_s": DELAY_S, "pages": len(bodies)}
        source, config = built("reddit", ['scout.mode="channels"'], **options)
        return await collect(source, config, {}), served


def test_the_pages_of_a_user_are_followed_to_the_end() -> None:
    """There are eleven pages in the recording, each of which names the next."""
    answers = [each for each in recorded("reddit.jsonl.gz") if "/user/spez/?raw_json=1&t=all&" in each["uri"]]
    pages = {each["uri"].partition("after=")[2].partition("&")[0]: each["body"] for each in answers}
    listing = Listing(Kind.USER, "spez")

    async def read() -> tuple[int, list[str]]:
        async with serve(lambda _path, query: json_reply(pages[query.get("after", "")], headers=RATES)) as served:
            _, config = built("reddit", ())
            service, cursor, count, first = RedditService(served.origin, DELAY_S), "", 0, True
            async with asking(config) as ask:
                while first or cursor:
                    shown = await show(service, ask, listing, cursor)
                    count, cursor, first = count + len(shown.messages), shown.cursor, False
            return count, served.asked

    count, asked = asyncio.run(read())
    assert (count, len(asked)) == (1001, 11)
    assert asked[1] == "/user/spez/overview.json?limit=100&raw_json=1&after=t1_ct5snit"


def test_friends_are_those_whose_posts_a_user_comments_on() -> None:
    answers = [each for each in recorded("reddit.jsonl.gz") if "/user/spez/comments?" in each["uri"]]
    body = answers[0]["body"]
    answer = Fetched("https://www.reddit.com/", Outcome.OK, 200, body=msgspec.json.encode(body))
    shown = RedditService().read(Listing(Kind.FRIENDS, "spez"), answer)
    authors = {thing["data"]["link_author"] for thing in body["data"]["children"]}
    assert shown.users
    assert set(shown.users) == authors - {"[deleted]"}
    assert shown.cursor == body["data"]["after"]


def test_a_later_run_finds_only_what_is_new() -> None:
    posts = [post(3), post(2), post(1)]

    async def run() -> list[list[str]]:
        async with serve(lambda *_: json_reply(listing(posts))) as served:
            options = {"where": "de", "server": served.origin, "delay_s": DELAY_S}
            source, config = built("reddit", ['scout.mode="channels"'], **options)
            memory: dict[str, bytes] = {}
            runs = [await collect(source, config, memory), await collect(source, config, memory)]
            posts.insert(0, post(4))
            posts.insert(0, {**post(4), "name": "t3_5", "url": "https://5.example/"})  # in the same second
            runs.append(await collect(source, config, memory))
            return [[find.url for find in finds] for finds in runs]

    first, second, third = asyncio.run(run())
    assert (first, second) == (["https://3.example/", "https://2.example/", "https://1.example/"], [])
    assert third == ["https://5.example/", "https://4.example/"]


def test_there_is_a_channel_for_each_language_of_the_paper() -> None:
    service = RedditService()
    assert len(service.channels(())) == 16
    assert [channel.of for channel in service.channels(["sv"])] == ["r/sweden+svenskpolitik"]
    with pytest.raises(ConfigError, match="no subreddits of Indonesian are known"):
        service.channels(["id"])


def test_a_token_goes_into_the_request_and_chooses_the_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPILIO_REDDIT_TOKEN", "secret")
    question = RedditService().question(Listing(Kind.TIMELINE, "all"))
    assert question.url == "https://oauth.reddit.com/r/all/new?limit=100&raw_json=1"
    assert question.headers == (("Authorization", "Bearer secret"),)


def test_links_in_texts_are_found_without_what_is_around_them() -> None:
    text = "See [this](https://a.example/b_(c)), <https://d.example/> or (https://e.example/f)."
    body = listing([{**post(1), "is_self": True, "selftext": text, "author": "[deleted]"}])
    answer = Fetched("https://www.reddit.com/", Outcome.OK, 200, body=msgspec.json.encode(body))
    (message,) = RedditService().read(Listing(Kind.TIMELINE, "all"), answer).messages
    assert message.links == ("https://a.example/b_(c)", "https://d.example/", "https://e.example/f")
    assert message.author == ""


def post(number: int) -> dict[str, Any]:
    return {
        "name": f"t3_{number}",
        "author": f"user{number}",
        "title": f"Title {number}",
        "url": f"https://{number}.example/",
        "is_self": False,
        "created_utc": 1_700_000_000.0 + number,
    }


def listing(posts: list[dict[str, Any]], after: str | None = None) -> dict[str, Any]:
    return {"kind": "Listing", "data": {"after": after, "children": [{"kind": "t3", "data": each} for each in posts]}}
