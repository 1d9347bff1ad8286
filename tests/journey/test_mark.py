"""`opilio mark`: the operator's word on a page holds against any judge, in a crawl that runs as in one that stands still."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

import opilio
from bench.invariants import Inspector
from opilio.core.config import Config, load_config
from opilio.core.errors import ConfigError, CrawlDirError
from opilio.core.items import Page, Seed, Verdict
from opilio.core.plugin import Context
from opilio.engine import Crawl
from opilio.engine.build import Blueprint, build_crawl
from opilio.folder import ControlServer, CrawlFolder
from opilio.keep import unpack
from tests.builders import install_plugin, run_opilio, write_web

PROSE = "A long enough paragraph about an animal that looks like another one and is not one. " * 4
TABLES = {
    "judge": {"name": "keywords", "words": ["harvestman"]},
    "crawl": {"workers": 1, "in_flight": 1, "commit_pages": 1},
}


def url(page: int) -> str:
    return f"http://a.test/{page}"


def write(path: Path, pages: dict[int, str]) -> Path:
    return write_web(path, {url(page): html for page, html in pages.items()})


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """Page 0 links 1 to 8. Even pages speak of the harvestman; 7 is short; 8 has the text of 2."""
    links = "".join(f'<p><a href="/{page}">{page}</a></p>' for page in range(1, 9))
    pages = {page: f"<p>{'Harvestman' if page % 2 == 0 else 'Spider'} {page}. {PROSE}</p>" for page in range(7)}
    pages |= {7: "<p>Spider.</p>", 8: f"<!-- a copy -->{pages[2]}"}
    return write(tmp_path / "web.warc.gz", {**pages, 0: pages[0] + links})


def crawl(web: Path, folder: Path, *, pages: int = 0, tables: dict[str, Any] = TABLES) -> list[opilio.Record]:
    tables = tables | {"stop": {"pages": pages}}
    return list(opilio.crawl(tables, folder, web=web, seeds=[url(0)]))


def kept(folder: Path) -> set[int]:
    return {int(record.url.rpartition("/")[2]) for record in opilio.read(folder)}


def mark(folder: Path, page: int, belongs: bool) -> str:
    return opilio.mark(folder, url(page), belongs).words


def sound(folder: Path) -> bool:
    """Counters and records agree, and nothing else is broken."""
    now = opilio.status(folder)
    records = list(opilio.read(folder))
    assert (now["kept"], now["tokens"]) == (len(records), sum(record.tokens for record in records))
    assert now["kept_bytes"] == sum(len(record.text.encode()) for record in records)
    return Inspector(folder).look() == []


# --- a crawl that stands still


def test_a_kept_page_marked_no_leaves_the_corpus_and_can_come_back(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    crawl(web, folder)
    before = opilio.status(folder)
    assert kept(folder) == {0, 2, 4, 6}
    assert mark(folder, 4, belongs=False) == "it is no longer in the corpus"
    assert kept(folder) == {0, 2, 6}
    assert opilio.status(folder)["drops"]["marked_no"] == 1
    assert sound(folder)
    told = dict(opilio.why(folder, url(4)))
    assert told["verdict"] == "not kept: marked no (by the operator)"
    assert told["marked"].startswith("no, by the operator, ")
    assert told["judged"].startswith("belongs")
    assert mark(folder, 4, belongs=True) == "it is in the corpus again"
    assert opilio.status(folder) == before
    assert "marked" in dict(opilio.why(folder, url(4)))


@pytest.mark.parametrize("refused", ["bytes", "text"])
def test_a_refused_page_marked_yes_enters_the_corpus_without_a_download(
    web: Path, tmp_path: Path, refused: str
) -> None:
    folder = tmp_path / "c"
    crawl(web, folder, tables=TABLES | {"keep": {"refused": refused}})
    before = opilio.status(folder)
    assert mark(folder, 3, belongs=True) == "it is in the corpus"
    assert kept(folder) == {0, 2, 3, 4, 6}
    [record] = [record for record in opilio.read(folder) if record.url == url(3)]
    assert (record.score, [opinion.judge for opinion in record.opinions]) == (1.0, ["operator", "keywords"])
    after = opilio.status(folder)
    assert (after["pages"], after["queued"]) == (before["pages"], before["queued"])
    assert after["drops"]["not_relevant"] == before["drops"]["not_relevant"] - 1
    assert mark(folder, 3, belongs=False) == "it is no longer in the corpus"
    assert sound(folder)


def test_a_refused_page_whose_text_is_in_the_corpus_does_not_enter_it_too(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    pages = {0: f'<p>Spider. {PROSE}</p><p><a href="/1">1</a></p>', 1: f"<!-- a copy --><p>Spider. {PROSE}</p>"}
    crawl(write(tmp_path / "copies.warc", pages), folder)
    assert kept(folder) == set()
    assert mark(folder, 0, belongs=True) == "it is in the corpus"
    assert mark(folder, 1, belongs=True) == "it stays out of the corpus: duplicate"
    assert dict(opilio.why(folder, url(1)))["verdict"] == f"not kept: duplicate (same text as {url(0)})"
    assert sound(folder)


def test_a_dropped_page_that_was_not_stored_is_queued_again_and_kept(web: Path, tmp_path: Path) -> None:
    folder, tables = tmp_path / "c", TABLES | {"keep": {"refused": "nothing"}}
    crawl(web, folder, tables=tables)
    assert mark(folder, 3, belongs=True) == "it is queued again, since it was not stored"
    assert dict(opilio.why(folder, url(3)))["verdict"].startswith("queued")
    assert opilio.status(folder)["drops"]["not_relevant"] == 2
    [record] = crawl(web, folder, tables=tables)
    assert (record.url, record.score) == (url(3), 1.0)
    assert [opinion.judge for opinion in record.opinions] == ["operator", "keywords"]
    assert crawl(web, folder, tables=tables) == []
    assert sound(folder)


def test_a_page_marked_before_it_is_fetched_is_judged_by_that(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    crawl(web, folder, pages=1)
    assert mark(folder, 5, belongs=True) == "it will be kept when it is fetched, whatever the judge says"
    assert mark(folder, 6, belongs=False) == "it will not be kept when it is fetched"
    crawl(web, folder)
    assert kept(folder) == {0, 2, 4, 5}
    told = dict(opilio.why(folder, url(6)))
    assert told["verdict"].startswith("not kept: marked no")
    assert mark(folder, 6, belongs=True) == "it is in the corpus again"
    assert kept(folder) == {0, 2, 4, 5, 6}
    assert sound(folder)


def test_a_copy_of_a_page_marked_no_is_not_kept_in_its_place(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    crawl(web, folder, pages=4)
    assert kept(folder) == {0, 2}
    mark(folder, 2, belongs=False)
    crawl(web, folder)
    assert kept(folder) == {0, 4, 6}
    assert "duplicate" in dict(opilio.why(folder, url(8)))["verdict"]


def test_a_mark_is_about_belonging_and_nothing_else(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    crawl(web, folder)
    assert mark(folder, 7, belongs=True) == "it stays out of the corpus: too short"
    assert mark(folder, 8, belongs=True) == "it stays out of the corpus: duplicate"
    assert mark(folder, 1, belongs=False) == "it was not in the corpus: not relevant"
    assert mark(folder, 2, belongs=True) == "it stays in the corpus"
    assert kept(folder) == {0, 2, 4, 6}


def test_a_page_below_the_cut_comes_back_when_it_is_marked(web: Path, tmp_path: Path) -> None:
    folder, tables = tmp_path / "c", TABLES | {"policy": {"cut": -0.5}}
    crawl(web, folder, tables=tables)
    assert kept(folder) == {0}
    assert mark(folder, 3, belongs=True).startswith("it is queued again")
    crawl(web, folder, tables=tables)
    assert kept(folder) == {0, 3}


def test_a_host_that_is_closed_is_not_asked_again(web: Path, tmp_path: Path) -> None:
    folder, tables = tmp_path / "c", TABLES | {"scope": {"pages_per_host": 3}, "keep": {"refused": "nothing"}}
    crawl(web, folder, tables=tables)
    assert mark(folder, 1, belongs=True).endswith("nothing more is fetched from its host")
    assert crawl(web, folder, tables=tables) == []


def test_what_cannot_be_marked_is_said(web: Path, tmp_path: Path) -> None:
    with pytest.raises(CrawlDirError, match="holds no crawl"):
        mark(tmp_path / "nothing", 1, belongs=True)
    assert not (tmp_path / "nothing").exists()
    crawl(web, tmp_path / "c")
    for unknown in ("http://a.test/unknown", "nonsense"):
        with pytest.raises(ConfigError, match=rf"never met {unknown}\. `opilio crawl"):
            opilio.mark(tmp_path / "c", unknown, belongs=True)


def test_the_command_says_what_became_of_the_page(web: Path, tmp_path: Path) -> None:
    crawl(web, tmp_path / "c")
    run = run_opilio("mark", "c", url(4), "no", folder=tmp_path)
    assert run.stdout == f"{url(4)} is marked no: it is no longer in the corpus.\n"
    assert "has saved no state" in run.stderr
    run = run_opilio("mark", "c", url(4), "yes", "--json", folder=tmp_path)
    assert msgspec.json.decode(run.stdout)["words"] == "it is in the corpus again"


# --- judges that learn


class Learner:
    """A page belongs if it has a word of a page that was said to belong."""

    def __init__(self, words: Sequence[str] = ()) -> None:
        self.words = set(words)

    @classmethod
    def build(cls, context: Context) -> "Learner":
        return cls(msgspec.json.decode(context.state, type=list[str]) if context.state else ["harvestman"])

    def judge(self, page: Page) -> Verdict:
        belongs = bool(self.words & set(page.text.lower().split()[:1]))
        return Verdict(float(belongs), belongs)

    def watch(self, page: Page, verdict: Verdict) -> bool:
        return False

    def state(self) -> bytes:
        return msgspec.json.encode(sorted(self.words))

    def teach(self, page: Page, belongs: bool) -> bool:
        word = set(page.text.lower().split()[:1])
        self.words = self.words | word if belongs else self.words - word
        return True


@pytest.fixture
def learner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Returns settings with that judge as a part."""
    monkeypatch.syspath_prepend(install_plugin(tmp_path, "judge", "learner", f"{__name__}:Learner"))
    return TABLES | {"judge": {"name": "all-of", "parts": [{"name": "everything"}, {"name": "learner"}]}}


