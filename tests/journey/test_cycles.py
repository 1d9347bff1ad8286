"""Crawls in cycles: the second is guided by what the first has found, and both can be interrupted anywhere."""

import os
import re
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import pytest
from typer.testing import CliRunner

import opilio
from opilio.cli.cycle import cycle
from opilio.core.errors import ConfigError, CrawlDirError
from opilio.folder import CrawlFolder, FolderLock, View, ask
from opilio.folder.cycles import Cycle, CyclesFolder
from opilio.model import Mixture, open_model
from opilio.ops.watching import Watch
from opilio.webs.demo import articles
from tests.builders import run_and_kill, write_web

PAGES: Final = 60
SETTINGS: Final = ("crawl.workers=1", "crawl.commit_pages=5", "lead.lessons=[30, 45]", "policy.quotas=[10, 2, 1]")
KILLS: Final = int(os.environ.get("OPILIO_KILLS", "6"))


def _web(path: Path, key: str, others: str = "") -> Path:
    """A site with a story for each article, and a front page with the first sentences of some; `others` are on it too."""
    found = [(key, number, one) for number, one in enumerate(articles(key))]
    found += [(others, number, one) for number, one in enumerate(articles(others)[:40])] if others else []
    url = "https://news.example/{}/{}".format
    lists = "".join(f'<li><a href="{url(*one[:2])}">{one[2].title}</a></li>' for one in found)
    first = "".join(f"<p>{one.text}</p>" for _, _, one in found[::12])
    pages = {"https://news.example/": f"<title>Front</title>{first}<ul>{lists}</ul>"}
    for name, number, one in found:
        text = "".join(f"<p>{text}</p>" for text in one.text.splitlines())
        pages[url(name, number)] = f'<title>{one.title}</title><h1>{one.title}</h1>{text}<a href="/">Front</a>'
    return write_web(path, pages)


@pytest.fixture
def webs(tmp_path: Path) -> list[Path]:
    """The same site on two days: on the second, there is news about something else."""
    return [_web(tmp_path / "day0.warc", "cats.en"), _web(tmp_path / "day1.warc", "cats.en", "tech.en")]


def _run(folder: Path, web: Path, **said: Any) -> Cycle:
    done = opilio.cycle_run(folder, web=web, **said)
    assert done is not None
    return done


def _begin(folder: Path, web: Path) -> Cycle:
    return _run(folder, web, url="https://news.example/", pages=PAGES, settings=SETTINGS)


def test_the_second_cycle_is_guided_by_the_first(tmp_path: Path, webs: list[Path]) -> None:
    folder = tmp_path / "news"
    first = _begin(folder, webs[0])
    assert (first.number, first.pages, first.lessons) == (0, PAGES, [])
    assert not first.perplexities
    assert "news.example" in (folder / "crawl.toml").read_text("utf-8")
    second = _run(folder, webs[1])  # the definition is remembered
    assert (second.number, second.pages) == (1, PAGES)
    assert second.mean_perplexity > 0
    assert second.new_types > 0
    assert second.lessons
    assert set(second.current) == {0, 1}
    assert sum(second.current.values()) == pytest.approx(1)
    assert opilio.cycle_log(folder) == [first, second]


def test_links_to_what_is_new_are_preferred(tmp_path: Path, webs: list[Path]) -> None:
    folder = tmp_path / "news"
    _begin(folder, webs[0])
    _run(folder, webs[1])
    with View(CyclesFolder(folder).crawl(1)) as view:
        fetched = [met.link.url for met in view.links.fetched()]
    there = sum("tech.en" in url for url in fetched) / len(fetched)
    assert there > 1.3 * 40 / (40 + len(articles("cats.en")))


def test_front_pages_are_kept_out_of_the_model(tmp_path: Path, webs: list[Path]) -> None:
    done = _begin(tmp_path / "news", webs[0])
    assert done.development_pages == 1
    assert done.development_words > 200
    assert done.documents == PAGES  # it is in the corpus all the same


def test_the_corpus_over_all_cycles_has_each_text_once(tmp_path: Path, webs: list[Path]) -> None:
    folder = tmp_path / "news"
    cycles = [_begin(folder, webs[0]), _run(folder, webs[1])]
    documents = list(opilio.read(folder))
    assert len({one.text_digest for one in documents}) == len(documents) == sum(one.new_documents for one in cycles)
    assert sum(one.documents for one in cycles) > len(documents), "some pages were met again"
    assert all(one.fetched for one in documents)
    exported = opilio.export(folder, "jsonl")
    assert exported.documents == len(documents)
    assert exported.path == folder / "corpus.jsonl"


