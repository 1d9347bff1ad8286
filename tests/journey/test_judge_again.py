"""`opilio judge again`: stored pages are judged anew from disk, and the corpus is what the new judge, the marks and the rules
make of them."""

import json
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

import opilio
from bench.invariants import Inspector
from opilio.core.errors import ConfigError, CrawlDirError
from opilio.core.items import Page, Verdict
from opilio.folder import CrawlFolder, View
from opilio.keep import FORMATS
from tests.builders import run_opilio, write_web

PROSE: Final = "A long enough paragraph about an animal that looks like another one and is not one. " * 4
TABLES: Final = {
    "judge": {"name": "keywords", "words": ["harvestman"]},
    "crawl": {"workers": 1, "in_flight": 1, "commit_pages": 4},
}
SPIDERS: Final = ('judge.words=["spider"]',)


def url(page: int) -> str:
    return f"http://a.test/{page}"


def html(page: int) -> str:
    word = "Harvestman" if page % 2 == 0 else "Spider"
    return f"<title>{word} {page}</title><p class=comment-{page % 3}>{word} {page}. {PROSE}</p>"


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """Page 0 links all others. Even pages speak of the harvestman, odd ones of the spider; 20 is short, 21 has the text of 1, 22
    that of 2, and 23 asks not to be used."""
    pages = {page: html(page) for page in range(20)}
    links = "".join(f'<p><a href="/{page}">{page}</a></p>' for page in range(1, 24))
    opted_out = html(23).replace("<title>", '<meta name="robots" content="noai"><title>')
    pages |= {
        20: "<p>Harvestman.</p>",
        21: f"<!-- a copy -->{pages[1]}",
        22: f"<!-- a copy -->{pages[2]}",
        23: opted_out,
    }
    return write_web(
        tmp_path / "web.warc.gz", {url(page): text for page, text in {**pages, 0: html(0) + links}.items()}
    )


@pytest.fixture
def folder(web: Path, tmp_path: Path) -> Path:
    crawl(web, tmp_path / "c")
    return tmp_path / "c"


def crawl(web: Path, folder: Path, **tables: Any) -> None:
    opilio.crawl({**TABLES, **tables}, folder, web=web, seeds=[url(0)]).to_end()


def kept(folder: Path) -> set[int]:
    return {int(record.url.rpartition("/")[2]) for record in opilio.read(folder)}


def drops(folder: Path) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    with View(CrawlFolder(folder)) as view:
        for link, page in view.stored():
            found.setdefault(str(page.drop), set()).add(int(link.url.rpartition("/")[2]))
    return found


def sound(folder: Path) -> bool:
    """The shards hold exactly what the rows name, the counters agree with them, and nothing else is broken."""
    now = opilio.status(folder)
    records = list(opilio.read(folder))
    assert (now["kept"], now["tokens"]) == (len(records), sum(record.tokens for record in records))
    assert now["kept_bytes"] == sum(len(record.text.encode()) for record in records)
    database = sqlite3.connect(folder / "crawl.db")
    query = 'SELECT "drop", count(*) FROM links WHERE state = 3 AND "drop" IS NOT NULL GROUP BY 1'
    assert now["drops"] == dict(database.execute(query).fetchall())
    assert now["relevant"] == database.execute("SELECT sum(belongs) FROM links").fetchone()[0]
    assert database.execute("SELECT count(*) FROM shards WHERE dead").fetchone()[0] == 0
    for shelf, condition in (("", "IS NULL"), ("refused/", "IS NOT NULL")):
        query = f'SELECT sum(page_length) FROM stored WHERE "drop" {condition}'
        size = sum(path.stat().st_size for path in (folder / shelf / "pages").glob("*"))
        assert size == (database.execute(query).fetchone()[0] or 0)
    database.close()
    return Inspector(folder).look(everything=True) == []


def warc_pages(folder: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for path in folder.glob("*.warc.gz"):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response):
                found[record.headers["WARC-Target-URI"]] += 1
    return found


def test_pages_move_in_and_out_as_another_judge_says(folder: Path) -> None:
    assert kept(folder) == {*range(0, 20, 2)}
    changes = opilio.judge_again(folder, settings=SPIDERS).changes
    assert (changes.judged, changes.moved_in, changes.moved_out, changes.unchanged) == (23, 10, 10, 3)
    assert kept(folder) == {*range(1, 20, 2)}
    assert drops(folder) == {
        "None": {*range(1, 20, 2)}, "not_relevant": {*range(0, 20, 2), 22}, "too_short": {20}, "duplicate": {21},
        "opted_out": {23},
    }  # fmt: skip
    assert warc_pages(folder / "warc") == {url(page): 1 for page in range(1, 20, 2)}
    assert sound(folder)
    told = dict(opilio.why(folder, url(1)))
    assert told["judged"].startswith("belongs")
    assert "spider" in told["judge keywords"]


def test_the_same_judge_changes_nothing(folder: Path) -> None:
    before = opilio.status(folder)
    assert opilio.judge_again(folder).changes.unchanged == 23
    assert opilio.status(folder) == before
    assert sound(folder)


def test_there_and_back_is_where_it_began(folder: Path) -> None:
    before, files = opilio.status(folder), sum(path.stat().st_size for path in folder.rglob("*.*st"))
    opilio.judge_again(folder, settings=SPIDERS)
    opilio.judge_again(folder, settings=['judge.words=["harvestman"]'])
    assert opilio.status(folder) == before
    assert sum(path.stat().st_size for path in folder.rglob("*.*st")) == files
    assert sound(folder)


