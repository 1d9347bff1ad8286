"""Every URL that a crawl has met can be asked about, and what is proposed can be done."""

import shlex
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest

import opilio
from opilio.core.errors import NothingFetchedError
from opilio.webs.server import LoopbackServer
from tests.builders import PROSE, response, run_opilio, write_web

SEED = "http://a.test/"
CATS = ["judge.name=keywords", 'judge.words=["harvestman"]']


def _told(folder: Path, url: str) -> dict[str, str]:
    return dict(opilio.why(folder, url))


def _crawl(folder: Path, pages: Mapping[str, str], *settings: str) -> Path:
    web = write_web(folder / "web.warc.gz", pages)
    opilio.crawl(folder / "c", url=SEED, web=web, workers=1, settings=settings).to_end()
    return folder / "c"


def _serve(folder: Path, pages: Mapping[str, str]) -> tuple[Path, str]:
    """Crawls a loopback server: a recorded web has no `nofollow`."""
    web = write_web(folder / "web.warc.gz", pages)
    with LoopbackServer(f"warc:{web}") as server:
        origin = server.origin("a.test")
        tables = {
            "fetch": {"delay_s": 0.0, "allow_private_addresses": True, "hosts": dict(server.hosts)}, "crawl": {"workers": 1},
        }  # fmt: skip
        opilio.crawl(tables, folder / "c", url=f"{origin}/").to_end()
    return folder / "c", origin


NOFOLLOW = '<meta name="robots" content="nofollow, noindex">'


def test_a_link_on_a_page_that_says_nofollow_can_be_asked_about(tmp_path: Path) -> None:
    pages = {SEED: f'{NOFOLLOW}<p>{PROSE}</p><a href="/hidden">There</a>', f"{SEED}hidden": f"<p>{PROSE}</p>"}
    folder, origin = _serve(tmp_path, pages)
    told = _told(folder, f"{origin}/hidden")
    assert told["verdict"] == "never queued: nofollow (met only on pages that ask crawlers not to follow their links)"
    assert told["found"] == f"on {origin}/"
    assert told["to change it"] == "scope.follow_nofollow=true, in a new folder"
    assert told["next"].startswith(f"opilio crawl {folder} --url {origin}/hidden")
    assert opilio.status(folder)["drops"]["nofollow"] == 1
    assert _told(folder, f"{origin}/other")["verdict"] == "unknown: this crawl has not met it"


def test_a_link_of_a_crawl_that_follows_none_can_be_asked_about(tmp_path: Path) -> None:
    folder = _crawl(tmp_path, {SEED: f'<p>{PROSE}</p><a href="/one">One</a>'}, "scope.max_depth=0")
    told = _told(folder, f"{SEED}one")
    assert told["verdict"] == "never queued: too deep (no links were followed when its page was read)"
    assert (told["found"], told["to change it"]) == (f"on {SEED}", "scope.max_depth (now 0), in a new folder")
    assert opilio.status(folder)["drops"] == {"too_deep": 1}


def test_the_target_of_one_redirect_too_many_can_be_asked_about(tmp_path: Path) -> None:
    names = [SEED, *(f"{SEED}{number}" for number in range(1, 9))]
    web = tmp_path / "web.warc.gz"
    web.write_bytes(b"".join(response(url, "", 302, Location=target) for url, target in pairwise(names)))
    with pytest.raises(NothingFetchedError, match="too many redirects"):
        opilio.crawl(tmp_path / "c", url=SEED, web=web, workers=1, settings=["limits.redirects=3"]).to_end()
    told = _told(tmp_path / "c", names[4])
    assert told["verdict"] == "never queued: redirect limit"
    assert told["found"] == f"by a redirect from {names[3]}"
    assert told["to change it"] == "limits.redirects (now 3)"


def test_a_url_that_was_never_met_and_would_be_refused_names_the_pattern_and_the_setting(tmp_path: Path) -> None:
    folder = _crawl(tmp_path, {SEED: f"<p>{PROSE}</p>"}, 'scope.exclude=["/private/"]')
    told = _told(folder, f"{SEED}private/1")
    assert told["if it were met"] == (
        'it would be refused: its URL is excluded by the pattern "/private/": scope.exclude (now ["/private/"])'
    )