def test_a_judge_learns_from_marks_between_two_runs(web: Path, tmp_path: Path, learner: dict[str, Any]) -> None:
    folder = tmp_path / "c"
    crawl(web, folder, pages=2, tables=learner)
    assert kept(folder) == {0}
    assert opilio.mark(folder, url(1), belongs=True).learned
    crawl(web, folder, tables=learner)
    assert 5 in kept(folder)  # because it has the word of page 1
    assert opilio.mark(folder, url(0), belongs=False).learned


def test_the_classifier_learns_from_marks(web: Path, tmp_path: Path) -> None:
    (tmp_path / "like.txt").write_text(f"Harvestman. {PROSE}", "utf-8")
    tables = TABLES | {"judge": {"name": "classifier"}, "corpus": {"like": [str(tmp_path / "like.txt")]}}
    crawl(web, tmp_path / "c", pages=1, tables=tables)
    assert kept(tmp_path / "c") == {0}
    assert opilio.mark(tmp_path / "c", url(0), belongs=False).learned
    again = opilio.mark(tmp_path / "c", url(0), belongs=False)
    assert (again.learned, again.not_learned) == (False, "")  # nothing new
    crawl(web, tmp_path / "c", tables=tables)
    assert sound(tmp_path / "c")


def test_a_judge_that_does_not_learn_is_left_alone(web: Path, tmp_path: Path) -> None:
    crawl(web, tmp_path / "c")
    marked = opilio.mark(tmp_path / "c", url(0), belongs=False)
    assert not marked.learned
    assert 'the judge "keywords" has saved no state' in marked.not_learned


