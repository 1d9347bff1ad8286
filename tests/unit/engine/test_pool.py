"""Worker processes: a page that breaks one ends as such, and the crawl goes on with the next."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from opilio.core.config import load_config
from opilio.core.items import Fetched, Gleaned, Page, Verdict
from opilio.core.outcome import Drop, Outcome
from opilio.engine import InlinePool, ProcessPool, Setup, Task, Workshop
from opilio.judge import Everything
from opilio.keep import unpack

_SENTENCE = "The shepherd counts every sheep before the evening comes, and writes the number into a small book. "


def _task(number: int = 0, text: str = _SENTENCE * 5) -> Task:
    body = f"<html><title>Page {number}</title><body><main><p>{text} {number}</p></main></body></html>".encode()
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    return Task(Fetched(f"http://a.test/{number}", Outcome.OK, 200, headers, body, started_s=1e9), 1, "http://a.test/")


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
    assert (lost.drop, lost.detail) == (Drop.GLEAN_FAILED, "its worker ended with code -9")
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
        ((("Content-Type", "text/html"),), b"<main><p>Too short to be a document.</p></main>", Drop.TOO_SHORT),
    ],
)
def test_what_gives_no_document_says_why(headers: tuple[tuple[str, str], ...], body: bytes, drop: Drop) -> None:
    workshop = Workshop(load_config(), Everything())
    gleaned = workshop.do(Task(Fetched("http://a.test/", Outcome.OK, 200, headers, body), 0, ""))
    assert (gleaned.drop, gleaned.record, gleaned.warc) == (drop, b"", b"")


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
