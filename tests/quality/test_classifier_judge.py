"""How well the classifier tells topics of an encyclopedia, from labelled pages or from five samples; floors only go up.

A quarter of the pages of `schools`. Pages that it was trained on are not asked about.
"""

from collections.abc import Sequence
from functools import partial
from itertools import islice
from random import Random
from statistics import mean

import numpy as np
import pytest

from bench.answers import Answers
from bench.schools import Schools
from opilio.core.config import load_config
from opilio.core.items import Page, Verdict
from opilio.core.plugin import Context, Sample
from opilio.judge import Classifier

TOPICS = ("Geography", "History", "People", "Science.Biology")
LABELLED_PAGES = 60  # of each kind
MET_PAGES = 160
ACCURACY_FLOOR = 0.9  # measured 0.909; five-fold 0.885
TOLERANCE = 0.05  # how far the five-fold accuracy may be from the truth
AUC_FLOOR = 0.83  # measured 0.842


def _samples(pages: Sequence[Page]) -> tuple[Sample, ...]:
    return tuple(Sample(page.url, page.text) for page in pages)


def _read(labelled: dict[str, list[Page]], names: Sequence[str]) -> tuple[Sample, ...]:
    return _samples([page for name in names for page in labelled[name]])


def _kinds(schools: Schools, topic: str) -> tuple[list[Page], list[Page]]:
    """Pages of the topic and others, in random order."""
    inside = schools.labels.relevant(topic)
    pages = Random(topic).sample(list(schools.pages.values()), len(schools.pages))
    return [page for page in pages if page.url in inside], [page for page in pages if page.url not in inside]


def test_labelled_pages_tell_topics_and_how_well_is_known_beforehand(schools: Schools) -> None:
    reached, promised = [], []
    for topic in TOPICS:
        inside, outside = _kinds(schools, topic)
        labelled = {"yes": inside[:LABELLED_PAGES], "no": outside[:LABELLED_PAGES]}
        context = Context(load_config(), None, read=partial(_read, labelled))
        judge = Classifier.build(context, positive=["yes"], negative=["no"])
        right = mean(judge.judge(page).belongs for page in inside[LABELLED_PAGES:])
        right += mean(not judge.judge(page).belongs for page in outside[LABELLED_PAGES:])
        reached.append(right / 2)
        promised.append(judge.accuracy)
    assert mean(reached) >= ACCURACY_FLOOR
    assert mean(promised) == pytest.approx(mean(reached), abs=TOLERANCE)


def test_five_samples_and_the_pages_met_rank_pages_by_topic(schools: Schools) -> None:
    results = []
    for topic in TOPICS:
        inside, outside = _kinds(schools, topic)
        judge = Classifier.build(Context(load_config(), None, _samples(inside[:5])))
        met = list(islice(schools.breadth_first(inside[0].url), MET_PAGES))
        for url in met:
            judge.watch(schools.pages[url], Verdict(0.0, belongs=False))
        asked = [page for page in (*inside[5:], *outside) if page.url not in met]
        scores = np.array([judge.judge(page).score for page in asked])
        belongs = np.isin([page.url for page in asked], [page.url for page in inside])
        results.append(Answers(scores, belongs, np.ones(len(asked))).auc())
    assert mean(results) >= AUC_FLOOR
