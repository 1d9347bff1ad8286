"""Samples that are URLs: fetched like any page, wherever the crawl may go, and only once."""

from pathlib import Path

import pytest

import opilio
from opilio.core.errors import ConfigError
from opilio.engine.sample_pages import remember, remembered
from opilio.webs.demo import articles
from opilio.webs.server import LoopbackServer
from tests.builders import response, write_web

CATS = [article.text for article in articles("cats.en")[:4]]
SAMPLE, LISTED, PAGE = "https://samples.test/cat", "https://samples.test/ä?b=1", "http://a.test/1"
START = {
    "seeds": {"urls": [PAGE]},
    "scope": {"domains": ["a.test"]},
    "crawl": {"workers": 1, "recipe": "breadth-first"},
}


@pytest.fixture
def web(tmp_path: Path) -> Path:
    pages = dict(zip((SAMPLE, LISTED, PAGE), CATS, strict=False))
    return write_web(tmp_path / "web.warc.gz", {url: f"<p>{text}</p>" for url, text in pages.items()})


@pytest.fixture
def samples(tmp_path: Path) -> list[str]:
    listed = tmp_path / "list.txt"
    listed.write_text(f"# pages that I like\n\n{LISTED}  # this one\n{SAMPLE}\n", "utf-8")
    return [SAMPLE, str(listed)]


def test_a_resumed_crawl_does_not_fetch_its_samples_again(web: Path, samples: list[str], tmp_path: Path) -> None:
    first = opilio.crawl(START, tmp_path / "c", web=web, recipe="breadth-first", like=samples)
    assert [page.url for page in first] == [PAGE]
    assert list(remembered(tmp_path / "c")) == [SAMPLE, LISTED]
    without = write_web(tmp_path / "without.warc.gz", {PAGE: CATS[2], "http://a.test/2": f"<p>{CATS[3]}</p>"})
    again = opilio.crawl(tmp_path / "c", web=without, url="http://a.test/2")
    assert [page.url for page in again] == ["http://a.test/2"]


def test_every_verb_that_takes_samples_takes_urls(web: Path, samples: list[str], tmp_path: Path) -> None:
    tried = opilio.judge_try([PAGE], like=samples, web=web)
    assert tried.trials[0].verdict is not None
    assert [text.name for text in opilio.judge_samples(like=samples, web=web).texts] == [SAMPLE, LISTED, SAMPLE]
    list(opilio.judge_run(web, tmp_path / "run", like=samples, web=web))
    assert list(remembered(tmp_path / "run")) == [SAMPLE, LISTED]
    opilio.crawl(START, tmp_path / "c", web=web).to_end()
    assert opilio.judge_again(tmp_path / "c", like=samples, web=web).changes.judged == 1
    assert list(remembered(tmp_path / "c")) == [SAMPLE, LISTED]
    pilot = opilio.pilot(tmp_path / "p", 3, like=samples, web=web, url=PAGE)
    assert pilot.pages == [PAGE]
    assert list(remembered(tmp_path / "p" / "pilot")) == [SAMPLE, LISTED]


def test_a_page_that_cannot_be_used_is_named_and_the_others_are_remembered(tmp_path: Path) -> None:
    gone, closed, ours = "https://s.test/gone", "https://s.test/noai", "https://s.test/ours"
    records = [response(gone, "gone", 404), response(ours, f"<p>{CATS[0]}</p>")]
    records.append(response(closed, f'<meta name="robots" content="noai"><p>{CATS[1]}</p>'))
    web = tmp_path / "web.warc.gz"
    web.write_bytes(b"".join(records))
    with pytest.raises(ConfigError, match=r"gone \(fetch failed: HTTP 404\), .*noai \(opted out") as refusal:
        list(opilio.crawl(START, tmp_path / "c", web=web, like=[gone, closed, ours]))
    assert "save the pages as files" in str(refusal.value)
    assert list(remembered(tmp_path / "c")) == [ours]


def test_a_sample_in_a_private_network_is_refused_like_any_page(tmp_path: Path) -> None:
    with LoopbackServer("demo") as server:
        url = f"http://127.0.0.1:{server.port}/"
        with pytest.raises(ConfigError, match="address"):
            opilio.judge_samples(like=url, settings=["operator.contact=me@example.org"])
        with pytest.raises(ConfigError, match="no contact"):
            opilio.judge_samples(like=url)


def test_what_is_remembered_comes_back_and_damage_is_named(tmp_path: Path) -> None:
    assert remembered(tmp_path) == {}
    pages = {SAMPLE: "one\ntwo\u2028three", LISTED: ""}
    remember(tmp_path, pages)
    assert remembered(tmp_path) == pages
    (tmp_path / "sample-pages.jsonl").write_text("{}", "utf-8")
    with pytest.raises(ConfigError, match=r"sample-pages\.jsonl.*fetched again"):
        remembered(tmp_path)