def test_marks_hold_whatever_the_judge_says(folder: Path) -> None:
    opilio.mark(folder, url(1), belongs=False)
    opilio.mark(folder, url(2), belongs=True)
    opilio.mark(folder, url(4), belongs=False)
    opilio.judge_again(folder, settings=SPIDERS)
    assert kept(folder) == {2, *range(3, 20, 2)}
    assert drops(folder)["marked_no"] == {1, 4}
    assert drops(folder)["duplicate"] == {21}  # a copy of what is marked no does not take its place
    assert sound(folder)


def test_what_a_crawl_finds_later_is_judged_by_the_new_judge(web: Path, tmp_path: Path) -> None:
    crawl(web, tmp_path / "c", stop={"pages": 8})
    opilio.judge_again(tmp_path / "c", settings=SPIDERS)
    opilio.crawl(tmp_path / "c", web=web, workers=1).to_end()
    assert kept(tmp_path / "c") == {*range(1, 20, 2)}
    assert sound(tmp_path / "c")


class Commented:
    """Wants pages with a class of this name, and says that it reads markup."""

    reads_markup = True

    def judge(self, page: Page) -> Verdict:
        return Verdict(0.9, belongs=True) if "comment-1" in page.classes else Verdict(0.1, belongs=False)


def test_a_judge_that_reads_markup_gets_it_from_the_stored_bytes(folder: Path) -> None:
    opilio.judge_again(folder, judge=Commented())
    assert kept(folder) == {1, 4, 7, 10, 13, 16, 19}
    assert sound(folder)


def test_a_judge_that_reads_markup_is_refused_where_only_texts_are_stored(web: Path, tmp_path: Path) -> None:
    crawl(web, tmp_path / "c", keep={"refused": "text"})
    before = opilio.status(tmp_path / "c")
    with pytest.raises(ConfigError, match=r"looks at the markup of pages, and 13 stored pages have only their text"):
        opilio.judge_again(tmp_path / "c", recipe="comments")
    assert opilio.status(tmp_path / "c") == before
    opilio.judge_again(tmp_path / "c", settings=SPIDERS)
    assert kept(tmp_path / "c") == {*range(1, 20, 2)}
    assert sound(tmp_path / "c")


class Broken:
    def judge(self, page: Page) -> Verdict:
        if page.url == url(4):
            raise ValueError("no opinion")
        return Verdict(0.9, belongs=False)


def test_a_page_that_the_judge_fails_on_stays_where_it_is(folder: Path) -> None:
    changes = opilio.judge_again(folder, judge=Broken()).changes
    assert (changes.failed, changes.moved_out) == (1, 9)
    assert kept(folder) == {4}
    assert sound(folder)


def test_several_processes_give_the_same_corpus_as_one(web: Path, tmp_path: Path) -> None:
    for name, workers in (("one", 1), ("two", 2)):
        crawl(web, tmp_path / name)
        opilio.judge_again(tmp_path / name, settings=SPIDERS, workers=workers)
    pages = [
        b"".join(path.read_bytes() for path in sorted((tmp_path / name).rglob("*.zst"))) for name in ("one", "two")
    ]
    assert pages[0] == pages[1]


def test_the_command_says_what_changed(folder: Path, tmp_path: Path) -> None:
    done = run_opilio("judge", "again", "c", "--set", SPIDERS[0], folder=tmp_path)
    assert done.stdout == (
        "Judged 23 stored pages: 10 moved in, 10 moved out, 3 unchanged. The corpus has 10 documents.\n"
    )
    facts = json.loads(run_opilio("judge", "again", "c", "--json", folder=tmp_path).stdout)
    assert facts == {
        "judged": 23, "moved_in": 0, "moved_out": 0, "kept": 10, "failed": 0, "unchanged": 23, "documents": 10, "not_stored": 0
    }  # fmt: skip


def test_pages_that_were_not_stored_are_counted(web: Path, tmp_path: Path) -> None:
    crawl(web, tmp_path / "c", keep={"refused": "nothing"})
    done = run_opilio("judge", "again", "c", folder=tmp_path)
    assert "13 pages that were fetched are not stored" in done.stderr


def test_a_folder_without_a_crawl_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(CrawlDirError, match="holds no crawl"):
        opilio.judge_again(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


# --- exports by score


@pytest.mark.parametrize("style", FORMATS)
def test_an_export_by_score_takes_refused_pages_too(folder: Path, tmp_path: Path, style: str) -> None:
    assert opilio.export(folder, style, tmp_path / "all", min_score=0.0).documents == 20
    assert opilio.export(folder, style, tmp_path / "best", min_score=0.5).documents == 10
    assert (tmp_path / "best").stat().st_size < (tmp_path / "all").stat().st_size


def test_an_export_by_score_leaves_out_what_is_marked_no_short_or_there_already(folder: Path, tmp_path: Path) -> None:
    opilio.mark(folder, url(1), belongs=False)
    opilio.mark(folder, url(4), belongs=False)
    run_opilio("export", "c", "--format", "jsonl", "-o", "out.jsonl", "--min-score", 0, folder=tmp_path)
    found = [json.loads(line)["url"] for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert sorted(found) == sorted(url(page) for page in range(20) if page not in (1, 4))


def test_a_score_outside_of_its_range_is_refused(folder: Path) -> None:
    with pytest.raises(ConfigError, match="from 0 to 1, not 40"):
        opilio.export(folder, min_score=40)


# --- what marks leave behind


def test_the_end_of_a_run_removes_what_marks_left_in_the_shards(web: Path, folder: Path) -> None:
    opilio.mark(folder, url(4), belongs=False)
    assert url(4) in warc_pages(folder / "warc")
    crawl(web, folder)
    assert url(4) not in warc_pages(folder / "warc")
    assert sound(folder)
