"""A crawl meets PDFs, a feed and an empty shell, and says of every document who wrote it, when and under which licence."""

import asyncio
import json
import zlib
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import opilio
from opilio.core.config import load_config
from opilio.core.items import Fetched, Gleaned
from opilio.core.outcome import Drop, Outcome
from opilio.engine.pool import ProcessPool, Setup
from opilio.engine.work import Task
from tests.builders import PROSE, response

pytest.importorskip("pypdfium2", reason="the extra `pdf` is not installed")
PDFS = Path(__file__).parents[1] / "fixtures" / "pdf"
HOME = "http://a.test/"
HEAD = (
    '<title>Home | The Brook</title><meta property="og:site_name" content="The Brook"><meta name="author" content="Jane Doe">'
    '<meta property="article:published_time" content="2019-05-12"><meta name="description" content="About otters.">'
    '<meta property="article:section" content="Nature"><link rel="license" href="https://creativecommons.org/licenses/by/4.0/">'
)
LINKS = "".join(
    f'<a href="/{name}">{name}</a> ' for name in ("typst.pdf", "locked.pdf", "broken.pdf", "feed.xml", "shell", "two")
)
PAGES: dict[str, tuple[str | bytes, str]] = {
    "": (f"<html lang=en><head>{HEAD}</head><body><p>{PROSE}</p><p>{LINKS}</p></body></html>", "text/html"),
    "two": (f"<html><head><title>Two</title></head><body><p>Second. {PROSE}</p></body></html>", "text/html"),
    "three": (f"<html><head><title>Three</title></head><body><p>Third. {PROSE}</p></body></html>", "text/html"),
    "shell": ('<html><body><div id="root"></div><script src="/app.js"></script></body></html>', "text/html"),
    "feed.xml": ("<rss><channel><item><link>http://a.test/three</link></item></channel></rss>", "application/rss+xml"),
    "typst.pdf": ((PDFS / "typst.pdf").read_bytes(), "application/pdf"),
    "locked.pdf": ((PDFS / "locked.pdf").read_bytes(), "application/pdf"),
    "broken.pdf": (b"%PDF-1.4 and then nothing", "application/pdf"),
}


def crawl(tmp_path: Path, *settings: str) -> tuple[Path, dict[str, Any]]:
    web = tmp_path / "web.warc.gz"
    web.write_bytes(b"".join(response(HOME + path, body, kind=kind) for path, (body, kind) in PAGES.items()))
    folder = tmp_path / "crawl"
    with opilio.crawl({}, folder, url=HOME, web=[web], workers=1, settings=settings) as kept:
        for _ in kept:
            pass
    return folder, opilio.status(folder)


def test_pdfs_feeds_and_shells_end_as_they_should(tmp_path: Path) -> None:
    folder, status = crawl(tmp_path, "limits.pdf_pages=10")
    assert {record.url.removeprefix(HOME) for record in opilio.read(folder)} == {"", "two", "three", "typst.pdf"}
    assert status["drops"] == {"listing": 1, "script_shell": 1, "locked_pdf": 1, "broken_pdf": 1}
    verdicts = {name: dict(opilio.why(folder, HOME + name))["verdict"] for name in PAGES}
    assert verdicts["shell"] == "not kept: script shell"
    assert verdicts["locked.pdf"] == "not kept: locked PDF"
    assert "password" in dict(opilio.why(folder, f"{HOME}locked.pdf"))["cause"]


def test_pdfs_are_extracted_again_without_a_failure(tmp_path: Path) -> None:
    pytest.importorskip("trafilatura", reason="the extra `extract` is not installed")
    folder, _ = crawl(tmp_path, "limits.pdf_pages=10")
    before = {record.url: record.text for record in opilio.read(folder)}
    done = opilio.corpus_extract(folder, workers=1)
    assert (done.extracted, done.failed) == (4, 0)
    after = {record.url: record.text for record in opilio.read(folder)}
    assert after[f"{HOME}typst.pdf"] == before[f"{HOME}typst.pdf"]


