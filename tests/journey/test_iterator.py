"""A loop over `opilio.crawl` may be left at any place: the next one is handed what is left, and nothing twice."""

import gc
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest

import opilio
from opilio.folder import CrawlFolder
from tests.builders import PROSE, run_opilio, write_web

PAGES = 40
SEED = "http://a.test/0"
ALL = {f"http://a.test/{number}" for number in range(PAGES)}
TABLES = {
    "judge": {"name": "keywords", "words": ["harvestman"]},
    "crawl": {"workers": 1, "commit_pages": 7},
    "seeds": {"urls": [SEED]},
}


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """Each page links the next two."""
    pages = {
        f"http://a.test/{n}": f'<p>Page {n}. {PROSE}</p><a href="/{n + 1}">on</a> <a href="/{n + 2}">and on</a>'
        for n in range(PAGES)
    }
    return write_web(tmp_path / "web.warc.gz", pages)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "c"


def crawl(web: Path, place: Path, **options: object) -> opilio.Running:
    return opilio.crawl(TABLES, place, web=web, **options)  # type: ignore[arg-type]


def urls(found: opilio.Running) -> list[str]:
    return [document.url for document in found]


@pytest.mark.parametrize("size", [1, 5, 7, 16, PAGES, PAGES + 1])
def test_every_document_comes_once_however_often_the_loop_is_left(web: Path, place: Path, size: int) -> None:
    handed: list[str] = []
    for _ in range(PAGES // size + 2):
        for number, document in enumerate(crawl(web, place), 1):
            handed.append(document.url)
            if number == size:
                break
    assert handed == [document.url for document in opilio.read(place)]  # in the order in which they were kept
    assert {*handed} == ALL
    assert len(handed) == PAGES


def test_every_way_to_leave_a_loop_counts(web: Path, place: Path) -> None:
    handed = [document.url for document in islice(crawl(web, place), 3)]
    with crawl(web, place) as running:
        handed.append(next(running).url)
    running = crawl(web, place)
    handed.append(next(running).url)
    running.close()
    running = crawl(web, place)
    handed.append(next(running).url)
    del running
    gc.collect()
    handed += urls(crawl(web, place))
    assert len(handed) == PAGES
    assert {*handed} == ALL


def test_a_document_is_handed_out_again_if_an_error_ends_the_block_that_has_it(web: Path, place: Path) -> None:
    handed: list[str] = []

    def fail_at_the_second() -> None:
        with crawl(web, place) as running:
            handed.append(next(running).url)
            next(running)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_at_the_second()
    handed += urls(crawl(web, place))
    assert len(handed) == PAGES
    assert {*handed} == ALL


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_a_document_is_handed_out_again_if_an_error_ends_a_loop_in_a_block(
    web: Path, place: Path, error: type[BaseException]
) -> None:
    first: list[str] = []

    def fail() -> None:
        with crawl(web, place) as running:
            for document in running:
                first.append(document.url)
                raise error

    with pytest.raises(error):
        fail()
    handed = urls(crawl(web, place))
    assert handed[:1] == first
    assert {*handed} == ALL
    assert len(handed) == PAGES


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_a_document_counts_as_handed_out_if_an_error_ends_a_loop_without_a_block(
    web: Path, place: Path, error: type[BaseException]
) -> None:
    first: list[str] = []

    def fail() -> None:
        for document in crawl(web, place):
            first.append(document.url)
            raise error

    with pytest.raises(error):
        fail()
    assert {*urls(crawl(web, place))} == ALL - {*first}


def test_nothing_is_fetched_while_documents_wait(web: Path, place: Path) -> None:
    crawl(web, place, pages=20).to_end()
    with crawl(web, place) as running:
        assert len([next(running) for _ in range(20)]) == 20
        assert opilio.status(place)["pages"] == 20


def test_a_corpus_of_the_command_line_is_handed_out_whole(web: Path, place: Path) -> None:
    run_opilio("crawl", place, "--web", web, "--url", SEED, "--workers", 1, "--quiet")
    assert {*urls(opilio.crawl(place, web=web))} == ALL
    assert urls(opilio.crawl(place, web=web)) == []
    assert len(list(opilio.read(place))) == PAGES  # which does not count


def test_a_page_that_leaves_the_corpus_before_its_turn_does_not_come_until_it_is_back(web: Path, place: Path) -> None:
    crawl(web, place).to_end()
    opilio.mark(place, SEED, belongs=False)
    assert {*urls(crawl(web, place))} == ALL - {SEED}
    opilio.mark(place, SEED, belongs=True)
    assert urls(crawl(web, place)) == [SEED]


def test_a_page_that_was_handed_out_and_comes_back_does_not_come_twice(web: Path, place: Path) -> None:
    assert len(urls(crawl(web, place))) == PAGES
    opilio.mark(place, SEED, belongs=False)
    opilio.mark(place, SEED, belongs=True)
    assert urls(crawl(web, place)) == []


def test_a_page_that_is_marked_during_the_loop_is_heeded(web: Path, place: Path) -> None:
    crawl(web, place).to_end()
    last = [document.url for document in opilio.read(place)][-1]
    with crawl(web, place, settings=["crawl.commit_s=0"]) as running, ThreadPoolExecutor() as threads:
        handed = [next(running).url]
        marking = threads.submit(opilio.mark, place, last, belongs=False)  # as another process would
        while not marking.done():
            time.sleep(0.05)
            handed.append(next(running).url)
        handed += urls(running)
    assert marking.result().words == "it is no longer in the corpus"
    assert last not in handed
    assert len(handed) == PAGES - 1


def test_pages_that_are_judged_again_come_only_if_they_are_new(web: Path, place: Path) -> None:
    tables = {**TABLES, "judge": {"name": "keywords", "words": ["nothing of the kind"]}}
    assert urls(opilio.crawl(tables, place, web=web)) == []
    opilio.judge_again(place, settings=["judge.words=['harvestman']"], workers=1)
    assert len([*islice(crawl(web, place), 10)]) == 10
    opilio.judge_again(place, workers=1)  # stores every document anew, in other places
    assert len(urls(crawl(web, place))) == PAGES - 10


def test_a_new_crawl_in_an_old_folder_hands_out_its_own_documents(web: Path, place: Path) -> None:
    assert len(urls(crawl(web, place))) == PAGES
    for path in (CrawlFolder(place).database, CrawlFolder(place).seen):
        path.unlink()
    crawl(web, place).to_end()
    assert len(urls(crawl(web, place))) == PAGES
