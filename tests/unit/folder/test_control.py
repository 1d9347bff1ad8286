"""The control channel: one line in, one line out, over a real socket in the crawl's folder."""

import asyncio
import contextlib
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from opilio.core.errors import ConfigError, CrawlDirError, OpilioError
from opilio.folder import ControlServer, CrawlFolder, ask
from opilio.folder.control import socket_path


def _apply(message: dict[str, Any]) -> dict[str, Any]:
    if message.get("command") == "fail":
        raise ConfigError("there is no such thing.")
    return {"heard": message}


def _with_server(folder: CrawlFolder, talk: Callable[[], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        server = ControlServer(folder, _apply)
        await server.start()
        try:
            return await talk()
        finally:
            await server.close()

    return asyncio.run(asyncio.wait_for(run(), 30))


async def _raw(folder: CrawlFolder, *lines: bytes) -> list[bytes]:
    reader, writer = await asyncio.open_unix_connection(str(socket_path(folder)))
    answers = []
    for line in lines:
        writer.write(line + b"\n")
        answers.append(await reader.readline())
    writer.close()
    await writer.wait_closed()
    return answers


def test_a_command_and_its_fields_reach_the_crawl(tmp_path: Path) -> None:
    folder = CrawlFolder(tmp_path)
    answer = _with_server(folder, lambda: asyncio.to_thread(ask, folder, "set", settings=["fetch.delay_s=2"]))
    assert answer == {"heard": {"command": "set", "settings": ["fetch.delay_s=2"]}}


def test_what_the_crawl_refuses_is_raised_where_it_was_asked(tmp_path: Path) -> None:
    folder = CrawlFolder(tmp_path)
    with pytest.raises(OpilioError, match=r"there is no such thing\."):
        _with_server(folder, lambda: asyncio.to_thread(ask, folder, "fail"))


def test_nonsense_is_answered_and_the_connection_lives_on(tmp_path: Path) -> None:
    folder = CrawlFolder(tmp_path)
    answers = _with_server(folder, lambda: _raw(folder, b"not json", b"[1]", b"\xff", b'{"command": "status"}'))
    assert [msgspec.json.decode(answer)["ok"] for answer in answers] == [False, False, False, True]


def test_a_line_without_end_closes_its_connection_only(tmp_path: Path) -> None:
    folder = CrawlFolder(tmp_path)

    async def talk() -> list[bytes]:
        with contextlib.suppress(ConnectionError):
            assert await _raw(folder, b"x" * 2**18) == [b""]
        return await _raw(folder, b'{"command": "status"}')

    assert _with_server(folder, talk)[0].startswith(b'{"ok":true')


def test_nobody_but_the_owner_can_reach_the_socket_and_it_goes_with_the_crawl(tmp_path: Path) -> None:
    folder = CrawlFolder(tmp_path)

    async def mode() -> int:
        return stat.S_IMODE(socket_path(folder).stat().st_mode)

    assert _with_server(folder, mode) == 0o600
    assert not socket_path(folder).exists()


def test_a_socket_that_a_kill_left_behind_is_replaced(tmp_path: Path) -> None:
    folder = CrawlFolder(tmp_path)
    socket_path(folder).write_text("")
    assert _with_server(folder, lambda: asyncio.to_thread(ask, folder, "status"))


def test_asking_where_nothing_runs_says_how_to_start(tmp_path: Path) -> None:
    with pytest.raises(CrawlDirError, match=r"no crawl is running in .*opilio crawl"):
        ask(CrawlFolder(tmp_path), "status")


def test_a_folder_with_a_long_name_has_a_socket_elsewhere_and_always_the_same(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 100) / ("y" * 100)
    deep.mkdir(parents=True)
    folder = CrawlFolder(deep)
    assert len(str(socket_path(folder))) < 104
    assert socket_path(folder) == socket_path(CrawlFolder(deep))
    assert socket_path(folder) != socket_path(CrawlFolder(deep.parent))
    assert _with_server(folder, lambda: asyncio.to_thread(ask, folder, "status"))