# --- a crawl that runs


def run(web: Path, folder: Path, config: Config, steps: dict[int, Any], judge: Any = None) -> list[str]:
    """Crawls; after this many kept pages the step is called, in another thread, as another process would."""

    folder.mkdir()

    async def go() -> list[str]:
        crawl = build_crawl(Blueprint(config, folder, web=[web], judge=judge))
        if isinstance(judge, Marker):
            judge.crawl = crawl
        found: list[str] = []
        async for batch in crawl.stream([Seed(url(0))], ControlServer(CrawlFolder(folder), crawl.control)):
            for gleaned in batch:
                found.append(unpack(gleaned.record).url)
                if len(found) in steps:
                    await asyncio.to_thread(steps[len(found)])
        return found

    return asyncio.run(asyncio.wait_for(go(), 60))


def test_a_running_crawl_obeys_at_once(web: Path, tmp_path: Path, learner: dict[str, Any]) -> None:
    folder = tmp_path / "c"
    said: list[Any] = []

    def correct() -> None:
        for page, belongs in ((0, False), (3, True), (2, False)):
            said.append(opilio.mark(folder, url(page), belongs))

    found = run(web, folder, load_config(tables=learner), {2: correct})
    assert [marked.learned for marked in said] == [True, False, True]
    assert found[:2] == [url(0), url(2)]
    assert kept(folder) == {3, 5}  # from page 3 on it is spiders that belong
    assert sound(folder)


class Marker:
    """Hears from the operator while it looks at page 3."""

    crawl: Crawl

    def judge(self, page: Page) -> Verdict:
        if page.url == url(3):
            self.crawl.control({"command": "mark", "url": url(3), "belongs": True})
        if page.url == url(4):
            self.crawl.control({"command": "mark", "url": url(4), "belongs": False})
        return Verdict(0.0, belongs=page.url == url(4))


def test_a_page_that_is_marked_while_it_is_under_way_follows_too(web: Path, tmp_path: Path) -> None:
    tables = {"crawl": TABLES["crawl"]}
    assert run(web, tmp_path / "c", load_config(tables=tables), {}, Marker()) == [url(3)]
    assert dict(opilio.why(tmp_path / "c", url(4)))["verdict"].startswith("not kept: marked no")
    assert sound(tmp_path / "c")
