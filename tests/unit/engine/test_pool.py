"""Worker processes: a page that breaks one ends as such, and the crawl goes on with the next."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from opilio.core.config import change_config, load_config
from opilio.core.items import Fetched, Gleaned, Page, Verdict
from opilio.core.outcome import Drop, Outcome
from opilio.engine import Task, Workshop
from opilio.engine.pool import InlinePool, ProcessPool, Setup
from opilio.engine.work import HEAVY_S
from opilio.judge import Everything, Judging
from opilio.keep import unpack
from tests.builders import install_plugin

_SENTENCE = "The shepherd counts every sheep before the evening comes, and writes the number into a small book. "


def _task(number: int = 0, text: str = _SENTENCE * 5) -> Task:
    body = f"<html><title>Page {number}</title><body><main><p>{text} {number}</p></main></body></html>".encode()
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    return Task(Fetched(f"http://a.test/{number}", Outcome.OK, 200, headers, body, started_s=1e9), 1, "http://a.test/")


class _Refuser:
    def judge(self, page: Page) -> Verdict:
        return Verdict(0.25, belongs=False)


class _Stubborn:
    def judge(self, page: Page) -> Verdict:
        raise RuntimeError(f"no opinion on {page.url}")


def _with_pool(size: int, talk: Callable[[ProcessPool], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        pool = ProcessPool(size, Setup(load_config(), None, context=True))
        try:
            return await talk(pool)
        finally:
            await pool.close()

    return asyncio.run(asyncio.wait_for(run(), 60))


def _pids(pool: ProcessPool) -> list[int]:
    return [worker._child.process.pid for worker in pool._workers if worker is not None]


def test_workers_give_the_same_as_no_workers() -> None:
    tasks = [_task(number) for number in range(6)]
    workshop = Workshop(load_config(), Everything())

    async def talk(pool: ProcessPool) -> list[Gleaned]:
        return await asyncio.gather(*map(pool.run, tasks))

    gleaned = _with_pool(2, talk)
    assert gleaned == [workshop.do(task) for task in tasks]
    assert [unpack(one.record).url for one in gleaned] == [task.fetched.url for task in tasks]


def test_a_worker_that_dies_takes_its_page_and_nothing_else() -> None:
    async def talk(pool: ProcessPool) -> tuple[Gleaned, Gleaned, bool]:
        await pool.run(_task())
        [pid] = _pids(pool)
        os.kill(pid, signal.SIGSTOP)
        lost = asyncio.create_task(pool.run(_task(1)))
        await asyncio.sleep(0.05)
        behind = asyncio.create_task(pool.run(_task(2)))
        await asyncio.sleep(0.05)
        os.kill(pid, signal.SIGKILL)
        return await lost, await behind, _pids(pool) != [pid]

    lost, found, replaced = _with_pool(1, talk)
    assert lost.drop is Drop.GLEAN_FAILED
    assert lost.detail == "it took too much memory, or broke a parser: its worker ended with code -9"
    assert (found.drop, replaced) == (None, True)


def test_workers_end_with_their_pool() -> None:
    async def talk(pool: ProcessPool) -> list[int]:
        await asyncio.gather(*(pool.run(_task(number)) for number in range(4)))
        return _pids(pool)

    pids = _with_pool(2, talk)
    assert len(pids) == 2
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_judge_that_raises_costs_one_page_and_not_the_crawl() -> None:
    pool = InlinePool(Workshop(load_config(), _Stubborn()))
    gleaned = asyncio.run(pool.run(_task(7)))
    assert (gleaned.drop, gleaned.detail) == (Drop.GLEAN_FAILED, "RuntimeError: no opinion on http://a.test/7")


def test_a_judge_that_raises_in_a_worker_costs_one_page() -> None:
    """Workers hand each task to the same supervisor."""
    gleaned = Workshop(load_config(), _Stubborn()).supervise(_task(7))
    assert (gleaned.drop, gleaned.detail) == (Drop.GLEAN_FAILED, "RuntimeError: no opinion on http://a.test/7")


@pytest.mark.parametrize(
    ("headers", "body", "drop"),
    [
        ((("Content-Type", "application/pdf"),), b"%PDF-1.4", Drop.CONTENT_TYPE),
        ((("Content-Type", "text/html"), ("Content-Encoding", "gzip")), b"not gzip", Drop.DECODE_ERROR),
        ((("Content-Type", "text/html"),), b"<p></p>", Drop.NO_TEXT),
    ],
)
def test_what_gives_no_document_says_why(headers: tuple[tuple[str, str], ...], body: bytes, drop: Drop) -> None:
    workshop = Workshop(load_config(), Everything())
    gleaned = workshop.do(Task(Fetched("http://a.test/", Outcome.OK, 200, headers, body), 0, ""))
    assert (gleaned.drop, gleaned.record, gleaned.warc) == (drop, b"", b"")


@pytest.mark.parametrize(
    ("refused", "judge", "stored"),
    [
        ("bytes", _Refuser(), (True, True)),
        ("text", _Refuser(), (True, False)),
        ("nothing", _Refuser(), (False, False)),
        ("nothing", Everything(), (True, True)),
    ],
)
def test_a_refused_page_is_packed_as_the_settings_say(refused: str, judge: Judging, stored: tuple[bool, bool]) -> None:
    gleaned = Workshop(load_config(settings=[f"keep.refused={refused}"]), judge).do(_task())
    assert (bool(gleaned.record), bool(gleaned.warc)) == stored


def test_a_short_page_is_packed_too() -> None:
    fetched = Fetched(
        "http://a.test/", Outcome.OK, 200, (("Content-Type", "text/html"),), b"<main><p>Short.</p></main>"
    )
    gleaned = Workshop(load_config(), Everything()).do(Task(fetched, 0, ""))
    assert (gleaned.drop, unpack(gleaned.record).text) == (Drop.TOO_SHORT, "Short.")


def test_of_a_page_that_opts_out_nothing_but_address_digests_and_signals_are_packed() -> None:
    fetched = _task().fetched
    body = fetched.body.replace(b"<title>", b'<meta name="robots" content="noai"><title>')
    gleaned = Workshop(load_config(), Everything()).do(Task(msgspec.structs.replace(fetched, body=body), 0, ""))
    record = unpack(gleaned.record)
    told = {name for name, value in msgspec.structs.asdict(record).items() if value}
    assert told == {"id", "url", "host", "fetched", "status", "signals", "text_digest", "body_digest"}
    assert gleaned.warc == b""


def test_an_opted_out_page_is_not_kept_unless_the_operator_answers_for_it(tmp_path: Path) -> None:
    task = _task()
    body = task.fetched.body.replace(b"<title>", b'<meta name="robots" content="noai"><title>')
    fetched = Fetched(task.fetched.url, Outcome.OK, 200, task.fetched.headers, body)
    answers = [
        Workshop(load_config(settings=[f"keep.opted_out={word}"]), Everything()).do(Task(fetched, 0, ""))
        for word in ("false", "true")
    ]
    assert [answer.drop for answer in answers] == [Drop.OPTED_OUT, None]
    assert "noai" in answers[0].detail
    assert [signal.value for signal in unpack(answers[1].record).signals] == ["noai"]


_LONG = f"<title>Long</title><main><p>{_SENTENCE * 4_000}</p></main>".encode()
_JUDGES = """
import time

