"""The lead that goes by four signs of a good target."""

from collections.abc import Sequence

from opilio.core.config import load_config
from opilio.core.items import Opinion, Sighting, Target, Verdict
from opilio.core.plugin import Context, build_plugin
from opilio.lead import FRESH, Judged, Lead, Quality, Stale
from tests.builders import page, sighting, target


def _sighting(url: str, boilerplate: float = 0.1, badness: float | None = 3.0, parent: int = 1) -> Sighting:
    measures = {} if badness is None else {"badness": badness}
    return sighting(url, parent, measures=measures, boilerplate=boilerplate)


def _seen(url: str = "http://t.test/a", boilerplate: float = 0.1, badness: float | None = 3.0) -> Target:
    return target(url, _sighting(url, boilerplate, badness))


def _learn(lead: Quality, target: Target, kept: bool, times: int = 1, language: str = "de") -> list[Stale]:
    seen = page(url=target.url, language=language)
    verdict = Verdict(0.5, belongs=kept, opinions=(Opinion("badness", 0.5, "", 4.0),))
    return [lead.learn(Judged(target, seen, verdict, kept)) for _ in range(times)]


def _order(lead: Lead, targets: Sequence[Target]) -> list[int]:
    scores = lead.score(targets)
    return sorted(range(len(targets)), key=lambda place: -scores[place])


def test_before_anything_is_met_block_and_badness_rank_as_the_paper_found() -> None:
    targets = [_seen(boilerplate=0.9, badness=40.0), _seen(boilerplate=0.9), _seen(badness=40.0), _seen()]
    assert _order(Quality(), targets) == [3, 2, 1, 0]  # the block says more than the Badness


def test_the_best_of_several_sightings_counts() -> None:
    url = "http://t.test/a"
    both = target(url, _sighting(url, 0.9, 40.0), _sighting(url, 0.1, 3.0, parent=2))
    assert Quality().score([both]) == Quality().score([_seen()])


def test_links_follow_the_yield_of_their_host() -> None:
    lead = Quality()
    for _ in range(20):
        _learn(lead, _seen("http://good.test/x"), kept=True)
        _learn(lead, _seen("http://bad.test/x"), kept=False)
    assert _order(lead, [_seen("http://bad.test/a"), _seen("http://new.test/a"), _seen("http://good.test/a")]) == [
        2,
        1,
        0,
    ]


def test_what_a_web_shows_outweighs_what_was_believed() -> None:
    lead = Quality()
    for number in range(300):
        _learn(lead, _seen(f"http://a{number}.test/", boilerplate=0.9), kept=True)
        _learn(lead, _seen(f"http://b{number}.test/", boilerplate=0.1), kept=False)
    assert _order(lead, [_seen("http://new.test/", 0.1), _seen("http://new.test/", 0.9)]) == [1, 0]


def test_the_urls_language_counts_where_one_is_wanted() -> None:
    targets = [_seen("http://t.test/en/a"), _seen("http://t.test/de/a")]
    wanting, indifferent = Quality(["de"]), Quality()
    for lead in (wanting, indifferent):
        for number in range(40):
            _learn(lead, _seen(f"http://h{number}.test/de/"), kept=True, language="de")
            _learn(lead, _seen(f"http://h{number}.test/en/"), kept=False, language="en")
    assert _order(wanting, targets) == [1, 0]
    assert len(set(indifferent.score(targets))) == 1
    assert any("wanted language" in reason for reason in wanting.explain(targets[1]))


def test_nothing_is_ever_discarded() -> None:
    lead = Quality(["de"])
    _learn(lead, _seen("http://bad.test/", 1.0, 50.0), kept=False, times=5_000, language="en")
    [score] = lead.score([_seen("http://bad.test/en", 1.0, 50.0)])
    assert 0.0 < score < 0.05


def test_everything_is_scored_again_whenever_the_number_of_pages_has_doubled() -> None:
    answers = _learn(Quality(), _seen(), kept=True, times=600)
    assert [place + 1 for place, stale in enumerate(answers) if stale != FRESH] == [64, 128, 256, 512]


def test_a_resumed_crawl_scores_alike() -> None:
    lead, again = Quality(["de"]), Quality(["de"])
    _learn(lead, _seen("http://bad.test/"), kept=False, times=7)
    _learn(lead, target("http://seed.test/"), kept=True)
    state = lead.save()
    assert state is not None
    assert lead.save() is None
    again.load(state)
    targets = [_seen(), _seen("http://bad.test/x"), target("http://seed.test/y")]
    assert again.score(targets) == lead.score(targets)
    assert _learn(again, _seen(), kept=True) == _learn(lead, _seen(), kept=True)
    assert again.save() == lead.save()


def test_the_reasons_name_each_sign() -> None:
    reasons = "; ".join(Quality(["de"]).explain(_seen()))
    for words in ("probability", "running text to another host", "Badness", "host", "language"):
        assert words in reasons


def test_the_recipe_draws_queues_by_chance_and_keeps_long_texts() -> None:
    config = load_config(recipe="quality", settings=['corpus.languages=["de"]'])
    assert config.policy.choice == "weighted"
    assert config.keep.min_chars == 1_000
    assert isinstance(build_plugin("lead", config.lead, Context(config, None)), Quality)
