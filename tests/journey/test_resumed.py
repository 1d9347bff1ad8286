"""A crawl that has begun goes on as it was, also when its options are not repeated."""

import subprocess
import sys
from pathlib import Path

import pytest

from opilio.cli.resumed import other_focus, resumed_tables, stored_config
from opilio.core.config import Config, load_config
from opilio.keep import payload_digest, response_record

PROSE = "A long enough paragraph about the harvestman, which looks like a spider and is none. " * 6
FOCUS = ("--recipe", "language", "--set", 'corpus.languages=["en"]', "--set", 'scope.exclude=["/4"]')


@pytest.fixture
def web(tmp_path: Path) -> Path:
    path = tmp_path / "web.warc.gz"
    with path.open("wb") as out:
        for number in range(6):
            body = f'<p>Page {number}. {PROSE}</p><a href="/{number + 1}">on</a>'.encode()
            fields = (("Content-Type", "text/html"),)
            url = f"http://a.test/{number}"
            out.write(response_record(url, "2026-01-01T00:00:00Z", "", 200, fields, body, payload_digest(body), 1))
    return path


def _crawl(folder: Path, web: Path, *options: str) -> str:
    command = [
        sys.executable,
        "-m",
        "opilio",
        "crawl",
        str(folder),
        "--web",
        str(web),
        "--workers",
        "1",
        "-q",
        *options,
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stderr


def _stored(folder: Path) -> Config:
    config = stored_config(folder)
    assert config is not None
    return config


def test_a_bare_command_goes_on_with_the_recipe_and_the_scope_of_the_first_run(tmp_path: Path, web: Path) -> None:
    folder = tmp_path / "crawl"
    _crawl(folder, web, "--url", "http://a.test/0", "--pages", "2", *FOCUS)
    first = _stored(folder)
    assert "Warning" not in _crawl(folder, web)
    second = _stored(folder)
    assert second.judge == first.judge == {"name": "language"}
    assert (second.crawl.recipe, second.scope, second.corpus) == ("language", first.scope, first.corpus)
    assert (first.stop.pages, second.stop.pages) == (2, 0)
    assert "Warning: so far this crawl" in _crawl(folder, web, "--recipe", "breadth-first")
    assert _stored(folder).judge == {"name": "everything"}
    assert _stored(folder).scope == first.scope


def test_a_crawl_toml_decides_and_a_lost_focus_is_said(tmp_path: Path, web: Path) -> None:
    folder = tmp_path / "crawl"
    folder.mkdir()
    (folder / "crawl.toml").write_text('[seeds]\nurls = ["http://a.test/0"]\n', "utf-8")
    _crawl(folder, web, "--pages", "1", *FOCUS)
    warned = _crawl(folder, web, "--pages", "2")
    assert 'so far this crawl had the recipe "language" (judge language, lead parent-score, 0 samples)' in warned
    assert 'now goes on with "breadth-first" (judge everything' in warned
    assert _stored(folder).judge == {"name": "everything"}


def test_another_judge_and_another_lead_begin_anew(tmp_path: Path, web: Path) -> None:
    folder, sample = tmp_path / "crawl", tmp_path / "sample.txt"
    sample.write_text(PROSE, "utf-8")
    _crawl(folder, web, "--url", "http://a.test/0", "--pages", "2", "--like", str(sample), "--recipe", "preemptive")
    for recipe in ("perplexity", "quality", "preemptive"):
        _crawl(folder, web, "--pages", "3", "--recipe", recipe)
        assert _stored(folder).crawl.recipe == recipe


def test_samples_alone_choose_the_learned_lead(tmp_path: Path, web: Path) -> None:
    folder, sample = tmp_path / "crawl", tmp_path / "sample.txt"
    sample.write_text(PROSE, "utf-8")
    asked = ("--url", "http://a.test/0", "--like", str(sample))
    _crawl(folder, web, "--pages", "2", *asked)
    assert (_stored(folder).crawl.recipe, _stored(folder).lead["name"]) == ("learned", "learned")
    assert "Warning: so far" not in _crawl(folder, web, "--pages", "3", *asked)
    assert _stored(folder).crawl.recipe == "learned"


@pytest.mark.parametrize("own", ["", '[seeds]\nurls = ["http://a.test/0"]\n[crawl]\nrecipe = "breadth-first"\n'])
def test_a_crawl_by_another_recipe_goes_on_with_it_when_its_samples_are_named_again(
    tmp_path: Path, web: Path, own: str
) -> None:
    folder, sample, other = tmp_path / "crawl", tmp_path / "sample.txt", tmp_path / "other.txt"
    folder.mkdir()
    if own:
        (folder / "crawl.toml").write_text(own, "utf-8")
    for file in (sample, other):
        file.write_text(f"{file.stem}. {PROSE}", "utf-8")
    _crawl(folder, web, "--url", "http://a.test/0", "--pages", "2", "--like", str(sample), "--recipe", "perplexity")
    assert "Warning: so far" not in _crawl(folder, web, "--pages", "3", "--like", str(sample))
    assert _stored(folder).crawl.recipe == "perplexity"
    assert 'now goes on with "learned"' in _crawl(folder, web, "--pages", "3", "--like", str(other))


def test_samples_beside_a_judge_that_reads_none_ask_for_both(tmp_path: Path, web: Path) -> None:
    folder, sample = tmp_path / "crawl", tmp_path / "sample.txt"
    sample.write_text(PROSE, "utf-8")
    own = ("--recipe", "comments", "--set", 'judge.keywords=["remark"]')
    _crawl(folder, web, "--url", "http://a.test/0", "--pages", "1", "--like", str(sample), *own)
    both = {"name": "all-of", "parts": [{"name": "comments", "keywords": ["remark"]}, {"name": "perplexity"}]}
    assert _stored(folder).judge == both
    assert "Warning" not in _crawl(folder, web, "--pages", "2")
    assert _stored(folder).judge == both


def test_a_folder_without_a_crawl_says_nothing(tmp_path: Path) -> None:
    assert stored_config(tmp_path) is None


def test_new_samples_take_the_place_of_the_old_recipe_and_nothing_else() -> None:
    stored = load_config(recipe="quality", settings=['corpus.languages=["de"]', 'corpus.like=["old.txt"]'])
    tables = resumed_tables(stored, None, ['corpus.like=["new.txt"]'])
    assert not {"judge", "lead", "policy", "crawl", "stop"} & tables.keys()
    assert tables["corpus"]["languages"] == ("de",)


def test_a_moved_threshold_is_no_other_focus() -> None:
    stored = load_config(recipe="perplexity", settings=["judge.threshold=0.3"])
    assert other_focus(stored, load_config(recipe="perplexity")) is None
    assert other_focus(stored, load_config(recipe="random")) is not None
