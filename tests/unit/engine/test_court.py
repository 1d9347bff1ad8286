"""All copies of a judge judge alike: after a new calibration, after a change of settings, in any process."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from opilio.core.config import change_config, load_config
from opilio.core.errors import ConfigError
from opilio.core.items import Fetched, Gleaned, Page, Verdict
from opilio.core.outcome import Drop, Outcome
from opilio.core.plugin import Context, Sample
from opilio.engine import Task
from opilio.engine.court import Court
from opilio.engine.pool import InlinePool, Pool, ProcessPool, Setup
from opilio.judge import Judge, Judging, build_judge

GERMAN = "Der Hirte zählt am Abend alle Schafe und schreibt die Zahl in ein kleines Buch. " * 6


def _task(number: int = 0) -> Task:
    body = f"<html><body><main><p>{GERMAN} {number}</p></main></body></html>".encode()
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    return Task(Fetched(f"http://a.test/{number}", Outcome.OK, 200, headers, body, started_s=1e9), 0, "")


def _with_court(workers: int, talk: Callable[[Court], Awaitable[Any]], *settings: str) -> Any:
    async def run() -> Any:
        config = load_config(recipe="language", settings=['corpus.languages=["de"]', *settings])
        setup = Setup(config, None, context=True)
        context = Context(config, None)
        pool: Pool = ProcessPool(workers, setup) if workers > 1 else InlinePool(setup.workshop())
        court = Court(build_judge(context), pool, setup, context)
        try:
            return await talk(court)
        finally:
            await court.close()

    return asyncio.run(asyncio.wait_for(run(), 60))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_changed_setting_holds_for_every_page_that_comes_after_it(workers: int) -> None:
    async def talk(court: Court) -> list[Drop | None]:
        before = await asyncio.gather(*(court.run(_task(number)) for number in range(4)))
        court.retune(change_config(load_config(recipe="language"), ['corpus.languages=["fr"]']))
        after = await asyncio.gather(*(court.run(_task(number)) for number in range(4)))
        return [gleaned.drop for gleaned in (*before, *after)]

    assert _with_court(workers, talk) == [None] * 4 + [Drop.NOT_RELEVANT] * 4


def test_settings_that_no_judge_can_be_built_from_change_nothing() -> None:
    async def talk(court: Court) -> Gleaned:
        with pytest.raises(ConfigError, match=r"corpus\.languages"):
            court.retune(load_config(recipe="language"))
        return await court.run(_task())

    assert _with_court(1, talk).drop is None


def test_settings_of_other_parts_leave_the_judge_alone() -> None:
    async def talk(court: Court) -> bool:
        judge = court.judge
        court.retune(load_config(recipe="language", settings=['corpus.languages=["de"]', "fetch.delay_s=9"]))
        return court.judge is judge

    assert _with_court(1, talk)


class _Counting(Judge):
    """Learns: a page belongs as soon as three were met."""

    def __init__(self) -> None:
        self.met = 0

    def judge(self, page: Page) -> Verdict:
        return Verdict(1.0, belongs=self.met >= 3)

    def watch(self, page: Page, verdict: Verdict) -> bool:
        self.met += 1
        return self.met == 3

    def state(self) -> bytes:
        return str(self.met).encode()


class _Recording(InlinePool):
    def __init__(self) -> None:
        self.setups: list[Setup] = []

    def renew(self, setup: Setup, judge: Judging) -> None:
        self.setups.append(setup)


def test_a_new_calibration_reaches_the_pool_and_the_next_commit_once(tmp_path: Path) -> None:
    config = load_config()
    pool, setup, context = (
        _Recording(),
        Setup(config, str(tmp_path), context=True, state=b"0"),
        Context(config, tmp_path),
    )
    court = Court(_Counting(), pool, setup, context._replace(state=b"0"))
    page = _page()
    saved = []
    for _ in range(5):
        court.watch(page, Verdict(1.0, belongs=True))
        saved.append(court.save())
    assert [setup.state for setup in pool.setups] == [b"3"]
    assert saved == [None, None, b"3", None, None]


@pytest.mark.parametrize("workers", [1, 2])
def test_pages_are_judged_by_what_the_operator_has_taught(workers: int) -> None:
    """The owner's own judge does it in its process, and copies of it in others."""

    async def run() -> None:
        config = load_config(settings=["judge.name=topic"])
        context = Context(config, None, (Sample("shepherd", GERMAN),))
        judge = build_judge(context)
        setup = Setup(config, None, context=True, state=judge.state())
        court = Court(
            judge, ProcessPool(workers, setup) if workers > 1 else InlinePool(setup.workshop()), setup, context
        )
        before = await court.run(_task())
        assert before.page is not None
        assert before.verdict is not None
        assert court.teach(before.page, belongs=False)
        after = await court.run(_task())
        await court.close()
        assert after.verdict is not None
        assert after.verdict == court.judge.judge(before.page) != before.verdict

    asyncio.run(asyncio.wait_for(run(), 60))


def test_what_was_met_since_the_last_calibration_is_saved_when_a_run_ends(tmp_path: Path) -> None:
    config = load_config()
    setup, context = Setup(config, str(tmp_path), context=True, state=b"0"), Context(config, tmp_path, state=b"0")
    court = Court(_Counting(), _Recording(), setup, context)
    court.watch(_page(), Verdict(1.0, belongs=True))
    assert court.save() is None
    assert court.save(ending=True) == b"1"


def _page() -> Page:
    gleaned = Setup(load_config(), None, context=True).workshop().do(_task())
    assert gleaned.page is not None
    return gleaned.page


def test_what_a_court_goes_by_is_said_in_words() -> None:
    async def talk(court: Court) -> str:
        return court.goes_by

    assert _with_court(1, talk) == "the language (German)"
    assert _with_court(1, talk, "judge.name=comments") == "the language (German) and the judge comments"
    assert _with_court(1, talk, "judge.name=comments", "corpus.languages=[]") == "the judge comments"
