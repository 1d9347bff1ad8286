"""`opilio corpus extract` gives kept pages a better text, may be killed at any moment, and leaves the crawl able to go on."""

import os
import shutil
import signal
import time
from pathlib import Path
from random import Random

import msgspec
import pytest
from typer.testing import CliRunner

import opilio
from bench.invariants import Inspector
from opilio.cli.app import _app
from opilio.core.items import Record
from opilio.engine import extraction
from opilio.webs.demo import demo_web
from tests.builders import write_demo_web

KILLS = int(os.environ.get("OPILIO_KILLS", "4"))


@pytest.fixture
def crawled(tmp_path: Path) -> Path:
    tables = {"keep": {"shard_bytes": 50_000}, "crawl": {"workers": 1}}
    web, seeds = write_demo_web(tmp_path / "web.warc"), [f"http://{host}/" for host in demo_web()]
    opilio.crawl(tables, tmp_path / "crawled", web=web, seeds=seeds, until=["pages=120"]).to_end()
    return tmp_path / "crawled"


def records(folder: Path) -> dict[str, Record]:
    return {record.url: record for record in opilio.read(folder)}


def test_texts_are_extracted_once_and_the_counts_follow(crawled: Path) -> None:
    before = records(crawled)
    done = opilio.corpus_extract(crawled, workers=1)
    after = records(crawled)
    assert (done.extracted, done.failed, done.up_to_date) == (len(before), 0, 0)
    assert after.keys() == before.keys()
    assert all(record.extractor and record.blocks for record in after.values())
    assert done.changed == sum(before[url].text != after[url].text for url in before)
    assert done.words_after == sum(record.tokens for record in after.values())
    again = opilio.corpus_extract(crawled, workers=2)
    assert (again.extracted, again.up_to_date) == (0, len(before))
    assert Inspector(crawled).look(everything=True) == []


def test_workers_give_the_same_as_one_process(crawled: Path, tmp_path: Path) -> None:
    shutil.copytree(crawled, tmp_path / "other")
    opilio.corpus_extract(crawled, workers=1)
    opilio.corpus_extract(tmp_path / "other", workers=2)
    assert records(crawled) == records(tmp_path / "other")


def test_a_run_that_is_killed_is_finished_by_the_next(crawled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction, "_BATCH_PAGES", 8)
    before, random = records(crawled), Random(3)
    for _ in range(KILLS):
        child = os.fork()
        if child == 0:
            try:
                opilio.corpus_extract(crawled, workers=1)
            finally:
                os._exit(0)
        time.sleep(random.uniform(0.3, 2.0))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert records(crawled).keys() == before.keys()
    opilio.corpus_extract(crawled, workers=1)
    assert all(record.extractor for record in records(crawled).values())
    assert Inspector(crawled).look(everything=True) == []


def test_the_crawl_goes_on_and_new_pages_are_extracted_alone(crawled: Path, tmp_path: Path) -> None:
    first = opilio.corpus_extract(crawled, workers=1).extracted
    opilio.crawl({}, crawled, web=tmp_path / "web.warc", until=["pages=200"]).to_end()
    then = opilio.corpus_extract(crawled, workers=1)
    assert then.up_to_date == first
    assert then.extracted == len(records(crawled)) - first > 0


def test_the_command_says_what_changed(crawled: Path) -> None:
    result = CliRunner().invoke(_app, ["corpus", "extract", str(crawled), "--workers", "1", "--json"])
    assert result.exit_code == 0
    assert msgspec.json.decode(result.stdout)["extracted"] == len(records(crawled))


def test_markdown_has_the_marks_of_the_page(crawled: Path) -> None:
    opilio.export(crawled, "markdown")
    assert "\n# " in (crawled / "corpus.md").read_text("utf-8")
