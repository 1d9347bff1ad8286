"""Single runs over a small web, in this process."""

from pathlib import Path

import msgspec
import pytest

from opilio.core.config import change_config, load_config
from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.url import Url, parse
from opilio.engine.samples import read_samples
from opilio.glean import glean
from opilio.lab.protocol import SCALES, Failure, Job, Run, judged_by_language, language_of, recipes_with_yardsticks
from opilio.lab.runner import Runner, draw, name_of, save_samples, scaled_sizes
from opilio.lab.shelf import Shelf
from tests.builders import response
from tests.journey.lab_web import HOST, PAGES, page_url, write_lab_web


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_lab_web(tmp_path_factory.mktemp("lab"))


@pytest.fixture(scope="module")
def runner() -> Runner:
    return Runner()


def _job(web: Path, recipe: str, **changes: object) -> Job:
    job = Job(str(web), str(web.with_name("web.labels.tsv")), "Farm.Sheep", recipe, 1)
    return msgspec.structs.replace(job, **changes)


def _run(runner: Runner, job: Job) -> Run:
    run = runner.run(job)
    assert isinstance(run, Run), run
    return run


def test_a_run_starts_at_the_first_of_five_relevant_samples(runner: Runner, web: Path) -> None:
    run = _run(runner, _job(web, "breadth-first"))
    assert len(set(run.samples)) == 5
    assert all("/sheep/" in url for url in run.samples)
    assert run.seeds == run.samples[:1]
    assert (run.relevant, run.budget, run.fetched) == (PAGES, PAGES, PAGES)


def test_repetitions_draw_other_samples_and_the_same_ones_every_time(runner: Runner, web: Path) -> None:
    runs = [_run(runner, _job(web, "random", repetition=number)) for number in (1, 2, 1)]
    assert runs[0].samples != runs[1].samples
    assert runs[0] == runs[2]


def test_the_oracle_fetches_relevant_pages_first(runner: Runner, web: Path) -> None:
    oracle, plain = (_run(runner, _job(web, recipe)) for recipe in ("oracle", "breadth-first"))
    assert oracle.harvest_at_r == 1.0
    assert oracle.auc > 0.95
    assert plain.harvest_at_r < 0.8


def test_redirects_and_dead_links_are_no_fetches(runner: Runner, web: Path) -> None:
    run = _run(runner, _job(web, "breadth-first", budget=1000))
    assert run.fetched == 2 * PAGES + 1
    assert run.relevant_fetched == PAGES
    assert run.stop == "frontier empty"


def test_a_budget_of_ones_own_ends_the_crawl_there(runner: Runner, web: Path) -> None:
    run = _run(runner, _job(web, "breadth-first", budget=7))
    assert (run.budget, run.fetched, run.harvest_at_2r) == (7, 7, None)


def test_seed_urls_stand_in_for_the_first_sample(runner: Runner, web: Path) -> None:
    run = _run(runner, _job(web, "breadth-first", seed_urls=(f"{HOST}/list",), budget=1))
    assert run.seeds == (f"{HOST}/list",)
    assert run.relevant_fetched == 0


def test_a_host_is_asked_no_more_often_than_its_cap_and_dead_links_ask_nobody(runner: Runner, web: Path) -> None:
    assert _run(runner, _job(web, "breadth-first", per_host_cap=6)).fetched == 5  # and a redirect


def test_gold_judges_know_the_labels_and_unfocused_recipes_keep_everything(runner: Runner, web: Path) -> None:
    focused = _run(runner, _job(web, "perplexity", gold=True))
    assert focused.judge == "labels"
    assert focused.kept == focused.kept_relevant == focused.relevant_fetched
    assert _run(runner, _job(web, "random", gold=True)).judge == "everything"


def test_for_a_language_the_judge_is_its_identifier(tmp_path: Path) -> None:
    web = write_lab_web(tmp_path)
    labels = web.with_name("web.labels.tsv")
    labels.write_text("".join(f"{page_url('sheep', number)}\ten\n" for number in range(PAGES)), "utf-8")
    run = _run(Runner(), _job(web, "perplexity", topic="en"))
    assert run.judge == "language"
    assert run.kept > 0


def test_what_is_on_the_shelf_changes_nothing(runner: Runner, web: Path) -> None:
    job = _job(web, "language", settings=('corpus.languages=["en"]',), repetition=3)
    assert _run(Runner(), job) == _run(runner, job)


