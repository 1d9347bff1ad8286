"""Focus by one article, on the demo web over loopback sockets: floors for what samples alone give, and for what Remus & Biemann
(2016) show. They only go up.
"""

from statistics import mean
from typing import Any

import pytest

from opilio.demo.experiment import APART, LINKED, ONE_BY_ONE, POLITELY, Run, run_experiment

PAGES = 100
# Pages of a hundred from the right site, means over seeds of what is explored. By default 83 to 93 and 87 to 92 were measured
# with single seeds, and up to ten less on a machine under load; with the recipe `perplexity` as it comes, 85 and 89, on a machine
# under load; under the conditions of the paper, on sites that do not link each other, 97 and 97. The paper has 93 and 97.
RIGHT_SITE = {
    "default": {"english-cats": 80, "german-cats": 86},
    "perplexity": {"english-cats": 80, "german-cats": 80},
    "paper": {"english-cats": 95, "german-cats": 95},
}
# The German floor was 2.0 when installed vectors, which are made for English, made nearly every German page look near.
MORE_WORDS = {
    "default": {"english-cats": 1.3, "german-cats": 1.0},
    "perplexity": {"english-cats": 1.3, "german-cats": 1.3},
    "paper": {"english-cats": 1.5, "german-cats": 1.5},
}
POLITE = {"web": LINKED, "settings": POLITELY}
CONDITIONS: dict[str, dict[str, Any]] = {
    "default": POLITE,
    "perplexity": {"recipe": "perplexity", **POLITE},
    "paper": {"recipe": "perplexity", "web": APART, "settings": ONE_BY_ONE},
}
SEEDS = {"default": (0, 1, 2), "perplexity": (0,), "paper": (0,)}

Runs = list[dict[str, Run]]  # a setting's run by its name, for each seed


@pytest.fixture(scope="module", params=list(CONDITIONS))
def runs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Runs]:
    name = request.param
    folders = {seed: tmp_path_factory.mktemp("demo") for seed in SEEDS[name]}
    experiments = [run_experiment(folder, PAGES, seed=seed, **CONDITIONS[name]) for seed, folder in folders.items()]
    return name, [{run.setting.name: run for run in experiment} for experiment in experiments]


def test_each_crawl_downloads_as_many_pages_as_it_may(runs: tuple[str, Runs]) -> None:
    for made in runs[1]:
        assert [sum(run.pages) for run in made.values()] == [PAGES] * 3


def test_without_a_focus_every_site_has_its_share(runs: tuple[str, Runs]) -> None:
    """One by one, no host has to rest: the links of the last seed are the last."""
    least = 10 if runs[0] == "paper" else 15
    for made in runs[1]:
        assert all(least <= pages <= 35 for pages in made["unfocused"].pages), made["unfocused"].pages


@pytest.mark.parametrize("name", ["english-cats", "german-cats"])
def test_one_article_keeps_the_crawl_on_its_topic_and_language(runs: tuple[str, Runs], name: str) -> None:
    focus, found = runs[0], [made[name] for made in runs[1]]
    assert mean(run.at(run.pages, run.setting.site) for run in found) >= RIGHT_SITE[focus][name], found


@pytest.mark.parametrize("name", ["english-cats", "german-cats"])
def test_focus_gives_more_usable_words_for_the_same_downloads(runs: tuple[str, Runs], name: str) -> None:
    focus, found, plain = runs[0], [made[name] for made in runs[1]], [made["unfocused"] for made in runs[1]]
    site = found[0].setting.site
    words = mean(run.at(run.words, site) for run in found)
    assert words >= MORE_WORDS[focus][name] * mean(run.at(run.words, site) for run in plain)
