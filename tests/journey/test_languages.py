"""Languages do what people expect: they filter and steer, alone or beside samples, and old folders keep their meaning."""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import ClassVar, Final

import pytest

import opilio
from tests.builders import demo_seeds, run_opilio, write_demo_web, write_samples

PAGES: Final = 40
SEED: Final = "http://cats-en.test/"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_demo_web(tmp_path_factory.mktemp("web") / "demo.warc")


class Pleased(opilio.Judge):
    """Says yes to every page."""

    def judge(self, page: opilio.Page) -> opilio.Verdict:
        return opilio.Verdict(0.9, belongs=True, opinions=(opilio.Opinion("pleased", 0.9, "why not"),))


def languages(folder: Path) -> set[str]:
    return set(opilio.status(folder)["languages"])


def test_a_language_alone_filters_and_steers(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    options = ("--web", web, "--pages", PAGES, "--workers", 1, "-q")
    run_opilio("crawl", folder, "--language", "german", "--url", SEED, *options)
    facts = opilio.status(folder)
    assert facts["recipe"] == "learned"
    assert set(facts["languages"]) == {"de"}
    assert facts["kept"] > PAGES / 2, facts  # breadth first it would be a quarter
    refused = dict(opilio.why(folder, SEED))["judge language"]
    assert ": en (" in refused
    assert refused.endswith("wanted: de")


def test_beside_samples_a_page_must_have_the_language_and_the_topic(web: Path, tmp_path: Path) -> None:
    folder, like = tmp_path / "crawl", write_samples(tmp_path / "like", "cats.de", 6)
    crawl = opilio.crawl(folder, like=like, language="de", url=SEED, web=web, pages=PAGES, workers=1)
    kept = [record.url for record in crawl]
    assert len(kept) > 5
    assert {url.split("/")[2] for url in kept} == {"cats-de.test"}
    assert opilio.status(folder)["recipe"] == "learned"
    told = dict(opilio.why(folder, kept[-1]))
    assert told["judge language"].endswith("wanted: de")
    assert "of the way from ordinary pages" in told["judge topic"]


def test_samples_in_another_language_are_refused_before_anything_is_fetched(web: Path, tmp_path: Path) -> None:
    like = write_samples(tmp_path / "like", "cats.en")
    done = run_opilio(
        "crawl", tmp_path / "crawl", "--language", "de", "--like", like, "--url", SEED, "--web", web, code=2
    )
    assert "samples are in English, and only pages in German are wanted" in done.stderr
    assert "Name samples in German" in done.stderr
    shown = json.loads(run_opilio("judge", "samples", "--like", like, "--language", "de", "--json").stdout)
    assert any("samples are in English" in warning for warning in shown["warnings"])


def test_the_filter_holds_for_any_judge(web: Path, tmp_path: Path) -> None:
    crawl = opilio.crawl(tmp_path / "own", judge=Pleased(), language="de", url=SEED, web=web, pages=PAGES, workers=1)
    assert {record.language for record in crawl} == {"de"}
    recipe = opilio.crawl(
        tmp_path / "recipe", recipe="breadth-first", language=["de"], url=SEED, web=web, pages=PAGES, workers=2
    )
    assert {record.language for record in recipe} == {"de"}


@pytest.mark.parametrize(
    "verb",
    [
        ("crawl", "a", "--url", SEED),
        ("pilot", "a", "--url", SEED),
        ("judge", "try", "a.html"),
        ("judge", "samples"),
        ("judge", "run", "a.warc", "-o", "a"),
    ],
)
def test_an_unknown_language_is_refused_by_every_verb_and_nothing_is_written(
    verb: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "a.warc").touch()
    done = run_opilio(*verb, "--language", "germn", folder=tmp_path, code=2)
    assert '"germn" is not a language that Opilio can identify. Did you mean "german"?' in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.warc"]


def test_pages_are_tried_and_files_are_filtered_by_language_alone(web: Path, tmp_path: Path) -> None:
    english, german = (write_samples(tmp_path / key, key, 1) / "0.txt" for key in ("cats.en", "cats.de"))
    tried = opilio.judge_try([english, german], language="german").trials
    assert [trial.verdict.belongs for trial in tried if trial.verdict] == [False, True]
    kept = {record.language for record in opilio.judge_run(web, tmp_path / "files", language="de", workers=1)}
    assert kept == {"de"}


def test_thresholds_are_tuned_and_pages_marked_behind_the_filter(web: Path, tmp_path: Path) -> None:
    folder, like = tmp_path / "crawl", write_samples(tmp_path / "like", "cats.de")
    seeds = [SEED, "http://cats-de.test/"]
    pilot = opilio.pilot(folder, 20, like=like, language="de", url=seeds, web=web)
    assert 0 < sum(pilot.belongs) < len(pilot.belongs)
    opilio.crawl(
        folder, recipe="perplexity", like=like, language="de", url=seeds, web=web, pages=PAGES, workers=1
    ).to_end()
    assert languages(folder) == {"de"}
    assert opilio.tune(folder, threshold=0.2).thresholds.threshold == 0.2
    opilio.judge_again(folder, workers=1)
    assert languages(folder) == {"de"}
    assert opilio.mark(folder, SEED, belongs=True).belongs
    assert languages(folder) == {"de", "en"}  # the operator's word holds


# --- folders that are older than the filter


def make_old(folder: Path) -> None:
    """Takes out of the saved settings what the version before did not know."""
    with closing(sqlite3.connect(folder / "crawl.db")) as connection, connection:
        [[saved]] = connection.execute("SELECT value FROM meta WHERE key = 'config'")
        config = json.loads(saved)
        del config["corpus"]["other_languages"], config["fetch"]["accept_language"]
        connection.execute("UPDATE meta SET value = ? WHERE key = 'config'", (json.dumps(config).encode(),))


@pytest.fixture
def old(web: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "old"
    asking = ['corpus.languages=["de"]', "corpus.other_languages=true"]
    settings = [word for setting in asking for word in ("--set", setting)]
    run_opilio("crawl", folder, *demo_seeds(), *settings, "--web", web, "--pages", 12, "--workers", 1, "-q")
    make_old(folder)
    assert languages(folder) == {"de", "en"}
    return folder


def test_an_old_folder_keeps_its_meaning_and_says_so(old: Path, web: Path) -> None:
    before = opilio.status(old)["languages"]["en"]
    for pages in (24, 36):  # not only the first time
        done = run_opilio("crawl", old, "--web", web, "--pages", pages, "--workers", 1, "-q")
        assert "other languages than German are kept too" in done.stderr
        said = " ".join(done.stderr.split())
        assert "To keep only pages in German, add --language de; " in said
        assert f"`opilio judge again {old} --language de`" in said
    facts = opilio.status(old)
    assert facts["recipe"] == "breadth-first"
    assert facts["languages"]["en"] > before


def test_an_old_folder_filters_when_it_is_told_to(old: Path, web: Path) -> None:
    english = opilio.status(old)["languages"]["en"]
    done = run_opilio("crawl", old, "--language", "de", "--web", web, "--pages", 40, "--workers", 1, "-q")
    assert "kept too" not in done.stderr
    facts = opilio.status(old)
    assert facts["recipe"] == "learned"
    assert facts["languages"]["en"] == english
    assert facts["languages"]["de"] > 12
    again = opilio.judge_again(old, workers=1)
    assert again.changes.moved_out == english
    assert languages(old) == {"de"}


def test_stored_pages_are_filtered_from_disk(old: Path) -> None:
    english = opilio.status(old)["languages"]["en"]
    assert opilio.judge_again(old, language="german", workers=1).changes.moved_out == english
    assert languages(old) == {"de"}


# --- what servers are told


class _Asked(BaseHTTPRequestHandler):
    heard: ClassVar[set[str]] = set()

    def do_GET(self) -> None:
        self.heard.add(self.headers.get("Accept-Language", ""))
        body = b"<p>" + b"A page with a text that is long enough to be kept. " * 8
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: object) -> None:
        """Says nothing."""


@pytest.fixture
def asked() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Asked) as server:
        _Asked.heard.clear()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.parametrize(
    ("settings", "header"),
    [
        ([], "*"),
        (['corpus.languages=["english", "de"]'], "en, de;q=0.9, *;q=0.1"),
        (['corpus.languages=["de"]', "fetch.accept_language=fr-CH, fr;q=0.5"], "fr-CH, fr;q=0.5"),
    ],
)
def test_servers_are_asked_for_the_languages_or_for_what_the_operator_writes(
    asked: str, settings: list[str], header: str, tmp_path: Path
) -> None:
    own = ["fetch.allow_private_addresses=true", "fetch.delay_s=0", "scope.max_depth=0"]
    opilio.crawl(tmp_path, url=asked, workers=1, settings=[*own, *settings]).to_end()
    assert _Asked.heard == {header}
