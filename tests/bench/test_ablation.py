"""The ablation of the learned lead: that a variant differs in what it says, and that differences are counted as said."""

import importlib.util
from collections.abc import Callable, Sequence
from math import isfinite, isnan, sqrt
from pathlib import Path

import numpy as np
import pytest

from bench.ablation import _goal, effect, report
from bench.ablation_child import SCHOOLS, Harvest, Subject, Web, _lead, explore
from bench.ablation_learner import AdaGrad, Exchange, Exchanged, Frozen, unbelieving
from bench.ablation_variant import EVERYTHING, Variant, variants
from bench.chart import draw
from bench.lead_stream import Stream
from bench.schools import is_for_development
from opilio.core.config import load_config
from opilio.core.items import Link, Sighting, Target
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.lab.maker import Library, make_tunnel
from opilio.lab.protocol import Job, Run
from opilio.lab.runner import Runner
from opilio.lead import Judged
from opilio.model.online_logistic import OnlineLogistic, Tokens, Vector, probability

Example = tuple[Vector, Sequence[Tokens], float]


def learner() -> OnlineLogistic:
    tables = [np.zeros(size, np.float32) for size in (64, 64, 16)]
    return OnlineLogistic(np.array([1.0, -2.0]), np.array([0.3, 0.15]), tables, (0.3, 0.3, 0.3))


def examples(count: int) -> list[Example]:
    """The first signal tells what belongs; the second is always there."""
    random = np.random.default_rng(7)
    signals = [np.array([value, 1.0]) for value in random.normal(size=count)]
    words = [np.array([int(3 * signal[0]) % 5], np.int32) for signal in signals]
    return [
        (signal, (word, word, word), probability(2.0 * signal[0])) for signal, word in zip(signals, words, strict=True)
    ]


def last_misses(taught: OnlineLogistic) -> float:
    misses = [abs(target - taught.learn(signals, tokens, target)) for signals, tokens, target in examples(400)]
    return float(np.mean(misses[-100:]))


def harvest(variant: str, topic: str, share: float) -> Harvest:
    return Harvest(Subject(SCHOOLS, topic, 1), variant, share)


def test_differences_are_taken_topic_by_topic() -> None:
    usual = [harvest(EVERYTHING, "a", 0.2), harvest(EVERYTHING, "b", 0.6), harvest(EVERYTHING, "c", 0.9)]
    found = effect([*usual, harvest("other", "a", 0.1), harvest("other", "b", 0.3)], "other", SCHOOLS)
    assert found == pytest.approx((20.0, -20.0, 20.0 / sqrt(2) / sqrt(2)))


def test_one_crawl_has_no_error_bar_and_none_no_figure(tmp_path: Path) -> None:
    found = [harvest(each.name, "a", 0.5) for each in variants()]
    told = report(found)
    assert len(told.rows) == len(found)
    assert told.rows[0][:4] == [EVERYTHING, 50.0, 0.0, None]
    assert told.rows[0][4:7] == [None, None, None]
    assert told.chart is not None
    assert draw(told.chart, tmp_path / "chart.png")
    assert isnan(effect([], EVERYTHING, SCHOOLS).harvest)


def test_every_variant_learns_and_scores_and_has_a_name_of_its_own() -> None:
    known = variants()
    assert len({each.name for each in known}) == len(known)
    for each in known:
        config = load_config(recipe="learned", settings=each.settings)
        context = Context(config, None, (Sample("harvestmen", "harvestmen are arachnids"),))
        exchanged, met = _lead(each, context), Stream(7, sightings=1).next()
        assert (exchanged is None) == (each.exchange is None and not each.hard), each.name
        lead = exchanged or build_plugin("lead", config.lead, context)
        lead.learn(Judged(met.target, met.page, met.verdict, met.verdict.belongs))
        assert all(map(isfinite, lead.score(met.new))), each.name