def test_without_the_setting_pdfs_are_not_fetched_and_the_remedy_names_it(tmp_path: Path) -> None:
    folder, status = crawl(tmp_path)
    assert status["drops"]["media"] == 3
    remedy = dict(opilio.why(folder, f"{HOME}typst.pdf"))["to change it"]
    assert "limits.pdf_pages" in remedy
    assert "opilio[pdf]" in remedy
    _, status = crawl(tmp_path, "limits.pdf_pages=10")  # the same crawl goes on, and the PDFs come back
    assert status["drops"].get("media", 0) == 0
    assert status["documents"] == 4


def test_a_feed_that_is_a_seed_gives_its_links(tmp_path: Path) -> None:
    web = tmp_path / "web.warc.gz"
    web.write_bytes(
        b"".join(response(HOME + path, *PAGES[path][:1], kind=PAGES[path][1]) for path in ("feed.xml", "three"))
    )
    with opilio.crawl({}, tmp_path / "crawl", url=f"{HOME}feed.xml", web=[web], workers=1) as kept:
        assert [record.url for record in kept] == [f"{HOME}three"]


def test_documents_have_columns_that_exports_choose_by(tmp_path: Path) -> None:
    folder, _ = crawl(tmp_path, "limits.pdf_pages=10")
    records = {record.url.removeprefix(HOME): record for record in opilio.read(folder)}
    home, ferry = records[""], records["typst.pdf"]
    assert (home.title, home.author, home.date, home.site) == ("Home", "Jane Doe", "2019-05-12", "The Brook")
    assert (home.description, home.section, home.license) == ("About otters.", "Nature", "CC BY 4.0")
    assert (home.host, home.recipe, home.version) == ("a.test", "breadth-first", opilio.__version__)
    assert home.crawl
    assert home.crawl == ferry.crawl
    assert (ferry.title, ferry.author, ferry.content_type) == (
        "The Ferry of Saint Brannoc",
        "Ada Quill",
        "application/pdf",
    )
    assert len(ferry.simhash) == 16
    assert ferry.repetition is not None
    opilio.export(folder, "jsonl", tmp_path / "some.jsonl", where='license startswith "CC" and date < "2020-01-01"')
    lines = (tmp_path / "some.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["url"] for line in lines] == [HOME]
    opilio.export(folder, "parquet", tmp_path / "all.parquet", where="repetition < 0.9 or repetition > 0.0")
    table = pq.read_table(tmp_path / "all.parquet").to_pylist()
    assert {row["author"] for row in table} == {"Jane Doe", "Ada Quill", ""}
    assert table[0].keys() >= {
        "badness",
        "perplexity",
        "boilerplate",
        "repetition",
        "symbols",
        "simhash",
        "crawl",
        "host",
    }


def _bomb(size: int) -> bytes:
    """Returns a PDF whose page is a stream of so many bytes, packed."""
    content = zlib.compress(b"BT /F 12 Tf " + b"(x) Tj " * (size // 7) + b"ET", 9)
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%b\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    body = b"%PDF-1.4\n"
    places = []
    for number, part in enumerate(parts, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%b\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        body
        + b"xref\n0 6\n0000000000 65535 f \n"
        + table
        + b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(body)
    )


def _glean(body: bytes, *settings: str) -> Gleaned:
    async def run() -> Gleaned:
        pool = ProcessPool(1, Setup(load_config(settings=["limits.pdf_pages=10", *settings]), None, context=False))
        fetched = Fetched(f"{HOME}bomb.pdf", Outcome.OK, 200, (("Content-Type", "application/pdf"),), body)
        try:
            return await pool.run(Task(fetched, 0, ""))
        finally:
            await pool.close()

    return asyncio.run(run())


def test_a_bomb_ends_within_the_budget_of_a_page() -> None:
    small = _glean(_bomb(70_000))
    assert small.page is not None
    assert small.page.text.startswith("xxxx")
    assert _glean(_bomb(200_000_000)).drop is Drop.LONG_PDF
