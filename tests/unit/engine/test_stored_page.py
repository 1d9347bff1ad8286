"""Stored pages are read again from their bytes: HTML, plain text and PDFs, and bytes that are not a page any more."""

from pathlib import Path

import msgspec
import pytest

from opilio.core.config import load_config
from opilio.core.items import Fetched, Page, Record
from opilio.core.limits import Limits
from opilio.core.outcome import Drop, Outcome
from opilio.engine.second_look import EXTRACTOR, extracted_again
from opilio.engine.stored_page import stored_page
from opilio.engine.work import Appeal, Task, Workshop
from opilio.judge import Everything
from opilio.keep import pack, unpack
from tests.builders import PROSE

PDF = Path(__file__).parents[2] / "fixtures" / "pdf" / "typst.pdf"
HTML = f"<title>Otters</title><ul><li><a href=/home>Home</a></ul><p>{PROSE}<div class=ad>Buy one more of our boats today!</div>"


def stored(body: bytes, kind: str) -> tuple[Record, bytes]:
    """Returns document and WARC record of a page, as a crawl stores them."""
    config = load_config(settings=["limits.pdf_pages=10"])
    fetched = Fetched("http://a.test/", Outcome.OK, 200, (("Content-Type", kind),), body, started_s=1.6e9)
    done = Workshop(config, Everything()).do(Task(fetched, 0, ""))
    assert done.drop is None
    return unpack(done.record), done.warc


def again(record: Record, warc: bytes) -> Record:
    pytest.importorskip("trafilatura", reason="the extra `extract` is not installed")
    found = extracted_again(record, warc, Limits(pdf_pages=10))
    assert isinstance(found, Record)
    return found


@pytest.mark.parametrize("kind", ["text/plain; charset=utf-8", "application/pdf"])
def test_what_is_not_html_keeps_its_text_and_is_not_looked_at_twice(kind: str) -> None:
    if kind == "application/pdf":
        pytest.importorskip("pypdfium2", reason="the extra `pdf` is not installed")
    body = PDF.read_bytes() if kind == "application/pdf" else PROSE.encode()
    record, warc = stored(body, kind)
    badness = again(record, warc).badness  # which a crawl leaves open
    assert again(record, warc) == msgspec.structs.replace(record, extractor=EXTRACTOR, badness=badness)


def test_columns_that_depend_on_the_text_follow_it() -> None:
    record, warc = stored(HTML.encode(), "text/html; charset=utf-8")
    old = msgspec.structs.replace(record, text="old", boilerplate=0.9, symbols=0.5, charset="macintosh", tokens=1)
    assert again(old, warc) == again(record, warc)


def test_the_judge_sees_the_text_that_was_extracted_again() -> None:
    record, warc = stored(HTML.encode(), "text/html; charset=utf-8")
    other = msgspec.structs.replace(record, text="Another text.", tokens=2, extractor=EXTRACTOR)
    page = stored_page(other, warc, Limits())
    assert isinstance(page, Page)
    assert (page.text, page.words, len(page.links)) == ("Another text.", 2, 1)


def test_bytes_that_are_not_a_page_any_more_are_a_drop_and_the_verdict_stays() -> None:
    pytest.importorskip("pypdfium2", reason="the extra `pdf` is not installed")
    record, warc = stored(PDF.read_bytes(), "application/pdf")
    assert stored_page(record, warc, Limits()) is Drop.CONTENT_TYPE  # by default PDFs are not read
    heard = Workshop(load_config(), Everything()).supervise(Appeal(pack(record), warc))
    assert (heard.drop, heard.verdict, heard.record) == (Drop.GLEAN_FAILED, None, b"")
    assert extracted_again(record, warc, Limits()) is Drop.CONTENT_TYPE