def test_the_log_shows_what_each_cycle_added(tmp_path: Path, webs: list[Path]) -> None:
    folder, chart = tmp_path / "news", tmp_path / "cycles.png"
    runner = CliRunner()
    said = ["run", folder, "--url", "https://news.example/", "--pages", PAGES, "--web", webs[0], "-q"]
    done = runner.invoke(cycle, [*map(str, said), *(each for one in SETTINGS for each in ("--set", one))])
    assert "Cycle 0: 60 pages" in done.stderr, done.output
    runner.invoke(cycle, ["run", str(folder), "--web", str(webs[1]), "-q"])
    shown = runner.invoke(cycle, ["log", str(folder), "--chart", str(chart)], env={"COLUMNS": "160"})
    assert shown.exit_code == 0, shown.output
    for words in ("new tokens", "new types", "Perplexity of pages", "weights by cycle", "F(High)", "Words that decide"):
        assert words in shown.stdout
    assert chart.read_bytes().startswith(b"\x89PNG")
    narrow = runner.invoke(cycle, ["log", str(folder)], env={"COLUMNS": "80"}).stdout
    assert opilio.cycle_log(folder)[0].ended[:10] in narrow
    assert "…" not in narrow
    assert max(map(len, narrow.splitlines())) <= 80
    found = runner.invoke(cycle, ["log", str(folder), "--json"])
    assert msgspec.json.decode(found.stdout, type=list[Cycle]) == opilio.cycle_log(folder)


def test_a_cycle_needs_an_end_and_a_log_needs_cycles(tmp_path: Path, webs: list[Path]) -> None:
    with pytest.raises(ConfigError, match="needs an end"):
        opilio.cycle_run(tmp_path / "news", recipe="random", url="https://news.example/", web=webs[0])
    with pytest.raises(CrawlDirError, match="opilio cycle run"):
        opilio.cycle_log(tmp_path / "nothing")


def test_what_could_not_begin_leaves_no_definition(tmp_path: Path, webs: list[Path]) -> None:
    folder = tmp_path / "news"
    mistakes: list[dict[str, Any]] = [{}, {"url": "https://news.example/", "recipe": "nosuch"}, {"seeds": "nosuch.txt"}]
    for said in mistakes:
        with pytest.raises(ConfigError):
            opilio.cycle_run(folder, web=webs[0], **said)
        assert not folder.exists()
    with pytest.raises(ConfigError, match=r"operator\.contact"):
        opilio.cycle_run(folder, url="https://news.example/", pages=PAGES)
    assert not folder.exists()
    assert _begin(folder, webs[0]).pages == PAGES
    assert "news.example" in (folder / "crawl.toml").read_text("utf-8")


def test_a_definition_that_somebody_has_written_is_never_removed(tmp_path: Path, webs: list[Path]) -> None:
    definition = tmp_path / "news" / "crawl.toml"
    definition.parent.mkdir()
    definition.write_text("[stop]\npages = 5\n", "utf-8")
    with pytest.raises(ConfigError, match="nothing to crawl"):
        opilio.cycle_run(definition.parent, web=webs[0])
    assert definition.read_text("utf-8") == "[stop]\npages = 5\n"


def test_cycles_and_a_crawl_do_not_share_a_folder(tmp_path: Path, webs: list[Path]) -> None:
    folder = tmp_path / "news"
    _run(folder, webs[0], url="https://news.example/", pages=3, recipe="random")
    first = re.escape(str(folder / "cycles" / "0000"))
    for verb in (opilio.status, opilio.revisit, partial(opilio.crawl, url="https://news.example/", web=webs[0])):
        with pytest.raises(CrawlDirError, match=first):
            verb(folder)
    with pytest.raises(CrawlDirError, match=first):
        ask(CrawlFolder(folder), "pause")
    with FolderLock(CrawlFolder(folder)), pytest.raises(CrawlDirError, match=f"opilio control {first} stop"):
        _run(folder, webs[0])
    crawled = tmp_path / "crawl"
    with opilio.crawl({}, crawled, url="https://news.example/", pages=2, web=webs[0]) as pages:
        assert list(pages)
    with pytest.raises(CrawlDirError, match="a crawl of its own"):
        opilio.cycle_run(crawled, web=webs[0])


def test_the_corpus_is_read_beside_a_cycle_that_was_killed_in_its_first_moment(
    tmp_path: Path, webs: list[Path]
) -> None:
    folder = tmp_path / "news"
    done = _run(folder, webs[0], url="https://news.example/", pages=3, recipe="random")
    begun = CyclesFolder(folder).crawl(1)
    begun.path.mkdir()
    begun.database.touch()
    assert len(list(opilio.read(folder))) == done.documents
    assert _run(folder, webs[0]).number == 1