def test_a_page_in_another_language_names_the_settings_that_would_keep_it(tmp_path: Path) -> None:
    folder = _crawl(tmp_path, {SEED: f"<p>{PROSE}</p>"}, 'corpus.languages=["de"]')
    told = _told(folder, SEED)
    assert told["verdict"] == "not kept: not relevant"
    assert told["to change it"] == (
        f'corpus.languages (now ["de"]), or corpus.other_languages=true; then opilio judge again {folder}'
    )


def test_a_queue_by_perplexity_names_its_buckets(tmp_path: Path) -> None:
    sample = tmp_path / "sample.txt"
    sample.write_text(PROSE, "utf-8")
    web = write_web(
        tmp_path / "web.warc.gz", {SEED: f'<p>{PROSE}</p><a href="/b">b</a>', f"{SEED}b": f"<p>{PROSE} B.</p>"}
    )
    opilio.crawl(tmp_path / "c", url=SEED, web=web, workers=1, recipe="perplexity", like=sample).to_end()
    assert ", HIGH: " in _told(tmp_path / "c", f"{SEED}b")["score"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("why")
    links = "".join(f'<a href="/{name}">{name}</a> ' for name in ("spider", "copy", "short", "moved?a=$(x)&b=';'"))
    spider = PROSE.replace("harvestman", "spider")
    pages = {SEED: f"<title>Home</title><p>{PROSE}</p>{links}", f"{SEED}spider": f"<p>{spider}</p>"}
    pages |= {f"{SEED}copy": f"<!-- --><title>Home</title><p>{PROSE}</p>{links}", f"{SEED}short": "<p>A few words.</p>"}
    return _crawl(place, pages, *CATS)


def test_the_verdict_comes_first_and_the_next_steps_last(folder: Path) -> None:
    for name in ("", "spider", "copy", "short"):
        headings = [heading for heading, _ in opilio.why(folder, f"{SEED}{name}")]
        assert (headings[0], headings[-1]) == ("verdict", "next")


def test_a_crawl_of_a_recorded_web_is_not_sent_to_the_network(folder: Path) -> None:
    told = _told(folder, f"{SEED}never-met")
    assert told["if it were met"] == "it would be queued"
    assert "next" not in told


def test_a_refused_page_has_the_opinion_of_each_judge(folder: Path) -> None:
    told = _told(folder, f"{SEED}spider")
    assert told["verdict"] == "not kept: not relevant"
    assert told["judge keywords"].startswith("0.000: ")


def test_the_canonical_form_is_told_after_the_verdict(folder: Path) -> None:
    (first, _), (second, words), *_ = opilio.why(folder, "HTTP://A.test/spider#top")
    assert (first, second) == ("verdict", "URL")
    assert words.startswith("http://a.test/spider (")


def test_a_host_is_taken_for_the_url_that_a_seed_would_be_taken_for(tmp_path: Path) -> None:
    web = write_web(tmp_path / "web.warc.gz", {"https://example.org/": f"<title>Home</title><p>{PROSE}</p>"})
    opilio.crawl(tmp_path / "c", url="example.org", web=web, workers=1).to_end()
    told = _told(tmp_path / "c", "example.org")
    assert told["verdict"].startswith("kept: “Home”")
    assert told["URL"] == "example.org (taken for https://example.org/)"
    unusable = _told(tmp_path / "c", "seeds.txt")
    assert unusable == {"verdict": "never queued: 'seeds.txt' is not a URL that can be fetched (malformed url)"}


def test_every_command_that_is_proposed_runs(folder: Path) -> None:
    proposed = {
        tuple(shlex.split(words, comments=True)[1:])
        for name in ("", "spider", "copy", "short", "moved?a=$(x)&b=';'")
        for heading, words in opilio.why(folder, f"{SEED}{name}")
        if heading == "next"
    }
    assert {verb for verb, *_ in proposed} == {"mark", "pages", "why", "status"}
    for command in sorted(proposed):
        run_opilio(*command)
