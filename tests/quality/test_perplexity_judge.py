"""How well the perplexity judge tells topics of an encyclopedia, and whether its scores are true; floors only go up.

A quarter of the pages, five samples, 160 pages met breadth-first. `bench calibration` measures more of it.
"""

import numpy as np
import pytest

from bench.answers import Answers
from bench.calibration import Stage, examine
from bench.schools import Schools

TOPICS = ("Geography", "History", "People", "Science.Biology")
AUC_FLOOR = 0.86
ERROR_CEILING = 0.141  # measured 0.1406; 0.14 before pages had more text
SHORTEST_CRAWL = Stage("breadth-first", 0)
CRAWL = Stage("breadth-first", 160)


def test_scores_of_the_judge_are_good_and_true(schools: Schools) -> None:
    results = [examine(schools, topic, 300, 1, (0, 20, 160)) for topic in TOPICS]
    auc, first_auc = (np.mean([one[stage].auc() for one in results]) for stage in (CRAWL, SHORTEST_CRAWL))
    assert auc >= AUC_FLOOR
    assert auc > first_auc
    assert np.mean([one[CRAWL].calibration_error() for one in results]) <= ERROR_CEILING


def test_measures_of_answers_are_those_of_the_textbook() -> None:
    """Four pages; the last stands for three. Sorted by score: .9 yes, .6 no, .4 yes, .1 no (three times)."""
    answers = Answers(np.array([0.9, 0.6, 0.4, 0.1]), np.array([True, False, True, False]), np.array([1.0, 1, 1, 3]))
    assert answers.share == pytest.approx(2 / 6)
    assert answers.auc() == pytest.approx((4 + 3) / 8)
    assert answers.brier() == pytest.approx((0.01 + 0.36 + 0.36 + 3 * 0.01) / 6)
    assert answers.precision(0.5) == pytest.approx(0.5)
    assert answers.precision(0.95) == 0
    assert answers.recall(0.5) == pytest.approx(0.5)
    assert answers.calibration_error() == pytest.approx((0.1 + 0.6 + 0.6 + 3 * 0.1) / 6)
