"""A second look fills the columns that a crawl leaves open, and changes nothing that the crawl knows better."""

import pytest
from msgspec.structs import replace

from opilio.core.config import load_config
from opilio.core.items import Fetched, Metadata, Signal
from opilio.core.outcome import Outcome
from opilio.engine.second_look import look_again
from opilio.engine.work import Task, Workshop
from opilio.judge import Everything
from opilio.keep import unpack
from tests.builders import PROSE, page


def test_open_columns_are_filled() -> None:
    body = f"<html><head><title>Otters</title></head><body><p>{PROSE}</p></body></html>".encode()
    fetched = Fetched("http://a.test/", Outcome.OK, 200, (("Content-Type", "text/html"),), body)
    record = unpack(Workshop(load_config(), Everything()).do(Task(fetched, 0, "")).record)
    old = replace(record, simhash="", repetition=None, badness=None)
    licence = Signal("link", "license", "https://creativecommons.org/licenses/by/4.0/")
    seen = page(record.text, url=record.url, metadata=Metadata("Otters", "Jane Doe", "2019-05-12"), signals=(licence,))
    new = look_again(old, seen)
    assert (new.author, new.date, new.license, new.simhash) == ("Jane Doe", "2019-05-12", "CC BY 4.0", record.simhash)
    assert new.badness is not None
    assert (new.fetched, new.score, new.crawl, new.text) == (record.fetched, record.score, record.crawl, record.text)


def test_a_date_that_the_fast_way_misses_is_looked_for_in_the_source() -> None:
    pytest.importorskip("htmldate", reason="the extra `extract` is not installed")
    kind = (("Content-Type", "text/plain"),)
    fetched = Fetched("http://a.test/", Outcome.OK, 200, kind, PROSE.encode(), started_s=1.6e9)  # in September 2020
    record = unpack(Workshop(load_config(), Everything()).do(Task(fetched, 0, "")).record)
    source = (
        '<html><head><meta property="article:published_time" content="2019-05-12"></head><body><p>x</p></body></html>'
    )
    seen = page(record.text, url=record.url)
    assert look_again(record, seen, source).date == "2019-05-12"
    assert look_again(record, seen, source.replace("2019", "2021")).date == ""  # after the fetch
