"""Promises that cross several stages, each on a small recorded web."""

import asyncio
from pathlib import Path

import pytest

import opilio
from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.glean.signals import from_headers
from tests.builders import PROSE, write_web


def page(text: str, *links: str) -> str:
    return f"<title>{text}</title><p>{text}. {PROSE}</p>" + "".join(f'<a href="{link}">{link}</a>' for link in links)


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """Two hosts with the same front page, byte for byte; its links are relative."""
    front = page("front", "one.html", "two.html")
    pages = {f"http://{host}.example/": front for host in ("a", "b")}
    pages |= {f"http://{host}.example/{n}.html": page(f"{host} {n}") for host in ("a", "b") for n in ("one", "two")}
    return write_web(tmp_path / "web.warc.gz", pages)


SEEDS = ("http://a.example/", "http://b.example/")
ONE = {"crawl": {"workers": 1}}


def test_pages_with_the_same_bytes_are_both_followed(web: Path, tmp_path: Path) -> None:
    kept = {found.url for found in opilio.crawl(ONE, tmp_path / "c", web=web, seeds=SEEDS)}
    assert {url for url in kept if url.endswith(".html")} == {
        f"http://{host}.example/{n}.html" for host in ("a", "b") for n in ("one", "two")
    }
    assert opilio.status(tmp_path / "c")["drops"] == {"duplicate": 1}


def test_leaving_the_loop_early_is_a_clean_stop(web: Path, tmp_path: Path) -> None:
    for _ in opilio.crawl({"crawl": {"workers": 1, "commit_pages": 1}}, tmp_path / "c", web=web, seeds=SEEDS):
        break
    facts = opilio.status(tmp_path / "c")
    assert (facts["state"], facts["stop_reason"]) == ("stopped", "left by the caller")
    rest = list(opilio.crawl(ONE, tmp_path / "c", web=web))
    assert facts["kept"] + len(rest) == 5


def test_a_crawl_inside_an_event_loop_is_refused_with_advice(web: Path, tmp_path: Path) -> None:
    async def notebook() -> None:
        next(opilio.crawl(ONE, tmp_path / "c", web=web, seeds=SEEDS))

    with pytest.raises(ConfigError, match="from a thread"):
        asyncio.run(notebook())


def test_a_lead_object_is_not_explained_as_another(web: Path, tmp_path: Path) -> None:
    class Same(opilio.PlainLead):
        pass

    list(opilio.crawl(ONE, tmp_path / "c", web=web, seeds=SEEDS, lead=Same()))
    steps = dict(opilio.why(tmp_path / "c", "http://a.example/one.html"))
    assert "given by Same" in steps["score"]


def test_a_lease_must_outlast_its_requests() -> None:
    with pytest.raises(ConfigError, match="outlast"):
        load_config(settings=["crawl.lease_s=10"])


def test_a_date_in_a_robots_header_hides_no_opt_out() -> None:
    value = "unavailable_after: Fri, 25 Jun 2027 15:00:00 GMT, noindex"
    assert "noindex" in {signal.value for signal in from_headers((("X-Robots-Tag", value),))}


def test_why_knows_who_named_a_link_that_was_too_long(tmp_path: Path) -> None:
    long = f"http://a.example/{'x' * 3_000}"
    web = write_web(tmp_path / "web.warc.gz", {"http://a.example/": page("front", long)})
    list(opilio.crawl(ONE, tmp_path / "c", web=web, seeds=SEEDS[:1]))
    told = " ".join(f"{name} {words}" for name, words in opilio.why(tmp_path / "c", long))
    assert "http://a.example/" in told.replace(long, "")
    assert opilio.status(tmp_path / "c")["drops"] == {"url_too_long": 1}
