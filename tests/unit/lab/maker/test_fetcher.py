"""A web that is made on request has the pages of the one that is written."""

import asyncio
from pathlib import Path

import pytest

from opilio.core.outcome import Drop, Outcome
from opilio.core.url import Url, parse
from opilio.fetch.recorded import RecordedWeb
from opilio.fetch.terms import Terms
from opilio.lab.maker import Library, MadeFetcher, Parameters, Plan, make_web

PARAMETERS = Parameters(pages=300, domains=12, seed=5)


def to_url(href: str) -> Url:
    url = parse(href)
    assert not isinstance(url, Drop)
    return url


@pytest.fixture(scope="module")
def made() -> MadeFetcher:
    return MadeFetcher(Plan(PARAMETERS, Library.of_demo()))


def test_every_page_is_the_one_that_would_be_written(made: MadeFetcher, tmp_path: Path) -> None:
    make_web(tmp_path / "web.warc.gz", PARAMETERS, Library.of_demo())
    written = RecordedWeb([tmp_path / "web.warc.gz"])
    assert len(written) == len(made.plan)
    for href in written.urls():
        recorded, fetched = written.answer(to_url(href)), asyncio.run(made.fetch(to_url(href), ""))
        assert (fetched.outcome, fetched.body) == (Outcome.OK, recorded.body)
        assert set(fetched.headers) < set(recorded.headers)  # which have a length, too
        page = made.find(to_url(href))
        assert page is not None
        assert made.url(page) == href


@pytest.mark.parametrize(
    ("path", "outcome"),
    [("/no/such/page", Outcome.NOT_IN_WEB), ("/robots.txt", Outcome.HTTP_ERROR)],
)
def test_what_is_not_in_the_plan_is_not_in_the_web(made: MadeFetcher, path: str, outcome: Outcome) -> None:
    host = made.plan.hosts[0].origin
    assert asyncio.run(made.fetch(to_url(f"{host}{path}"), "")).outcome is outcome
    assert asyncio.run(made.fetch(to_url(f"https://example.org{path}"), "")).outcome is outcome


def test_a_page_that_is_too_large_has_no_body(made: MadeFetcher) -> None:
    home = to_url(f"{made.plan.hosts[0].origin}/")
    fetched = asyncio.run(made.fetch(home, "", Terms(100)))
    assert (fetched.outcome, fetched.body) == (Outcome.TOO_LARGE, b"")