def test_half_of_all_topics_are_for_development() -> None:
    assert is_for_development("Art")
    assert 400 < sum(is_for_development(f"topic {number}") for number in range(1_000)) < 600


def test_what_is_frozen_believes_what_it_believed() -> None:
    frozen = Frozen(learner())
    last_misses(frozen)
    assert frozen.weights.tolist() == [1.0, -2.0]
    assert not any(table.any() for table in frozen.tokens)


def test_without_beliefs_all_links_are_alike() -> None:
    assert unbelieving(2.0)(learner()).weights.tolist() == [0.0, 0.0]


def _vowpal(arguments: str) -> Exchange:
    if importlib.util.find_spec("vowpalwabbit") is None:
        pytest.skip('the peer needs pip install "opilio[bench]"')
    from bench.peers.vowpal import Vowpal

    return lambda own: Vowpal(own, arguments)


_PEERS = ("--learning_rate 1", "--adaptive --invariant --learning_rate 0.1", "--ftrl --ftrl_alpha 0.1")


@pytest.mark.parametrize("make", [lambda: AdaGrad, *(lambda each=each: _vowpal(each) for each in _PEERS)])
def test_other_learners_learn(make: Callable[[], Exchange]) -> None:
    assert last_misses(make()(learner())) < 0.5 * last_misses(Frozen(learner()))


@pytest.mark.parametrize("arguments", [*_PEERS, "--coin"])
def test_the_peers_weights_say_what_it_would_say(arguments: str) -> None:
    own = learner()
    if arguments == "--coin":
        own.weights[:] = 0.0
    peer = _vowpal(arguments)(own)
    last_misses(peer)
    for signals, tokens, _ in examples(20):
        places = [int(word[0]) + start for word, start in zip(tokens, (2, 66, 130), strict=True)]
        units = zip((0, 1), signals * np.array([2.0, 1.0]), strict=True)
        strong = [(place, float(value)) for place, value in units if abs(value) >= 1e-3]
        workspace = peer._workspace  # type: ignore[attr-defined]
        example = workspace.example({"f": [*strong, *((place, 1.0) for place in places)]})
        wanted = workspace.predict(example) + float(signals @ peer._beliefs)  # type: ignore[attr-defined]
        workspace.finish_example(example)
        sums = sum(float(table[word].sum()) for table, word in zip(peer.tokens, tokens, strict=True))
        assert float(signals @ peer.weights) + sums == pytest.approx(wanted, abs=1e-3)


def test_hard_verdicts_are_all_or_nothing() -> None:
    def scored(score: float, *, hard: bool) -> float:
        link = Link("http://a.test/", "a.test", "more", "", "", 1, 0.3, "html body a", "", "", 1)
        target = Target(1, link.url, link.host, 1, 0, (Sighting(2, "http://b.test/", score, score > 0.5, link),))
        lead = Exchanged(["harvestmen are arachnids"], (), lambda own: own, hard=hard)
        return lead.score([target])[0]

    assert scored(0.6, hard=True) == scored(0.9, hard=True) > scored(0.4, hard=True)
    assert scored(0.6, hard=False) < scored(0.9, hard=False)


def test_everything_is_the_lead_as_the_lab_runs_it(tmp_path: Path) -> None:
    path, labels = tmp_path / "web.warc.gz", tmp_path / "web.labels.tsv"
    make_tunnel(path, Library.of_demo())
    web = Web(path, labels)
    size = len(web.labels.relevant("cluster.01"))
    ran = Runner().run(Job(str(path), str(labels), "cluster.01", "learned", 1, budget=size))
    assert isinstance(ran, Run)
    subject = Subject("tunnel", "cluster.01", 1)
    for variant in (Variant(EVERYTHING, ""), Variant("exchanged for itself", "", exchange=lambda own: own)):
        assert explore(web, subject, variant).harvest == ran.harvest_at_r


def test_a_tie_with_another_learner_misses_the_goal() -> None:
    assert not _goal([-0.5, -3.0]).met
    assert _goal([-1.5, -3.0]).met
