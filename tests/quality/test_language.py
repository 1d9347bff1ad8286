"""Accuracy of the language identifier on real pages; the floor only goes up."""

import os
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.url import Url, parse
from opilio.glean import glean

FLOOR = 0.992
STEP = 5  # one page in this many is read; all of them take ten seconds


def test_the_language_of_real_pages_is_told() -> None:
    folder = os.environ.get("OPILIO_DATA")
    web = Path(folder or "") / "webs" / "fsfe.warc.gz"
    if not folder or not web.exists():
        pytest.skip("OPILIO_DATA names no folder with webs/fsfe.warc.gz")
    lines = web.with_name("fsfe.labels.tsv").read_text("utf-8").splitlines()
    labels = dict(line.split("\t") for line in lines)
    answers = []
    with web.open("rb") as stream:
        for number, record in enumerate(ArchiveIterator(stream, record_types=WarcRecordType.response)):
            url = parse(record.headers["WARC-Target-URI"])
            if number % STEP == 0 and isinstance(url, Url) and url.href in labels:
                page = glean(url, 0, (("content-type", "text/html"),), record.reader.read(), Limits(), context=False)
                if isinstance(page, Page) and len(page.text) >= 200:
                    answers.append(page.language == labels[url.href])
    assert len(answers) > 500
    assert sum(answers) / len(answers) >= FLOOR
