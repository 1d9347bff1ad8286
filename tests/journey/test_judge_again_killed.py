"""`opilio judge again` may be killed at any moment: run once more, it ends with exactly what an undisturbed run gives."""

import os
import shutil
import sqlite3
import time
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

import opilio
from bench.invariants import Inspector
from opilio.engine import retrial
from opilio.webs.demo import demo_web
from tests.builders import run_and_kill, write_demo_web, write_samples

KILLS: Final = int(os.environ.get("OPILIO_KILLS", "6"))  # each takes a second


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many commits, so that kills fall between them and into them."""
    monkeypatch.setattr(retrial, "_BATCH_PAGES", 8)


@pytest.fixture
def crawled(tmp_path: Path) -> Path:
    """The demo web, of which every page was kept, in many shards; some pages are marked."""
    tables = {"keep": {"shard_bytes": 50_000}, "crawl": {"workers": 1}}
    seeds = [f"http://{host}/" for host in demo_web()]
    web = write_demo_web(tmp_path / "web.warc")
    opilio.crawl(tables, tmp_path / "crawled", web=web, seeds=seeds).to_end()
    for record in list(opilio.read(tmp_path / "crawled"))[::20]:
        opilio.mark(tmp_path / "crawled", record.url, belongs=False)
    return tmp_path / "crawled"


def judge(folder: Path, samples: Path) -> None:
    opilio.judge_again(folder, like=samples, settings=["judge.name=topic", "judge.vectors=none"], workers=1)


def judge_and_kill(folder: Path, samples: Path, after_s: float) -> bool:
    """Judges in another process, which is killed after this time. Returns False if it was ready before."""
    return run_and_kill(partial(judge, folder, samples), after_s)


def timed(folder: Path, samples: Path) -> float:
    """Judges in another process and returns how long that took."""
    began_s, child = time.monotonic(), os.fork()
    if child == 0:
        try:
            judge(folder, samples)
        finally:
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    return time.monotonic() - began_s


def at_end(folder: Path) -> bool:
    """Returns whether the last commit was made, even if the process was killed right after it. One more run would be new."""
    database = sqlite3.connect(folder / "crawl.db")
    keys = {key for (key,) in database.execute("SELECT key FROM meta")}
    database.close()
    return keys & {"judge", "judging"} == {"judge"}


def everything(folder: Path) -> dict[str, Any]:
    """
    What a folder holds, except for the times at which WARC files were begun. Such a time packs to one byte more or less,
    which can move a page to the next file: so WARC files are compared as one sequence of pages.
    """
    database = sqlite3.connect(folder / "crawl.db")
    stored = (
        'SELECT link, s."drop", s.score, title, language, tokens, text_key, page_shard, page_offset, page_length, '
        'warc_length, l."drop", judge_score, belongs, detail FROM stored s JOIN links l ON l.id = link'
    )
    found = {
        "rows": database.execute(stored).fetchall(),
        "shards": database.execute("SELECT kind, number, dead FROM shards").fetchall(),
        "meta": dict(database.execute("SELECT key, value FROM meta").fetchall()),
        "pages": {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.zst")},
        "warc": responses(folder / "warc"),
        "refused": responses(folder / "refused" / "warc"),
    }
    database.close()
    return found


def responses(folder: Path) -> list[tuple[str, bytes]]:
    found = []
    for path in sorted(folder.glob("*.warc.gz")):
        with path.open("rb") as file:
            records = ArchiveIterator(file, record_types=WarcRecordType.response)
            found += [(record.headers["WARC-Target-URI"], record.reader.read()) for record in records]
    return found


@pytest.mark.timeout(60 + 10 * KILLS)
def test_a_run_that_is_killed_ends_like_one_that_is_not(crawled: Path, tmp_path: Path) -> None:
    samples, whole = write_samples(tmp_path / "samples", "cats.en", 5), tmp_path / "whole"
    shutil.copytree(crawled, whole)
    judge(whole, samples)  # what is compiled and cached is not part of the time
    shutil.rmtree(whole)
    shutil.copytree(crawled, whole)
    spent_s = timed(whole, samples)
    wanted, random, kills = everything(whole), Random(1), 0
    assert wanted["meta"].keys() & {"judging", "judge"} == {"judge"}
    while kills < KILLS:
        folder = tmp_path / "killed"
        shutil.copytree(crawled, folder)
        while not at_end(folder) and judge_and_kill(folder, samples, random.uniform(0.0, 1.1 * spent_s)):
            kills += 1
        assert everything(folder) == wanted
        assert Inspector(folder).look(everything=True) == []
        shutil.rmtree(folder)
