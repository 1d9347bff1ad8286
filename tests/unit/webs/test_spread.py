"""Real pages on many hosts: every page has one place, every link leads to a place."""

import re
from pathlib import Path

import pytest

from opilio.core.errors import ConfigError
from opilio.webs.web import host_names, open_web
from tests.builders import write_web

PAGES = 6


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    links = "".join(f'<a class="x" href="/p{other}.html">to {other}</a>' for other in (*range(PAGES), 99))
    pages = {
        f"http://real.example/p{number}.html": f"<html><body><p>Page {number}.</p>{links}"
        f"<p>{'words and words ' * 1500}</p></body></html>"
        for number in range(1, PAGES + 1)
    }
    small = {"http://real.example/p0.html": "<p>too small to be dealt"}
    return write_web(tmp_path / "real.warc.gz", small | pages)


def test_every_page_has_one_place_and_every_link_leads_to_one(recorded: Path) -> None:
    name = f"spread:3,2,{recorded}"
    web = open_web(name)
    assert host_names(name) == web.hosts
    found: dict[str, bytes] = {}
    todo = [(host, "/") for host in web.hosts]
    while todo:
        host, target = todo.pop()
        if f"{host}{target}" in found:
            continue
        answer = web.answer(host, target)
        assert answer.status == 200
        found[f"{host}{target}"] = answer.body
        todo += [(host, path.decode()) for path in re.findall(rb'href="(/[^"]+)"', answer.body)]
        todo += [(h.decode(), path.decode()) for h, path in re.findall(rb'href="http://([^/"]+)(/[^"]+)"', answer.body)]
    pages = [body for place, body in found.items() if not place.endswith(".test/")]
    assert len(pages) == 2 * PAGES
    assert len(set(pages)) == 2 * PAGES
    assert all(body.count(b"<a ") == PAGES + 1 for body in pages)


def test_a_place_that_was_not_dealt_is_not_found(recorded: Path) -> None:
    web = open_web(f"spread:3,2,{recorded}")
    assert web.answer(web.hosts[0], "/c9/p0.html").status == 404
    assert web.answer(web.hosts[0], "/nothing").status == 404
    assert web.answer(web.hosts[0], "/robots.txt").status == 200


def test_a_missing_or_empty_web_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no WARC file"):
        open_web(f"spread:3,2,{tmp_path / 'nowhere.warc.gz'}")
    (tmp_path / "empty.warc.gz").touch()
    with pytest.raises(ConfigError, match="no page of 20 to 60 KB"):
        open_web(f"spread:3,2,{tmp_path / 'empty.warc.gz'}")
