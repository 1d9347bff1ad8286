"""A crawl that has begun goes on as it was, also when its options are not repeated."""

import subprocess
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
import zstandard

import opilio
from opilio.core.config import Config, load_config
from opilio.folder.database import open_readonly
from opilio.lead import BreadthFirst
from opilio.ops.known import known
from opilio.ops.settings import Known
from tests.builders import PROSE, run_opilio, write_web

FOCUS = ("--recipe", "language", "--set", 'corpus.languages=["en"]', "--set", 'scope.exclude=["/4"]')


@pytest.fixture
def web(tmp_path: Path) -> Path:
    pages = {f"http://a.test/{at}": f'<p>Page {at}. {PROSE}</p><a href="/{at + 1}">on</a>' for at in range(6)}
    return write_web(tmp_path / "web.warc.gz", pages)


@pytest.fixture
def labelled(tmp_path: Path) -> tuple[str, ...]:
    """The options that name labelled pages."""
    for name, text in (
        ("yes", PROSE),
        ("no", "Trains run late where the rails are old, and nobody mends the signals. " * 6),
    ):
        (tmp_path / name).mkdir()
        for number in range(10):
            (tmp_path / name / f"{number}.txt").write_text(f"Number {number}. {text}", "utf-8")
    return "--positive", str(tmp_path / "yes"), "--negative", str(tmp_path / "no")


def _crawl(folder: Path, web: Path, *options: str) -> str:
    return _try_crawl(folder, web, *options, code=0).stderr


def _try_crawl(folder: Path, web: Path, *options: str, code: int = 2) -> subprocess.CompletedProcess[str]:
    return run_opilio("crawl", folder, "--web", web, "--workers", 1, "-q", *options, code=code)


def _sample(folder: Path, name: str) -> str:
    (folder / name).write_text(f"{name}. {PROSE}", "utf-8")
    return str(folder / name)


def _learned_pages(folder: Path) -> int:
    """Returns how many pages the lead has learned from."""
    with closing(open_readonly(folder / "crawl.db")) as connection:
        state = connection.execute("SELECT value FROM meta WHERE key = 'lead'").fetchone()[0]
    pages: int = msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(state))["counts"][1]
    return pages


def _stored(folder: Path) -> Config:
    config = known(folder).stored
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
    assert (
        'so far this crawl had the recipe "language" (judge language, lead parent-score, 0 samples, only English)'
        in warned
    )
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


@pytest.mark.parametrize("began_by", ["nothing", "samples"])
def test_labelled_pages_bring_their_judge_lead_and_policy_to_a_crawl_that_has_begun(
    tmp_path: Path, web: Path, labelled: tuple[str, ...], began_by: str
) -> None:
    folder = tmp_path / "crawl"
    like = ("--like", _sample(tmp_path, "sample.txt")) if began_by == "samples" else ()
    _crawl(folder, web, "--url", "http://a.test/0", "--pages", "2", *like)
    assert "judge classifier, lead learned" in _crawl(folder, web, "--pages", "3", *labelled)
    assert _learned_pages(folder) == (3 if began_by == "samples" else 1)  # the same samples: it goes on
    now = _stored(folder)
    assert (now.crawl.recipe, now.judge["name"], now.lead["name"]) == ("learned", "classifier", "learned")
    assert now.policy == load_config(recipe="learned").policy
    assert "Warning: so far" not in _crawl(folder, web, "--pages", "4", *labelled)
    assert "Warning: so far" not in _crawl(folder, web, "--pages", "5")
    assert (_stored(folder).judge, _stored(folder).lead) == (now.judge, now.lead)


def test_labelled_pages_never_replace_a_judge_that_somebody_has_named(
    tmp_path: Path, web: Path, labelled: tuple[str, ...]
) -> None:
    folder = tmp_path / "crawl"
    folder.mkdir()
    (folder / "crawl.toml").write_text(
        '[seeds]\nurls = ["http://a.test/0"]\n[judge]\nname = "keywords"\nwords = ["spider"]\n', "utf-8"
    )
    for options in ((), ("--recipe", "learned")):
        refused = _try_crawl(folder, web, *labelled, *options)
        for said in ('names the judge "keywords"', "Leave out --positive", "--set judge.name=classifier"):
            assert said in " ".join(refused.stderr.split())
    assert not (folder / "crawl.db").exists()
    _crawl(folder, web, "--pages", "1", *labelled, "--set", "judge.name=classifier")
    assert _stored(folder).judge["name"] == "classifier"


