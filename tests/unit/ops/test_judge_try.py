"""A judge tried out: files and URLs end as in a crawl, and the judge of a crawl is taken as that crawl saved it."""

from pathlib import Path

import pytest

import opilio
from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.outcome import Drop
from opilio.folder import CrawlFolder
from opilio.folder.database import open_readonly
from opilio.ops.judge_try import choose_judge, try_judge
from tests.builders import PROSE, install_plugin, response

TUNED = '''
from opilio import Opinion, Page, Verdict


class Tuned:
    """Counts what it has watched, and says so."""

    def __init__(self, count, samples, wanted):
        self.count, self.samples, self.wanted = count, samples, wanted

    @classmethod
    def build(cls, context, wanted="none"):
        return cls(int(context.state or 0), len(context.samples), wanted)

    def judge(self, page):
        reason = f"{self.count} watched, {self.samples} samples, wanted {self.wanted}"
        return Verdict(1.0, True, (Opinion("tuned", 1.0, reason),))

    def watch(self, page, verdict):
        self.count += 1
        return True

    def state(self):
        return str(self.count).encode()
'''


class Spiders(opilio.Judge):
    """A page belongs if it speaks of spiders."""

    def judge(self, page: opilio.Page) -> opilio.Verdict:
        if "boom" in page.text:
            raise ValueError("the judge fell over")
        belongs = "spider" in page.text
        reason = "speaks of spiders" if belongs else "no spider"
        return opilio.Verdict(float(belongs), belongs, (opilio.Opinion("spiders", float(belongs), reason),))


@pytest.fixture
def tuned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = install_plugin(tmp_path / "installed", "judge", "tuned", "tuned_judge:Tuned")
    (path / "tuned_judge.py").write_text(TUNED, "utf-8")
    monkeypatch.syspath_prepend(path)


@pytest.fixture
def web(tmp_path: Path) -> Path:
    path = tmp_path / "web.warc.gz"
    pages = {"1": PROSE, "2": PROSE.replace("spider", "insect"), "3": f"third {PROSE}"}
    records = [response(f"http://a.test/{name}", f"<title>{name}</title><p>{text}</p>") for name, text in pages.items()]
    records += [
        response("http://a.test/moved", "", 301, Location="/again"),
        response("http://a.test/again", "", 302, Location="/1"),
    ]
    records += [
        response("http://a.test/round", "", 301, Location="/round?2"),
        response("http://a.test/round?2", "", 301, Location="/round"),
    ]
    path.write_bytes(b"".join(records))
    return path


