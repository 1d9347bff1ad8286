"""How well pages with comments are told, by five-fold cross-validation on real pages; the floors only go up.

The way of learning was chosen with an eye on these pages: other ways, and other numbers in it, gave an accuracy between
0.875 and 0.891 and an F1 between 0.793 and 0.816. A hand-made list of seven words has an accuracy of 0.868.
"""

import os
from pathlib import Path

import pytest

from opilio.judge.comment_examples import read_examples
from opilio.judge.comment_training import cross_validate, learn_keywords
from opilio.judge.comments import read_comment_keywords

ACCURACY_FLOOR = 0.885  # measured 0.890, mean of five divisions into folds; of the first three 0.892
F1_FLOOR = 0.81  # measured 0.815
DIVISIONS = 3


def test_pages_with_comments_are_told_by_keywords_of_other_pages() -> None:
    folder = os.environ.get("OPILIO_DATA")
    gold = Path(folder or "") / "gold" / "comments.jsonl.gz"
    if not folder or not gold.exists():
        pytest.skip("OPILIO_DATA names no folder with gold/comments.jsonl.gz")
    examples = read_examples(gold)
    qualities = [cross_validate(examples, 5, seed) for seed in range(DIVISIONS)]
    assert sum(one.accuracy for one in qualities) / DIVISIONS >= ACCURACY_FLOOR
    assert sum(one.f1 for one in qualities) / DIVISIONS >= F1_FLOOR
    assert all(one.accuracy >= 0.87 and one.f1 >= 0.78 for one in qualities)
    assert learn_keywords(examples, gold.name) == read_comment_keywords()  # the shipped ones are these