from opilio.core.items import Verdict

class Glutton:
    def judge(self, page):
        if "spin" in page.url:
            while True:
                pass
        if "linger" in page.url:
            until = time.process_time() + 0.3
            while time.process_time() < until:
                pass
        if "swell" in page.url:
            bytearray(400_000_000)
        return Verdict(1.0, belongs=True)
"""


@pytest.fixture
def glutton(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setup:
    """A judge that takes too much for some pages, and small limits."""
    folder = install_plugin(tmp_path, "judge", "glutton", "glutton:Glutton")
    (folder / "glutton.py").write_text(_JUDGES, "utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    monkeypatch.syspath_prepend(str(folder))
    limits = ["limits.page_cpu_s=0.5", "limits.page_memory_bytes=100000000", 'judge.name="glutton"']
    return Setup(load_config(settings=limits), None, context=True)


def _named(name: str) -> Task:
    task = _task()
    return msgspec.structs.replace(task, fetched=msgspec.structs.replace(task.fetched, url=f"http://a.test/{name}"))


def test_a_page_that_takes_too_much_costs_itself_and_nothing_else(glutton: Setup) -> None:
    async def run() -> list[Gleaned]:
        pool = ProcessPool(1, glutton)
        try:
            return [await pool.run(_named(name)) for name in ("first", "spin", "second", "swell", "third")]
        finally:
            await pool.close()

    first, spun, second, swollen, third = asyncio.run(asyncio.wait_for(run(), 60))
    assert [first.drop, second.drop, third.drop] == [None, None, None]
    assert spun.drop is Drop.GLEAN_FAILED
    assert spun.detail == "it took too much processor time: its worker ended with code -27"
    assert spun.held_s >= 0.5  # so that its host rests
    assert (swollen.drop, swollen.detail[:11]) == (Drop.GLEAN_FAILED, "MemoryError")


def test_models_are_loaded_before_the_first_page(glutton: Setup) -> None:
    """So the first page of a host is told if it takes long, even after a new setup."""

    async def run() -> list[Gleaned]:
        pool = ProcessPool(1, glutton)
        try:
            first = await pool.run(_named("linger"))
            pool.renew(glutton, Everything())
            return [first, await pool.run(_named("linger"))]
        finally:
            await pool.close()

    for gleaned in asyncio.run(asyncio.wait_for(run(), 60)):
        assert gleaned.drop is None
        assert HEAVY_S < gleaned.cpu_s < 0.5
        assert gleaned.held_s >= HEAVY_S


def test_long_pages_have_no_more_workers_than_there_are_and_one_is_left_for_short_ones(glutton: Setup) -> None:
    config = change_config(glutton.config, ["limits.page_cpu_s=100"])
    long = msgspec.structs.replace(_named("spin"), fetched=msgspec.structs.replace(_named("spin").fetched, body=_LONG))

    async def run() -> tuple[Gleaned, int, int]:
        pool = ProcessPool(1, msgspec.structs.replace(glutton, config=config))
        try:
            stuck = [asyncio.create_task(pool.run(long)) for _ in range(5)]
            await asyncio.sleep(0.1)
            short = await pool.run(_named("short"))
            return short, len(_pids(pool)), sum(task.done() for task in stuck)
        finally:
            await pool.close()
            for task in stuck:
                task.cancel()

    short, workers, done = asyncio.run(asyncio.wait_for(run(), 60))
    assert (short.drop, workers, done) == (None, 2, 0)


def test_pages_do_not_wait_for_one_that_takes_long(glutton: Setup) -> None:
    """This holds even with one worker, and for those that came just after it."""
    config = change_config(glutton.config, ["limits.page_cpu_s=100"])

    async def run() -> tuple[list[Gleaned], bool]:
        pool = ProcessPool(1, msgspec.structs.replace(glutton, config=config))
        try:
            await pool.run(_named("first"))
            stuck = asyncio.create_task(pool.run(_named("spin"), proven=False))
            await asyncio.sleep(0.1)
            others = await asyncio.gather(*(pool.run(_named(f"other{number}")) for number in range(20)))
            return others, stuck.done()
        finally:
            await pool.close()
            stuck.cancel()

    others, is_done = asyncio.run(asyncio.wait_for(run(), 60))
    assert ({one.drop for one in others}, is_done) == ({None}, False)
