"""Whole crawls for quality over a made web: what is retained, what is reported, and what `why` says."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import opilio
from opilio.core.config import load_config
from opilio.folder import CrawlFolder
from opilio.lab.labels import read_labels
from opilio.lab.maker import Library, Parameters, make_web
from opilio.lab.shelf import Shelf
from opilio.report.standing import standing

BUDGET = 120


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("web") / "made.warc.gz"
    make_web(path, Parameters(pages=600, domains=20), Library.of_demo())
    return path


@pytest.fixture(scope="module", params=["quality", "cyclic"])
def folder(request: pytest.FixtureRequest, web: Path, tmp_path_factory: pytest.TempPathFactory) -> CrawlFolder:
    path = tmp_path_factory.mktemp(request.param)
    seeds = web.with_name("made.seeds.txt").read_text().split()
    own = ("lead.burn_in=30", "lead.phase=40") if request.param == "cyclic" else ()
    settings = ('corpus.languages=["en"]', f"stop.pages={BUDGET}", "crawl.workers=1", "fetch.delay_s=0", *own)
    config = load_config(recipe=request.param, settings=settings)
    assert list(opilio.crawl(config, path, web=web, seeds=seeds))
    return CrawlFolder(path)


def test_the_status_tells_the_yields(folder: CrawlFolder) -> None:
    facts = opilio.status(folder.path)
    assert facts["document_yield"] == pytest.approx(facts["kept"] / facts["pages"], abs=1e-4)
    assert facts["byte_yield"] == pytest.approx(facts["kept_bytes"] / facts["size_bytes"], abs=1e-4)
    shown = StringIO()
    for part in standing(facts, 200):
        Console(file=shown, width=200).print(part)
    assert f"{facts['document_yield']:.1%} of the pages" in shown.getvalue()


def test_the_retained_documents_are_long_distinct_and_of_small_badness(folder: CrawlFolder) -> None:
    records = list(opilio.read(folder.path))
    assert all(len(record.text) >= 1_000 and record.opinions[-1].judge == "badness" for record in records)
    assert max(record.opinions[-1].measure or 0.0 for record in records) <= 10.0
    assert len({record.text for record in records}) == len(records)


def test_every_page_can_be_asked_about(folder: CrawlFolder, web: Path) -> None:
    labels = read_labels(web.with_name("made.labels.tsv"), Shelf(web))
    urls = sorted(labels.relevant("lang.de") | labels.relevant("lang.en"))[::4]
    told = [dict(opilio.why(folder.path, url)) for url in urls]
    assert any("Badness" in steps.get("judge badness", "") for steps in told)
    reasons = " ".join(steps.get("score", "") for steps in told)
    assert ("retained with probability" in reasons) or ("each phase begins" in reasons)
