"""A folder made by version 0.1.0 opens, tells, exports and goes on.

`fixtures/folder-0.1.0.tar.xz` is a crawl of the demo web by the recipe `learned`, stopped after 40 pages; then one of the kept
pages was marked no. The web was served on port 38017, which is part of every URL.
"""

import socket
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import opilio
from opilio.core.outcome import Drop
from opilio.folder import CrawlFolder, View
from opilio.keep import export_corpus
from opilio.webs.server import LoopbackServer

FIXTURE: Final = Path(__file__).parent.parent / "fixtures" / "folder-0.1.0.tar.xz"
PORT: Final = 38017
SITE: Final = f"http://cats-en.test:{PORT}"
MARKED: Final = f"{SITE}/health/dental-disease.html"


@pytest.fixture
def folder(tmp_path: Path) -> CrawlFolder:
    with tarfile.open(FIXTURE) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Pythons before 3.11.4 have none
        archive.extractall(tmp_path)
    return CrawlFolder(tmp_path / "fixture")


@pytest.fixture
def web() -> Iterator[None]:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", PORT))
        except OSError:
            pytest.skip(f"port {PORT}, which the folder's URLs name, is taken by another process")
    with LoopbackServer("demo", port=PORT):
        yield


def test_it_opens(folder: CrawlFolder) -> None:
    facts = opilio.status(folder.path)
    shown = {"state", "recipe", "pages", "kept", "queued", "met", "hosts", "languages", "drops"}
    assert {name: facts[name] for name in shown} == {
        "state": "stopped", "recipe": "learned", "pages": 40, "kept": 24, "queued": 222, "met": 266, "hosts": 4,
        "languages": {"en": 24}, "drops": {"not_relevant": 13, "media": 4, "duplicate": 2, "marked_no": 1},
    }  # fmt: skip
    assert facts["signals"]  # of the lead, which could be loaded


def test_it_tells_the_story_of_its_urls(folder: CrawlFolder) -> None:
    kept = dict(opilio.why(folder.path, f"{SITE}/"))
    assert kept["judged"] == "belongs, score 0.997"
    assert kept["verdict"].startswith("kept: “Notes on cats")
    refused = dict(opilio.why(folder.path, f"{SITE}/files/leaflet.pdf"))
    assert refused["verdict"] == "not kept: media"
    assert "log odds" in dict(opilio.why(folder.path, f"{SITE}/health/"))["score"]
    assert dict(opilio.why(folder.path, MARKED))["marked"].startswith("no, by the operator")


def test_its_corpus_is_read_and_exported(folder: CrawlFolder, tmp_path: Path) -> None:
    urls = [record.url for record in opilio.read(folder.path)]
    assert len(urls) == 24
    assert MARKED not in urls
    with View(folder) as view:
        assert export_corpus(view.documents, "jsonl", tmp_path / "corpus.jsonl") == 24
    assert len((tmp_path / "corpus.jsonl").read_text("utf-8").splitlines()) == 24


def test_its_stored_pages_are_listed_before_and_after_it_is_upgraded(folder: CrawlFolder) -> None:
    with View(folder) as view:
        assert {page.drop for _, page in view.stored()} == {None}
    changes = opilio.judge_again(folder.path, workers=1)
    assert changes.not_stored == 15
    assert changes.changes.judged == 25
    with View(folder) as view:
        assert len(list(view.kept())) == changes.changes.kept
        assert [link.url for link, page in view.stored() if page.drop is Drop.MARKED_NO] == [MARKED]
        assert all(page.title for _, page in view.stored())
        assert {view.documents.at(page).url for _, page in view.stored()} == {link.url for link, _ in view.stored()}


def test_what_was_set_aside_can_be_taken_back(folder: CrawlFolder) -> None:
    assert opilio.mark(folder.path, MARKED, belongs=True).words == "it is in the corpus again"
    assert opilio.status(folder.path)["kept"] == 25


@pytest.mark.usefixtures("web")
def test_it_goes_on(folder: CrawlFolder) -> None:
    before = {record.url for record in opilio.read(folder.path)}
    assert opilio.crawl(folder.path, pages=60, workers=1).to_end() == "pages reached"
    after = [record.url for record in opilio.read(folder.path)]
    facts = opilio.status(folder.path)
    assert (facts["pages"], facts["runs"], facts["kept"]) == (60, 2, len(after))
    assert before < set(after)
    assert MARKED not in after