def test_files_and_urls_come_back_in_their_order(web: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.txt"
    file.write_text(PROSE + "on disk", "utf-8")
    names = ["http://a.test/2", str(file), "http://a.test/1", "http://nowhere.test/", "http://[bad/"]
    trials = try_judge(load_config(), Spiders(), names, [web])
    assert [trial.name for trial in trials] == names
    assert [trial.drop for trial in trials] == [
        Drop.NOT_RELEVANT, None, None, Drop.NOT_IN_WEB, Drop.MALFORMED_URL,
    ]  # fmt: skip
    assert [trial.verdict.opinions[0].reason for trial in trials if trial.verdict] == [
        "no spider", "speaks of spiders", "speaks of spiders",
    ]  # fmt: skip
    assert trials[2].page
    assert trials[2].page.title == "1"


def test_a_redirect_is_judged_by_where_it_leads(web: Path) -> None:
    [moved] = try_judge(load_config(), Spiders(), ["http://a.test/moved"], [web])
    assert (moved.name, moved.drop, moved.page and moved.page.url) == ("http://a.test/moved", None, "http://a.test/1")


def test_redirects_in_a_circle_end(web: Path) -> None:
    [trial] = try_judge(load_config(), Spiders(), ["http://a.test/round"], [web])
    assert (trial.drop, trial.verdict) == (Drop.REDIRECTED, None)


def test_a_page_that_no_judge_can_judge_says_why(tmp_path: Path) -> None:
    for name, data in [("picture.html", b"\x89PNG\r\n\x1a\n\0\0"), ("boom.html", f"<p>boom {PROSE}</p>".encode())]:
        (tmp_path / name).write_bytes(data)
    names = [str(tmp_path / "picture.html"), str(tmp_path / "boom.html")]
    trials = try_judge(load_config(), Spiders(), names)
    assert [trial.drop for trial in trials] == [Drop.NOT_TEXT, Drop.GLEAN_FAILED]
    assert "the judge fell over" in trials[1].detail


def test_limits_of_the_crawl_do_not_end_a_trial(web: Path) -> None:
    tables = {"stop": {"kept": 1, "pages": 1}, "policy": {"cut": 5.0}, "scope": {"pages_per_host": 1}}
    trials = try_judge(load_config(tables=tables), Spiders(), ["http://a.test/1", "http://a.test/3"], [web])
    assert [trial.drop for trial in trials] == [None, None]


@pytest.mark.usefixtures("tuned")
def test_the_judge_of_a_crawl_is_taken_as_it_was_saved_and_learns_nothing(web: Path, tmp_path: Path) -> None:
    (tmp_path / "like.txt").write_text(PROSE, "utf-8")
    tables = {"judge": {"name": "tuned"}, "corpus": {"like": [str(tmp_path / "like.txt")]}, "crawl": {"workers": 1}}
    kept = list(opilio.crawl(tables, tmp_path / "c", web=web, seeds=["http://a.test/1", "http://a.test/2"]))
    assert kept[0].opinions[0].reason == "0 watched, 1 samples, wanted none"
    (tmp_path / "like.txt").unlink()
    folder = CrawlFolder(tmp_path / "c")
    for _ in range(2):
        chosen = choose_judge(folder, recipe=None, settings=["judge.wanted=more"], like=[])
        [trial] = try_judge(chosen.config, chosen.judge, ["http://a.test/3"], [web])
        assert trial.verdict is not None
        assert trial.verdict.opinions[0].reason == "2 watched, 0 samples, wanted more"
    connection = open_readonly(folder.database)
    assert connection.execute("SELECT count(*) FROM links").fetchone()[0] == 2
    connection.close()


@pytest.mark.usefixtures("tuned")
def test_a_folder_without_a_crawl_gives_its_settings_and_samples(tmp_path: Path) -> None:
    (tmp_path / "like.txt").write_text(PROSE, "utf-8")
    (tmp_path / "crawl.toml").write_text('[corpus]\nlike = ["like.txt"]\n[judge]\nname = "tuned"\n', "utf-8")
    chosen = choose_judge(CrawlFolder(tmp_path), recipe=None, settings=[], like=[])
    assert [sample.text for sample in chosen.samples] == [PROSE.strip()]
    assert chosen.judge.judge(None).opinions[0].reason == "0 watched, 1 samples, wanted none"  # type: ignore[arg-type]


def test_a_crawl_has_samples_and_a_recipe_of_its_own(web: Path, tmp_path: Path) -> None:
    list(opilio.crawl({"crawl": {"workers": 1}}, tmp_path / "c", web=web, seeds=["http://a.test/1"]))
    for recipe, like in [("random", []), (None, [tmp_path])]:
        with pytest.raises(ConfigError, match="of its own"):
            choose_judge(CrawlFolder(tmp_path / "c"), recipe=recipe, settings=[], like=like)


def test_a_model_that_is_missing_is_made_again_and_judges_alike(web: Path, tmp_path: Path) -> None:
    (tmp_path / "like.txt").write_text(PROSE, "utf-8")
    tables = {"corpus": {"like": [str(tmp_path / "like.txt")]}, "crawl": {"workers": 1, "recipe": "perplexity"}}
    list(opilio.crawl(tables, tmp_path / "c", web=web, seeds=["http://a.test/1", "http://a.test/2"]))
    [model] = (tmp_path / "c" / "models").glob("*.lm")
    verdicts = []
    for _ in range(2):
        chosen = choose_judge(CrawlFolder(tmp_path / "c"), recipe=None, settings=[], like=[])
        [trial] = try_judge(chosen.config, chosen.judge, [str(tmp_path / "like.txt")])
        verdicts.append(trial.verdict)
        model.unlink()
    assert verdicts[0] is not None
    assert verdicts[0] == verdicts[1]


def test_a_new_judge_leaves_nothing_in_the_folder_whose_settings_it_has(tmp_path: Path) -> None:
    (tmp_path / "like.txt").write_text(PROSE, "utf-8")
    (tmp_path / "crawl.toml").write_text('[corpus]\nlike = ["like.txt"]\n[crawl]\nrecipe = "perplexity"\n', "utf-8")
    chosen = choose_judge(CrawlFolder(tmp_path), recipe=None, settings=[], like=[])
    [trial] = try_judge(chosen.config, chosen.judge, [str(tmp_path / "like.txt")])
    assert trial.verdict is not None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crawl.toml", "like.txt"]