def test_samples_that_are_no_list_are_refused_in_words_also_by_a_crawl_that_has_begun(
    tmp_path: Path, web: Path
) -> None:
    folder = tmp_path / "crawl"
    _crawl(folder, web, "--url", "http://a.test/0", "--pages", "1")
    refused = _try_crawl(folder, web, "--set", "corpus.like=5")
    assert ("corpus.like" in refused.stderr, "Traceback" in refused.stderr) == (True, False)


def test_a_lead_learns_anew_for_other_samples_and_goes_on_for_the_same(tmp_path: Path, web: Path) -> None:
    folder, sample, other = tmp_path / "crawl", _sample(tmp_path, "sample.txt"), _sample(tmp_path, "other.txt")
    _crawl(folder, web, "--url", "http://a.test/0", "--pages", "2", "--like", sample)
    _crawl(folder, web, "--pages", "4", "--like", sample)
    assert _learned_pages(folder) == 4
    _crawl(folder, web, "--pages", "5", "--like", other)
    assert _learned_pages(folder) == 1


def test_a_lead_learns_anew_from_other_signals(tmp_path: Path, web: Path) -> None:
    folder, sample = tmp_path / "crawl", _sample(tmp_path, "sample.txt")
    _crawl(folder, web, "--url", "http://a.test/0", "--pages", "2", "--like", sample)
    _crawl(folder, web, "--pages", "4", "--like", sample, "--set", 'lead.signals=["host", "url"]')
    assert _learned_pages(folder) == 2


def test_samples_in_a_crawl_toml_choose_the_learned_lead_where_nobody_names_another(tmp_path: Path, web: Path) -> None:
    own = f'[seeds]\nurls = ["http://a.test/0"]\n[corpus]\nlike = ["{_sample(tmp_path, "sample.txt")}"]\n'
    for name, more, recipe, lead in [
        ("unnamed", "", "learned", "learned"),
        ("recipe", '[crawl]\nrecipe = "breadth-first"\n', "breadth-first", "breadth-first"),
        ("lead", '[lead]\nname = "random"\n', "breadth-first", "random"),
    ]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "crawl.toml").write_text(own + more, "utf-8")
        _crawl(tmp_path / name, web, "--pages", "1")
        assert (_stored(tmp_path / name).crawl.recipe, _stored(tmp_path / name).lead["name"]) == (recipe, lead)


def test_samples_choose_the_learned_lead_in_python_too_unless_the_caller_has_one(tmp_path: Path, web: Path) -> None:
    settings = {"corpus": {"like": [_sample(tmp_path, "sample.txt")]}, "crawl": {"workers": 1}, "stop": {"pages": 1}}
    for name, lead, recipe in (("ours", None, "learned"), ("own", BreadthFirst(), "breadth-first")):
        list(opilio.crawl(settings, tmp_path / name, lead=lead, web=web, seeds=["http://a.test/0"]))
        assert _stored(tmp_path / name).crawl.recipe == recipe


def test_a_recipe_that_the_command_names_wins_over_its_samples(tmp_path: Path, web: Path) -> None:
    asked = ("--url", "http://a.test/0", "--pages", "1", "--like", _sample(tmp_path, "sample.txt"))
    for number, named in enumerate([("--recipe", "breadth-first"), ("--set", "crawl.recipe=breadth-first")]):
        _crawl(tmp_path / str(number), web, *asked, *named)
        assert _stored(tmp_path / str(number)).lead["name"] == "breadth-first"


def test_a_folder_without_a_crawl_says_nothing(tmp_path: Path) -> None:
    assert known(tmp_path) == Known()


def test_a_folder_without_a_crawl_toml_is_resumed_in_python_too(tmp_path: Path, web: Path) -> None:
    folder = tmp_path / "crawl"
    _crawl(folder, web, "--url", "http://a.test/0", "--pages", "2", *FOCUS)
    rest = list(opilio.crawl(folder, web=web, workers=1))
    assert [document.url for document in opilio.read(folder)] == [document.url for document in rest]
    assert (_stored(folder).crawl.recipe, _stored(folder).judge) == ("language", {"name": "language"})
