"""A crawl by the learned lead as a user runs it: on the four sites of the demo, asked about, and taken up again."""

import re
import shutil
import sqlite3
from pathlib import Path

import msgspec
import pytest
import zstandard

import opilio
from opilio.webs.demo.site import labels
from tests.builders import demo_seeds, run_opilio, write_demo_web, write_samples

SITE = "cats.en"
FIRST, ALL = 40, 90


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_demo_web(tmp_path_factory.mktemp("web") / "demo.warc.gz")


@pytest.fixture(scope="module")
def folder(web: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the first part of a crawl."""
    folder = tmp_path_factory.mktemp("crawl")
    like = write_samples(folder / "like", SITE)
    run_opilio(
        "crawl", folder / "cats", "--like", like, "--recipe", "learned", *demo_seeds(), "--web", web, *_pages(FIRST),
        "--set", "policy.choice=best",
    )  # fmt: skip  # four hosts: by default all of them would have their turn
    return folder / "cats"


def _pages(count: int) -> tuple[object, ...]:
    return "--pages", count, "--workers", 1, "--quiet"


def _score(folder: Path, url: str) -> str:
    return dict(opilio.why(folder, url))["score"]


def _urls(folder: Path, which: str) -> list[str]:
    with sqlite3.connect(folder / "crawl.db") as connection:
        return [url for (url,) in connection.execute(f"SELECT url FROM links WHERE {which} ORDER BY score DESC, id")]


def _share(folder: Path) -> float:
    known = labels()
    fetched = [url for url in _urls(folder, "outcome = 'ok'") if url in known]
    return sum(known[url] == SITE for url in fetched) / len(fetched)


def test_most_pages_are_of_the_site_that_the_samples_are_like(folder: Path) -> None:
    assert _share(folder) > 0.7  # a quarter without a focus


def test_a_queued_link_is_explained_by_its_signs_in_words(folder: Path) -> None:
    queued = [url for url in _urls(folder, "state = 0 AND parent > 0") if url in labels()]
    said = run_opilio("why", folder, queued[0], COLUMNS="200").stdout
    assert re.search(r"belongs with probability [01]\.\d\d \(log odds [+-]\d+\.\d\d; learned from \d+ pages", said)
    assert re.search(
        r"[+-]\d+\.\d\d (fate of|yield of|share of|its best parent|anchor|words around|language that)", said
    )
    assert "queued: not fetched yet" in said


def test_a_lead_that_cannot_be_asked_hides_nothing_else(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    state = zstandard.ZstdCompressor().compress(msgspec.msgpack.encode({}))
    with sqlite3.connect(copy / "crawl.db") as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'lead'", (state,))
    url = _urls(folder, "outcome = 'ok' AND belongs")[0]
    before, after = (dict(opilio.why(place, url)) for place in (folder, copy))
    assert "the lead cannot be asked" in after["score"]
    assert "version none" in after["score"]
    others = {"score": "", "next": ""}  # the next steps name the folder
    assert {**after, **others} == {**before, **others}


def test_samples_count_in_what_is_explained_and_their_loss_is_said(folder: Path) -> None:
    queued = [url for url in _urls(folder, "state = 0 AND parent > 0") if labels().get(url) == SITE]
    assert any("like the samples (" in _score(folder, url) for url in queued[:20])
    like = folder.parent / "like"
    like.rename(folder.parent / "moved")
    try:
        said = _score(folder, queued[0])
    finally:
        (folder.parent / "moved").rename(like)
    assert "belongs with probability" in said
    assert "this is without the samples: " in said


def test_a_crawl_that_is_taken_up_goes_on_with_what_it_has_learned(folder: Path, web: Path) -> None:
    before = set(_urls(folder, "outcome = 'ok'"))
    run_opilio("crawl", folder, "--web", web, *_pages(ALL))
    after = _urls(folder, "outcome = 'ok'")
    assert len(before) == FIRST
    assert len(after) == len(set(after)) == ALL
    assert before < set(after)
    assert _share(folder) > 0.7
    queued = _urls(folder, "state = 0 AND parent > 0")
    [learned] = re.findall(r"learned from (\d+) pages", _score(folder, queued[0]))
    assert int(learned) >= 0.9 * ALL


def _again(folder: Path, name: str, web: Path, pages: int, *settings: str) -> tuple[object, ...]:
    """Another crawl of the same kind, beside the first one."""
    wishes = [option for setting in ("policy.choice=best", *settings) for option in ("--set", setting)]
    like = folder.parent / "like"
    return (
        "crawl",
        folder.parent / name,
        "--like",
        like,
        "--recipe",
        "learned",
        *demo_seeds(),
        "--web",
        web,
        *_pages(pages),
        *wishes,
    )


def test_a_crawl_begins_with_what_another_one_has_learned_and_does_not_need_it_again(folder: Path, web: Path) -> None:
    run_opilio(*_again(folder, "warm", web, 10, f"lead.warm=../{folder.name}"))
    warm = folder.parent / "warm"
    queued = _urls(warm, "state = 0 AND parent > 0")
    [learned] = re.findall(r"learned from (\d+) pages", _score(warm, queued[0]))
    assert 20 < int(learned) <= 30
    folder.rename(folder.parent / "gone")
    try:
        run_opilio("crawl", warm, "--web", web, *_pages(20))
        assert "belongs with probability" in _score(warm, _urls(warm, "state = 0 AND parent > 0")[0])
    finally:
        (folder.parent / "gone").rename(folder)
    assert len(_urls(warm, "outcome = 'ok'")) == 20


def test_a_crawl_that_is_to_begin_with_nothing_says_so(folder: Path, web: Path) -> None:
    done = run_opilio(*_again(folder, "cold", web, 10, "lead.warm=../like"), code=2)
    assert "which holds no crawl" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("reward", "said"), [("tokens", "by new words per byte worth"), ("hosts", "by new hosts worth")]
)
def test_the_operator_says_what_a_page_is_worth(folder: Path, web: Path, reward: str, said: str) -> None:
    run_opilio(*_again(folder, reward, web, 15, f"lead.reward={reward}"))
    crawl = folder.parent / reward
    assert said in _score(crawl, _urls(crawl, "state = 0 AND parent > 0")[0])