def test_samples_are_looked_for_in_the_folder_of_the_cycles(tmp_path: Path, webs: list[Path]) -> None:
    folder = tmp_path / "news"
    folder.mkdir()
    (folder / "mine.txt").write_text(articles("cats.en")[0].text, "utf-8")
    sample = "https://news.example/cats.en/1"
    (folder / "crawl.toml").write_text(
        f'crawl.recipe = "learned"\nstop.pages = 8\nseeds.urls = ["https://news.example/"]\n'
        f'corpus.like = ["mine.txt", "{sample}"]\n',
        "utf-8",
    )
    done = _run(folder, webs[0], settings=["crawl.workers=1"])
    assert done.documents
    with View(CyclesFolder(folder).crawl(0)) as view:
        assert view.config.corpus.like == (str(folder / "mine.txt"), sample)


# --- interrupted


class _PowerError(Exception):
    """The power fails."""


@pytest.mark.parametrize("step", ["finish", "model", "current", "next"])
def test_a_cycle_whose_models_were_interrupted_is_finished_by_the_next_call(
    tmp_path: Path, webs: list[Path], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    whole = _begin(tmp_path / "whole", webs[0])
    folder = tmp_path / "news"
    with monkeypatch.context() as patch:
        _fail_at(step, patch)
        with pytest.raises(_PowerError):
            _begin(folder, webs[0])
    assert opilio.cycle_log(folder) == []
    done = _run(folder, webs[0])
    assert msgspec.structs.replace(done, ended="") == msgspec.structs.replace(whole, ended="")


def _fail_at(step: str, patch: pytest.MonkeyPatch) -> None:
    if step == "finish":
        patch.setattr(CyclesFolder, "finish", _fail)
        return
    replace = Path.replace

    def fail_at_the_file(part: Path, target: Path) -> Path:
        if target.suffix == (".lm" if step == "model" else ".json") and (step == "model" or step in target.name):
            raise _PowerError
        return replace(part, target)

    patch.setattr(Path, "replace", fail_at_the_file)


def _fail(*_arguments: object) -> None:
    raise _PowerError


def _models(folder: Path) -> Iterator[Path]:
    return (path for path in (folder / "models").glob("*") if not path.name.startswith("."))


def test_a_cycle_that_is_killed_again_and_again_is_continued(tmp_path: Path, webs: list[Path]) -> None:
    whole = tmp_path / "whole"
    began_s = time.monotonic()
    cycles = [_begin(whole, webs[0]), _begin(whole, webs[1])]
    cycle_s = (time.monotonic() - began_s) / len(webs)
    random, kills, attempt = Random(7), 0, 0
    while kills < KILLS:
        folder, attempt = tmp_path / f"news{attempt}", attempt + 1
        kills += _killed_until_done(folder, webs, cycle_s, random)
        assert [(one.number, one.pages, one.documents) for one in opilio.cycle_log(folder)] == [
            (one.number, one.pages, one.documents) for one in cycles
        ]
        assert isinstance(open_model(CyclesFolder(folder).mixture(1, "current")), Mixture)


def _killed_until_done(folder: Path, webs: list[Path], cycle_s: float, random: Random) -> int:
    """Runs all cycles, with a kill at any moment of each run. Returns how many kills there were."""
    kills = done = 0
    while done < len(webs):
        kills += run_and_kill(partial(_begin, folder, webs[done]), random.uniform(0, cycle_s))
        for path in _models(folder):
            open_model(path, verify=True)  # raises if it is half written
        done = len(CyclesFolder(folder).finished())
    return kills


def test_a_cycle_that_somebody_stops_is_not_finished(tmp_path: Path, webs: list[Path]) -> None:
    class Stopping(Watch):
        interval_s = 0.01

        def tick(self) -> None:
            self.interval_s = 3600.0
            os.kill(os.getpid(), signal.SIGINT)

    folder = tmp_path / "news"
    said: dict[str, Any] = {"url": "https://news.example/", "pages": PAGES, "settings": SETTINGS, "web": webs[0]}
    stopped = opilio.cycle_run(folder, watch=Stopping(), **said)
    assert stopped is None
    assert opilio.cycle_log(folder) == []
    assert "No cycle is finished yet" in CliRunner().invoke(cycle, ["log", str(folder)]).stderr
    assert _run(folder, webs[0]).pages == PAGES
