"""Services that refuse, break or change: each gives an error that says what to do."""

import asyncio
from collections.abc import Mapping

import pytest

from opilio.core.errors import ConfigError
from opilio.discover import Find, SourceError

from .loopback import Reply, built, collect, json_reply, serve

NAMES = ("mastodon", "bluesky", "reddit")


def run(name: str, reply: Reply, **options: object) -> list[Find]:
    async def ask() -> list[Find]:
        async with serve(lambda _path, _query: reply) as served:
            place = {"where": served.origin} if name == "mastodon" else {"server": served.origin}
            source, config = built(name, (), **place, **{"delay_s": 0.001, **options})
            return await collect(source, config, {})

    return asyncio.run(ask())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("status", [401, 403])
def test_a_service_that_wants_a_login_names_the_variable_of_the_token(name: str, status: int) -> None:
    with pytest.raises(SourceError, match=rf"^{name}: .* wants a login .*OPILIO_{name.upper()}_TOKEN is not set"):
        run(name, json_reply({"error": "The access token is invalid"}, status))


@pytest.mark.parametrize("name", NAMES)
def test_a_token_that_is_not_accepted_is_to_be_renewed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"OPILIO_{name.upper()}_TOKEN", "secret")
    with pytest.raises(SourceError, match="not accepted: renew it") as caught:
        run(name, json_reply({}, 401))
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("name", NAMES)
def test_a_service_that_allows_no_more_requests_is_to_be_asked_later(name: str) -> None:
    with pytest.raises(SourceError, match=rf"429.*again later.*sources\.{name}\.delay_s"):
        run(name, json_reply({}, 429))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "body",
    [
        b"<!doctype html><title>Log in</title>", b"", b"null", b"{}", b'[{"id": 1}]', b'{"feed": 5, "data": []}',
        b'{"data": {"children": [{"kind": "t3", "data": {"name": "t3_x"}}]}}', b"[" * 100_000,
    ],
)  # fmt: skip
def test_a_changed_answer_is_told_from_an_empty_one(name: str, body: bytes) -> None:
    with pytest.raises(SourceError, match=rf"^{name}: .* answered something else than the service documents"):
        run(name, (200, {"Content-Type": "application/json"}, body))


@pytest.mark.parametrize("name", NAMES)
def test_a_server_that_fails_is_to_be_asked_later(name: str) -> None:
    with pytest.raises(SourceError, match="HTTP 500"):
        run(name, json_reply({}, 500))


def test_half_a_character_in_one_message_spoils_no_answer() -> None:
    body = (
        b'[{"id": "1", "created_at": "2026-01-01T00:00:00Z", "account": {"id": "2"},'
        b' "content": "<p>\\ud83d and \xff <a href=\'https://a.example/\'>here</a></p>"}]'
    )
    assert [find.url for find in run("mastodon", (200, {}, body), levels=0)] == ["https://a.example/"]


def test_a_user_who_is_gone_is_left_out_without_an_error() -> None:
    status = {"id": "1", "created_at": "2026-01-01T00:00:00Z", "account": {"id": "77"}, "content": "Words"}

    def answer(path: str, _query: Mapping[str, str]) -> Reply:
        return json_reply([status]) if path.endswith("/public") else json_reply({"error": "Record not found"}, 404)

    async def ask() -> list[str]:
        async with serve(answer) as served:
            source, config = built("mastodon", ['scout.mode="deep"'], where=served.origin, delay_s=0.001)
            await collect(source, config, {})
            return served.asked

    assert len(asyncio.run(ask())) == 2  # the timeline and the user, whose friends are not asked for


def test_an_unknown_option_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"sources\.mastodon: .*unknown field `page`.* pages, friend_pages"):
        built("mastodon", (), page=3)
    with pytest.raises(ConfigError, match=r"sources\.bluesky: "):
        built("bluesky", (), pages="many")
