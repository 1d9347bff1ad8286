"""Crawls from Python: what a caller can pass, and what is left behind."""

import asyncio
from pathlib import Path

import pytest

import opilio
from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.folder import CrawlFolder, FolderLock, is_running
from tests.builders import PROSE, write_web

SEED = "http://a.test/0"


@pytest.fixture
def web(tmp_path: Path) -> Path:
    pages = {f"http://a.test/{n}": f'<p>Page {n}. {PROSE}</p><a href="/{n + 1}">on</a>' for n in range(6)}
    return write_web(tmp_path / "web.warc.gz", pages)


def test_a_crawl_toml_of_another_folder_counts(web: Path, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "crawl.toml").write_text(f'[seeds]\nurls = ["{SEED}"]\n[stop]\npages = 2\n', "utf-8")
    for named in (tmp_path / "a", tmp_path / "a" / "crawl.toml"):
        assert len(list(opilio.crawl(named, tmp_path / f"b-{named.name}", web=web, workers=1))) == 2
    assert not (tmp_path / "a" / "crawl.db").exists()


def test_another_folder_without_a_crawl_toml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"typo/crawl\.toml does not exist"):
        opilio.crawl(tmp_path / "typo", tmp_path / "b", url=SEED)
    assert not (tmp_path / "b").exists()


def test_seeds_are_urls_or_files(web: Path, tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("http://a.test/3\n", "utf-8")
    found = opilio.crawl(
        tmp_path / "c", seeds=[SEED, tmp_path / "seeds.txt"], web=web, workers=1, settings=["scope.max_depth=0"]
    )
    assert {record.url for record in found} == {SEED, "http://a.test/3"}


def test_a_with_block_lets_a_named_crawl_go(web: Path, tmp_path: Path) -> None:
    with opilio.crawl(tmp_path / "c", url=SEED, web=web, workers=1, settings=["crawl.commit_pages=1"]) as running:
        next(running)
        assert is_running(CrawlFolder(tmp_path / "c"))
    assert running.reason == "left by the caller"
    with FolderLock(CrawlFolder(tmp_path / "c")):
        pass


def test_a_loop_that_is_left_lets_an_unnamed_crawl_go(web: Path, tmp_path: Path) -> None:
    for _ in opilio.crawl(tmp_path / "c", url=SEED, web=web, workers=1):
        break
    assert not is_running(CrawlFolder(tmp_path / "c"))


def test_a_crawl_can_be_run_to_its_end_and_says_why_it_stopped(web: Path, tmp_path: Path) -> None:
    running = opilio.crawl({"stop": {"pages": 3}}, tmp_path / "c", url=SEED, web=web, workers=1)
    assert (running.to_end(), running.reason) == ("pages reached", "pages reached")
    assert opilio.status(tmp_path / "c")["pages"] == 3


def test_a_folder_is_prepared_when_nobody_else_can_write_to_it(web: Path, tmp_path: Path) -> None:
    locked: list[bool] = []
    running = opilio.crawl(tmp_path / "c", url=SEED, web=web, workers=1, pages=1)
    running.to_end(prepare=lambda: locked.append(is_running(CrawlFolder(tmp_path / "c"))))
    assert locked == [True]


def test_warnings_of_the_crawl_reach_the_caller(web: Path, tmp_path: Path) -> None:
    (tmp_path / "few.txt").write_text("Few words.", "utf-8")
    running = opilio.crawl(
        tmp_path / "c", like=tmp_path / "few.txt", recipe="breadth-first", url=SEED, web=web, workers=1
    )
    list(running)
    assert any("words in all" in warning for warning in running.warnings)


def test_inside_an_event_loop_every_verb_says_what_to_do_and_leaves_nothing(web: Path, tmp_path: Path) -> None:
    async def notebook() -> None:
        for begin in (
            lambda: next(opilio.crawl(tmp_path / "c", url=SEED, web=web)),
            lambda: opilio.crawl(tmp_path / "c", url=SEED, web=web).to_end(),
            lambda: opilio.sample(tmp_path / "c", 1, url=SEED, web=web),
        ):
            with pytest.raises(opilio.OpilioError, match="Call it from a thread"):
                begin()

    asyncio.run(notebook())
    assert not (tmp_path / "c").exists()


def test_a_loaded_config_is_taken_as_it_is(web: Path, tmp_path: Path) -> None:
    config = load_config(recipe="random", settings=["stop.pages=2", "crawl.workers=1"])
    list(opilio.crawl(config, tmp_path / "c", url=SEED, web=web))
    assert opilio.status(tmp_path / "c")["recipe"] == "random"