def test_a_crawl_toml_is_a_recipe_too(runner: Runner, web: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    path = tmp_path / "mine" / "crawl.toml"
    path.write_text('[crawl]\nrecipe = "random"\n', "utf-8")
    run = _run(runner, _job(web, str(path)))
    assert run.recipe == name_of(str(path)) == "mine"
    assert run.curve == _run(runner, _job(web, "random")).curve


def test_an_operators_mistake_ends_one_run(runner: Runner, web: Path) -> None:
    failed = runner.run(_job(web, "breadth-first", topic="Farm.Cows"))
    assert isinstance(failed, Failure)
    assert "Farm.Cows" in failed.reason
    assert _run(runner, _job(web, "breadth-first"))


def test_pages_without_a_word_are_no_samples(tmp_path: Path) -> None:
    empty = b"".join(response(f"{HOST}/empty/{number}", "<html></html>") for number in range(50))
    labels = "".join(f"{HOST}/empty/{number}\tFarm.Sheep\n" for number in range(50))
    web = write_lab_web(tmp_path, extra_labels=labels, extra_bytes=empty)
    pages = (*(f"{HOST}/empty/{number}" for number in range(50)), page_url("sheep", 1), page_url("sheep", 2))
    drawn = draw(_job(web, "random"), pages, Shelf(web))
    assert set(drawn.samples) == {page_url("sheep", 1), page_url("sheep", 2)}


def test_a_shelf_gives_what_gleaning_gives_and_forgets_when_it_is_full(web: Path) -> None:
    roomy, narrow = Shelf(web), Shelf(web, size_bytes=1)
    href = page_url("sheep", 1)
    url = parse(href)
    assert isinstance(url, Url)
    fetched = roomy.answer(href)
    plain = glean(url, 4, fetched.headers, fetched.body, Limits(), context=True)
    for shelf in (roomy, narrow):
        for _ in range(2):
            assert shelf.glean(url, 4, fetched.headers, fetched.body, Limits()) == plain
    deeper = roomy.glean(url, 9, fetched.headers, fetched.body, Limits())
    assert isinstance(deeper, Page)
    assert deeper.depth == 9
    assert roomy.answer(f"{HOST}/moved").url == page_url("sheep", 3)


def test_sizes_of_the_preemptive_crawl_are_scaled_to_the_topic() -> None:
    assert SCALES["preemptive"](30) == ["lead.bootstrap=5", "policy.top=5"]
    assert SCALES["preemptive"](300) == ["lead.bootstrap=30", "policy.top=15"]
    assert SCALES["preemptive"](2000) == ["lead.bootstrap=400", "policy.top=100"]


def test_the_yardsticks_are_always_there() -> None:
    assert recipes_with_yardsticks(["perplexity"]) == ["random", "breadth-first", "perplexity", "oracle"]
    assert recipes_with_yardsticks(["oracle", "random"]) == ["random", "breadth-first", "oracle"]


@pytest.mark.parametrize(
    ("topic", "code"),
    [
        ("lang.de", "de"),
        ("language.de", "de"),
        ("lang.ceb", "ceb"),
        ("lang.de-AT", "de-AT"),
        ("lang.zh_Hant_TW", "zh_Hant_TW"),
        ("lang.es-419", "es-419"),
        ("IT", None),
        ("topic.de", None),
        ("lang.de-", None),
        ("lang.german", None),
    ],
)
def test_a_topic_that_is_a_language_is_told_by_its_name(topic: str, code: str | None) -> None:
    assert language_of(topic, ["Arts", topic]) == code


def test_two_letters_are_a_language_only_where_all_labels_are_languages() -> None:
    assert language_of("it", ["it", "nb", "de"]) == "it"
    assert language_of("it", ["it", "ai", "web"]) is None
    assert language_of("ai", ["ai"]) is None


def test_a_region_or_a_script_among_the_labels_does_not_change_the_judge() -> None:
    topics = ["de", "en-us", "pt_BR", "zh-Hant"]
    codes = {topic: judged_by_language(topic, topics)[1] for topic in topics}
    assert codes == {
        "de": 'corpus.languages=["de"]', "en-us": 'corpus.languages=["en"]', "pt_BR": 'corpus.languages=["pt"]',
        "zh-Hant": 'corpus.languages=["zh"]',
    }  # fmt: skip
    assert language_of("de", ["de", "en-us", "read-me"]) is None


def test_a_language_is_judged_by_its_identifier_and_other_topics_as_the_recipe_says() -> None:
    assert judged_by_language("lang.de", ["Arts", "lang.de"]) == [
        "judge.name=language", 'corpus.languages=["de"]', "corpus.other_languages=true",
    ]  # fmt: skip
    assert judged_by_language("Arts", ["Arts", "lang.de"]) == []


def test_sizes_are_those_of_the_recipe_that_a_crawl_toml_names(runner: Runner, web: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    path = tmp_path / "mine" / "crawl.toml"
    path.write_text('[crawl]\nrecipe = "preemptive"\n', "utf-8")
    assert _run(runner, _job(web, str(path))).curve == _run(runner, _job(web, "preemptive")).curve
    scaled = load_config(path)
    assert scaled_sizes(scaled, 300) == SCALES["preemptive"](300)
    own = change_config(scaled, ["policy.top=7"])
    assert scaled_sizes(own, 300) == ["lead.bootstrap=30"]  # what the operator has set stands
    assert scaled_sizes(change_config(scaled, ["lead.name=parents-mean"]), 300) == []  # whose options are others
    assert scaled_sizes(load_config(), 300) == []


def test_samples_are_read_as_they_were_served(tmp_path: Path) -> None:
    html = f"<html><body><p>{'Овцы пасутся на зелёном лугу у реки. ' * 9}</p></body></html>"
    url = f"{HOST}/koi8"
    served = response(url, html.encode("koi8-r"), kind="text/html; charset=koi8-r")
    shelf = Shelf(write_lab_web(tmp_path, extra_bytes=served))
    [path] = save_samples((url,), shelf, tmp_path)
    [sample] = read_samples([Path(path)])
    page = shelf.page(url)
    assert page is not None
    assert "Овцы пасутся" in sample.text
    assert sample.text == page.text
